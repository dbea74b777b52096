//===- InitAll.h - Registers all of bquant ----------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_INITALL_H
#define BQUANT_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace bquant {
/// The bquant dialect with its external interface models.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Every pass and pipeline of the project, for tools that take them by name.
void registerAllPasses();

/// Those of upstream's dialects that the route meets, with the external models
/// that its passes ask for: a network is written in these and in bquant's. All
/// that MLIR has (`mlir::registerAllDialects`) would be a third more to link.
void registerUpstreamDialects(mlir::DialectRegistry &registry);

/// Those of upstream's passes that the route consists of, and the general ones.
void registerUpstreamPasses();
} // namespace bquant

#endif // BQUANT_INITALL_H
