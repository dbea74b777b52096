//===- Comparison.cpp - Compiled programs and the oracle ------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "llvm/Support/PrettyStackTrace.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

bool bquant::test::isNightly() {
  const char *set = std::getenv("BQUANT_NIGHTLY");
  return set && *set;
}

std::unique_ptr<MLIRContext> bquant::test::makeContext() {
  DialectRegistry registry;
  registerRouteDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->loadAllAvailableDialects();
  return context;
}

static std::string print(ModuleOp module, const Case &program) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "seed " << program.seed << "\n";
  module.lookupSymbol(program.name)->print(os);
  return text;
}

void bquant::test::checkCases(ModuleOp module, ArrayRef<Case> cases,
                              ArrayRef<Route> routes) {
  for (const Route &route : routes) {
    llvm::PrettyStackTraceFormat trace("%s, seeds from %u", route.name.c_str(),
                                       cases.front().seed);
    auto compiled = route.compile(module.clone());
    if (!compiled)
      GTEST_FAIL() << route.name << ", seeds from " << cases.front().seed
                   << ": " << llvm::toString(compiled.takeError());
    for (const Case &program : cases) {
      std::vector<Array> outputs = paint(program.outputs);
      llvm::Error error =
          (*compiled)->call(program.name, program.inputs, outputs);
      ASSERT_FALSE(bool(error)) << llvm::toString(std::move(error));
      for (size_t i = 0; i < outputs.size(); ++i) {
        const Array &expected = program.outputs[i];
        int64_t at = findDifference(expected, outputs[i]);
        if (at < 0)
          continue;
        auto value = [&](const Array &array) -> double {
          return array.isInt ? array.ints[at] : array.floats[at];
        };
        FAIL() << route.name << ", result " << i << ", element " << at
               << ": expected " << value(expected) << ", but got "
               << value(outputs[i]) << "\n"
               << print(module, program);
      }
    }
  }
}
