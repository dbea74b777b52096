// Products of codes, down to the machine: what auto takes on each target, and
// that each intrinsic is one instruction.
//
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=cascadelake --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=VNNI512 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=alderlake --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=VNNI256 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=AVX2 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=x86-64-v2 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=SSSE3 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=skylake-avx512 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=AVX512 --input-file=%t.s
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=neoverse-n1 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=NEON --input-file=%t.s
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=cortex-a72 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=NODOT --input-file=%t.s
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-select-kernels \
// RUN:   --convert-bquant-to-packed --canonicalize | FileCheck %s --check-prefix=WORDS

// Nibbles of the filter come out by a shift and an and.
//
// VNNI512-LABEL: four_by_four
// VNNI512: vpdpbusd{{[[:space:]]}}{{.*}}%zmm
// VNNI256-LABEL: four_by_four
// VNNI256: {vex}{{[[:space:]]}}vpdpbusd{{[[:space:]]}}{{.*}}%ymm
// AVX2-LABEL: four_by_four
// AVX2: vpsrld{{[[:space:]]}}$3, %ymm
// AVX2: vpand{{[[:space:]]}}{{.*}}%ymm
// AVX2: vpmaddubsw{{[[:space:]]}}{{.*}}%ymm
// AVX2: vpmaddwd{{[[:space:]]}}{{.*}}%ymm
// SSSE3-LABEL: four_by_four
// SSSE3: pmaddubsw{{[[:space:]]}}{{.*}}%xmm
// AVX512-LABEL: four_by_four
// AVX512: vpmaddubsw{{[[:space:]]}}{{.*}}%zmm
// NEON-LABEL: four_by_four
// NEON: ld1r{{[[:space:]]+}}{ v{{[0-9]+}}.4s }
// NEON: sdot{{[[:space:]]}}v{{[0-9]+}}.4s
// NODOT-LABEL: four_by_four
// NODOT: ld1r{{[[:space:]]+}}{ v{{[0-9]+}}.4s }
// NODOT: smull{{[[:space:]]}}v[[P:[0-9]+]].8h
// NODOT-NEXT: sadalp{{[[:space:]]}}v{{[0-9]+}}.4s, v[[P]].8h
// NODOT: smull2{{[[:space:]]}}v{{[0-9]+}}.8h
// NODOT: addp{{[[:space:]]}}v{{[0-9]+}}.4s

// WORDS-LABEL: func.func @four_by_four
// WORDS: %[[CODES:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<6x64xi8, #codes>)
// WORDS-NOT: bquant_packed.pack
// WORDS: bquant_packed.product kernel(#bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 72>) ins(%[[CODES]] : tensor<6x64xi8, #codes>) filters(%{{.*}} : tensor<4x16x16xi32, #{{[a-z0-9_]+}}>)
func.func @four_by_four(%x: tensor<6x64xf32>) -> tensor<6x64xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<6x64xf32> -> !bquant.tensor<6x64, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x64x2xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x64, [8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<6x64, [8, 4, 2, 1]>, !bquant.tensor<64x64, [8, 4, 2, 1]>) -> tensor<6x64xf32>
  return %0 : tensor<6x64xf32>
}

// Of 8 bits on both sides sums of two products do not fit 16 bits: widened.
// AVX2-LABEL: eight_by_eight
// AVX2-NOT: vpmaddubsw
// AVX2: vpmaddwd{{[[:space:]]}}{{.*}}%ymm
// SSSE3-LABEL: eight_by_eight
// SSSE3-NOT: pmaddubsw
// SSSE3: pmaddwd{{[[:space:]]}}{{.*}}%xmm
// AVX512-LABEL: eight_by_eight
// AVX512-NOT: vpmaddubsw
// AVX512: vpmaddwd{{[[:space:]]}}{{.*}}%zmm
// WORDS-LABEL: func.func @eight_by_eight
// WORDS: bquant_packed.product kernel(#bquant_packed.bytes<rows = 4, channels = 16, bits = 256, summed = 1>)
func.func @eight_by_eight(%x: tensor<6x64xf32>) -> tensor<6x64xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<6x64xf32> -> !bquant.tensor<6x64, [128, 64, 32, 16, 8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<8x64x2xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x64, [128, 64, 32, 16, 8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<6x64, [128, 64, 32, 16, 8, 4, 2, 1]>, !bquant.tensor<64x64, [128, 64, 32, 16, 8, 4, 2, 1]>) -> tensor<6x64xf32>
  return %0 : tensor<6x64xf32>
}

// Of one row the codes of two steps are taken apart in the loop: half of the
// words, and no store before.
// AVX2-LABEL: one_row
// AVX2: vp{{add|sub}}b{{[[:space:]]}}{{.*}}%ymm
// AVX2: vpmaddubsw{{[[:space:]]}}{{.*}}%ymm
// VNNI512-LABEL: one_row
// VNNI512: vp{{add|sub}}b{{[[:space:]]}}{{.*}}%zmm
// VNNI512: vpdpbusd{{[[:space:]]}}{{.*}}%zmm
// NEON-LABEL: one_row
// NEON: sdot{{[[:space:]]}}v{{[0-9]+}}.4s
// WORDS-LABEL: func.func @one_row
// WORDS: bquant_packed.product kernel(#bquant_packed.bytes<rows = 1, channels = 16, bits = 256, summed = 2, held = 72, levels = 15>) {{.*}} filters(%{{.*}} : tensor<4x8x16xi32, #{{[a-z0-9_]+}}>)
func.func @one_row(%x: tensor<1x64xf32>) -> tensor<1x64xf32> {
  %v = arith.constant dense<0.1> : tensor<1xf32>
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<1x64xf32> -> !bquant.tensor<1x64, [8, 4, 2, 1]>
  %w = bquant.constant words(dense<5> : tensor<4x64x2xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x64, [8, 4, 2, 1]>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<1x64, [8, 4, 2, 1]>, !bquant.tensor<64x64, [8, 4, 2, 1]>) -> tensor<1x64xf32>
  return %0 : tensor<1x64xf32>
}
