// RUN: bquant-opt %s --bquant-encode-maps | FileCheck %s

#codes = #bquant_packed.layout.codes
#id = affine_map<(d0) -> (d0)>

// Two readers of a decoded map get its codes, which have no sign, and decode them.
// CHECK-LABEL: @unsigned
// CHECK:       %[[M:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xi8>)
// CHECK:         %[[C:.*]] = arith.minimumf
// CHECK-NOT:     arith.mulf
// CHECK:         %[[D:.*]] = arith.subf %[[C]], %cst{{.*}}
// CHECK:         %[[S:.*]] = arith.fptosi %[[D]] : f32 to i8
// CHECK:         %[[B:.*]] = arith.xori %[[S]], %c-128_i8
// CHECK-NEXT:    linalg.yield %[[B]]
// CHECK:       linalg.generic {{.*}} ins(%[[M]] : tensor<8xi8>)
// CHECK:         %[[F:.*]] = arith.uitofp %{{.*}} : i8 to f32
// CHECK:         %[[Y:.*]] = arith.mulf %[[F]], %cst{{.*}}
// CHECK:         math.absf %[[Y]]
// CHECK:       linalg.generic {{.*}} ins(%[[M]], %{{.*}} : tensor<8xi8>, tensor<8xf32>)
// CHECK:         %[[G:.*]] = arith.uitofp %{{.*}} : i8 to f32
// CHECK:         %[[Z:.*]] = arith.mulf %[[G]], %cst{{.*}}
// CHECK:         arith.addf %[[Z]], %{{.*}}
func.func @unsigned(%x: tensor<8xi32>, %z: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %scale = arith.constant 0.1 : f32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: i32, %o: f32):
    %n = arith.sitofp %a : i32 to f32
    %y = arith.divf %n, %scale : f32
    %t = math.roundeven %y : f32
    %u = arith.maximumf %t, %low : f32
    %c = arith.minimumf %u, %high : f32
    %d = arith.mulf %c, %scale : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = math.absf %a : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%m, %z : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %n = arith.addf %a, %b : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  return %p, %q : tensor<8xf32>, tensor<8xf32>
}

// Codes with a sign, less a zero point. One result of two is such a map.
// CHECK-LABEL: @signed
// CHECK:       %[[M:.*]]:2 = linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xi8>)
// CHECK:         %[[B:.*]] = arith.fptosi
// CHECK:         linalg.yield %{{.*}}, %[[B]] : f32, i8
// CHECK:       linalg.generic {{.*}} ins(%[[M]]#1 : tensor<8xi8>)
// CHECK:         %[[F:.*]] = arith.sitofp
// CHECK:         %[[S:.*]] = arith.subf %[[F]], %cst{{.*}}
// CHECK:         %[[Y:.*]] = arith.mulf %[[S]], %cst{{.*}}
// CHECK:       linalg.generic {{.*}} ins(%[[M]]#1 : tensor<8xi8>)
func.func @signed(%x: tensor<8xi16>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %scale = arith.constant 0.1 : f32
  %zero = arith.constant 3.0 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %m:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi16>) outs(%e, %e : tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: i16, %o: f32, %r: f32):
    %n = arith.sitofp %a : i16 to f32
    %t = arith.addf %n, %zero : f32
    %u = arith.maximumf %t, %low : f32
    %c = arith.minimumf %u, %high : f32
    %s = arith.subf %c, %zero : f32
    %d = arith.mulf %s, %scale : f32
    linalg.yield %n, %d : f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>)
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m#1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = math.absf %a : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m#1 : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %n = arith.negf %a : f32
    linalg.yield %n : f32
  } -> tensor<8xf32>
  return %m#0, %p, %q : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// What is rounded may be -0.0; less 0.0 it still is, plus 0.0 it is not.
// CHECK-LABEL: @zeros
// CHECK:       linalg.generic {{.*}} outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<8xf32>, tensor<8xf32>, tensor<8xi8>)
func.func @zeros(%x: tensor<8xi8>) -> (tensor<8xf32>, tensor<8xf32>) {
  %half = arith.constant 0.5 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %m:3 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi8>) outs(%e, %e, %e : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: i8, %o: f32, %p: f32, %q: f32):
    %n = arith.sitofp %a : i8 to f32
    %y = arith.mulf %n, %half : f32
    %t = math.roundeven %y : f32
    %less = arith.subf %t, %zero : f32
    %more = arith.addf %t, %zero : f32
    %r = arith.mulf %t, %half : f32
    %s = arith.mulf %less, %half : f32
    %u = arith.mulf %more, %half : f32
    linalg.yield %r, %s, %u : f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %p = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%m#0, %m#1, %m#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.divf %a, %b : f32
    %t = arith.divf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%m#0, %m#1, %m#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %p, %q : tensor<8xf32>, tensor<8xf32>
}

// A fraction, 256 numbers from -1 on, a float that comes in, a single reader, and a
// reader that takes floats keep theirs.
// CHECK-LABEL: @kept
// CHECK-NOT:   i8
// CHECK:       return
func.func @kept(%x: tensor<8xi16>, %y: tensor<8xf32>)
    -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %half = arith.constant 0.5 : f32
  %least = arith.constant -1.0 : f32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 254.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %m:5 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%x, %y : tensor<8xi16>, tensor<8xf32>)
      outs(%e, %e, %e, %e, %e : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: i16, %b: f32, %o: f32, %p: f32, %q: f32, %r: f32, %s: f32):
    %n = arith.sitofp %a : i16 to f32
    %t = arith.addf %n, %half : f32
    %u = arith.maximumf %t, %low : f32
    %fraction = arith.minimumf %u, %high : f32
    %v = arith.maximumf %n, %least : f32
    %more = arith.minimumf %v, %high : f32
    %w = math.roundeven %b : f32
    %k = arith.maximumf %w, %low : f32
    %any = arith.minimumf %k, %high : f32
    %l = arith.maximumf %n, %low : f32
    %whole = arith.minimumf %l, %high : f32
    linalg.yield %fraction, %more, %any, %whole, %whole : f32, f32, f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %p:5 = linalg.generic {indexing_maps = [#id, #id, #id, #id, #id, #id, #id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%m#0, %m#1, %m#2, %m#3, %m#4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      outs(%e, %e, %e, %e, %e : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32, %f: f32, %o: f32, %q: f32, %r: f32, %s: f32, %t: f32):
    linalg.yield %a, %b, %c, %d, %f : f32, f32, f32, f32, f32
  } -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %q = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%m#0, %m#1, %m#2 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.addf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %p#0, %p#1, %p#2, %p#3, %p#4, %q, %m#4 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// A sum of two maps that are codes is finite only where these are: its reader decodes
// them first, and then it is codes, too.
// CHECK-LABEL: @chain
// CHECK:       %[[M:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xi8>)
// CHECK:       %[[N:.*]] = linalg.generic {{.*}} ins(%[[M]]{{.*}} outs(%{{.*}} : tensor<8xi8>)
// CHECK-COUNT-2: linalg.generic {{.*}} ins(%[[N]] : tensor<8xi8>)
func.func @chain(%x: tensor<8xi32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %scale = arith.constant 0.1 : f32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: i32, %o: f32):
    %n = arith.sitofp %a : i32 to f32
    %y = arith.divf %n, %scale : f32
    %t = math.roundeven %y : f32
    %u = arith.maximumf %t, %low : f32
    %c = arith.minimumf %u, %high : f32
    %d = arith.mulf %c, %scale : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  %n = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %a : f32
    %y = arith.divf %s, %scale : f32
    %t = math.roundeven %y : f32
    %u = arith.maximumf %t, %low : f32
    %c = arith.minimumf %u, %high : f32
    %d = arith.mulf %c, %scale : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%n : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.absf %a : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%n : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.negf %a : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %p, %q, %r : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// What a product reads as codes is stored as these: a reader of the bytes turns
// them back.
// CHECK-LABEL: @codes_of_a_product
// CHECK:       %[[C:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xi8, #codes>)
// CHECK:         arith.trunci
// CHECK-NEXT:    arith.xori %{{.*}}, %c-128_i8
// CHECK:       %[[P:.*]] = linalg.generic {{.*}} ins(%[[C]] : tensor<8xi8, #codes>) outs(%{{.*}} : tensor<8xf32>)
// CHECK-NEXT:  ^bb0(%[[A:.*]]: i8, %{{.*}}: f32):
// CHECK-NEXT:    %[[B:.*]] = arith.xori %[[A]], %c-128_i8
// CHECK-NEXT:    arith.sitofp %[[B]]
// CHECK:       return %[[C]], %[[P]]
func.func @codes_of_a_product(%x: tensor<8xi32>) -> (tensor<8xi8, #codes>, tensor<8xf32>) {
  %top = arith.constant -128 : i8
  %e = tensor.empty() : tensor<8xi8>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi32>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i32, %o: i8):
    %b = arith.trunci %a : i32 to i8
    linalg.yield %b : i8
  } -> tensor<8xi8>
  %f = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : tensor<8xi8>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: i8, %o: f32):
    %b = arith.sitofp %a : i8 to f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %t = tensor.empty() : tensor<8xi8, #codes>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : tensor<8xi8>) outs(%t : tensor<8xi8, #codes>) {
  ^bb0(%a: i8, %o: i8):
    %b = arith.xori %a, %top : i8
    linalg.yield %b : i8
  } -> tensor<8xi8, #codes>
  return %c, %p : tensor<8xi8, #codes>, tensor<8xf32>
}

// Bytes that something else reads, too, are stored as both.
// CHECK-LABEL: @codes_and_bytes
// CHECK: %[[M:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xi8>)
// CHECK: linalg.generic {{.*}} ins(%[[M]] : tensor<8xi8>) outs(%{{.*}} : tensor<8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[M]] : tensor<8xi8>) outs(%{{.*}} : tensor<8xi8, #codes>)
func.func @codes_and_bytes(%x: tensor<8xi32>) -> (tensor<8xi8, #codes>, tensor<8xf32>, tensor<8xi8>) {
  %top = arith.constant -128 : i8
  %e = tensor.empty() : tensor<8xi8>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%x : tensor<8xi32>) outs(%e : tensor<8xi8>) {
  ^bb0(%a: i32, %o: i8):
    %b = arith.trunci %a : i32 to i8
    linalg.yield %b : i8
  } -> tensor<8xi8>
  %f = tensor.empty() : tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : tensor<8xi8>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: i8, %o: f32):
    %b = arith.sitofp %a : i8 to f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %t = tensor.empty() : tensor<8xi8, #codes>
  %c = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%m : tensor<8xi8>) outs(%t : tensor<8xi8, #codes>) {
  ^bb0(%a: i8, %o: i8):
    %b = arith.xori %a, %top : i8
    linalg.yield %b : i8
  } -> tensor<8xi8, #codes>
  return %c, %p, %m : tensor<8xi8, #codes>, tensor<8xf32>, tensor<8xi8>
}
