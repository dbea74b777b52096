//===- Chain.h - The arithmetic between a source and a quantize -*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A chain is what one element goes through, elementwise, from a source (an i32
// accumulator or a float) to a quantize: a graph of f32 operations with one
// input and constants that differ from channel to channel. Free of MLIR.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_ANALYSIS_CHAIN_H
#define BQUANT_LIB_ANALYSIS_CHAIN_H

#include <array>
#include <cstdint>
#include <vector>

namespace bquant::chains {

/// A value of a chain: f32, i32, or a truth value as 0 or 1 in `i`.
union Cell {
  float f;
  int32_t i;
};

enum class CellType { F32, I32, I1 };

enum class ChainOp {
  Input,
  Constant,
  // Of f32.
  Add,
  Sub,
  Mul,
  Div,
  Fma,
  Neg,
  Abs,
  Sqrt,
  /// 1 / sqrt(x), both rounded: what math.rsqrt is lowered to.
  Rsqrt,
  Floor,
  Ceil,
  /// Half to even, and half away from zero.
  RoundEven,
  Round,
  Trunc,
  /// +1 for x >= 0, else -1.
  Sign,
  /// NaN if an operand is.
  Maximum,
  Minimum,
  /// The other operand if one is NaN.
  MaxNum,
  MinNum,
  /// f32 x f32 -> i1, by `relations`.
  Compare,
  /// i1 x T x T -> T.
  Select,
  // Of i1.
  And,
  Or,
  Xor,
  /// i32 or i1 (as 0 and 1) to f32.
  ToFloat,
};

/// The relations of two floats; a comparison is the set that makes it true.
enum Relation : unsigned { Less = 1, Equal = 2, Greater = 4, Unordered = 8 };

/// An operation; operands are indices of earlier nodes.
struct ChainNode {
  ChainOp op = ChainOp::Input;
  CellType type = CellType::F32;
  std::array<int, 3> operands = {-1, -1, -1};
  unsigned relations = 0;
  /// Of a constant: one value, or one for each channel.
  std::vector<Cell> constants;
};

/// Nodes in an order in which operands come first; the last is the result.
struct Chain {
  explicit Chain(int64_t channels) : channels(channels) {}

  int add(ChainNode node) {
    nodes.push_back(std::move(node));
    return int(nodes.size()) - 1;
  }
  int addInput(CellType type);
  int addConstant(float value);
  int addConstant(std::vector<float> values);
  /// An operation; of constants alone it is evaluated at once.
  int addOp(ChainOp op, CellType type, std::vector<int> operands,
            unsigned relations = 0);

  bool isConstant(int node) const {
    return nodes[node].op == ChainOp::Constant;
  }
  Cell constant(int node, int64_t channel) const {
    const std::vector<Cell> &values = nodes[node].constants;
    return values[values.size() == 1 ? 0 : channel];
  }
  int result() const { return int(nodes.size()) - 1; }

  int64_t channels;
  std::vector<ChainNode> nodes;
};

} // namespace bquant::chains

#endif // BQUANT_LIB_ANALYSIS_CHAIN_H
