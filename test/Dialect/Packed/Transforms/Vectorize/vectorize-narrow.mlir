// Counts that fit 16 or 8 bits, and what follows them.
//
// RUN: bquant-opt %s --bquant-vectorize --canonicalize | FileCheck %s

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 32, lanes = 32, parts = 2>
#blocks1 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.bytes, block = 32, lanes = 32>
#nibbles = #bquant_packed.layout.nibbles
#words = #bquant_packed.layout.words

#id = affine_map<(d0, d1) -> (d0, d1)>
#channel = affine_map<(d0, d1) -> (d1)>
#mk = affine_map<(m, n, k) -> (m, k)>
#b32 = affine_map<(m, n, k) -> (n floordiv 32, k)>

// Of 40 steps the count is at most 160, and the dot, too, to either side. A threshold is brought near to that, and of the dot becomes one of the count: 160 - 2 c
// is more than l - 1 where c is less than half of 161 - l, rounded up.

// CHECK-LABEL: @thresholds
// CHECK-SAME: %[[T:[^ ]*]]: tensor<32xi32>
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<-161> : vector<32xi32>
// CHECK-DAG: %[[MOST:.*]] = arith.constant dense<161> : vector<32xi32>
// CHECK-DAG: %[[K:.*]] = arith.constant dense<162> : vector<32xi32>
// CHECK-DAG: %[[HALF:.*]] = arith.constant dense<1> : vector<32xi32>
// CHECK: %[[COUNT:.*]] = vector.insert_strided_slice {{.*}} {offsets = [16]{{.*}} into vector<32xi16>
// CHECK: %[[TS:.*]] = vector.transfer_read %[[T]]
// CHECK: %[[A:.*]] = arith.maxsi %[[TS]], %[[LEAST]]
// CHECK: %[[B:.*]] = arith.minsi %[[A]], %[[MOST]]
// CHECK: %[[C:.*]] = arith.subi %[[K]], %[[B]]
// CHECK: %[[D:.*]] = arith.shrsi %[[C]], %[[HALF]]
// CHECK: %[[LIMIT:.*]] = arith.trunci %[[D]] : vector<32xi32> to vector<32xi16>
// CHECK: arith.cmpi slt, %[[COUNT]], %[[LIMIT]] : vector<32xi16>
func.func @thresholds(%x: tensor<1x40xi8, #nibbles>, %w: tensor<1x40x32xi8, #blocks>, %t: tensor<32xi32>, %o: tensor<1x1xi32, #words>) -> tensor<1x1xi32, #words> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c160 = arith.constant 160 : i32
  %e = tensor.empty() : tensor<1x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x32xi32>) -> tensor<1x32xi32>
  %p = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 32, bits = 256>)
      ins(%x : tensor<1x40xi8, #nibbles>) filters(%w : tensor<1x40x32xi8, #blocks>) outs(%z : tensor<1x32xi32>)
      maps = [#mk, #b32] -> tensor<1x32xi32>
  %i = tensor.empty() : tensor<1x32xi1>
  %b = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %t : tensor<1x32xi32>, tensor<32xi32>) outs(%i : tensor<1x32xi1>) {
  ^bb0(%c: i32, %l: i32, %out: i1):
    %twice = arith.shli %c, %c1 : i32
    %d = arith.subi %c160, %twice : i32
    %q = arith.cmpi sle, %l, %d : i32
    linalg.yield %q : i1
  } -> tensor<1x32xi1>
  %y = bquant_packed.pack ins(%b : tensor<1x32xi1>) outs(%o : tensor<1x1xi32, #words>) -> tensor<1x1xi32, #words>
  return %y : tensor<1x1xi32, #words>
}

// What does not fit is computed in 32 bits, and so is what follows it.

// CHECK-LABEL: @too_large
// CHECK: arith.shli %{{.*}} : vector<32xi16>
// CHECK: %[[D:.*]] = arith.extsi %{{.*}} : vector<32xi16> to vector<32xi32>
// CHECK: %[[SUM:.*]] = arith.addi %[[D]], %{{.*}} : vector<32xi32>
// CHECK: arith.subi %[[SUM]], %{{.*}} : vector<32xi32>
func.func @too_large(%x: tensor<1x40xi8, #nibbles>, %w: tensor<1x40x32xi8, #blocks>, %o: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32500 = arith.constant 32500 : i32
  %e = tensor.empty() : tensor<1x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x32xi32>) -> tensor<1x32xi32>
  %p = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 32, bits = 256>)
      ins(%x : tensor<1x40xi8, #nibbles>) filters(%w : tensor<1x40x32xi8, #blocks>) outs(%z : tensor<1x32xi32>)
      maps = [#mk, #b32] -> tensor<1x32xi32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1x32xi32>) outs(%o : tensor<1x32xi32>) {
  ^bb0(%c: i32, %out: i32):
    %twice = arith.shli %c, %c1 : i32
    %sum = arith.addi %twice, %c32500 : i32
    %d = arith.subi %sum, %c1 : i32
    linalg.yield %d : i32
  } -> tensor<1x32xi32>
  return %y : tensor<1x32xi32>
}

// 8192 steps count up to 32768.

// CHECK-LABEL: @wide
// CHECK: arith.extui %{{.*}} : vector<32xi16> to vector<32xi32>
func.func @wide(%x: tensor<1x8192xi8, #nibbles>, %w: tensor<1x8192x32xi8, #blocks>, %z: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %p = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 32, bits = 256>)
      ins(%x : tensor<1x8192xi8, #nibbles>) filters(%w : tensor<1x8192x32xi8, #blocks>) outs(%z : tensor<1x32xi32>)
      maps = [#mk, #b32] -> tensor<1x32xi32>
  return %p : tensor<1x32xi32>
}

// Each predicate, with the count on either side.

// CHECK-LABEL: @predicates
// CHECK-DAG: %[[UP:.*]] = arith.constant dense<8> : vector<32xi16>
// CHECK-DAG: %[[SAME:.*]] = arith.constant dense<7> : vector<32xi16>
// CHECK-DAG: %[[DOWN:.*]] = arith.constant dense<6> : vector<32xi16>
// CHECK-DAG: %[[FAR:.*]] = arith.constant dense<161> : vector<32xi16>
// CHECK: arith.cmpi slt, %[[C:.*]], %[[SAME]] : vector<32xi16>
// CHECK: arith.cmpi slt, %[[C]], %[[UP]]
// CHECK: arith.cmpi sgt, %[[C]], %[[SAME]]
// CHECK: arith.cmpi sgt, %[[C]], %[[DOWN]]
// CHECK: arith.cmpi sgt, %[[C]], %[[SAME]]
// CHECK: arith.cmpi sgt, %[[C]], %[[DOWN]]
// CHECK: arith.cmpi slt, %[[C]], %[[SAME]]
// CHECK: arith.cmpi slt, %[[C]], %[[UP]]
// CHECK: arith.cmpi slt, %[[C]], %[[FAR]]
// CHECK: arith.cmpi eq, %{{.*}} : vector<32xi32>
func.func @predicates(%x: tensor<1x40xi8, #nibbles>, %w: tensor<1x40x32xi8, #blocks>, %o: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %far = arith.constant 100000 : i32
  %e = tensor.empty() : tensor<1x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x32xi32>) -> tensor<1x32xi32>
  %p = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 32, bits = 256>)
      ins(%x : tensor<1x40xi8, #nibbles>) filters(%w : tensor<1x40x32xi8, #blocks>) outs(%z : tensor<1x32xi32>)
      maps = [#mk, #b32] -> tensor<1x32xi32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1x32xi32>) outs(%o : tensor<1x32xi32>) {
  ^bb0(%c: i32, %out: i32):
    %0 = arith.cmpi slt, %c, %c7 : i32
    %1 = arith.cmpi sle, %c, %c7 : i32
    %2 = arith.cmpi sgt, %c, %c7 : i32
    %3 = arith.cmpi sge, %c, %c7 : i32
    %4 = arith.cmpi slt, %c7, %c : i32
    %5 = arith.cmpi sle, %c7, %c : i32
    %6 = arith.cmpi sgt, %c7, %c : i32
    %7 = arith.cmpi sge, %c7, %c : i32
    %8 = arith.cmpi slt, %c, %far : i32
    %9 = arith.cmpi eq, %c, %c7 : i32
    %s1 = arith.select %0, %c7, %far : i32
    %s2 = arith.select %1, %s1, %c0 : i32
    %s3 = arith.select %2, %s2, %far : i32
    %s4 = arith.select %3, %s3, %c0 : i32
    %s5 = arith.select %4, %s4, %far : i32
    %s6 = arith.select %5, %s5, %c0 : i32
    %s7 = arith.select %6, %s6, %far : i32
    %s8 = arith.select %7, %s7, %c0 : i32
    %s9 = arith.select %8, %s8, %far : i32
    %s10 = arith.select %9, %s9, %c0 : i32
    linalg.yield %s10 : i32
  } -> tensor<1x32xi32>
  return %y : tensor<1x32xi32>
}

// Bytes have counts of 9 taps and their dots.

// CHECK-LABEL: @bytes
// CHECK-DAG: %[[LEAST:.*]] = arith.constant dense<-10> : vector<32xi32>
// CHECK-DAG: %[[MOST:.*]] = arith.constant dense<10> : vector<32xi32>
// CHECK: scf.for {{.*}} -> (vector<32xi8>)
// CHECK: %[[A:.*]] = arith.maxsi %{{.*}}, %[[LEAST]]
// CHECK: arith.minsi %[[A]], %[[MOST]]
// CHECK: %[[LIMIT:.*]] = arith.trunci %{{.*}} : vector<32xi32> to vector<32xi8>
// CHECK: arith.cmpi sgt, %{{.*}}, %[[LIMIT]] : vector<32xi8>
func.func @bytes(%x: tensor<9x1x32xi8>, %w: tensor<1x9x32xi8, #blocks1>, %t: tensor<32xi32>, %o: tensor<1x1xi32, #words>) -> tensor<1x1xi32, #words> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c9 = arith.constant 9 : i32
  %e = tensor.empty() : tensor<1x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x32xi32>) -> tensor<1x32xi32>
  %p = bquant_packed.product kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 256>)
      ins(%x : tensor<9x1x32xi8>) filters(%w : tensor<1x9x32xi8, #blocks1>) outs(%z : tensor<1x32xi32>)
      maps = [affine_map<(m, n, i) -> (m + i, n floordiv 32)>, affine_map<(m, n, i) -> (n floordiv 32, i)>] -> tensor<1x32xi32>
  %i = tensor.empty() : tensor<1x32xi1>
  %b = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %t : tensor<1x32xi32>, tensor<32xi32>) outs(%i : tensor<1x32xi1>) {
  ^bb0(%c: i32, %l: i32, %out: i1):
    %twice = arith.shli %c, %c1 : i32
    %d = arith.subi %c9, %twice : i32
    %q = arith.cmpi slt, %d, %l : i32
    linalg.yield %q : i1
  } -> tensor<1x32xi1>
  %y = bquant_packed.pack ins(%b : tensor<1x32xi1>) outs(%o : tensor<1x1xi32, #words>) -> tensor<1x1xi32, #words>
  return %y : tensor<1x1xi32, #words>
}

// Dots of 100 taps lie between -100 and 100, though twice a count does not fit 8 bits;
// what outgrows these goes on in 16.

// CHECK-LABEL: @outgrown
// CHECK-DAG: %[[K:.*]] = arith.constant dense<100> : vector<32xi8>
// CHECK: %[[TWICE:.*]] = arith.shli %[[C:.*]], %{{.*}} : vector<32xi8>
// CHECK: %[[DOT:.*]] = arith.subi %[[K]], %[[TWICE]] : vector<32xi8>
// CHECK: %[[FIRST:.*]] = arith.extsi %[[DOT]] : vector<32xi8> to vector<32xi32>
// CHECK: %[[WIDE:.*]] = arith.extsi %[[C]] : vector<32xi8> to vector<32xi16>
// CHECK: arith.shli %[[WIDE]]
// CHECK: %[[SUM:.*]] = arith.subi %{{.*}} : vector<32xi16>
// CHECK: %[[SECOND:.*]] = arith.extsi %[[SUM]] : vector<32xi16> to vector<32xi32>
// CHECK: arith.muli %[[FIRST]], %[[SECOND]]
func.func @outgrown(%x: tensor<100x1x32xi8>, %w: tensor<1x100x32xi8, #blocks1>, %o: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c99 = arith.constant 99 : i32
  %c100 = arith.constant 100 : i32
  %e = tensor.empty() : tensor<1x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x32xi32>) -> tensor<1x32xi32>
  %p = bquant_packed.product kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 256>)
      ins(%x : tensor<100x1x32xi8>) filters(%w : tensor<1x100x32xi8, #blocks1>) outs(%z : tensor<1x32xi32>)
      maps = [affine_map<(m, n, i) -> (m + i, n floordiv 32)>, affine_map<(m, n, i) -> (n floordiv 32, i)>] -> tensor<1x32xi32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1x32xi32>) outs(%o : tensor<1x32xi32>) {
  ^bb0(%c: i32, %out: i32):
    %twice = arith.shli %c, %c1 : i32
    %d = arith.subi %c100, %twice : i32
    %sum = arith.addi %d, %c99 : i32
    %r = arith.muli %d, %sum : i32
    linalg.yield %r : i32
  } -> tensor<1x32xi32>
  return %y : tensor<1x32xi32>
}
