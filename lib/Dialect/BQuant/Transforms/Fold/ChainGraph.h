//===- ChainGraph.h - The chain before a quantize, from IR ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks back from a quantize through elementwise ops (linalg on tensors, named
// or generic, arith and math ops on tensors) and ops that only move elements
// (transpose, expand_shape, collapse_shape, extract_slice), and builds the
// Chain: a node for each elementwise op of f32. The scalars through which all
// paths go ("cuts") are the possible sources of thresholds (ChainCuts.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_TRANSFORMS_FOLD_CHAINGRAPH_H
#define BQUANT_LIB_TRANSFORMS_FOLD_CHAINGRAPH_H

#include "Dialect/BQuant/Analysis/Ranges.h"
#include "Views.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant::chains {

/// Where a tensor is, seen from the quantize.
struct Place {
  /// The quantize's indices to the tensor's.
  mlir::AffineMap map;
  /// What moves the tensor's elements to where the quantize has them, the last
  /// one first; nothing if no views do (a broadcast).
  std::optional<Views> views;
};

/// What a node of the graph is in the program.
struct NodeInfo {
  /// The op that computes it.
  mlir::Operation *op = nullptr;
  /// The value as a tensor, if there is one.
  mlir::Value tensor;
  /// Or the scalar in the body of a linalg.generic, and that one's result.
  mlir::Value scalar;
  mlir::OpResult result;
  /// Of the tensor or the result.
  Place place;
  /// Of an input: why the walk ends here; empty where an op does that which is
  /// not elementwise, or a block argument.
  llvm::StringRef reason;
  /// Of an input: what it can be.
  FloatRange range;
};

/// The f32 sum of two accumulators that have one factor.
struct AccumulatorSum {
  /// Their nodes, and that of the factor.
  int first, second, factor;
};

class ChainGraph {
public:
  explicit ChainGraph(QuantizeOp quantize);

  /// Sources to fold from, the farthest from the quantize first: nodes of f32
  /// that exist or can be made to exist as a tensor, or an accumulator.
  llvm::SmallVector<int> getCuts() const;
  /// Whether a node is the i32 result of a product.
  bool isAccumulator(int node) const {
    return chain.nodes[node].op == ChainOp::Input &&
           chain.nodes[node].type == CellType::I32;
  }

  /// The accumulators whose sum a node is, if it is one.
  std::optional<AccumulatorSum> getSum(int node) const;
  /// The value of a constant.
  float getConstant(int node, int64_t channel) const {
    return chain.constant(node, channel).f;
  }

  /// The chain from a cut to the quantize. `origin`: its nodes in the graph.
  Chain extract(int cut, llvm::SmallVectorImpl<int> &origin) const;
  /// What a node can be in a channel.
  FloatRange getRange(int node, int64_t channel) const;
  /// For each channel the first one for which all constants of the graph are
  /// the same.
  std::vector<int64_t> findEqualChannels() const;
  /// For each channel of the quantize the channel (last index) of a product in
  /// the graph; empty if that is not one.
  std::vector<int64_t> getSourceChannels(mlir::Operation *product) const;

  int root() const { return rootNode; }
  /// Whether a node is an operation, not an input or a constant.
  bool isStep(int node) const {
    return chain.nodes[node].op != ChainOp::Input && !chain.isConstant(node);
  }
  /// Why no source farther from the quantize than a node serves; empty if its
  /// op is not elementwise.
  std::string getReason(int node) const;
  /// The operations between a cut and the quantize.
  int countSteps(int cut) const;
  const NodeInfo &info(int node) const { return infos[node]; }
  int64_t numChannels() const { return chain.channels; }

  /// The tensor of a cut of f32, at its place; a generic that yields it is made
  /// if need be.
  mlir::Value materialize(int node, mlir::RewriterBase &rewriter) const;

private:
  /// The body of the linalg op that computes a tensor.
  struct Body {
    mlir::OpResult result;
    Place place;
    /// The quantize's indices to the loops'.
    mlir::AffineMap loops;
  };

  int buildTensor(mlir::Value tensor, const Place &place);
  int buildTensorUncached(mlir::Value tensor, const Place &place);
  /// `body`: null for what is no scalar of a body.
  int buildScalar(mlir::Value scalar, const Body *body);
  int buildScalarUncached(mlir::Value scalar, const Body *body);
  /// An arith or math op on scalars or tensors.
  int buildOp(mlir::Operation *op,
              llvm::function_ref<int(mlir::Value)> buildOperand);
  int buildConstant(mlir::Value tensor, mlir::AffineMap map);
  /// The f32 result of a product as a multiple of its accumulator.
  int buildProduct(mlir::Operation *product, const Place &place);
  int addLeaf(mlir::Operation *op, llvm::StringRef reason,
              CellType type = CellType::F32, FloatRange range = {});
  int addLeaf(mlir::Value value, llvm::StringRef reason);
  /// Attaches the op to the node that it computes.
  NodeInfo &attach(int node, mlir::Operation *op);
  /// Values of a tensor of `shape`, read by `map`, for each channel (one for
  /// all if they are equal); empty if they vary within one.
  std::vector<float> readPerChannel(llvm::ArrayRef<float> values,
                                    llvm::ArrayRef<int64_t> from,
                                    mlir::AffineMap map) const;

  llvm::SmallVector<int64_t> shape;
  Chain chain;
  llvm::SmallVector<NodeInfo> infos;
  llvm::DenseMap<std::pair<mlir::Value, mlir::AffineMap>, int> built;
  /// The quantize's indices to those of products.
  llvm::DenseMap<mlir::Operation *, mlir::AffineMap> productMaps;
  unsigned nested = 0;
  int rootNode = -1;
};

} // namespace bquant::chains

#endif // BQUANT_LIB_TRANSFORMS_FOLD_CHAINGRAPH_H
