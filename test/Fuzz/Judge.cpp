//===- Judge.cpp - Whether all ways to compile a program agree ------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   bquant-test-judge [--seed=N] [--all] [--dynamic=FILE] FILE
//
// compiles the functions of a module, calls them with random arguments and
// compares the results, bit for bit, with those of the reference in plain
// loops. Of the other routes the seed draws one; most of the time is theirs. In
// one of four the IR is verified after each pass.
//
// Where a function has the attribute `fuzz.exact`, no sum of floats in it has a
// rounding: upstream's own lowering, with the formulas of bquant ops, gives the
// same numbers, up to the sign of zeros.
//
// An argument with `fuzz.step = s, fuzz.bound = b` holds k / 2^s, |k| <= b, any
// other one of f32 all classes of floats. FILE of --dynamic has the functions
// with a `?` for the batch, and the same results.
//
// Exit code 0: all agree; 1: a line on standard error says which function
// differs by which route, or what is refused by it.
//
//===----------------------------------------------------------------------===//

#include "Oracle.h"
#include "Routes.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Pipelines/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"
#include <cmath>
#include <limits>
#include <memory>
#include <random>

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

static llvm::cl::opt<std::string> file(llvm::cl::Positional, llvm::cl::Required,
                                       llvm::cl::desc("<module>"));
static llvm::cl::opt<std::string>
    dynamicFile("dynamic", llvm::cl::desc("the same with `?` for the batch"));
static llvm::cl::opt<uint32_t>
    seed("seed", llvm::cl::desc("of arguments, kernels and threads"));
static llvm::cl::opt<bool>
    all("all", llvm::cl::desc("every route, with one drawn pass, not one route "
                              "that the seed draws"));

namespace {
/// A function, arguments for it and what it should give.
struct Case {
  std::string name;
  bool exact;
  std::vector<Array> inputs, outputs;
};
} // namespace

//===----------------------------------------------------------------------===//
// Cases
//===----------------------------------------------------------------------===//

static Array makeArray(RankedTensorType type) {
  Array array{
      Shape(type.getShape()), type.getElementType().isInteger(32), {}, {}};
  if (array.isInt)
    array.ints.resize(count(array.shape));
  else
    array.floats.resize(count(array.shape));
  return array;
}

/// Numbers of all classes, many of them equal.
static float drawWild(std::mt19937 &random) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float specials[] = {
      inf, -inf, std::numeric_limits<float>::quiet_NaN(), 3e38f, 1e-45f, -0.0f};
  switch (random() % 16) {
  case 0:
    return random() % 4 == 0 ? specials[random() % std::size(specials)] : 0.0f;
  case 1:
  case 2:
  case 3:
  case 4:
    return float(int(random() % 17) - 8) * 0.25f;
  default:
    return float(int(random() % 2000001) - 1000000) / 400000.0f;
  }
}

static Array drawArgument(func::FuncOp function, unsigned i,
                          std::mt19937 &random) {
  Array array =
      makeArray(cast<RankedTensorType>(function.getArgumentTypes()[i]));
  auto step = function.getArgAttrOfType<IntegerAttr>(i, "fuzz.step");
  auto bound = function.getArgAttrOfType<IntegerAttr>(i, "fuzz.bound");
  auto drawInteger = [&] {
    int64_t most = bound ? bound.getInt() : 100;
    return int64_t(random() % uint64_t(2 * most + 1)) - most;
  };
  for (float &x : array.floats)
    x = step ? float(std::ldexp(double(drawInteger()), -int(step.getInt())))
             : drawWild(random);
  for (int32_t &x : array.ints)
    x = int32_t(drawInteger());
  return array;
}

/// Takes the attributes that are for this program alone.
static std::vector<Case> takeCases(ModuleOp module) {
  std::vector<Case> cases;
  for (auto function : module.getOps<func::FuncOp>()) {
    // A function by itself gets what it got among others.
    std::mt19937 random(seed + uint32_t(llvm::xxh3_64bits(function.getName())));
    Case c{function.getName().str(), function->hasAttr("fuzz.exact"), {}, {}};
    for (unsigned i = 0; i < function.getNumArguments(); ++i) {
      c.inputs.push_back(drawArgument(function, i, random));
      function.removeArgAttr(i, "fuzz.step");
      function.removeArgAttr(i, "fuzz.bound");
    }
    for (Type type : function.getResultTypes())
      c.outputs.push_back(makeArray(cast<RankedTensorType>(type)));
    function->removeAttr("fuzz.exact");
    cases.push_back(std::move(c));
  }
  return cases;
}

//===----------------------------------------------------------------------===//
// Routes
//===----------------------------------------------------------------------===//

/// `before` on the module, then `route`.
static Route after(const std::string &name, const Route &route,
                   std::function<LogicalResult(ModuleOp)> before) {
  auto compile = route.compile;
  return {name + ", then " + route.name,
          [before, compile](OwningOpRef<ModuleOp> module)
              -> llvm::Expected<std::unique_ptr<Compiled>> {
            if (failed(before(*module)))
              return llvm::createStringError("what comes before failed");
            return compile(std::move(module));
          }};
}

namespace {
/// The passes in the order in which they end, and the module as number `last`
/// of them leaves it.
struct Trace {
  size_t last;
  std::vector<std::string> passes;
  OwningOpRef<ModuleOp> module;
};

struct Tracer : PassInstrumentation {
  Tracer(Trace &trace) : trace(trace) {}

  void runAfterPass(Pass *pass, Operation *op) override {
    if (trace.passes.size() == trace.last) {
      auto parent = op->getParentOfType<ModuleOp>();
      trace.module = (parent ? parent : cast<ModuleOp>(op)).clone();
    }
    trace.passes.push_back(pass->getArgument().str());
  }

  Trace &trace;
};
} // namespace

/// Runs the passes on tensors, as a compilation does, on a copy.
static LogicalResult runTensorPasses(ModuleOp module, Trace &trace) {
  RouteOptions options;
  options.assumptions.exactResidues = true;
  PassManager pm(module.getContext());
  buildImportPipeline(pm, options);
  buildRaisePipeline(pm, options);
  buildSolvePipeline(pm, options);
  buildFoldPipeline(pm, options);
  pm.addInstrumentation(std::make_unique<Tracer>(trace));
  OwningOpRef<ModuleOp> copy = module.clone();
  return pm.run(*copy);
}

/// The module as these passes leave it, up to a drawn one.
static Route getPassesRoute(ModuleOp module, uint32_t drawn) {
  Trace all{/*last=*/SIZE_MAX, {}, {}};
  // One that fails does so with the module below, too.
  bool isRun = succeeded(runTensorPasses(module, all)) && !all.passes.empty();
  size_t last = isRun ? drawn % all.passes.size() : 0;
  std::string name = isRun ? all.passes[last] : "a pass";
  return after("pass " + std::to_string(last) + " (" + name + ")",
               getPlainReferenceRoute(),
               [last](ModuleOp module) -> LogicalResult {
                 Trace trace{last, {}, {}};
                 if (failed(runTensorPasses(module, trace)) || !trace.module)
                   return failure();
                 module.getBodyRegion().takeBody(trace.module->getBodyRegion());
                 return success();
               });
}

/// Gives every op the location that `choose` says.
static LogicalResult setLocations(ModuleOp module,
                                  llvm::function_ref<Location()> choose) {
  module.walk([&](Operation *op) { op->setLoc(choose()); });
  return success();
}

namespace {
enum class Compare { Bits, Numbers };

/// What is compared with the reference, and for which functions.
struct Comparison {
  Route route;
  bool exactAlone = false, dynamic = false;
};
} // namespace

static std::vector<Comparison> getComparisons(ModuleOp module) {
  MLIRContext *context = module.getContext();
  std::mt19937 random(seed + 1);
  auto threads = int32_t(random() % 4 + 2);
  auto drawKernel = std::make_shared<std::mt19937>(seed + 2);
  auto chooseKernel = [drawKernel](size_t number) {
    return (*drawKernel)() % number;
  };
  auto drawLocation = std::make_shared<std::mt19937>(seed + 3);
  auto shuffle = [=](ModuleOp module) {
    return setLocations(module, [&]() -> Location {
      return NameLoc::get(StringAttr::get(
          context, "l" + std::to_string((*drawLocation)() % 5)));
    });
  };
  auto strip = [=](ModuleOp module) {
    return setLocations(module,
                        [&]() -> Location { return UnknownLoc::get(context); });
  };
  std::vector<Comparison> comparisons = {
      {getToolRoute(Strategy::Auto)},
      {getToolRoute(Strategy::Auto, TargetOptions(), threads)},
      {getToolRoute(Strategy::Scalar)},
      {getToolRoute(Strategy::Reference)},
      {getKernelRoute("drawn kernels", chooseKernel, TargetOptions(), threads)},
      {after("shuffled locations", getToolRoute(Strategy::Auto), shuffle)},
      {after("stripped locations", getToolRoute(Strategy::Auto), strip)},
      {getPassesRoute(module, random())}};
  // Sums of floats may be others on another CPU.
  std::vector<TargetOptions> targets = getTargets();
  for (const TargetOptions &target : llvm::drop_begin(targets)) {
    comparisons.push_back(
        {getToolRoute(Strategy::Auto, target), /*exactAlone=*/true});
    comparisons.push_back({getKernelRoute("drawn kernels of " + target.cpu,
                                          chooseKernel, target, threads),
                           /*exactAlone=*/true});
  }
  if (!dynamicFile.empty()) {
    // Kernels, and so the order of sums, may follow from the size of a batch.
    Route route = getToolRoute(Strategy::Auto);
    route.name += " with a dynamic batch";
    comparisons.push_back({route, /*exactAlone=*/true, /*dynamic=*/true});
  }
  if (!all)
    comparisons = {comparisons[random() % comparisons.size()]};
  return comparisons;
}

//===----------------------------------------------------------------------===//
// Comparison
//===----------------------------------------------------------------------===//

/// The first element that differs, or -1.
static int64_t find(const Array &expected, const Array &got, Compare how) {
  int64_t at = findDifference(expected, got);
  if (how == Compare::Bits || at < 0 || expected.isInt)
    return at;
  for (size_t i = at; i < expected.floats.size(); ++i) {
    float x = expected.floats[i], y = got.floats[i];
    if (x != y && !(std::isnan(x) && std::isnan(y)))
      return int64_t(i);
  }
  return -1;
}

/// The functions of a module by a route: compiled, called, and given to
/// `judge`, which may find a difference. Says what was refused.
static bool run(const Route &route, OwningOpRef<ModuleOp> module,
                std::vector<Case> &cases,
                llvm::function_ref<bool(Case &, std::vector<Array>)> judge) {
  SmallVector<Case *> called;
  for (Case &c : cases)
    if (module->lookupSymbol(c.name))
      called.push_back(&c);
  if (called.empty())
    return true;
  auto compiled = route.compile(std::move(module));
  if (!compiled) {
    llvm::errs() << "refused by " << route.name << ": "
                 << llvm::toString(compiled.takeError()) << "\n";
    return false;
  }
  bool agree = true;
  for (Case *c : called) {
    std::vector<Array> outputs = paint(c->outputs);
    if (llvm::Error error = (*compiled)->call(c->name, c->inputs, outputs)) {
      llvm::errs() << c->name << ": refused by " << route.name << ": "
                   << llvm::toString(std::move(error)) << "\n";
      agree = false;
      continue;
    }
    agree &= judge(*c, std::move(outputs));
  }
  return agree;
}

static bool compare(const Route &route, OwningOpRef<ModuleOp> module,
                    std::vector<Case> &cases, Compare how) {
  return run(route, std::move(module), cases,
             [&](Case &c, std::vector<Array> outputs) {
               for (auto [i, output] : llvm::enumerate(outputs)) {
                 int64_t at = find(c.outputs[i], output, how);
                 if (at < 0)
                   continue;
                 auto value = [&](const Array &array) -> double {
                   return array.isInt ? array.ints[at] : array.floats[at];
                 };
                 llvm::errs() << c.name << ": differs by " << route.name
                              << ", result " << i << ", element " << at
                              << ": expected " << value(c.outputs[i])
                              << ", but got " << value(output) << "\n";
                 return false;
               }
               return true;
             });
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv);
  DialectRegistry registry;
  registerRouteDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.allowUnregisteredDialects();
  context.loadAllAvailableDialects();
  auto module = parseSourceFile<ModuleOp>(file, &context);
  if (!module)
    return 1;
  verifyEach = all || std::mt19937(seed + 4)() % 4 == 0;
  std::vector<Case> cases = takeCases(*module);
  if (!run(getPlainReferenceRoute(), module->clone(), cases,
           [](Case &c, std::vector<Array> outputs) {
             c.outputs = std::move(outputs);
             return true;
           }))
    return 1;
  auto keepExact = [&](ModuleOp of) {
    for (const Case &c : cases)
      if (Operation *function = of.lookupSymbol(c.name); function && !c.exact)
        function->erase();
  };
  OwningOpRef<ModuleOp> exact = module->clone();
  keepExact(*exact);
  bool agree =
      compare(getUpstreamRoute(), std::move(exact), cases, Compare::Numbers);
  for (const Comparison &comparison : getComparisons(*module)) {
    OwningOpRef<ModuleOp> copy =
        comparison.dynamic ? parseSourceFile<ModuleOp>(dynamicFile, &context)
                           : module->clone();
    if (!copy)
      return 1;
    if (comparison.exactAlone)
      keepExact(*copy);
    agree &= compare(comparison.route, std::move(copy), cases, Compare::Bits);
  }
  return agree ? 0 : 1;
}
