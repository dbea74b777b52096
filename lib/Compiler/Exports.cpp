//===- Exports.cpp - What a shared library exports ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm::object reads any object file, believes what it is not asked for, and
// words its errors as it likes. What is loaded here has to be what the linker
// writes: python/runtime/bquant_runtime/_elf.py makes the same checks in the
// same order, and a test gives both the same damaged files.
//
//===----------------------------------------------------------------------===//

#include "Exports.h"
#include "Support/ForeignText.h"
#include "bquant/Emission/Emit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/bit.h"
#include "llvm/BinaryFormat/ELF.h"
#include <cstring>

using namespace bquant;
using namespace llvm::ELF;

static_assert(llvm::endianness::native == llvm::endianness::little,
              "the structs of the file are read as they are");

std::string bquant::getArchitecture(uint16_t machine) {
  switch (machine) {
  case EM_X86_64:
    return "x86_64";
  case EM_AARCH64:
    return "aarch64";
  default:
    return "ELF's machine " + std::to_string(machine);
  }
}

namespace {
class Reader {
public:
  explicit Reader(llvm::StringRef file) : file(file) {}

  llvm::Expected<Exports> read() {
    if (llvm::Error error = readHeader())
      return std::move(error);
    if (llvm::Error error = readSections())
      return std::move(error);
    if (llvm::Error error = checkSegments())
      return std::move(error);
    exports.machine = header.e_machine;
    for (const Elf64_Shdr &section : sections)
      if (section.sh_type == SHT_DYNSYM)
        if (llvm::Error error = readSymbols(section))
          return std::move(error);
    if (exports.signatures.empty())
      return llvm::createStringError("no compiled function in it");
    if (resolved)
      return llvm::createStringError("symbol '" + quoteForeign(*resolved) +
                                     "' has a resolver, which the loader runs");
    return std::move(exports);
  }

private:
  llvm::Error readHeader();
  llvm::Error readSections();
  llvm::Error checkSegments() const;
  llvm::Error readSymbols(const Elf64_Shdr &table);

  std::optional<llvm::StringRef> getBytes(uint64_t offset, uint64_t size) const;
  /// None of a section that has no bytes in the file.
  llvm::StringRef getContents(const Elf64_Shdr &section) const;
  /// The section of such flags that has the bytes of a symbol, or null. By its
  /// address: the number that it has in the file stays as it was where a
  /// section before it is removed, and the loader does not read it.
  const Elf64_Shdr *findSection(const Elf64_Sym &symbol, uint64_t flags) const;
  /// The text there in a table of strings.
  std::optional<llvm::StringRef> getText(size_t section, uint64_t offset) const;
  template <typename T>
  bool readTable(uint64_t offset, size_t count, llvm::SmallVector<T> &table);

  llvm::StringRef file;
  Elf64_Ehdr header;
  llvm::SmallVector<Elf64_Shdr> sections;
  llvm::SmallVector<Elf64_Phdr> segments;
  Exports exports;
  /// A symbol that the loader would call to know its address.
  std::optional<llvm::StringRef> resolved;
};
} // namespace

static llvm::Error outside(llvm::StringRef what, size_t index) {
  return llvm::createStringError(what + " " + llvm::Twine(index) +
                                 " lies outside of the file");
}

/// Whether `size` bytes at `begin` are among `limit` bytes at `first`.
static bool covers(uint64_t first, uint64_t limit, uint64_t begin,
                   uint64_t size) {
  return begin >= first && begin - first <= limit &&
         size <= limit - (begin - first);
}

std::optional<llvm::StringRef> Reader::getBytes(uint64_t offset,
                                                uint64_t size) const {
  if (!covers(0, file.size(), offset, size))
    return std::nullopt;
  return file.substr(offset, size);
}

llvm::StringRef Reader::getContents(const Elf64_Shdr &section) const {
  if (section.sh_type == SHT_NULL || section.sh_type == SHT_NOBITS)
    return {};
  return *getBytes(section.sh_offset, section.sh_size);
}

const Elf64_Shdr *Reader::findSection(const Elf64_Sym &symbol,
                                      uint64_t flags) const {
  // Those above are no sections: an address that is moved with no library.
  if (symbol.st_shndx >= SHN_LORESERVE)
    return nullptr;
  const auto *section = llvm::find_if(sections, [&](const Elf64_Shdr &section) {
    return section.sh_type != SHT_NOBITS &&
           (section.sh_flags & flags) == flags &&
           covers(section.sh_addr, section.sh_size, symbol.st_value,
                  symbol.st_size);
  });
  return section == sections.end() ? nullptr : section;
}

std::optional<llvm::StringRef> Reader::getText(size_t section,
                                               uint64_t offset) const {
  if (section >= sections.size())
    return std::nullopt;
  llvm::StringRef table = getContents(sections[section]);
  size_t end = table.find('\0', offset);
  if (end == llvm::StringRef::npos)
    return std::nullopt;
  return table.slice(offset, end);
}

template <typename T>
bool Reader::readTable(uint64_t offset, size_t count,
                       llvm::SmallVector<T> &table) {
  std::optional<llvm::StringRef> bytes = getBytes(offset, count * sizeof(T));
  if (!bytes || count == 0)
    return false;
  table.resize_for_overwrite(count);
  std::memcpy(table.data(), bytes->data(), bytes->size());
  return true;
}

llvm::Error Reader::readHeader() {
  if (!file.starts_with(llvm::StringRef(ElfMagic, 4)))
    return llvm::createStringError("no ELF file");
  if (file.size() < sizeof(header))
    return llvm::createStringError("its header lies outside of the file");
  std::memcpy(&header, file.data(), sizeof(header));
  if (header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB)
    return llvm::createStringError("no ELF file of 64 bits, little-endian");
  if (header.e_type != ET_DYN)
    return llvm::createStringError("no shared library");
  if (header.e_shentsize != sizeof(Elf64_Shdr) ||
      !readTable(header.e_shoff, header.e_shnum, sections))
    return llvm::createStringError(
        "its table of sections lies outside of the file");
  if (header.e_phentsize != sizeof(Elf64_Phdr) ||
      !readTable(header.e_phoff, header.e_phnum, segments))
    return llvm::createStringError(
        "its table of segments lies outside of the file");
  return llvm::Error::success();
}

llvm::Error Reader::readSections() {
  for (auto [i, section] : llvm::enumerate(sections))
    if (section.sh_type != SHT_NULL && section.sh_type != SHT_NOBITS &&
        !getBytes(section.sh_offset, section.sh_size))
      return outside("section", i);
  for (auto [i, section] : llvm::enumerate(sections)) {
    std::optional<llvm::StringRef> name =
        getText(header.e_shstrndx, section.sh_name);
    if (!name)
      return outside("the name of section", i);
    if (*name == reportSection)
      exports.report = getContents(section);
  }
  return llvm::Error::success();
}

/// That the loader, which goes by segments, sees what the sections say.
llvm::Error Reader::checkSegments() const {
  uint64_t end = 0;
  for (auto [i, segment] : llvm::enumerate(segments)) {
    if (segment.p_type != PT_LOAD)
      continue;
    if (!getBytes(segment.p_offset, segment.p_filesz))
      return outside("segment", i);
    if (segment.p_vaddr < end || segment.p_memsz < segment.p_filesz ||
        segment.p_memsz > ~segment.p_vaddr)
      return llvm::createStringError(
          "segment " + llvm::Twine(i) +
          " does not lie after those before it in memory");
    end = segment.p_vaddr + segment.p_memsz;
  }
  auto isLoaded = [&](uint64_t address, uint64_t size) {
    return llvm::any_of(segments, [&](const Elf64_Phdr &segment) {
      return segment.p_type == PT_LOAD &&
             covers(segment.p_vaddr, segment.p_memsz, address, size);
    });
  };
  const Elf64_Phdr *dynamic = nullptr;
  for (auto [i, segment] : llvm::enumerate(segments)) {
    if (segment.p_type == PT_LOAD || segment.p_type == PT_NULL ||
        segment.p_type == PT_GNU_STACK)
      continue;
    if (!isLoaded(segment.p_vaddr, segment.p_filesz))
      return llvm::createStringError("segment " + llvm::Twine(i) +
                                     " is not loaded");
    if (segment.p_type == PT_DYNAMIC)
      dynamic = &segment;
  }
  for (size_t i = 0; i < sections.size(); ++i) {
    const Elf64_Shdr &section = sections[i];
    // Those of threads' variables without values have no place.
    bool isEmpty = section.sh_type == SHT_NOBITS;
    if (!(section.sh_flags & SHF_ALLOC) || section.sh_size == 0 ||
        (isEmpty && section.sh_flags & SHF_TLS))
      continue;
    bool agrees = llvm::any_of(segments, [&](const Elf64_Phdr &segment) {
      return segment.p_type == PT_LOAD &&
             covers(segment.p_vaddr,
                    isEmpty ? segment.p_memsz : segment.p_filesz,
                    section.sh_addr, section.sh_size) &&
             (isEmpty || section.sh_offset - segment.p_offset ==
                             section.sh_addr - segment.p_vaddr);
    });
    if (section.sh_type == SHT_DYNAMIC)
      agrees &= dynamic && dynamic->p_vaddr == section.sh_addr &&
                dynamic->p_filesz == section.sh_size;
    if (!agrees)
      return llvm::createStringError(
          "section " + llvm::Twine(i) +
          " is not where the segments say that it is");
  }
  if (!dynamic || llvm::none_of(sections, [](const Elf64_Shdr &section) {
        return section.sh_type == SHT_DYNAMIC;
      }))
    return llvm::createStringError("it has no section for the loader");
  return llvm::Error::success();
}

llvm::Error Reader::readSymbols(const Elf64_Shdr &table) {
  llvm::StringRef contents = getContents(table);
  if (table.sh_entsize != sizeof(Elf64_Sym) ||
      contents.size() % sizeof(Elf64_Sym) != 0)
    return llvm::createStringError("expected symbols of 24 bytes, but got " +
                                   llvm::Twine(contents.size()) + " by " +
                                   llvm::Twine(table.sh_entsize));
  // The first one stands for none.
  for (size_t i = 1; i < contents.size() / sizeof(Elf64_Sym); ++i) {
    Elf64_Sym symbol;
    std::memcpy(&symbol, contents.data() + i * sizeof(symbol), sizeof(symbol));
    std::optional<llvm::StringRef> name =
        getText(table.sh_link, symbol.st_name);
    if (!name)
      return outside("the name of symbol", i);
    if (symbol.st_shndx == SHN_UNDEF)
      continue;
    if (symbol.getType() == STT_GNU_IFUNC)
      resolved = *name;
    if (symbol.getType() == STT_FUNC) {
      if (findSection(symbol, SHF_ALLOC | SHF_EXECINSTR))
        exports.functions.insert(*name);
    } else if (symbol.getType() == STT_OBJECT &&
               name->ends_with(Exports::signatureSuffix)) {
      const Elf64_Shdr *section = findSection(symbol, SHF_ALLOC);
      exports.signatures[name->str()] =
          section ? getContents(*section).substr(
                        symbol.st_value - section->sh_addr, symbol.st_size)
                  : "";
    }
  }
  return llvm::Error::success();
}

llvm::Expected<Exports> bquant::readExports(llvm::StringRef file) {
  return Reader(file).read();
}
