// A tile of a product by each kernel.
// RUN: bquant-opt %s --bquant-vectorize --canonicalize --cse | FileCheck %s

#blocks = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 32, lanes = 16>
#blocks1 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 16, lanes = 16>
#blocks2 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 16, lanes = 16, parts = 2>
#blocks3 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 32, parts = 2>
#blocks4 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.nibbles<firstBit = 0>, block = 64, lanes = 64, parts = 2>
#blocks5 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.bytes, block = 32, lanes = 16>
#blocks6 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.octets, block = 32, lanes = 32>
#blocks7 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.words, block = 1, lanes = 1>
#blocks8 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 32, lanes = 8>
#blocks9 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 16, lanes = 16>
#blocks10 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats, block = 4, lanes = 4>
#blocks11 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.floats<pairs = true>, block = 16, lanes = 16>
#blocks12 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words<codes = 3>, block = 32, lanes = 32, parts = 2, together = 4>
#blocks13 = #bquant_packed.layout.blocks<rows = #bquant_packed.layout.code_words<group = 2, interleaved = true>, block = 8, lanes = 4>
#codes = #bquant_packed.layout.codes
#nibbles = #bquant_packed.layout.nibbles
#octets = #bquant_packed.layout.octets
#words = #bquant_packed.layout.words
#mk = affine_map<(m, n, k) -> (m, k)>
#b16 = affine_map<(m, n, k) -> (n floordiv 16, k)>
#b64 = affine_map<(m, n, k) -> (n floordiv 64, k)>
#id = affine_map<(m, n) -> (m, n)>

// Two registers of 16 channels, though the last 8 are none of the tile's; a word
// of a row is broadcast once, a register of the filter read once. What follows
// takes the sums from the registers.

// CHECK-LABEL: @popcount
// CHECK-SAME: %[[X:.*]]: tensor<2x5xi32, #words>, %[[W:.*]]: tensor<1x5x32xi32, #{{[a-z0-9_]+}}>
// CHECK: %[[S:.*]]:4 = scf.for %[[K:.*]] = %c0 to %c5 step %c1 iter_args(%[[S0:[a-z0-9]+]] = {{.*}} -> (vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>) {
// CHECK-NEXT: %[[W0:.*]] = vector.transfer_read %[[W]][%c0, %[[K]], %c0]
// CHECK-NEXT: %[[W1:.*]] = vector.transfer_read %[[W]][%c0, %[[K]], %c16]
// CHECK-NEXT: %[[A:.*]] = tensor.extract %[[X]][%c0, %[[K]]]
// CHECK-NEXT: %[[V:.*]] = vector.broadcast %[[A]] : i32 to vector<16xi32>
// CHECK-NEXT: %[[D:.*]] = arith.xori %[[V]], %[[W0]]
// CHECK-NEXT: %[[C:.*]] = math.ctpop %[[D]] : vector<16xi32>
// CHECK-NEXT: arith.addi %[[S0]], %[[C]]
// CHECK-NEXT: arith.xori %[[V]], %[[W1]]
// CHECK: tensor.extract %[[X]][%c1, %[[K]]]
// CHECK-NOT: transfer_read
// CHECK: scf.yield
// CHECK-NEXT: } {llvm.loop_annotation
// CHECK: vector.extract_strided_slice %[[S]]#1 {offsets = [0], sizes = [8]
// CHECK: vector.extract_strided_slice %[[S]]#3 {offsets = [0], sizes = [8]
// CHECK: arith.muli %[[S]]#0, %{{.*}} : vector<16xi32>
// CHECK: arith.muli %{{.*}} : vector<8xi32>
// CHECK: arith.muli %[[S]]#2, %{{.*}} : vector<16xi32>
// CHECK: arith.muli %{{.*}} : vector<8xi32>
// CHECK-COUNT-4: vector.transfer_write
// CHECK-NOT: bquant
func.func @popcount(%x: tensor<2x5xi32, #words>, %w: tensor<1x5x32xi32, #blocks>, %o: tensor<2x24xi32>) -> tensor<2x24xi32> {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %z = linalg.fill ins(%c0 : i32) outs(%o : tensor<2x24xi32>) -> tensor<2x24xi32>
  %p = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 32, bits = 512>)
      ins(%x : tensor<2x5xi32, #words>) filters(%w : tensor<1x5x32xi32, #blocks>) outs(%z : tensor<2x24xi32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<2x24xi32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<2x24xi32>) outs(%o : tensor<2x24xi32>) {
  ^bb0(%a: i32, %s: i32):
    %0 = arith.muli %a, %c2 : i32
    linalg.yield %0 : i32
  } -> tensor<2x24xi32>
  return %y : tensor<2x24xi32>
}

// Under the masks of both sides, which are counted beside; what the results start
// with is added behind the loop.

// CHECK-LABEL: @ternary
// CHECK-SAME: %[[M:.*]]: tensor<1x5xi32, #words>, %[[S:.*]]: tensor<1x5xi32, #words>, %{{.*}}: tensor<1x5x16xi32, #{{[a-z0-9_]+}}>, %[[O:.*]]: tensor<1x16xi32>
// CHECK: %[[R:.*]]:2 = scf.for
// CHECK-DAG: %[[SA:.*]] = tensor.extract %[[S]]
// CHECK-DAG: %[[MA:.*]] = tensor.extract %[[M]]
// CHECK-DAG: %[[SV:.*]] = vector.broadcast %[[SA]]
// CHECK-DAG: %[[MV:.*]] = vector.broadcast %[[MA]]
// CHECK: %[[D:.*]] = arith.xori %[[SV]], %[[W:.*]] : vector<16xi32>
// CHECK: %[[MASK:.*]] = arith.andi %[[MV]], %[[W]]
// CHECK: %[[UNDER:.*]] = arith.andi %[[D]], %[[MASK]]
// CHECK: math.ctpop %[[UNDER]]
// CHECK: math.ctpop %[[MASK]]
// CHECK: scf.yield
// CHECK: %[[START:.*]] = vector.transfer_read %[[O]]
// CHECK: arith.addi %[[R]]#0, %[[START]]
// CHECK: arith.addi %[[R]]#1, %[[START]]
func.func @ternary(%m: tensor<1x5xi32, #words>, %s: tensor<1x5xi32, #words>, %w: tensor<1x5x16xi32, #blocks1>, %o: tensor<1x16xi32>) -> (tensor<1x16xi32>, tensor<1x16xi32>) {
  %p:2 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 7, channels = 16, bits = 512>)
      ins(%s, %m : tensor<1x5xi32, #words>, tensor<1x5xi32, #words>) filters(%w, %w : tensor<1x5x16xi32, #blocks1>, tensor<1x5x16xi32, #blocks1>) outs(%o, %o : tensor<1x16xi32>, tensor<1x16xi32>)
      maps = [#mk, #mk, #b16, #b16] masked_inputs masked_filters -> tensor<1x16xi32>, tensor<1x16xi32>
  return %p#0, %p#1 : tensor<1x16xi32>, tensor<1x16xi32>
}

// 63 counts of up to 4 fit a byte: 126 steps are two times 63, each flushed into
// even and odd sums of 16 bits. The input's element is 4 n, its table lies at 16 n.

// CHECK-LABEL: @table_128
// CHECK: %[[T:.*]] = arith.constant dense<"0x0001010201020203010202030203030401000201020103020{{.*}}> : tensor<256xi8>
// CHECK: %[[S:.*]]:2 = scf.for %[[K0:.*]] = %c0 to %c126 step %c63 {{.*}} -> (vector<8xi16>, vector<8xi16>)
// CHECK-NEXT: %[[P:.*]] = scf.for %[[K1:.*]] = %c0 to %c63 step %c1 iter_args(%[[SUM:.*]] = %{{.*}}) -> (vector<16xi8>)
// CHECK-NEXT: %[[K:.*]] = arith.addi %[[K0]], %[[K1]]
// CHECK-NEXT: %[[W:.*]] = vector.transfer_read %arg1[%c0, %[[K]], %c0]
// CHECK-NEXT: %[[E:.*]] = tensor.extract %arg0[%c0, %[[K]]]
// CHECK-NEXT: %[[N:.*]] = arith.index_castui %[[E]] : i8 to index
// CHECK-NEXT: %[[AT:.*]] = arith.muli %[[N]], %c4
// CHECK-NEXT: %[[TABLE:.*]] = vector.transfer_read %[[T]][%[[AT]]], {{.*}} vector<16xi8>
// CHECK-NEXT: %[[C:.*]] = llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"(%[[TABLE]], %[[W]])
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[SUM]], %[[C]]
// CHECK-NEXT: scf.yield %[[NEXT]]
// CHECK: %[[PAIRS:.*]] = vector.bitcast %[[P]] : vector<16xi8> to vector<8xi16>
// CHECK: %[[ODD:.*]] = arith.shrui %[[PAIRS]]
// CHECK: %[[BOTH:.*]] = arith.addi %{{.*}}, %[[PAIRS]]
// CHECK: %[[ODDS:.*]] = arith.addi %{{.*}}, %[[ODD]]
// CHECK: scf.yield %[[BOTH]], %[[ODDS]]
// CHECK: %[[CARRIED:.*]] = arith.shli %[[S]]#1
// CHECK: %[[EVEN:.*]] = arith.subi %[[S]]#0, %[[CARRIED]]
// CHECK: %[[FIRST:.*]] = vector.insert_strided_slice %[[EVEN]], %{{.*}} {offsets = [0]
// CHECK: %[[ALL:.*]] = vector.insert_strided_slice %[[S]]#1, %[[FIRST]] {offsets = [8]
// CHECK: arith.extsi %[[ALL]] : vector<16xi16> to vector<16xi32>
func.func @table_128(%x: tensor<1x126xi8, #nibbles>, %w: tensor<1x126x16xi8, #blocks2>, %o: tensor<1x16xi32>) -> tensor<1x16xi32> {
  %p = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 16, bits = 128>)
      ins(%x : tensor<1x126xi8, #nibbles>) filters(%w : tensor<1x126x16xi8, #blocks2>) outs(%o : tensor<1x16xi32>)
      maps = [#mk, #b16] -> tensor<1x16xi32>
  return %p : tensor<1x16xi32>
}

// One table in both halves of the registers; 40 of 64 channels are written.

// CHECK-LABEL: @table_256
// CHECK: scf.for {{.*}} = %c0 to %c17 step %c1 {{.*}} -> (vector<32xi8>, vector<32xi8>)
// CHECK: %[[T:.*]] = vector.transfer_read {{.*}} vector<16xi8>
// CHECK: %[[TWO:.*]] = vector.broadcast %[[T]] : vector<16xi8> to vector<2x16xi8>
// CHECK: %[[TABLE:.*]] = vector.shape_cast %[[TWO]] : vector<2x16xi8> to vector<32xi8>
// CHECK-COUNT-2: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%[[TABLE]], %{{.*}}) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
// CHECK-NOT: call_intrinsic
// CHECK: scf.yield
// CHECK: vector.transfer_write %{{.*}}[%c0, %c0] {{.*}} : vector<32xi32>, tensor<1x40xi32>
// CHECK: vector.transfer_write %{{.*}}[%c0, %c32] {{.*}} : vector<8xi32>, tensor<1x40xi32>
func.func @table_256(%x: tensor<1x17xi8, #nibbles>, %w: tensor<1x17x64xi8, #blocks3>, %o: tensor<1x40xi32>) -> tensor<1x40xi32> {
  %p = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 256>)
      ins(%x : tensor<1x17xi8, #nibbles>) filters(%w : tensor<1x17x64xi8, #blocks3>) outs(%o : tensor<1x40xi32>)
      maps = [#mk, #b64] -> tensor<1x40xi32>
  return %p : tensor<1x40xi32>
}

// A ternary input picks one of 256 tables of dots with 4 added, by mask and sign;
// 16 steps add 64.

// CHECK-LABEL: @table_512
// CHECK-SAME: %[[M:.*]]: tensor<1x16xi8, #nibbles>, %[[S:.*]]: tensor<1x16xi8, #nibbles>
// CHECK-DAG: %[[BIAS:.*]] = arith.constant dense<64> : vector<64xi16>
// CHECK-DAG: arith.constant dense<"0x04040404{{.*}}> : tensor<4096xi8>
// CHECK: scf.for
// CHECK-DAG: %[[SE:.*]] = tensor.extract %[[S]]
// CHECK-DAG: %[[ME:.*]] = tensor.extract %[[M]]
// CHECK-DAG: %[[SI:.*]] = arith.index_castui %[[SE]]
// CHECK-DAG: %[[MI:.*]] = arith.index_castui %[[ME]]
// CHECK-DAG: %[[SO:.*]] = arith.muli %[[SI]], %c4
// CHECK-DAG: %[[MO:.*]] = arith.muli %[[MI]], %c64
// CHECK: %[[AT:.*]] = arith.addi %[[SO]], %[[MO]]
// CHECK: vector.transfer_read %{{.*}}[%[[AT]]]
// CHECK: vector.broadcast {{.*}} to vector<4x16xi8>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.pshuf.b.512"
// CHECK: scf.yield
// CHECK: arith.subi %{{.*}}, %[[BIAS]] : vector<64xi16>
func.func @table_512(%m: tensor<1x16xi8, #nibbles>, %s: tensor<1x16xi8, #nibbles>, %w: tensor<1x16x64xi8, #blocks4>, %o: tensor<1x64xi32>) -> tensor<1x64xi32> {
  %p = bquant_packed.product kernel(#bquant_packed.table<rows = 4, channels = 64, bits = 512>)
      ins(%s, %m : tensor<1x16xi8, #nibbles>, tensor<1x16xi8, #nibbles>) filters(%w : tensor<1x16x64xi8, #blocks4>) outs(%o : tensor<1x64xi32>)
      maps = [#mk, #mk, #b64] masked_inputs -> tensor<1x64xi32>
  return %p : tensor<1x64xi32>
}

// 256 taps, a byte holds 255: flushed after 8 times 16.

// CHECK-LABEL: @depthwise
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c8 {{.*}} -> (vector<16xi32>, vector<16xi32>)
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1 {{.*}} -> (vector<16xi8>, vector<16xi8>)
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 {{.*}} -> (vector<16xi8>, vector<16xi8>)
// CHECK: %[[W0:.*]] = vector.transfer_read %arg1[{{.*}}, %c0]
// CHECK: %[[A0:.*]] = vector.transfer_read %arg0[{{.*}}, %c0, %c0]
// CHECK: %[[D0:.*]] = arith.xori %[[A0]], %[[W0]] : vector<16xi8>
// CHECK: arith.addi %{{.*}}, %[[D0]]
// CHECK: %[[W1:.*]] = vector.transfer_read %arg1[{{.*}}, %c16]
// CHECK: %[[A1:.*]] = vector.transfer_read %arg0[{{.*}}, %c0, %c16]
// CHECK: arith.xori %[[A1]], %[[W1]] : vector<16xi8>
// CHECK: arith.extui %{{.*}} : vector<16xi8> to vector<16xi32>
func.func @depthwise(%x: tensor<16x16x1x32xi8>, %w: tensor<1x16x16x32xi8, #blocks5>, %o: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %p = bquant_packed.product kernel(#bquant_packed.depthwise<rows = 4, channels = 32, bits = 128>)
      ins(%x : tensor<16x16x1x32xi8>) filters(%w : tensor<1x16x16x32xi8, #blocks5>) outs(%o : tensor<1x32xi32>)
      maps = [affine_map<(m, n, i, j) -> (m + i, j, n floordiv 32)>, affine_map<(m, n, i, j) -> (n floordiv 32, i, j)>] -> tensor<1x32xi32>
  return %p : tensor<1x32xi32>
}

// Octets of both groups of a register in one load, each brought to the lanes of its
// group: the first and the second one of a step.

// CHECK-LABEL: @octets
// CHECK: scf.for {{.*}} -> (vector<32xi8>)
// CHECK-DAG: %[[W0:.*]] = vector.transfer_read %arg1[{{.*}}, %c0, %c0]{{.*}} vector<32xi8>
// CHECK-DAG: %[[W1:.*]] = vector.transfer_read %arg1[{{.*}}, %c1, %c0]{{.*}} vector<32xi8>
// CHECK: %[[X:.*]] = vector.transfer_read %arg0{{.*}} vector<4xi8>
// CHECK: %[[A0:.*]] = vector.shuffle %[[X]], %[[X]] [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 2, {{.*}} 2] :
// CHECK: %[[A1:.*]] = vector.shuffle %[[X]], %[[X]] [1, 1, {{.*}} 3, 3] :
// CHECK: %[[D0:.*]] = arith.xori %[[A0]], %[[W0]] : vector<32xi8>
// CHECK: math.ctpop %[[D0]] : vector<32xi8>
// CHECK: %[[D1:.*]] = arith.xori %[[A1]], %[[W1]] : vector<32xi8>
// CHECK: math.ctpop %[[D1]] : vector<32xi8>
// CHECK: arith.extui %{{.*}} : vector<32xi8> to vector<32xi32>
func.func @octets(%x: tensor<9x4xi8, #octets>, %w: tensor<1x9x2x32xi8, #blocks6>, %o: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %p = bquant_packed.product kernel(#bquant_packed.octets<rows = 4, channels = 32, bits = 256, step = 2>)
      ins(%x : tensor<9x4xi8, #octets>) filters(%w : tensor<1x9x2x32xi8, #blocks6>) outs(%o : tensor<1x32xi32>)
      maps = [affine_map<(m, n, i, k) -> (m + i, (n floordiv 16) * 2 + k)>, affine_map<(m, n, i, k) -> (n floordiv 32, i, k)>] -> tensor<1x32xi32>
  return %p : tensor<1x32xi32>
}

// Five words a channel: pairs in an i64, and the last one alone. What follows
// is vectors again.

// CHECK-LABEL: @scalar
// CHECK: %[[P:.*]] = scf.for %[[O:.*]] = %c0 to %c32
// CHECK: scf.for %[[C:.*]] = %c0 to %c4 step %c2
// CHECK: tensor.extract %{{.*}}[%[[O]], %[[C]], %c0]
// CHECK: %[[X:.*]] = arith.xori %{{.*}}, %{{.*}} : i64
// CHECK: math.ctpop %[[X]] : i64
// CHECK: math.ctpop %{{.*}} : i32
// CHECK: vector.transfer_write %{{.*}}[%c0, %[[O]]] {{.*}} : vector<1x1xi32>, tensor<1x32xi32>
// CHECK: vector.transfer_read %[[P]]
// CHECK: arith.muli %{{.*}} : vector<32xi32>
// CHECK-NOT: linalg
func.func @scalar(%x: tensor<1x5xi32, #words>, %w: tensor<32x5x1xi32, #blocks7>, %o: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %c0 = arith.constant 0 : i32
  %c2 = arith.constant 2 : i32
  %e = tensor.empty() : tensor<1x32xi32>
  %z = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x32xi32>) -> tensor<1x32xi32>
  %p = bquant_packed.product kernel(#bquant_packed.scalar<rows = 4, channels = 32, bits = 64>)
      ins(%x : tensor<1x5xi32, #words>) filters(%w : tensor<32x5x1xi32, #blocks7>) outs(%z : tensor<1x32xi32>)
      maps = [#mk, affine_map<(m, n, k) -> (n, k)>] -> tensor<1x32xi32>
  %y = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<1x32xi32>) outs(%o : tensor<1x32xi32>) {
  ^bb0(%a: i32, %s: i32):
    %0 = arith.muli %a, %c2 : i32
    linalg.yield %0 : i32
  } -> tensor<1x32xi32>
  return %y : tensor<1x32xi32>
}

// Sums of floats start from what the product starts from, in whole registers: of 12
// channels the second one has 4 in use, and none behind the row is read. A register
// of the filter is read once for all rows.

// CHECK-LABEL: @fma
// CHECK-SAME: %[[X:.*]]: tensor<2x5xf32>, %[[W:.*]]: tensor<1x5x32xf32, #{{[a-z0-9_]+}}>, %[[O:.*]]: tensor<2x12xf32>
// CHECK: %[[S00:.*]] = vector.transfer_read %[[O]][%c0, %c0]{{.*}} vector<8xf32>
// CHECK: %[[REST:.*]] = vector.transfer_read %[[O]][%c0, %c8]{{.*}} vector<4xf32>
// CHECK: vector.insert_strided_slice %[[REST]], {{.*}} : vector<4xf32> into vector<8xf32>
// CHECK: scf.for %[[K:.*]] = %c0 to %c5 step %c1 iter_args(%[[A:[a-z0-9]+]] = %[[S00]], {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
// CHECK-NEXT: %[[W0:.*]] = vector.transfer_read %[[W]][%c0, %[[K]], %c0]{{.*}} vector<8xf32>
// CHECK-NEXT: vector.transfer_read %[[W]][%c0, %[[K]], %c8]{{.*}} vector<8xf32>
// CHECK-NEXT: %[[E:.*]] = tensor.extract %[[X]][%c0, %[[K]]]
// CHECK-NEXT: %[[V:.*]] = vector.broadcast %[[E]] : f32 to vector<8xf32>
// CHECK-NEXT: math.fma %[[V]], %[[W0]], %[[A]] : vector<8xf32>
// CHECK-NEXT: math.fma
// CHECK-NEXT: tensor.extract %[[X]][%c1, %[[K]]]
// CHECK-NOT: transfer_read
// CHECK: scf.yield
func.func @fma(%x: tensor<2x5xf32>, %w: tensor<1x5x32xf32, #blocks8>, %o: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %p = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) fused
      ins(%x : tensor<2x5xf32>) filters(%w : tensor<1x5x32xf32, #blocks8>) outs(%o : tensor<2x12xf32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<2x12xf32>
  return %p : tensor<2x12xf32>
}

// Signs become +1 and -1 in the lanes; the second register has bits 16 to 31 of the
// word. Without an fma a product is rounded first.

// CHECK-LABEL: @signs
// CHECK-DAG: arith.constant dense<[1, 2, 4, 8, 16, {{.*}}, 32768]> : vector<16xi32>
// CHECK-DAG: arith.constant dense<[65536, {{.*}}, -2147483648]> : vector<16xi32>
// CHECK: scf.for
// CHECK: %[[E:.*]] = tensor.extract %{{.*}} : tensor<1x5x1xi32, #words>
// CHECK: %[[B:.*]] = vector.broadcast %[[E]] : i32 to vector<16xi32>
// CHECK: %[[M:.*]] = arith.andi %[[B]], %[[P:.*]] : vector<16xi32>
// CHECK: %[[C:.*]] = arith.cmpi eq, %[[M]], %[[P]]
// CHECK: %[[F:.*]] = arith.select %[[C]], %{{.*}}, %{{.*}} : vector<16xi1>, vector<16xf32>
// CHECK: %[[T:.*]] = arith.mulf %{{.*}}, %[[F]]
// CHECK: arith.addf %{{.*}}, %[[T]]
// CHECK-NOT: math.fma
// CHECK: scf.yield
func.func @signs(%x: tensor<2x5xf32>, %w: tensor<1x5x1xi32, #words>, %o: tensor<2x32xf32>) -> tensor<2x32xf32> {
  %p = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 512>)
      ins(%x : tensor<2x5xf32>) filters(%w : tensor<1x5x1xi32, #words>) outs(%o : tensor<2x32xf32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 32, k)>] -> tensor<2x32xf32>
  return %p : tensor<2x32xf32>
}

// Bits choose among the levels of the lanes.

// CHECK-LABEL: @levels
// CHECK-SAME: %{{.*}}: tensor<2x5xf32>, %[[V:.*]]: tensor<1x5x1xi32, #words>, %[[W:.*]]: tensor<1x5x1xi32, #words>, %[[LOW:.*]]: tensor<1x16xf32, #{{[a-z0-9_]+}}>, %[[HIGH:.*]]: tensor<1x16xf32, #{{[a-z0-9_]+}}>
// CHECK: scf.for %[[K:.*]] = %c0 to
// CHECK: %[[E1:.*]] = tensor.extract %[[V]][%c0, %[[K]], %c0]
// CHECK: %[[E0:.*]] = tensor.extract %[[W]][%c0, %[[K]], %c0]
// CHECK-DAG: %[[L0:.*]] = vector.transfer_read %[[LOW]][%c0, %c0]{{.*}} vector<16xf32>
// CHECK-DAG: %[[L2:.*]] = vector.transfer_read %[[HIGH]][%c0, %c0]{{.*}} vector<16xf32>
// CHECK: %[[LOWER:.*]] = arith.select %{{.*}}, %[[L2]], %[[L0]] : vector<16xi1>, vector<16xf32>
// CHECK: %[[F:.*]] = arith.select %{{.*}}, %[[L0]], %[[LOWER]] : vector<16xi1>, vector<16xf32>
// CHECK: math.fma %{{.*}}, %[[F]],
func.func @levels(%x: tensor<2x5xf32>, %v: tensor<1x5x1xi32, #words>, %w: tensor<1x5x1xi32, #words>, %low: tensor<1x16xf32, #blocks9>, %high: tensor<1x16xf32, #blocks9>, %o: tensor<2x16xf32>) -> tensor<2x16xf32> {
  %p = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 16, bits = 512>) fused
      ins(%x : tensor<2x5xf32>) filters(%v, %w : tensor<1x5x1xi32, #words>, tensor<1x5x1xi32, #words>)
      levels(%low, %high, %low : tensor<1x16xf32, #blocks9>, tensor<1x16xf32, #blocks9>, tensor<1x16xf32, #blocks9>) outs(%o : tensor<2x16xf32>)
      maps = [#mk, #b16, #b16, affine_map<(m, n, k) -> (n floordiv 16)>, affine_map<(m, n, k) -> (n floordiv 16)>, affine_map<(m, n, k) -> (n floordiv 16)>] -> tensor<2x16xf32>
  return %p : tensor<2x16xf32>
}

// A depthwise product reads the input by lanes: of 12 channels 8 and 4.

// CHECK-LABEL: @depthwise_floats
// CHECK: scf.for
// CHECK-DAG: vector.transfer_read %arg0[%{{.*}}, %c0]{{.*}} vector<8xf32>
// CHECK-DAG: vector.transfer_read %arg0[%{{.*}}, %c8]{{.*}} vector<4xf32>
// CHECK: scf.yield
func.func @depthwise_floats(%x: tensor<4x12xf32>, %w: tensor<1x3x32xf32, #blocks8>, %o: tensor<2x12xf32>) -> tensor<2x12xf32> {
  %p = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 32, bits = 256>) fused
      ins(%x : tensor<4x12xf32>) filters(%w : tensor<1x3x32xf32, #blocks8>) outs(%o : tensor<2x12xf32>)
      maps = [affine_map<(m, c, k) -> (m + k, c)>, affine_map<(m, c, k) -> (c floordiv 32, k)>] -> tensor<2x12xf32>
  return %p : tensor<2x12xf32>
}

// Groups of one filter: a number of the input for each channel.

// CHECK-LABEL: @groups_of_floats
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: %[[E:.*]] = tensor.extract %arg0[%c0, %[[K]]]
// CHECK: vector.broadcast %[[E]] : f32 to vector<1xf32>
// CHECK-COUNT-3: tensor.extract %arg0[%c0,
// CHECK: math.fma
func.func @groups_of_floats(%x: tensor<1x12xf32>, %w: tensor<1x3x4xf32, #blocks10>, %o: tensor<1x4xf32>) -> tensor<1x4xf32> {
  %p = bquant_packed.product kernel(#bquant_packed.fma<rows = 3, channels = 4, bits = 128>) fused
      ins(%x : tensor<1x12xf32>) filters(%w : tensor<1x3x4xf32, #blocks10>) outs(%o : tensor<1x4xf32>)
      maps = [affine_map<(m, c, k) -> (m, c * 3 + k)>, affine_map<(m, c, k) -> (c floordiv 4, k)>] -> tensor<1x4xf32>
  return %p : tensor<1x4xf32>
}

// Pairs of bf16: two elements of the input in all lanes, a word of the filter in each.
// CHECK-LABEL: @bf16
// CHECK-SAME: %[[X:.*]]: tensor<1x8xbf16>, %[[W:.*]]: tensor<1x4x16xi32, #{{[a-z0-9_]+}}>
// CHECK: scf.for %[[K:.*]] = %c0 to %c8 step %c2 iter_args(%[[S:.*]] = %{{.*}}) -> (vector<16xf32>)
// CHECK: %[[F:.*]] = vector.transfer_read %[[W]]
// CHECK-NEXT: %[[B:.*]] = vector.bitcast %[[F]] : vector<16xi32> to vector<32xbf16>
// CHECK: %[[P:.*]] = vector.transfer_read %[[X]][%c0, %[[K]]]{{.*}} vector<2xbf16>
// CHECK: vector.broadcast %{{.*}} : i32 to vector<16xi32>
// CHECK: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%[[S]], %{{.*}}, %[[B]]) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
func.func @bf16(%x: tensor<1x8xbf16>, %w: tensor<1x4x16xi32, #blocks11>, %o: tensor<1x16xf32>) -> tensor<1x16xf32> {
  %0 = bquant_packed.product kernel(#bquant_packed.bf16<rows = 1, channels = 16, bits = 512>) fused ins(%x : tensor<1x8xbf16>)
      filters(%w : tensor<1x4x16xi32, #blocks11>) outs(%o : tensor<1x16xf32>)
      maps = [#mk, affine_map<(m, n, k) -> (n floordiv 16, k floordiv 2)>] -> tensor<1x16xf32>
  return %0 : tensor<1x16xf32>
}

// More channels than a block are no tile: a register has lanes of one block.
// CHECK-LABEL: @blocks
// CHECK-NOT: transfer_read
// CHECK: bquant_packed.product
func.func @blocks(%x: tensor<1x2xi32, #words>, %w: tensor<2x2x16xi32, #blocks1>, %o: tensor<1x32xi32>) -> tensor<1x32xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 1, channels = 16, bits = 512>)
      ins(%x : tensor<1x2xi32, #words>) filters(%w : tensor<2x2x16xi32, #blocks1>) outs(%o : tensor<1x32xi32>)
      maps = [#mk, #b16] -> tensor<1x32xi32>
  return %0 : tensor<1x32xi32>
}

// As many channels as a register has bytes: three rows of a column, read once for
// both results, are interleaved within 128 bits. Sums stay in that order, in which
// the scales are brought, until they are written; the first row is, before the second
// one is summed.

// CHECK-LABEL: @interleaved
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x4x32xi8, #codes>
// CHECK-DAG: vector.transfer_read %[[X]][%c0, %c0, %c0]{{.*}} vector<32xi8>
// CHECK-DAG: vector.transfer_read %[[X]][%c1, %c0, %c0]{{.*}} vector<32xi8>
// CHECK-DAG: vector.transfer_read %[[X]][%c2, %c0, %c0]{{.*}} vector<32xi8>
// CHECK: vector.shuffle {{.*}} [0, 32, 1, 33, 2, 34, 3, 35, 4, 36, 5, 37, 6, 38, 7, 39, 16, 48,
// CHECK: vector.shuffle {{.*}} [0, 16, 1, 17, 2, 18, 3, 19, 8, 24,
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"
// CHECK: %[[S:.*]] = vector.transfer_read %arg2[%c0]{{.*}} vector<32xi32>
// CHECK: %[[ORDERED:.*]] = vector.shuffle %[[S]], %[[S]] [0, 1, 2, 3, 16, 17, 18, 19, 4, 5, 6, 7, 20,
// CHECK: %[[Y:.*]] = arith.muli %{{.*}}, %[[ORDERED]] : vector<32xi32>
// CHECK: %[[BACK:.*]] = vector.shuffle %[[Y]], %[[Y]] [0, 1, 2, 3, 8, 9, 10, 11, 16, 17, 18, 19, 24,
// CHECK: vector.transfer_write %[[BACK]], {{.*}}[%c0, %c0]
// CHECK: vector.transfer_read %[[X]]{{.*}}%c3, %c0]
// CHECK: vector.transfer_write {{.*}}[%c1, %c0]
func.func @interleaved(%x: tensor<3x4x32xi8, #codes>, %w: tensor<1x3x1x32xi32, #blocks12>, %s: tensor<32xi32>, %o: tensor<2x32xi32>) -> tensor<2x32xi32> {
  %z = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x32xi32>
  %f = linalg.fill ins(%z : i32) outs(%e : tensor<2x32xi32>) -> tensor<2x32xi32>
  %p = bquant_packed.product kernel(#bquant_packed.bytes<rows = 4, channels = 32, bits = 256, summed = 4, taps = 3>)
      ins(%x : tensor<3x4x32xi8, #codes>) filters(%w : tensor<1x3x1x32xi32, #blocks12>) outs(%f : tensor<2x32xi32>)
      maps = [affine_map<(m, n, j, i) -> (i, m + j, n)>, affine_map<(m, n, j, i) -> (n floordiv 32, j, i floordiv 3)>] -> tensor<2x32xi32>
  %y = linalg.generic {indexing_maps = [affine_map<(m, n) -> (m, n)>, affine_map<(m, n) -> (n)>, affine_map<(m, n) -> (m, n)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<2x32xi32>, tensor<32xi32>) outs(%o : tensor<2x32xi32>) {
  ^bb0(%sum: i32, %scale: i32, %out: i32):
    %0 = arith.muli %sum, %scale : i32
    linalg.yield %0 : i32
  } -> tensor<2x32xi32>
  return %y : tensor<2x32xi32>
}

// Two rows that are multiplied at once share a filter: these do not.
// CHECK-LABEL: @filter_of_a_row
// CHECK: bquant_packed.product
func.func @filter_of_a_row(%x: tensor<2x16xi8, #codes>, %w: tensor<2x1x2x16xi32, #blocks13>, %y: tensor<2x8xi32>) -> tensor<2x8xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.bytes<rows = 6, channels = 8, bits = 128, summed = 8>)
      ins(%x : tensor<2x16xi8, #codes>) filters(%w : tensor<2x1x2x16xi32, #blocks13>) outs(%y : tensor<2x8xi32>)
      maps = [#mk, affine_map<(m, n, k) -> (m, n floordiv 8, k floordiv 8)>] -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// A product whose number of steps is known only at run time has no tile.
// CHECK-LABEL: @unknown_steps
// CHECK: bquant_packed.product
func.func @unknown_steps(%x: tensor<4x?xi32, #words>, %w: tensor<1x?x16xi32, #blocks1>, %o: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>)
      ins(%x : tensor<4x?xi32, #words>) filters(%w : tensor<1x?x16xi32, #blocks1>) outs(%o : tensor<4x16xi32>)
      maps = [#mk, #b16] -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}

// Nor has one without steps.
// CHECK-LABEL: @no_steps
// CHECK: bquant_packed.product
func.func @no_steps(%x: tensor<4x0xi32, #words>, %w: tensor<1x0x16xi32, #blocks1>, %o: tensor<4x16xi32>) -> tensor<4x16xi32> {
  %0 = bquant_packed.product kernel(#bquant_packed.popcount<rows = 4, channels = 16, bits = 512>)
      ins(%x : tensor<4x0xi32, #words>) filters(%w : tensor<1x0x16xi32, #blocks1>) outs(%o : tensor<4x16xi32>)
      maps = [#mk, #b16] -> tensor<4x16xi32>
  return %0 : tensor<4x16xi32>
}
