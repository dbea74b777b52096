// Products of floats, by floats, signs, ternary and uniform filters: an fma where the
// target has one, else a multiplication and an addition; never a call, nor doubles in
// its place.
//
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --emit=asm -o %t.fma.s
// RUN: FileCheck %s --check-prefix=FMA --input-file=%t.fma.s
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=x86-64-v2 --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=SSE --input-file=%t.s --implicit-check-not=vfm --implicit-check-not=cvtps2pd --implicit-check-not=cvtss2sd
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=x86-64-v2 --strategy=reference --emit=asm -o %t.reference.s
// RUN: FileCheck %s --check-prefix=REFERENCE --input-file=%t.reference.s --implicit-check-not=vfm --implicit-check-not=cvtss2sd
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=skylake-avx512 --emit=asm -o %t.512.s
// RUN: FileCheck %s --check-prefix=MASK --input-file=%t.512.s

// FMA: __bquant_floats
// FMA-NOT: vmulps
// FMA: vfmadd
// FMA: .size	__bquant_floats
// SSE: mulps
// SSE: addps
// The bits of a word are masks of the lanes.
// MASK: __bquant_signs
// MASK: kmovw ({{.*}}), %k
// MASK: vblendmps {{.*}}%zmm
// MASK: vfmadd{{.*}}%zmm
// REFERENCE: mulss
// REFERENCE: addss

func.func @floats(%x: tensor<1x6x6x3xf32>, %w: tensor<32x3x3x3xf32>) -> tensor<1x4x4x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x4x4x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  %y = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<1x6x6x3xf32>, tensor<32x3x3x3xf32>)
      outs(%init : tensor<1x4x4x32xf32>) -> tensor<1x4x4x32xf32>
  return %y : tensor<1x4x4x32xf32>
}

func.func @signs(%x: tensor<2x3xf32>) -> tensor<2x40xf32> {
  %w = bquant.constant words(dense<5> : tensor<2x40x1xi32>) scalars(dense<0.5> : tensor<2x40xf32>)
      : !bquant.tensor<40x3, 2, axes = [0]>
  %y = bquant.matmul %x, %w : (tensor<2x3xf32>, !bquant.tensor<40x3, 2, axes = [0]>) -> tensor<2x40xf32>
  return %y : tensor<2x40xf32>
}

func.func @ternary(%x: tensor<2x3xf32>) -> tensor<2x40xf32> {
  %w = bquant.constant words(dense<5> : tensor<2x40x1xi32>) scalars(dense<0.5> : tensor<1xf32>)
      : !bquant.tensor<40x3, [1, 1]>
  %y = bquant.matmul %x, %w : (tensor<2x3xf32>, !bquant.tensor<40x3, [1, 1]>) -> tensor<2x40xf32>
  return %y : tensor<2x40xf32>
}

func.func @uniform(%x: tensor<2x3xf32>) -> tensor<2x40xf32> {
  %w = bquant.constant words(dense<5> : tensor<2x40x1xi32>) scalars(dense<0.5> : tensor<1xf32>)
      : !bquant.tensor<40x3, [2, 1]>
  %y = bquant.matmul %x, %w : (tensor<2x3xf32>, !bquant.tensor<40x3, [2, 1]>) -> tensor<2x40xf32>
  return %y : tensor<2x40xf32>
}
