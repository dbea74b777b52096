//===- ProductOp.cpp - Products of packed operands ------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Support/Constraints.h"
#include "bquant/Dialect/Packed/IR/Packed.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

//===----------------------------------------------------------------------===//
// Builders
//===----------------------------------------------------------------------===//

void ProductOp::build(OpBuilder &b, OperationState &state, Attribute kernel,
                      ValueRange inputs, ValueRange filters, ValueRange inits,
                      ArrayRef<AffineMap> maps, bool maskedInputs,
                      bool maskedFilters) {
  build(b, state, TypeRange(inits), kernel, /*fused=*/false, inputs, filters,
        /*levels=*/ValueRange(), inits, b.getAffineMapArrayAttr(maps),
        maskedInputs, maskedFilters, /*ratios=*/DenseI64ArrayAttr());
}

void ProductOp::build(OpBuilder &b, OperationState &state, Attribute kernel,
                      bool fused, Value input, ValueRange filters,
                      ValueRange levels, ValueRange inits,
                      ArrayRef<AffineMap> maps, DenseI64ArrayAttr ratios) {
  build(b, state, TypeRange(inits), kernel, fused, input, filters, levels,
        inits, b.getAffineMapArrayAttr(maps), /*masked_inputs=*/false,
        /*masked_filters=*/false, ratios);
}

//===----------------------------------------------------------------------===//
// Form
//===----------------------------------------------------------------------===//

KernelAttrInterface ProductOp::getKernelInterface() {
  return dyn_cast_or_null<KernelAttrInterface>(getKernelAttr());
}

SmallVector<AffineMap> ProductOp::getMaps() {
  return llvm::to_vector(getIndexingMaps().getAsValueRange<AffineMapAttr>());
}

RankedTensorType ProductOp::getResultTensor() {
  return cast<RankedTensorType>(getInits().front().getType());
}

unsigned ProductOp::getNumParallelLoops() {
  return getResultTensor().getRank();
}

bool ProductOp::sumsFloats() {
  return getResultTensor().getElementType().isF32();
}

bool ProductOp::readsTables() {
  KernelAttrInterface kernel = getKernelInterface();
  return kernel && kernel.readsTables();
}

bool ProductOp::isOfBF16() {
  return getElementTypeOrSelf(getInputs().front()).isBF16();
}

bool ProductOp::hasWords() {
  return sumsFloats() && !isOfBF16() && !readsTables() &&
         getElementTypeOrSelf(getFilters().front()).isInteger(kWordBits);
}

bool ProductOp::isMasked() { return getRatios() == ArrayRef<int64_t>{1, 1}; }

int64_t ProductOp::getNumInputPlanes() {
  return getInputs().size() / (getMaskedInputs() ? 2 : 1);
}

int64_t ProductOp::getNumFilterPlanes() {
  return getFilters().size() / (getMaskedFilters() ? 2 : 1);
}

ProductForm ProductOp::getForm() {
  ProductForm form;
  form.maskedInput = getMaskedInputs();
  form.maskedFilter = getMaskedFilters();
  form.countsMasks =
      getMaskedInputs() &&
      int64_t(getNumResults()) > getNumInputPlanes() * getNumFilterPlanes();
  form.fused = getFused();
  form.bitFilter = hasWords();
  if (getRatios())
    form.ratios.assign(getRatios()->begin(), getRatios()->end());
  form.levels = getLevels().size();
  return form;
}

bool ProductOp::isLaidOut() {
  auto filter = cast<RankedTensorType>(getFilters().front().getType());
  return getKernel() && int64_t(getMaps()[getInputs().size()].getNumResults()) <
                            filter.getRank();
}

AffineExpr ProductOp::getStepIndex() {
  KernelAttrInterface kernel = getKernelInterface();
  if (!kernel || !isLaidOut() || kernel.getStepSize() == 1)
    return {};
  return getAffineDimExpr(getMaps().front().getNumDims() - 1, getContext())
      .floorDiv(kernel.getStepSize());
}

bool ProductOp::countsWords(unsigned operand, unsigned dim) {
  unsigned first = getInputs().size();
  return operand >= first && operand < first + getFilters().size() &&
         hasWords() && !isLaidOut() &&
         dim + 1 == getMaps()[operand].getNumResults();
}

SmallVector<int64_t> ProductOp::getLoopSizes() {
  SmallVector<AffineMap> maps = getMaps();
  SmallVector<int64_t> sizes(getResultTensor().getShape());
  for (Type type : getResultTypes())
    for (auto [size, known] :
         llvm::zip_equal(sizes, cast<RankedTensorType>(type).getShape()))
      if (ShapedType::isDynamic(size))
        size = known;
  sizes.resize(maps.front().getNumDims(), ShapedType::kDynamic);
  AffineExpr steps = getStepIndex();
  auto read = [&](unsigned number) {
    auto type = cast<RankedTensorType>(getOperand(number).getType());
    for (auto [dim, index] : llvm::enumerate(maps[number].getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(index);
      bool countsSteps = steps && index == steps;
      if ((!loop && !countsSteps) || countsWords(number, dim))
        continue;
      int64_t &size = countsSteps ? sizes.back() : sizes[loop.getPosition()];
      if (ShapedType::isDynamic(size) && !type.isDynamicDim(dim))
        size = type.getDimSize(dim) *
               (countsSteps ? getKernelInterface().getStepSize() : 1);
    }
  };
  // Filters first: they have whole steps.
  unsigned inputs = getInputs().size();
  for (unsigned number = inputs; number < maps.size(); ++number)
    read(number);
  for (unsigned number = 0; number < inputs; ++number)
    read(number);
  return sizes;
}

Value packed::createLevel(OpBuilder &b, Location loc, ValueRange bits,
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

/// Whether `types` differ at most in which sizes are dynamic: casts are folded
/// into one operand at a time.
static bool areCompatible(TypeRange types) {
  auto first = cast<RankedTensorType>(types.front());
  return succeeded(verifyCompatibleShapes(types)) &&
         llvm::all_of(types, [&](Type type) {
           return type == first.clone(cast<RankedTensorType>(type).getShape());
         });
}

/// Constraints 1 and 2.
static LogicalResult verifyLoops(ProductOp op) {
  OperandRange inputs = op.getInputs(), filters = op.getFilters(),
               inits = op.getInits();
  if (inputs.empty() || filters.empty() || inits.empty() ||
      !areCompatible(inits.getTypes()) ||
      TypeRange(inits) != op.getResultTypes())
    return expected(op, 1)
           << "inputs, filters, and outs and results of one type, but got "
           << inputs.getTypes() << " by " << filters.getTypes() << " to "
           << inits.getTypes() << " and " << op.getResultTypes();

  SmallVector<AffineMap> maps = op.getMaps();
  unsigned operands = inputs.size() + filters.size() + op.getLevels().size();
  if (maps.size() != operands)
    return expected(op, 2) << operands << " maps, but got " << maps.size();
  unsigned parallel = op.getNumParallelLoops();
  unsigned loops = std::max(parallel, maps.front().getNumDims());
  bool isLaidOut = op.isLaidOut();
  if (isLaidOut && (parallel == 0 || loops == parallel))
    return expected(op, 2) << "a channel and a reduction, but got " << parallel
                           << " loops of results of " << loops << " loops";
  KernelAttrInterface kernel = op.getKernelInterface();
  for (auto [i, map] : llvm::enumerate(maps)) {
    auto type = cast<RankedTensorType>(op->getOperand(i).getType());
    bool isInput = i < inputs.size();
    bool hasLanes = isInput
                        ? kernel && (kernel.isDepthwise() || op.readsTables())
                        : isLaidOut;
    if (map.getNumDims() != loops || map.getNumSymbols() != 0 ||
        int64_t(map.getNumResults()) + hasLanes != type.getRank())
      return expected(op, 2)
             << "a map of " << loops << " loops for "
             << (hasLanes ? "all dimensions but the last of " : "") << type
             << ", but got " << AffineMapAttr::get(map);
  }
  return success();
}

static bool hasElements(ValueRange values, ArrayRef<unsigned> widths) {
  return llvm::all_of(values.getTypes(), [&](Type type) {
    Type element = getElementTypeOrSelf(type);
    return llvm::any_of(
        widths, [&](unsigned width) { return element.isInteger(width); });
  });
}

/// Constraint 3.
static LogicalResult verifyElements(ProductOp op) {
  OperandRange inputs = op.getInputs(), filters = op.getFilters();
  if (!op.sumsFloats()) {
    if (op.getKernel() && !op.getFused() && !op.getRatios() &&
        op.getLevels().empty() && hasElements(inputs, {8, 32}) &&
        hasElements(filters, {8, 32}))
      return success();
    return expected(op, 3)
           << "counts of i8 or i32, by a kernel and without fused, ratios and "
              "levels, but got "
           << inputs.getTypes() << " by " << filters.getTypes();
  }
  Type x = getElementTypeOrSelf(inputs.front()),
       w = getElementTypeOrSelf(filters.front());
  // Of bf16 an i32 has two.
  bool ofWords = op.isOfBF16() ? op.isLaidOut() : w.isInteger(32);
  if (inputs.size() == 1 && isa<FloatType>(x) &&
      areCompatible(filters.getTypes()) &&
      (ofWords ? w.isInteger(32) : w == x) &&
      (filters.size() == 1 || (ofWords && !op.isOfBF16())))
    return success();
  return expected(op, 3)
         << "one input of f32 or bf16 by a filter of the same, or by planes of "
            "i32 of one type, but got "
         << inputs.getTypes() << " by " << filters.getTypes();
}

/// Constraints 4 to 7.
static LogicalResult verifyPlanes(ProductOp op) {
  int64_t inputs = op.getInputs().size(), filters = op.getFilters().size();
  bool isMasked = op.getMaskedInputs() || op.getMaskedFilters();
  if ((isMasked && op.sumsFloats()) || (op.getMaskedInputs() && inputs % 2) ||
      (op.getMaskedFilters() && filters % 2))
    return expected(op, 4) << "a mask for each sign of a masked operand of "
                              "counts, but got "
                           << inputs << " by " << filters;
  std::optional<ArrayRef<int64_t>> ratios = op.getRatios();
  if (ratios &&
      (!op.hasWords() || int64_t(ratios->size()) != filters || filters < 2 ||
       llvm::any_of(*ratios, [](int64_t m) { return m <= 0; })))
    return expected(op, 5) << "positive ratios of two or more planes, one for "
                              "each, but got ["
                           << *ratios << "] of " << filters;
  OperandRange levels = op.getLevels();
  if (!levels.empty() &&
      (!op.hasWords() || ratios || !areCompatible(levels.getTypes()) ||
       op.getForm().getLevelPlanes() != filters))
    return expected(op, 6) << "two or more levels of one type after as many "
                              "planes of i32 without ratios as number them, "
                              "but got "
                           << levels.size() << " after "
                           << op.getFilters().getTypes();
  bool isOneFilter = ratios || !levels.empty();
  int64_t pairs =
      isOneFilter ? 1 : op.getNumInputPlanes() * op.getNumFilterPlanes();
  int64_t inits = op.getInits().size();
  if (inits != pairs && !(inits == 2 * pairs && op.getMaskedInputs()))
    return expected(op, 7) << pairs << " outs"
                           << (op.getMaskedInputs() ? " or twice as many" : "")
                           << ", but got " << inits;
  return success();
}

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

/// Constraints 8 to 10.
static LogicalResult verifyIndices(ProductOp op) {
  SmallVector<AffineMap> maps = op.getMaps();
  unsigned parallel = op.getNumParallelLoops(), filters = op.getInputs().size(),
           levels = filters + op.getFilters().size();
  for (auto [i, map] : llvm::enumerate(maps)) {
    if (!llvm::all_of(map.getResults(), growsWithLoops))
      return expected(op, 8)
             << "indices that are sums of loops times positive numbers, or "
                "count blocks of loops, but got "
             << AffineMapAttr::get(map);
    if (i < filters || !op.hasWords())
      continue;
    // What is laid out, see constraint 12.
    AffineExpr channel = getAffineDimExpr(parallel - 1, op.getContext());
    bool isLevel = i >= levels;
    bool isOfChannel =
        op.isLaidOut() || (parallel > 0 && map.getNumResults() > 0 &&
                           map.getResults().back() == channel);
    if (!isOfChannel || (isLevel && map.getNumResults() != 1))
      return expected(op, 9) << (isLevel ? "levels" : "words")
                             << " along the last loop of the results, but got "
                             << AffineMapAttr::get(map);
  }
  unsigned loops = maps.front().getNumDims();
  AffineExpr steps = op.getStepIndex();
  for (unsigned d = parallel; d < loops; ++d) {
    AffineExpr loop = getAffineDimExpr(d, op.getContext());
    if (llvm::none_of(maps, [&](AffineMap map) {
          return llvm::any_of(map.getResults(), [&](AffineExpr index) {
            return index == loop || (steps && d + 1 == loops && index == steps);
          });
        }))
      return expected(op, 10) << "each reduction to be an index by itself, but "
                                 "got none that is d"
                              << d;
  }
  return success();
}

/// `expr` of `dims`; none where 64 bits do not hold it, or it divides by less
/// than 1. AffineMap::compose takes for granted that there is one.
static std::optional<int64_t> evaluate(AffineExpr expr,
                                       ArrayRef<int64_t> dims) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (!binary)
    return std::nullopt;
  std::optional<int64_t> a = evaluate(binary.getLHS(), dims),
                         b = evaluate(binary.getRHS(), dims);
  if (!a || !b)
    return std::nullopt;
  int64_t result;
  if (expr.getKind() == AffineExprKind::Add)
    return llvm::AddOverflow(*a, *b, result) ? std::nullopt
                                             : std::optional(result);
  if (expr.getKind() == AffineExprKind::Mul)
    return llvm::MulOverflow(*a, *b, result) ? std::nullopt
                                             : std::optional(result);
  if (*b < 1)
    return std::nullopt;
  if (expr.getKind() == AffineExprKind::FloorDiv)
    return llvm::divideFloorSigned(*a, *b);
  if (expr.getKind() == AffineExprKind::CeilDiv)
    return llvm::divideCeilSigned(*a, *b);
  return llvm::mod(*a, *b);
}

/// What an operand has to have along an index: the size of a loop that is the
/// index by itself, else more than the index at the last step of all loops.
static LogicalResult verifySize(ProductOp op, ArrayRef<int64_t> sizes,
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
    std::optional<int64_t> at = evaluate(index, last);
    if (!at || llvm::AddOverflow(*at, int64_t(1), least))
      return expected(op, 11)
             << "an index that is a number of 64 bits along dimension " << dim
             << " of operand " << number << ", but got "
             << AffineMapAttr::get(AffineMap::get(sizes.size(), 0, index));
  }
  if (op.countsWords(number, dim))
    least = llvm::divideCeil(least, kWordBits);
  if (loop ? size == least : size >= least)
    return success();
  return expected(op, 11) << (loop ? "" : "at least ") << least
                          << " along dimension " << dim << " of operand "
                          << number << ", but got " << type;
}

/// Constraints 11 and 13.
static LogicalResult verifySizes(ProductOp op) {
  SmallVector<int64_t> sizes = op.getLoopSizes();
  for (auto [number, map] : llvm::enumerate(op.getMaps()))
    for (auto [dim, index] : llvm::enumerate(map.getResults()))
      if (failed(verifySize(op, sizes, number, dim, index)))
        return failure();
  KernelAttrInterface kernel = op.getKernelInterface();
  if (!kernel || !op.isLaidOut() || ShapedType::isDynamic(sizes.back()) ||
      sizes.back() % kernel.getStepSize() == 0)
    return success();
  return expected(op, 13) << "a last loop of steps of " << kernel.getStepSize()
                          << " elements, but got " << sizes.back();
}

/// Whether `index` is the only one of `map` that goes by `loop`.
static bool isOnlyIndexBy(AffineMap map, unsigned loop, AffineExpr index) {
  return llvm::equal(
      llvm::make_filter_range(
          map.getResults(),
          [&](AffineExpr other) { return other.isFunctionOfDim(loop); }),
      ArrayRef(index));
}

/// Of constraints 14 and 15: masks that the kernel knows, and of a depthwise
/// convolution blocks of bytes.
static LogicalResult verifyForm(ProductOp op, KernelAttrInterface kernel) {
  if (op.sumsFloats())
    return success();
  ProductForm form = op.getForm();
  std::optional<ProductResult> result = kernel.getResult(form);
  if (!result || (form.countsMasks && result == ProductResult::Dots))
    return expected(op, 15)
           << "masks that the kernel takes, but got " << kernel;
  if (!kernel.getPartialTypes(form).empty() && kernel.getMaxSteps(form) < 1)
    return expected(op, 15)
           << "a kernel that holds the sums of a step, but got " << kernel;
  if (!kernel.isDepthwise())
    return success();
  unsigned channel = op.getNumParallelLoops() - 1;
  AffineExpr block =
      getAffineDimExpr(channel, op.getContext()).floorDiv(kernel.getBlock());
  int64_t lanes = kernel.getFilterLayout().getBlockLanes();
  SmallVector<AffineMap> maps = op.getMaps();
  for (auto [value, map] : llvm::zip(op.getInputs(), maps)) {
    auto type = cast<RankedTensorType>(value.getType());
    if (!type.getElementType().isInteger(8) ||
        type.getShape().back() != lanes || !isOnlyIndexBy(map, channel, block))
      return expected(op, 14) << "blocks of " << lanes << " bytes, but got "
                              << AffineMapAttr::get(map) << " for " << type;
  }
  return success();
}

/// Constraints 12, 14 and 15.
static LogicalResult verifyKernel(ProductOp op) {
  auto verifyLayout = [&](OperandRange values, LayoutAttrInterface layout) {
    for (Value value : values)
      if (getLayoutOf(value.getType()) != layout) {
        (void)(expected(op, 14) << "the layout " << layout.getName()
                                << ", but got " << value.getType());
        return failure();
      }
    return success();
  };
  if (op.hasWords() && !op.isLaidOut())
    return verifyLayout(op.getFilters(), WordsLayoutAttr::get(op.getContext()));
  KernelAttrInterface kernel = op.getKernelInterface();
  if (!kernel)
    return success();
  if (kernel.sumsFloats() != op.sumsFloats())
    return expected(op, 15)
           << "a kernel of " << (op.sumsFloats() ? "sums" : "counts")
           << ", but got " << kernel;
  if (op.readsTables()) {
    auto tables = cast<RankedTensorType>(op.getInputs().front().getType());
    int64_t entries = int64_t(1) << kernel.getInputChannels();
    if (!tables.getElementType().isF32() || tables.getShape().back() != entries)
      return expected(op, 15) << "tables of " << entries
                              << " entries of f32, but got " << tables;
  }
  if (failed(verifyForm(op, kernel)))
    return failure();
  if (!op.sumsFloats() && !kernel.isDepthwise() &&
      failed(verifyLayout(op.getInputs(), kernel.getLayout())))
    return failure();
  if (!op.isLaidOut() && op.sumsFloats() && !op.readsTables()) {
    for (Type type : op.getFilters().getTypes())
      if (cast<RankedTensorType>(type).getEncoding())
        return expected(op, 12) << "filters without a layout, before they are "
                                   "laid out, but got "
                                << type;
    return success();
  }
  int64_t block = kernel.getBlock(), step = kernel.getStepOfElement();
  unsigned first = op.getInputs().size(),
           channel = op.getNumParallelLoops() - 1,
           last = op.getMaps().front().getNumDims() - 1;
  AffineExpr blockIndex =
                 getAffineDimExpr(channel, op.getContext()).floorDiv(block),
             stepIndex = getAffineDimExpr(last, op.getContext()).floorDiv(step);
  SmallVector<AffineMap> maps = op.getMaps();
  for (auto [i, map] : llvm::enumerate(ArrayRef(maps).drop_front(first))) {
    auto type = cast<RankedTensorType>(op->getOperand(first + i).getType());
    bool words = op.hasWords() && i < op.getFilters().size();
    int64_t lanes = words ? llvm::divideCeil(block, kWordBits)
                          : kernel.getFilterLayout().countLanes();
    if (words && !isa_and_present<WordsLayoutAttr>(type.getEncoding()))
      return expected(op, 12)
             << "signs with the layout words, but got " << type;
    if (!words && type.getEncoding() != kernel.getFilterLayout())
      return expected(op, 12)
             << "filters with the layout " << kernel.getFilterLayout()
             << ", but got " << type;
    if (!op.isLaidOut() || type.getShape().back() != lanes ||
        !isOnlyIndexBy(map, channel, blockIndex))
      return expected(op, 12)
             << "filters in blocks of " << block << " channels, with " << lanes
             << (words ? " words" : " lanes") << " each, but got "
             << AffineMapAttr::get(map) << " for " << type;
    if (step > 1 && !isOnlyIndexBy(map, last, stepIndex))
      return expected(op, 12)
             << "filters with an element for each " << step
             << " of the last loop, but got " << AffineMapAttr::get(map);
  }
  return success();
}

LogicalResult ProductOp::verify() {
  if (failed(verifyLoops(*this)) || failed(verifyElements(*this)) ||
      failed(verifyPlanes(*this)) || failed(verifyIndices(*this)) ||
      failed(verifySizes(*this)))
    return failure();
  return verifyKernel(*this);
}
