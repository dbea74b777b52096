//===- OutlineLayers.cpp - A function for each layer ----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a layer says of its operands goes along: how large they are, where they
// begin, what is read only, and that none overlaps another one.
//
// Upstream's mlir::outlineSingleBlockRegion takes any region; here it is
// isolated, so that it only has to be moved.
//
//===----------------------------------------------------------------------===//

#include "Codegen/Memory/BufferLives.h"
#include "LayerBuilder.h"
#include "Support/Remarks.h"
#include "TileRange.h"
#include "WorkEstimate.h"
#include "bquant/Codegen/Names.h"
#include "bquant/Codegen/Passes.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"

namespace bquant {
#define GEN_PASS_DEF_OUTLINELAYERS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;
using packed::GroupOp;
using packed::LayerOp;

namespace {
/// What is known of the memory that a buffer is.
struct Memory {
  /// Whether no other buffer reaches it.
  bool isApart = false;
  int64_t alignment = 1;
};

/// What threads share of a function with a range of tiles.
struct Work {
  int64_t tiles = 1;
  double nanoseconds = 0;
};

/// Outlines the layers of one function.
class Outliner {
public:
  Outliner(func::FuncOp func, SymbolTable &symbols)
      : func(func), symbols(symbols), hasTiles(func->hasAttr(kSliceBytesName)) {
  }

  void outline() {
    SmallVector<LayerOp> layers;
    func.walk([&](LayerOp layer) {
      if (layer.getNumResults() == 0) // on buffers
        layers.push_back(layer);
    });
    for (auto [i, layer] : llvm::enumerate(layers))
      outline(layer, i);
    if (hasTiles)
      shareTiles();
    func.walk([](GroupOp group) {
      group->getBlock()->getOperations().splice(
          group->getIterator(), group.getBody()->getOperations());
      group.erase();
    });
  }

private:
  /// A function beside the others, that is not inlined: LLVM's analysis of a
  /// loop walks all loops of its function.
  func::FuncOp create(const Twine &suffix, Location loc, FunctionType type) {
    std::string name = (func.getSymName() + suffix).str();
    for (char &c : name)
      if (!llvm::isAlnum(c))
        c = '_';
    auto made = func::FuncOp::create(loc, name, type);
    symbols.insert(made, func->getIterator());
    made.setPrivate();
    made->setAttr("llvm.linkage",
                  LLVM::LinkageAttr::get(func.getContext(),
                                         LLVM::linkage::Linkage::Internal));
    return made;
  }

  void outline(LayerOp layer, int64_t number) {
    OpBuilder b(layer);
    Work work{1, estimateNanoseconds(layer)};
    func::FuncOp made =
        create("_" + Twine(number) + "_" + layer.getName(), layer.getLoc(),
               b.getFunctionType(layer.getOperandTypes(), {}));
    made->setAttr("passthrough", b.getStrArrayAttr({"noinline"}));
    made.getBody().takeBody(layer.getRegion());
    Operation *yield = made.getBody().front().getTerminator();
    b.setInsertionPoint(yield);
    func::ReturnOp::create(b, yield->getLoc());
    yield->erase();
    setAttributes(layer, made);

    b.setInsertionPoint(layer);
    SmallVector<Value> operands(layer.getOperands());
    if (hasTiles) {
      work.tiles = distributeTiles(made);
      operands.push_back(arith::ConstantIndexOp::create(b, layer.getLoc(), 0));
      operands.push_back(
          arith::ConstantIndexOp::create(b, layer.getLoc(), work.tiles));
    }
    auto call = func::CallOp::create(b, layer.getLoc(), made, operands);
    works[call] = work;
    layer.erase();
  }

  void setAttributes(LayerOp layer, func::FuncOp made) {
    Builder b(func.getContext());
    SmallVector<Memory> memories;
    for (Value operand : layer.getOperands())
      memories.push_back(getMemory(operand));
    bool areApart = llvm::all_of(
        llvm::zip_equal(memories, layer.getOperands()), [](auto pair) {
          auto [memory, operand] = pair;
          return memory.isApart || !isa<MemRefType>(operand.getType());
        });
    for (OpOperand &operand : layer->getOpOperands()) {
      auto type = dyn_cast<MemRefType>(operand.get().getType());
      if (!type)
        continue;
      unsigned i = operand.getOperandNumber();
      auto set = [&](StringRef name, Attribute value) {
        made.setArgAttr(i, name, value);
      };
      if (areApart)
        set(LLVM::LLVMDialect::getNoAliasAttrName(), b.getUnitAttr());
      if (!layer.isDpsInit(&operand))
        set(LLVM::LLVMDialect::getReadonlyAttrName(), b.getUnitAttr());
      if (std::optional<int64_t> bytes = getBytes(type); bytes && *bytes != 0)
        set(LLVM::LLVMDialect::getDereferenceableAttrName(),
            b.getI64IntegerAttr(*bytes));
      if (memories[i].alignment > 1)
        set(LLVM::LLVMDialect::getAlignAttrName(),
            b.getI64IntegerAttr(memories[i].alignment));
    }
  }

  /// Of an argument of the function, a part of one, or a global.
  Memory getMemory(Value buffer) {
    if (auto get = buffer.getDefiningOp<memref::GetGlobalOp>()) {
      auto global = symbols.lookup<memref::GlobalOp>(get.getName());
      return {true, static_cast<int64_t>(global.getAlignment().value_or(1))};
    }
    int64_t offset = 0;
    if (auto view = buffer.getDefiningOp<memref::ViewOp>()) {
      APInt shift;
      if (!matchPattern(view.getByteShift(), m_ConstantInt(&shift)))
        return {};
      offset = shift.getSExtValue();
      buffer = view.getSource();
    }
    auto argument = dyn_cast<BlockArgument>(buffer);
    if (!argument || argument.getOwner() != &func.getBody().front())
      return {};
    unsigned i = argument.getArgNumber();
    auto align = func.getArgAttrOfType<IntegerAttr>(
        i, LLVM::LLVMDialect::getAlignAttrName());
    return {bool(func.getArgAttr(i, LLVM::LLVMDialect::getNoAliasAttrName())),
            align ? static_cast<int64_t>(llvm::MinAlign(align.getInt(), offset))
                  : 1};
  }

  //===--------------------------------------------------------------------===//
  // Tiles
  //===--------------------------------------------------------------------===//

  /// Lets threads share the tiles of each call and of each group of them, where
  /// the function is nothing else; else groups are left.
  void shareTiles() {
    Block &body = func.getBody().front();
    auto ops = body.without_terminator();
    auto other = llvm::find_if_not(ops, [&](Operation &op) {
      return isa<GroupOp>(op) || works.contains(&op) ||
             LayerBuilder::isCheap(&op);
    });
    bool isWhole = other == ops.end() && !works.empty();
    if (other != ops.end())
      remarks::missed(other->getLoc(), "threads")
          << ("the network is not shared by threads: expected nothing but "
              "layers, but got '" +
              other->getName().getStringRef() + "'")
                 .str();
    if (!isWhole)
      return;
    SmallVector<Attribute> groups;
    for (Operation &op : llvm::make_early_inc_range(body)) {
      SmallVector<func::CallOp> calls;
      if (auto call = dyn_cast<func::CallOp>(op); call && works.contains(call))
        calls.push_back(call);
      else if (auto group = dyn_cast<GroupOp>(op))
        llvm::append_range(calls, group.getBody()->getOps<func::CallOp>());
      else
        continue;
      groups.push_back(createGroup(&op, calls, groups.size()));
      op.erase();
    }
    func->setAttr(kGroupsName, ArrayAttr::get(func.getContext(), groups));
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (isOpTriviallyDead(&op))
        op.erase();
  }

  /// Makes a function of `calls`, of the arguments of `func` and a range of
  /// their tiles, one call after the other, and calls it for all.
  Attribute createGroup(Operation *op, ArrayRef<func::CallOp> calls,
                        int64_t number) {
    Location loc = op->getLoc();
    Builder attrs(func.getContext());
    SmallVector<Type> types(func.getArgumentTypes());
    types.append(2, attrs.getIndexType());
    func::FuncOp made = create("_group_" + Twine(number), loc,
                               attrs.getFunctionType(types, {}));
    for (unsigned i = 0; i < func.getNumArguments(); ++i)
      made.setArgAttrs(i, func.getArgAttrDict(i));
    Block *body = made.addEntryBlock();
    TileRange all{body->getArguments().drop_back().back(),
                  body->getArguments().back()};
    IRMapping inside;
    inside.map(func.getArguments(), body->getArguments().drop_back(2));
    ImplicitLocOpBuilder b = ImplicitLocOpBuilder::atBlockEnd(loc, body);
    Work sum{0, 0};
    for (func::CallOp call : calls) {
      Work work = works.at(call);
      SmallVector<Value> operands;
      for (Value operand : call.getOperands().drop_back(2))
        operands.push_back(copyValue(b, operand, inside));
      b.setLoc(call.getLoc());
      TileRange own = all;
      OpBuilder::InsertionGuard guard(b);
      if (calls.size() > 1) {
        own = clamp(b, all, sum.tiles, work.tiles);
        b.setInsertionPointToStart(createIfAny(b, own).thenBlock());
      }
      llvm::append_range(operands, ArrayRef{own.first, own.last});
      func::CallOp::create(b, call.getCallee(), TypeRange(), operands);
      sum.tiles += work.tiles;
      sum.nanoseconds += work.nanoseconds;
    }
    func::ReturnOp::create(b);

    b.setInsertionPoint(op);
    SmallVector<Value> operands(func.getArguments());
    operands.push_back(arith::ConstantIndexOp::create(b, 0));
    operands.push_back(arith::ConstantIndexOp::create(b, sum.tiles));
    func::CallOp::create(b, made, operands);
    auto add = [&](StringRef name, int64_t value) {
      return attrs.getNamedAttr(name, attrs.getI64IntegerAttr(value));
    };
    return attrs.getDictionaryAttr(
        {attrs.getNamedAttr("callee", SymbolRefAttr::get(made)),
         add("tiles", sum.tiles), add("nanoseconds", sum.nanoseconds)});
  }

  func::FuncOp func;
  SymbolTable &symbols;
  /// Whether layers get a range of tiles.
  bool hasTiles;
  /// Of the calls of layers.
  DenseMap<Operation *, Work> works;
};

struct OutlineLayers : bquant::impl::OutlineLayersBase<OutlineLayers> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (auto func : llvm::to_vector(getOperation().getOps<func::FuncOp>()))
      if (!func.isExternal())
        Outliner(func, symbols).outline();
  }
};
} // namespace
