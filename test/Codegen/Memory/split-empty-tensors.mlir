// RUN: bquant-opt %s --bquant-split-empty-tensors | FileCheck %s

// CHECK-LABEL: @two_fills
// CHECK-NEXT:    %[[D:.*]] = tensor.empty
// CHECK-NEXT:    linalg.fill {{.*}} outs(%[[D]] : tensor<4xf32>)
// CHECK-NEXT:    %[[E:.*]] = tensor.empty
// CHECK-NEXT:    linalg.fill {{.*}} outs(%[[E]] : tensor<4xf32>)
func.func @two_fills(%c: f32, %d: f32) -> (tensor<4xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4xf32>
  %a = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %b = linalg.fill ins(%d : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a, %b : tensor<4xf32>, tensor<4xf32>
}

// One that a loop uses stays before the loop, others are where they are used.
// CHECK-LABEL: @loop
// CHECK:         tensor.empty() : tensor<8xf32>
// CHECK:         scf.for
// CHECK:           scf.yield
// CHECK:         tensor.empty() : tensor<8xf32>
func.func @loop(%c: f32, %n: index) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<8xf32>
  %a = scf.for %i = %zero to %n step %one iter_args(%t = %e) -> tensor<8xf32> {
    %u = tensor.insert %c into %t[%i] : tensor<8xf32>
    scf.yield %u : tensor<8xf32>
  }
  return %a, %e : tensor<8xf32>, tensor<8xf32>
}

// CHECK-LABEL: @unused
// CHECK-NEXT:    %{{.*}} = tensor.empty
// CHECK-NEXT:    return
func.func @unused() {
  %e = tensor.empty() : tensor<4xf32>
  return
}

// What each tile writes to it fills itself; what tiles read is filled once.
// CHECK-LABEL: @tiles
// CHECK:         %[[READ:.*]] = linalg.fill
// CHECK-NOT:     linalg.fill
// CHECK:         scf.forall
// CHECK:           %[[E:.*]] = tensor.empty() : tensor<4xf32>
// CHECK:           %[[OWN:.*]] = linalg.fill ins(%{{.*}}) outs(%[[E]] : tensor<4xf32>)
// CHECK:           scf.for {{.*}} iter_args(%{{.*}} = %[[OWN]])
// CHECK:             tensor.extract %[[READ]]
func.func @tiles(%c: f32, %d: f32) -> tensor<8x4xf32> {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %four = arith.constant 4 : index
  %e = tensor.empty() : tensor<4xf32>
  %out = tensor.empty() : tensor<8x4xf32>
  %read = linalg.fill ins(%d : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %out) -> tensor<8x4xf32> {
    %a = scf.for %j = %zero to %four step %one iter_args(%t = %f) -> tensor<4xf32> {
      %v = tensor.extract %read[%j] : tensor<4xf32>
      %u = tensor.insert %v into %t[%j] : tensor<4xf32>
      scf.yield %u : tensor<4xf32>
    }
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %o[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return %r : tensor<8x4xf32>
}

// So it does where the slice that it changes has been taken out of the loop.
// CHECK-LABEL: @slices
// CHECK-NOT:     linalg.fill
// CHECK:         scf.forall
// CHECK:           %[[OWN:.*]] = linalg.fill
// CHECK:           %[[SLICE:.*]] = tensor.extract_slice %[[OWN]]
// CHECK:           tensor.insert %{{.*}} into %[[SLICE]]
// CHECK:           tensor.insert_slice %{{.*}} into %[[OWN]]
func.func @slices(%c: f32, %d: f32) -> tensor<8x4xf32> {
  %zero = arith.constant 0 : index
  %e = tensor.empty() : tensor<4xf32>
  %out = tensor.empty() : tensor<8x4xf32>
  %f = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = tensor.extract_slice %f[1] [2] [1] : tensor<4xf32> to tensor<2xf32>
  %r = scf.forall (%i) in (8) shared_outs(%o = %out) -> tensor<8x4xf32> {
    %t = tensor.insert %d into %s[%zero] : tensor<2xf32>
    %a = tensor.insert_slice %t into %f[1] [2] [1] : tensor<2xf32> into tensor<4xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %o[%i, 0] [1, 4] [1, 1] : tensor<4xf32> into tensor<8x4xf32>
    }
  }
  return %r : tensor<8x4xf32>
}

// A slice that is put back stays one of its tensor; the next one has another.
// CHECK-LABEL: @put_back
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         %[[S:.*]] = tensor.extract_slice %[[E]][0] [4] [1]
// CHECK:         %[[A:.*]] = linalg.fill {{.*}} outs(%[[S]]
// CHECK:         tensor.insert_slice %[[A]] into %[[E]][0] [4] [1]
// CHECK:         %[[F:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         tensor.insert_slice %[[A]] into %[[F]][0] [4] [1]
// CHECK:         %[[G:.*]] = tensor.empty() : tensor<8xf32>
// CHECK:         tensor.insert_slice %[[A]] into %[[G]][4] [4] [1]
func.func @put_back(%c: f32) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %s = tensor.extract_slice %e[0] [4] [1] : tensor<8xf32> to tensor<4xf32>
  %a = linalg.fill ins(%c : f32) outs(%s : tensor<4xf32>) -> tensor<4xf32>
  %x = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %y = tensor.insert_slice %a into %e[0] [4] [1] : tensor<4xf32> into tensor<8xf32>
  %z = tensor.insert_slice %a into %e[4] [4] [1] : tensor<4xf32> into tensor<8xf32>
  return %x, %y, %z : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// Uses in two blocks, neither of which is that of the tensor.
// CHECK-LABEL: @two_blocks
// CHECK-NEXT:    %[[E:.*]] = tensor.empty
// CHECK-NEXT:    cf.cond_br
// CHECK-NEXT:  ^bb1:
// CHECK-NEXT:    linalg.fill {{.*}} outs(%[[E]] : tensor<4xf32>)
// CHECK:       ^bb2:
// CHECK-NEXT:    %[[F:.*]] = tensor.empty
// CHECK-NEXT:    linalg.fill {{.*}} outs(%[[F]] : tensor<4xf32>)
func.func @two_blocks(%p: i1, %c: f32) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  cf.cond_br %p, ^first, ^second
^first:
  %a = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
^second:
  %b = linalg.fill ins(%c : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %b : tensor<4xf32>
}
