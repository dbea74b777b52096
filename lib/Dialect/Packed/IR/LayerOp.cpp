//===- LayerOp.cpp - Layers and groups of them ----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace bquant::packed;

#define GET_OP_CLASSES
#include "bquant/Dialect/Packed/IR/PackedOps.cpp.inc"

//===----------------------------------------------------------------------===//
// LayerOp
//===----------------------------------------------------------------------===//

void LayerOp::build(OpBuilder &b, OperationState &state, StringAttr name,
                    ValueRange inputs, ValueRange inits) {
  state.addOperands(inputs);
  state.addOperands(inits);
  Properties &properties = state.getOrAddProperties<Properties>();
  properties.setName(name);
  properties.setOperandSegmentSizes({static_cast<int32_t>(inputs.size()),
                                     static_cast<int32_t>(inits.size())});
  for (Value init : inits)
    if (isa<TensorType>(init.getType()))
      state.addTypes(init.getType());
  OpBuilder::InsertionGuard guard(b);
  Block *body = b.createBlock(state.addRegion());
  for (Value operand : state.operands)
    body->addArgument(operand.getType(), operand.getLoc());
}

MutableOperandRange LayerOp::getDpsInitsMutable() { return getInitsMutable(); }

YieldOp LayerOp::getYield() {
  return cast<YieldOp>(getBody()->getTerminator());
}

/// (keyword `(` (argument `=` operand `:` type) list `)`)?
static ParseResult
parseOperands(OpAsmParser &parser, StringRef keyword,
              SmallVectorImpl<OpAsmParser::Argument> &arguments,
              SmallVectorImpl<OpAsmParser::UnresolvedOperand> &operands) {
  if (failed(parser.parseOptionalKeyword(keyword)))
    return success();
  return parser.parseCommaSeparatedList(OpAsmParser::Delimiter::Paren, [&] {
    return failure(parser.parseArgument(arguments.emplace_back()) ||
                   parser.parseEqual() ||
                   parser.parseOperand(operands.emplace_back()) ||
                   parser.parseColonType(arguments.back().type));
  });
}

ParseResult LayerOp::parse(OpAsmParser &parser, OperationState &result) {
  Properties &properties = result.getOrAddProperties<Properties>();
  SmallVector<OpAsmParser::Argument> arguments;
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  StringAttr name;
  if (parser.parseAttribute(name) ||
      parseOperands(parser, "ins", arguments, operands))
    return failure();
  auto inputs = static_cast<int32_t>(operands.size());
  SMLoc dictionary;
  if (parseOperands(parser, "outs", arguments, operands) ||
      parser.getCurrentLocation(&dictionary) ||
      parser.parseOptionalAttrDictWithKeyword(result.attributes))
    return failure();
  for (StringRef inherent : getAttributeNames())
    if (result.attributes.get(inherent))
      return parser.emitError(dictionary)
             << "expected attributes that the rest of the syntax does not "
                "give, but got '"
             << inherent << "'";
  properties.setName(name);
  properties.setOperandSegmentSizes(
      {inputs, static_cast<int32_t>(operands.size()) - inputs});
  for (auto [argument, operand] : llvm::zip_equal(arguments, operands))
    if (parser.resolveOperand(operand, argument.type, result.operands))
      return failure();
  for (const OpAsmParser::Argument &init :
       ArrayRef(arguments).drop_front(inputs))
    if (isa<TensorType>(init.type))
      result.addTypes(init.type);
  Region *body = result.addRegion();
  if (parser.parseRegion(*body, arguments))
    return failure();
  ensureTerminator(*body, parser.getBuilder(), result.location);
  return success();
}

void LayerOp::print(OpAsmPrinter &printer) {
  printer << ' ' << getNameAttr();
  auto printOperands = [&](StringRef keyword, OperandRange operands,
                           ArrayRef<BlockArgument> arguments) {
    if (operands.empty())
      return;
    printer << ' ' << keyword << '(';
    llvm::interleaveComma(
        llvm::zip_equal(arguments, operands), printer, [&](auto pair) {
          auto [argument, operand] = pair;
          printer.printRegionArgument(argument, {}, /*omitType=*/true);
          printer << " = " << operand << " : " << operand.getType();
        });
    printer << ')';
  };
  printOperands("ins", getInputs(),
                getBody()->getArguments().take_front(getInputs().size()));
  printOperands("outs", getInits(), getInitArguments());
  printer.printOptionalAttrDictWithKeyword(
      (*this)->getAttrs(),
      {getNameAttrName(), getOperandSegmentSizesAttrName()});
  printer << ' ';
  printer.printRegion(getRegion(), /*printEntryBlockArgs=*/false,
                      /*printBlockTerminators=*/getNumResults() != 0 ||
                          !getYield()->getDiscardableAttrs().empty());
}

LogicalResult LayerOp::verify() {
  if (getInits().empty())
    return emitOpError("[layer_c1] expected an init");
  bool tensors = isa<TensorType>(getInits().front().getType());
  for (Type type : getOperandTypes())
    if (tensors ? isa<BaseMemRefType>(type) : isa<TensorType>(type))
      return emitOpError(
          "[layer_c1] expected tensors or buffers, but got both");
  for (Value init : getInits())
    if (!tensors && llvm::count(getOperands(), init) > 1)
      return emitOpError(
          "[layer_c1] expected buffers for inits that are no other operand");
  SmallVector<Type> expected;
  if (tensors)
    llvm::append_range(expected, getInits().getTypes());
  if (getResultTypes() != TypeRange(expected))
    return emitOpError("[layer_c2] expected results of types ")
           << expected << ", but got " << getResultTypes();
  return success();
}

LogicalResult LayerOp::verifyRegions() {
  if (getBody()->getArgumentTypes() != getOperandTypes())
    return emitOpError("[layer_c3] expected a body with arguments of types ")
           << getOperandTypes() << ", but got "
           << getBody()->getArgumentTypes();
  if (getYield().getOperandTypes() != getResultTypes())
    return getYield().emitOpError("[layer_c4] expected values of types ")
           << getResultTypes() << ", but got " << getYield().getOperandTypes();
  return success();
}

void LayerOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : (*this)->getOpOperands()) {
    if (!isa<BaseMemRefType>(operand.get().getType()))
      continue;
    effects.emplace_back(MemoryEffects::Read::get(), &operand);
    if (isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
  }
}

namespace {
/// Inputs that the body does not read, and those that it has twice.
struct DropInputs : OpRewritePattern<LayerOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LayerOp op,
                                PatternRewriter &rewriter) const override {
    llvm::BitVector dropped(op->getNumOperands());
    SmallVector<Value> kept;
    llvm::SmallDenseMap<Value, BlockArgument> first;
    for (auto [argument, input] :
         llvm::zip(op.getBody()->getArguments(), op.getInputs())) {
      auto [same, isNew] = first.try_emplace(input, argument);
      if (!isNew)
        rewriter.replaceAllUsesWith(argument, same->second);
      if (argument.use_empty())
        dropped.set(argument.getArgNumber());
      else
        kept.push_back(input);
    }
    if (dropped.none())
      return failure();
    rewriter.modifyOpInPlace(op, [&] {
      op.getBody()->eraseArguments(dropped);
      op.getInputsMutable().assign(kept);
    });
    return success();
  }
};

/// Buffers whose type says less than it could, as that of a slice which is all
/// of a buffer.
struct FoldCasts : OpRewritePattern<LayerOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(LayerOp op,
                                PatternRewriter &rewriter) const override {
    bool changed = false;
    for (OpOperand &operand : op->getOpOperands()) {
      auto cast = operand.get().getDefiningOp<memref::CastOp>();
      if (!cast || !memref::CastOp::canFoldIntoConsumerOp(cast))
        continue;
      changed = true;
      BlockArgument argument = op.getArgument(operand);
      Type type = argument.getType();
      rewriter.modifyOpInPlace(op, [&] {
        operand.set(cast.getSource());
        argument.setType(cast.getSource().getType());
      });
      rewriter.setInsertionPointToStart(op.getBody());
      Value inside =
          memref::CastOp::create(rewriter, op.getLoc(), type, argument);
      rewriter.replaceAllUsesExcept(argument, inside, inside.getDefiningOp());
    }
    return success(changed);
  }
};
} // namespace

void LayerOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                          MLIRContext *context) {
  patterns.add<DropInputs, FoldCasts>(context);
}

//===----------------------------------------------------------------------===//
// YieldOp
//===----------------------------------------------------------------------===//

void YieldOp::build(OpBuilder &, OperationState &) {}

//===----------------------------------------------------------------------===//
// GroupOp
//===----------------------------------------------------------------------===//

LogicalResult GroupOp::verifyRegions() {
  if (getBody()->getNumArguments() != 0)
    return emitOpError("[group_c1] expected a body without arguments");
  for (Operation &op : *getBody()) {
    auto layer = dyn_cast<LayerOp>(op);
    if (!layer || layer.getNumResults() != 0)
      return op.emitOpError("[group_c1] expected a layer on buffers");
  }
  return success();
}
