//===- Npy.cpp - Arrays in files of NumPy ---------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Npy.h"
#include "Support/ForeignText.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"

using namespace bquant;

static constexpr llvm::StringLiteral magic("\x93NUMPY");

/// NumPy's type code, e.g. "<f4"; bfloat16 has none of its own there and
/// travels as two raw bytes.
static std::string toDescr(const ArrayInfo &info) {
  char kind = llvm::StringRef(info.dtype).starts_with("uint")  ? 'u'
              : llvm::StringRef(info.dtype).starts_with("int") ? 'i'
              : info.dtype == "bool"                           ? 'b'
              : info.dtype == "bfloat16"                       ? 'V'
                                                               : 'f';
  int64_t bytes = info.elementBytes();
  return std::string(bytes == 1 || kind == 'V' ? "|" : "<") + kind +
         std::to_string(bytes);
}

/// "(1, 3, 8, 8)", "(5,)", "()", as Python writes it; "batch" for one of any
/// size.
static std::string toTuple(llvm::ArrayRef<int64_t> shape) {
  std::string text = "(";
  for (size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + (shape[i] == bquant::ArrayInfo::anyBatch
                                   ? "batch"
                                   : std::to_string(shape[i]));
  return text + (shape.size() == 1 ? ",)" : ")");
}

// A header is a dictionary of Python, with spaces and either quotes wherever
// that has them.

/// The value of a key in the dictionary: up to the next comma outside
/// parentheses.
static llvm::StringRef valueOf(llvm::StringRef dictionary,
                               llvm::StringRef key) {
  size_t at = std::min(dictionary.find(("'" + key + "'").str()),
                       dictionary.find(("\"" + key + "\"").str()));
  if (at == llvm::StringRef::npos)
    return "";
  llvm::StringRef rest = dictionary.drop_front(at + key.size() + 2).ltrim();
  if (!rest.consume_front(":"))
    return "";
  rest = rest.ltrim();
  size_t end =
      rest.starts_with("(") ? rest.find(')') + 1 : rest.find_first_of(",}");
  return rest.take_front(end).trim();
}

/// Whether a type code is that of `info`. The order of bytes may be left out or
/// said as this machine's, and of what has none it may be any.
static bool isDescr(llvm::StringRef descr, const ArrayInfo &info) {
  std::string expected = toDescr(info);
  llvm::StringRef orders = expected.front() == '|' ? "<=|>" : "<=|";
  if (!descr.empty() && orders.contains(descr.front()))
    descr = descr.drop_front();
  return descr == llvm::StringRef(expected).drop_front();
}

/// The sizes of a tuple, or none where it is something else.
static std::optional<llvm::SmallVector<int64_t>>
readTuple(llvm::StringRef text) {
  if (!text.consume_front("(") || !text.consume_back(")"))
    return std::nullopt;
  llvm::SmallVector<int64_t> sizes;
  while (!(text = text.ltrim()).empty()) {
    int64_t size;
    if (text.consumeInteger(10, size) || size < 0)
      return std::nullopt;
    text = text.ltrim();
    // The last comma may be left out, but not in a tuple of one.
    if (!text.consume_front(",") && (sizes.empty() || !text.empty()))
      return std::nullopt;
    sizes.push_back(size);
  }
  return sizes;
}

llvm::Expected<bquant::NpyArray> bquant::readNpy(llvm::StringRef path,
                                                 const ArrayInfo &info) {
  auto fail = [&](const llvm::Twine &expected, const llvm::Twine &got) {
    return llvm::createStringError(path + ": expected " + expected +
                                   ", but got " + got);
  };
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return llvm::createStringError("cannot open '" + path +
                                   "': " + file.getError().message());
  llvm::StringRef bytes = (*file)->getBuffer();
  if (!bytes.consume_front(magic) || bytes.size() < 4)
    return fail("a .npy file", "another format");
  unsigned version = static_cast<unsigned char>(bytes[0]);
  size_t lengthBytes = version == 1 ? 2 : 4;
  if (version < 1 || version > 3)
    return fail("a .npy file of version 1 to 3",
                "version " + llvm::Twine(version));
  if (bytes.size() < 2 + lengthBytes)
    return fail("a whole .npy header", "the end of the file");
  const char *at = bytes.data() + 2;
  size_t length = version == 1 ? llvm::support::endian::read16le(at)
                               : llvm::support::endian::read32le(at);
  bytes = bytes.drop_front(2 + lengthBytes);
  if (bytes.size() < length)
    return fail("a whole .npy header", "the end of the file");
  llvm::StringRef header = bytes.take_front(length);
  bytes = bytes.drop_front(length);

  std::string name = "for '" + quoteForeign(info.name) + "'";
  llvm::StringRef descr = valueOf(header, "descr").trim("'\"");
  if (!isDescr(descr, info))
    return fail("dtype '" + toDescr(info) + "' (" + info.dtype + ") " + name,
                "'" + quoteForeign(descr) + "'");
  if (valueOf(header, "fortran_order") != "False")
    return fail("C order " + name, "Fortran order");
  llvm::StringRef shape = valueOf(header, "shape");
  // Whatever batch it has, the other sizes are known.
  std::optional<llvm::SmallVector<int64_t>> sizes = readTuple(shape);
  ArrayInfo found = info.ofBatch(sizes && !sizes->empty() ? sizes->front() : 0);
  if (!sizes || *sizes != found.shape)
    return fail("shape " + toTuple(info.shape) + " " + name,
                sizes ? toTuple(*sizes) : quoteForeign(shape));
  std::optional<int64_t> size = found.numBytes();
  if (!size || bytes.size() != static_cast<uint64_t>(*size))
    return fail((size ? std::to_string(*size) : "fewer") + " bytes of data",
                llvm::Twine(bytes.size()));
  return NpyArray{std::move(*file), std::move(found), bytes};
}

void bquant::writeNpy(llvm::raw_ostream &os, const ArrayInfo &info,
                      const void *data) {
  std::string header =
      "{'descr': '" + toDescr(info) +
      "', 'fortran_order': False, 'shape': " + toTuple(info.shape) + ", }";
  // The data begin at a multiple of 64 bytes.
  size_t before = magic.size() + 2 + 2;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  char length[2];
  llvm::support::endian::write16le(length, header.size());
  os << magic << '\x01' << '\x00';
  os.write(length, 2);
  os << header;
  os.write(static_cast<const char *>(data),
           info.numElements() * info.elementBytes());
}
