//===- Sets.h - Cases by name -----------------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_BENCH_SETS_H
#define BQUANT_LIB_BENCH_SETS_H

#include "Case.h"

namespace bquant::bench {

/// The cases of a set; an error with all names for one that is none.
llvm::Expected<std::vector<Case>> getSet(llvm::StringRef name);

} // namespace bquant::bench

#endif // BQUANT_LIB_BENCH_SETS_H
