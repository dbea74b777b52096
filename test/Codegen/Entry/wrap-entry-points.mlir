// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64 features=+avx2,+fma" --bquant-wrap-entry-points --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: llvm.func internal @__bquant_f(
// CHECK-NOT:     bquant.signature
// CHECK:       llvm.mlir.global external constant @f_signature("{\22arena_bytes\22:128,
// CHECK-SAME:    \22inputs\22:[{\22dtype\22:\22float32\22,\22name\22:\22x\22,\22shape\22:[2,4]}]
// CHECK-SAME:    \22name\22:\22f\22,
// CHECK-SAME:    \22outputs\22:[{\22dtype\22:\22int32\22,\22name\22:\22output0\22,\22shape\22:[]}]
// CHECK-SAME:    \22symbol\22:\22f\22}\00")
// CHECK-SAME:    section = ".bquant.signature"
// CHECK:       llvm.func @bquant_rt_supports(!llvm.ptr, !llvm.ptr) -> i32
// CHECK:       llvm.mlir.global internal constant @__bquant_f_features("+avx,+avx2,+fma,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3\00")
// CHECK:       llvm.mlir.global internal @__bquant_f_state(0 : i32)
// CHECK:       llvm.func @f_supported() -> i32 attributes {passthrough = ["bquant-entry"]}
// CHECK:         llvm.call @bquant_rt_supports(
// CHECK:       llvm.func @f_arena_bytes(%{{.*}}: i32) -> i64 attributes {passthrough = ["bquant-entry"]}
// CHECK:         llvm.mlir.constant(128 : i64)
// CHECK:       llvm.func @f(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[THREADS:.*]]: i32) -> i32 attributes {passthrough = ["bquant-entry"]}
// CHECK:         %[[ONE:.*]] = llvm.mlir.constant(1 : i32)
// CHECK:         %[[TOO_FEW:.*]] = llvm.icmp "slt" %[[THREADS]], %[[ONE]]
// CHECK-NEXT:    llvm.cond_br %[[TOO_FEW]], ^[[BAD:.*]], ^
// CHECK:         llvm.call @f_supported()
// CHECK:         llvm.call @__bquant_f(
llvm.func @__bquant_f(%x: !llvm.ptr, %y: !llvm.ptr, %arena: !llvm.ptr) attributes {
    bquant.signature = {name = "f", inputs = [{name = "x", type = tensor<2x4xf32>}],
                        outputs = [{name = "output0", type = tensor<i32>}]},
    bquant.arena_bytes = 128 : i64} {
  llvm.return
}

// -----

// What tells networks of one name apart is in the JSON.
// CHECK: @f_signature("{{{.*}}\22digest\22:\221a2b\22,
module attributes {bquant.digest = "1a2b"} {
  llvm.func @__bquant_f(%arena: !llvm.ptr) attributes {
      bquant.signature = {name = "f", inputs = [], outputs = []}, bquant.arena_bytes = 0 : i64} {
    llvm.return
  }
}

// -----

// With a batch: one call of the function for each sample.
// CHECK-LABEL: llvm.func internal @__bquant_b(
// CHECK:       \22inputs\22:[{\22dtype\22:\22float32\22,\22name\22:\22x\22,\22shape\22:[null,4]},{{{.*}}\22name\22:\22w\22,\22shape\22:[2]}]
// CHECK-SAME:  \22outputs\22:[{{{.*}}\22shape\22:[null]}]
// CHECK:       llvm.func @b(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i32, %[[BATCH:.*]]: i64) -> i32
// CHECK:         %[[NEGATIVE:.*]] = llvm.icmp "slt" %[[BATCH]],
// CHECK-NEXT:    llvm.cond_br %[[NEGATIVE]], ^[[BAD:.*]], ^
// CHECK:         %[[NONE:.*]] = llvm.icmp "eq" %[[BATCH]],
// CHECK-NEXT:    llvm.cond_br %[[NONE]], ^[[EMPTY:.*]], ^
// CHECK:         llvm.call @b_supported()
// CHECK:       ^[[LOOP:.*]](%[[I:.*]]: i64):
// CHECK:         %[[BYTES:.*]] = llvm.mlir.constant(16 : i64)
// CHECK:         %[[AT:.*]] = llvm.mul %[[I]], %[[BYTES]]
// CHECK:         %[[X:.*]] = llvm.getelementptr %{{.*}}[%[[AT]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK:         %[[RESULT_BYTES:.*]] = llvm.mlir.constant(8 : i64)
// CHECK:         %[[RESULT_AT:.*]] = llvm.mul %[[I]], %[[RESULT_BYTES]]
// CHECK:         %[[Y:.*]] = llvm.getelementptr %{{.*}}[%[[RESULT_AT]]]
// CHECK:         llvm.call @__bquant_b(%[[X]], %{{.*}}, %[[Y]], %{{.*}})
// CHECK:         %[[NEXT:.*]] = llvm.add %[[I]],
// CHECK:         %[[MORE:.*]] = llvm.icmp "ne" %[[NEXT]], %[[BATCH]]
// CHECK:         llvm.cond_br %[[MORE]], ^[[LOOP]](%[[NEXT]] : i64), ^
// CHECK:       ^[[BAD]]:
// CHECK:         llvm.mlir.constant(1 : i32)
// CHECK:       ^[[EMPTY]]:
// CHECK:         llvm.mlir.constant(0 : i32)
llvm.func @__bquant_b(%x: !llvm.ptr, %w: !llvm.ptr, %y: !llvm.ptr, %arena: !llvm.ptr) attributes {
    bquant.signature = {name = "b", inputs = [{name = "x", type = tensor<?x4xf32>}, {name = "w", type = tensor<2xf32>}],
                        outputs = [{name = "y", type = tensor<?xf64>}]},
    bquant.arena_bytes = 0 : i64} {
  llvm.return
}

// -----

// Names that C reserves, or that are none in C.
// CHECK-DAG: llvm.func @main_net(
// CHECK-DAG: llvm.func @round_net(
// CHECK-DAG: llvm.func @a_b(
// CHECK-DAG: @main_net_signature("{{.*}}\22name\22:\22main\22{{.*}}\22symbol\22:\22main_net\22
// CHECK-DAG: llvm.func internal @__bquant_round(
// CHECK-DAG: llvm.func @net_3d(
// CHECK-DAG: llvm.func @Bool(
// CHECK-DAG: llvm.func @co_await_net(
// CHECK-DAG: llvm.func @signal_net(
// CHECK-DAG: llvm.func @net(
llvm.func @__bquant_main(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "main", inputs = [], outputs = []}, bquant.arena_bytes = 0 : i64} {
  llvm.return
}
llvm.func @__bquant_round(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "round", inputs = [], outputs = []}, bquant.arena_bytes = 0 : i64} {
  llvm.return
}
llvm.func @__bquant_a.b(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "a.b", inputs = [], outputs = []}, bquant.arena_bytes = 0 : i64} {
  llvm.return
}
llvm.func @__bquant_3d(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "3d", inputs = [], outputs = []}, bquant.arena_bytes = 0 : i64} {
  llvm.return
}
llvm.func @__bquant__Bool(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "_Bool", inputs = [], outputs = []}, bquant.arena_bytes = 0 : i64} {
  llvm.return
}
llvm.func @__bquant_co_await(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "co_await", inputs = [], outputs = []}, bquant.arena_bytes = 0 : i64} {
  llvm.return
}
llvm.func @__bquant_signal(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "signal", inputs = [], outputs = []}, bquant.arena_bytes = 0 : i64} {
  llvm.return
}
llvm.func @__bquant___(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "--", inputs = [], outputs = []}, bquant.arena_bytes = 0 : i64} {
  llvm.return
}

// -----

// expected-error @below {{expected a function name that leaves 'f_supported' free}}
llvm.func @__bquant_f(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "f", inputs = [], outputs = []}, bquant.arena_bytes = 0 : i64} {
  llvm.return
}
llvm.func @f_supported()

// -----

llvm.func @__bquant_f(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "f", inputs = [], outputs = []}, bquant.arena_bytes = 64 : i64} {
  // expected-error @below {{expected vectors of fixed size, since the CPU has no others, but got 'vector<[4]xf32>'}}
  %v = llvm.load %arena : !llvm.ptr -> vector<[4]xf32>
  llvm.return
}

// -----

// expected-error @below {{expected 2 pointers as arguments, but got '!llvm.func<void (ptr)>'}}
llvm.func @__bquant_f(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "f", inputs = [{name = "x", type = tensor<i32>}], outputs = []},
    bquant.arena_bytes = 0 : i64} {
  llvm.return
}

// -----

// expected-error @below {{expected the attribute 'bquant.arena_bytes'}}
llvm.func @__bquant_f(%arena: !llvm.ptr) attributes {
    bquant.signature = {name = "f", inputs = [], outputs = []}} {
  llvm.return
}

// -----

// A function that threads may share, compiled for one: the slice lies behind
// what the arena holds once.
// CHECK-LABEL: llvm.func internal @__bquant_f(
// CHECK:       @f_signature("{\22arena_bytes\22:192,{{.*}}\22max_threads\22:1,
// CHECK-NOT:   @f_set_parallel
// CHECK:       llvm.func @f(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %{{.*}}: i32) -> i32
// CHECK:         %[[BYTES:.*]] = llvm.mlir.constant(128 : i64)
// CHECK-NEXT:    %[[SLICE:.*]] = llvm.getelementptr %[[ARENA]][%[[BYTES]]] : (!llvm.ptr, i64) -> !llvm.ptr, i8
// CHECK:         llvm.call @__bquant_f(%[[ARENA]], %[[SLICE]])
llvm.func @__bquant_f(%arena: !llvm.ptr, %slice: !llvm.ptr) attributes {
    bquant.signature = {name = "f", inputs = [], outputs = []},
    bquant.arena_bytes = 128 : i64, bquant.slice_bytes = 64 : i64} {
  llvm.return
}

// -----

// With a block of samples: whole blocks, then what they leave over. The arena
// serves both.
// CHECK-LABEL: llvm.func internal @__bquant_d(
// CHECK-LABEL: llvm.func internal @__bquant_d_block(
// CHECK:       @d_signature("{\22arena_bytes\22:512,
// CHECK:       llvm.func @d_arena_bytes
// CHECK:         llvm.mlir.constant(512 : i64)
// CHECK:       llvm.func @d(%{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: i32, %[[BATCH:.*]]: i64) -> i32
// CHECK:         %[[SAMPLES:.*]] = llvm.mlir.constant(16 : i64)
// CHECK:         %[[COUNT:.*]] = llvm.udiv %[[BATCH]], %[[SAMPLES]]
// CHECK:         %[[WHOLE:.*]] = llvm.mul %[[COUNT]], %[[SAMPLES]]
// CHECK:         llvm.icmp "ne" %[[COUNT]],
// CHECK:         %[[BYTES:.*]] = llvm.mlir.constant(256 : i64)
// CHECK:         llvm.mul %{{.*}}, %[[BYTES]]
// CHECK:         llvm.call @__bquant_d_block(
// CHECK:         llvm.icmp "ne" %{{.*}}, %[[COUNT]]
// CHECK:         %[[FIRST:.*]] = llvm.select %{{.*}}, %[[BATCH]], %[[WHOLE]]
// CHECK:         llvm.icmp "ne" %[[FIRST]], %[[BATCH]]
// CHECK:         llvm.br ^{{.*}}(%[[FIRST]] : i64)
// CHECK:         %[[SAMPLE_BYTES:.*]] = llvm.mlir.constant(16 : i64)
// CHECK:         llvm.mul %{{.*}}, %[[SAMPLE_BYTES]]
// CHECK:         llvm.call @__bquant_d(
// CHECK:         llvm.icmp "ne" %{{.*}}, %[[BATCH]]
// CHECK-NOT:   @d_block_signature
llvm.func @__bquant_d(%x: !llvm.ptr, %y: !llvm.ptr, %arena: !llvm.ptr) attributes {
    bquant.signature = {name = "d", inputs = [{name = "x", type = tensor<?x4xf32>}],
                        outputs = [{name = "y", type = tensor<?xf64>}]},
    bquant.arena_bytes = 64 : i64} {
  llvm.return
}
llvm.func @__bquant_d_block(%x: !llvm.ptr, %y: !llvm.ptr, %arena: !llvm.ptr) attributes {
    bquant.signature = {name = "d_block", inputs = [{name = "x", type = tensor<?x4xf32>}],
                        outputs = [{name = "y", type = tensor<?xf64>}]},
    bquant.block = {of = "d", samples = 16 : i64}, bquant.arena_bytes = 512 : i64} {
  llvm.return
}

// -----

// Names that are no UTF-8 are in JSON, too.
// CHECK: @net_signature("{{{.*}}\22inputs\22:[{\22dtype\22:\22float32\22,\22name\22:\22\EF\BF\BD\22,
// CHECK-SAME: \22name\22:\22\EF\BF\BD\22,
// CHECK-SAME: \22symbol\22:\22net\22}
llvm.func @__bquant_bytes(%x: !llvm.ptr, %arena: !llvm.ptr) attributes {
    bquant.signature = {name = "\FF", inputs = [{name = "\FE", type = tensor<1xf32>}], outputs = []},
    bquant.arena_bytes = 0 : i64} {
  llvm.return
}
