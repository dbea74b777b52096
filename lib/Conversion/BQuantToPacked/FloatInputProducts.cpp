//===- FloatInputProducts.cpp - Floats by packed signs --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A filter of bits by a float input is `bquant_packed.product`: one f32 sum for
// each scalar. The bits of one word are output channels, so that a word is a
// mask of the lanes of a vector, to be laid out for its kernel later:
//
//   %y = bquant_packed.product ins(%x)
//       filters(%words : tensor<kh x kw x c x (oc / 32) x i32>) outs(%zeros)
//
// By tables see TableProducts.h. Taps outside the image are left out,
// one region for each border class (or are zeros, where these are too many): 0
// by a sign changes no accumulator, since a sum that starts from +0.0 is never
// -0.0.
//
//===----------------------------------------------------------------------===//

#include "BorderRegions.h"
#include "Conversion/Common/Scale.h"
#include "Dialect/BQuant/Analysis/Products.h"
#include "Dialect/BQuant/IR/RawElements.h"
#include "PackedWords.h"
#include "TableProducts.h"
#include "bquant/Target/ModuleTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace bquant;

/// Bits [outer][n][inner...][c] as words [outer][inner...][c][n / 32], `dim`
/// the dimension n.
static SmallVector<uint32_t>
transposeBits(ArrayRef<uint32_t> words, ArrayRef<int64_t> shape, int64_t dim) {
  int64_t outer = computeProduct(shape.take_front(dim)), n = shape[dim],
          c = shape.back(),
          inner = computeProduct(shape.drop_front(dim + 1).drop_back());
  int64_t from = llvm::divideCeil(c, kWordBits),
          to = llvm::divideCeil(n, kWordBits);
  SmallVector<uint32_t> out(outer * inner * c * to, 0);
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < inner; ++i)
        for (int64_t k = 0; k < c; ++k) {
          uint32_t word =
              words[((o * n + j) * inner + i) * from + k / kWordBits];
          uint32_t bit = word >> (k % kWordBits) & 1;
          out[((o * inner + i) * c + k) * to + j / kWordBits] |=
              bit << (j % kWordBits);
        }
  return out;
}

/// The planes of `filter` as words along dimension `dim`, which becomes the
/// last one.
static SmallVector<Value> createTransposedWords(ImplicitLocOpBuilder &b,
                                                const LoweredValue &filter,
                                                int64_t dim) {
  ArrayRef<int64_t> from = filter.type.getShape();
  auto perm = llvm::to_vector(llvm::seq<int64_t>(0, from.size()));
  perm.erase(perm.begin() + dim);
  perm.push_back(dim);
  SmallVector<int64_t> bits = applyPermutation(from, perm);
  RankedTensorType type =
      getPackedType(WordsLayoutAttr::get(b.getContext()), bits);

  SmallVector<Value> result;
  for (Value plane : filter.planes)
    if (std::optional<SmallVector<uint32_t>> words = getConstantBits(plane))
      result.push_back(createFilter(b, type, transposeBits(*words, from, dim)));
  if (result.size() == filter.planes.size())
    return result;

  result = createUnpack(b, filter.planes, filter.type.getShape().back());
  for (Value &plane : result) {
    Value init = tensor::EmptyOp::create(b, bits, b.getI1Type());
    plane = linalg::TransposeOp::create(b, plane, init, perm)->getResult(0);
  }
  auto pack = packed::PackOp::create(
      b, ArrayRef<LayoutAttrInterface>(WordsLayoutAttr::get(b.getContext())),
      result);
  return SmallVector<Value>(pack.getResults());
}

/// One sum for each scalar: `input` along `lhs` by the signs in `words` along
/// `rhs`. `op` is what the sums are of.
static SmallVector<Value>
createFloatDots(ImplicitLocOpBuilder &b, Operation *op,
                ArrayRef<OpFoldResult> sizes, Value input, AffineMap lhs,
                SBTensorType type, ArrayRef<Value> words, AffineMap rhs) {
  SmallVector<Value> inits;
  for (int64_t i = 0; i < type.getNumScalars(); ++i) {
    Value zero = arith::ConstantOp::create(b, b.getF32FloatAttr(0));
    Value empty = tensor::EmptyOp::create(b, sizes, b.getF32Type());
    inits.push_back(linalg::FillOp::create(b, zero, empty).getResult(0));
  }
  SmallVector<AffineMap> maps(1 + words.size(), rhs);
  maps.front() = lhs;
  // The pass has asked for it, and failed if there is none.
  FailureOr<TargetDescription> target = getModuleDescription(op);
  auto product = ProductOp::create(
      b, getKernelAttr(op), succeeded(target) && target->fusesMultiplyAdd,
      input, words,
      /*levels=*/ValueRange(), inits, maps,
      type.hasRatios() ? b.getDenseI64ArrayAttr(type.getRatios())
                       : DenseI64ArrayAttr());
  return SmallVector<Value>(product.getResults());
}

/// The kernel of `op` that sums several channels at a time; null without one.
static KernelAttrInterface getTableKernel(Operation *op) {
  KernelAttrInterface kernel = getKernel(op);
  return kernel && kernel.readsTables() ? kernel : nullptr;
}

Value bquant::createMatmulOfFloats(ImplicitLocOpBuilder &b, MatmulOp op,
                                   Value lhs, const LoweredValue &rhs) {
  // (batch,) m, n; k.
  int64_t rank = op.getType().getRank();
  SmallVector<int64_t> lhsLoops{rank - 2, rank}, rhsLoops{rank, rank - 1};
  if (rank == 3) {
    lhsLoops.insert(lhsLoops.begin(), 0);
    rhsLoops.insert(rhsLoops.begin(), 0);
  }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(b, b.getLoc(), lhs);
  sizes.back() = b.getIndexAttr(rhs.type.getShape()[rank - 2]);
  AffineMap lhsMap = getLoopMap(b.getContext(), rank + 1, lhsLoops);
  SmallVector<Value> dots;
  if (KernelAttrInterface kernel = getTableKernel(op)) {
    SmallVector<AffineExpr> filter{
        b.getAffineDimExpr(rank - 1).floorDiv(kernel.getBlock()),
        b.getAffineDimExpr(rank).floorDiv(kernel.getStepSize())};
    if (rank == 3)
      filter.insert(filter.begin(), b.getAffineDimExpr(0));
    dots =
        createTableDots(b, kernel, sizes, createTables(b, kernel, lhs), lhsMap,
                        rhs.type, createTableFilters(b, kernel, rhs, rank - 2),
                        AffineMap::get(rank + 1, 0, filter, b.getContext()));
  } else {
    dots = createFloatDots(b, op, sizes, lhs, lhsMap, rhs.type,
                           createTransposedWords(b, rhs, rank - 2),
                           getLoopMap(b.getContext(), rank + 1, rhsLoops));
  }
  return createScale(b, sizes, dots, /*lhs=*/nullptr, getRhsScalars(rhs, rank));
}

Value bquant::createConv2DOfFloats(ImplicitLocOpBuilder &b, Conv2DOp op,
                                   Value input, const LoweredValue &filter) {
  auto inputType = cast<RankedTensorType>(input.getType());
  ArrayRef<int64_t> shape = op.getType().getShape();
  SmallVector<OpFoldResult> sizes{
      tensor::getMixedSize(b, b.getLoc(), input, 0)};
  for (int64_t size : shape.drop_front())
    sizes.push_back(b.getIndexAttr(size));
  std::array<Window, 2> windows;
  for (int d = 0; d < 2; ++d)
    windows[d] = {inputType.getDimSize(d + 1), filter.type.getDimSize(d + 1),
                  op.getStrides()[d], op.getDilations()[d],
                  op.getPads()[2 * d]};
  input =
      createPad(b, input, choosePads(windows, shape.slice(1, 2), op.getPads()),
                b.getF32FloatAttr(0));
  // Of a group, and all.
  int64_t channels = filter.type.getShape().back(), filters = shape[3];
  KernelAttrInterface tables = getTableKernel(op);
  SmallVector<Value> planes;
  if (tables) {
    input = createTables(b, tables, input);
    planes = createTableFilters(b, tables, filter, 0);
  } else {
    planes = createTransposedWords(b, filter, 0);
  }
  // The filter's dimension of rows.
  int64_t window = tables ? 1 : 0;

  // n, oh, ow, oc; kh, kw, c.
  SmallVector<AffineExpr> d(7);
  bindDimsList(b.getContext(), MutableArrayRef(d));
  AffineExpr channel = d[6];
  if (op.getGroups() != 1) {
    AffineExpr group = d[3].floorDiv(filters / op.getGroups());
    channel = channels == 1 ? group : group * channels + d[6];
  }
  auto lhs = AffineMap::get(
      7, 0,
      {d[0], d[1] * windows[0].stride + d[4] * windows[0].dilation,
       d[2] * windows[1].stride + d[5] * windows[1].dilation, channel},
      b.getContext());
  SmallVector<AffineExpr> indices{d[4], d[5], d[6], d[3]};
  if (tables)
    indices = {d[3].floorDiv(tables.getBlock()), d[4], d[5],
               d[6].floorDiv(tables.getStepSize())};
  auto rhs = AffineMap::get(7, 0, indices, b.getContext());

  auto createBorderRegion = [&](const BorderClass &h, const BorderClass &w) {
    SmallVector<OpFoldResult> regionSizes =
        getBorderRegionSizes(b, sizes, h, w);
    if (h.getTaps() * w.getTaps() == 0) {
      SmallVector<Type> elements(filter.type.getNumScalars(), b.getF32Type());
      return createElementwise(b, regionSizes, elements, Inputs(),
                               [&](OpBuilder &b, Location loc, ValueRange) {
                                 return SmallVector<Value>(
                                     elements.size(), createF32(b, loc, 0));
                               });
    }
    Value image = createRegionImage(b, input, windows, h, w);
    SmallVector<Value> taps;
    for (Value plane : planes)
      taps.push_back(createRegionTaps(b, plane, window, h, w));
    return tables ? createTableDots(b, tables, regionSizes, image, lhs,
                                    filter.type, taps, rhs)
                  : createFloatDots(b, op, regionSizes, image, lhs, filter.type,
                                    taps, rhs);
  };

  SmallVector<Value> dots = assembleBorderRegions(
      b, sizes, getBorderClasses(windows[0], shape[1]),
      getBorderClasses(windows[1], shape[2]), createBorderRegion);
  return createScale(b, sizes, dots, /*lhs=*/nullptr, getRhsScalars(filter, 4));
}
