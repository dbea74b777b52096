//===- Comparison.h - Compiled programs and the oracle ----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_PROPERTY_COMPARISON_H
#define BQUANT_TEST_PROPERTY_COMPARISON_H

#include "Generator.h"
#include "Routes.h"

namespace bquant::test {

/// Whether BQUANT_NIGHTLY asks for the long versions of tests.
bool isNightly();

/// A context with all that the routes need, on one thread.
std::unique_ptr<mlir::MLIRContext> makeContext();

/// Fails at the first function of `module` that, compiled by one of the routes,
/// gives other bits than its case expects, and prints it.
void checkCases(mlir::ModuleOp module, llvm::ArrayRef<Case> cases,
                llvm::ArrayRef<Route> routes);

} // namespace bquant::test

#endif // BQUANT_TEST_PROPERTY_COMPARISON_H
