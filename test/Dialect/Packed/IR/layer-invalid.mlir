// RUN: bquant-opt %s --split-input-file --verify-diagnostics

func.func @no_init(%x: tensor<4xf32>) {
  // expected-error @+1 {{[layer_c1] expected an init}}
  bquant_packed.layer "l" ins(%i = %x : tensor<4xf32>) {}
  return
}

// -----

func.func @both(%x: memref<4xf32>, %e: tensor<4xf32>) {
  // expected-error @+1 {{[layer_c1] expected tensors or buffers, but got both}}
  %y = bquant_packed.layer "l" ins(%i = %x : memref<4xf32>) outs(%o = %e : tensor<4xf32>) {
    bquant_packed.yield %o : tensor<4xf32>
  }
  return
}

// -----

func.func @results(%e: tensor<4xf32>) {
  // expected-error @+1 {{[layer_c2] expected results of types 'tensor<4xf32>', but got 'tensor<8xf32>'}}
  %y = "bquant_packed.layer"(%e) <{name = "l", operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%o: tensor<4xf32>):
    %t = tensor.empty() : tensor<8xf32>
    "bquant_packed.yield"(%t) : (tensor<8xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @arguments(%e: tensor<4xf32>) {
  // expected-error @+1 {{[layer_c3] expected a body with arguments of types 'tensor<4xf32>', but got 'tensor<8xf32>'}}
  %y = "bquant_packed.layer"(%e) <{name = "l", operandSegmentSizes = array<i32: 0, 1>}> ({
  ^bb0(%o: tensor<8xf32>):
    %t = tensor.empty() : tensor<4xf32>
    "bquant_packed.yield"(%t) : (tensor<4xf32>) -> ()
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @yields(%e: tensor<4xf32>) {
  %y = bquant_packed.layer "l" outs(%o = %e : tensor<4xf32>) {
    %t = tensor.empty() : tensor<8xf32>
    // expected-error @+1 {{[layer_c4] expected values of types 'tensor<4xf32>', but got 'tensor<8xf32>'}}
    bquant_packed.yield %t : tensor<8xf32>
  }
  return
}

// -----

func.func @isolated(%x: tensor<4xf32>, %e: tensor<4xf32>) {
  // expected-note @+1 {{required by region isolation constraints}}
  %y = bquant_packed.layer "l" outs(%o = %e : tensor<4xf32>) {
    // expected-error @+1 {{using value defined outside the region}}
    %r = linalg.exp ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
    bquant_packed.yield %r : tensor<4xf32>
  }
  return
}

// -----

func.func @f(%x: memref<4xf32>) {
  // expected-error @+1 {{[layer_c1] expected buffers for inits that are no other operand}}
  bquant_packed.layer "l" ins(%a = %x : memref<4xf32>) outs(%b = %x : memref<4xf32>) {
  }
  return
}

// -----

func.func @name_twice(%e: tensor<4xf32>) {
  // expected-error @+1 {{expected attributes that the rest of the syntax does not give, but got 'name'}}
  %y = bquant_packed.layer "l" outs(%o = %e : tensor<4xf32>) attributes {name = "m"} {
    bquant_packed.yield %o : tensor<4xf32>
  }
  return
}

// -----

func.func @segments_twice(%e: tensor<4xf32>) {
  // expected-error @+1 {{expected attributes that the rest of the syntax does not give, but got 'operandSegmentSizes'}}
  %y = bquant_packed.layer "l" outs(%o = %e : tensor<4xf32>) attributes {operandSegmentSizes = array<i32: 1, 0>} {
    bquant_packed.yield %o : tensor<4xf32>
  }
  return
}

// -----

func.func @loop(%x: tensor<4xf32>, %n: index, %one: index) -> tensor<4xf32> {
  %r = scf.for %i = %n to %n step %one iter_args(%k = %x) -> tensor<4xf32> {
    // expected-error @+1 {{expects parent op to be one of 'func.func, bquant_packed.group'}}
    %q = bquant_packed.layer "l" ins(%a = %k : tensor<4xf32>) outs(%o = %x : tensor<4xf32>) {
      bquant_packed.yield %a : tensor<4xf32>
    }
    scf.yield %q : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}
