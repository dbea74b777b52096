//===- ByteProducts.cpp - Linalg's products of bytes, packed --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %y = linalg.matmul {bquant.kernel = #bquant_packed.bytes<..>}
//       ins(%x, %w : tensor<4x64xi8>, tensor<64x32xi8>)
//       outs(%zero : tensor<4x32xi32>)
//
// becomes, a signed byte x being the code x + 128,
//
//   %a = linalg.generic ins(%x) { arith.xori %x, -128 }
//   %p = bquant_packed.product kernel(#bquant_packed.bytes<..>)
//       ins(%a : tensor<4x64xi8>) filters(%v : tensor<1x16x32xi32>) ...
//   %y = linalg.generic ins(%p, %sums) { %p - 128 * sum of w }
//
// Sums wrap on both sides, so there is no size beyond which they differ.
//
//===----------------------------------------------------------------------===//

#include "ByteProducts.h"
#include "Conversion/Common/FilterBlocks.h"
#include "Dialect/BQuant/Analysis/LinalgProducts.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "FilterLayout.h"
#include "PackedProducts.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace bquant;

static constexpr int64_t kBytesOfWord = 4, kSigned = 128;

/// `type` of codes.
static RankedTensorType getCodesType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               CodesLayoutAttr::get(type.getContext()));
}

/// The codes of signed bytes; padding stays behind what computes them.
static Value createCodes(ImplicitLocOpBuilder &b, Value bytes) {
  auto pad = bytes.getDefiningOp<tensor::PadOp>();
  APInt fill;
  if (pad && pad.getConstantPaddingValue() &&
      matchPattern(pad.getConstantPaddingValue(), m_ConstantInt(&fill))) {
    Value source = createCodes(b, pad.getSource());
    fill.flipBit(fill.getBitWidth() - 1);
    Value value =
        arith::ConstantOp::create(b, b.getIntegerAttr(b.getI8Type(), fill));
    return tensor::PadOp::create(b, getCodesType(pad.getResultType()), source,
                                 pad.getMixedLowPad(), pad.getMixedHighPad(),
                                 value, pad.getNofold());
  }
  return createElementwise(b, getCodesType(bytes.getType()), bytes,
                           [](OpBuilder &b, Location loc, ValueRange args) {
                             Value top = arith::ConstantOp::create(
                                 b, loc,
                                 b.getIntegerAttr(b.getI8Type(), -kSigned));
                             return arith::XOrIOp::create(b, loc, args[0], top);
                           });
}

namespace {
/// A constant filter in the order of the loops, four bytes in a word.
struct Filter {
  Value words;
  SmallVector<int64_t> shape; // In bytes.
  unsigned outputs;           // The dimension of the channels.
};
} // namespace

static Filter createWords(ImplicitLocOpBuilder &b, const LinalgProduct &product,
                          AffineMap map) {
  SmallVector<int8_t> bytes = *getConstantBytes(product.operands[1]);
  auto type = cast<RankedTensorType>(product.operands[1].getType());
  auto perm = llvm::to_vector(llvm::seq<int64_t>(0, map.getNumResults()));
  llvm::sort(perm, [&](int64_t a, int64_t b) {
    return map.getDimPosition(a) < map.getDimPosition(b);
  });
  Filter filter;
  filter.shape = applyPermutation(type.getShape(), perm);
  for (auto [to, from] : llvm::enumerate(perm))
    if (map.getDimPosition(from) == product.parallel - 1)
      filter.outputs = to;
  SmallVector<int64_t> strides =
      applyPermutation(computeStrides(type.getShape()), perm);
  SmallVector<uint32_t> words(bytes.size() / kBytesOfWord, 0);
  SmallVector<int64_t> place(filter.shape.size(), 0);
  for (size_t i = 0; i < bytes.size(); ++i) {
    int64_t at = 0;
    for (auto [index, stride] : llvm::zip_equal(place, strides))
      at += index * stride;
    words[i / kBytesOfWord] |= uint32_t(uint8_t(bytes[at]))
                               << (8 * (i % kBytesOfWord));
    for (int64_t d = place.size() - 1; d >= 0; --d) {
      if (++place[d] < filter.shape[d])
        break;
      place[d] = 0;
    }
  }
  SmallVector<int64_t> shape(filter.shape);
  shape.back() /= kBytesOfWord;
  filter.words =
      createFilter(b, RankedTensorType::get(shape, b.getI32Type()), words);
  return filter;
}

/// Makes one loop of the last two, where the input has their elements side by
/// side. Returns whether it did.
static bool collapseRow(ImplicitLocOpBuilder &b, const LinalgProduct &product,
                        ProductLoops &loops, Value &codes) {
  AffineMap map = loops.lhs;
  unsigned last = product.sizes.size() - 1, tap = last - 1;
  int64_t rank = map.getNumResults(), channels = product.sizes[last];
  auto type = cast<RankedTensorType>(codes.getType());
  if (rank < 2 || tap < product.parallel ||
      type.getShape().back() != channels || !type.hasStaticShape())
    return false;
  AffineExpr tapLoop = b.getAffineDimExpr(tap),
             column = map.getResult(rank - 2);
  AffineExpr start = simplifyAffineExpr(
      column.replace(tapLoop, b.getAffineConstantExpr(0)), last + 1, 0);
  auto isOfBoth = [&](AffineExpr index) {
    return index.isFunctionOfDim(tap) || index.isFunctionOfDim(last);
  };
  if (isOfBoth(start) ||
      simplifyAffineExpr(column - start, last + 1, 0) != tapLoop ||
      llvm::any_of(map.getResults().drop_back(2), isOfBoth))
    return false;
  codes = collapseTwo(b, codes, rank - 2);
  SmallVector<AffineExpr> indices(map.getResults().drop_back(2));
  indices.push_back(start * channels + tapLoop);
  loops.lhs = AffineMap::get(last, 0, indices, b.getContext());
  return true;
}

static void convert(linalg::LinalgOp op) {
  IRRewriter rewriter(op);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  LinalgProduct product = *getByteProduct(op);
  auto kernel = op->getAttrOfType<KernelAttrInterface>(kKernelName);
  unsigned last = product.sizes.size() - 1;
  Filter filter = createWords(b, product, product.maps[1]);
  Value codes = createCodes(b, product.operands[0]);

  ProductLoops loops;
  loops.kernel = kernel;
  for (int64_t size : ArrayRef(product.sizes).take_front(product.parallel))
    loops.sizes.push_back(b.getIndexAttr(size));
  llvm::append_range(loops.reductions,
                     ArrayRef(product.sizes).drop_front(product.parallel));
  loops.bits = computeProduct(loops.reductions);
  loops.lhs = product.maps[0];
  for (unsigned d = 0; d < product.parallel; ++d)
    if (product.maps[1].isFunctionOfDim(d))
      loops.rhsLoops.push_back(d);
  Value laidOut =
      layOutFilter(b, kernel, filter.words, filter.shape, filter.outputs);
  SmallVector<AffineExpr> indices;
  for (int64_t d : loops.rhsLoops)
    indices.push_back(b.getAffineDimExpr(d));
  indices.back() = indices.back().floorDiv(kernel.getBlock());
  bool collapsed = collapseRow(b, product, loops, codes);
  if (collapsed) {
    laidOut = collapseTwo(
        b, laidOut, cast<RankedTensorType>(laidOut.getType()).getRank() - 3);
    loops.reductions.pop_back();
    loops.reductions.back() *= product.sizes[last];
  }
  unsigned rank = last + (collapsed ? 0 : 1);
  for (unsigned d = product.parallel; d < rank; ++d)
    indices.push_back(b.getAffineDimExpr(d));
  indices.back() = indices.back().floorDiv(kernel.getStepSize());
  loops.rhs = AffineMap::get(rank, 0, indices, b.getContext());

  PackedOperands operands;
  operands.lhs = {{codes, Value(), /*factor=*/1, /*scalar=*/0}};
  operands.rhs = {{laidOut, Value(), /*factor=*/1, /*scalar=*/0}};
  operands.rhsWindows = {filter.words};
  Value sums = createProductOfCodes(b, loops, operands);
  Value base = createLinear(
      b, 0,
      {{-kSigned,
        createCodeSums(b, CodeMeaning{0, /*gain=*/1, /*offset=*/0},
                       filter.words, loops.rhsLoops.size(), loops.bits)}});

  AffineMap all = b.getMultiDimIdentityMap(product.parallel);
  Inputs inputs;
  Inputs::Handle sum = inputs.add(sums, all);
  Inputs::Handle taken = inputs.add(
      base, getLoopMap(b.getContext(), product.parallel, loops.rhsLoops));
  std::optional<Inputs::Handle> start;
  Value init = op.getDpsInits().front();
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (!fill || !matchPattern(fill.getInputs().front(), m_Zero()))
    start = inputs.add(init, all);
  rewriter.replaceOp(
      op, createElementwise(b, loops.sizes, b.getI32Type(), inputs,
                            [&](OpBuilder &b, Location loc, ValueRange args) {
                              Value total = arith::AddIOp::create(
                                  b, loc, sum.get(b, loc, args),
                                  taken.get(b, loc, args));
                              if (start)
                                total = arith::AddIOp::create(
                                    b, loc, total, start->get(b, loc, args));
                              return SmallVector<Value>{total};
                            }));
}

void bquant::packByteProducts(Operation *root) {
  SmallVector<linalg::LinalgOp> products;
  root->walk([&](linalg::LinalgOp op) {
    auto kernel = op->getAttrOfType<KernelAttrInterface>(kKernelName);
    if (kernel && !kernel.sumsFloats() && succeeded(getByteProduct(op)))
      products.push_back(op);
  });
  for (linalg::LinalgOp op : products)
    convert(op);
}
