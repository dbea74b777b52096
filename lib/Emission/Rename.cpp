//===- Rename.cpp - An entry point under another name ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   f  f_arena_bytes  f_supported  f_signature  f_set_parallel  __bquant_f...
//
// become
//
//   g  g_arena_bytes  g_supported  g_signature  g_set_parallel  __bquant_g...
//
// and the sections of the signature and the report, where the name stands too,
// get other bytes: no code refers to these.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Names.h"
#include "bquant/Emission/Emit.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ObjCopy/CommonConfig.h"
#include "llvm/ObjCopy/ELF/ELFConfig.h"
#include "llvm/ObjCopy/ELF/ELFObjcopy.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"

using namespace bquant;
using ELFFile = llvm::object::ELF64LEObjectFile;

/// The symbol that `symbol` becomes; none if it keeps its name.
static std::optional<std::string>
renameSymbol(llvm::StringRef symbol, llvm::StringRef from, llvm::StringRef to) {
  llvm::StringRef rest = symbol;
  bool isInner = rest.consume_front(kInnerPrefix);
  // A version's names go on with a dot and its CPU.
  if (!rest.consume_front(from) ||
      (!rest.empty() && !llvm::is_contained({'_', '.'}, rest.front())))
    return std::nullopt;
  return ((isInner ? llvm::StringRef(kInnerPrefix) : "") + to + rest).str();
}

/// Puts a symbol at the beginning of another section.
static void place(ELFFile &file, llvm::StringRef name, uint16_t section,
                  uint64_t size) {
  for (const llvm::object::ELFSymbolRef &symbol : file.symbols()) {
    if (llvm::cantFail(symbol.getName()) != name)
      continue;
    auto *entry = const_cast<ELFFile::Elf_Sym *>(
        llvm::cantFail(file.getSymbol(symbol.getRawDataRefImpl())));
    entry->st_shndx = section;
    entry->st_size = size;
  }
}

static uint16_t getIndex(const ELFFile &file, llvm::StringRef name) {
  for (const llvm::object::SectionRef &section : file.sections())
    if (llvm::cantFail(section.getName()) == name)
      return section.getIndex();
  llvm_unreachable("expected a section that is there");
}

/// Adds the symbols that the object defines.
static llvm::Error addDefined(const ELFFile &file, llvm::StringSet<> &defined) {
  for (const llvm::object::SymbolRef &symbol : file.symbols()) {
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags)
      return flags.takeError();
    if (*flags & llvm::object::SymbolRef::SF_Undefined)
      continue;
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    defined.insert(*name);
  }
  return llvm::Error::success();
}

/// Copies the object with the names of `to` for what is defined in it or in
/// another one, and what the configuration asks for besides.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
renameSymbols(ELFFile &file, const llvm::StringSet<> &defined,
              llvm::StringRef from, llvm::StringRef to,
              llvm::objcopy::CommonConfig config = {}) {
  std::list<std::string> names; // which the configuration refers to
  for (const llvm::object::SymbolRef &symbol : file.symbols()) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name)
      return name.takeError();
    if (!defined.contains(*name))
      continue; // As of the C library.
    if (std::optional<std::string> renamed = renameSymbol(*name, from, to))
      config.SymbolsToRename[*name] = names.emplace_back(std::move(*renamed));
  }
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (llvm::Error error = llvm::objcopy::elf::executeObjcopyOnBinary(
          config, llvm::objcopy::ELFConfig(), file, os))
    return std::move(error);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), "object", /*RequiresNullTerminator=*/false);
}

/// The same for the object with the signature and the report.
static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
renameWithTexts(llvm::MemoryBufferRef object, const llvm::StringSet<> &defined,
                llvm::StringRef from, llvm::StringRef to,
                llvm::StringRef signature, llvm::StringRef report) {
  // llvm-objcopy frees a section when its bytes are replaced, but its symbols
  // still point to it. Take the signature's symbol out of its section first.
  std::string copy = object.getBuffer().str();
  llvm::Expected<ELFFile> file =
      ELFFile::create({copy, object.getBufferIdentifier()});
  if (!file)
    return file.takeError();
  place(*file, (from + "_signature").str(), llvm::ELF::SHN_ABS, /*size=*/0);
  llvm::objcopy::CommonConfig config;
  auto update = [&](llvm::StringRef section, llvm::StringRef text) {
    std::string bytes = (text + llvm::Twine('\0')).str();
    config.UpdateSection.emplace_back(
        section, llvm::MemoryBuffer::getMemBufferCopy(bytes));
  };
  update(kSignatureSection, signature);
  update(reportSection, report);
  auto bytes = renameSymbols(*file, defined, from, to, std::move(config));
  if (!bytes)
    return bytes.takeError();
  llvm::Expected<ELFFile> renamed = ELFFile::create(**bytes);
  if (!renamed)
    return renamed.takeError();
  place(*renamed, (to + "_signature").str(),
        getIndex(*renamed, kSignatureSection), signature.size() + 1);
  return bytes;
}

llvm::Expected<Objects> bquant::renameEntryPoint(const Objects &objects,
                                                 llvm::StringRef from,
                                                 llvm::StringRef to,
                                                 llvm::StringRef signature,
                                                 llvm::StringRef report) {
  llvm::StringSet<> defined;
  for (const auto &object : objects) {
    llvm::Expected<ELFFile> file = ELFFile::create(*object);
    if (!file)
      return file.takeError();
    if (llvm::Error error = addDefined(*file, defined))
      return std::move(error);
  }
  auto first =
      renameWithTexts(*objects.front(), defined, from, to, signature, report);
  if (!first)
    return first.takeError();
  Objects result;
  result.push_back(std::move(*first));
  for (const auto &object : llvm::drop_begin(objects)) {
    llvm::Expected<ELFFile> file = ELFFile::create(*object);
    if (!file)
      return file.takeError();
    auto renamed = renameSymbols(*file, defined, from, to);
    if (!renamed)
      return renamed.takeError();
    result.push_back(std::move(*renamed));
  }
  return result;
}
