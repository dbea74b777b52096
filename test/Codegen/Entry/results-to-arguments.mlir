// RUN: bquant-opt %s --bquant-results-to-arguments --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func.func @__bquant_two(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32> {bufferization.writable = false, llvm.noalias},
// CHECK-SAME:    %[[A:.*]]: memref<4xf32> {llvm.noalias}, %[[B:.*]]: memref<4xf32> {llvm.noalias})
// CHECK-SAME:    bquant.signature = {inputs = [{name = "x", type = tensor<4xf32>}], name = "two", outputs = [{name = "y", type = tensor<4xf32>}, {name = "output1", type = tensor<4xf32>}]}
// CHECK:         %[[PA:.*]] = bufferization.to_tensor %[[A]] restrict writable
// CHECK:         %[[PB:.*]] = bufferization.to_tensor %[[B]] restrict writable
// CHECK:         %[[Y:.*]] = math.absf %[[X]]
// CHECK:         %[[RA:.*]] = tensor.insert_slice %[[Y]] into %[[PA]][0] [4] [1]
// CHECK:         %[[RB:.*]] = tensor.insert_slice %[[X]] into %[[PB]][0] [4] [1]
// CHECK:         bufferization.materialize_in_destination %[[RA]] in restrict writable %[[A]]
// CHECK:         bufferization.materialize_in_destination %[[RB]] in restrict writable %[[B]]
// CHECK:         return{{$}}
func.func @two(%x: tensor<4xf32> {bquant.name = "x"})
    -> (tensor<4xf32> {bquant.name = "y"}, tensor<4xf32>) {
  %y = math.absf %x : tensor<4xf32>
  return %y, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

// A function on a sample of a batch of any size.

// CHECK-LABEL: func.func @__bquant_batch(
// CHECK-SAME:    %{{.*}}: tensor<1x4xf32> {bufferization.writable = false, llvm.noalias}, %{{.*}}: memref<1x4xf32> {llvm.noalias})
// CHECK-SAME:    bquant.signature = {inputs = [{name = "input0", type = tensor<?x4xf32>}], name = "batch", outputs = [{name = "output0", type = tensor<?x4xf32>}]}
func.func @batch(%x: tensor<1x4xf32> {bquant.batch}) -> (tensor<1x4xf32> {bquant.batch}) {
  return %x : tensor<1x4xf32>
}

// -----

// A private function that nobody calls is of no use.

// CHECK-NOT:   @unused
// CHECK:       func.func @__bquant_used
func.func private @unused(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @used() {
  return
}

// -----

// expected-error @below {{expected arguments and results of public function 'dynamic' to be tensors of static shape and of f16, bf16, f32, f64, i1, i8, i16, i32 or i64, but got 'tensor<?xf32>'}}
func.func @dynamic(%x: tensor<?xf32>) {
  return
}

// -----

// expected-error @below {{to be tensors of static shape and of f16, bf16, f32, f64, i1, i8, i16, i32 or i64, but got 'f32'}}
func.func @scalar(%x: tensor<4xf32>) -> f32 {
  %c = arith.constant 1.0 : f32
  return %c : f32
}

// -----

// expected-error @below {{but got 'tensor<4xi4>'}}
func.func @nibbles(%x: tensor<4xi4>) {
  return
}

// -----

func.func private @value(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
func.func @reads_functions(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected functions to be called, but got 'value' as a value}}
  %f = func.constant @value : (tensor<4xf32>) -> tensor<4xf32>
  %y = call_indirect %f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @eighth(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected floats that LLVM computes with, but got 'f8E4M3FN'}}
  %h = arith.truncf %x : tensor<4xf32> to tensor<4xf8E4M3FN>
  %y = arith.extf %h : tensor<4xf8E4M3FN> to tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @elsewhere(tensor<4xf32>) -> tensor<4xf32>
func.func @calls(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected a call that can be inlined, but got one of 'elsewhere'}}
  %y = call @elsewhere(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @__bquant_f()
// expected-error @below {{expected no other symbol '__bquant_f'}}
func.func @f() {
  return
}

// -----

// expected-error @below {{expected arguments and results of 1 to 2^63 - 1 bytes, but got 'tensor<4294967296x4294967296xf32>'}}
func.func @huge(%x: tensor<4294967296x4294967296xf32>) {
  return
}

// -----

// expected-error @below {{expected arguments and results of 1 to 2^63 - 1 bytes, but got 'tensor<1x0xf32>'}}
func.func @nothing(%x: tensor<1x0xf32>) {
  return
}

// -----

// Bytes keep their sign for the caller only. What reads them otherwise keeps
// their type.

// CHECK-LABEL: func.func @__bquant_unsigned(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xi8>
// CHECK-SAME: %{{.*}}: tensor<4xui8>
// CHECK-SAME: bquant.signature = {inputs = [{name = "input0", type = tensor<4xui8>}
// CHECK-NOT: tensor.bitcast %[[X]]
// CHECK: tensor.insert_slice %[[X]]
func.func @unsigned(%x: tensor<4xui8>, %y: tensor<4xui8>) -> (tensor<4xi8>, tensor<4xsi8>) {
  %a = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
  %b = tensor.bitcast %y : tensor<4xui8> to tensor<4xsi8>
  return %a, %b : tensor<4xi8>, tensor<4xsi8>
}

// -----

// CHECK-LABEL: func @__bquant_bytes
// CHECK-SAME: %[[X:.*]]: tensor<4xi8> {{.*}}, %[[Y:.*]]: memref<4xi8> {{.*}} attributes {{.*}}type = tensor<4xui8>{{.*}}type = tensor<4xui8>
// CHECK-NOT: tensor.bitcast
func.func @bytes(%x: tensor<4xui8>) -> tensor<4xui8> {
  %0 = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
  %1 = arith.addi %0, %0 : tensor<4xi8>
  %2 = tensor.bitcast %1 : tensor<4xi8> to tensor<4xui8>
  return %2 : tensor<4xui8>
}

// -----

// Nor does one that is read as it is, too, become signless.
// CHECK-LABEL: func.func @__bquant_both(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xui8>
// CHECK: tensor.bitcast %[[X]]
func.func @both(%x: tensor<4xui8>) -> (tensor<4xi8>, tensor<4xui8>) {
  %a = tensor.bitcast %x : tensor<4xui8> to tensor<4xi8>
  return %a, %x : tensor<4xi8>, tensor<4xui8>
}

// -----

// CHECK-LABEL: func.func @__bquant_types(
func.func @types(%a: tensor<4xi1>, %b: tensor<4xi8>, %c: tensor<4xi16>, %d: tensor<4xi32>, %e: tensor<4xi64>,
                 %f: tensor<4xf16>, %g: tensor<4xbf16>, %h: tensor<4xf32>, %i: tensor<4xf64>) {
  return
}

// -----

// State is in the signature with what it starts with, and a remark says so.

// CHECK-LABEL: func.func @__bquant_counts(
// CHECK-SAME: bquant.signature = {inputs = [{initial = dense<7> : tensor<2xi32>, name = "count", type = tensor<2xi32>}]
// CHECK-SAME: outputs = [{name = "count", type = tensor<2xi32>, updates = 0 : i64}]}
func.func @counts(%x: tensor<2xi32> {bquant.name = "count", bquant.initial = dense<7> : tensor<2xi32>}) -> (tensor<2xi32> {bquant.name = "count", bquant.updates = 0 : i64}) {
  %y = arith.addi %x, %x : tensor<2xi32>
  return %y : tensor<2xi32>
}
