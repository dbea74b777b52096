// RUN: bquant-opt %s --bquant-raise-products | FileCheck %s --check-prefix=REASON
// RUN: bquant-opt %s --bquant-raise-products --bquant-explain-floats --remark-policy=all \
// RUN:   --remarks-filter=bquant --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t
// RUN: bquant-opt %s --bquant-explain-floats --remark-policy=all \
// RUN:   --remarks-filter=bquant --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t
// RUN: bquant-opt %s --bquant-raise --remark-policy=all \
// RUN:   --remarks-filter=bquant --remark-format=emitRemark 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefixes=REMARK,RAISED

// A sign that is 0 at 0.
// CHECK-LABEL: func @sign
// REMARK: [Missed] raise-sign {{.*}}not bquant's sign: zero gives 0 instead of 1
func.func @sign(%x: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %s = linalg.generic {
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = arith.cmpf ogt, %a, %zero : f32
    %n = arith.cmpf olt, %a, %zero : f32
    %q = arith.select %n, %minus, %zero : f32
    %r = arith.select %p, %one, %q : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %s : tensor<8xf32>
}

// Two products at one place each have their own reason; the first, of nothing
// that looks quantized, has none until it is explained. None is left in the IR.
// REASON-LABEL: func @one_place
// REASON-NOT: stays_float
// REASON: linalg.matmul ins
// REASON: linalg.matmul {bquant.stays_float = "linalg.matmul stays float: the input is quantized, but the filter is float"}
// CHECK-LABEL: func @one_place
// CHECK-NOT: stays_float
// REMARK: place:1:2: remark: [Missed] raise-product {{.*}}the input stays float: no quantization of it is recognised: it is given in floats
// REMARK: place:1:2: remark: [Missed] raise-product {{.*}}the input is quantized, but the filter is float
func.func @one_place(%x: tensor<4x8xf32>, %w: tensor<8x2xf32>, %init: tensor<4x2xf32>)
    -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %a = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x2xf32>)
      outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32> loc("place":1:2)
  %s = bquant.sign %x : tensor<4x8xf32>
  %b = linalg.matmul ins(%s, %w : tensor<4x8xf32>, tensor<8x2xf32>)
      outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32> loc("place":1:2)
  return %a, %b : tensor<4x2xf32>, tensor<4x2xf32>
}

// The reason is about the filter as it was written, although it has become a
// constant and the product another op since.
// CHECK-LABEL: func @written
// RAISED: [Missed] raise-product {{.*}}linalg.matmul stays float: filter: a scalar varies along a dimension other than the first
func.func @written(%x: tensor<4x2xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %w = arith.constant dense<[[1.0, -2.0], [3.0, -6.0]]> : tensor<2x2xf32>
  %v = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %sign = bquant.sign %w : tensor<2x2xf32>
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.generic {
      indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>,
                       affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%sign, %v : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %m = arith.mulf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<2x2xf32>
  %y = linalg.matmul ins(%x, %f : tensor<4x2xf32>, tensor<2x2xf32>)
      outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
