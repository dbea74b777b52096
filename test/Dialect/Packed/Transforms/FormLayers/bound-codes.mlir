// RUN: bquant-opt %s --bquant-bound-codes | FileCheck %s

#id = affine_map<(d0) -> (d0)>

// Factors below one: i32 has what is rounded, whatever the sum.
// CHECK-LABEL: @integers
// CHECK:       ^bb0(%[[SUM:.*]]: i32, %[[FACTOR:.*]]: f32, %{{.*}}: i8):
// CHECK:         %[[X:.*]] = arith.sitofp %[[SUM]]
// CHECK:         %[[Y:.*]] = arith.mulf %[[X]], %[[FACTOR]]
// CHECK:         %[[T:.*]] = math.roundeven %[[Y]]
// CHECK:         %[[I:.*]] = arith.fptosi %[[T]] : f32 to i32
// CHECK:         %[[U:.*]] = arith.addi %[[I]], %c3_i32
// CHECK:         %[[V:.*]] = arith.maxsi %[[U]], %c-128_i32
// CHECK:         %[[W:.*]] = arith.minsi %[[V]], %c127_i32
// CHECK:         %[[R:.*]] = arith.trunci %[[W]] : i32 to i8
// CHECK-NEXT:    linalg.yield %[[R]]
func.func @integers(%x: tensor<2xi32>, %e: tensor<2xi8>) -> tensor<2xi8> {
  %f = arith.constant dense<[0.5, -0.99]> : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %f : tensor<2xi32>, tensor<2xf32>) outs(%e : tensor<2xi8>) {
  ^bb0(%sum: i32, %factor: f32, %o: i8):
    %zero = arith.constant 3.0 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %n = arith.sitofp %sum : i32 to f32
    %y = arith.mulf %n, %factor : f32
    %t = math.roundeven %y : f32
    %u = arith.addf %t, %zero : f32
    %v = arith.maximumf %u, %low : f32
    %w = arith.minimumf %v, %high : f32
    %r = arith.fptosi %w : f32 to i8
    linalg.yield %r : i8
  } -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// Codes without a sign are bounded as bytes with one.
// CHECK-LABEL: @unsigned
// CHECK-DAG:     %[[I:.*]] = arith.fptosi %{{.*}} : f32 to i32
// CHECK:         %[[U:.*]] = arith.addi %[[I]], %c-125_i32
// CHECK:         %[[V:.*]] = arith.maxsi %[[U]], %c-128_i32
// CHECK:         %[[W:.*]] = arith.minsi %[[V]], %c127_i32
// CHECK:         %[[R:.*]] = arith.trunci %[[W]] : i32 to i8
// CHECK-NEXT:    linalg.yield %[[R]]
// CHECK:         %[[LOW:.*]] = arith.maximumf %{{.*}}, %cst{{.*}} : f32
// CHECK:         %[[HIGH:.*]] = arith.minimumf %[[LOW]], %cst{{.*}} : f32
// CHECK:         %[[T:.*]] = math.roundeven %[[HIGH]]
// CHECK:         %[[J:.*]] = arith.fptosi %[[T]] : f32 to i32
// CHECK:         %[[B:.*]] = arith.trunci %[[J]] : i32 to i8
// CHECK:         %[[S:.*]] = arith.addi %[[B]], %c-125_i8
// CHECK-NEXT:    linalg.yield %[[S]]
func.func @unsigned(%x: tensor<2xi16>, %y: tensor<2xf32>, %e: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>) {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<2xi16>) outs(%e : tensor<2xi8>) {
  ^bb0(%in: i16, %o: i8):
    %zero = arith.constant 3.0 : f32
    %low = arith.constant 0.0 : f32
    %high = arith.constant 255.0 : f32
    %moved = arith.constant 128.0 : f32
    %n = arith.sitofp %in : i16 to f32
    %t = math.roundeven %n : f32
    %u = arith.addf %t, %zero : f32
    %v = arith.maximumf %u, %low : f32
    %w = arith.minimumf %v, %high : f32
    %m = arith.subf %w, %moved : f32
    %r = arith.fptosi %m : f32 to i8
    linalg.yield %r : i8
  } -> tensor<2xi8>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%y : tensor<2xf32>) outs(%e : tensor<2xi8>) {
  ^bb0(%n: f32, %o: i8):
    %zero = arith.constant 3.0 : f32
    %low = arith.constant 0.0 : f32
    %high = arith.constant 255.0 : f32
    %moved = arith.constant 128.0 : f32
    %t = math.roundeven %n : f32
    %u = arith.addf %t, %zero : f32
    %v = arith.maximumf %u, %low : f32
    %w = arith.minimumf %v, %high : f32
    %m = arith.subf %w, %moved : f32
    %r = arith.fptosi %m : f32 to i8
    linalg.yield %r : i8
  } -> tensor<2xi8>
  return %0, %1 : tensor<2xi8>, tensor<2xi8>
}

// Small integers by larger factors fit as well.
// CHECK-LABEL: @small
// CHECK:         arith.maxsi
func.func @small(%x: tensor<2xi8>, %e: tensor<2xi8>) -> tensor<2xi8> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<2xi8>) outs(%e : tensor<2xi8>) {
  ^bb0(%in: i8, %o: i8):
    %factor = arith.constant 1.0e6 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %n = arith.sitofp %in : i8 to f32
    %y = arith.mulf %n, %factor : f32
    %t = math.roundeven %y : f32
    %w = arith.minnumf %t, %high : f32
    %v = arith.maxnumf %w, %low : f32
    %r = arith.fptosi %v : f32 to i8
    linalg.yield %r : i8
  } -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// A ReLU6, and a quotient, as of dequantized sums.
// CHECK-LABEL: @quotient
// CHECK:         arith.maxsi
func.func @quotient(%x: tensor<2xi32>, %e: tensor<2xi8>) -> tensor<2xi8> {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<2xi32>) outs(%e : tensor<2xi8>) {
  ^bb0(%in: i32, %o: i8):
    %factor = arith.constant 1.0e-3 : f32
    %scale = arith.constant -2.0e-2 : f32
    %least = arith.constant 0.0 : f32
    %most = arith.constant 6.0 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %n = arith.sitofp %in : i32 to f32
    %y = arith.mulf %n, %factor : f32
    %p = arith.maximumf %y, %least : f32
    %q = arith.minimumf %p, %most : f32
    %z = arith.divf %q, %scale : f32
    %t = math.roundeven %z : f32
    %u = arith.addf %t, %high : f32
    %v = arith.maximumf %u, %low : f32
    %w = arith.minimumf %v, %high : f32
    %r = arith.fptosi %w : f32 to i8
    linalg.yield %r : i8
  } -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// A factor of 1, or one that is not known: the bounds come before the rounding.
// CHECK-LABEL: @floats
// CHECK:       ^bb0(%[[SUM:.*]]: i32, %[[FACTOR:.*]]: f32, %{{.*}}: i8):
// CHECK:         %[[Y:.*]] = arith.mulf
// CHECK:         %[[V:.*]] = arith.maxnumf %[[Y]], %cst{{.*}}
// CHECK:         %[[W:.*]] = arith.minimumf %[[V]], %cst{{.*}}
// CHECK:         %[[T:.*]] = math.roundeven %[[W]]
// CHECK:         %[[I:.*]] = arith.fptosi %[[T]] : f32 to i32
// CHECK:         %[[U:.*]] = arith.trunci %[[I]] : i32 to i8
// CHECK:         %[[R:.*]] = arith.addi %[[U]], %c3_i8
// CHECK-NEXT:    linalg.yield %[[R]]
func.func @floats(%x: tensor<2xi32>, %e: tensor<2xi8>) -> tensor<2xi8> {
  %f = arith.constant dense<[0.5, 1.0]> : tensor<2xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %f : tensor<2xi32>, tensor<2xf32>) outs(%e : tensor<2xi8>) {
  ^bb0(%sum: i32, %factor: f32, %o: i8):
    %zero = arith.constant 3.0 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %n = arith.sitofp %sum : i32 to f32
    %y = arith.mulf %n, %factor : f32
    %t = math.roundeven %y : f32
    %u = arith.addf %t, %zero : f32
    %v = arith.maxnumf %u, %low : f32
    %w = arith.minimumf %v, %high : f32
    %r = arith.fptosi %w : f32 to i8
    linalg.yield %r : i8
  } -> tensor<2xi8>
  return %0 : tensor<2xi8>
}

// One bound alone, bounds and zero points that are no integers, or no numbers.
// CHECK-LABEL: @others
// CHECK-COUNT-4: math.roundeven
// CHECK-NOT:     arith.trunci
func.func @others(%x: tensor<2xf32>, %e: tensor<2xi8>) -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  %0:4 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<2xf32>) outs(%e, %e, %e, %e : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>) {
  ^bb0(%y: f32, %o0: i8, %o1: i8, %o2: i8, %o3: i8):
    %half = arith.constant 0.5 : f32
    %low = arith.constant -128.0 : f32
    %high = arith.constant 127.0 : f32
    %nan = arith.constant 0x7FC00000 : f32
    %far = arith.constant 1.0e10 : f32
    %t0 = math.roundeven %y : f32
    %v0 = arith.maximumf %t0, %low : f32
    %r0 = arith.fptosi %v0 : f32 to i8
    %y1 = arith.mulf %y, %half : f32
    %t1 = math.roundeven %y1 : f32
    %u1 = arith.addf %t1, %half : f32
    %v1 = arith.maximumf %u1, %low : f32
    %w1 = arith.minimumf %v1, %high : f32
    %r1 = arith.fptosi %w1 : f32 to i8
    %y2 = arith.addf %y, %half : f32
    %t2 = math.roundeven %y2 : f32
    %v2 = arith.maximumf %t2, %nan : f32
    %w2 = arith.minimumf %v2, %high : f32
    %r2 = arith.fptosi %w2 : f32 to i8
    %y3 = arith.subf %y, %half : f32
    %t3 = math.roundeven %y3 : f32
    %v3 = arith.maximumf %t3, %low : f32
    %w3 = arith.minimumf %v3, %far : f32
    %r3 = arith.fptosi %w3 : f32 to i8
    linalg.yield %r0, %r1, %r2, %r3 : i8, i8, i8, i8
  } -> (tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>)
  return %0#0, %0#1, %0#2, %0#3 : tensor<2xi8>, tensor<2xi8>, tensor<2xi8>, tensor<2xi8>
}
