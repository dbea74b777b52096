// RUN: bquant-opt %s --split-input-file --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-vectorize --canonicalize --cse | FileCheck %s

// A product with its epilogue and pack: sums stay in vectors, one a row; the
// input is a broadcast, the filter a vector, bits become a word.

#words = #bquant_packed.layout.words

#input = affine_map<(w, o, j, c) -> (w + j, c)>
#filter = affine_map<(w, o, j, c) -> (j, c, o)>
#result = affine_map<(w, o, j, c) -> (w, o)>
#id = affine_map<(w, o) -> (w, o)>
#channel = affine_map<(w, o) -> (o)>

// CHECK-LABEL: @tile
// CHECK: %[[Z:.*]] = arith.constant dense<0> : vector<32xi32>
// CHECK: %[[P:.*]]:2 = scf.for %[[J:.*]] = %c0 to %c3 {{.*}} iter_args(%{{.*}} = %[[Z]], %{{.*}} = %[[Z]])
// CHECK: scf.for %[[C:.*]] = %c0 to %c2 {{.*}} -> (vector<32xi32>, vector<32xi32>)
// CHECK: %[[A:.*]] = tensor.extract %{{.*}}[%[[J]], %[[C]]]
// CHECK: vector.broadcast %[[A]] : i32 to vector<32xi32>
// CHECK: vector.transfer_read %{{.*}}[%[[J]], %[[C]], %c0]
// CHECK-NOT: vector.transfer_read
// CHECK: math.ctpop %{{.*}} : vector<32xi32>
// CHECK: tensor.extract
// CHECK: math.ctpop %{{.*}} : vector<32xi32>
// CHECK: llvm.loop_annotation = #{{.*}}
// CHECK-NOT: transfer_write
// CHECK: arith.cmpi sge, %[[P]]#0, %{{.*}} : vector<32xi32>
// CHECK: arith.cmpi sge, %[[P]]#1, %{{.*}} : vector<32xi32>
// CHECK: vector.bitcast %{{.*}} : vector<32xi1> to vector<1xi32>
// CHECK: %[[V:.*]] = vector.from_elements %{{.*}}, %{{.*}} : vector<2x1xi32>
// CHECK-NEXT: vector.transfer_write %[[V]], %{{.*}}[%c0, %c0] {in_bounds = [true, true]} : vector<2x1xi32>, tensor<2x1xi32, #words>
// CHECK-NOT: tensor.insert
// CHECK-NOT: linalg
func.func @tile(%x: tensor<4x2xi32>, %w: tensor<3x2x32xi32>, %t: tensor<32xi32>, %o: tensor<2x1xi32, #words>) -> tensor<2x1xi32, #words> {
  %c0 = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<2x32xi32>) -> tensor<2x32xi32>
  %p = linalg.generic {indexing_maps = [#input, #filter, #result], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<4x2xi32>, tensor<3x2x32xi32>) outs(%z : tensor<2x32xi32>) {
  ^bb0(%a: i32, %b: i32, %s: i32):
    %0 = arith.xori %a, %b : i32
    %1 = math.ctpop %0 : i32
    %2 = arith.addi %s, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<2x32xi32>
  %eb = tensor.empty() : tensor<2x32xi1>
  %b = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %t : tensor<2x32xi32>, tensor<32xi32>) outs(%eb : tensor<2x32xi1>) {
  ^bb0(%a: i32, %u: i32, %s: i1):
    %0 = arith.cmpi sge, %a, %u : i32
    linalg.yield %0 : i1
  } -> tensor<2x32xi1>
  %r = bquant_packed.pack ins(%b : tensor<2x32xi1>) outs(%o : tensor<2x1xi32, #words>) -> tensor<2x1xi32, #words>
  return %r : tensor<2x1xi32, #words>
}

// -----

// Rows of 20 bits are vectors of 16 and 4; the word's other bits are 0.

#words = #bquant_packed.layout.words

// CHECK-LABEL: @tail
// CHECK: %[[X0:.*]] = vector.transfer_read %{{.*}}[%c0, %c0]{{.*}} vector<16xf32>
// CHECK: %[[B0:.*]] = arith.cmpf oge, %[[X0]], {{.*}} : vector<16xf32>
// CHECK: %[[X1:.*]] = vector.transfer_read %{{.*}}[%c0, %c16]{{.*}} vector<4xf32>
// CHECK: %[[B1:.*]] = arith.cmpf oge, %[[X1]], {{.*}} : vector<4xf32>
// CHECK: %[[V0:.*]] = vector.bitcast %[[B0]] : vector<16xi1> to vector<1xi16>
// CHECK: %[[I0:.*]] = vector.extract %[[V0]][0]
// CHECK: %[[W0:.*]] = arith.extui %[[I0]] : i16 to i32
// CHECK: %[[V1:.*]] = vector.bitcast %[[B1]] : vector<4xi1> to vector<1xi4>
// CHECK: %[[I1:.*]] = vector.extract %[[V1]][0]
// CHECK: %[[W1:.*]] = arith.extui %[[I1]] : i4 to i32
// CHECK: %[[S:.*]] = arith.shli %[[W1]], %c16_i32
// CHECK: %[[W:.*]] = arith.ori %[[W0]], %[[S]]
// CHECK: tensor.insert %[[W]]
#id = affine_map<(m, n) -> (m, n)>
func.func @tail(%x: tensor<1x20xf32>, %o: tensor<1x1xi32, #words>) -> tensor<1x1xi32, #words> {
  %c0 = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<1x20xi1>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x20xf32>) outs(%eb : tensor<1x20xi1>) {
  ^bb0(%a: f32, %s: i1):
    %0 = arith.cmpf oge, %a, %c0 : f32
    linalg.yield %0 : i1
  } -> tensor<1x20xi1>
  %r = bquant_packed.pack ins(%b : tensor<1x20xi1>) outs(%o : tensor<1x1xi32, #words>) -> tensor<1x1xi32, #words>
  return %r : tensor<1x1xi32, #words>
}

// -----

// Words to bits to floats.

#words = #bquant_packed.layout.words

// CHECK-LABEL: @unpack
// CHECK: tensor.extract
// CHECK: %[[B:.*]] = vector.bitcast %{{.*}} : vector<1xi32> to vector<32xi1>
// CHECK: %[[B0:.*]] = vector.extract_strided_slice %[[B]] {offsets = [0], sizes = [16]
// CHECK: %[[B1:.*]] = vector.extract_strided_slice %[[B]] {offsets = [16], sizes = [4]
// CHECK: arith.select %[[B0]], {{.*}} : vector<16xi1>, vector<16xf32>
// CHECK: arith.select %[[B1]], {{.*}} : vector<4xi1>, vector<4xf32>
// CHECK: vector.transfer_write %{{.*}}[%c0, %c0] {{.*}} : vector<16xf32>
// CHECK: vector.transfer_write %{{.*}}[%c0, %c16] {{.*}} : vector<4xf32>
#id = affine_map<(m, n) -> (m, n)>
func.func @unpack(%w: tensor<1x1xi32, #words>, %o: tensor<1x20xf32>) -> tensor<1x20xf32> {
  %c1 = arith.constant 1.0 : f32
  %c2 = arith.constant -1.0 : f32
  %eb = tensor.empty() : tensor<1x20xi1>
  %b = bquant_packed.unpack ins(%w : tensor<1x1xi32, #words>) outs(%eb : tensor<1x20xi1>) -> tensor<1x20xi1>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%b : tensor<1x20xi1>) outs(%o : tensor<1x20xf32>) {
  ^bb0(%a: i1, %s: f32):
    %0 = arith.select %a, %c1, %c2 : f32
    linalg.yield %0 : f32
  } -> tensor<1x20xf32>
  return %r : tensor<1x20xf32>
}

// -----

// Bits are never stored as a vector: a byte holds one in memory.

// CHECK-LABEL: @bits
// CHECK: arith.cmpf {{.*}} : vector<2xf32>
// CHECK-NOT: vector.transfer_write
// CHECK: tensor.insert %{{.*}} : tensor<1x2xi1>
// CHECK: tensor.insert %{{.*}} : tensor<1x2xi1>
#id = affine_map<(m, n) -> (m, n)>
func.func @bits(%x: tensor<1x2xf32>, %o: tensor<1x2xi1>) -> tensor<1x2xi1> {
  %c0 = arith.constant 0.0 : f32
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x2xf32>) outs(%o : tensor<1x2xi1>) {
  ^bb0(%a: f32, %s: i1):
    %0 = arith.cmpf oge, %a, %c0 : f32
    linalg.yield %0 : i1
  } -> tensor<1x2xi1>
  return %b : tensor<1x2xi1>
}

// -----

// No unit stride along the last dimension: element by element.

// CHECK-LABEL: @strided
// CHECK-COUNT-4: tensor.extract
// CHECK: %[[V:.*]] = vector.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : vector<2x2xf32>
// CHECK-NEXT: vector.transfer_write %[[V]], %{{.*}} : vector<2x2xf32>, tensor<2x2xf32>
// CHECK-NOT: linalg
#id = affine_map<(m, n) -> (m, n)>
#tr = affine_map<(m, n) -> (n, m)>
func.func @strided(%x: tensor<2x2xf32>, %o: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %b = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<2x2xf32>) outs(%o : tensor<2x2xf32>) {
  ^bb0(%a: f32, %s: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<2x2xf32>
  return %b : tensor<2x2xf32>
}

// -----

// A transposition is left to --bquant-lower-transpositions, also a small one.

// CHECK-LABEL: @transposed
// CHECK-NOT: tensor.insert
// CHECK: linalg.generic
// CHECK-NOT: tensor.insert
#id = affine_map<(m, n) -> (m, n)>
#tr = affine_map<(m, n) -> (n, m)>
func.func @transposed(%x: tensor<8x3xf32>, %o: tensor<3x8xf32>) -> tensor<3x8xf32> {
  %b = linalg.generic {indexing_maps = [#tr, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x3xf32>) outs(%o : tensor<3x8xf32>) {
  ^bb0(%a: f32, %s: f32):
    linalg.yield %a : f32
  } -> tensor<3x8xf32>
  return %b : tensor<3x8xf32>
}

// -----

// An index along the lanes.

// CHECK-LABEL: @index
// CHECK: vector.step : vector<4xindex>
#id = affine_map<(m, n) -> (m, n)>
func.func @index(%o: tensor<1x4xi32>) -> tensor<1x4xi32> {
  %b = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]}
      outs(%o : tensor<1x4xi32>) {
  ^bb0(%s: i32):
    %i = linalg.index 1 : index
    %0 = arith.index_cast %i : index to i32
    linalg.yield %0 : i32
  } -> tensor<1x4xi32>
  return %b : tensor<1x4xi32>
}

// -----

// Unpacked bits are not read from memory: a word is, and each is 32 lanes. The
// 8 bits of the last word that count are the first ones.

#words = #bquant_packed.layout.words

// CHECK-LABEL: @bits
// CHECK: scf.for
// CHECK: %[[W0:.*]] = tensor.extract %{{.*}}[%{{.*}}, %c0] : tensor<3x2xi32, #words>
// CHECK: %[[V0:.*]] = vector.broadcast %[[W0]] : i32 to vector<1xi32>
// CHECK: %[[B0:.*]] = vector.bitcast %[[V0]] : vector<1xi32> to vector<32xi1>
// CHECK: %[[S0:.*]] = arith.select %[[B0]], %{{.*}}, %{{.*}} : vector<32xi1>, vector<32xf32>
// CHECK: math.fma %{{.*}}, %[[S0]], %{{.*}} : vector<32xf32>
// CHECK: %[[W1:.*]] = tensor.extract %{{.*}}[%{{.*}}, %c1] : tensor<3x2xi32, #words>
// CHECK: %[[V1:.*]] = vector.broadcast %[[W1]] : i32 to vector<1xi32>
// CHECK: %[[BITS:.*]] = vector.bitcast %[[V1]] : vector<1xi32> to vector<32xi1>
// CHECK: %[[B1:.*]] = vector.extract_strided_slice %[[BITS]] {offsets = [0], sizes = [8]
// CHECK: %[[S1:.*]] = arith.select %[[B1]], %{{.*}}, %{{.*}} : vector<8xi1>, vector<8xf32>
// CHECK: math.fma %{{.*}}, %[[S1]], %{{.*}} : vector<8xf32>
// CHECK-NOT: unpack
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>
func.func @bits(%x: tensor<1x3xf32>, %words: tensor<3x2xi32, #words>, %z: tensor<1x40xf32>) -> tensor<1x40xf32> {
  %e = tensor.empty() : tensor<3x40xi1>
  %b = bquant_packed.unpack ins(%words : tensor<3x2xi32, #words>) outs(%e : tensor<3x40xi1>) -> tensor<3x40xi1>
  %p = arith.constant 1.0 : f32
  %m = arith.constant -1.0 : f32
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %b : tensor<1x3xf32>, tensor<3x40xi1>) outs(%z : tensor<1x40xf32>) {
  ^bb0(%a: f32, %bit: i1, %s: f32):
    %0 = arith.select %bit, %p, %m : f32
    %1 = math.fma %a, %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<1x40xf32>
  return %y : tensor<1x40xf32>
}

// -----

// One channel: the bit of each step by itself.

#words = #bquant_packed.layout.words

// CHECK-LABEL: @one_bit
// CHECK: %[[W:.*]] = tensor.extract %{{.*}} : tensor<3x1xi32, #words>
// CHECK: %[[B:.*]] = arith.trunci %[[W]] : i32 to i1
// CHECK: arith.select %[[B]]
// CHECK-NOT: unpack
#x = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>
func.func @one_bit(%x: tensor<2x3xf32>, %words: tensor<3x1xi32, #words>, %z: tensor<2x1xf32>) -> tensor<2x1xf32> {
  %e = tensor.empty() : tensor<3x1xi1>
  %b = bquant_packed.unpack ins(%words : tensor<3x1xi32, #words>) outs(%e : tensor<3x1xi1>) -> tensor<3x1xi1>
  %p = arith.constant 1.0 : f32
  %m = arith.constant -1.0 : f32
  %y = linalg.generic {indexing_maps = [#x, #w, #y], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %b : tensor<2x3xf32>, tensor<3x1xi1>) outs(%z : tensor<2x1xf32>) {
  ^bb0(%a: f32, %bit: i1, %s: f32):
    %0 = arith.select %bit, %p, %m : f32
    %1 = math.fma %a, %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<2x1xf32>
  return %y : tensor<2x1xf32>
}

// -----

// Octets of 21 channels: two bytes of whole ones, and one whose last three bits are 0.

#octets = #bquant_packed.layout.octets

// CHECK-LABEL: @octets
// CHECK: %[[A:.*]] = arith.cmpf oge, {{.*}} : vector<16xf32>
// CHECK: vector.bitcast %[[A]] : vector<16xi1> to vector<2xi8>
// CHECK: vector.bitcast %{{.*}} : vector<8xi1> to vector<1xi8>
#id = affine_map<(m, n) -> (m, n)>
func.func @octets(%x: tensor<1x21xf32>, %o: tensor<1x3xi8, #octets>) -> tensor<1x3xi8, #octets> {
  %c0 = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<1x21xi1>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x21xf32>) outs(%eb : tensor<1x21xi1>) {
  ^bb0(%a: f32, %s: i1):
    %0 = arith.cmpf oge, %a, %c0 : f32
    linalg.yield %0 : i1
  } -> tensor<1x21xi1>
  %r = bquant_packed.pack ins(%b : tensor<1x21xi1>) outs(%o : tensor<1x3xi8, #octets>) -> tensor<1x3xi8, #octets>
  return %r : tensor<1x3xi8, #octets>
}

// -----

// Nibbles of 38 channels: a bit is 4, 8, 16 or 32 of its byte, and the last byte
// has two. In pieces of 8 bytes and 2; no word is on the way.

#nibbles = #bquant_packed.layout.nibbles

// CHECK-LABEL: @nibbles
// CHECK-DAG: %[[P8:.*]] = arith.constant dense<[4, 8, 16, 32, 4, {{.*}}, 32]> : vector<32xi8>
// CHECK-DAG: %[[P2:.*]] = arith.constant dense<[4, 8, 16, 32, 4, 8, 16, 32]> : vector<8xi8>
// CHECK-DAG: %[[C0:.*]] = arith.cmpf oge, {{.*}} : vector<32xf32>
// CHECK-DAG: %[[C1:.*]] = arith.cmpf oge, {{.*}} : vector<4xf32>
// CHECK-DAG: %[[C2:.*]] = arith.cmpf oge, {{.*}} : vector<2xf32>
// CHECK-NOT: vector<1xi32>
// CHECK: %[[E:.*]] = arith.extsi %[[C0]] : vector<32xi1> to vector<32xi8>
// CHECK: %[[M:.*]] = arith.andi %[[E]], %[[P8]]
// CHECK: %[[F:.*]] = vector.bitcast %[[M]] : vector<32xi8> to vector<8xi32>
// CHECK: %[[S:.*]] = arith.shrui %[[F]], %{{.*}} : vector<8xi32>
// CHECK: %[[G:.*]] = arith.ori %[[F]], %[[S]]
// CHECK: %[[T:.*]] = arith.shrui %[[G]], %{{.*}} : vector<8xi32>
// CHECK: %[[H:.*]] = arith.ori %[[G]], %[[T]]
// CHECK: %[[N0:.*]] = arith.trunci %[[H]] : vector<8xi32> to vector<8xi8>
// CHECK: %[[J:.*]] = vector.insert_strided_slice %[[C1]], %{{.*}} {offsets = [0]
// CHECK: vector.insert_strided_slice %[[C2]], %[[J]] {offsets = [4]
// CHECK: arith.andi %{{.*}}, %[[P2]]
// CHECK: %[[N1:.*]] = arith.trunci %{{.*}} : vector<2xi32> to vector<2xi8>
// CHECK: vector.transfer_write %[[N0]], %{{.*}}[%c0, %c0]
// CHECK: vector.transfer_write %[[N1]], %{{.*}}[%c0, %c8]
#id = affine_map<(m, n) -> (m, n)>
func.func @nibbles(%x: tensor<1x38xf32>, %o: tensor<1x10xi8, #nibbles>) -> tensor<1x10xi8, #nibbles> {
  %c0 = arith.constant 0.0 : f32
  %eb = tensor.empty() : tensor<1x38xi1>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x38xf32>) outs(%eb : tensor<1x38xi1>) {
  ^bb0(%a: f32, %s: i1):
    %0 = arith.cmpf oge, %a, %c0 : f32
    linalg.yield %0 : i1
  } -> tensor<1x38xi1>
  %r = bquant_packed.pack ins(%b : tensor<1x38xi1>) outs(%o : tensor<1x10xi8, #nibbles>) -> tensor<1x10xi8, #nibbles>
  return %r : tensor<1x10xi8, #nibbles>
}

// -----

// What no op starts from is there for memory, and stays a loop.
// CHECK-LABEL: func @filled_alone
// CHECK: %[[FILL:.*]] = linalg.fill
// CHECK: tensor.insert_slice %{{.*}} into %[[FILL]]
func.func @filled_alone(%x: tensor<1x10x3xf32>, %o: tensor<1x12x3xf32>) -> tensor<1x12x3xf32> {
  %lowest = arith.constant 0xFF800000 : f32
  %f = linalg.fill ins(%lowest : f32) outs(%o : tensor<1x12x3xf32>) -> tensor<1x12x3xf32>
  %0 = tensor.insert_slice %x into %f[0, 1, 0] [1, 10, 3] [1, 1, 1] : tensor<1x10x3xf32> into tensor<1x12x3xf32>
  return %0 : tensor<1x12x3xf32>
}

// -----

// Of complex numbers, and of tensors with a layout of their own, there are no
// vectors.
// CHECK-LABEL: func @no_vectors
// CHECK-COUNT-2: linalg.generic
#row = affine_map<(i) -> (i)>
func.func @no_vectors(%x: tensor<8xcomplex<f32>>, %y: tensor<8xf32, "sorted">)
    -> (tensor<8xf32>, tensor<8xf32, "sorted">) {
  %e = tensor.empty() : tensor<8xf32>
  %a = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]}
      ins(%x : tensor<8xcomplex<f32>>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: complex<f32>, %out: f32):
    %re = complex.re %in : complex<f32>
    linalg.yield %re : f32
  } -> tensor<8xf32>
  %b = linalg.generic {indexing_maps = [#row], iterator_types = ["parallel"]}
      outs(%y : tensor<8xf32, "sorted">) {
  ^bb0(%out: f32):
    %0 = arith.addf %out, %out : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32, "sorted">
  return %a, %b : tensor<8xf32>, tensor<8xf32, "sorted">
}

// -----

// A reduction whose size is known only at run time stays a loop over scalars.
// CHECK-LABEL: func @reduction_of_unknown_size
// CHECK: linalg.generic
// CHECK-NOT: vector
// CHECK: return
#row = affine_map<(m, k) -> (m)>
#column = affine_map<(m, k) -> (k, m)>
func.func @reduction_of_unknown_size(%x: tensor<?x8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %y = linalg.generic {indexing_maps = [#column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<?x8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.addf %out, %in : f32
    linalg.yield %0 : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// A reduction that does not read its output gives the last element; its loop starts
// from the output.
// CHECK-LABEL: func @last
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[O:[a-z0-9]+]]: tensor<8xf32>
// CHECK: %[[START:.*]] = vector.transfer_read %[[O]][%c0]
// CHECK: %[[R:.*]] = scf.for %[[K:.*]] = %c0 to %c4 {{.*}} iter_args(%{{.*}} = %[[START]])
// CHECK: %[[V:.*]] = vector.transfer_read %[[X]][%[[K]], %c0]
// CHECK: scf.yield %[[V]] : vector<8xf32>
// CHECK: vector.transfer_write %[[R]], %[[O]][%c0]
#row = affine_map<(m, k) -> (m)>
#column = affine_map<(m, k) -> (k, m)>
func.func @last(%x: tensor<4x8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> {
  %y = linalg.generic {indexing_maps = [#column, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%o : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}
