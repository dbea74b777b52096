//===- Sets.cpp - Cases by name -------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace bquant;
using namespace bquant::bench;

/// A square image by square filters that keep its size.
static Case getSquare(int64_t extent, int64_t channels, int64_t filters,
                      int64_t window, int64_t groups = 1) {
  Case c;
  c.input = {1, extent, extent, channels};
  c.filter = {filters, window, window, channels / groups};
  c.pads.fill(window / 2);
  c.groups = groups;
  return c;
}

/// The 3x3 and 1x1 convolutions of ResNet-18 at 224x224 that repeat, without
/// the first.
static std::vector<Case> getResNet18() {
  std::vector<Case> cases;
  int64_t size = 56;
  for (int64_t channels : {64, 128, 256, 512}) {
    if (channels != 64) {
      for (int64_t window : {3, 1}) {
        cases.push_back(getSquare(size, channels / 2, channels, window));
        cases.back().strides = {2, 2};
      }
      size /= 2;
    }
    cases.push_back(getSquare(size, channels, channels, 3));
  }
  return cases;
}

/// What is not a multiple of words and registers, or has little to do for each
/// element that it reads or writes.
static std::vector<Case> getCorners() {
  std::vector<Case> cases;
  for (int64_t filters : {20, 24, 28, 56, 88, 120})
    cases.push_back(getSquare(14, 64, filters, 3));
  for (int64_t channels : {24, 40, 48, 80})
    cases.push_back(getSquare(14, 4 * channels, 4 * channels, 3, /*groups=*/4));
  for (int64_t channels : {16, 8, 4})
    cases.push_back(getSquare(14, 64, 64, 3, /*groups=*/64 / channels));
  cases.push_back(getSquare(28, 128, 128, 3, /*groups=*/128));
  // Many filters, of which each pixel's outputs lie far from the next one's.
  cases.push_back(getSquare(14, 256, 1024, 1));
  cases.push_back(getSquare(14, 1024, 256, 1));
  // Few words for each output.
  cases.push_back(getSquare(56, 64, 64, 1));
  cases.push_back(getSquare(28, 128, 128, 1));
  cases.push_back(getSquare(14, 256, 256, 1));
  Case ternary = getSquare(56, 64, 64, 3), two = ternary;
  ternary.activations.ternary = true;
  two.activations.count = 2;
  cases.push_back(ternary);
  cases.push_back(two);
  Case four = getSquare(28, 64, 64, 3);
  four.activations.count = four.weights.count = 4;
  cases.push_back(four);
  Case line;
  line.input = {1, 1, 784, 64};
  line.filter = {64, 1, 3, 64};
  line.pads = {0, 0, 1, 1};
  cases.push_back(line);
  for (Case &c : cases)
    c.epilogue = Epilogue::F32;
  return cases;
}

namespace {
struct Set {
  llvm::StringLiteral name;
  std::vector<Case> (*getCases)();
};
} // namespace

static constexpr Set sets[] = {{"resnet18", getResNet18},
                               {"corners", getCorners}};

llvm::Expected<std::vector<Case>> bench::getSet(llvm::StringRef name) {
  for (const Set &set : sets)
    if (set.name == name)
      return set.getCases();
  llvm::SmallVector<llvm::StringRef> names;
  for (const Set &set : sets)
    names.push_back(set.name);
  return llvm::createStringError("expected --set=" + llvm::join(names, " or ") +
                                 ", but got '" + name + "'");
}
