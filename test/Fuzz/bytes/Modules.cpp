//===- Modules.cpp - Text and bytecode of modules -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A module that is parsed and valid is printed and written as bytecode so that
// the same is read again. MLIR's own parser is not instrumented: texts are
// mutated by words, numbers and lines, so that more of them reach the dialect.
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Compiler.h"
#include "bquant/Compiler/Source.h"
#include "mlir/Bytecode/BytecodeWriter.h"

#include "Fuzz.h"

#include <random>

using namespace mlir;
using namespace bquant;
using namespace bquant::fuzz;

static std::string print(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os);
  return text;
}

static std::string toBytecode(ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  check(succeeded(writeBytecodeToFile(module, os)), "bytecode to be written");
  return bytes;
}

/// What reads a module, in a context of its own: others' resources would
/// rename those of this one.
static void
read(StringRef source,
     llvm::function_ref<void(ModuleOp module, StringRef errors)> use) {
  static const DialectRegistry registry = [] {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    return registry;
  }();
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  Diagnostics diagnostics(&context);
  OwningOpRef<ModuleOp> module =
      parseModule(llvm::MemoryBuffer::getMemBufferCopy(source), {}, &context);
  use(module ? *module : ModuleOp(), diagnostics.takeErrors());
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string printed, bytecode;
  read({reinterpret_cast<const char *>(data), size},
       [&](ModuleOp module, StringRef errors) {
         if (!module)
           return check(!errors.empty(), "an error");
         printed = print(module);
         bytecode = toBytecode(module);
       });
  // MLIR prints other floats than it reads: dense<0xf> : tensor<8xf128>.
  if (printed.empty() || StringRef(printed).contains("f128") ||
      StringRef(printed).contains("f80"))
    return 0;
  for (StringRef source : {printed, bytecode})
    read(source, [&](ModuleOp module, StringRef errors) {
      check(module, "a module of ours to be read",
            (errors + " of\n" + printed).str());
      check(print(module) == printed, "the same module",
            print(module) + "\nand\n" + printed);
    });
  return 0;
}

//===----------------------------------------------------------------------===//
// Mutation
//===----------------------------------------------------------------------===//

#ifdef BQUANT_LIBFUZZER
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

namespace {
/// Changes a text by its words, numbers and lines.
class TextMutator {
public:
  TextMutator(std::string text, unsigned seed)
      : text(std::move(text)), random(seed) {}

  std::string run() {
    for (unsigned i = 0, count = 1 + random() % 3; i < count; ++i)
      step();
    return text;
  }

private:
  using Span = std::pair<size_t, size_t>;

  void step() {
    static const char *const numbers[] = {
        "0",   "1",          "2",          "3",  "-1",
        "4",   "8",          "31",         "64", "65",
        "128", "2147483648", "4294967296", "?",  "9223372036854775807"};
    auto isWord = [](char c) {
      return llvm::isAlpha(c) || c == '_' || c == '.';
    };
    auto isLine = [](char c) { return c != '\n'; };
    std::vector<Span> digits = find(llvm::isDigit), words = find(isWord),
                      lines = find(isLine);
    switch (random() % 6) {
    case 0:
      return replace(pick(lines), "");
    case 1:
      return insert(pick(lines), get(pick(lines)) + "\n");
    case 2:
      return replace(pick(digits), numbers[random() % std::size(numbers)]);
    case 3: { // everywhere, so that types still agree
      std::string old = get(pick(digits)),
                  other = numbers[random() % std::size(numbers)];
      for (Span span : llvm::reverse(digits))
        if (get(span) == old)
          replace(span, other);
      return;
    }
    case 4:
      return replace(pick(words), get(pick(words)));
    case 5:
      return replace(pick(digits), get(pick(digits)));
    }
  }

  /// All longest runs of such characters.
  std::vector<Span> find(llvm::function_ref<bool(char)> belongs) const {
    std::vector<Span> spans;
    for (size_t begin = 0, end; begin < text.size(); begin = end + 1) {
      for (end = begin; end < text.size() && belongs(text[end]);)
        ++end;
      if (end > begin)
        spans.push_back({begin, end - begin});
    }
    return spans;
  }
  Span pick(const std::vector<Span> &spans) {
    return spans.empty() ? Span(0, 0) : spans[random() % spans.size()];
  }
  std::string get(Span span) const {
    return text.substr(span.first, span.second);
  }
  void replace(Span span, const std::string &other) {
    text.replace(span.first, span.second, other);
  }
  void insert(Span span, const std::string &other) {
    text.insert(span.first, other);
  }

  std::string text;
  std::minstd_rand random;
};
} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed) {
  StringRef text(reinterpret_cast<const char *>(data), size);
  if (text.starts_with("ML\xefR") || seed % 4 == 0)
    return LLVMFuzzerMutate(data, size, most);
  std::string mutated = TextMutator(text.str(), seed).run();
  size = std::min(mutated.size(), most);
  std::memcpy(data, mutated.data(), size);
  return size;
}
#endif
