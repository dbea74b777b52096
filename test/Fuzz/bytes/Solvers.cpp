//===- Solvers.cpp - Scalars of any floats --------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any floats by any scheme and along any axes: finite values have finite
// parameters, those of each group are its own, and no error is above that of a
// simpler scheme; NaN and Inf are refused by their place.
//
//===----------------------------------------------------------------------===//

#include "bquant/Quant/Solve.h"

#include "../../Unit/Quant/Oracle.h"
#include "Arrays.h"

using namespace bquant::fuzz;
using namespace bquant::quant;

static long double squaredError(const std::vector<float> &x,
                                const std::vector<float> &y) {
  long double sum = 0;
  for (size_t i = 0; i < x.size(); ++i)
    sum += ((long double)x[i] - y[i]) * ((long double)x[i] - y[i]);
  return sum;
}

/// What a whole group of its own comes to by a scheme: infinite if it is
/// refused, as greedy scalars of the greatest values are.
static long double errorBy(const std::string &name,
                           const std::vector<float> &x) {
  Grouping whole = *Grouping::get({int64_t(x.size())}, {});
  Scheme scheme = *Scheme::parse(name);
  Parameters parameters;
  check(bool(solveParameters(x.data(), whole, scheme, parameters)),
        "finite values to be solved", name);
  std::vector<float> decoded(x.size());
  Outputs outputs;
  outputs.decoded = decoded.data();
  if (applyParameters(x.data(), whole, scheme.planes, parameters, outputs))
    return INFINITY;
  return squaredError(x, decoded);
}

/// The schemes whose error is not less than that of a scheme; "" stands for 0
/// instead of all values.
static std::vector<std::string> getSimpler(const Scheme &scheme) {
  std::string planes = std::to_string(scheme.planes.count),
              fewer = std::to_string(scheme.planes.count - 1);
  switch (scheme.rule) {
  case Scheme::Rule::LeastSquares:
    if (scheme.isTernary())
      return {"", "twn"};
    if (scheme.planes.count == 1)
      return {"", "gf-1"};
    if (scheme.planes.count == 2)
      return {"ls-1", "ls-T", "gf-2"};
    return {"ls-" + fewer, "gf-" + planes};
  case Scheme::Rule::Greedy:
    if (scheme.planes.count > 1)
      return {"gf-" + fewer};
    return {};
  default:
    return {};
  }
}

/// A group alone: its error, and what else has to be at most as good.
static void checkErrors(const Scheme &scheme, const std::vector<float> &x,
                        long double error) {
  std::string name = scheme.str();
  long double slack = 64 * test::roundingAllowance(x);
  for (const std::string &simpler : getSimpler(scheme)) {
    long double other =
        simpler.empty() ? test::squaredNorm(x) : errorBy(simpler, x);
    // Of sums of squares, both.
    check(error <= other + slack + other * 1e-5L,
          "an error of " + name + " not above that of " + simpler,
          std::to_string(error) + " and " + std::to_string(other));
  }
  if (x.size() <= 4) {
    long double least = name == "ls-1"   ? test::exhaustiveLS1(x)
                        : name == "ls-2" ? test::exhaustiveLS2(x)
                        : name == "ls-T" ? test::exhaustiveLST(x)
                                         : INFINITY;
    check(error <= least + slack + least * 1e-5L, "the least error of " + name,
          std::to_string(error) + " and " + std::to_string(least));
  }
  if (x.size() <= 200) {
    long double least = name == "ls-2"   ? test::scanSplitsLS2(x)
                        : name == "ls-T" ? test::scanSplitsLST(x)
                                         : INFINITY;
    check(error <= least + slack + least * 1e-5L, "the best split of " + name,
          std::to_string(error) + " and " + std::to_string(least));
  }
}

/// The name of a scheme; of any kind, but of those of rule Given.
static std::string takeScheme(Bytes &bytes) {
  static const char *const kinds[] = {"ls-",   "gf-",  "dorefa-", "dorefa-w-",
                                      "hwgq-", "ls-T", "twn",     "bwn"};
  std::string name = bytes.pick(kinds);
  unsigned planes = 1 + bytes.below(Scheme::maxPlanes);
  return name.back() == '-' ? name + std::to_string(planes) : name;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Bytes bytes(data, size);
  std::string name = takeScheme(bytes);
  Scheme scheme = *Scheme::parse(name);
  check(*Scheme::parse(scheme.str()) == scheme, "the scheme of its name", name);
  Array array(bytes);
  if (!array.grouping)
    return 0;
  const Grouping &grouping = *array.grouping;
  const float *x = array.values.data();
  int64_t groups = grouping.numGroups();
  // Of many planes each group takes long, however few values it has.
  if (groups * scheme.planes.numCodes() > 512)
    return 0;

  Parameters parameters, again;
  std::vector<float> copy(array.values.size());
  Result<int64_t> zeros =
      solveParameters(x, grouping, scheme, parameters, 1, copy.data());
  Result<int64_t> zerosAgain = solveParameters(x, grouping, scheme, again, 3);
  check(bool(zeros) == bool(zerosAgain) && zeros.error() == zerosAgain.error(),
        "the same on several threads", zeros.error());
  if (!array.isFinite()) {
    check(zeros.error() == array.getMessage(), array.getMessage(),
          zeros.error());
    return 0;
  }
  check(bool(zeros), "finite values to be solved", zeros.error());
  check(*zeros == *zerosAgain && parameters.scalars == again.scalars &&
            parameters.offsets == again.offsets &&
            parameters.thresholds == again.thresholds &&
            parameters.codes == again.codes,
        "the same on several threads");
  check(std::memcmp(copy.data(), x, copy.size() * sizeof(float)) == 0,
        "a copy of the values");
  check(areValid(parameters, scheme.planes, groups),
        "parameters that can be applied", name);

  std::vector<float> decoded = checkApplied(array, scheme.planes, parameters);
  for (int64_t group = 0; group < groups; ++group) {
    std::vector<float> own = array.getGroup(group), values, scalars(8);
    std::vector<uint64_t> scratch(solveScratchBytes(scheme, own.size()) / 8 +
                                  1);
    solve(scheme, own.data(), own.size(), scalars.data(), scratch.data());
    scalars.resize(scheme.planes.numScalars());
    check(scalars == getColumn(parameters.scalars, group, groups),
          "the scalars of a group alone");
    if (decoded.empty() || group >= 2) // the others are alike
      continue;
    for (size_t i = 0; i < decoded.size(); ++i)
      if (array.groupOf[i] == group)
        values.push_back(decoded[i]);
    checkErrors(scheme, own, squaredError(own, values));
  }
  return 0;
}
