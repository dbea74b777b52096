//===- Allocations.h - What a call takes besides its arguments --*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The program defines malloc and its kin, which then serve libraries and code
// made in memory, too, and count what the calling thread asks for. Not beside
// a sanitizer, which does the same.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_PROPERTY_ALLOCATIONS_H
#define BQUANT_TEST_PROPERTY_ALLOCATIONS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstddef>
#include <cstdint>

namespace bquant::test {

/// Whether allocations can be counted in this build.
bool countsAllocations();

/// How often `run` allocates or frees memory, or maps some.
int64_t countAllocations(llvm::function_ref<void()> run);

/// The bytes of stack that `run` touches.
size_t measureStack(llvm::function_ref<void()> run);

} // namespace bquant::test

#endif // BQUANT_TEST_PROPERTY_ALLOCATIONS_H
