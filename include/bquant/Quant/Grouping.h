//===- Grouping.h - Which values of an array share scalars ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_QUANT_GROUPING_H
#define BQUANT_QUANT_GROUPING_H

#include "bquant/Quant/Result.h"

#include <cstdint>
#include <vector>

namespace bquant::quant {

/// A dense row-major array whose dimensions `axes` keep scalars of their own:
/// the values with equal indices along these axes are a group. Groups are
/// numbered row-major over the axes.
class Grouping {
public:
  /// Fails for a rank of 0, a dimension below 1, a size beyond 2^62 and for
  /// axes that are out of range or not ascending.
  static Result<Grouping> get(std::vector<int64_t> shape,
                              std::vector<int64_t> axes);

  const std::vector<int64_t> &shape() const { return dims; }
  const std::vector<int64_t> &axes() const { return kept; }
  int64_t size() const { return groups * groupLength; }
  int64_t numGroups() const { return groups; }
  int64_t groupSize() const { return groupLength; }

  /// A row is the values along the last dimension.
  int64_t rowLength() const { return dims.back(); }
  int64_t numRows() const { return size() / rowLength(); }

  /// Values that lie together, the first of them in `group`. Each belongs to
  /// the group after its neighbour's (step 1), or all to the same (step 0).
  struct Run {
    int64_t group, step, size;
  };
  /// The values from a position on. Whole rows, if a row starts there.
  Run getRun(int64_t position) const;

  /// Whether group g is x[g * groupSize()], ... without gaps.
  bool isContiguous() const { return contiguous; }
  /// Copies the values of a group to `out`, in the array's order.
  void gather(const float *x, int64_t group, float *out) const;

private:
  struct Dim {
    int64_t size;
    int64_t stride;
  };

  std::vector<int64_t> dims, kept;
  std::vector<Dim> keptDims, reducedDims;
  int64_t groups = 1, groupLength = 1;
  bool contiguous = false;
};

/// "[2, 3]", for messages.
std::string formatShape(const std::vector<int64_t> &shape);

} // namespace bquant::quant

#endif // BQUANT_QUANT_GROUPING_H
