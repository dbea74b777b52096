//===- Packed.h - The bquant_packed dialect ---------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_PACKED_IR_PACKED_H
#define BQUANT_DIALECT_PACKED_IR_PACKED_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "bquant/Dialect/Packed/IR/PackedDialect.h.inc"
#define GET_OP_CLASSES
#include "bquant/Dialect/Packed/IR/PackedOps.h.inc"

#endif // BQUANT_DIALECT_PACKED_IR_PACKED_H
