// All vectors are a power of two long, however many filters there are: others
// LLVM takes apart, one element after the other, where a loop stands between what
// makes and what reads them.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-raise-pipeline --bquant-fold-pipeline \
// RUN:   --bquant-select-pipeline --bquant-pack-pipeline --bquant-tile-pipeline --bquant-vectorize-pipeline \
// RUN:   | FileCheck %s --implicit-check-not="vector<{{(20|24|28|40|56|88|104|120)}}x"
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o - | FileCheck %s --check-prefix=ASM --implicit-check-not=insertps
//
// ASM: vcvtdq2ps {{.*}}%ymm
// ASM: vcmp{{[a-z]+}}ps {{.*}}%ymm
// ASM: vmovmskps {{.*}}%ymm

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>

// CHECK-LABEL: func.func @filters_20
func.func @filters_20(%x: tensor<1x6x6x64xf32>, %b: tensor<20xf32>, %s: tensor<1x6x6x20xf32>) -> (tensor<1x6x6x20xf32>, tensor<1x6x6x8xf32>) {
  %f = arith.constant dense<0.1> : tensor<20x3x3x64xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<20x3x3x64xf32> -> !bquant.tensor<20x3x3x64, 1, axes = [0]>
  %g = arith.constant dense<0.1> : tensor<8x1x1x20xf32>
  %u = bquant.quantize %g scheme(<ls, 1>) : tensor<8x1x1x20xf32> -> !bquant.tensor<8x1x1x20, 1, axes = [0]>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<20x3x3x64, 1, axes = [0]>) -> tensor<1x6x6x20xf32>
  %e = tensor.empty() : tensor<1x6x6x20xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %b, %s : tensor<1x6x6x20xf32>, tensor<20xf32>, tensor<1x6x6x20xf32>) outs(%e : tensor<1x6x6x20xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    %1 = arith.addf %0, %k : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x6x20xf32>
  %p = bquant.quantize %r scalars(%v : tensor<1xf32>) : tensor<1x6x6x20xf32> -> !bquant.tensor<1x6x6x20, 1>
  %z = bquant.conv_2d %p, %u : (!bquant.tensor<1x6x6x20, 1>, !bquant.tensor<8x1x1x20, 1, axes = [0]>) -> tensor<1x6x6x8xf32>
  return %r, %z : tensor<1x6x6x20xf32>, tensor<1x6x6x8xf32>
}

// CHECK-LABEL: func.func @filters_24
func.func @filters_24(%x: tensor<1x6x6x64xf32>, %b: tensor<24xf32>, %s: tensor<1x6x6x24xf32>) -> (tensor<1x6x6x24xf32>, tensor<1x6x6x8xf32>) {
  %f = arith.constant dense<0.1> : tensor<24x3x3x64xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<24x3x3x64xf32> -> !bquant.tensor<24x3x3x64, 1, axes = [0]>
  %g = arith.constant dense<0.1> : tensor<8x1x1x24xf32>
  %u = bquant.quantize %g scheme(<ls, 1>) : tensor<8x1x1x24xf32> -> !bquant.tensor<8x1x1x24, 1, axes = [0]>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<24x3x3x64, 1, axes = [0]>) -> tensor<1x6x6x24xf32>
  %e = tensor.empty() : tensor<1x6x6x24xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %b, %s : tensor<1x6x6x24xf32>, tensor<24xf32>, tensor<1x6x6x24xf32>) outs(%e : tensor<1x6x6x24xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    %1 = arith.addf %0, %k : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x6x24xf32>
  %p = bquant.quantize %r scalars(%v : tensor<1xf32>) : tensor<1x6x6x24xf32> -> !bquant.tensor<1x6x6x24, 1>
  %z = bquant.conv_2d %p, %u : (!bquant.tensor<1x6x6x24, 1>, !bquant.tensor<8x1x1x24, 1, axes = [0]>) -> tensor<1x6x6x8xf32>
  return %r, %z : tensor<1x6x6x24xf32>, tensor<1x6x6x8xf32>
}

// CHECK-LABEL: func.func @filters_28
func.func @filters_28(%x: tensor<1x6x6x64xf32>, %b: tensor<28xf32>, %s: tensor<1x6x6x28xf32>) -> (tensor<1x6x6x28xf32>, tensor<1x6x6x8xf32>) {
  %f = arith.constant dense<0.1> : tensor<28x3x3x64xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<28x3x3x64xf32> -> !bquant.tensor<28x3x3x64, 1, axes = [0]>
  %g = arith.constant dense<0.1> : tensor<8x1x1x28xf32>
  %u = bquant.quantize %g scheme(<ls, 1>) : tensor<8x1x1x28xf32> -> !bquant.tensor<8x1x1x28, 1, axes = [0]>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<28x3x3x64, 1, axes = [0]>) -> tensor<1x6x6x28xf32>
  %e = tensor.empty() : tensor<1x6x6x28xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %b, %s : tensor<1x6x6x28xf32>, tensor<28xf32>, tensor<1x6x6x28xf32>) outs(%e : tensor<1x6x6x28xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    %1 = arith.addf %0, %k : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x6x28xf32>
  %p = bquant.quantize %r scalars(%v : tensor<1xf32>) : tensor<1x6x6x28xf32> -> !bquant.tensor<1x6x6x28, 1>
  %z = bquant.conv_2d %p, %u : (!bquant.tensor<1x6x6x28, 1>, !bquant.tensor<8x1x1x28, 1, axes = [0]>) -> tensor<1x6x6x8xf32>
  return %r, %z : tensor<1x6x6x28xf32>, tensor<1x6x6x8xf32>
}

// CHECK-LABEL: func.func @filters_56
func.func @filters_56(%x: tensor<1x6x6x64xf32>, %b: tensor<56xf32>, %s: tensor<1x6x6x56xf32>) -> (tensor<1x6x6x56xf32>, tensor<1x6x6x8xf32>) {
  %f = arith.constant dense<0.1> : tensor<56x3x3x64xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<56x3x3x64xf32> -> !bquant.tensor<56x3x3x64, 1, axes = [0]>
  %g = arith.constant dense<0.1> : tensor<8x1x1x56xf32>
  %u = bquant.quantize %g scheme(<ls, 1>) : tensor<8x1x1x56xf32> -> !bquant.tensor<8x1x1x56, 1, axes = [0]>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<56x3x3x64, 1, axes = [0]>) -> tensor<1x6x6x56xf32>
  %e = tensor.empty() : tensor<1x6x6x56xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %b, %s : tensor<1x6x6x56xf32>, tensor<56xf32>, tensor<1x6x6x56xf32>) outs(%e : tensor<1x6x6x56xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    %1 = arith.addf %0, %k : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x6x56xf32>
  %p = bquant.quantize %r scalars(%v : tensor<1xf32>) : tensor<1x6x6x56xf32> -> !bquant.tensor<1x6x6x56, 1>
  %z = bquant.conv_2d %p, %u : (!bquant.tensor<1x6x6x56, 1>, !bquant.tensor<8x1x1x56, 1, axes = [0]>) -> tensor<1x6x6x8xf32>
  return %r, %z : tensor<1x6x6x56xf32>, tensor<1x6x6x8xf32>
}

// CHECK-LABEL: func.func @filters_88
func.func @filters_88(%x: tensor<1x6x6x64xf32>, %b: tensor<88xf32>, %s: tensor<1x6x6x88xf32>) -> (tensor<1x6x6x88xf32>, tensor<1x6x6x8xf32>) {
  %f = arith.constant dense<0.1> : tensor<88x3x3x64xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<88x3x3x64xf32> -> !bquant.tensor<88x3x3x64, 1, axes = [0]>
  %g = arith.constant dense<0.1> : tensor<8x1x1x88xf32>
  %u = bquant.quantize %g scheme(<ls, 1>) : tensor<8x1x1x88xf32> -> !bquant.tensor<8x1x1x88, 1, axes = [0]>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<88x3x3x64, 1, axes = [0]>) -> tensor<1x6x6x88xf32>
  %e = tensor.empty() : tensor<1x6x6x88xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %b, %s : tensor<1x6x6x88xf32>, tensor<88xf32>, tensor<1x6x6x88xf32>) outs(%e : tensor<1x6x6x88xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    %1 = arith.addf %0, %k : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x6x88xf32>
  %p = bquant.quantize %r scalars(%v : tensor<1xf32>) : tensor<1x6x6x88xf32> -> !bquant.tensor<1x6x6x88, 1>
  %z = bquant.conv_2d %p, %u : (!bquant.tensor<1x6x6x88, 1>, !bquant.tensor<8x1x1x88, 1, axes = [0]>) -> tensor<1x6x6x8xf32>
  return %r, %z : tensor<1x6x6x88xf32>, tensor<1x6x6x8xf32>
}

// CHECK-LABEL: func.func @filters_120
func.func @filters_120(%x: tensor<1x6x6x64xf32>, %b: tensor<120xf32>, %s: tensor<1x6x6x120xf32>) -> (tensor<1x6x6x120xf32>, tensor<1x6x6x8xf32>) {
  %f = arith.constant dense<0.1> : tensor<120x3x3x64xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<120x3x3x64xf32> -> !bquant.tensor<120x3x3x64, 1, axes = [0]>
  %g = arith.constant dense<0.1> : tensor<8x1x1x120xf32>
  %u = bquant.quantize %g scheme(<ls, 1>) : tensor<8x1x1x120xf32> -> !bquant.tensor<8x1x1x120, 1, axes = [0]>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<120x3x3x64, 1, axes = [0]>) -> tensor<1x6x6x120xf32>
  %e = tensor.empty() : tensor<1x6x6x120xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %b, %s : tensor<1x6x6x120xf32>, tensor<120xf32>, tensor<1x6x6x120xf32>) outs(%e : tensor<1x6x6x120xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    %1 = arith.addf %0, %k : f32
    linalg.yield %1 : f32
  } -> tensor<1x6x6x120xf32>
  %p = bquant.quantize %r scalars(%v : tensor<1xf32>) : tensor<1x6x6x120xf32> -> !bquant.tensor<1x6x6x120, 1>
  %z = bquant.conv_2d %p, %u : (!bquant.tensor<1x6x6x120, 1>, !bquant.tensor<8x1x1x120, 1, axes = [0]>) -> tensor<1x6x6x8xf32>
  return %r, %z : tensor<1x6x6x120xf32>, tensor<1x6x6x8xf32>
}

// CHECK-LABEL: func.func @classifier
func.func @classifier(%x: tensor<1x64xf32>, %b: tensor<1x1000xf32>) -> tensor<1x1000xf32> {
  %f = arith.constant dense<0.1> : tensor<64x1000xf32>
  %y = linalg.matmul ins(%x, %f : tensor<1x64xf32>, tensor<64x1000xf32>) outs(%b : tensor<1x1000xf32>) -> tensor<1x1000xf32>
  return %y : tensor<1x1000xf32>
}
