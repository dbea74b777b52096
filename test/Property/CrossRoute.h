//===- CrossRoute.h - Code for AArch64, run by qemu -------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_PROPERTY_CROSSROUTE_H
#define BQUANT_TEST_PROPERTY_CROSSROUTE_H

#include "Routes.h"

namespace bquant::test {

/// A tool that is not installed here of those that the route takes; empty if
/// all are (`./dev setup --cross`).
std::string getMissingCrossTool();

/// A shared library for a CPU of AArch64, which qemu knows by the same name.
Route getCrossRoute(Strategy strategy, const TargetOptions &target);

} // namespace bquant::test

#endif // BQUANT_TEST_PROPERTY_CROSSROUTE_H
