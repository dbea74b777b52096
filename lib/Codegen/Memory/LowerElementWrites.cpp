//===- LowerElementWrites.cpp - Vectors of elements to stores -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %v = vector.from_elements %a, %b : vector<2x1xi32>
//   vector.transfer_write %v, %m[%c0, %o] : vector<2x1xi32>, memref<2x8xi32>
//
// becomes
//
//   memref.store %a, %m[%c0, %o]
//   memref.store %b, %m[%c1, %o]
//
// Upstream stores vectors of the last dimension: LLVM then moves each element
// from its own register to a lane of one first.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace bquant {
#define GEN_PASS_DEF_LOWERELEMENTWRITES
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

/// Whether `op` writes elements that are in registers of their own, all of them
/// and in their order. What a canonicalization has made of
/// `vector.from_elements`, as a broadcast of equal ones, is known by its
/// dimensions: a row has one.
static bool writesElements(vector::TransferWriteOp op) {
  if (op.getMask() || op.hasOutOfBoundsDim() ||
      !op.getPermutationMap().isMinorIdentity() ||
      op.getVectorType().isScalable() || !isa<MemRefType>(op.getShapedType()) ||
      isa<VectorType>(op.getShapedType().getElementType()))
    return false;
  return op.getVectorType().getRank() > 1 ||
         op.getVector().getDefiningOp<vector::FromElementsOp>();
}

static void lower(vector::TransferWriteOp op) {
  ImplicitLocOpBuilder b(op.getLoc(), op);
  VectorType type = op.getVectorType();
  SmallVector<int64_t> strides = computeStrides(type.getShape());
  for (int64_t i = 0; i < type.getNumElements(); ++i) {
    SmallVector<int64_t> position = delinearize(i, strides);
    SmallVector<Value> indices(op.getIndices());
    for (auto [index, offset] : llvm::zip_equal(
             MutableArrayRef(indices).take_back(position.size()), position))
      index = b.createOrFold<arith::AddIOp>(
          index, arith::ConstantIndexOp::create(b, offset));
    memref::StoreOp::create(
        b, b.createOrFold<vector::ExtractOp>(op.getVector(), position),
        op.getBase(), indices);
  }
  op.erase();
}

namespace {
class LowerElementWrites
    : public bquant::impl::LowerElementWritesBase<LowerElementWrites> {
  void runOnOperation() override {
    getOperation()->walk([](vector::TransferWriteOp op) {
      if (writesElements(op))
        lower(op);
    });
  }
};
} // namespace
