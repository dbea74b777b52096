// RUN: bquant-opt %s --split-input-file --verify-diagnostics

func.func @no_layer(%x: memref<4xf32>, %y: memref<4xf32>) {
  bquant_packed.group {
    // expected-error @+1 {{[group_c1] expected a layer on buffers}}
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
  }
  return
}

// -----

func.func @f() {
  // expected-error @+1 {{[group_c1] expected a body without arguments}}
  bquant_packed.group {
  ^bb0(%a: index):
  }
  return
}
