//===- KernelModel.h - What kernels share -----------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_PACKED_KERNELS_KERNELMODEL_H
#define BQUANT_LIB_PACKED_KERNELS_KERNELMODEL_H

#include "bquant/Dialect/Packed/Kernels/Kernels.h"
#include "bquant/Target/TargetDescription.h"
#include "llvm/Support/MathExtras.h"

namespace bquant {
using packed::BlocksAttr, packed::FilterLayoutAttrInterface;

/// What a kernel is selected by.
template <typename Model, typename Attr>
struct SelectionModel
    : packed::SelectionAttrInterface::ExternalModel<Model, Attr> {
  static Attr get(mlir::Attribute attr) { return llvm::cast<Attr>(attr); }

  static int64_t getLanes(mlir::Attribute attr) {
    return llvm::cast<KernelAttrInterface>(attr).getLanes();
  }

private:
  SelectionModel() = default;
  friend Model;
};

/// The inner tile of a kernel attribute with rows, channels and bits.
template <typename Model, typename Attr>
struct InnerTileModel : KernelAttrInterface::ExternalModel<Model, Attr> {
  static Attr get(mlir::Attribute attr) { return llvm::cast<Attr>(attr); }

  int64_t getRows(mlir::Attribute attr) const { return get(attr).getRows(); }
  int64_t getChannels(mlir::Attribute attr) const {
    return get(attr).getChannels();
  }
  /// Filters have rows as the input has, and blocks of the tile's channels.
  FilterLayoutAttrInterface getFilterLayout(mlir::Attribute attr) const {
    auto *model = static_cast<const Model *>(this);
    return getBlocks(attr, model->getLayout(attr));
  }
  /// Blocks of the tile's channels, of `rows`.
  BlocksAttr getBlocks(mlir::Attribute attr, LayoutAttrInterface rows,
                       int64_t parts = 1, int64_t together = 1) const {
    auto *model = static_cast<const Model *>(this);
    return BlocksAttr::get(attr.getContext(), rows, get(attr).getChannels(),
                           model->getLanes(attr), parts, together);
  }
  /// Of the bits of all elements.
  std::pair<int64_t, int64_t>
  getRange(mlir::Attribute attr, const ProductForm &, int64_t steps) const {
    auto *model = static_cast<const Model *>(this);
    return {0, steps * model->getStepSize(attr) *
                   model->getLayout(attr).getChannels()};
  }
  llvm::SmallVector<mlir::Value>
  emitFinish(mlir::Attribute, mlir::ImplicitLocOpBuilder &, const ProductForm &,
             mlir::ValueRange accumulators, int64_t) const {
    return llvm::SmallVector<mlir::Value>(accumulators);
  }

private:
  InnerTileModel() = default;
  friend Model;
  template <typename, typename> friend struct FloatSumModel;
};

/// The same of a kernel that sums floats: a sum is a lane of one register from
/// the first step to the last.
template <typename Model, typename Attr>
struct FloatSumModel : InnerTileModel<Model, Attr> {
  int64_t getLanes(mlir::Attribute attr) const {
    return this->get(attr).getBits() / 32;
  }
  LayoutAttrInterface getLayout(mlir::Attribute) const { return {}; }
  int64_t getInputChannels(mlir::Attribute) const { return 1; }

  mlir::VectorType getSumType(mlir::Attribute attr) const {
    return mlir::VectorType::get(getLanes(attr),
                                 mlir::Float32Type::get(attr.getContext()));
  }
  llvm::SmallVector<mlir::VectorType>
  getPartialTypes(mlir::Attribute attr, const ProductForm &) const {
    return {getSumType(attr)};
  }
  llvm::SmallVector<mlir::VectorType>
  getAccumulatorTypes(mlir::Attribute attr, const ProductForm &) const {
    return {getSumType(attr)};
  }
  int64_t getMaxSteps(mlir::Attribute, const ProductForm &) const {
    return std::numeric_limits<int64_t>::max();
  }

  llvm::SmallVector<mlir::Value>
  emitFlush(mlir::Attribute, mlir::ImplicitLocOpBuilder &, const ProductForm &,
            mlir::ValueRange, mlir::ValueRange partial) const {
    return llvm::SmallVector<mlir::Value>(partial);
  }

private:
  FloatSumModel() = default;
  friend Model;
};

/// Whether the enclosing module targets AArch64, whose intrinsics have other
/// names.
bool targetsAArch64(mlir::OpBuilder &b);

/// The result of a call of intrinsic `name`.
mlir::Value callIntrinsic(mlir::ImplicitLocOpBuilder &b, mlir::Type type,
                          llvm::StringRef name, mlir::ValueRange operands);

/// A vector of one integer.
mlir::Value createSplat(mlir::ImplicitLocOpBuilder &b, mlir::VectorType type,
                        int64_t value);

/// Results of a product's tile that take registers of their own.
int64_t countSums(const ProductShape &shape);

/// Tiles of `rows` rows that cover a product, of all of its channels.
int64_t countTilesOfRows(const ProductShape &shape, int64_t rows);

/// How many filters, side by side, read the same elements of the input, where
/// an element holds `elementBits` channels.
int64_t getSharingFilters(const ProductShape &shape, int64_t elementBits);

/// Whether the groups of an input are elements of their own.
bool hasWholeGroups(const ProductShape &shape, int64_t elementBits);

/// Fails if tiles of `channels` do not fit the groups of a product: they are
/// whole blocks of filters that read the same elements, or, as a register with
/// one element of the input asks for, with `inOne` parts of one.
llvm::LogicalResult verifyTile(const ProductShape &shape, int64_t elementBits,
                               int64_t channels, ExplainFn explain,
                               bool inOne = false);

/// Up to `most` channels of a tile: whole blocks of filters that read the same,
/// or a divisor of one.
int64_t fitChannels(const ProductShape &shape, int64_t elementBits,
                    int64_t most);

/// Rows and channels of a tile of floats of up to `sums` registers. Channels
/// are whole words where that is possible: what follows may pack them. Where
/// there are few rows, as many words of them as registers hold sums.
std::pair<int64_t, int64_t> chooseFloatTile(const ProductShape &shape,
                                            const TargetDescription &target,
                                            int64_t sums);

/// Cycles of `steps` steps of all tiles, each step with `sums` sums a row and
/// register.
double countCycles(const ProductShape &shape, mlir::Attribute kernel,
                   int64_t steps, int64_t sums, const StepCosts &costs,
                   const OtherCosts &others);

/// What the file of a kernel defines.
struct KernelEntry {
  void (*attach)(mlir::MLIRContext &context);
  /// Its tiles that fit a product as far as they can.
  llvm::SmallVector<mlir::Attribute> (*getTiles)(
      mlir::MLIRContext *context, const ProductShape &shape,
      const TargetDescription &target);
};
extern const KernelEntry kPopcountKernel, kTableKernel, kBytesKernel,
    kScalarKernel, kDepthwiseKernel, kOctetsKernel, kFmaKernel, kSumTableKernel,
    kBF16Kernel;

/// All of them: those of products of bf16, of f32 and of planes, in the order
/// in which one of equal cycles is taken.
inline constexpr const KernelEntry *kOfBF16[] = {&kBF16Kernel};
inline constexpr const KernelEntry *kOfFloats[] = {&kFmaKernel,
                                                   &kSumTableKernel};
inline constexpr const KernelEntry *kOfPlanes[] = {
    &kPopcountKernel,  &kTableKernel,  &kBytesKernel,
    &kDepthwiseKernel, &kOctetsKernel, &kScalarKernel};

} // namespace bquant

#endif // BQUANT_LIB_PACKED_KERNELS_KERNELMODEL_H
