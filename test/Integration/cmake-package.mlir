// An installed bquant serves another C++ compiler and a C program.
//
// RUN: rm -rf %t
// RUN: %cmake --install %build --prefix %t/bquant > /dev/null
// RUN: %cmake -G Ninja -S %S/Inputs/consumer -B %t/build -DCMAKE_PREFIX_PATH=%t/bquant \
// RUN:   -DCMAKE_C_COMPILER=%cc -DCMAKE_CXX_COMPILER=%cxx > /dev/null
// RUN: %cmake --build %t/build > /dev/null
// RUN: %t/build/compiler %S/../../examples/layer.mlir | FileCheck %s --check-prefix=BUFFERS
// RUN: %t/build/stage | FileCheck %s --check-prefix=STAGES
// RUN: %t/build/program | FileCheck %s --check-prefix=C
// RUN: %t/bquant/bin/bquant-opt --bquant-solve-scalars %s | FileCheck %s
//
// The consumer is not instrumented:
// UNSUPPORTED: sanitizer

// BUFFERS-NOT: {{bquant|tensor\.}}
// BUFFERS:     math.ctpop

// STAGES: bquant-tile-and-fuse
// STAGES: convert-bquant-to-reference

// CHECK: bquant.constant words(dense<5> : tensor<1x1xi32>)
// CHECK-SAME: scalars(dense<1.000000e+00> : tensor<1xf32>)
func.func @f() -> tensor<3xf32> {
  %x = arith.constant dense<[1.0, -1.0, 1.0]> : tensor<3xf32>
  %q = bquant.quantize %x scheme(<ls, 1>) : tensor<3xf32> -> !bquant.tensor<3, 1>
  %y = bquant.dequantize %q : !bquant.tensor<3, 1> -> tensor<3xf32>
  return %y : tensor<3xf32>
}

// C: 2 1
