//===- BufferLives.h - How long and how large buffers are -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_MEMORY_BUFFERLIVES_H
#define BQUANT_LIB_CODEGEN_MEMORY_BUFFERLIVES_H

#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

namespace bquant {

/// Where buffers of an arena begin, in bytes.
inline constexpr int64_t kBufferAlignment = 64;

/// Whether `op` is in a loop inside of `ancestor` whose iterations may run at
/// the same time.
bool isInParallelLoop(mlir::Operation *op, mlir::Operation *ancestor);

/// An error if the buffer outlives the iteration of a loop that makes it: it
/// would meet its own successor.
mlir::LogicalResult verifyLife(mlir::memref::AllocOp alloc,
                               const mlir::BufferViewFlowAnalysis &views);

/// The bytes of a buffer of static shape, as LLVM lays out its elements;
/// nothing where they are not known, or 2^63 or more.
std::optional<int64_t> getBytes(mlir::MemRefType type);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_MEMORY_BUFFERLIVES_H
