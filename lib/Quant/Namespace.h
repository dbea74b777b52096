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
// have both, built with other options, so their names differ.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_NAMESPACE_H
#define BQUANT_LIB_QUANT_NAMESPACE_H

#ifndef BQUANT_SOLVERS
#define BQUANT_SOLVERS compiler
#endif

#endif // BQUANT_LIB_QUANT_NAMESPACE_H
