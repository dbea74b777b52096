// A row of floats by signs: a shift, a permutation and an addition for each index of
// tables; with 32 registers nothing is spilled.
//
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=AVX2 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=znver4 --emit=asm -o %t.512.s
// RUN: FileCheck %s --check-prefix=AVX512 --input-file=%t.512.s

// AVX2: __bquant_row
// AVX2: {{vpermps|vpermd}} {{.*}}%ymm
// AVX2: vaddps
// AVX2: vpsrld $27, %ymm
// AVX2: {{vpermps|vpermd}}
// AVX2: .size	__bquant_row
// AVX512: {{^}}__bquant_row_1_layer:
// AVX512-NOT: (%rsp)
// AVX512: vpsrld $25, %zmm
// AVX512-NOT: (%rsp)
// AVX512: {{vpermi2ps|vpermt2ps}} {{.*}}%zmm
// AVX512-NOT: (%rsp)
// AVX512: vaddps {{.*}}%zmm
// AVX512-NOT: (%rsp)
// AVX512: .size	__bquant_row_1_layer
func.func @row(%x: tensor<1x600xf32>) -> tensor<1x128xf32> {
  %w = bquant.constant words(dense<5> : tensor<1x128x19xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<128x600, 1>
  %0 = bquant.matmul %x, %w : (tensor<1x600xf32>, !bquant.tensor<128x600, 1>) -> tensor<1x128xf32>
  return %0 : tensor<1x128xf32>
}
