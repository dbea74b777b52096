//===- Routes.h - Ways to compile a module ----------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_TEST_PROPERTY_ROUTES_H
#define BQUANT_TEST_PROPERTY_ROUTES_H

#include "Oracle.h"
#include "bquant/Support/Options.h"
#include "bquant/Target/TargetMachine.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace bquant::test {

/// A compiled module whose functions can be called.
class Compiled {
public:
  virtual ~Compiled() = default;
  /// Fills `outputs`, whose shapes are right already.
  virtual llvm::Error call(llvm::StringRef name,
                           const std::vector<Array> &inputs,
                           std::vector<Array> &outputs) = 0;
};

/// A way from bquant ops to code. `compile` consumes the module.
struct Route {
  std::string name;
  std::function<llvm::Expected<std::unique_ptr<Compiled>>(
      mlir::OwningOpRef<mlir::ModuleOp>)>
      compile;
};

/// Whether the IR is verified after each pass, which takes a third of the time
/// of a small program. True by default.
extern bool verifyEach;

// All of them compile for `target`, by default this machine, and run here.

/// The reference, with nothing of the project behind it.
Route getReferenceRoute(const TargetOptions &target = {});
/// Words in plain loops, likewise; `fold`: after --bquant-fold-sign-cascades.
Route getWordsRoute(bool fold = false, const TargetOptions &target = {});
/// Upstream's own lowering of TOSA and linalg, on this machine; of the project
/// the formulas of bquant ops alone. Sums of floats have another order.
Route getUpstreamRoute();
/// The stages of the reference up to loops on tensors, then likewise: the same
/// sums in the same order, compiled in a fifth of the time.
Route getPlainReferenceRoute();
/// What this machine runs: itself, and, of x86, a CPU without an fma and one
/// with registers of 256 bits.
std::vector<TargetOptions> getTargets();
/// The whole route as bquant-compile runs it, a route for each strategy that
/// the target has.
std::vector<Route> getFastRoutes(const TargetOptions &target = {});

/// One of them, or the reference.
Route getToolRoute(Strategy strategy, const TargetOptions &target = {},
                   int32_t threads = 1,
                   FloatPrecision floatPrecision = FloatPrecision::F32);
/// The whole route with the kernel number `choose(count)` for each product, of
/// the `count` that can compute it, on so many threads, however small it is.
Route getKernelRoute(const std::string &name,
                     std::function<size_t(size_t)> choose,
                     const TargetOptions &target, int32_t threads);
/// The same as a shared library.
Route getLibraryRoute(Strategy strategy);

/// The elements of an array, as compiled code takes them.
const void *dataOf(const Array &array);

/// What the routes need, for a context.
void registerRouteDialects(mlir::DialectRegistry &registry);

} // namespace bquant::test

#endif // BQUANT_TEST_PROPERTY_ROUTES_H
