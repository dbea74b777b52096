//===- Types.cpp - Types and attributes of the dialect --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a type or an attribute, `!tensor<2x3, 1>` or `#scheme<twn>`
// without the name of the dialect: what is parsed is printed so that the same
// is parsed again.
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Compiler.h"
#include "bquant/Compiler/Source.h"
#include "mlir/AsmParser/AsmParser.h"

#include "Fuzz.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::fuzz;

template <typename T> static std::string print(T value) {
  std::string text;
  llvm::raw_string_ostream os(text);
  value.print(os);
  return text;
}

template <typename T>
static void run(const std::string &text, MLIRContext *context,
                T (*parse)(StringRef, MLIRContext *)) {
  Diagnostics diagnostics(context);
  T value = parse(text, context);
  if (!value) {
    check(!diagnostics.takeErrors().empty(), "an error");
    return;
  }
  std::string printed = print(value);
  T again = parse(printed, context);
  check(bool(again), "what was printed to be parsed",
        printed + ": " + diagnostics.takeErrors());
  check(again == value, "the same", printed + " and " + print(again));
}

/// A context keeps what was ever parsed: a new one now and then.
static MLIRContext *getContext() {
  static std::unique_ptr<MLIRContext> context;
  static int uses = 0;
  if (uses++ % 4096 == 0) {
    DialectRegistry registry;
    registerCompilerDialects(registry);
    context = std::make_unique<MLIRContext>(registry,
                                            MLIRContext::Threading::DISABLED);
    context->getOrLoadDialect("bquant");
  }
  return context.get();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes(data, size);
  bool isType = bytes.take<char>() == '!';
  std::string text =
      std::string(isType ? "!bquant." : "#bquant.") + bytes.takeText();
  MLIRContext *context = getContext();
  if (isType)
    run<Type>(text, context, [](StringRef text, MLIRContext *context) {
      return parseType(text, context);
    });
  else
    run<Attribute>(text, context, [](StringRef text, MLIRContext *context) {
      return parseAttribute(text, context);
    });
  return 0;
}
