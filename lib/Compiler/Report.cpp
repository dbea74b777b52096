//===- Report.cpp - What each layer became, and why not -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Report.h"
#include "Dialect/BQuant/Analysis/FilterWords.h"
#include "bquant/Compiler/Source.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassInstrumentation.h"

using namespace mlir;
using namespace bquant;

void Report::add(Note note) {
  std::lock_guard<std::mutex> lock(mutex);
  notes.push_back(std::move(note));
}

void Report::add(Layer layer) {
  std::lock_guard<std::mutex> lock(mutex);
  layers.push_back(std::move(layer));
}

void Report::addSource(ModuleOp module) {
  std::lock_guard<std::mutex> lock(mutex);
  module->walk([&](Operation *op) {
    order.try_emplace(formatLocation(op->getLoc()), order.size());
  });
}

std::vector<Report::Note> Report::getOrderedNotes() const {
  std::vector<std::pair<unsigned, size_t>> places;
  for (auto [i, note] : llvm::enumerate(notes)) {
    auto it = order.find(note.location);
    places.emplace_back(it == order.end() ? order.size() : it->second, i);
  }
  llvm::sort(places);
  std::vector<Note> ordered;
  for (auto [place, i] : places)
    ordered.push_back(notes[i]);
  return ordered;
}

void Report::addConstants(ModuleOp module) {
  int64_t bytes = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (auto values = dyn_cast_or_null<ElementsAttr>(global.getValueOrNull()))
      bytes +=
          values.getNumElements() *
          llvm::divideCeil(values.getElementType().getIntOrFloatBitWidth(), 8);
  std::lock_guard<std::mutex> lock(mutex);
  constantBytes += bytes;
}

//===----------------------------------------------------------------------===//
// Remarks
//===----------------------------------------------------------------------===//

namespace {
class NoteStreamer : public remark::detail::MLIRRemarkStreamerBase {
public:
  NoteStreamer(Report &report) : report(report) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    Report::Note note;
    switch (remark.getRemarkType()) {
    case llvm::remarks::Type::Passed:
      note.kind = "passed";
      break;
    case llvm::remarks::Type::Missed:
      note.kind = "missed";
      break;
    case llvm::remarks::Type::Failure:
      note.kind = "failure";
      break;
    default:
      note.kind = "analysis";
      break;
    }
    note.name = remark.getRemarkName().str();
    StringRef function = remark.getFunction();
    if (function != "<unknown function>")
      note.function = function.str();
    note.location = formatLocation(remark.getLocation());
    for (const remark::detail::Remark::Arg &arg : remark.getArgs()) {
      if (!note.text.empty() && !StringRef(note.text).ends_with(" "))
        note.text += ", ";
      // The keys that only say that text follows.
      if (arg.key != "Remark" && arg.key != "Reason")
        note.text += arg.key + "=";
      note.text += arg.val;
    }
    report.add(std::move(note));
  }

private:
  Report &report;
};
} // namespace

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// "64x3x3x64, 2 planes", "64x3x3x64 f32"
static std::string describe(Type type) {
  std::string text;
  llvm::raw_string_ostream os(text);
  auto shaped = cast<ShapedType>(type);
  llvm::interleave(shaped.getShape(), os, "x");
  if (auto binary = dyn_cast<SBTensorType>(type)) {
    if (binary.isTernary())
      os << ", ternary";
    else if (binary.hasRatios())
      os << ", " << binary.getPlanes() << " planes in ratio";
    else
      os << ", " << binary.getPlanes()
         << (binary.getPlanes() == 1 ? " plane" : " planes");
  } else {
    os << " " << shaped.getElementType();
  }
  return text;
}

/// An operand as the layer got it: its own padding is in front of it.
static std::string describeInput(Value value) {
  Value source = value;
  if (auto expand = source.getDefiningOp<tensor::ExpandShapeOp>())
    source = expand.getSrc();
  auto pad = source.getDefiningOp<tensor::PadOp>();
  return describe(pad ? pad.getSource().getType() : value.getType());
}

/// Planes that are multiplied; ternary counts once.
static int64_t countPlanes(Type type) {
  auto binary = dyn_cast<SBTensorType>(type);
  return !binary || binary.isTernary() ? 1 : binary.getPlanes();
}

static int64_t countElements(Type type) {
  auto shaped = cast<ShapedType>(type);
  return shaped.hasStaticShape() ? shaped.getNumElements() : 0;
}

/// Bytes of a constant filter of numbers.
static int64_t countBytes(Value filter) {
  auto type = cast<ShapedType>(filter.getType());
  Operation *op = filter.getDefiningOp();
  if (!op || !op->hasTrait<OpTrait::ConstantLike>() ||
      !type.getElementType().isIntOrFloat())
    return 0;
  return countElements(type) *
         llvm::divideCeil(type.getElementTypeBitWidth(), 8);
}

/// Bytes of a constant scaled-binary filter, whose planes are kept as `words`;
/// in the reference a byte for each sign.
static int64_t countBytes(Value filter, RankedTensorType words,
                          bool reference) {
  auto constant = filter.getDefiningOp<ConstantOp>();
  if (!constant)
    return 0;
  int64_t plane = reference ? countElements(filter.getType())
                            : countElements(words) * sizeof(uint32_t);
  return constant.getType().getPlanes() * plane +
         countElements(constant.getScalars().getType()) * sizeof(float);
}

/// A product of scaled-binary values.
static void fillProduct(Report::Layer &layer, Value lhs, Value rhs,
                        Value result, bool reference) {
  layer.operands = describeInput(lhs) + " by " + describe(rhs.getType());
  layer.result = describe(result.getType());
  auto filter = cast<ShapedType>(rhs.getType());
  // All of the filter but its leading output dimension is reduced; of a
  // batched matrix (B x N x K) only K.
  int64_t reduced = 1;
  bool batched = layer.op == "matmul" && filter.getRank() == 3;
  for (int64_t size : filter.getShape().drop_front(batched ? 2 : 1))
    reduced *= size;
  layer.macs = countElements(result.getType()) * reduced *
               countPlanes(lhs.getType()) * countPlanes(rhs.getType());
  layer.arithmetic = !isa<SBTensorType>(lhs.getType()) ? "float by binary"
                     : reference                       ? "reference"
                                                       : "binary";
}

static bool fillLinalg(Report::Layer &layer, linalg::LinalgOp op) {
  bool product = linalg::isaContractionOpInterface(op) ||
                 linalg::isaConvolutionOpInterface(op);
  if (!product || op->getNumResults() != 1)
    return false;
  layer.arithmetic = "float";
  layer.result = describe(op->getResult(0).getType());
  layer.operands = describeInput(op.getDpsInputs()[0]);
  SmallVector<int64_t> ranges = op.getStaticLoopRanges();
  if (layer.op.find("pooling") != std::string::npos)
    return true;
  layer.operands += " by " + describe(op.getDpsInputs()[1].getType());
  layer.macs = 1;
  for (int64_t range : ranges)
    layer.macs *= ShapedType::isDynamic(range) ? 0 : range;
  layer.weightBytes = countBytes(op.getDpsInputs()[1]);
  return true;
}

static void collectLayers(Operation *root, Report &report, bool reference) {
  root->walk([&](Operation *op) {
    Report::Layer layer;
    layer.op = op->getName().stripDialect().str();
    layer.location = formatLocation(op->getLoc());
    if (auto function = op->getParentOfType<func::FuncOp>())
      layer.function = function.getName().str();
    if (auto conv = dyn_cast<Conv2DOp>(op)) {
      fillProduct(layer, conv.getInput(), conv.getFilter(), conv.getResult(),
                  reference);
      layer.weightBytes =
          countBytes(conv.getFilter(), getFilterWords(conv), reference);
    } else if (auto matmul = dyn_cast<MatmulOp>(op)) {
      fillProduct(layer, matmul.getLhs(), matmul.getRhs(), matmul.getResult(),
                  reference);
      layer.weightBytes =
          countBytes(matmul.getRhs(), getFilterWords(matmul), reference);
    } else if (isa<QuantizeOp, MaxPool2DOp>(op)) {
      layer.arithmetic = reference ? "reference" : "binary";
      if (auto quantize = dyn_cast<QuantizeOp>(op);
          quantize && quantize.getThresholds())
        layer.arithmetic += ", thresholds";
      layer.operands = describeInput(op->getOperand(0));
      layer.result = describe(op->getResult(0).getType());
    } else if (auto structured = dyn_cast<linalg::LinalgOp>(op)) {
      if (!fillLinalg(layer, structured))
        return;
    } else {
      return;
    }
    report.add(std::move(layer));
  });
}

namespace {
/// Looks at the layers when all that is decided about them is: before the pass
/// that makes bquant's products of floats, the last one that both routes share.
class LayerInstrumentation : public PassInstrumentation {
public:
  LayerInstrumentation(Report &report, bool reference)
      : report(report), reference(reference) {}

  void runBeforePass(Pass *pass, Operation *op) override {
    if (pass->getArgument() == "bquant-select-kernels")
      collectLayers(op, report, reference);
  }

private:
  Report &report;
  bool reference;
};
} // namespace

Report::Scope::Scope(Report *report, PassManager &pm, bool reference)
    : context(pm.getContext()), listening(report != nullptr) {
  if (!report)
    return;
  pm.addInstrumentation(
      std::make_unique<LayerInstrumentation>(*report, reference));
  remark::RemarkCategories categories;
  // `all` alone enables nothing: it only widens the four.
  for (auto *kind : {&categories.passed, &categories.missed,
                     &categories.analysis, &categories.failed})
    *kind = "bquant.*";
  // Cannot fail with a streamer of our own.
  (void)remark::enableOptimizationRemarks(
      *context, std::make_unique<NoteStreamer>(*report),
      std::make_unique<remark::RemarkEmittingPolicyAll>(), categories);
}

Report::Scope::~Scope() {
  if (listening)
    context->setRemarkEngine(nullptr);
}
