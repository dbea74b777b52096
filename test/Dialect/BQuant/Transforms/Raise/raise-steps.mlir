// RUN: bquant-opt --bquant-raise-products --split-input-file %s --remark-policy=all \
// RUN:   --remarks-filter=bquant --remark-format=emitRemark 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK <%t

// Inputs that have few values, whatever expression gives them: their ranks among
// these are quantized.

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>

// (x > t) - (x < -t) is ternary.
// CHECK-LABEL: func @ternary
// CHECK-DAG: %[[T:.*]] = arith.constant dense<[-5.000000e-01, 5.000000e-01]> : tensor<2xf32>
// CHECK-DAG: %[[V:.*]] = arith.constant dense<5.000000e-01> : tensor<1xf32>
// CHECK: bquant.quantize %{{.*}} thresholds(%[[T]] : tensor<2xf32>) codes [0, 2, 3] scalars(%[[V]] : tensor<1xf32>) {{.*}} -> !bquant.tensor<4x8, [1, 1]>
// CHECK: bquant.matmul
func.func @ternary(%x: tensor<4x8xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %t = arith.constant 0.3 : f32
  %minus = arith.constant -0.3 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %q = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.cmpf ogt, %in, %t : f32
    %1 = arith.cmpf olt, %in, %minus : f32
    %2 = arith.uitofp %0 : i1 to f32
    %3 = arith.uitofp %1 : i1 to f32
    %4 = arith.subf %2, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  %w = arith.constant dense<[[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
                             [1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0]]> : tensor<2x8xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%q, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>

// Learned levels by nested choices (LQ-Net) are two planes and an offset.
// CHECK-LABEL: func @learned
// CHECK-DAG: %[[T:.*]] = arith.constant dense<[2.500000e-01, 8.750000e-01, 1.500000e+00]> : tensor<3xf32>
// CHECK-DAG: %[[V:.*]] = arith.constant dense<[6.250000e-01, 2.500000e-01]> : tensor<2xf32>
// CHECK-DAG: %[[C:.*]] = arith.constant dense<8.750000e-01> : tensor<f32>
// CHECK: bquant.quantize %{{.*}} codes [0, 1, 2, 3] scalars(%[[V]] : tensor<2xf32>) offset(%[[C]] : tensor<f32>) {{.*}} -> !bquant.tensor<4x8, 2, offset>
// CHECK: bquant.matmul
func.func @learned(%x: tensor<4x8xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %t = arith.constant 0.2 : f32
  %a = arith.constant 0.5 : f32
  %b = arith.constant 1.25 : f32
  %c = arith.constant 1.75 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %q = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.cmpf oge, %in, %t : f32
    %1 = arith.cmpf oge, %in, %a : f32
    %2 = arith.cmpf oge, %in, %b : f32
    %3 = arith.select %2, %c, %b : f32
    %4 = arith.select %1, %3, %a : f32
    %5 = arith.select %0, %4, %zero : f32
    linalg.yield %5 : f32
  } -> tensor<4x8xf32>
  %w = arith.constant dense<[[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
                             [1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0]]> : tensor<2x8xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%q, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>

// Bounds behind the rounding, and a scale between (WAGE). NaN is least.
// CHECK-LABEL: func @bounded_behind
// CHECK: bquant.quantize %{{.*}} codes [0, 2, 3] {{.*}} -> !bquant.tensor<4x8, [1, 1]>
// CHECK: bquant.matmul
// REMARK: [Analysis] raise-product {{.*}}NaN gives the least of the levels, and not NaN as written
func.func @bounded_behind(%x: tensor<4x8xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %t = arith.constant 0.3 : f32
  %minus = arith.constant -0.3 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %q = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.divf %in, %t : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.mulf %1, %t : f32
    %3 = arith.minimumf %2, %t : f32
    %4 = arith.maximumf %3, %minus : f32
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  %w = arith.constant dense<[[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
                             [1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0]]> : tensor<2x8xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%q, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>

// Thresholds that differ: what the comparisons decide.
// CHECK-LABEL: func @chosen
// CHECK: bquant.quantize %{{.*}} codes [0, 2, 3] {{.*}} -> !bquant.tensor<4x8, [1, 1]>
// CHECK: bquant.matmul
func.func @chosen(%x: tensor<4x8xf32>, %init: tensor<4x2xf32>, %ts: tensor<8xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %q = linalg.generic {indexing_maps = [#x, #k, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x, %ts : tensor<4x8xf32>, tensor<8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %t: f32, %o: f32):
    %0 = arith.cmpf ogt, %in, %t : f32
    %1 = arith.negf %t : f32
    %2 = arith.cmpf olt, %in, %1 : f32
    %3 = arith.select %2, %minus, %zero : f32
    %4 = arith.select %0, %one, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  %w = arith.constant dense<[[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
                             [1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0]]> : tensor<2x8xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%q, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>

// A ramp has more.
// CHECK-LABEL: func @too_many
// CHECK-NOT: bquant.quantize %q
// CHECK: bquant.matmul %{{.*}} : (tensor<4x8xf32>
func.func @too_many(%x: tensor<4x8xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %q = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.cmpf oge, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<4x8xf32>
  %w = arith.constant dense<[[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
                             [1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0]]> : tensor<2x8xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%q, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>

// Seven levels of no even space would take six planes.
// CHECK-LABEL: func @seven
// CHECK: bquant.matmul %{{.*}} : (tensor<4x8xf32>
func.func @seven(%x: tensor<4x8xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %six = arith.constant 6.0 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %q = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %0 = arith.minimumf %in, %six : f32
    %1 = arith.maximumf %0, %zero : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.mulf %2, %2 : f32
    %4 = arith.mulf %3, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<4x8xf32>
  %w = arith.constant dense<[[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
                             [1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0]]> : tensor<2x8xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%q, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>

// Steps of each channel: eight levels, since its limits are in one order
// everywhere, the second one least.
// CHECK-LABEL: func @steps_of_channels
// CHECK: bquant.quantize %{{.*}} codes [0, 1, 2, 3, 4, 5, 6, 7] {{.*}} -> !bquant.tensor<4x8, [4, 2, 1], offset>
// CHECK: bquant.matmul %{{.*}} : (!bquant.tensor<4x8, [4, 2, 1], offset>
func.func @steps_of_channels(%x: tensor<4x8xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %t0 = arith.constant dense<[3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5]> : tensor<8xf32>
  %t1 = arith.constant dense<[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]> : tensor<8xf32>
  %t2 = arith.constant dense<[1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5]> : tensor<8xf32>
  %t3 = arith.constant dense<[2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5]> : tensor<8xf32>
  %t4 = arith.constant dense<[4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5]> : tensor<8xf32>
  %t5 = arith.constant dense<[6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0, 9.5]> : tensor<8xf32>
  %t6 = arith.constant dense<[5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5]> : tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %q = linalg.generic {indexing_maps = [#x, #k, #k, #k, #k, #k, #k, #k, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x, %t0, %t1, %t2, %t3, %t4, %t5, %t6
          : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %l0: f32, %l1: f32, %l2: f32, %l3: f32, %l4: f32, %l5: f32, %l6: f32, %o: f32):
    %c0 = arith.cmpf oge, %in, %l0 : f32
    %f0 = arith.uitofp %c0 : i1 to f32
    %c1 = arith.cmpf oge, %in, %l1 : f32
    %f1 = arith.uitofp %c1 : i1 to f32
    %s1 = arith.addf %f0, %f1 : f32
    %c2 = arith.cmpf oge, %in, %l2 : f32
    %f2 = arith.uitofp %c2 : i1 to f32
    %s2 = arith.addf %s1, %f2 : f32
    %c3 = arith.cmpf oge, %in, %l3 : f32
    %f3 = arith.uitofp %c3 : i1 to f32
    %s3 = arith.addf %s2, %f3 : f32
    %c4 = arith.cmpf oge, %in, %l4 : f32
    %f4 = arith.uitofp %c4 : i1 to f32
    %s4 = arith.addf %s3, %f4 : f32
    %c5 = arith.cmpf oge, %in, %l5 : f32
    %f5 = arith.uitofp %c5 : i1 to f32
    %s5 = arith.addf %s4, %f5 : f32
    %c6 = arith.cmpf oge, %in, %l6 : f32
    %f6 = arith.uitofp %c6 : i1 to f32
    %s6 = arith.addf %s5, %f6 : f32
    linalg.yield %s6 : f32
  } -> tensor<4x8xf32>
  %w = arith.constant dense<[[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
                             [1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0]]> : tensor<2x8xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%q, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = affine_map<(m, k) -> (m, k)>
#k = affine_map<(m, k) -> (k)>

// Where the order of a channel is another one, any outcomes might occur.
// CHECK-LABEL: func @steps_that_cross
// CHECK: bquant.matmul %{{.*}} : (tensor<4x8xf32>
func.func @steps_that_cross(%x: tensor<4x8xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %t0 = arith.constant dense<[3.0, 9.0, 4.0, 4.5, 5.0, 5.5, 6.0, 6.5]> : tensor<8xf32>
  %t1 = arith.constant dense<[0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]> : tensor<8xf32>
  %t2 = arith.constant dense<[1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5]> : tensor<8xf32>
  %t3 = arith.constant dense<[2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0, 5.5]> : tensor<8xf32>
  %t4 = arith.constant dense<[4.0, 4.5, 5.0, 5.5, 6.0, 6.5, 7.0, 7.5]> : tensor<8xf32>
  %t5 = arith.constant dense<[6.0, 6.5, 7.0, 7.5, 8.0, 8.5, 9.0, 9.5]> : tensor<8xf32>
  %t6 = arith.constant dense<[5.0, 5.5, 6.0, 6.5, 7.0, 7.5, 8.0, 8.5]> : tensor<8xf32>
  %e = tensor.empty() : tensor<4x8xf32>
  %q = linalg.generic {indexing_maps = [#x, #k, #k, #k, #k, #k, #k, #k, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x, %t0, %t1, %t2, %t3, %t4, %t5, %t6
          : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %l0: f32, %l1: f32, %l2: f32, %l3: f32, %l4: f32, %l5: f32, %l6: f32, %o: f32):
    %c0 = arith.cmpf oge, %in, %l0 : f32
    %f0 = arith.uitofp %c0 : i1 to f32
    %c1 = arith.cmpf oge, %in, %l1 : f32
    %f1 = arith.uitofp %c1 : i1 to f32
    %s1 = arith.addf %f0, %f1 : f32
    %c2 = arith.cmpf oge, %in, %l2 : f32
    %f2 = arith.uitofp %c2 : i1 to f32
    %s2 = arith.addf %s1, %f2 : f32
    %c3 = arith.cmpf oge, %in, %l3 : f32
    %f3 = arith.uitofp %c3 : i1 to f32
    %s3 = arith.addf %s2, %f3 : f32
    %c4 = arith.cmpf oge, %in, %l4 : f32
    %f4 = arith.uitofp %c4 : i1 to f32
    %s4 = arith.addf %s3, %f4 : f32
    %c5 = arith.cmpf oge, %in, %l5 : f32
    %f5 = arith.uitofp %c5 : i1 to f32
    %s5 = arith.addf %s4, %f5 : f32
    %c6 = arith.cmpf oge, %in, %l6 : f32
    %f6 = arith.uitofp %c6 : i1 to f32
    %s6 = arith.addf %s5, %f6 : f32
    linalg.yield %s6 : f32
  } -> tensor<4x8xf32>
  %w = arith.constant dense<[[1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0, -1.0],
                             [1.0, -1.0, -1.0, -1.0, 1.0, 1.0, -1.0, 1.0]]> : tensor<2x8xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%q, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}

// -----

#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>
#x = affine_map<(m, k) -> (m, k)>

// Larq's sign(sign(x) + 0.1), where the inner one is 0 for 0 and NaN: of x it has
// two values, of the sum it would have three.
// CHECK-LABEL: func @sign_of_sign
// CHECK: bquant.quantize %{{.*}} -> !bquant.tensor<4x8, 1>
// CHECK: bquant.matmul
func.func @sign_of_sign(%x: tensor<4x8xf32>, %init: tensor<4x2xf32>) -> tensor<4x2xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %minus = arith.constant -1.0 : f32
  %tenth = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<4x8xf32>
  %s = linalg.generic {indexing_maps = [#x, #x], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) {
  ^bb0(%in: f32, %o: f32):
    %p = arith.cmpf ogt, %in, %zero : f32
    %n = arith.cmpf olt, %in, %zero : f32
    %u = arith.select %n, %minus, %zero : f32
    %v = arith.select %p, %one, %u : f32
    %w = arith.addf %v, %tenth : f32
    %q = arith.cmpf ogt, %w, %zero : f32
    %r = arith.cmpf olt, %w, %zero : f32
    %t = arith.select %r, %minus, %zero : f32
    %z = arith.select %q, %one, %t : f32
    linalg.yield %z : f32
  } -> tensor<4x8xf32>
  %w = arith.constant dense<[[0.5, -0.5, 0.5, 0.5, -0.5, 0.5, 0.5, -0.5], [-0.5, -0.5, 0.5, 0.5, 0.5, 0.5, -0.5, 0.5]]> : tensor<2x8xf32>
  %y = linalg.matmul indexing_maps = [#a, #b, #c]
      ins(%s, %w : tensor<4x8xf32>, tensor<2x8xf32>) outs(%init : tensor<4x2xf32>) -> tensor<4x2xf32>
  return %y : tensor<4x2xf32>
}
