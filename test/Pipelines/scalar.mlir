// The loops of the kernel `scalar` count in general registers: LLVM, which would take
// vectors where it finds that the popcounts fit them, is told not to.
//
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --strategy=scalar --emit=asm -o %t.s
// RUN: FileCheck %s --input-file=%t.s --implicit-check-not="{{[[:space:]]vp(popcnt|shufb)}}"
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=znver4 --strategy=scalar --emit=asm -o %t.s
// RUN: FileCheck %s --input-file=%t.s --implicit-check-not="{{[[:space:]]vp(popcnt|shufb)}}"

// CHECK: __bquant_dense_1_layer:
// CHECK-COUNT-4: {{[[:space:]]}}popcntq
// CHECK-NOT: popcntq
// CHECK: Lfunc_end1
func.func @dense(%x: tensor<64x1024xf32>, %v: tensor<1xf32>) -> tensor<64x64xi32> {
  %q = bquant.quantize %x scalars(%v : tensor<1xf32>) : tensor<64x1024xf32> -> !bquant.tensor<64x1024, 1>
  %w = bquant.constant words(dense<1> : tensor<1x64x32xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<64x1024, 1>
  %0 = bquant.matmul %q, %w : (!bquant.tensor<64x1024, 1>, !bquant.tensor<64x1024, 1>) -> tensor<64x64xi32>
  return %0 : tensor<64x64xi32>
}
