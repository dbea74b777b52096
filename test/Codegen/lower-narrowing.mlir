// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=cascadelake" --bquant-lower-narrowing | FileCheck %s
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-lower-narrowing | FileCheck %s --check-prefix=NONE
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu chip=cortex-a76" --bquant-lower-narrowing | FileCheck %s --check-prefix=NONE

// Where no packs take them, additions stay before the bounds in LLVM, too.
// NONE-NOT: llvm.call_intrinsic
// NONE-NOT: overflow<nsw>

// Two of two registers: what is added saturates in 16 bits, the bits are flipped at once.
// CHECK-LABEL: func @two
// CHECK-SAME: %[[X:.*]]: vector<32xi32>, %[[Y:.*]]: vector<32xi32>
// CHECK-DAG: %[[X0:.*]] = vector.extract_strided_slice %[[X]] {offsets = [0], sizes = [16]
// CHECK-DAG: %[[X1:.*]] = vector.extract_strided_slice %[[X]] {offsets = [16], sizes = [16]
// CHECK: %[[P:.*]] = llvm.call_intrinsic "llvm.x86.avx512.packssdw.512"(%[[X0]], %[[X1]])
// CHECK: %[[A:.*]] = llvm.intr.sadd.sat(%[[P]], %{{.*}}) : (vector<32xi16>, vector<32xi16>)
// CHECK: llvm.call_intrinsic "llvm.x86.avx512.packssdw.512"
// CHECK: %[[B:.*]] = llvm.intr.sadd.sat
// CHECK: %[[C:.*]] = llvm.call_intrinsic "llvm.x86.avx512.packsswb.512"(%[[A]], %[[B]])
// CHECK-NOT: arith.maxsi
// CHECK: %[[F:.*]] = arith.xori %[[C]], %{{.*}} : vector<64xi8>
// CHECK: %[[W:.*]] = vector.bitcast %[[F]]
// CHECK: %[[S:.*]] = vector.shuffle %[[W]], %[[W]] [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15]
// CHECK: %[[D:.*]] = vector.bitcast %[[S]]
// CHECK-DAG: %[[R0:.*]] = vector.extract_strided_slice %[[D]] {offsets = [0], sizes = [32]
// CHECK-DAG: %[[R1:.*]] = vector.extract_strided_slice %[[D]] {offsets = [32], sizes = [32]
// CHECK: return %[[R0]], %[[R1]]
func.func @two(%x: vector<32xi32>, %y: vector<32xi32>) -> (vector<32xi8>, vector<32xi8>) {
  %zero = arith.constant dense<7> : vector<32xi32>
  %least = arith.constant dense<-128> : vector<32xi32>
  %most = arith.constant dense<127> : vector<32xi32>
  %top = arith.constant dense<-128> : vector<32xi8>
  %a = arith.addi %x, %zero overflow<nsw> : vector<32xi32>
  %b = arith.maxsi %a, %least : vector<32xi32>
  %c = arith.minsi %b, %most : vector<32xi32>
  %d = arith.trunci %c : vector<32xi32> to vector<32xi8>
  %e = arith.xori %d, %top : vector<32xi8>
  %f = arith.addi %y, %zero overflow<nsw> : vector<32xi32>
  %g = arith.maxsi %f, %least : vector<32xi32>
  %h = arith.minsi %g, %most : vector<32xi32>
  %i = arith.trunci %h : vector<32xi32> to vector<32xi8>
  %j = arith.xori %i, %top : vector<32xi8>
  return %e, %j : vector<32xi8>, vector<32xi8>
}

// One of four registers; narrower bounds are applied to bytes. A sum that may overflow is taken
// as it is.
// CHECK-LABEL: func @four
// CHECK: %[[A:.*]] = arith.addi
// CHECK: vector.extract_strided_slice %[[A]]
// CHECK-NOT: sadd.sat
// CHECK: %[[C:.*]] = llvm.call_intrinsic "llvm.x86.avx512.packsswb.512"
// CHECK: %[[L:.*]] = arith.maxsi %[[C]], %{{.*}} : vector<64xi8>
// CHECK: arith.minsi %[[L]], %{{.*}} : vector<64xi8>
func.func @four(%x: vector<64xi32>) -> vector<64xi8> {
  %zero = arith.constant dense<7> : vector<64xi32>
  %least = arith.constant dense<-3> : vector<64xi32>
  %most = arith.constant dense<100> : vector<64xi32>
  %a = arith.addi %x, %zero : vector<64xi32>
  %b = arith.minsi %a, %most : vector<64xi32>
  %c = arith.maxsi %b, %least : vector<64xi32>
  %d = arith.trunci %c : vector<64xi32> to vector<64xi8>
  return %d : vector<64xi8>
}

// Codes that are read before the others are there, other bounds, bounds beyond a byte: as they are.
// CHECK-LABEL: func @apart
// CHECK-NOT: llvm.call_intrinsic
// CHECK: return
func.func @apart(%x: vector<32xi32>, %y: vector<32xi32>, %z: vector<64xi32>, %m: memref<32xi8>)
    -> (vector<32xi8>, vector<32xi8>, vector<64xi8>) {
  %at = arith.constant 0 : index
  %least = arith.constant dense<-128> : vector<32xi32>
  %most = arith.constant dense<127> : vector<32xi32>
  %other = arith.constant dense<126> : vector<32xi32>
  %low = arith.constant dense<-129> : vector<64xi32>
  %high = arith.constant dense<127> : vector<64xi32>
  %b = arith.maxsi %x, %least : vector<32xi32>
  %c = arith.minsi %b, %most : vector<32xi32>
  %d = arith.trunci %c : vector<32xi32> to vector<32xi8>
  vector.store %d, %m[%at] : memref<32xi8>, vector<32xi8>
  %g = arith.maxsi %y, %least : vector<32xi32>
  %h = arith.minsi %g, %most : vector<32xi32>
  %i = arith.trunci %h : vector<32xi32> to vector<32xi8>
  %k = arith.maxsi %x, %least : vector<32xi32>
  %l = arith.minsi %k, %other : vector<32xi32>
  %n = arith.trunci %l : vector<32xi32> to vector<32xi8>
  %o = arith.maxsi %z, %low : vector<64xi32>
  %p = arith.minsi %o, %high : vector<64xi32>
  %q = arith.trunci %p : vector<64xi32> to vector<64xi8>
  return %i, %n, %q : vector<32xi8>, vector<32xi8>, vector<64xi8>
}
