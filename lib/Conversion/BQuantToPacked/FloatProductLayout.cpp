//===- FloatProductLayout.cpp - Float products as kernels want them -------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A filter has the dimensions of its product's loops in any order:
//
//   bquant_packed.product
//       kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>)
//       ins(%x : tensor<1x230x230x3xf32>) filters(%w : tensor<64x7x7x3xf32>)
//       maps = [(n, h, w, o, i, j, c) -> (n, h * 2 + i, w * 2 + j, c),
//               (n, h, w, o, i, j, c) -> (o, i, j, c)]
//
// Behind it, it has blocks of channels, then the other dimensions in the order
// of the loops; the last two loops are one where the input has them side by
// side:
//
//       ins(%x : tensor<1x230x690xf32>) filters(%w : tensor<2x7x21x32xf32>)
//       maps = [(n, h, w, o, i, t) -> (n, h * 2 + i, w * 6 + t),
//               (n, h, w, o, i, t) -> (o floordiv 32, i, t)]
//
// Where a step takes several elements the filter has them side by side in one,
// indexed by `t floordiv 2`.
//
//===----------------------------------------------------------------------===//

#include "Conversion/Common/FilterBlocks.h"
#include "FilterLayout.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace bquant;

/// The static slice with unit strides that `value` is, of a tensor of its rank;
/// null for anything else.
static tensor::ExtractSliceOp getSlice(Value value) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || slice.getType().getRank() != slice.getSourceType().getRank() ||
      llvm::any_of(slice.getStaticOffsets(), ShapedType::isDynamic) ||
      llvm::any_of(slice.getStaticSizes(), ShapedType::isDynamic) ||
      llvm::any_of(slice.getStaticStrides(),
                   [](int64_t stride) { return stride != 1; }))
    return {};
  return slice;
}

static Value createSlice(ImplicitLocOpBuilder &b, Value source,
                         ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
  if (cast<RankedTensorType>(source.getType()).getShape() == sizes)
    return source;
  return tensor::ExtractSliceOp::create(
      b, source, getAsIndexOpFoldResult(b.getContext(), offsets),
      getAsIndexOpFoldResult(b.getContext(), sizes),
      SmallVector<OpFoldResult>(sizes.size(), b.getIndexAttr(1)));
}

namespace {
class ProductLayout {
public:
  explicit ProductLayout(MLIRContext *context) : rewriter(context) {}

  void run(ProductOp op) {
    rewriter.setInsertionPoint(op);
    ImplicitLocOpBuilder b(op.getLoc(), rewriter);
    KernelAttrInterface kernel = op.getKernelInterface();
    SmallVector<AffineMap> maps = op.getMaps();
    unsigned channel = op.getNumParallelLoops() - 1;
    SmallVector<Value> filters;
    for (auto [i, map] : llvm::enumerate(MutableArrayRef(maps).drop_front())) {
      // Batches, channels, reductions: the order of the loops.
      auto perm = llvm::to_vector(llvm::seq<int64_t>(0, map.getNumResults()));
      llvm::sort(perm, [map = map](int64_t a, int64_t b) {
        return map.getDimPosition(a) < map.getDimPosition(b);
      });
      SmallVector<AffineExpr> indices;
      unsigned outputs = 0;
      for (auto [to, from] : llvm::enumerate(perm)) {
        indices.push_back(map.getResult(from));
        if (map.getDimPosition(from) == channel) {
          outputs = to;
          indices.back() = indices.back().floorDiv(kernel.getBlock());
        }
      }
      filters.push_back(layOut(b, kernel, op->getOperand(1 + i), map, perm,
                               outputs, op.getLoopSizes()[channel]));
      map = AffineMap::get(map.getNumDims(), 0, indices, b.getContext());
    }
    unsigned planes = op.getFilters().size();
    Value input =
        collapse(b, op, maps, MutableArrayRef(filters).take_front(planes));
    // The filter has an element for each step.
    AffineExpr last = b.getAffineDimExpr(maps.front().getNumDims() - 1);
    for (AffineMap &map : MutableArrayRef(maps).drop_front())
      map = map.replace(last, last.floorDiv(kernel.getStepSize()),
                        map.getNumDims(), 0);
    auto laidOut =
        ProductOp::create(b, op.getKernelAttr(), op.getFused(), input,
                          ArrayRef(filters).take_front(planes),
                          ArrayRef(filters).drop_front(planes), op.getInits(),
                          maps, op.getRatiosAttr());
    rewriter.replaceOp(op, laidOut);
  }

private:
  /// Slices of a filter are slices of the whole one, laid out.
  Value layOut(ImplicitLocOpBuilder &b, KernelAttrInterface kernel,
               Value filter, AffineMap map, ArrayRef<int64_t> perm,
               unsigned outputs, int64_t channels) {
    int64_t dim = perm[outputs];
    tensor::ExtractSliceOp slice = getSlice(filter);
    if (slice && slice.getType().getDimSize(dim) !=
                     slice.getSourceType().getDimSize(dim))
      slice = {};
    Value whole = slice ? slice.getSource() : filter;
    Value &laidOut = known[{whole, {map, Attribute(kernel), channels}}];
    if (!laidOut) {
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointAfterValue(whole);
      laidOut = layOutFloatFilter(b, kernel, whole, perm, outputs, channels);
    }
    if (!slice)
      return laidOut;
    ArrayRef<int64_t> all =
        cast<RankedTensorType>(laidOut.getType()).getShape();
    SmallVector<int64_t> offsets =
        applyPermutation(slice.getStaticOffsets(), perm);
    SmallVector<int64_t> sizes = applyPermutation(slice.getStaticSizes(), perm);
    sizes[outputs] = all[outputs];
    offsets.push_back(0);
    sizes.push_back(all.back());
    return createSlice(b, laidOut, offsets, sizes);
  }

  /// One loop for the last two where the input, and so each filter, has their
  /// elements side by side; returns the input.
  Value collapse(ImplicitLocOpBuilder &b, ProductOp op,
                 MutableArrayRef<AffineMap> maps,
                 MutableArrayRef<Value> filters) {
    Value input = op.getInputs().front();
    SmallVector<int64_t> sizes = op.getLoopSizes();
    unsigned last = sizes.size() - 1, tap = last - 1;
    AffineMap map = maps.front();
    int64_t rank = map.getNumResults();
    if (rank < 2 || tap < op.getNumParallelLoops() || sizes[tap] == 1)
      return input;
    AffineExpr lastLoop = b.getAffineDimExpr(last),
               tapLoop = b.getAffineDimExpr(tap);
    AffineExpr column = map.getResult(rank - 2);
    AffineExpr start = simplifyAffineExpr(
        column.replace(tapLoop, b.getAffineConstantExpr(0)), sizes.size(), 0);
    auto isOfBoth = [&](AffineExpr index) {
      return index.isFunctionOfDim(tap) || index.isFunctionOfDim(last);
    };
    int64_t channels = sizes[last];
    auto type = cast<RankedTensorType>(input.getType());
    if (map.getResult(rank - 1) != lastLoop ||
        type.getShape().back() != channels || isOfBoth(start) ||
        simplifyAffineExpr(column - start, sizes.size(), 0) != tapLoop ||
        llvm::any_of(map.getResults().drop_back(2), isOfBoth) ||
        llvm::any_of(maps.slice(1, filters.size()), [&](AffineMap filter) {
          return filter.getNumResults() < 2 ||
                 filter.getResults().back() != lastLoop ||
                 *(filter.getResults().end() - 2) != tapLoop;
        }))
      return input;
    // A slice of the input is one of its collapsed rows.
    if (tensor::ExtractSliceOp slice = getSlice(input)) {
      if (slice.getSourceType().getShape().back() != channels)
        return input;
      Value rows = collapseTwo(b, slice.getSource(), rank - 2);
      SmallVector<int64_t> offsets(slice.getStaticOffsets().drop_back()),
          shape(slice.getStaticSizes().drop_back());
      offsets.back() *= channels;
      shape.back() *= channels;
      input = createSlice(b, rows, offsets, shape);
    } else if (type.hasStaticShape() &&
               !input.getDefiningOp<tensor::ExtractSliceOp>()) {
      input = collapseTwo(b, input, rank - 2);
    } else {
      return input;
    }
    for (Value &filter : filters)
      filter = collapseFilter(b, filter);
    SmallVector<AffineExpr> indices(map.getResults().drop_back(2));
    indices.push_back(start * channels + tapLoop);
    maps.front() = AffineMap::get(last, 0, indices, b.getContext());
    for (auto [i, filter] : llvm::enumerate(maps.drop_front()))
      filter = AffineMap::get(
          last, 0, filter.getResults().drop_back(i < filters.size() ? 1 : 0),
          b.getContext());
    return input;
  }

  /// The last two dimensions in front of the lanes as one; of a slice by the
  /// whole filter.
  static Value collapseFilter(ImplicitLocOpBuilder &b, Value filter) {
    unsigned first = cast<RankedTensorType>(filter.getType()).getRank() - 3;
    tensor::ExtractSliceOp slice = getSlice(filter);
    if (!slice)
      return collapseTwo(b, filter, first);
    int64_t channels = slice.getType().getDimSize(first + 1);
    SmallVector<int64_t> offsets(slice.getStaticOffsets()),
        sizes(slice.getStaticSizes());
    for (SmallVector<int64_t> *of : {&offsets, &sizes}) {
      (*of)[first] *= channels;
      of->erase(of->begin() + first + 1);
    }
    return createSlice(b, collapseTwo(b, slice.getSource(), first), offsets,
                       sizes);
  }

  IRRewriter rewriter;
  /// By the filter, its map, its kernel and how many of its channels are read.
  DenseMap<std::pair<Value, std::tuple<AffineMap, Attribute, int64_t>>, Value>
      known;
};
} // namespace

void bquant::layOutFloatProducts(Operation *root) {
  SmallVector<ProductOp> products;
  root->walk([&](ProductOp op) {
    if (op.getKernelInterface() && !op.isLaidOut())
      products.push_back(op);
  });
  ProductLayout layout(root->getContext());
  for (ProductOp op : products)
    layout.run(op);
}
