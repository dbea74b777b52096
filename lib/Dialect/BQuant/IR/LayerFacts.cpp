//===- LayerFacts.cpp - What becomes of a layer ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/LayerFacts.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace bquant;

StringRef bquant::stringifyLayerArithmetic(LayerArithmetic arithmetic) {
  switch (arithmetic) {
  case LayerArithmetic::Binary:
    return "binary";
  case LayerArithmetic::FloatByBinary:
    return "float by binary";
  case LayerArithmetic::Float:
    return "float";
  case LayerArithmetic::Integer:
    return "integer";
  case LayerArithmetic::Reference:
    return "reference";
  }
  llvm_unreachable("all kinds are covered");
}

std::optional<LayerArithmetic>
bquant::symbolizeLayerArithmetic(StringRef text) {
  return llvm::StringSwitch<std::optional<LayerArithmetic>>(text)
      .Case("binary", LayerArithmetic::Binary)
      .Case("float by binary", LayerArithmetic::FloatByBinary)
      .Case("float", LayerArithmetic::Float)
      .Case("integer", LayerArithmetic::Integer)
      .Case("reference", LayerArithmetic::Reference)
      .Default(std::nullopt);
}

//===----------------------------------------------------------------------===//
// In a module
//===----------------------------------------------------------------------===//

static constexpr StringLiteral kLayersName = "bquant.layers";

namespace {
/// Puts fields into a dictionary; what is empty is not there.
class Writer {
public:
  explicit Writer(MLIRContext *context) : builder(context) {}

  void field(StringRef name, const std::string &text) {
    if (!text.empty())
      add(name, builder.getStringAttr(text));
  }
  void field(StringRef name, LayerArithmetic arithmetic) {
    add(name, builder.getStringAttr(stringifyLayerArithmetic(arithmetic)));
  }
  void field(StringRef name, bool set) {
    if (set)
      add(name, builder.getUnitAttr());
  }
  void field(StringRef name, int64_t number) {
    add(name, builder.getI64IntegerAttr(number));
  }
  void field(StringRef name, std::optional<int64_t> number) {
    if (number)
      field(name, *number);
  }
  void field(StringRef name, std::optional<LayerFacts::Tile> tile) {
    if (tile)
      add(name, builder.getDenseI64ArrayAttr({tile->rows, tile->channels}));
  }
  DictionaryAttr take() { return builder.getDictionaryAttr(fields); }

private:
  void add(StringRef name, Attribute value) {
    fields.push_back(builder.getNamedAttr(name, value));
  }

  Builder builder;
  SmallVector<NamedAttribute> fields;
};

/// Reads them; one that is not there keeps its default.
class Reader {
public:
  explicit Reader(DictionaryAttr fields) : fields(fields) {}

  void field(StringRef name, std::string &text) {
    if (auto value = fields.getAs<StringAttr>(name))
      text = value.str();
  }
  void field(StringRef name, LayerArithmetic &arithmetic) {
    if (auto value = fields.getAs<StringAttr>(name))
      arithmetic =
          symbolizeLayerArithmetic(value.getValue()).value_or(arithmetic);
  }
  void field(StringRef name, bool &set) { set = fields.contains(name); }
  template <typename Number> void field(StringRef name, Number &number) {
    auto value = fields.getAs<IntegerAttr>(name);
    if (value && value.getType().isSignlessInteger(64))
      number = value.getInt();
  }
  void field(StringRef name, std::optional<LayerFacts::Tile> &tile) {
    auto value = fields.getAs<DenseI64ArrayAttr>(name);
    if (value && value.size() == 2)
      tile = {value[0], value[1]};
  }

private:
  DictionaryAttr fields;
};
} // namespace

template <typename Visitor, typename Facts>
static void visitFields(Visitor &visitor, Facts &facts) {
  visitor.field("function", facts.function);
  visitor.field("location", facts.location);
  visitor.field("op", facts.operation);
  visitor.field("operands", facts.operands);
  visitor.field("result", facts.result);
  visitor.field("arithmetic", facts.arithmetic);
  visitor.field("thresholds", facts.thresholds);
  visitor.field("macs", facts.macs);
  visitor.field("weight_bytes", facts.weightBytes);
  visitor.field("kernel", facts.kernel);
  visitor.field("layout", facts.layout);
  visitor.field("tile", facts.tile);
  visitor.field("estimated_cycles", facts.estimatedCycles);
  visitor.field("limit_cycles", facts.limitCycles);
}

void bquant::setLayerFacts(ModuleOp module, ArrayRef<LayerFacts> layers) {
  SmallVector<Attribute> dictionaries;
  for (const LayerFacts &facts : layers) {
    Writer writer(module.getContext());
    visitFields(writer, facts);
    dictionaries.push_back(writer.take());
  }
  module->setAttr(kLayersName,
                  ArrayAttr::get(module.getContext(), dictionaries));
}

std::vector<LayerFacts> bquant::takeLayerFacts(ModuleOp module) {
  std::vector<LayerFacts> layers;
  auto all = dyn_cast_or_null<ArrayAttr>(module->removeAttr(kLayersName));
  if (!all)
    return layers;
  // A module may have come with anything by that name.
  for (Attribute one : all)
    if (auto fields = dyn_cast<DictionaryAttr>(one)) {
      Reader reader(fields);
      visitFields(reader, layers.emplace_back());
    }
  return layers;
}
