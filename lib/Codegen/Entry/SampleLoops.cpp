//===- SampleLoops.cpp - Calls for the samples of a batch -----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleLoops.h"
#include "ThreadedNetwork.h"

using namespace mlir;
using namespace mlir::LLVM;

Value bquant::emitIfDifferent(OpBuilder &builder, Location loc, Value a,
                              Value b, Value value,
                              function_ref<Value()> emit) {
  Block *before = builder.getInsertionBlock();
  Region *region = before->getParent();
  Block *work = builder.createBlock(region, std::next(before->getIterator()));
  Block *done = builder.createBlock(region, std::next(work->getIterator()),
                                    {value.getType()}, {loc});
  builder.setInsertionPointToEnd(before);
  Value differ = ICmpOp::create(builder, loc, ICmpPredicate::ne, a, b);
  CondBrOp::create(builder, loc, differ, work, ValueRange(), done,
                   ValueRange{value});
  builder.setInsertionPointToEnd(work);
  BrOp::create(builder, loc, ValueRange{emit()}, done);
  builder.setInsertionPointToEnd(done);
  return done->getArgument(0);
}

void bquant::callForEach(OpBuilder &builder, LLVMFuncOp callee, Value first,
                         Value end, ArrayRef<Value> arguments,
                         ArrayRef<std::optional<int64_t>> bytes) {
  Location loc = callee.getLoc();
  Type i64 = builder.getI64Type();
  Block *before = builder.getInsertionBlock();
  Region *region = before->getParent();
  Block *loop = builder.createBlock(region, std::next(before->getIterator()),
                                    {i64}, {loc});
  Block *done = builder.createBlock(region, std::next(loop->getIterator()));
  builder.setInsertionPointToEnd(before);
  BrOp::create(builder, loc, first, loop);

  builder.setInsertionPointToEnd(loop);
  Value index = loop->getArgument(0);
  SmallVector<Value> moved(arguments);
  for (auto [argument, size] : llvm::zip(moved, bytes))
    argument = moveToSample(builder, loc, argument, index, size);
  CallOp::create(builder, loc, callee, moved);
  Value one =
      ConstantOp::create(builder, loc, i64, builder.getI64IntegerAttr(1));
  Value next = AddOp::create(builder, loc, index, one);
  Value more = ICmpOp::create(builder, loc, ICmpPredicate::ne, next, end);
  CondBrOp::create(builder, loc, more, loop, ValueRange{next}, done,
                   ValueRange());
  builder.setInsertionPointToEnd(done);
}

Value bquant::storePointers(OpBuilder &builder, Location loc,
                            ArrayRef<Value> pointers) {
  Type ptr = LLVMPointerType::get(builder.getContext());
  Value count = ConstantOp::create(builder, loc, builder.getI64Type(),
                                   builder.getI64IntegerAttr(pointers.size()));
  Value array = AllocaOp::create(builder, loc, ptr, ptr, count);
  for (auto [i, pointer] : llvm::enumerate(pointers)) {
    Value address = GEPOp::create(builder, loc, ptr, ptr, array,
                                  ArrayRef<GEPArg>{static_cast<int32_t>(i)});
    StoreOp::create(builder, loc, pointer, address);
  }
  return array;
}
