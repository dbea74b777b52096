// RUN: bquant-opt %s --mlir-disable-threading --pass-pipeline='builtin.module(builtin.module(bquant-wrap-entry-points))' | FileCheck %s

// One pass runs on both modules: the second asks for no CPU.
// CHECK: @__bquant_f_features("+sse,+sse2\00")
module @first attributes {llvm.target = #llvm.target<triple = "x86_64-linux-gnu", chip = "x86-64">} {
  llvm.func @__bquant_f(%x: !llvm.ptr, %arena: !llvm.ptr) attributes {
      bquant.signature = {name = "f", inputs = [{name = "x", type = tensor<4xf32>}], outputs = []},
      bquant.arena_bytes = 64 : i64} {
    llvm.return
  }
}

// CHECK: @__bquant_g_features("\00")
module @second {
  llvm.func @__bquant_g(%x: !llvm.ptr, %arena: !llvm.ptr) attributes {
      bquant.signature = {name = "g", inputs = [{name = "x", type = tensor<4xf32>}], outputs = []},
      bquant.arena_bytes = 64 : i64} {
    llvm.return
  }
}
