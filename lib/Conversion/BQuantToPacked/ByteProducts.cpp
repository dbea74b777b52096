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
//   %s = linalg.generic ins(%start) { -128 * sum of w, plus a bias }
//   %y = bquant_packed.product kernel(#bquant_packed.bytes<..>)
//       ins(%a : tensor<4x64xi8>) filters(%v : tensor<1x16x32xi32>) outs(%s)
//
// Sums wrap on both sides, so there is no size beyond which they differ.
//
//===----------------------------------------------------------------------===//

#include "ByteProducts.h"
#include "Conversion/Common/FilterBlocks.h"
#include "Dialect/BQuant/Analysis/Elementwise.h"
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

static constexpr int64_t kSigned = 128;

/// Fewer channels than these do not fill a vector.
static constexpr int64_t kFewChannels = 16;

/// `type` of codes.
static RankedTensorType getCodesType(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return RankedTensorType::get(tensor.getShape(), tensor.getElementType(),
                               CodesLayoutAttr::get(type.getContext()));
}

static bool isPaddedWith(tensor::PadOp pad, APInt &fill) {
  return pad && pad.getConstantPaddingValue() &&
         matchPattern(pad.getConstantPaddingValue(), m_ConstantInt(&fill));
}

/// Another pad's constant may be in its own body.
static Value createByte(ImplicitLocOpBuilder &b, const APInt &byte) {
  return arith::ConstantOp::create(b, b.getIntegerAttr(b.getI8Type(), byte));
}

/// `bytes` with `more` elements at the end of dimension `d`.
static Value padBehind(ImplicitLocOpBuilder &b, Value bytes, unsigned d,
                       int64_t more) {
  if (!more)
    return bytes;
  auto type = cast<RankedTensorType>(bytes.getType());
  SmallVector<int64_t> shape(type.getShape());
  SmallVector<OpFoldResult> low(shape.size(), b.getIndexAttr(0)), high = low;
  Value source = bytes;
  APInt fill(kByteBits, 0);
  int64_t before = 0;
  auto pad = bytes.getDefiningOp<tensor::PadOp>();
  if (pad && !ShapedType::isDynamic(pad.getStaticHigh()[d]) &&
      isPaddedWith(pad, fill)) {
    source = pad.getSource();
    low = pad.getMixedLowPad();
    high = pad.getMixedHighPad();
    before = pad.getStaticHigh()[d];
  }
  shape[d] += more;
  high[d] = b.getIndexAttr(before + more);
  return tensor::PadOp::create(b, type.clone(shape), source, low, high,
                               createByte(b, fill));
}

/// A byte of the other kind, with a sign or without.
static Value createTurned(ImplicitLocOpBuilder &b, APInt byte) {
  byte.flipBit(byte.getBitWidth() - 1);
  return createByte(b, byte);
}

/// The bytes without a sign, maybe padded, of which `bytes` are made.
static Value findUnsigned(ImplicitLocOpBuilder &b, Value bytes) {
  APInt fill;
  auto pad = bytes.getDefiningOp<tensor::PadOp>();
  if (isPaddedWith(pad, fill)) {
    Value source = findUnsigned(b, pad.getSource());
    if (!source)
      return {};
    return tensor::PadOp::create(b, pad.getResultType(), source,
                                 pad.getMixedLowPad(), pad.getMixedHighPad(),
                                 createTurned(b, fill), pad.getNofold());
  }
  auto op = bytes.getDefiningOp<linalg::GenericOp>();
  return op && turnsBytes(op) ? op.getInputs().front() : Value();
}

/// The codes of the transpose of signed bytes that were made of others.
static Value createTransposedCodes(ImplicitLocOpBuilder &b, Value bytes) {
  auto transpose = bytes.getDefiningOp<linalg::TransposeOp>();
  Value source = transpose ? findUnsigned(b, transpose.getInput()) : Value();
  if (!source)
    return {};
  RankedTensorType type = getCodesType(bytes.getType());
  SmallVector<OpFoldResult> sizes = applyPermutation(
      tensor::getMixedSizes(b, b.getLoc(), source), transpose.getPermutation());
  Value empty = tensor::EmptyOp::create(b, sizes, type.getElementType(),
                                        type.getEncoding());
  return linalg::TransposeOp::create(b, source, empty,
                                     transpose.getPermutation())
      ->getResult(0);
}

/// The codes of signed bytes; padding stays behind what computes them.
static Value createCodes(ImplicitLocOpBuilder &b, Value bytes) {
  APInt fill;
  auto pad = bytes.getDefiningOp<tensor::PadOp>();
  if (isPaddedWith(pad, fill))
    return tensor::PadOp::create(b, getCodesType(pad.getResultType()),
                                 createCodes(b, pad.getSource()),
                                 pad.getMixedLowPad(), pad.getMixedHighPad(),
                                 createTurned(b, fill), pad.getNofold());
  if (Value codes = createTransposedCodes(b, bytes))
    return codes;
  if (auto collapse = bytes.getDefiningOp<tensor::CollapseShapeOp>())
    if (Value codes = createTransposedCodes(b, collapse.getSrc()))
      return tensor::CollapseShapeOp::create(
          b, getCodesType(bytes.getType()), codes,
          collapse.getReassociationIndices());
  return createTurnedBytes(b, getCodesType(bytes.getType()), bytes);
}

/// A constant filter whose rows are filled up to `filled` bytes with zeros.
static Value createWords(ImplicitLocOpBuilder &b, const FilterRows &filter,
                         int64_t filled) {
  SmallVector<int64_t> shape(filter.shape);
  int64_t row = filter.shape.back();
  shape.back() = filled / kWordBytes;
  SmallVector<uint32_t> words(computeProduct(shape), 0);
  for (auto [i, byte] : llvm::enumerate(filter.bytes)) {
    int64_t to = i / row * filled + i % row;
    words[to / kWordBytes] |= uint32_t(uint8_t(byte))
                              << (8 * (to % kWordBytes));
  }
  return createFilter(b, RankedTensorType::get(shape, b.getI32Type()), words);
}

/// `bytes` whose last two dimensions are one; those that are padded stay so.
/// Vectors go along the last one.
static Value collapsePixels(ImplicitLocOpBuilder &b, Value bytes) {
  auto type = cast<RankedTensorType>(bytes.getType());
  int64_t last = type.getRank() - 1, channels = type.getShape().back();
  auto pad = bytes.getDefiningOp<tensor::PadOp>();
  if (!pad)
    return collapseTwo(b, bytes, last - 1);
  ArrayRef<int64_t> low = pad.getStaticLow(), high = pad.getStaticHigh();
  APInt fill;
  if (!isPaddedWith(pad, fill) || low[last] != 0 || high[last] != 0 ||
      ShapedType::isDynamic(low[last - 1]) ||
      ShapedType::isDynamic(high[last - 1]))
    return collapseTwo(b, bytes, last - 1);
  SmallVector<OpFoldResult> before = pad.getMixedLowPad(),
                            after = pad.getMixedHighPad();
  before.pop_back();
  after.pop_back();
  before.back() = b.getIndexAttr(low[last - 1] * channels);
  after.back() = b.getIndexAttr(high[last - 1] * channels);
  SmallVector<int64_t> shape(type.getShape().drop_back());
  shape.back() *= channels;
  return tensor::PadOp::create(b, RankedTensorType::get(shape, b.getI8Type()),
                               collapseTwo(b, pad.getSource(), last - 1),
                               before, after, createByte(b, fill));
}

/// The codes of the input and the map that reads them. The last loop goes along
/// a filled row; in a depthwise convolution it goes down a column. Elements
/// past the end of a window are multiplied by zeros.
static std::pair<Value, AffineMap> createRows(ImplicitLocOpBuilder &b,
                                              const LinalgProduct &product,
                                              unsigned rowLoops,
                                              int64_t filled) {
  AffineMap map = product.maps[0];
  unsigned rank = map.getNumResults(), last = product.sizes.size() - rowLoops;
  int64_t channels = product.sizes.back();
  Value bytes = product.operands[0];
  if (rowLoops == 1) {
    auto [d, stride] = *findStride(map, product.sizes.size() - 1);
    Value padded = padBehind(b, bytes, d, (filled - channels) * stride);
    return {createCodes(b, padded), map};
  }
  int64_t more = filled - channels * product.sizes[last];
  bytes = padBehind(b, bytes, rank - 2, llvm::divideCeil(more, channels));
  if (channels < kFewChannels)
    bytes = collapsePixels(b, bytes);
  Value codes = createCodes(b, bytes);
  if (cast<RankedTensorType>(codes.getType()).getRank() == rank)
    codes = collapseTwo(b, codes, rank - 2);
  SmallVector<AffineExpr> indices(map.getResults().drop_back(2));
  AffineExpr tap = b.getAffineDimExpr(last);
  indices.push_back(simplifyAffineExpr(
      (map.getResult(rank - 2) - tap) * channels + tap, last + 1, 0));
  return {codes, AffineMap::get(last + 1, 0, indices, b.getContext())};
}

/// The constant for each channel that the only reader of a product adds first,
/// and adds no more. `result`, the product's, becomes the reader's if that does
/// nothing else.
static Value takeBias(RewriterBase &rewriter, Value &result) {
  auto reader = result.hasOneUse()
                    ? dyn_cast<linalg::GenericOp>(*result.user_begin())
                    : linalg::GenericOp();
  if (!reader || !reader.isDpsInput(&*result.use_begin()) ||
      reader.getNumReductionLoops() != 0 ||
      !reader.getMatchingIndexingMap(&*result.use_begin()).isIdentity())
    return {};
  BlockArgument sum = reader.getMatchingBlockArgument(&*result.use_begin());
  auto add = sum.hasOneUse() ? dyn_cast<arith::AddIOp>(*sum.user_begin())
                             : arith::AddIOp();
  if (!add || add->getParentOp() != reader)
    return {};
  auto arg = dyn_cast<BlockArgument>(add.getLhs() == sum ? add.getRhs()
                                                         : add.getLhs());
  if (!arg || arg.getOwner() != reader.getBlock() ||
      arg.getArgNumber() >= reader.getNumDpsInputs())
    return {};
  OpOperand *bias = reader.getMatchingOpOperand(arg);
  unsigned loops = reader.getNumLoops();
  AffineMap channel = AffineMap::get(
      loops, 0, getAffineDimExpr(loops - 1, rewriter.getContext()));
  if (reader.getMatchingIndexingMap(bias) != channel ||
      !getConstantTensor(bias->get()))
    return {};
  rewriter.replaceOp(add, sum);
  result = reader.getNumResults() == 1 &&
                   reader.getBlock()->getTerminator()->getOperand(0) == sum
               ? reader.getResult(0)
               : Value();
  return bias->get();
}

static void convert(linalg::LinalgOp op) {
  IRRewriter rewriter(op);
  ImplicitLocOpBuilder b(op.getLoc(), rewriter);
  LinalgProduct product = *getByteProduct(op);
  auto kernel = op->getAttrOfType<KernelAttrInterface>(kKernelName);
  unsigned rowLoops = countRowLoops(product);
  FilterRows filter = *getFilterRows(product);
  int64_t filled = llvm::alignTo(filter.shape.back(), kernel.getStepSize());
  Value words = createWords(b, filter, llvm::alignTo(filled, kWordBytes));
  auto [codes, map] = createRows(b, product, rowLoops, filled);

  ProductLoops loops;
  loops.kernel = kernel;
  for (int64_t size : ArrayRef(product.sizes).take_front(product.parallel))
    loops.sizes.push_back(b.getIndexAttr(size));
  llvm::append_range(
      loops.reductions,
      ArrayRef(product.sizes).drop_front(product.parallel).drop_back(rowLoops));
  loops.reductions.push_back(filled);
  loops.bits = computeProduct(loops.reductions);
  loops.lhs = map;
  for (unsigned d = 0; d < product.parallel; ++d)
    if (product.maps[1].isFunctionOfDim(d))
      loops.rhsLoops.push_back(d);
  Value laidOut = layOutFilter(b, kernel, words, filter.shape, filter.outputs);
  SmallVector<AffineExpr> indices;
  for (int64_t d : loops.rhsLoops)
    indices.push_back(b.getAffineDimExpr(d));
  indices.back() = indices.back().floorDiv(kernel.getBlock());
  unsigned rank = loops.lhs.getNumDims();
  for (unsigned d = product.parallel; d < rank; ++d)
    indices.push_back(b.getAffineDimExpr(d));
  indices.back() = indices.back().floorDiv(kernel.getStepSize());
  loops.rhs = AffineMap::get(rank, 0, indices, b.getContext());

  PackedOperands operands;
  operands.lhs = {{codes, Value(), /*factor=*/1, /*scalar=*/0}};
  operands.rhs = {{laidOut, Value(), /*factor=*/1, /*scalar=*/0}};
  operands.rhsWindows = {words};
  SmallVector<std::pair<int64_t, Value>> terms{
      {-kSigned, createCodeSums(b, CodeMeaning{0, /*gain=*/1, /*offset=*/0},
                                words, loops.rhsLoops.size(), loops.bits)}};
  Value result = loops.rhsLoops.size() == 1 ? op->getResult(0) : Value();
  while (result) {
    Value bias = takeBias(rewriter, result);
    if (!bias)
      break;
    terms.push_back({1, bias});
  }
  operands.start = createLinear(b, 0, terms);
  Value sums = createProductOfCodes(b, loops, operands);

  Value init = op.getDpsInits().front();
  auto fill = init.getDefiningOp<linalg::FillOp>();
  if (fill && matchPattern(fill.getInputs().front(), m_Zero())) {
    rewriter.replaceOp(op, sums);
    return;
  }
  AffineMap all = b.getMultiDimIdentityMap(product.parallel);
  Inputs inputs;
  Inputs::Handle sum = inputs.add(sums, all), start = inputs.add(init, all);
  rewriter.replaceOp(
      op, createElementwise(b, loops.sizes, b.getI32Type(), inputs,
                            [&](OpBuilder &b, Location loc, ValueRange args) {
                              return arith::AddIOp::create(
                                  b, loc, sum.get(b, loc, args),
                                  start.get(b, loc, args));
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
