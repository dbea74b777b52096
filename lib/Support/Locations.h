//===- Locations.h - Where something is, as text ----------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_SUPPORT_LOCATIONS_H
#define BQUANT_LIB_SUPPORT_LOCATIONS_H

#include "mlir/IR/Location.h"
#include <string>

namespace bquant {

/// The name that an importer gave, or `file:line:column`; empty if unknown.
std::string formatLocation(mlir::Location loc);

} // namespace bquant

#endif // BQUANT_LIB_SUPPORT_LOCATIONS_H
