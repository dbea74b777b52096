//===- ShareLoops.cpp - One body for loops that differ in memory ----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   func.func private @f_loop_3(%x, %arena) {
//     %a = memref.view %arena[%c0][]
//     %w = memref.get_global @filter_3
//     ... // reads %a and %w
//
// becomes, if @f_loop_4 differs from it in offsets and globals only,
//
//   func.func private @f_loop_3_shared(%a {llvm.noalias}, %w {llvm.noalias}) {
//     ... // reads %a and %w
//   func.func private @f_loop_3(%x, %arena) {
//     %a = memref.view %arena[%c0][]
//     %w = memref.get_global @filter_3
//     call @f_loop_3_shared(%a, %w)
//
// and @f_loop_4 calls the same one.
//
//===----------------------------------------------------------------------===//

#include "bquant/Codegen/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/SymbolTable.h"
#include <map>

namespace bquant {
#define GEN_PASS_DEF_SHARELOOPS
#include "bquant/Codegen/Passes.h.inc"
} // namespace bquant

using namespace mlir;

namespace {
/// What a body gets as an argument: an argument of its function, a constant
/// view of one, or a constant global.
struct Source {
  /// Of the function; none for a global.
  std::optional<unsigned> argument;
  FlatSymbolRefAttr global;
  /// Of a view, in bytes; none for a whole argument.
  std::optional<int64_t> offset;
  Type type;

  auto getKey() const {
    return std::tuple(argument, global.getAsOpaquePointer(), offset,
                      type.getAsOpaquePointer());
  }
};

/// None where it is no fixed number of whole bytes.
std::optional<int64_t> getBytes(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape() || !memref.getLayout().isIdentity())
    return std::nullopt;
  Type element = memref.getElementType();
  if (!element.isIntOrFloat() || element.getIntOrFloatBitWidth() % 8)
    return std::nullopt;
  return memref.getNumElements() * (element.getIntOrFloatBitWidth() / 8);
}

/// A function and what its body would be with all its sources as arguments.
class Body {
public:
  Body(func::FuncOp func, SymbolTable &symbols)
      : func(func), symbols(symbols) {}

  /// Makes `made`, a function beside `func` that no symbol table has yet. False
  /// where it cannot be shared.
  bool create() {
    if (!isCandidate() || !collect() || !setAttributes())
      return false;
    OpBuilder b(func);
    SmallVector<Type> types;
    for (const Source &source : sources)
      types.push_back(source.type);
    made = func::FuncOp::create(func.getLoc(),
                                (func.getSymName() + "_shared").str(),
                                b.getFunctionType(types, {}));
    made.setPrivate();
    made->setDiscardableAttrs(func->getDiscardableAttrDictionary());
    made.setAllArgAttrs(attributes);
    Block *block = made.addEntryBlock();
    IRMapping map;
    for (auto [value, number] : numbers)
      map.map(value, block->getArgument(number));
    b.setInsertionPointToStart(block);
    for (Operation &op : func.getBody().front())
      if (!op.getNumResults() || !numbers.contains(op.getResult(0)))
        b.clone(op, map);
    orderConstants(*block);
    return true;
  }

  /// Of the operations of `made`.
  llvm::hash_code getHash() {
    llvm::hash_code hash(0);
    made.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op != made)
        hash = llvm::hash_combine(hash,
                                  OperationEquivalence::computeHash(
                                      op, OperationEquivalence::ignoreHashValue,
                                      OperationEquivalence::ignoreHashValue,
                                      OperationEquivalence::IgnoreLocations));
    });
    return hash;
  }

  bool isEqual(Body &other) {
    return made.getFunctionType() == other.made.getFunctionType() &&
           made.getAllArgAttrs() == other.made.getAllArgAttrs() &&
           made->getDiscardableAttrDictionary() ==
               other.made->getDiscardableAttrDictionary() &&
           OperationEquivalence::isRegionEquivalentTo(
               &made.getBody(), &other.made.getBody(),
               OperationEquivalence::IgnoreLocations);
  }

  /// Leaves nothing in `func` but a call of `callee`.
  void replaceBy(func::FuncOp callee) {
    Block &body = func.getBody().front();
    Operation *end = body.getTerminator();
    OpBuilder b(end);
    SmallVector<Value> operands;
    for (const Source &source : sources) {
      if (source.global) {
        operands.push_back(memref::GetGlobalOp::create(
            b, func.getLoc(), source.type, source.global));
        continue;
      }
      Value operand = func.getArgument(*source.argument);
      if (source.offset)
        operand = memref::ViewOp::create(
            b, func.getLoc(), cast<MemRefType>(source.type), operand,
            arith::ConstantIndexOp::create(b, func.getLoc(), *source.offset),
            ValueRange());
      operands.push_back(operand);
    }
    func::CallOp call =
        func::CallOp::create(b, func.getLoc(), callee, operands);
    // What was there before; users come after what they use.
    llvm::SmallPtrSet<Operation *, 16> kept{call, end};
    for (Value operand : operands)
      if (Operation *producer = operand.getDefiningOp()) {
        kept.insert(producer);
        for (Value index : producer->getOperands())
          if (Operation *constant = index.getDefiningOp())
            kept.insert(constant);
      }
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
      if (!kept.contains(&op))
        op.erase();
  }

  func::FuncOp func, made;

private:
  bool isCandidate() {
    return func.isPrivate() && !func.isExternal() &&
           func.getNumResults() == 0 && func.getBody().hasOneBlock() &&
           !func.walk([](func::CallOp) { return WalkResult::interrupt(); })
                .wasInterrupted();
  }

  void add(Value value, const Source &source) {
    auto [it, isNew] = known.try_emplace(source.getKey(), sources.size());
    if (isNew)
      sources.push_back(source);
    numbers[value] = it->second;
  }

  /// The sources in the order of the operations that make or use them.
  bool collect() {
    bool can = true;
    auto use = [&](Value value) {
      if (numbers.contains(value))
        return;
      if (auto argument = dyn_cast<BlockArgument>(value)) {
        if (argument.getOwner() == &func.getBody().front())
          add(value, {argument.getArgNumber(), {}, {}, value.getType()});
        return;
      }
      if (auto get = value.getDefiningOp<memref::GetGlobalOp>()) {
        auto global = symbols.lookup<memref::GlobalOp>(get.getName());
        if (global && global.getConstant())
          add(value, {{}, get.getNameAttr(), {}, value.getType()});
        return;
      }
      auto view = value.getDefiningOp<memref::ViewOp>();
      if (!view)
        return;
      auto argument = dyn_cast<BlockArgument>(view.getSource());
      APInt offset;
      if (argument && argument.getOwner() == &func.getBody().front() &&
          view.getSizes().empty() &&
          matchPattern(view.getByteShift(), m_ConstantInt(&offset)))
        add(value, {argument.getArgNumber(),
                    {},
                    offset.getSExtValue(),
                    value.getType()});
    };
    func.walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What only makes a source uses nothing.
      if (isa<memref::ViewOp, memref::GetGlobalOp>(op)) {
        can &= op->getBlock() == &func.getBody().front();
        for (Value result : op->getResults()) {
          size_t before = numbers.size();
          use(result);
          if (numbers.size() != before)
            return;
        }
      }
      for (Value operand : op->getOperands())
        use(operand);
    });
    return can;
  }

  /// Says of each memory how large it is and that no other one overlaps it,
  /// which LLVM saw by itself; false where it is not so.
  bool setAttributes() {
    Builder b(func.getContext());
    auto noAlias = b.getStringAttr(LLVM::LLVMDialect::getNoAliasAttrName());
    auto align = b.getStringAttr(LLVM::LLVMDialect::getAlignAttrName());
    auto bytesName =
        b.getStringAttr(LLVM::LLVMDialect::getDereferenceableAttrName());
    for (auto [i, source] : llvm::enumerate(sources)) {
      if (!isa<MemRefType>(source.type)) {
        attributes.push_back(b.getDictionaryAttr({}));
        continue;
      }
      std::optional<int64_t> bytes = getBytes(source.type);
      if (!bytes)
        return false;
      NamedAttrList list;
      list.append(noAlias, b.getUnitAttr());
      list.append(bytesName, b.getI64IntegerAttr(*bytes));
      int64_t alignment = 1;
      if (source.global) {
        auto global =
            symbols.lookup<memref::GlobalOp>(source.global.getValue());
        alignment = global.getAlignment().value_or(1);
      } else {
        if (!func.getArgAttr(*source.argument, noAlias))
          return false;
        if (auto of =
                func.getArgAttrOfType<IntegerAttr>(*source.argument, align))
          alignment = llvm::MinAlign(of.getInt(), source.offset.value_or(0));
        for (const Source &other : ArrayRef(sources).take_front(i)) {
          if (other.argument != source.argument)
            continue;
          int64_t from = source.offset.value_or(0),
                  otherFrom = other.offset.value_or(0);
          if (from < otherFrom + *getBytes(other.type) &&
              otherFrom < from + *bytes)
            return false;
        }
      }
      if (alignment > 1)
        list.append(align, b.getI64IntegerAttr(alignment));
      attributes.push_back(list.getDictionary(func.getContext()));
    }
    return true;
  }

  /// Constants in the order of their first use, dead ones gone: those of
  /// offsets were between them.
  static void orderConstants(Block &block) {
    SmallVector<Operation *> order;
    llvm::SmallPtrSet<Operation *, 32> seen;
    for (Operation &op : block)
      op.walk<WalkOrder::PreOrder>([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (Operation *producer = operand.getDefiningOp())
            if (producer->getBlock() == &block &&
                producer->hasTrait<OpTrait::ConstantLike>() &&
                seen.insert(producer).second)
              order.push_back(producer);
      });
    for (Operation &op : llvm::make_early_inc_range(block))
      if (op.hasTrait<OpTrait::ConstantLike>() && op.use_empty())
        op.erase();
    for (Operation *op : llvm::reverse(order))
      op->moveBefore(&block, block.begin());
  }

  SymbolTable &symbols;
  SmallVector<Source> sources;
  std::map<decltype(Source().getKey()), unsigned> known;
  /// Of each value that is a source.
  llvm::MapVector<Value, unsigned> numbers;
  SmallVector<DictionaryAttr> attributes;
};

struct ShareLoops : public bquant::impl::ShareLoopsBase<ShareLoops> {
  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    std::vector<Body> bodies;
    for (auto func : getOperation().getOps<func::FuncOp>()) {
      bodies.emplace_back(func, symbols);
      if (!bodies.back().create())
        bodies.pop_back();
    }
    // The first of each class, and all others that are like it.
    std::map<size_t, SmallVector<SmallVector<Body *>>> classes;
    for (Body &body : bodies) {
      SmallVector<SmallVector<Body *>> &like = classes[body.getHash()];
      auto *it = llvm::find_if(like, [&](SmallVector<Body *> &group) {
        return group.front()->isEqual(body);
      });
      if (it == like.end())
        like.push_back({&body});
      else
        it->push_back(&body);
    }
    for (auto &[hash, like] : classes)
      for (SmallVector<Body *> &group : like)
        if (group.size() > 1)
          share(group, symbols);
    for (Body &body : bodies)
      if (!body.made->getParentOp())
        body.made.erase();
  }

private:
  static void share(ArrayRef<Body *> group, SymbolTable &symbols) {
    func::FuncOp made = group.front()->made;
    symbols.insert(made, group.front()->func->getIterator());
    for (Body *body : group)
      body->replaceBy(made);
  }
};
} // namespace
