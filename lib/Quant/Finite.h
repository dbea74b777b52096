//===- Finite.h - Data without NaN and Inf ----------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_FINITE_H
#define BQUANT_LIB_QUANT_FINITE_H

#include "Namespace.h"
#include "bquant/Quant/Grouping.h"

#include <string>

namespace bquant::quant {

/// Whether there is no NaN and no Inf among the values.
BQUANT_VECTOR_CLONES
bool areFinite(const float *x, int64_t n);

/// What there is to say of the first NaN or Inf of an array that has one.
Failure notFinite(const float *x, const Grouping &grouping);

/// The value, or "nan", "inf", "-inf".
std::string formatValue(float value);

} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_FINITE_H
