//===- BQuantDialect.cpp - Registration, attributes -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Support/AttributeNames.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/InliningUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// SchemeAttr
//===----------------------------------------------------------------------===//

/// scheme ::= `twn` | (`ls` | `gf`) `,` (integer | `T`)
static ParseResult parseScheme(AsmParser &parser, SchemeKind &kind,
                               int64_t &planes, bool &ternary) {
  FailureOr<SchemeKind> parsed = FieldParser<SchemeKind>::parse(parser);
  if (failed(parsed))
    return failure();
  kind = *parsed;
  if (kind == SchemeKind::twn) {
    ternary = true;
    planes = 2;
    return success();
  }
  if (parser.parseComma())
    return failure();
  ternary = succeeded(parser.parseOptionalKeyword("T"));
  if (ternary) {
    planes = 2;
    return success();
  }
  OptionalParseResult integer = parser.parseOptionalInteger(planes);
  if (integer.has_value())
    return *integer;
  return parser.emitError(parser.getCurrentLocation(),
                          "expected a number of planes or T");
}

static void printScheme(AsmPrinter &printer, SchemeKind kind, int64_t planes,
                        bool ternary) {
  printer << kind;
  if (kind == SchemeKind::twn)
    return;
  if (ternary)
    printer << ", T";
  else
    printer << ", " << planes;
}

LogicalResult SchemeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 SchemeKind kind, int64_t planes,
                                 bool ternary) {
  if (planes < 1 || planes > 8)
    return emitError() << "[scheme_c1] expected 1 to 8 planes, but got "
                       << planes;
  if (ternary ? kind == SchemeKind::gf || planes != 2 : kind == SchemeKind::twn)
    return emitError() << "[scheme_c2] expected ls for T, but got "
                       << stringifySchemeKind(kind);
  return success();
}

quant::Scheme SchemeAttr::getScheme() const {
  quant::Scheme scheme;
  switch (getKind()) {
  case SchemeKind::ls:
    scheme.rule = quant::Scheme::Rule::LeastSquares;
    break;
  case SchemeKind::gf:
    scheme.rule = quant::Scheme::Rule::Greedy;
    break;
  case SchemeKind::twn:
    scheme.rule = quant::Scheme::Rule::TernaryWeights;
    break;
  }
  scheme.planes = getTernary() ? quant::Planes::ternary()
                               : quant::Planes::independent(getPlanes());
  return scheme;
}

bool SchemeAttr::isOfMeans() const {
  return getKind() != SchemeKind::ls || getPlanes() == 1;
}

//===----------------------------------------------------------------------===//
// Attributes of functions
//===----------------------------------------------------------------------===//

/// [{name = "x", type = tensor<..>}, ..]
static bool isListOfArrays(Attribute attr) {
  auto list = dyn_cast_or_null<ArrayAttr>(attr);
  return list && llvm::all_of(list, [](Attribute entry) {
           auto array = dyn_cast<DictionaryAttr>(entry);
           if (!array || !array.getAs<StringAttr>("name"))
             return false;
           auto type = array.getAs<TypeAttr>("type");
           auto tensor =
               type ? dyn_cast<RankedTensorType>(type.getValue()) : nullptr;
           return tensor && tensor.getElementType().isIntOrFloat();
         });
}

LogicalResult BQuantDialect::verifyOperationAttribute(Operation *op,
                                                      NamedAttribute attr) {
  if (attr.getName() == kSignatureName) {
    auto signature = dyn_cast<DictionaryAttr>(attr.getValue());
    if (!signature || !signature.getAs<StringAttr>("name") ||
        !isListOfArrays(signature.get("inputs")) ||
        !isListOfArrays(signature.get("outputs")))
      return op->emitError("[attributes_c1] expected a name, and inputs and "
                           "outputs with name and type, in 'bquant.signature', "
                           "but got ")
             << attr.getValue();
  }
  if (attr.getName() == kArenaBytesName) {
    auto bytes = dyn_cast<IntegerAttr>(attr.getValue());
    if (!bytes || !bytes.getType().isInteger(64) || bytes.getInt() < 0)
      return op->emitError("[attributes_c2] expected an i64 >= 0 as "
                           "'bquant.arena_bytes', but got ")
             << attr.getValue();
  }
  if (attr.getName() == kBlockName) {
    auto block = dyn_cast<DictionaryAttr>(attr.getValue());
    auto samples = block ? block.getAs<IntegerAttr>("samples") : nullptr;
    if (!samples || !block.getAs<StringAttr>("of") ||
        !samples.getType().isInteger(64) || samples.getInt() < 2)
      return op->emitError("[attributes_c5] expected a name and at least 2 "
                           "samples in 'bquant.block', but got ")
             << attr.getValue();
  }
  return success();
}

/// How many samples of a batch a function takes.
static int64_t getSamples(Operation *op) {
  auto block = op->getAttrOfType<DictionaryAttr>(kBlockName);
  auto samples = block ? block.getAs<IntegerAttr>("samples") : nullptr;
  return samples ? samples.getInt() : 1;
}

static LogicalResult verifyArray(Operation *op, Type type,
                                 NamedAttribute attr) {
  if (attr.getName() == kArrayName && !isa<StringAttr>(attr.getValue()))
    return op->emitError("[attributes_c3] expected a string as 'bquant.name', "
                         "but got ")
           << attr.getValue();
  auto shaped = dyn_cast<ShapedType>(type);
  if (attr.getName() == kBatchName &&
      (!shaped || !shaped.hasRank() || shaped.getRank() == 0 ||
       shaped.getDimSize(0) != getSamples(op)))
    return op->emitError("[attributes_c4] expected 'bquant.batch' on a tensor "
                         "with the leading dimension ")
           << getSamples(op) << ", but got " << type;
  if (attr.getName() == kInitialName) {
    auto initial = dyn_cast<DenseElementsAttr>(attr.getValue());
    if (!initial || initial.getType() != type)
      return op->emitError("[attributes_c6] expected dense elements of ")
             << type << " as 'bquant.initial', but got " << attr.getValue();
    // Signatures are JSON, which has no others.
    if (isa<FloatType>(initial.getElementType()) &&
        llvm::any_of(initial.getValues<APFloat>(),
                     [](const APFloat &value) { return !value.isFinite(); }))
      return op->emitError("[attributes_c6] expected finite elements of ")
             << type << " as 'bquant.initial', but got " << attr.getValue();
  }
  return success();
}

/// That a result is the next value of an argument that is state.
static LogicalResult verifyUpdates(FunctionOpInterface function, Type type,
                                   Attribute value) {
  auto index = dyn_cast<IntegerAttr>(value);
  if (!index || !index.getType().isInteger(64) || index.getInt() < 0 ||
      index.getInt() >= function.getNumArguments() ||
      function.getArgumentTypes()[index.getInt()] != type ||
      !function.getArgAttr(index.getInt(), kInitialName))
    return function->emitError("[attributes_c7] expected the number of an "
                               "argument of ")
           << type << " with 'bquant.initial' as 'bquant.updates', but got "
           << value;
  return success();
}

LogicalResult BQuantDialect::verifyRegionArgAttribute(Operation *op,
                                                      unsigned region,
                                                      unsigned argument,
                                                      NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  return function ? verifyArray(op, function.getArgumentTypes()[argument], attr)
                  : success();
}

LogicalResult BQuantDialect::verifyRegionResultAttribute(Operation *op,
                                                         unsigned region,
                                                         unsigned result,
                                                         NamedAttribute attr) {
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (function && attr.getName() == kUpdatesName)
    return verifyUpdates(function, function.getResultTypes()[result],
                         attr.getValue());
  return function ? verifyArray(op, function.getResultTypes()[result], attr)
                  : success();
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuantDialect.cpp.inc"
#include "bquant/Dialect/BQuant/IR/BQuantEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "bquant/Dialect/BQuant/IR/BQuantAttrs.cpp.inc"

namespace {
/// Into and out of functions and regions.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final {
    return true;
  }
};
} // namespace

void BQuantDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "bquant/Dialect/BQuant/IR/BQuantAttrs.cpp.inc"
      >();
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "bquant/Dialect/BQuant/IR/BQuantOps.cpp.inc"
      >();
  addInterfaces<Inliner>();
}
