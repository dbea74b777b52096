// A depthwise convolution of bytes that fill registers, down to the machine: three
// rows of a column are interleaved by eight instructions, four of pairs of bytes and
// four of pairs of these, and the codes of 64 sums are packed into their order.
//
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=znver4 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=VNNI --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=AVX2 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=neoverse-n1 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=NEON --input-file=%t.s

// Of four results side by side there are six columns. No sum leaves its register,
// and no code is moved.
// VNNI-LABEL: __bquant_f_1_layer:
// VNNI-COUNT-48: vpunpck{{[lh](bw|wd)[[:space:]].*}}%zmm
// VNNI-NOT: vpunpck
// VNNI-NOT: vpermd
// VNNI-NOT: (%rsp)
// VNNI-LABEL: .Lfunc_end
// AVX2-LABEL: __bquant_f_1_layer:
// AVX2: vpunpcklbw{{[[:space:]].*}}%ymm
// AVX2: vpmaddwd{{[[:space:]].*}}%ymm
// NEON-LABEL: __bquant_f_1_layer:
// NEON: zip1{{[[:space:]]}}v{{[0-9]+}}.16b
// NEON: zip1{{[[:space:]]}}v{{[0-9]+}}.8h
// NEON: sdot{{[[:space:]]}}v{{[0-9]+}}.4s
#same = affine_map<(n, h, w, c) -> (n, h, w, c)>
#channel = affine_map<(n, h, w, c) -> (c)>
func.func @f(%x: tensor<1x10x18x64xi8>) -> tensor<1x8x16x64xi8> {
  %w = arith.constant dense<101> : tensor<3x3x64xi8>
  %s = arith.constant dense<2.0> : tensor<64xf32>
  %z = arith.constant dense<0> : tensor<1x8x16x64xi32>
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x10x18x64xi8>, tensor<3x3x64xi8>)
      outs(%z : tensor<1x8x16x64xi32>) -> tensor<1x8x16x64xi32>
  %e = tensor.empty() : tensor<1x8x16x64xi8>
  %1 = linalg.generic {indexing_maps = [#same, #channel, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%0, %s : tensor<1x8x16x64xi32>, tensor<64xf32>) outs(%e : tensor<1x8x16x64xi8>) {
  ^bb0(%sum: i32, %scale: f32, %out: i8):
    %least = arith.constant -128 : i32
    %most = arith.constant 127 : i32
    %f = arith.sitofp %sum : i32 to f32
    %m = arith.mulf %f, %scale : f32
    %r = math.roundeven %m : f32
    %i = arith.fptosi %r : f32 to i32
    %a = arith.maxsi %i, %least : i32
    %b = arith.minsi %a, %most : i32
    %c = arith.trunci %b : i32 to i8
    linalg.yield %c : i8
  } -> tensor<1x8x16x64xi8>
  return %1 : tensor<1x8x16x64xi8>
}
