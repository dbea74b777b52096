//===- ReportJSON.cpp - The report as JSON, and back ----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What follows from other values (totals, shares, which layers are float) is
// written for readers, and not read again.
//
//===----------------------------------------------------------------------===//

#include "JSON.h"
#include "ReportValues.h"
#include "bquant/Compiler/Report.h"
#include "llvm/Support/FormatVariadic.h"

using namespace bquant;
namespace json = llvm::json;

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static json::Object toObject(const Report::Layer &layer,
                             const Report::Totals &totals) {
  json::Object object{{"function", toValue(layer.function)},
                      {"location", toValue(layer.location)},
                      {"op", toValue(layer.operation)},
                      {"arithmetic", formatArithmetic(layer)},
                      {"float", layer.isFloat()},
                      {"operands", toValue(layer.operands)},
                      {"result", toValue(layer.result)},
                      {"macs", layer.macs},
                      {"weight_bytes", layer.weightBytes}};
  if (auto share = getMacShare(layer, totals))
    object["mac_share"] = *share;
  if (!layer.kernel.empty())
    object["kernel"] = toValue(layer.kernel);
  if (!layer.layout.empty())
    object["layout"] = toValue(layer.layout);
  if (layer.tile)
    object["tile"] = json::Object{{"rows", layer.tile->rows},
                                  {"channels", layer.tile->channels}};
  if (layer.estimatedCycles)
    object["estimated_cycles"] = *layer.estimatedCycles;
  if (layer.limitCycles)
    object["limit_cycles"] = *layer.limitCycles;
  if (auto share = getLimitShare(layer))
    object["limit_share"] = *share;
  return object;
}

json::Value Report::toJSONValue() const {
  std::lock_guard<std::mutex> lock(mutex);
  Totals totals = countTotals();
  json::Array allLayers, allNotes;
  for (const Layer &layer : layers)
    allLayers.push_back(toObject(layer, totals));
  for (const Note &note : getOrderedNotes())
    allNotes.push_back(json::Object{{"kind", toValue(note.kind)},
                                    {"name", toValue(note.name)},
                                    {"function", toValue(note.function)},
                                    {"location", toValue(note.location)},
                                    {"text", toValue(note.text)}});
  json::Object allTotals{{"layers", int64_t(layers.size())},
                         {"binary_layers", int64_t(totals.binaryLayers)},
                         {"macs", totals.macs},
                         {"binary_macs", totals.binaryMacs},
                         {"weight_bytes", totals.weightBytes}};
  if (auto share = getBinaryShare(totals))
    allTotals["binary_share"] = *share;
  return json::Object{{"version", toValue(version)},
                      {"target", json::Object{{"triple", toValue(triple)},
                                              {"cpu", toValue(cpu)},
                                              {"features", toValue(features)}}},
                      {"totals", std::move(allTotals)},
                      {"layers", std::move(allLayers)},
                      {"constant_bytes", constantBytes},
                      {"remarks", std::move(allNotes)}};
}

static std::string print(const json::Value &value) {
  return llvm::formatv("{0:2}\n", value).str();
}

std::string Report::toJSON() const { return print(toJSONValue()); }

std::string Reports::toJSON() const {
  if (reports.size() == 1)
    return reports.front()->toJSON();
  json::Value values = json::Array();
  for (const std::unique_ptr<Report> &report : reports)
    values.getAsArray()->push_back(report->toJSONValue());
  return print(values);
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

namespace {
/// Maps the fields of an object. One that is missing keeps its default: the
/// report of another version may have others.
class Reader : public json::ObjectMapper {
public:
  Reader(const json::Value &value, json::Path path)
      : ObjectMapper(value, path), value(value), path(path) {}

  bool text(llvm::StringLiteral name, std::string &out) {
    return mapOptional(name, out);
  }
  bool count(llvm::StringLiteral name, int64_t &out) {
    if (!mapOptional(name, out))
      return false;
    if (out >= 0)
      return true;
    path.field(name).report("expected a number of at least 0");
    return false;
  }
  bool count(llvm::StringLiteral name, std::optional<int64_t> &out) {
    if (!value.getAsObject()->get(name))
      return true;
    return count(name, out.emplace());
  }

private:
  const json::Value &value;
  json::Path path;
};
} // namespace

namespace bquant {
static bool fromJSON(const json::Value &value, LayerFacts::Tile &tile,
                     json::Path path) {
  Reader reader(value, path);
  return reader && reader.count("rows", tile.rows) &&
         reader.count("channels", tile.channels);
}

static bool fromJSON(const json::Value &value, Report::Layer &layer,
                     json::Path path) {
  Reader reader(value, path);
  std::string arithmetic;
  if (!reader || !reader.text("function", layer.function) ||
      !reader.text("location", layer.location) ||
      !reader.text("op", layer.operation) ||
      !reader.map("arithmetic", arithmetic) ||
      !reader.text("operands", layer.operands) ||
      !reader.text("result", layer.result) ||
      !reader.count("macs", layer.macs) ||
      !reader.count("weight_bytes", layer.weightBytes) ||
      !reader.text("kernel", layer.kernel) ||
      !reader.text("layout", layer.layout) || !reader.map("tile", layer.tile) ||
      !reader.count("estimated_cycles", layer.estimatedCycles) ||
      !reader.count("limit_cycles", layer.limitCycles))
    return false;
  llvm::StringRef kind = arithmetic;
  layer.thresholds = kind.consume_back(", thresholds");
  auto known = symbolizeLayerArithmetic(kind);
  if (!known) {
    path.field("arithmetic").report("expected an arithmetic of layers");
    return false;
  }
  layer.arithmetic = *known;
  return true;
}

static bool fromJSON(const json::Value &value, Report::Note &note,
                     json::Path path) {
  Reader reader(value, path);
  if (!reader || !reader.map("kind", note.kind) ||
      !reader.text("name", note.name) ||
      !reader.text("function", note.function) ||
      !reader.text("location", note.location) ||
      !reader.text("text", note.text))
    return false;
  if (llvm::is_contained({"passed", "missed", "failure", "analysis"},
                         note.kind))
    return true;
  path.field("kind").report("expected passed, missed, failure or analysis");
  return false;
}
} // namespace bquant

bool Report::read(const json::Value &value, json::Path path) {
  Reader reader(value, path);
  if (!reader || !reader.map("version", version) ||
      !reader.map("layers", layers) || !reader.map("remarks", notes) ||
      !reader.count("constant_bytes", constantBytes))
    return false;
  const json::Value *target = value.getAsObject()->get("target");
  if (!target)
    return true;
  Reader fields(*target, path.field("target"));
  return fields && fields.text("triple", triple) && fields.text("cpu", cpu) &&
         fields.text("features", features);
}

llvm::Expected<Reports> Reports::fromJSON(llvm::StringRef text) {
  llvm::Expected<json::Value> value = parseJSON(text);
  if (!value)
    return value.takeError();
  Reports result;
  json::Path::Root root("report");
  const json::Array *values = value->getAsArray();
  if (!values || values->empty()) {
    if (!result.add().read(*value, root))
      return root.getError();
    return result;
  }
  for (auto [i, one] : llvm::enumerate(*values))
    if (!result.add().read(one, json::Path(root).index(i)))
      return root.getError();
  return result;
}
