//===- BQuantSolve.cpp - Solvers at run time ------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Constraints.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Quant/Solve.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"

using namespace mlir;
using namespace bquant;

bool SolveOp::canSolve(SchemeAttr scheme) {
  // The others search for long, and their codes follow from the data, too.
  return scheme.isOfMeans() || scheme.getPlanes() == 2;
}

SmallVector<RankedTensorType> SolveOp::getInitTypes(SchemeAttr scheme,
                                                    int64_t groups, int64_t n) {
  MLIRContext *context = scheme.getContext();
  quant::Scheme solver = scheme.getScheme();
  auto f32 = Float32Type::get(context);
  SmallVector<RankedTensorType> types{
      RankedTensorType::get({solver.planes.numScalars(), groups}, f32)};
  if (!solver.isFoldable())
    types.push_back(
        RankedTensorType::get({solver.planes.numCodes() - 1, groups}, f32));
  if (int64_t bytes = quant::solveScratchBytes(solver, n))
    types.push_back(
        RankedTensorType::get({bytes}, IntegerType::get(context, 8)));
  return types;
}

int64_t SolveOp::getNumParts(SchemeAttr scheme, int64_t n) {
  return scheme.isOfMeans() ? 1
                            : llvm::divideCeil(n, SolveStepOp::getPartSize());
}

/// Whether it is a matrix whose rows have so few values that bytes of scratch
/// memory, less than 32 for each, can be counted.
static bool hasSolvableRows(ShapedType input) {
  return input.getRank() == 2 && input.hasStaticShape() &&
         input.getDimSize(1) < int64_t(1) << 58;
}

LogicalResult SolveOp::verify() {
  if (!canSolve(getScheme()))
    return expected(*this, "solve_c1")
           << "ls of 1, 2 or T, gf or twn, but got " << getScheme();
  auto input = cast<ShapedType>(getInput().getType());
  if (!hasSolvableRows(input) || input.getNumElements() == 0)
    return expected(*this, "solve_c2")
           << "an input of static shape G x N with N < 2^58, but got " << input;
  SmallVector<RankedTensorType> types =
      getInitTypes(getScheme(), input.getDimSize(0), input.getDimSize(1));
  auto isLike = [](Type type, RankedTensorType wanted) {
    auto shaped = cast<ShapedType>(type);
    return shaped.getShape() == wanted.getShape() &&
           shaped.getElementType() == wanted.getElementType();
  };
  if (!llvm::equal(getInits().getTypes(), types, isLike))
    return expected(*this, "solve_c3") << "outs of the shapes of " << types
                                       << ", but got " << getInits().getTypes();
  bool onTensors = isa<RankedTensorType>(input);
  for (Type type : getOperandTypes())
    if (isa<RankedTensorType>(type) != onTensors)
      return expected(*this, "solve_c4")
             << (onTensors ? "tensors" : "memrefs") << ", but got " << type;
  if (TypeRange(getResults()) !=
      (onTensors ? TypeRange(getInits()) : TypeRange()))
    return expected(*this, "solve_c5")
           << "results of the types of outs on tensors, else none";
  for (Type type : getOperandTypes())
    if (auto memref = dyn_cast<MemRefType>(type))
      if (!memref::isStaticShapeAndContiguousRowMajor(memref))
        return expected(*this, "solve_c6")
               << "memrefs without gaps, but got " << memref;
  return success();
}

void SolveOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (isa<RankedTensorType>(getInput().getType()))
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
  for (OpOperand &init : getInitsMutable())
    effects.emplace_back(MemoryEffects::Write::get(), &init);
}

int64_t SolveStepOp::getPartSize() { return quant::solvePartSize; }

LogicalResult SolveStepOp::verify() {
  auto input = cast<MemRefType>(getInput().getType());
  if (!hasSolvableRows(input) || input.getDimSize(0) != 1)
    return expected(*this, "solve_step_c1")
           << "an input of static shape 1 x N with N < 2^58, but got " << input;
  if (!SolveOp::canSolve(getScheme()) ||
      SolveOp::getNumParts(getScheme(), input.getDimSize(1)) < 2)
    return expected(*this, "solve_step_c2")
           << "ls of 2 or T for more values than a part has, but got "
           << getScheme() << " for " << input;
  SmallVector<RankedTensorType> types =
      SolveOp::getInitTypes(getScheme(), 1, input.getDimSize(1));
  for (auto [out, type] :
       llvm::zip_equal(ValueRange{getScalars(), getScratch()}, types))
    if (cast<MemRefType>(out.getType()).getShape() != type.getShape())
      return expected(*this, "solve_step_c3")
             << "an out of the shape of " << type << ", but got "
             << out.getType();
  for (Value buffer : {getInput(), getScalars(), getScratch()})
    if (auto type = cast<MemRefType>(buffer.getType());
        !memref::isStaticShapeAndContiguousRowMajor(type))
      return expected(*this, "solve_step_c4")
             << "memrefs without gaps, but got " << type;
  if (bool(getPart()) != isOfPart(getStep()))
    return expected(*this, "solve_step_c5")
           << (getPart() ? "no part for " : "a part for ")
           << stringifySolveStep(getStep());
  return success();
}

void SolveStepOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
  effects.emplace_back(MemoryEffects::Read::get(), &getScratchMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getScratchMutable());
  if (getStep() == SolveStep::finish)
    effects.emplace_back(MemoryEffects::Write::get(), &getScalarsMutable());
}
