//===- ChainGraph.h - The chain before a quantize, from IR ------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Walks up from the input of a bquant.quantize through elementwise linalg ops
// (fused or not), scalar by scalar, to what is no elementwise op of f32. The
// scalars through which all paths go ("cuts") are the possible sources of
// thresholds.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLDING_CHAINGRAPH_H
#define BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLDING_CHAINGRAPH_H

#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "bquant/Dialect/BQuant/Transforms/Folding/Ranges.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace bquant::folding {

/// What a node of the graph is in the program.
struct NodeInfo {
  /// The op that computes it.
  mlir::Operation *op = nullptr;
  /// The value as a tensor in the quantize's index space, if there is one.
  mlir::Value tensor;
  /// The scalar in the body of a linalg.generic over that index space.
  mlir::Value scalar;
  /// Of an input: why the walk ends here; empty where an op does that which is
  /// not elementwise, or a block argument.
  llvm::StringRef reason;
  /// Of an input: what it can be.
  FloatRange range;
};

class ChainGraph {
public:
  explicit ChainGraph(QuantizeOp quantize);

  /// Sources to fold from, the farthest from the quantize first: nodes of f32
  /// that exist or can be made to exist as a tensor, or an accumulator.
  llvm::SmallVector<int> getCuts() const;
  /// Whether a node is the i32 result of a product.
  bool isAccumulator(int node) const {
    return chain.nodes[node].type == CellType::I32;
  }

  /// The chain from a cut to the quantize. `origin`: its nodes in the graph.
  Chain extract(int cut, llvm::SmallVectorImpl<int> &origin) const;
  /// What a node can be in a channel.
  FloatRange getRange(int node, int64_t channel) const;

  int root() const { return rootNode; }
  /// Whether a node is an operation, not an input or a constant.
  bool isStep(int node) const {
    return chain.nodes[node].op != ChainOp::Input && !chain.isConstant(node);
  }
  /// The operations between a cut and the quantize.
  int countSteps(int cut) const;
  const NodeInfo &info(int node) const { return infos[node]; }
  int64_t numChannels() const { return chain.channels; }

  /// The tensor of a cut of f32; a generic that yields it is made if need be.
  mlir::Value materialize(int node, mlir::RewriterBase &rewriter) const;

private:
  int buildTensor(mlir::Value tensor, mlir::AffineMap map);
  int buildScalar(mlir::Value scalar, mlir::linalg::LinalgOp owner,
                  mlir::AffineMap loops);
  int buildTensorUncached(mlir::Value tensor, mlir::AffineMap map);
  int buildScalarUncached(mlir::Value scalar, mlir::linalg::LinalgOp owner,
                          mlir::AffineMap loops);
  /// An arith or math op on scalars or tensors.
  int buildOp(mlir::Operation *op,
              llvm::function_ref<int(mlir::Value)> buildOperand);
  int buildConstant(mlir::Value tensor, mlir::AffineMap map);
  /// The f32 result of a product as a multiple of its accumulator.
  int buildProduct(mlir::Operation *product);
  int addLeaf(mlir::Operation *op, mlir::Value tensor, llvm::StringRef reason,
              CellType type = CellType::F32, FloatRange range = {});
  NodeInfo &note(int node, mlir::Operation *op);
  /// Whether a map takes the quantize's indices to themselves.
  bool isIdentity(mlir::AffineMap map) const;

  llvm::SmallVector<int64_t> shape;
  Chain chain;
  llvm::SmallVector<NodeInfo> infos;
  llvm::DenseMap<std::pair<mlir::Value, mlir::AffineMap>, int> built;
  int rootNode = -1;
};

} // namespace bquant::folding

#endif // BQUANT_DIALECT_BQUANT_TRANSFORMS_FOLDING_CHAINGRAPH_H
