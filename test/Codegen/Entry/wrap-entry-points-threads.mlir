// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64" --bquant-wrap-entry-points=threads=4 | FileCheck %s

llvm.func internal @g0(%x: !llvm.ptr, %w: !llvm.ptr, %y: !llvm.ptr, %arena: !llvm.ptr, %slice: !llvm.ptr, %first: i64, %last: i64) {
  llvm.return
}
llvm.func internal @g2(%arena: !llvm.ptr, %slice: !llvm.ptr, %first: i64, %last: i64) {
  llvm.return
}
llvm.func internal @g1(%x: !llvm.ptr, %w: !llvm.ptr, %y: !llvm.ptr, %arena: !llvm.ptr, %slice: !llvm.ptr, %first: i64, %last: i64) {
  llvm.return
}

// A function that runs any group, for a sample of the batch:
// CHECK:       llvm.func internal @__bquant_b_run(%[[G:.*]]: i64, %[[IN:.*]]: !llvm.ptr, %[[OUT:.*]]: !llvm.ptr, %[[SAMPLE:.*]]: i64, %[[SHARED:.*]]: !llvm.ptr, %[[SLICE:.*]]: !llvm.ptr, %[[FIRST:.*]]: i64, %[[LAST:.*]]: i64)
// CHECK:         %[[PX:.*]] = llvm.getelementptr %[[IN]][0]
// CHECK-NEXT:    %[[X:.*]] = llvm.load %[[PX]]
// CHECK:         %[[AT:.*]] = llvm.mul %[[SAMPLE]], %
// CHECK-NEXT:    %[[MOVED:.*]] = llvm.getelementptr %[[X]][%[[AT]]]
// CHECK:         %[[PW:.*]] = llvm.getelementptr %[[IN]][1]
// CHECK-NEXT:    %[[W:.*]] = llvm.load %[[PW]]
// CHECK:         %[[PY:.*]] = llvm.getelementptr %[[OUT]][0]
// CHECK:         llvm.switch %[[G]] : i64, ^[[LAST_GROUP:.*]] [
// CHECK-NEXT:      0: ^[[FIRST_GROUP:bb[0-9]*]]
// CHECK:       ^[[FIRST_GROUP]]:
// CHECK-NEXT:    llvm.call @g0(%[[MOVED]], %[[W]], %{{.*}}, %[[SHARED]], %[[SLICE]], %[[FIRST]], %[[LAST]])
// CHECK-NEXT:    llvm.return
// CHECK:       ^[[LAST_GROUP]]:
// CHECK-NEXT:    llvm.call @g1(

// Tiles and those of a claim: 20 us are 8 claims, 3 us one.
// CHECK:       @__bquant_b_groups(dense<[56, 7, 5, 5]>
// CHECK:       @__bquant_b_network() {{.*}} !llvm.struct<(ptr, ptr, i64, i64, i64, i64, i64)>
// CHECK:         llvm.mlir.addressof @__bquant_b_run
// CHECK:         llvm.mlir.addressof @__bquant_b_groups
// CHECK:         llvm.mlir.constant(2 : i64)
// CHECK:         llvm.mlir.constant(128 : i64)
// CHECK:         llvm.mlir.constant(64 : i64)
// CHECK:         llvm.mlir.constant(1 : i64)
// CHECK:         llvm.mlir.constant(4 : i64)
// A claim of a group that has no tiles is one, which the runtime divides by.
// CHECK:       @__bquant_z_groups(dense<[0, 1, 0, 1]>
// CHECK:       @b_signature("{\22arena_bytes\22:192,{{.*}}\22max_threads\22:4,
// CHECK:       llvm.mlir.global internal @__bquant_b_pool()
// CHECK:       llvm.func @b_set_parallel(%[[PARALLEL:.*]]: !llvm.ptr, %[[DATA:.*]]: !llvm.ptr) attributes {passthrough = ["bquant-entry"]}
// CHECK:         llvm.store %[[PARALLEL]], %
// CHECK:         llvm.store %[[DATA]], %
// CHECK:       llvm.func @b_arena_bytes(
// CHECK:         llvm.call @bquant_rt_arena_bytes(
// CHECK:       llvm.func @b(%[[I:.*]]: !llvm.ptr, %[[O:.*]]: !llvm.ptr, %[[ARENA:.*]]: !llvm.ptr, %[[THREADS:.*]]: i32, %[[BATCH:.*]]: i64) -> i32
// CHECK:         %[[CODE:.*]] = llvm.call @bquant_rt_run(%{{.*}}, %[[I]], %[[O]], %[[ARENA]], %[[THREADS]], %[[BATCH]], %{{.*}})
// CHECK-NEXT:    llvm.return %[[CODE]]
llvm.func @__bquant_b(%x: !llvm.ptr, %w: !llvm.ptr, %y: !llvm.ptr, %arena: !llvm.ptr, %slice: !llvm.ptr) attributes {
    bquant.signature = {name = "b", inputs = [{name = "x", type = tensor<?x4xf32>}, {name = "w", type = tensor<2xf32>}],
                        outputs = [{name = "y", type = tensor<?xf64>}]},
    bquant.groups = [{callee = @g0, nanoseconds = 20000 : i64, tiles = 56 : i64},
                     {callee = @g1, nanoseconds = 3000 : i64, tiles = 5 : i64}],
    bquant.arena_bytes = 128 : i64, bquant.slice_bytes = 64 : i64} {
  llvm.return
}

llvm.func @__bquant_z(%arena: !llvm.ptr, %slice: !llvm.ptr) attributes {
    bquant.signature = {name = "z", inputs = [], outputs = []},
    bquant.groups = [{callee = @g2, nanoseconds = 0 : i64, tiles = 0 : i64},
                     {callee = @g2, nanoseconds = 20000 : i64, tiles = 0 : i64}],
    bquant.arena_bytes = 0 : i64, bquant.slice_bytes = 0 : i64} {
  llvm.return
}

// What threads cannot share runs on one.
// CHECK:       @s_signature("{{.*}}\22max_threads\22:1,
// CHECK-NOT:   @s_set_parallel
llvm.func @__bquant_s(%arena: !llvm.ptr, %slice: !llvm.ptr) attributes {
    bquant.signature = {name = "s", inputs = [], outputs = []},
    bquant.arena_bytes = 128 : i64, bquant.slice_bytes = 64 : i64} {
  llvm.return
}
