//===- LinalgProducts.cpp - Linalg's sums of products ---------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loops become those of the result in its order, then the reductions in
// theirs: the order of each sum stays. Integers may be added in any order, as
// their sums wrap.
//
//===----------------------------------------------------------------------===//

#include "LinalgProducts.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "Products.h"
#include "TileableOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace bquant;

/// Whether the body of `op` is `acc + a * b`, a and b as `widened` has them.
template <typename Add, typename Mul>
static bool isSumOfProducts(linalg::LinalgOp op,
                            function_ref<Value(Value)> widened) {
  Block *body = op.getBlock();
  Value a = body->getArgument(0), b = body->getArgument(1),
        acc = body->getArgument(2);
  auto add = body->getTerminator()->getOperand(0).getDefiningOp<Add>();
  if (!add || (add.getLhs() != acc && add.getRhs() != acc))
    return false;
  Value product = add.getLhs() == acc ? add.getRhs() : add.getLhs();
  auto mul = product.getDefiningOp<Mul>();
  if (!mul)
    return false;
  Value first = widened(mul.getLhs()), second = widened(mul.getRhs());
  return (first == a && second == b) || (first == b && second == a);
}

bool bquant::sumsProducts(linalg::LinalgOp op) {
  auto uncast = [](Value value) -> Value {
    auto cast = value.getDefiningOp<CastOpInterface>();
    return cast ? cast->getOperand(0) : value;
  };
  return op.getNumDpsInputs() == 2 && op.getNumDpsInits() == 1 &&
         (isSumOfProducts<arith::AddFOp, arith::MulFOp>(op, uncast) ||
          isSumOfProducts<arith::AddIOp, arith::MulIOp>(op, uncast));
}

/// The loops of the result of `op` in its order, then the reductions.
static FailureOr<SmallVector<unsigned>> orderLoops(linalg::LinalgOp op) {
  AffineMap map = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  if (!map.isProjectedPermutation())
    return failure();
  SmallVector<unsigned> order, reductions;
  for (AffineExpr index : map.getResults())
    order.push_back(cast<AffineDimExpr>(index).getPosition());
  op.getReductionDims(reductions);
  llvm::append_range(order, reductions);
  if (order.size() != op.getNumLoops())
    return failure();
  return order;
}

/// Of tensors that have the given elements.
static FailureOr<LinalgProduct>
getProduct(linalg::LinalgOp op, function_ref<bool(Type)> takes,
           function_ref<bool(Type)> gives, const Twine &elements,
           function_ref<bool()> isSum, ExplainFn explain) {
  if (!op.hasPureTensorSemantics() || op.getNumReductionLoops() == 0 ||
      op.getNumDpsInputs() != 2 || op.getNumDpsInits() != 1)
    return explain("no product of two tensors");
  for (OpOperand &operand : op->getOpOperands()) {
    Type element = getElementTypeOrSelf(operand.get().getType());
    if (!isa<RankedTensorType>(operand.get().getType()) ||
        !(op.isDpsInput(&operand) ? takes(element) : gives(element)))
      return explain("not all of it is " + elements);
  }
  if (!isSum())
    return explain("no sum of products");
  FailureOr<SmallVector<unsigned>> order = orderLoops(op);
  if (failed(order))
    return explain("the result is not indexed by all parallel loops");

  SmallVector<AffineExpr> loops(order->size());
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  LinalgProduct result;
  for (auto [to, from] : llvm::enumerate(*order)) {
    loops[from] = getAffineDimExpr(to, op.getContext());
    result.sizes.push_back(ranges[from]);
  }
  result.parallel = op.getNumParallelLoops();
  for (OpOperand *input : op.getDpsInputOperands()) {
    result.operands.push_back(input->get());
    result.maps.push_back(
        op.getMatchingIndexingMap(input).replaceDimsAndSymbols(
            loops, {}, loops.size(), 0));
  }
  // The filter has the channels: of a matrix by a vector it is the matrix.
  if (result.parallel > 0 &&
      !result.maps[1].isFunctionOfDim(result.parallel - 1)) {
    std::swap(result.maps[0], result.maps[1]);
    std::swap(result.operands[0], result.operands[1]);
  }
  return result;
}

FailureOr<LinalgProduct> bquant::getFloatProduct(linalg::LinalgOp op,
                                                 ExplainFn explain) {
  if (isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(
          op.getOperation()))
    return explain("its body is written out");
  auto isF32 = [](Type type) { return type.isF32(); };
  return getProduct(
      op, isF32, isF32, "f32",
      [&] {
        return isSumOfProducts<arith::AddFOp, arith::MulFOp>(
            op, [](Value value) { return value; });
      },
      explain);
}

FailureOr<LinalgProduct> bquant::getByteProduct(linalg::LinalgOp op,
                                                ExplainFn explain) {
  auto widened = [](Value value) -> Value {
    auto extension = value.getDefiningOp<arith::ExtSIOp>();
    return extension ? extension.getIn() : Value();
  };
  FailureOr<LinalgProduct> product = getProduct(
      op, [](Type type) { return type.isSignlessInteger(8); },
      [](Type type) { return type.isSignlessInteger(32); }, "i8, summed in i32",
      [&] {
        return isSumOfProducts<arith::AddIOp, arith::MulIOp>(op, widened);
      },
      explain);
  if (failed(product))
    return failure();
  // The loop along the input's rows comes last; of channels with an input each
  // one of a window, the first that goes anywhere.
  unsigned loops = product->sizes.size(), from = product->parallel;
  ArrayRef<AffineExpr> indices = product->maps[0].getResults();
  auto row = dyn_cast_or_null<AffineDimExpr>(indices.empty() ? AffineExpr()
                                                             : indices.back());
  if (row && row.getPosition() >= product->parallel)
    from = row.getPosition();
  else if (product->parallel > 0 &&
           readsLanes(product->maps[0], product->parallel - 1))
    while (from + 1 < loops && product->sizes[from] == 1)
      ++from;
  else
    return product;
  SmallVector<AffineExpr> order;
  for (unsigned d = 0; d < loops; ++d)
    order.push_back(getAffineDimExpr(d == from  ? loops - 1
                                     : d > from ? d - 1
                                                : d,
                                     op.getContext()));
  for (AffineMap &map : product->maps)
    map = map.replaceDimsAndSymbols(order, {}, loops, 0);
  int64_t size = product->sizes[from];
  product->sizes.erase(product->sizes.begin() + from);
  product->sizes.push_back(size);
  return product;
}

std::optional<std::pair<unsigned, int64_t>> bquant::findStride(AffineMap map,
                                                               unsigned loop) {
  std::optional<std::pair<unsigned, int64_t>> found;
  for (auto [d, index] : llvm::enumerate(map.getResults())) {
    if (!index.isFunctionOfDim(loop))
      continue;
    MLIRContext *context = map.getContext();
    AffineExpr expr = getAffineDimExpr(loop, context);
    AffineExpr next = index.replace(expr, expr + 1);
    auto stride = dyn_cast<AffineConstantExpr>(
        simplifyAffineExpr(next - index, map.getNumDims(), 0));
    if (found || !stride || stride.getValue() < 1)
      return std::nullopt;
    found = {d, stride.getValue()};
  }
  return found;
}

unsigned bquant::countRowLoops(const LinalgProduct &product) {
  AffineMap map = product.maps[0];
  unsigned loops = product.sizes.size(), rank = map.getNumResults();
  auto type = cast<RankedTensorType>(product.operands[0].getType());
  if (rank < 2 || loops < product.parallel + 2 || !type.hasStaticShape() ||
      type.getShape().back() != product.sizes.back())
    return 1;
  MLIRContext *context = map.getContext();
  AffineExpr channel = getAffineDimExpr(loops - 1, context),
             tap = getAffineDimExpr(loops - 2, context);
  auto isOfRow = [&](AffineExpr index) {
    return index.isFunctionOfDim(loops - 1) || index.isFunctionOfDim(loops - 2);
  };
  AffineExpr start =
      simplifyAffineExpr(map.getResult(rank - 2) - tap, loops, 0);
  bool isRow = map.getResults().back() == channel && !isOfRow(start) &&
               product.maps[1].isFunctionOfDim(loops - 1) &&
               product.maps[1].isFunctionOfDim(loops - 2) &&
               llvm::none_of(map.getResults().drop_back(2), isOfRow);
  return isRow ? 2 : 1;
}

std::optional<SmallVector<int8_t>> bquant::getConstantBytes(Value tensor) {
  ElementsAttr attr = getConstantTensor(tensor);
  if (!attr || !attr.getElementType().isSignlessInteger(8) ||
      attr.getNumElements() > kMostValues)
    return std::nullopt;
  std::optional<ArrayRef<char>> raw = getRawBytes(attr);
  if (!raw)
    return std::nullopt;
  if (raw->size() == 1)
    return SmallVector<int8_t>(attr.getNumElements(), raw->front());
  return SmallVector<int8_t>(raw->begin(), raw->end());
}

std::optional<FilterRows> bquant::getFilterRows(const LinalgProduct &product) {
  std::optional<SmallVector<int8_t>> bytes =
      getConstantBytes(product.operands[1]);
  if (!bytes)
    return std::nullopt;
  AffineMap map = product.maps[1];
  auto type = cast<RankedTensorType>(product.operands[1].getType());
  auto perm = llvm::to_vector(llvm::seq<int64_t>(0, map.getNumResults()));
  llvm::sort(perm, [&](int64_t a, int64_t b) {
    return map.getDimPosition(a) < map.getDimPosition(b);
  });
  FilterRows filter;
  SmallVector<int64_t> shape = applyPermutation(type.getShape(), perm),
                       strides = applyPermutation(
                           computeStrides(type.getShape()), perm),
                       place(shape.size(), 0);
  for (auto [to, from] : llvm::enumerate(perm))
    if (map.getDimPosition(from) == product.parallel - 1)
      filter.outputs = to;
  filter.bytes.reserve(bytes->size());
  int64_t at = 0;
  while (filter.bytes.size() < bytes->size()) {
    filter.bytes.push_back((*bytes)[at]);
    for (int64_t d = place.size() - 1; d >= 0; --d) {
      at += strides[d];
      if (++place[d] < shape[d])
        break;
      at -= shape[d] * strides[d];
      place[d] = 0;
    }
  }
  unsigned rowLoops = countRowLoops(product);
  filter.shape.assign(shape.begin(), shape.end() - rowLoops);
  filter.shape.push_back(computeProduct(ArrayRef(shape).take_back(rowLoops)));
  return filter;
}

/// Those of lanes of `words` words.
static packed::WeightsOfLane getWeightsOfLanes(const FilterRows &filter,
                                               int64_t words) {
  packed::WeightsOfLane most;
  int64_t row = filter.shape.back(), group = words * kWordBytes;
  for (ArrayRef<int8_t> rows = filter.bytes; !rows.empty();
       rows = rows.drop_front(row))
    for (int64_t first = 0; first < row; first += group) {
      ArrayRef<int8_t> bytes = rows.slice(first, std::min(group, row - first));
      std::array<int64_t, 2> positive = {}, negative = {};
      for (auto [i, byte] : llvm::enumerate(bytes)) {
        int64_t half = i % kWordBytes / 2;
        (byte < 0 ? negative : positive)[half] += std::abs(int(byte));
      }
      for (auto [p, n] : llvm::zip_equal(positive, negative)) {
        most.ofSign = std::max({most.ofSign, p, n});
        most.magnitudes = std::max(most.magnitudes, p + n);
      }
    }
  return most;
}

/// Most words whose products are worth a sum in 16 bits: more take more
/// registers than that saves.
static constexpr int64_t kMostWords = 4;

std::optional<ProductShape>
bquant::getByteProductShape(const LinalgProduct &product) {
  std::optional<ProductShape> shape =
      getFloatProductShape(product.maps, product.sizes, product.parallel);
  if (!shape)
    return std::nullopt;
  if (shape->groups == 1) {
    int64_t row = computeProduct(
        ArrayRef(product.sizes).take_back(countRowLoops(product)));
    shape->taps = shape->taps * shape->channels / row;
    shape->channels = llvm::alignTo(row, kWordBytes);
  } else if (shape->isDepthwise()) {
    shape->lastTaps = product.sizes.back();
  }
  shape->floatInput = shape->floatFilter = false;
  shape->inputLevels = std::numeric_limits<uint8_t>::max();
  shape->filterLevels = std::numeric_limits<uint8_t>::max();
  std::optional<FilterRows> filter = getFilterRows(product);
  shape->constantFilter = filter.has_value();
  if (!filter)
    return shape;
  // As if of codes up to W, whose bytes are W at most. Such a byte need not
  // have W's parity: no kernel takes them with several in a byte.
  int64_t most = 1;
  for (int8_t byte : filter->bytes)
    most = std::max<int64_t>(most, std::abs(int(byte)));
  if (shape->groups == 1)
    for (int64_t words = 1; words <= kMostWords; ++words)
      shape->weightsOfLanes.push_back(getWeightsOfLanes(*filter, words));
  if (most <= std::numeric_limits<int8_t>::max())
    shape->filterLevels = most;
  return shape;
}

LogicalResult
bquant::verifyByteProduct(const LinalgProduct &product,
                          const std::optional<ProductShape> &shape,
                          ExplainFn explain) {
  AffineExpr last =
      getAffineDimExpr(product.sizes.size() - 1, product.maps[0].getContext());
  if (!shape)
    return explain("expected static sizes");
  if (shape->groups != 1 && !shape->isDepthwise())
    return explain("expected a convolution of one group, or of one for each "
                   "channel");
  if (shape->isDepthwise()
          ? !findStride(product.maps[0], product.sizes.size() - 1)
          : product.maps[0].getNumResults() == 0 ||
                product.maps[0].getResults().back() != last)
    return explain("expected an input whose rows are summed");
  for (unsigned d = product.parallel; d < product.sizes.size(); ++d)
    if (!product.maps[1].isFunctionOfDim(d))
      return explain("expected a filter that each sum goes along");
  return success();
}

static constexpr int64_t kExactInFloats = int64_t(1) << 24;
static constexpr int64_t kLargestByte = 128;

std::optional<int64_t> bquant::getLargestSum(const LinalgProduct &product) {
  int64_t most = kLargestByte * kLargestByte;
  if (std::optional<SmallVector<int8_t>> filter =
          getConstantBytes(product.operands[1])) {
    most = 1;
    for (int8_t byte : *filter)
      most = std::max<int64_t>(most, std::abs(int(byte)));
    most *= kLargestByte;
  }
  for (int64_t size : ArrayRef(product.sizes).drop_front(product.parallel))
    if (ShapedType::isDynamic(size) || llvm::MulOverflow(most, size, most))
      return std::nullopt;
  return most;
}

bool bquant::isExactInFloats(const LinalgProduct &product) {
  std::optional<int64_t> most = getLargestSum(product);
  return most && *most <= kExactInFloats;
}

FailureOr<LinalgProduct> bquant::getFloatProduct(ProductOp op) {
  if (!op.sumsFloats() || op.isLaidOut() || op.hasWords() || op.isOfBF16() ||
      op.readsTables())
    return failure();
  return LinalgProduct{{op.getInputs().front(), op.getFilters().front()},
                       op.getMaps(),
                       op.getLoopSizes(),
                       op.getNumParallelLoops()};
}

std::optional<unsigned> bquant::findLastLoop(AffineMap map) {
  AffineExpr last = getAffineDimExpr(map.getNumDims() - 1, map.getContext());
  for (auto [d, index] : llvm::enumerate(map.getResults()))
    if (index == last)
      return d;
  return std::nullopt;
}

LogicalResult bquant::verifyRounding(const LinalgProduct &loops,
                                     ExplainFn explain) {
  std::optional<ProductShape> shape =
      getFloatProductShape(loops.maps, loops.sizes, loops.parallel);
  if (!shape)
    return explain("expected static shapes");
  if (shape->groups != 1)
    return explain("expected a convolution of one group");
  ElementsAttr filter = getConstantTensor(loops.operands[1]);
  if (!filter || !getBits(filter))
    return explain("expected a constant filter");
  if (!findLastLoop(loops.maps[0]) || !findLastLoop(loops.maps[1]))
    return explain("expected an index that is the last loop");
  return success();
}
