// What follows the counts of a table layer that ends in floats, for the next one:
// a parametric ReLU is a maximum, and nibbles are made without leaving the
// vectors.
//
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --strategy=table --emit=asm -o - \
// RUN:   | FileCheck %s --implicit-check-not=vblendvps --implicit-check-not=movmsk
//
// CHECK: vcvtdq2ps {{.*}}%ymm
// CHECK: vmaxps {{.*}}%ymm
// CHECK: vcmp{{[a-z]+}}ps {{.*}}%ymm
// CHECK: vpacksswb {{.*}}%ymm
// CHECK: vpor {{.*}}%ymm
// CHECK: vpackuswb

#id = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
func.func @layer(%x: tensor<1x6x6x64xf32>, %b: tensor<64xf32>, %s: tensor<1x6x6x64xf32>) -> (tensor<1x6x6x64xf32>, tensor<1x6x6x64xf32>) {
  %f = arith.constant dense<0.1> : tensor<64x3x3x64xf32>
  %w = bquant.quantize %f scheme(<ls, 1>) : tensor<64x3x3x64xf32> -> !bquant.tensor<64x3x3x64, 1, axes = [0]>
  %v = arith.constant dense<1.0> : tensor<1xf32>
  %zero = arith.constant 0.0 : f32
  %slope = arith.constant 0.25 : f32
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<64x3x3x64, 1, axes = [0]>) -> tensor<1x6x6x64xf32>
  %e = tensor.empty() : tensor<1x6x6x64xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %b, %s : tensor<1x6x6x64xf32>, tensor<64xf32>, tensor<1x6x6x64xf32>) outs(%e : tensor<1x6x6x64xf32>) {
  ^bb0(%i: f32, %j: f32, %k: f32, %o: f32):
    %0 = arith.addf %i, %j : f32
    %1 = arith.cmpf ogt, %0, %zero : f32
    %2 = arith.mulf %0, %slope : f32
    %3 = arith.select %1, %0, %2 : f32
    %4 = arith.addf %3, %k : f32
    linalg.yield %4 : f32
  } -> tensor<1x6x6x64xf32>
  %p = bquant.quantize %r scalars(%v : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %z = bquant.conv_2d %p, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<64x3x3x64, 1, axes = [0]>) -> tensor<1x6x6x64xf32>
  return %r, %z : tensor<1x6x6x64xf32>, tensor<1x6x6x64xf32>
}
