//===- SumTable.cpp - Float inputs by tables of their sums ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %table = vector.transfer_read %tables : vector<8xf32>    // of three inputs
//   %index = arith.shrui %filter, 3 * i : vector<8xi32>
//   %sum = %sum + permute(%table, %index)
//
// An index has a bit for each of three inputs, the instruction reads no others;
// of 512 bits five, of a table in two registers. So a lookup and an addition do
// the work of three or five additions, and of picking as many signs. A step is
// a word of the filter in each lane: ten indices, or six.
//
//===----------------------------------------------------------------------===//

#include "KernelModel.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::packed;

/// Rows of a tile in registers of 256 bits; what of the registers sums take,
/// where there is but one row: its tables and an index are in the others. In
/// registers of 512 a table is two of them, and those of a row alone fill half
/// of the second cache: as many filters as can be then share what is read of
/// it.
static constexpr int64_t kRows = 4, kShareOfSums = 4;

namespace {
struct Selection : SelectionModel<Selection, SumTableAttr> {
  LogicalResult verifyProduct(Attribute attr, const ProductShape &shape,
                              const TargetDescription &target,
                              ExplainFn explain) const {
    if (get(attr).getBits() > target.lanePermuteBits)
      return explain(
          "expected a target that permutes the lanes of registers of " +
          Twine(get(attr).getBits()) + " bits");
    if (shape.floatFilter || shape.levels > 0)
      return explain("expected a filter of signs");
    if (!shape.constantFilter)
      return explain("expected a constant filter");
    if (shape.groups != 1)
      return explain("expected one group, but got " + Twine(shape.groups));
    return success();
  }

  double getCycles(Attribute attr, const ProductShape &shape,
                   const TargetDescription &target) const {
    SumTableAttr kernel = get(attr);
    ProductShape planes = shape;
    planes.filterPlanes = shape.signPlanes;
    int64_t words = llvm::divideCeil(shape.channels, getWordChannels(kernel));
    double tables =
        double(shape.rows) * words * kernel.getIndices() * kernel.getEntries();
    return countCycles(planes, attr, shape.taps * words, countSums(planes),
                       target.costs.sumTable, target.otherCosts) +
           target.otherCosts.writeTableEntry * tables;
  }

  double getLimitCycles(Attribute attr, const ProductShape &shape,
                        const TargetDescription &target) const {
    double planes = double(shape.signPlanes) / double(shape.filterPlanes);
    return shape.getMacs() * planes / getWordChannels(get(attr)) /
           getLanes(attr) * target.costs.sumTable.step;
  }

  /// Channels of a word of the filter.
  static int64_t getWordChannels(SumTableAttr kernel) {
    return kernel.getTerms() * kernel.getIndices();
  }
};

struct InnerTile : FloatSumModel<InnerTile, SumTableAttr> {
  int64_t getInputChannels(Attribute attr) const {
    return get(attr).getTerms();
  }

  int64_t getStepSize(Attribute attr) const { return get(attr).getIndices(); }
  FilterLayoutAttrInterface getFilterLayout(Attribute attr) const {
    return getBlocks(
        attr, IndicesLayoutAttr::get(attr.getContext(), get(attr).getTerms()));
  }

  SmallVector<Value> emitInput(Attribute, ImplicitLocOpBuilder &,
                               const ProductForm &, ValueRange tables) const {
    return SmallVector<Value>(tables);
  }

  SmallVector<Value> emitStep(Attribute attr, ImplicitLocOpBuilder &b,
                              const ProductForm &, ValueRange partial,
                              ValueRange tables, ValueRange filter) const {
    Value sum = partial.front(), word = filter.front();
    for (auto [i, table] : llvm::enumerate(tables)) {
      Value index = word;
      if (i > 0) {
        Value shift = createSplat(b, cast<VectorType>(word.getType()),
                                  get(attr).getTerms() * i);
        index = arith::ShRUIOp::create(b, word, shift);
      }
      sum = arith::AddFOp::create(b, sum, lookUp(attr, b, table, index));
    }
    return {sum};
  }

private:
  Value lookUp(Attribute attr, ImplicitLocOpBuilder &b, Value table,
               Value index) const {
    VectorType type = getSumType(attr);
    StringRef name = "llvm.x86.avx2.permps";
    SmallVector<Value> operands{table, index};
    if (get(attr).getBits() == 512) {
      auto half = [&](int64_t first) -> Value {
        return vector::ExtractStridedSliceOp::create(
            b, table, first, type.getDimSize(0), /*strides=*/1);
      };
      name = "llvm.x86.avx512.vpermi2var.ps.512";
      operands = {half(0), index, half(type.getDimSize(0))};
    }
    return callIntrinsic(b, type, name, operands);
  }
};
} // namespace

static SmallVector<Attribute> getTiles(MLIRContext *context,
                                       const ProductShape &shape,
                                       const TargetDescription &target) {
  int64_t bits = std::max<int64_t>(target.lanePermuteBits, 256);
  int64_t lanes = bits / kWordBits, planes = shape.signPlanes;
  int64_t rows = bits == 512 ? 1 : std::min(shape.rows, kRows);
  // Whole words of channels: what follows may pack them.
  int64_t sums = target.vectorRegisters / kShareOfSums;
  int64_t registers = std::max<int64_t>(1, sums / (rows * planes));
  int64_t channels = llvm::alignTo(registers * lanes, kWordBits);
  return {SumTableAttr::get(context, rows, channels, bits)};
}

const KernelEntry bquant::kSumTableKernel = {
    SumTableAttr::attachInterface<Selection, InnerTile>, getTiles};
