// The filter of a product of bf16: pairs along the reduction, the first one in the lower
// half of a word, which its last loop counts.
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=neoverse-n2" --convert-bquant-to-packed --canonicalize --cse | FileCheck %s

// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2) -> (d1 floordiv 4, d2 floordiv 2)>
// CHECK-LABEL: @dense
// CHECK: %[[W:.*]] = arith.constant dense_resource<filter> : tensor<1x2x4xi32, #{{[a-z0-9_]+}}>
// CHECK: bquant_packed.product {{.*}} filters(%[[W]] : tensor<1x2x4xi32, #{{[a-z0-9_]+}}>) {{.*}} maps = [#[[$X]], #[[$W]]]
// Columns 0 and 1 of rows 0 and 1, two lanes of no channel, then rows 2 and 3.
// CHECK: filter: "0x40000000803F4040004080400000000000000000A040E040C04000410000000000000000"
func.func @dense(%x: tensor<2x4xbf16>, %o: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [7.0, 8.0]]> : tensor<4x2xbf16>
  %0 = bquant_packed.product kernel(#bquant_packed.bf16<rows = 2, channels = 4, bits = 128>) fused ins(%x : tensor<2x4xbf16>)
      filters(%w : tensor<4x2xbf16>) outs(%o : tensor<2x2xf32>)
      maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>] -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
