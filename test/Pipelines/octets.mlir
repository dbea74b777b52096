// Groups of 8 channels down to the machine: the octets of the groups of a register in
// one load, each brought to the filters of its group.
//
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=znver4 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=ZNVER4 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=HASWELL --input-file=%t.s
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=neoverse-n1 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=NEON --input-file=%t.s

// ZNVER4: vpbroadcastq {{.*}}, %zmm
// ZNVER4: vpshufb %zmm
// ZNVER4: vpxorq %zmm
// ZNVER4: vpopcntb %zmm
// ZNVER4: vpaddb %zmm

// HASWELL: vpbroadcastd {{.*}}, %ymm
// HASWELL: vpshufb %ymm
// HASWELL: vpxor %ymm
// HASWELL: vpaddb %ymm

// NEON: tbl{{[[:space:]]}}v{{[0-9]+}}.16b
// NEON: eor{{[[:space:]]}}v{{[0-9]+}}.16b
// NEON: cnt{{[[:space:]]}}v{{[0-9]+}}.16b
// NEON: add{{[[:space:]]}}v{{[0-9]+}}.16b
func.func @conv(%x: tensor<1x8x14x64xf32>, %v: tensor<1xf32>) -> tensor<1x6x12x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x8x14x64xf32> -> !bquant.tensor<1x8x14x64, 1>
  %w = bquant.constant words(dense<5> : tensor<1x64x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x3x3x8, 1>
  %0 = bquant.conv_2d %q, %w groups = 8 : (!bquant.tensor<1x8x14x64, 1>, !bquant.tensor<64x3x3x8, 1>) -> tensor<1x6x12x64xi32>
  return %0 : tensor<1x6x12x64xi32>
}
