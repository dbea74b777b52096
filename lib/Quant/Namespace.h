//===- Namespace.h - Whose copy of the solvers this is ----------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The solvers of online scalars are compiled twice: for the compiler, and into
// the run-time library, which becomes part of compiled networks. A process may
// have both, built with other options, so their names differ. What is compiled
// for several CPUs is said here, too: the network's copy has one.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_NAMESPACE_H
#define BQUANT_LIB_QUANT_NAMESPACE_H

#ifndef BQUANT_SOLVERS
#define BQUANT_SOLVERS compiler
#endif

// Loops over all values are compiled for wider vectors, too, and chosen when
// the program is loaded. All give the same bits: sums are in fixed lanes and
// nothing is contracted to fma.
#if !defined(BQUANT_VECTOR_CLONES) && defined(__x86_64__) &&                   \
    defined(__ELF__) && !defined(__SANITIZE_ADDRESS__) &&                      \
    !defined(__SANITIZE_THREAD__)
#if __has_attribute(target_clones)
#define BQUANT_VECTOR_CLONES                                                   \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#ifndef BQUANT_VECTOR_CLONES
#define BQUANT_VECTOR_CLONES
#endif

#endif // BQUANT_LIB_QUANT_NAMESPACE_H
