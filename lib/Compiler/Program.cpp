//===- Program.cpp - Compiled code that can be called ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Program.h"
#include "bquant/Compiler/Report.h"
#include "bquant/Target/Emit.h"
#include "bquant/Target/JIT.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Object/ObjectFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include <dlfcn.h>

using namespace bquant;

int64_t ArrayInfo::elementBytes() const {
  return llvm::StringSwitch<int64_t>(dtype)
      .Cases({"bool", "int8", "uint8"}, 1)
      .Cases({"float16", "bfloat16", "int16", "uint16"}, 2)
      .Cases({"float64", "int64", "uint64"}, 8)
      .Default(4);
}

int64_t ArrayInfo::numElements() const {
  int64_t result = 1;
  for (int64_t size : shape)
    result *= size;
  return result;
}

std::optional<int64_t> ArrayInfo::numBytes() const {
  int64_t result = elementBytes();
  for (int64_t size : shape)
    if (llvm::MulOverflow(result, size, result))
      return std::nullopt;
  return result;
}

ArrayInfo ArrayInfo::ofBatch(int64_t batch) const {
  ArrayInfo result = *this;
  if (hasBatch())
    result.shape.front() = batch;
  return result;
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

static bool read(const llvm::json::Array *arrays,
                 llvm::SmallVector<ArrayInfo> &result) {
  if (!arrays)
    return false;
  for (const llvm::json::Value &value : *arrays) {
    const llvm::json::Object *array = value.getAsObject();
    if (!array || !array->getString("name") || !array->getString("dtype") ||
        !array->getArray("shape"))
      return false;
    ArrayInfo info;
    info.name = array->getString("name")->str();
    info.dtype = array->getString("dtype")->str();
    for (const llvm::json::Value &size : *array->getArray("shape")) {
      bool batch = size.getAsNull() && info.shape.empty();
      if (!batch && !size.getAsInteger())
        return false;
      info.shape.push_back(batch ? ArrayInfo::anyBatch : *size.getAsInteger());
    }
    result.push_back(std::move(info));
  }
  return true;
}

llvm::Error Program::addFunctions(llvm::ArrayRef<std::string> signatures) {
  llvm::json::Array all;
  for (const std::string &text : signatures) {
    llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
    if (!value)
      return value.takeError();
    const llvm::json::Object *object = value->getAsObject();
    FunctionInfo info;
    if (!object || !object->getString("name") || !object->getString("symbol") ||
        !read(object->getArray("inputs"), info.inputs) ||
        !read(object->getArray("outputs"), info.outputs))
      return llvm::createStringError(
          "expected the signature of a compiled function, but got '" +
          llvm::Twine(text) + "'");
    info.name = object->getString("name")->str();
    info.symbol = object->getString("symbol")->str();
    auto get = [&](auto &function, const char *suffix) -> llvm::Error {
      llvm::Expected<void *> address = lookup(info.symbol + suffix);
      if (!address)
        return address.takeError();
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(
          *address);
      return llvm::Error::success();
    };
    bool batch =
        llvm::any_of(llvm::concat<const ArrayInfo>(info.inputs, info.outputs),
                     [](const ArrayInfo &array) { return array.hasBatch(); });
    if (llvm::Error error =
            batch ? get(info.batchEntry, "") : get(info.entry, ""))
      return error;
    if (llvm::Error error = get(info.arenaBytes, "_arena_bytes"))
      return error;
    if (llvm::Error error = get(info.supported, "_supported"))
      return error;
    functions.push_back(std::move(info));
    all.push_back(std::move(*value));
  }
  signature.clear();
  llvm::raw_string_ostream(signature) << llvm::json::Value(std::move(all));
  return llvm::Error::success();
}

llvm::Expected<const FunctionInfo *> Program::find(llvm::StringRef name) const {
  for (const FunctionInfo &function : functions)
    if (function.name == name || function.symbol == name)
      return &function;
  std::string known;
  for (const FunctionInfo &function : functions)
    known += (known.empty() ? "" : ", ") + function.name;
  return llvm::createStringError("expected one of the functions (" +
                                 llvm::Twine(known) + "), but got '" + name +
                                 "'");
}

//===----------------------------------------------------------------------===//
// In memory
//===----------------------------------------------------------------------===//

namespace {
class CompiledProgram : public Program {
public:
  std::unique_ptr<JIT> jit;
  using Program::addFunctions;

protected:
  llvm::Expected<void *> lookup(llvm::StringRef symbol) override {
    return jit->lookup(symbol);
  }
};
} // namespace

llvm::Expected<std::unique_ptr<Program>>
Program::compile(mlir::ModuleOp module, const CompileOptions &options,
                 Report *report) {
  llvm::Expected<Target> target = resolveTarget(options.target);
  if (!target)
    return target.takeError();
  if (llvm::Error error = lower(module, options, *target, report))
    return std::move(error);
  auto result = std::make_unique<CompiledProgram>();
  llvm::Expected<std::unique_ptr<JIT>> jit = JIT::create(module, *target);
  if (!jit)
    return jit.takeError();
  result->jit = std::move(*jit);
  if (llvm::Error error = result->addFunctions(getSignatures(module)))
    return std::move(error);
  return result;
}

//===----------------------------------------------------------------------===//
// Shared libraries
//===----------------------------------------------------------------------===//

namespace {
class LoadedProgram : public Program {
public:
  void *handle = nullptr;
  using Program::addFunctions;
  ~LoadedProgram() override {
    if (handle)
      dlclose(handle);
  }

protected:
  llvm::Expected<void *> lookup(llvm::StringRef symbol) override {
    void *address = dlsym(handle, symbol.str().c_str());
    if (!address)
      return llvm::createStringError("expected a symbol '" + symbol + "'");
    return address;
  }
};
} // namespace

/// The functions that the library's symbol table names: nothing of a file that
/// is no library of ours is run before this.
static llvm::Expected<llvm::SmallVector<std::string>>
readSymbols(llvm::StringRef path) {
  auto notOurs = [&](const llvm::Twine &but) {
    return llvm::createStringError("expected a library compiled by bquant, but "
                                   "got '" +
                                   path + "': " + but);
  };
  auto file = llvm::object::ObjectFile::createObjectFile(path);
  if (!file)
    return notOurs(llvm::toString(file.takeError()));
  auto *elf =
      llvm::dyn_cast<llvm::object::ELFObjectFileBase>(file->getBinary());
  if (!elf)
    return notOurs("no ELF file");
  llvm::SmallVector<std::string> result;
  for (const llvm::object::ELFSymbolRef &symbol :
       elf->getDynamicSymbolIterators()) {
    llvm::Expected<llvm::StringRef> name = symbol.getName();
    if (!name) {
      llvm::consumeError(name.takeError());
      continue;
    }
    llvm::Expected<uint32_t> flags = symbol.getFlags();
    if (!flags) {
      llvm::consumeError(flags.takeError());
      continue;
    }
    if (name->ends_with("_signature") &&
        !(*flags & llvm::object::SymbolRef::SF_Undefined))
      result.push_back(name->str());
  }
  if (result.empty())
    return notOurs("no compiled function in it");
  llvm::sort(result);
  return result;
}

llvm::Expected<std::unique_ptr<Program>> Program::load(llvm::StringRef path) {
  if (!llvm::sys::fs::exists(path))
    return llvm::createStringError("cannot open '" + path +
                                   "': No such file or directory");
  llvm::Expected<llvm::SmallVector<std::string>> symbols = readSymbols(path);
  if (!symbols)
    return symbols.takeError();
  auto result = std::make_unique<LoadedProgram>();
  // dlopen searches for a name without a slash, which is not what is meant.
  llvm::SmallString<128> absolute(path);
  llvm::sys::fs::make_absolute(absolute);
  result->handle = dlopen(absolute.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!result->handle)
    return llvm::createStringError("cannot load '" + path +
                                   "': " + llvm::Twine(dlerror()));
  llvm::SmallVector<std::string> signatures;
  for (const std::string &symbol : *symbols)
    signatures.push_back(
        static_cast<const char *>(dlsym(result->handle, symbol.c_str())));
  if (llvm::Error error = result->addFunctions(signatures))
    return std::move(error);
  return result;
}
