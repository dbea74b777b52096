// RUN: bquant-opt %s --bquant-normalize-generics --bquant-sink-into-regions --bquant-form-layers \
// RUN:   --bquant-tile-pipeline --bquant-inline-layers --split-input-file --verify-diagnostics
// RUN: bquant-opt %s --bquant-select-kernels --split-input-file --verify-diagnostics

// expected-error @below {{expected a CPU of target 'x86_64-unknown-linux-gnu', but got 'abacus'}}
module attributes {llvm.target = #llvm.target<triple = "x86_64-linux-gnu", chip = "abacus">} {
  func.func @no_such_cpu() {
    return
  }
}

// -----

// expected-error @below {{expected 'llvm.target' to be an #llvm.target, but got "znver4"}}
module attributes {llvm.target = "znver4"} {
  func.func @no_target() {
    return
  }
}
