//===- GeneratorUniform.cpp - Random layers of evenly spaced values -------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What products of bytes take: one scalar on each side, whole fours of
// channels. Other generators draw such a pair once in a while.
//
//===----------------------------------------------------------------------===//

#include "Generator.h"

using namespace mlir;
using namespace bquant;
using namespace bquant::test;

std::vector<int64_t> Generator::evenRatios() {
  // 8 bits one time in four: of them bytes are widened, and those of filters
  // are halves. Of 6 bits two words fit 16 bits by a bias.
  return choose<std::vector<int64_t>>({{},
                                       {1, 1},
                                       {2, 1},
                                       {3, 2, 2},
                                       {8, 4, 2, 1},
                                       {8, 4, 2, 1},
                                       {32, 16, 8, 4, 2, 1},
                                       {32, 16, 8, 4, 2, 1},
                                       {64, 32, 16, 8, 4, 2, 1},
                                       {128, 64, 32, 16, 8, 4, 2, 1},
                                       {128, 64, 32, 16, 8, 4, 2, 1},
                                       {127, 64, 32, 16, 8, 4, 2, 1}});
}

Case Generator::makeUniformLayer() {
  even = true;
  int64_t filters = choose<int64_t>({1, 3, 8, 16, 17, 32, 33, 48, 65});
  if (chance(30)) {
    Shape shape{choose<int64_t>({1, 1, 2, 5, 9}),
                choose<int64_t>({4, 12, 32, 36, 64, 200, 512, 514})};
    if (chance(25))
      shape.insert(shape.begin(), pick(1, 3));
    Node x = argument(numbers(shape, /*special=*/true));
    Node q = quantize(x, /*onePlane=*/false, /*offset=*/true);
    return finish("uniform matmul", after(matmul(q, filters)));
  }
  int64_t channels = choose<int64_t>({4, 8, 12, 32, 36, 64, 5});
  int64_t groups = chance(75) ? 1 : pick(2, 4);
  Shape shape{pick(1, 2), pick(1, 7), pick(1, 7), channels * groups};
  Node x = argument(numbers(shape, /*special=*/true));
  Node q = quantize(x, /*onePlane=*/false, /*offset=*/true);
  if (chance(25))
    q = maxPool(q);
  if (groups > 1)
    filters = groups * choose<int64_t>({1, 4, 8, 16, 32});
  return finish("uniform conv_2d", after(conv2d(q, groups, filters)));
}
