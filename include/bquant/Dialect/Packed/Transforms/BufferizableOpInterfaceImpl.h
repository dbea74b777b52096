//===- BufferizableOpInterfaceImpl.h - Layers on buffers --------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define BQUANT_DIALECT_PACKED_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace bquant::packed {
/// How layers become layers on buffers, for `--one-shot-bufferize`, and what
/// its analysis asks of products.
void registerBufferizableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);
} // namespace bquant::packed

#endif // BQUANT_DIALECT_PACKED_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
