//===- BufferizableOpInterfaceImpl.h - bquant ops on buffers ----*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define BQUANT_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace bquant {
/// So that upstream's bufferization takes `bquant.solve`.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);
} // namespace bquant

#endif // BQUANT_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
