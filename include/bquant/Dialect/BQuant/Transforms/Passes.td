//===- Passes.td - Passes on bquant ops --------------------*- tablegen -*-===//
// In the order of the route.

#ifndef BQUANT_TRANSFORMS_PASSES_TD
#define BQUANT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def SolveScalars : Pass<"bquant-solve-scalars"> {
  let summary = "quantized constants to bquant.constant";
  let description = [{
    A `bquant.quantize` of a constant is done at compile time: scalars by the
    scheme's solver (or as stored), planes by the f32 cascade that these scalars
    define, packed into words. The constant is an `arith.constant` of dense
    elements or a dense resource of f32, also behind reshapes and
    `linalg.transpose`. Sets of values that share scalars are solved in
    parallel, on the context's threads; results do not depend on their number.

    ```mlir
    %f = arith.constant dense<[[0.5, -1.5, 1.0], [2.0, 2.0, -2.0]]> : tensor<2x3xf32>
    %q = bquant.quantize %f scheme(<ls, 1>)
        : tensor<2x3xf32> -> !bquant.tensor<2x3, 1, axes = [0]>
    ```
    becomes
    ```mlir
    %q = bquant.constant words(dense<[[[5], [3]]]> : tensor<1x2x1xi32>)
        scalars(dense<[[1.0, 2.0]]> : tensor<1x2xf32>)
        : !bquant.tensor<2x3, 1, axes = [0]>
    ```

    An analysis remark states the relative squared error and the angle in
    degrees between the values and what the planes decode to. NaN, Inf and
    missing data are errors at the op; then nothing is changed. Data that is all
    zero gives scalars 0 and a warning.
  }];
  let dependentDialects = ["::bquant::BQuantDialect"];
}

def BQuantTileAndFuse : Pass<"bquant-tile-and-fuse", "::mlir::func::FuncOp"> {
  let summary = "one loop nest a layer: product, epilogue and pack in one tile";
  let description = [{
    Takes linalg on tensors with `bquant.pack` and `bquant.unpack`, static
    shapes. What it does, in this order:

    - named linalg ops become generics; a float convolution or matrix product
      takes an fma body;
    - elementwise chains are fused;
    - an elementwise op or `bquant.pack` that reads a tensor assembled by
      `tensor.insert_slice` (the border classes of a padded convolution) is
      cloned onto the pieces, and the assembling moves behind it;
    - ops of one iteration space that feed each other form a layer: a product,
      its epilogue, and the pack of the next quantization. Values that others
      need too leave the layer as further results;
    - every layer becomes one `scf.forall` over blocks of channels (and what
      else all pieces share), with `scf.for` loops over the pixels of each piece
      inside. Every tile has a static size; what a tile size leaves over gets a
      tile of its own size. Reductions stay whole inside the tile;
    - constant filters are laid out as `[oc / lanes][kh][kw][c][lanes]`, so that
      the lanes of a vector are channels.

    The tile is `pixels x lanes`: `lanes` output channels (whole words), and as
    many pixels of a row (or column, where that is longer) as `accumulators`
    registers of 16 lanes allow.

    ```mlir
    %p = linalg.generic {iterator_types = [parallel x 4, reduction x 3]} ...
        -> tensor<1x54x54x64xi32>
    %y = linalg.generic {iterator_types = [parallel x 4]} ins(%p) ...
    ```
    becomes

    ```mlir
    %y = scf.forall (%oc) = (0) to (64) step (32) shared_outs(%o = %init) {
      scf.for %oh = 0 to 54 { scf.for %ow = 0 to 49 step 7 {
        %t = linalg.generic {iterator_types = [parallel x 4, reduction x 3]} ...
            -> tensor<1x1x7x32xi32>
        %u = linalg.generic {iterator_types = [parallel x 4]} ins(%t) ...
        tensor.insert_slice %u into ...
      } }
      ...
    }
    ```

    What cannot be tiled stays as it is, with a `missed` remark.
  }];
  let options = [
    Option<"strategy", "strategy", "std::string", "\"vpopcnt\"",
           "how products count: vpopcnt or scalar">,
    Option<"lanes", "lanes", "int64_t", "32",
           "channels in a tile, a multiple of 32">,
    Option<"accumulators", "accumulators", "int64_t", "14",
           "vectors of 16 lanes that hold sums in a tile">];
  let dependentDialects = ["::mlir::affine::AffineDialect",
      "::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
      "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
      "::mlir::tensor::TensorDialect"];
}

def BQuantVectorize : Pass<"bquant-vectorize", "::mlir::func::FuncOp"> {
  let summary = "tiles to vector code";
  let description = [{
    Turns each linalg op, `bquant.pack` and `bquant.unpack` on small static
    tensors, as `--bquant-tile-and-fuse` leaves them, into vector ops: one vector
    for each row of the tile, the last dimension in the lanes. Reductions become
    `scf.for` loops that carry the rows, so that sums stay in registers; values
    that pass from one op of a tile to the next do so as vectors, too. An operand
    that does not depend on the lanes is a scalar load and a broadcast. Bits
    become words by a bitcast.

    ```mlir
    %p = linalg.generic ... ins(%x, %w : tensor<1x3x9x2xi32>, tensor<3x3x2x32xi32>)
        outs(%zero : tensor<1x1x7x32xi32>) { arith.xori, math.ctpop, arith.addi }
    ```
    becomes

    ```mlir
    %p:7 = scf.for %kh ... { scf.for %kw ... { scf.for %c ... iter_args(%a0 ...) {
      %f = vector.transfer_read %w[%kh, %kw, %c, %c0] : vector<32xi32>
      %s = tensor.extract %x[%c0, %kh, %kw, %c] : i32
      %b = vector.broadcast %s : i32 to vector<32xi32>
      %1 = arith.xori %b, %f : vector<32xi32>
      %2 = math.ctpop %1 : vector<32xi32>
      %3 = arith.addi %a0, %2 : vector<32xi32>
      ...
    ```

    An op that has no vector form is done element by element where it is small,
    else it stays, with a `missed` remark.
  }];
  let options = [
    Option<"strategy", "strategy", "std::string", "\"vpopcnt\"",
           "how products count: vpopcnt or scalar">];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect",
      "::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
      "::mlir::math::MathDialect", "::mlir::scf::SCFDialect",
      "::mlir::tensor::TensorDialect", "::mlir::vector::VectorDialect"];
}

#endif // BQUANT_TRANSFORMS_PASSES_TD
