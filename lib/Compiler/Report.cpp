//===- Report.cpp - What each layer became, and why not -------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Report.h"
#include "Support/Locations.h"
#include "bquant-c/Version.h"
#include "bquant/Target/TargetMachine.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace bquant;

void Report::add(Note note) {
  auto key = [](const Note &note) {
    return std::tie(note.kind, note.name, note.function, note.location,
                    note.text);
  };
  std::lock_guard<std::mutex> lock(mutex);
  // A function on a block of samples has the remarks of that on one.
  if (llvm::none_of(notes,
                    [&](const Note &other) { return key(other) == key(note); }))
    notes.push_back(std::move(note));
}

void Report::addLayers(std::vector<Layer> more) {
  std::lock_guard<std::mutex> lock(mutex);
  llvm::move(more, std::back_inserter(layers));
}

void Report::setTarget(const Target &target) {
  std::lock_guard<std::mutex> lock(mutex);
  triple = target.triple.str();
  cpu = target.cpu;
  features = target.features;
}

std::string Report::getVersion() { return BQUANT_VERSION_STRING; }

void Report::addSource(ModuleOp module) {
  std::lock_guard<std::mutex> lock(mutex);
  module->walk([&](Operation *op) {
    order.try_emplace(formatLocation(op->getLoc()), order.size());
  });
}

// Functions are compiled side by side: what is said of two of them is in any
// order. What the order does not know comes last, notes of one place as they
// came.
std::vector<Report::Note> Report::getOrderedNotes() const {
  std::vector<std::pair<unsigned, size_t>> places;
  for (auto [i, note] : llvm::enumerate(notes)) {
    auto it = order.find(note.location);
    places.emplace_back(it == order.end() ? order.size() : it->second, i);
  }
  llvm::sort(places);
  std::vector<Note> sorted;
  sorted.reserve(notes.size());
  for (auto [place, i] : places)
    sorted.push_back(notes[i]);
  return sorted;
}

void Report::renameFunction(llvm::StringRef from, llvm::StringRef to) {
  std::lock_guard<std::mutex> lock(mutex);
  auto rename = [&](std::string &function) {
    if (function == from)
      function = to.str();
  };
  for (Note &note : notes)
    rename(note.function);
  for (Layer &layer : layers)
    rename(layer.function);
}

std::vector<Report::Layer> Report::getLayers() const {
  std::lock_guard<std::mutex> lock(mutex);
  return layers;
}

Report::Totals Report::getTotals() const {
  std::lock_guard<std::mutex> lock(mutex);
  return countTotals();
}

Report::Totals Report::countTotals() const {
  Totals totals;
  auto add = [](uint64_t &sum, int64_t number) {
    sum = llvm::SaturatingAdd(sum, uint64_t(number));
  };
  for (const Layer &layer : layers) {
    totals.binaryLayers += layer.isBinary();
    add(totals.macs, layer.macs);
    add(totals.binaryMacs, layer.isBinary() ? layer.macs : 0);
    add(totals.weightBytes, layer.weightBytes);
  }
  return totals;
}

void Reports::keep(llvm::StringRef cpu) {
  auto isOther = [&](const std::unique_ptr<Report> &report) {
    return report->cpu != cpu;
  };
  if (!llvm::all_of(reports, isOther))
    llvm::erase_if(reports, isOther);
}

void Reports::renameFunction(llvm::StringRef from, llvm::StringRef to) {
  for (const std::unique_ptr<Report> &report : reports)
    report->renameFunction(from, to);
}

/// What an element of a constant takes in memory.
static int64_t countBytes(Type element) {
  if (auto complex = dyn_cast<ComplexType>(element))
    return 2 * countBytes(complex.getElementType());
  if (element.isIndex())
    return sizeof(int64_t);
  return element.isIntOrFloat()
             ? llvm::divideCeil(element.getIntOrFloatBitWidth(), 8)
             : 0;
}

void Report::addConstants(ModuleOp module) {
  int64_t bytes = 0;
  for (auto global : module.getOps<LLVM::GlobalOp>())
    if (auto values = dyn_cast_or_null<ElementsAttr>(global.getValueOrNull()))
      bytes += values.getNumElements() * countBytes(values.getElementType());
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
// Scope
//===----------------------------------------------------------------------===//

Report::Scope::Scope(Report *report, MLIRContext *context) : context(context) {
  if (!report || context->getRemarkEngine())
    return;
  streams = true;
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
  if (streams)
    context->setRemarkEngine(nullptr);
}
