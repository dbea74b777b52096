//===- PlanArena.cpp - All buffers of a function in one block -------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %a = memref.alloc() : memref<4xf32>
//
// becomes
//
//   %a = memref.view %arena[%offset][] : memref<BYTESxi8> to memref<4xf32>
//
// where %arena is a new last argument, or one behind it, %slice, for buffers in
// parallel loops. Offsets come from the lives of the buffers; see the
// description in Passes.td.
//
// Upstream plans no memory: --ownership-based-buffer-deallocation and
// --optimize-allocation-liveness place the frees of allocations made at run
// time,
// --promote-buffers-to-stack makes allocas of small ones. A call would
// allocate, or need a stack as large as all buffers together.
//
//===----------------------------------------------------------------------===//

#include "BufferLives.h"
#include "Support/Counts.h"
#include "Support/Remarks.h"
#include "bquant/Codegen/Names.h"
#include "bquant/Codegen/Passes.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <map>

namespace bquant {
#define GEN_PASS_DEF_PLANARENA
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;
using packed::LayerOp;

namespace {

struct Buffer {
  memref::AllocOp alloc;
  int64_t bytes;
  /// Positions in the function's body, both inclusive.
  int64_t first, last;
  /// Whether each thread needs one of its own.
  bool ofThread = false;
  int64_t offset = -1;
};

class PlanArena : public bquant::impl::PlanArenaBase<PlanArena> {
public:
  using PlanArenaBase::PlanArenaBase;

private:
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    if (!func.getBody().hasOneBlock()) {
      func.emitError("expected a body of one block, but got ")
          << func.getBody().getBlocks().size();
      return signalPassFailure();
    }
    SmallVector<Buffer> buffers;
    if (failed(verifyCalls(func)) || failed(collect(func, buffers)))
      return signalPassFailure();
    SmallVector<Buffer> shared, own;
    for (const Buffer &buffer : buffers)
      (buffer.ofThread ? own : shared).push_back(buffer);
    if (failed(replace(func, shared, "arena", bquant::kArenaBytesName)) ||
        (slices && failed(replace(func, own, "slice of each thread",
                                  bquant::kSliceBytesName))))
      return signalPassFailure();
    func.walk([](memref::DeallocOp dealloc) { dealloc.erase(); });
  }

  /// A function with a body gets arguments, which a caller does not have.
  static LogicalResult verifyCalls(func::FuncOp func) {
    WalkResult result = func.walk([](Operation *op) {
      FlatSymbolRefAttr symbol;
      if (auto call = dyn_cast<func::CallOp>(op))
        symbol = call.getCalleeAttr();
      else if (auto constant = dyn_cast<func::ConstantOp>(op))
        symbol = constant.getValueAttr();
      else
        return WalkResult::advance();
      auto callee =
          SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(op, symbol);
      if (!callee || callee.isExternal())
        return WalkResult::advance();
      op->emitError("expected a call that can be inlined, but got one of '")
          << symbol.getValue() << "'";
      return WalkResult::interrupt();
    });
    return failure(result.wasInterrupted());
  }

  /// Says on `func` how large a block its `buffers` take.
  void explain(func::FuncOp func, ArrayRef<Buffer> buffers, StringRef block,
               int64_t bytes) {
    bquant::remarks::analysis(func.getLoc(), block)
        << llvm::formatv(
               "{0} in {1:N} bytes, of which {2:N} are in use at once",
               bquant::formatCount(buffers.size(), "buffer"), bytes,
               countLiveBytes(buffers))
               .str();
  }

  /// The most bytes that are live at one moment: no plan can do with less.
  int64_t countLiveBytes(ArrayRef<Buffer> buffers) {
    std::map<int64_t, int64_t> changes;
    for (const Buffer &buffer : buffers) {
      int64_t bytes = llvm::alignTo(buffer.bytes, kBufferAlignment);
      changes[buffer.first] += bytes;
      changes[buffer.last + 1] -= bytes;
    }
    int64_t live = 0, most = 0;
    for (auto [position, change] : changes) {
      live += change;
      most = std::max(most, live);
    }
    return most;
  }

  /// The bytes of one buffer, or an error where they are not known.
  FailureOr<int64_t> sizeOf(memref::AllocOp alloc) {
    MemRefType type = alloc.getType();
    if (!type.hasStaticShape() || !type.getLayout().isIdentity() ||
        !alloc.getSymbolOperands().empty())
      return alloc.emitError("expected a buffer of static shape and identity "
                             "layout, but got ")
             << type;
    if (int64_t(alloc.getAlignment().value_or(1)) > kBufferAlignment)
      return alloc.emitError("expected an alignment of at most ")
             << kBufferAlignment << " bytes, but got " << *alloc.getAlignment();
    if (std::optional<int64_t> bytes = getBytes(type))
      return *bytes;
    Type element = getElementTypeOrSelf(type.getElementType());
    if (!element.isIntOrIndexOrFloat())
      return alloc.emitError("expected a buffer of numbers, but got ") << type;
    return alloc.emitError("expected a buffer of fewer than 2^63 bytes, but "
                           "got ")
           << type;
  }

  LogicalResult collect(func::FuncOp func, SmallVector<Buffer> &buffers) {
    Block &body = func.getBody().front();
    DenseMap<Operation *, int64_t> position;
    for (auto [place, op] : llvm::enumerate(body))
      position[&op] = place;
    BufferViewFlowAnalysis views(func);
    WalkResult result = func.walk([&](memref::AllocOp alloc) {
      FailureOr<int64_t> bytes = sizeOf(alloc);
      if (failed(bytes))
        return WalkResult::interrupt();
      bool ofThread = isInParallelLoop(alloc, func);
      if (ofThread && !slices) {
        alloc.emitError("expected no buffer inside a parallel loop");
        return WalkResult::interrupt();
      }
      if (failed(verifyLife(alloc, views)))
        return WalkResult::interrupt();
      Buffer buffer{alloc, *bytes, std::numeric_limits<int64_t>::max(), -1,
                    ofThread};
      for (Value alias : views.resolve(alloc)) {
        for (Operation *user : alias.getUsers()) {
          if (user->hasTrait<OpTrait::IsTerminator>() &&
              user->getParentOp() == func) {
            alloc.emitError("expected no buffer to be returned");
            return WalkResult::interrupt();
          }
          // A view reads nothing; its own users are those of another alias.
          if (isa<memref::DeallocOp>(user) || isMemoryEffectFree(user))
            continue;
          int64_t at = position.lookup(body.findAncestorOpInBlock(*user));
          buffer.first = std::min(buffer.first, at);
          buffer.last = std::max(buffer.last, at);
        }
      }
      buffers.push_back(buffer);
      return WalkResult::advance();
    });
    return failure(result.wasInterrupted());
  }

  /// Gives each buffer an offset; returns the bytes of the whole, or an error
  /// where 64 bits do not count them.
  FailureOr<int64_t> place(MutableArrayRef<Buffer> buffers) {
    // The end of a buffer may be aligned, too.
    constexpr int64_t most =
        std::numeric_limits<int64_t>::max() - kBufferAlignment;
    SmallVector<Buffer *> order;
    for (Buffer &buffer : buffers)
      order.push_back(&buffer);
    // The first of two equals comes first: `order` points into one array.
    llvm::sort(order, [](const Buffer *a, const Buffer *b) {
      return a->bytes != b->bytes ? a->bytes > b->bytes : a < b;
    });

    int64_t total = 0;
    SmallVector<Buffer *> placed; // by offset
    for (Buffer *buffer : order) {
      int64_t offset = 0;
      for (const Buffer *other : placed) {
        if (other->last < buffer->first || buffer->last < other->first)
          continue;
        if (buffer->bytes <= other->offset - offset)
          break;
        offset = std::max(offset,
                          static_cast<int64_t>(llvm::alignTo(
                              other->offset + other->bytes, kBufferAlignment)));
      }
      if (buffer->bytes > most - offset)
        return buffer->alloc.emitError("expected buffers of fewer than 2^63 "
                                       "bytes together, but got another ")
               << buffer->alloc.getType();
      buffer->offset = offset;
      total = std::max(total, offset + buffer->bytes);
      placed.insert(llvm::upper_bound(placed, buffer,
                                      [](const Buffer *a, const Buffer *b) {
                                        return a->offset < b->offset;
                                      }),
                    buffer);
    }
    return static_cast<int64_t>(llvm::alignTo(total, kBufferAlignment));
  }

  /// Places `buffers` in one block, a new last argument of `func`, which gets
  /// its size as the attribute `name`.
  LogicalResult replace(func::FuncOp func, MutableArrayRef<Buffer> buffers,
                        StringRef block, StringRef name) {
    FailureOr<int64_t> bytes = place(buffers);
    if (failed(bytes))
      return failure();
    explain(func, buffers, block, *bytes);
    Builder attrs(func.getContext());
    auto type = MemRefType::get({*bytes}, attrs.getI8Type());
    NamedAttribute argumentAttrs[] = {
        {LLVM::LLVMDialect::getNoAliasAttrName(), attrs.getUnitAttr()},
        {LLVM::LLVMDialect::getAlignAttrName(),
         attrs.getI64IntegerAttr(kBufferAlignment)}};
    unsigned index = func.getNumArguments();
    // Cannot fail: a func.func takes any argument.
    (void)func.insertArgument(
        index, type, attrs.getDictionaryAttr(argumentAttrs), func.getLoc());
    func->setAttr(name, attrs.getI64IntegerAttr(*bytes));

    DenseMap<LayerOp, Value> inside;
    for (const Buffer &buffer : buffers) {
      memref::AllocOp alloc = buffer.alloc;
      Value memory = func.getArgument(index);
      if (auto layer = alloc->getParentOfType<LayerOp>()) {
        Value &argument = inside[layer];
        if (!argument) {
          argument = layer.getBody()->addArgument(type, layer.getLoc());
          layer.getInitsMutable().append(memory);
        }
        memory = argument;
      }
      OpBuilder builder(alloc);
      Location loc = alloc.getLoc();
      Value offset =
          arith::ConstantIndexOp::create(builder, loc, buffer.offset);
      Value view = memref::ViewOp::create(builder, loc, alloc.getType(), memory,
                                          offset, /*sizes=*/ValueRange());
      alloc.replaceAllUsesWith(view);
      alloc.erase();
    }
    return success();
  }
};
} // namespace
