//===- BQuantFloatProduct.cpp - Products with a float side --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Constraints.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Form
//===----------------------------------------------------------------------===//

bool FloatProductOp::isOfBF16() {
  return getInput().getType().getElementType().isBF16();
}

bool FloatProductOp::hasWords() {
  return !isOfBF16() &&
         getElementTypeOrSelf(getFilters().front()).isInteger(32);
}

bool FloatProductOp::isMasked() {
  return getRatios() == ArrayRef<int64_t>{1, 1};
}

KernelAttrInterface FloatProductOp::getKernelInterface() {
  return dyn_cast_or_null<KernelAttrInterface>(getKernelAttr());
}

unsigned FloatProductOp::getNumInputs() { return 1; }

ProductForm FloatProductOp::getForm() {
  ProductForm form;
  form.fused = getFused();
  form.bitFilter = hasWords();
  if (getRatios())
    form.ratios.assign(getRatios()->begin(), getRatios()->end());
  form.levels = getLevels().size();
  return form;
}

bool FloatProductOp::isLaidOut() {
  auto filter = cast<RankedTensorType>(getFilters().front().getType());
  return int64_t(getMaps()[1].getNumResults()) < filter.getRank();
}

/// The index that counts the steps of the last loop, where the filter is laid
/// out for steps of several elements.
static AffineExpr getLaidOutSteps(FloatProductOp op) {
  KernelAttrInterface kernel = op.getKernelInterface();
  unsigned loops = op.getMaps().front().getNumDims();
  if (!kernel || !op.isLaidOut() || kernel.getStepSize() == 1 || loops == 0)
    return {};
  return getAffineDimExpr(loops - 1, op.getContext())
      .floorDiv(kernel.getStepSize());
}

bool FloatProductOp::countsWords(unsigned operand, unsigned dim) {
  return operand > 0 && operand <= getFilters().size() && hasWords() &&
         !isLaidOut() && dim + 1 == getMaps()[operand].getNumResults();
}

SmallVector<int64_t> FloatProductOp::getLoopSizes() {
  SmallVector<int64_t> sizes(
      cast<RankedTensorType>(getInits().front().getType()).getShape());
  SmallVector<AffineMap> maps = getMaps();
  sizes.resize(maps.front().getNumDims(), ShapedType::kDynamic);
  for (auto [number, map] : llvm::enumerate(maps)) {
    auto type = cast<RankedTensorType>(getOperand(number).getType());
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(index);
          loop && !countsWords(number, dim) &&
          ShapedType::isDynamic(sizes[loop.getPosition()]))
        sizes[loop.getPosition()] = type.getDimSize(dim);
  }
  // What steps of several elements are counted by.
  if (AffineExpr steps = getLaidOutSteps(*this)) {
    ArrayRef<AffineExpr> filter = maps[1].getResults();
    const auto *at = llvm::find(filter, steps);
    auto type = cast<RankedTensorType>(getFilters().front().getType());
    if (at != filter.end())
      sizes.back() = type.getDimSize(at - filter.begin()) *
                     getKernelInterface().getStepSize();
  }
  return sizes;
}

Value bquant::createLevel(OpBuilder &b, Location loc, ValueRange bits,
                          ValueRange levels) {
  if (levels.size() == 1)
    return levels.front();
  size_t half = size_t(1) << (bits.size() - 1);
  ValueRange rest = bits.drop_front();
  Value upper = levels.size() <= half
                    ? levels.back()
                    : createLevel(b, loc, rest, levels.drop_front(half));
  Value lower = createLevel(b, loc, rest,
                            levels.take_front(std::min(half, levels.size())));
  return arith::SelectOp::create(b, loc, bits.front(), upper, lower);
}

//===----------------------------------------------------------------------===//
// Verifier
//===----------------------------------------------------------------------===//

/// Whether `index` is a sum of loops times positive numbers, of blocks of loops
/// and of constants.
static bool growsWithLoops(AffineExpr index) {
  if (isa<AffineDimExpr>(index))
    return true;
  if (auto constant = dyn_cast<AffineConstantExpr>(index))
    return constant.getValue() >= 0;
  auto binary = dyn_cast<AffineBinaryOpExpr>(index);
  if (!binary)
    return false;
  auto by = dyn_cast<AffineConstantExpr>(binary.getRHS());
  switch (index.getKind()) {
  case AffineExprKind::Add:
    return growsWithLoops(binary.getLHS()) && growsWithLoops(binary.getRHS());
  case AffineExprKind::Mul:
    return by && by.getValue() > 0 && growsWithLoops(binary.getLHS());
  case AffineExprKind::FloorDiv:
    return by && by.getValue() > 0 && isa<AffineDimExpr>(binary.getLHS());
  default:
    return false;
  }
}

/// Constraints 1 to 3, 10, 12 and 13.
static LogicalResult verifyForm(FloatProductOp op) {
  OperandRange filters = op.getFilters(), inits = op.getInits();
  if (filters.empty() || !llvm::all_equal(TypeRange(filters)) ||
      (!op.hasWords() && filters.size() != 1))
    return expected(op, 1) << "a filter of f32, or planes of i32 of one type, "
                              "but got "
                           << filters.getTypes();
  if (op.hasWords() && getLayoutOf(filters.front().getType()) != Layout::words)
    return expected(op, 13)
           << "planes in the layout words, but got " << filters.getTypes();
  bool isLaidOut = op.getKernel() && op.getMaps().size() == 2 && op.isLaidOut();
  Type of = getElementTypeOrSelf(filters.front());
  if (op.isOfBF16() ? !(isLaidOut ? of.isInteger(32) : of.isBF16())
                    : of.isBF16())
    return expected(op, 10)
           << "input and filter both of bf16, or the filter in pairs of i32 "
              "where it is laid out for a kernel, but got "
           << op.getInput().getType() << " and " << filters.getTypes();
  std::optional<ArrayRef<int64_t>> ratios = op.getRatios();
  if (ratios && (!op.hasWords() || ratios->size() != filters.size() ||
                 ratios->size() < 2 ||
                 llvm::any_of(*ratios, [](int64_t m) { return m <= 0; })))
    return expected(op, 2) << "positive ratios of two or more planes, one for "
                              "each, but got ["
                           << *ratios << "] of " << filters.size();
  size_t levels = op.getLevels().size();
  if (levels > 0 && (!op.hasWords() || ratios ||
                     !llvm::all_equal(op.getLevels().getTypes()) ||
                     size_t(op.getForm().getLevelPlanes()) != filters.size()))
    return expected(op, 12) << "two or more levels of one type after as many "
                               "planes of i32 without ratios as number them, "
                               "but got "
                            << levels << " after " << filters.getTypes();
  size_t sums = ratios || levels > 0 ? 1 : filters.size();
  if (inits.size() != sums || !llvm::all_equal(TypeRange(inits)))
    return expected(op, 3) << sums << " outs of one type, but got "
                           << inits.getTypes();
  return success();
}

/// Constraints 4 to 6.
static LogicalResult verifyMaps(FloatProductOp op) {
  SmallVector<AffineMap> maps = op.getMaps();
  unsigned operands = 1 + op.getFilters().size() + op.getLevels().size();
  if (maps.size() != operands)
    return expected(op, 4) << operands << " maps, but got " << maps.size();
  unsigned parallel = op.getNumParallelLoops();
  unsigned loops = std::max(parallel, maps.front().getNumDims());
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto type = cast<RankedTensorType>(op->getOperand(i).getType());
    int64_t lanes = i > 0 && op.getKernel() && op.isLaidOut() ? 1 : 0;
    if (map.getNumDims() != loops || map.getNumSymbols() != 0 ||
        map.getNumResults() + lanes != type.getRank())
      return expected(op, 4) << "a map of " << loops << " loops for " << type
                             << ", but got " << AffineMapAttr::get(map);
    if (!llvm::all_of(map.getResults(), growsWithLoops))
      return expected(op, 5)
             << "indices that are sums of loops times positive numbers, or "
                "count blocks of loops, but got "
             << AffineMapAttr::get(map);
    if (i == 0 || !op.hasWords())
      continue;
    AffineExpr channel = getAffineDimExpr(parallel - 1, op.getContext());
    bool isLevel = i > op.getFilters().size();
    // Where it is laid out, see constraint 9.
    bool isOfChannel = lanes || (parallel > 0 && map.getNumResults() > 0 &&
                                 map.getResults().back() == channel);
    if (!isOfChannel || (isLevel && map.getNumResults() != 1))
      return expected(op, 6) << (isLevel ? "levels" : "words")
                             << " along the last loop of the results, but got "
                             << AffineMapAttr::get(map);
  }
  return success();
}

/// What an operand has to have along an index: the size of a loop that is the
/// index by itself, else more than the index at the last step of all loops.
static LogicalResult verifySize(FloatProductOp op, ArrayRef<int64_t> sizes,
                                unsigned number, unsigned dim,
                                AffineExpr index) {
  auto type = cast<RankedTensorType>(op->getOperand(number).getType());
  int64_t size = type.getDimSize(dim);
  if (ShapedType::isDynamic(size))
    return success();
  for (unsigned d = 0; d < sizes.size(); ++d)
    if (index.isFunctionOfDim(d) && ShapedType::isDynamic(sizes[d]))
      return success();
  auto loop = dyn_cast<AffineDimExpr>(index);
  int64_t least;
  if (loop) {
    least = sizes[loop.getPosition()];
  } else {
    SmallVector<int64_t> last = llvm::map_to_vector(
        sizes, [](int64_t size) { return std::max<int64_t>(size, 1) - 1; });
    least = 1 + AffineMap::get(sizes.size(), 0, index).compose(last)[0];
  }
  if (op.countsWords(number, dim))
    least = llvm::divideCeil(least, kWordBits);
  if (loop ? size == least : size >= least)
    return success();
  return expected(op, 8) << (loop ? "" : "at least ") << least
                         << " along dimension " << dim << " of operand "
                         << number << ", but got " << type;
}

/// Constraint 9.
static LogicalResult verifyBlocks(FloatProductOp op) {
  KernelAttrInterface kernel = op.getKernelInterface();
  if (!kernel || !op.isLaidOut())
    return success();
  int64_t block = kernel.getBlock();
  AffineExpr index =
      getAffineDimExpr(op.getNumParallelLoops() - 1, op.getContext())
          .floorDiv(block);
  SmallVector<AffineMap> maps = op.getMaps();
  for (auto [i, map] : llvm::enumerate(ArrayRef(maps).drop_front())) {
    auto type = cast<RankedTensorType>(op->getOperand(1 + i).getType());
    bool words = op.hasWords() && i < op.getFilters().size();
    int64_t lanes = words ? llvm::divideCeil(block, kWordBits)
                          : llvm::alignTo(block, kernel.getLanes());
    if (type.getShape().back() != lanes ||
        !llvm::is_contained(map.getResults(), index))
      return expected(op, 9)
             << "filters in blocks of " << block << " channels, with " << lanes
             << (words ? " words" : " lanes") << " each, but got "
             << AffineMapAttr::get(map) << " for " << type;
  }
  return success();
}

/// Constraint 11.
static LogicalResult verifyOrder(FloatProductOp op) {
  KernelAttrInterface kernel = op.getKernelInterface();
  if (kernel && kernel.getTerms() != 1)
    return expected(op, 11)
           << "a kernel that adds one product after the other, "
              "but got "
           << kernel;
  return success();
}

/// Constraints 7 and 8.
static LogicalResult verifySizes(FloatProductOp op) {
  SmallVector<AffineMap> maps = op.getMaps();
  for (unsigned d = op.getNumParallelLoops(), e = maps.front().getNumDims();
       d < e; ++d)
    if (llvm::none_of(maps, [&](AffineMap map) {
          return llvm::any_of(map.getResults(), [&](AffineExpr index) {
            return index == getAffineDimExpr(d, op.getContext()) ||
                   (d + 1 == e && index == getLaidOutSteps(op));
          });
        }))
      return expected(op, 7) << "each reduction to be an index by itself, but "
                                "got none that is d"
                             << d;
  SmallVector<int64_t> sizes = op.getLoopSizes();
  for (auto [number, map] : llvm::enumerate(maps))
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      if (failed(verifySize(op, sizes, number, dim, index)))
        return failure();
  return success();
}

LogicalResult FloatProductOp::verify() {
  if (failed(verifyForm(*this)) || failed(verifyMaps(*this)) ||
      failed(verifyBlocks(*this)) || failed(verifyOrder(*this)))
    return failure();
  return verifySizes(*this);
}
