//===- ExhaustiveBordersTest.cpp - Drawn windows, compiled ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions of images of up to 5 x 5, filters of up to 4 x 4, strides and
// dilations of up to 3, and pads of up to a whole window, drawn among those
// that BorderClassesTest of the unit tests enumerates.
//
//===----------------------------------------------------------------------===//

#include "Comparison.h"
#include "gtest/gtest.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

namespace {
class BordersProgram : public Generator {
public:
  using Generator::Generator;

  Case make() {
    Shape in{1, pick(1, 5), pick(1, 5), 0};
    int64_t taps[2];
    Geometry g;
    do {
      for (int d = 0; d < 2; ++d) {
        taps[d] = pick(1, 4);
        g.strides[d] = pick(1, 3);
        g.dilations[d] = pick(1, 3);
        for (int side = 0; side < 2; ++side)
          g.pads[2 * d + side] = pick(0, (taps[d] - 1) * g.dilations[d] + 1);
      }
    } while (!outputSize(g, 0, in[1], taps[0]) ||
             !outputSize(g, 1, in[2], taps[1]));
    int64_t kind = pick(0, 5);
    g.groups = kind == 0 ? choose<int64_t>({2, 8}) : 1;
    in[3] = kind == 1 ? 16 : g.groups * choose<int64_t>({1, 4, 33});
    int64_t filters = kind == 1 ? in[3] : g.groups * choose<int64_t>({2, 16});
    if (kind == 1) // Depthwise.
      g.groups = in[3];
    // Of floats, too.
    Node x = argument(numbers(in));
    if (kind > 2 || g.groups > 1)
      x = quantize(x, /*onePlane=*/chance(50), /*offset=*/chance(30));
    return finish("borders", {conv2d(x, filters, taps, g)});
  }
};
} // namespace

TEST(ExhaustiveBordersTest, DrawnWindows) {
  constexpr uint32_t kFirst = 90001, kBatch = 10;
  uint32_t number = isNightly() ? 500 : 10;
  std::unique_ptr<MLIRContext> context = makeContext();
  std::vector<TargetOptions> targets = getTargets();
  for (uint32_t done = 0; done < number; done += kBatch) {
    const TargetOptions &target = targets[done / kBatch % targets.size()];
    TargetDescription description(llvm::cantFail(resolveTarget(target)));
    OwningOpRef<ModuleOp> module =
        ModuleOp::create(UnknownLoc::get(context.get()));
    std::vector<Case> cases;
    for (uint32_t n = 0; n < kBatch; ++n)
      cases.push_back(
          BordersProgram(*module, kFirst + done + n, description).make());
    std::vector<Route> routes = {getToolRoute(Strategy::Auto, target)};
    if (isNightly())
      routes.push_back(getReferenceRoute(target));
    checkCases(*module, cases, routes);
    if (HasFatalFailure())
      return;
  }
}
