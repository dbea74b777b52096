// Bits counted byte by byte, down to the machine: chosen on NEON, by hand on x86,
// where LLVM has one instruction with BITALG and several without.
//
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=neoverse-n1 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=NEON --input-file=%t.s
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=cortex-a53 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=NEON --input-file=%t.s
// RUN: sed 's/groups = 1/groups = 1 kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512, counted = 8>)/' %s > %t.mlir
// RUN: bquant-compile %t.mlir --target-triple=x86_64-linux-gnu --target-cpu=icelake-server --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=BITALG --input-file=%t.s
// RUN: sed 's/groups = 1/groups = 1 kernel(#bquant_packed.popcount<rows = 2, channels = 32, bits = 256, counted = 8>)/' %s > %t.mlir
// RUN: bquant-compile %t.mlir --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=AVX2 --input-file=%t.s
// RUN: sed 's/groups = 1/groups = 1 kernel(#bquant_packed.popcount<rows = 2, channels = 32, bits = 512, counted = 8>)/' %s > %t.mlir
// RUN: not bquant-compile %t.mlir --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o %t.s 2>&1 | FileCheck %s --check-prefix=WIDE

// The loop: xor, count, add; bytes go to the lanes behind it.
// NEON: __bquant_conv_1_layer:
// NEON: ld1r{{[[:space:]]}}{ v{{[0-9]+}}.4s }
// NEON: eor{{[[:space:]]}}v{{[0-9]+}}.16b
// NEON: cnt{{[[:space:]]}}v{{[0-9]+}}.16b
// NEON: add{{[[:space:]]}}v{{[0-9]+}}.16b
// NEON: uaddlp{{[[:space:]]}}v{{[0-9]+}}.8h, v{{[0-9]+}}.16b
// NEON: {{uadalp|uaddlp}}{{[[:space:]]}}v{{[0-9]+}}.4s, v{{[0-9]+}}.8h

// BITALG: vpopcntb{{[[:space:]]}}%zmm
// BITALG: vpaddb{{[[:space:]]}}%zmm
// AVX2: vpshufb{{[[:space:]]}}{{.*}}%ymm
// WIDE: error: {{.*}}[kernel_c4] expected a target with registers of 512 bits for the kernel #bquant_packed.popcount<rows = 2, channels = 32, bits = 512, counted = 8>
func.func @conv(%x: tensor<1x8x14x64xf32>, %v: tensor<1xf32>) -> tensor<1x6x12x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x14x64xf32> -> !bquant.tensor<1x8x14x64, 1>
  %w = bquant.constant words(dense<5> : tensor<1x64x3x3x2xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x3x3x64, 1>
  %0 = bquant.conv_2d %q, %w groups = 1 : (!bquant.tensor<1x8x14x64, 1>, !bquant.tensor<64x3x3x64, 1>) -> tensor<1x6x12x64xi32>
  return %0 : tensor<1x6x12x64xi32>
}
