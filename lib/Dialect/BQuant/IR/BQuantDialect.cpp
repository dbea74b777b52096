//===- BQuantDialect.cpp - Registration, attributes -----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// SchemeAttr
//===----------------------------------------------------------------------===//

/// planes ::= integer | `T`
static ParseResult parseSchemePlanes(AsmParser &parser, int64_t &planes,
                                     bool &ternary) {
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

static void printSchemePlanes(AsmPrinter &printer, int64_t planes,
                              bool ternary) {
  if (ternary)
    printer << 'T';
  else
    printer << planes;
}

LogicalResult SchemeAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 SchemeKind kind, int64_t planes,
                                 bool ternary) {
  if (planes < 1 || planes > 8)
    return emitError() << "[scheme_c1] expected 1 to 8 planes, but got "
                       << planes;
  if (ternary && (kind != SchemeKind::ls || planes != 2))
    return emitError() << "[scheme_c2] expected ls for T, but got "
                       << stringifySchemeKind(kind);
  return success();
}

//===----------------------------------------------------------------------===//
// The dialect
//===----------------------------------------------------------------------===//

#include "bquant/Dialect/BQuant/IR/BQuantDialect.cpp.inc"
#include "bquant/Dialect/BQuant/IR/BQuantEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "bquant/Dialect/BQuant/IR/BQuantAttrs.cpp.inc"

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
}
