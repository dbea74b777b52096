//===- SinkIntoRegions.cpp - Consumers of an assembled tensor onto its regions
//===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   %t0 = tensor.insert_slice %a into %e [0, 0] [1, 8] [1, 1]
//   %t1 = tensor.insert_slice %b into %t0 [1, 0] [3, 8] [1, 1]
//   %y = linalg.generic {elementwise} ins(%t1)
//
// becomes
//
//   %c = linalg.generic {elementwise} ins(%a)
//   %d = linalg.generic {elementwise} ins(%b)
//   %u0 = tensor.insert_slice %c into %f [0, 0] [1, 8] [1, 1]
//   %y = tensor.insert_slice %d into %u0 [1, 0] [3, 8] [1, 1]
//
// Of a concatenation of channels that is only packed each part is packed by
// itself: no tensor of floats holds it.

#include "Dialect/BQuant/Analysis/TileableOps.h"
#include "Dialect/BQuant/IR/GenericBuilder.h"
#include "Dialect/Packed/Transforms/Tile/RegionInserts.h"
#include "GenericForms.h"
#include "bquant/Dialect/Packed/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include <map>

namespace bquant {
#define GEN_PASS_DEF_SINKINTOREGIONS
#include "bquant/Dialect/Packed/Transforms/Passes.h.inc"
} // namespace bquant

using namespace mlir;
using namespace bquant;

using Inserts = SmallVector<tensor::InsertSliceOp>;

static bool haveSameRegions(const Inserts &a, const Inserts &b) {
  if (a.size() != b.size())
    return false;
  for (auto [x, y] : llvm::zip_equal(Inserts(a), Inserts(b)))
    if (x.getStaticOffsets() != y.getStaticOffsets() ||
        x.getStaticSizes() != y.getStaticSizes())
      return false;
  return true;
}

/// Whether the regions of `later` are made of those of `earlier`: of all of
/// them, so that they lie in memory then.
static bool dependsOn(const Inserts &later, const Inserts &earlier) {
  DenseSet<Operation *> sources, seen;
  Operation *first = nullptr;
  for (tensor::InsertSliceOp insert : Inserts(earlier))
    if (Operation *source = insert.getSource().getDefiningOp()) {
      sources.insert(source);
      if (!first || source->isBeforeInBlock(first))
        first = source;
    }
  SmallVector<Operation *> worklist;
  auto visit = [&](Operation *op) {
    for (Value operand : op->getOperands())
      if (Operation *producer = operand.getDefiningOp())
        if (producer->getBlock() == first->getBlock() &&
            !producer->isBeforeInBlock(first) && seen.insert(producer).second)
          worklist.push_back(producer);
  };
  if (first)
    for (tensor::InsertSliceOp insert : Inserts(later))
      if (Operation *source = insert.getSource().getDefiningOp())
        visit(source);
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (sources.contains(op))
      return true;
    visit(op);
  }
  return false;
}

/// Whether each region of a row of `channels` is a row of its own.
static bool haveWholeRows(const Inserts &inserts, int64_t channels) {
  return llvm::all_of(Inserts(inserts), [&](tensor::InsertSliceOp insert) {
    return insert.getStaticSizes().back() == channels;
  });
}

static bool makesBits(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    return getElementTypeOrSelf(type).isInteger(1);
  });
}

/// Whether each region has elements of its own in every layout of `pack`, or is
/// a part of one word. Unused bits of a word are 0, so that parts can be
/// joined.
static bool canPackParts(packed::PackOp pack, const Inserts &inserts) {
  ArrayRef<int64_t> shape = getDomain(pack);
  auto isPacked = [&](tensor::InsertSliceOp insert,
                      LayoutAttrInterface layout) {
    int64_t unit = layout.getUnitChannels();
    int64_t begin = insert.getStaticOffsets().back();
    int64_t end = begin + insert.getStaticSizes().back();
    if (begin % unit == 0 && (end % unit == 0 || end == shape.back()))
      return true;
    return isa<WordsLayoutAttr>(layout) && begin / unit == (end - 1) / unit &&
           insert.getStaticSizes().drop_back() == shape.drop_back();
  };
  return llvm::all_of(pack.getLayouts(), [&](LayoutAttrInterface layout) {
    return llvm::all_of(Inserts(inserts), [&](tensor::InsertSliceOp insert) {
      return isPacked(insert, layout);
    });
  });
}

/// Whether the regions are parts of the rows of a concatenation that is only
/// packed: then each is packed by itself.
static bool arePackedParts(Operation *op, const Inserts &inserts) {
  auto canPack = [&](Operation *user) {
    auto pack = dyn_cast<packed::PackOp>(user);
    return pack && canPackParts(pack, inserts);
  };
  if (isa<packed::PackOp>(op))
    return canPack(op);
  return llvm::all_of(op->getUsers(), canPack) &&
         llvm::all_of(Inserts(inserts).back()->getUsers(), makesBits);
}

/// The inserts of the operand of `op` that was assembled last, if `op` can be
/// done region by region. One region alone is assembled by nothing.
static std::optional<Inserts> getSinkInserts(Operation *op) {
  if (!isTileable(op) || !isa<linalg::GenericOp, packed::PackOp>(op) ||
      isReduction(op))
    return std::nullopt;
  if (auto generic = dyn_cast<linalg::GenericOp>(op))
    for (OpOperand &operand : op->getOpOperands())
      if (isa<RankedTensorType>(operand.get().getType()) &&
          !generic.getMatchingIndexingMap(&operand).isProjectedPermutation(
              /*allowZeroInResults=*/true))
        return std::nullopt;
  std::optional<Inserts> last;
  for (OpOperand &operand : op->getOpOperands()) {
    Operation *end = operand.get().getDefiningOp();
    if (!end || end->getBlock() != op->getBlock() || !isIdentityUse(operand))
      continue;
    std::optional<Inserts> inserts = getInserts(end);
    if (inserts && (!last || last->back()->isBeforeInBlock(end)))
      last = inserts;
  }
  // The regions of a pack hold whole rows of words, or parts of rows that can
  // be packed by themselves. So do those of the bits that it packs: else a
  // tensor would hold them, and each is written by itself.
  if (last && (makesBits(op) || isa<packed::PackOp>(op)) &&
      !haveWholeRows(*last, getDomain(op).back()) && !arePackedParts(op, *last))
    return std::nullopt;
  return last;
}

namespace {
/// `op` done region by region.
class Sinker {
public:
  Sinker(RewriterBase &rewriter, Operation *op, Inserts inserts)
      : rewriter(rewriter), op(op), inserts(std::move(inserts)) {}

  /// The ops that stand for `op`, one for each region.
  SmallVector<Operation *> run() {
    SmallVector<Operation *> made;
    for (unsigned i = 0; i < inserts.size(); ++i)
      made.push_back(createPart(i));
    SmallVector<Value> results;
    for (OpResult result : op->getResults())
      results.push_back(assemble(result, made));
    rewriter.replaceOp(op, results);
    return made;
  }

private:
  /// What begins at a bit of an element.
  struct Part {
    Value value;
    int64_t bit;
  };

  Operation *createPart(unsigned i) {
    SmallVector<Value> operands;
    SmallVector<Type> types;
    for (OpOperand &operand : op->getOpOperands()) {
      operands.push_back(getOperand(operand, i));
      if (cast<DestinationStyleOpInterface>(op).isDpsInit(&operand))
        types.push_back(operands.back().getType());
    }
    Operation *part = clone(rewriter, op, types, operands);
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(part))
      linalg::offsetIndices(
          rewriter, linalgOp,
          getAsIndexOpFoldResult(op->getContext(),
                                 inserts[i].getStaticOffsets()));
    return part;
  }

  /// `result`, of those of the parts.
  Value assemble(OpResult result, ArrayRef<Operation *> parts) {
    unsigned number = result.getResultNumber();
    auto pack = dyn_cast<packed::PackOp>(op);
    int64_t bits = pack ? pack.getLayoutOf(number).getChannels() : 1;
    // Where they begin. Some may be parts of one word.
    std::map<SmallVector<int64_t>, SmallVector<Part>> places;
    for (auto [insert, part] : llvm::zip_equal(inserts, parts)) {
      SmallVector<int64_t> offsets(insert.getStaticOffsets());
      int64_t bit = offsets.back() % bits;
      offsets.back() /= bits;
      places[offsets].push_back({part->getResult(number), bit});
    }
    Value whole =
        cast<DestinationStyleOpInterface>(op).getTiedOpOperand(result)->get();
    for (const auto &[offsets, parts] : places)
      whole = insert(parts.size() == 1 ? parts.front().value : join(parts),
                     whole, offsets);
    return whole;
  }

  /// One word of parts of it.
  Value join(ArrayRef<Part> parts) {
    ImplicitLocOpBuilder b(op->getLoc(), rewriter);
    auto values =
        llvm::map_to_vector(parts, [](const Part &part) { return part.value; });
    return createElementwise(
        b, values.front().getType(), values,
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Value word;
          for (auto [part, arg] : llvm::zip(parts, args)) {
            Value bits =
                part.bit ? arith::ShLIOp::create(b, loc, arg,
                                                 createI32(b, loc, part.bit))
                         : arg;
            word = word ? arith::OrIOp::create(b, loc, word, bits).getResult()
                        : bits;
          }
          return word;
        });
  }

  Value insert(Value part, Value whole, ArrayRef<int64_t> offsets) {
    auto type = cast<RankedTensorType>(part.getType());
    return tensor::InsertSliceOp::create(
        rewriter, op->getLoc(), part, whole,
        getAsIndexOpFoldResult(op->getContext(), offsets),
        getAsIndexOpFoldResult(op->getContext(), type.getShape()),
        SmallVector<OpFoldResult>(offsets.size(), rewriter.getIndexAttr(1)));
  }

  Value getOperand(OpOperand &operand, unsigned i) {
    Value value = operand.get();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    if (!type)
      return value;
    if (isIdentityUse(operand))
      if (std::optional<Inserts> same = getInserts(value.getDefiningOp()))
        if (haveSameRegions(inserts, *same) && !dependsOn(inserts, *same))
          return (*same)[i].getSource();
    SmallVector<int64_t> offsets(inserts[i].getStaticOffsets());
    SmallVector<int64_t> sizes(inserts[i].getStaticSizes());
    if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
      AffineMap map = generic.getMatchingIndexingMap(&operand);
      SmallVector<int64_t> o, s;
      for (AffineExpr expr : map.getResults()) {
        auto dim = dyn_cast<AffineDimExpr>(expr);
        o.push_back(dim ? offsets[dim.getPosition()] : 0);
        s.push_back(dim ? sizes[dim.getPosition()] : 1);
      }
      offsets = o;
      sizes = s;
    } else if (auto pack = cast<packed::PackOp>(op); pack.isDpsInit(&operand)) {
      LayoutAttrInterface layout =
          pack.getLayoutOf(pack.getTiedOpResult(&operand).getResultNumber());
      offsets.back() /= layout.getChannels();
      sizes.back() = layout.countElements(sizes.back());
    }
    if (ArrayRef(sizes) == type.getShape())
      return value;
    if (value.getDefiningOp<tensor::EmptyOp>())
      return tensor::EmptyOp::create(rewriter, op->getLoc(), sizes,
                                     type.getElementType(), type.getEncoding());
    return tensor::ExtractSliceOp::create(
        rewriter, op->getLoc(), value,
        getAsIndexOpFoldResult(op->getContext(), offsets),
        getAsIndexOpFoldResult(op->getContext(), sizes),
        SmallVector<OpFoldResult>(offsets.size(), rewriter.getIndexAttr(1)));
  }

  RewriterBase &rewriter;
  Operation *op;
  Inserts inserts;
};
} // namespace

/// `op` onto the regions of what it reads, and those that are made of it onto
/// the regions of what they read.
static void sink(RewriterBase &rewriter, Operation *op) {
  std::optional<Inserts> inserts = getSinkInserts(op);
  if (!inserts || inserts->size() < 2)
    return;
  rewriter.setInsertionPoint(op);
  for (Operation *part : Sinker(rewriter, op, *inserts).run())
    sink(rewriter, part);
}

static void sink(RewriterBase &rewriter, Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    sink(rewriter, &op);
  // Chains that nothing reads any more.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
}

namespace {
struct SinkIntoRegions : bquant::impl::SinkIntoRegionsBase<SinkIntoRegions> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateLayerFusionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    for (Block &block : getOperation().getFunctionBody())
      sink(rewriter, block);
    // What reads an assembled tensor can go into its regions now.
    if (failed(applyPatternsGreedily(getOperation(), patterns)))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
