//===- Signature.h - How a function looks from C --------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_CODEGEN_ENTRY_SIGNATURE_H
#define BQUANT_LIB_CODEGEN_ENTRY_SIGNATURE_H

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/Support/JSON.h"

namespace bquant {

/// The inputs or outputs of a `bquant.signature`: names, types and shapes.
llvm::json::Array describeArrays(mlir::ArrayAttr arrays);

/// Of one of these: from one sample to the next, in bytes; none for an array
/// that all samples share.
std::optional<int64_t> getSampleBytes(mlir::DictionaryAttr array);

} // namespace bquant

#endif // BQUANT_LIB_CODEGEN_ENTRY_SIGNATURE_H
