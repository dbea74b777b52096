// A narrow LeNet, activations and weights ls-T, as torch-mlir writes it: NCHW, a linalg.generic for each operation.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1) -> ()>
#map8 = affine_map<(d0, d1) -> (0, 0)>
#map9 = affine_map<(d0, d1) -> (d0, 0)>
#map10 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<1x1x8x8xf32>) -> tensor<1x10xf32> {
    %cst = arith.constant dense_resource<torch_tensor_4_1_3_3_torch.float32> : tensor<4x1x3x3xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<[-0.17965041, -0.41066954, 0.35868615, 0.35412055]> : tensor<4xf32>
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant dense<[0.5038149, 0.6788285, 1.0795497, 1.6070693]> : tensor<4xf32>
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant dense<[-0.3776584, -0.12876356, -0.118752584, 0.26503146]> : tensor<4xf32>
    %cst_7 = arith.constant dense<[-1.1995388, 0.34397927, -0.748979, -0.2796965]> : tensor<4xf32>
    %cst_8 = arith.constant dense<[-0.3432145, 0.18287057, -0.124865405, -0.1546915]> : tensor<4xf32>
    %cst_9 = arith.constant -2.000000e+00 : f32
    %cst_10 = arith.constant 2.000000e+00 : f32
    %cst_11 = arith.constant dense_resource<torch_tensor_8_4_3_3_torch.float32_1> : tensor<8x4x3x3xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_8_torch.float32_2> : tensor<8xf32>
    %cst_13 = arith.constant dense<1.0> : tensor<f32>
    %cst_14 = arith.constant dense<-1.0> : tensor<f32>
    %cst_15 = arith.constant dense<0.6000000238418579> : tensor<1x1x1x1xf32>
    %cst_16 = arith.constant dense<[0.08865944, -0.023452116, 0.41504282, -0.034270085, -0.50682193, -0.34349737, 0.041856606, 0.0010283338]> : tensor<8xf32>
    %cst_17 = arith.constant dense<[1.6934975, 0.7859464, 0.6701788, 0.98794436, 1.4953226, 1.2907263, 0.5141155, 1.3727319]> : tensor<8xf32>
    %cst_18 = arith.constant dense<[0.4928338, -0.53378236, 0.27842236, 0.18048137, 0.5013366, 0.44001898, -0.39541465, 0.12333425]> : tensor<8xf32>
    %cst_19 = arith.constant dense<[0.8335007, 1.0217022, 0.58249193, -0.5333783, 1.3860972, -0.06451386, -0.44336918, 0.2522694]> : tensor<8xf32>
    %cst_20 = arith.constant dense<[-0.11937989, -0.18749917, 0.056739878, 0.8317046, 0.11913978, 0.04535971, -0.11819111, 0.12895977]> : tensor<8xf32>
    %cst_21 = arith.constant dense<0.6000000238418579> : tensor<1x1xf32>
    %cst_22 = arith.constant dense_resource<torch_tensor_16_32_torch.float32_3> : tensor<16x32xf32>
    %cst_23 = arith.constant dense_resource<torch_tensor_16_torch.float32_4> : tensor<16xf32>
    %cst_24 = arith.constant dense<[0.36136004, 0.3478138, -0.18439429, -0.10377017, -0.4829246, -0.13450228, 0.2834764, -0.13153656, -0.5116083, 0.47176552, 0.5811899, 0.44547808, -0.46631247, 0.24006172, -0.2564811, -0.04941251]> : tensor<16xf32>
    %cst_25 = arith.constant dense_resource<torch_tensor_10_16_torch.float32_5> : tensor<10x16xf32>
    %cst_26 = arith.constant dense<[0.34027016, 0.22592728, -0.23393942, 0.21146716, -0.22943552, 0.22993162, -0.053899765, -0.05556002, 0.03879695, -0.48080266]> : tensor<10xf32>
    %0 = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x1x8x8xf32> to tensor<1x1x10x10xf32>
    %1 = tensor.empty() : tensor<1x4x8x8xf32>
    %2 = linalg.broadcast ins(%cst_2 : tensor<4xf32>) outs(%1 : tensor<1x4x8x8xf32>) dimensions = [0, 2, 3]
    %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%0, %cst : tensor<1x1x10x10xf32>, tensor<4x1x3x3xf32>) outs(%2 : tensor<1x4x8x8xf32>) -> tensor<1x4x8x8xf32>
    %4 = tensor.empty() : tensor<1x4x8x8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<1x4x8x8xf32>) outs(%4 : tensor<1x4x8x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ugt, %in, %cst_1 : f32
      %r = arith.select %b, %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x8x8xf32>
    %6 = tensor.empty() : tensor<1x4x4x4xf32>
    %7 = linalg.fill ins(%cst_3 : f32) outs(%6 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %8 = tensor.empty() : tensor<2x2xf32>
    %9 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%5, %8 : tensor<1x4x8x8xf32>, tensor<2x2xf32>) outs(%7 : tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
    %10 = tensor.empty() : tensor<4xf32>
    %11 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_4 : tensor<4xf32>) outs(%10 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_5 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    %12 = tensor.empty() : tensor<4xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%11 : tensor<4xf32>) outs(%12 : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<4xf32>
    %14 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %15 = tensor.empty() : tensor<1x4x4x4xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%9, %14 : tensor<1x4x4x4xf32>, tensor<4x1x1xf32>) outs(%15 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %17 = tensor.expand_shape %13 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %18 = tensor.empty() : tensor<1x4x4x4xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %17 : tensor<1x4x4x4xf32>, tensor<4x1x1xf32>) outs(%18 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %20 = tensor.expand_shape %cst_7 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %21 = tensor.empty() : tensor<1x4x4x4xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19, %20 : tensor<1x4x4x4xf32>, tensor<4x1x1xf32>) outs(%21 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %23 = tensor.expand_shape %cst_8 [[0, 1, 2]] output_shape [4, 1, 1] : tensor<4xf32> into tensor<4x1x1xf32>
    %24 = tensor.empty() : tensor<1x4x4x4xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22, %23 : tensor<1x4x4x4xf32>, tensor<4x1x1xf32>) outs(%24 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %26 = tensor.empty() : tensor<1x4x4x4xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%25 : tensor<1x4x4x4xf32>) outs(%26 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ult, %in, %cst_9 : f32
      %c = arith.select %b, %cst_9, %in : f32
      %d = arith.cmpf ugt, %c, %cst_10 : f32
      %r = arith.select %d, %cst_10, %c : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %28 = tensor.expand_shape %cst_12 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %29 = tensor.empty() : tensor<8x4x3x3xi1>
    %30 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<8x4x3x3xf32>) outs(%29 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %31 = tensor.empty() : tensor<8x4x3x3xi1>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<8x4x3x3xf32>) outs(%31 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %33 = tensor.empty() : tensor<8x4x3x3xf32>
    %34 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %cst_13 : tensor<8x4x3x3xi1>, tensor<f32>) outs(%33 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %35 = tensor.empty() : tensor<8x4x3x3xf32>
    %36 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%32, %cst_14, %34 : tensor<8x4x3x3xi1>, tensor<f32>, tensor<8x4x3x3xf32>) outs(%35 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %37 = tensor.empty() : tensor<8x4x3x3xi1>
    %38 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<8x4x3x3xf32>) outs(%37 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %39 = tensor.empty() : tensor<8x4x3x3xf32>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<8x4x3x3xi1>) outs(%39 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %41 = tensor.empty() : tensor<8x4x3x3xf32>
    %42 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %40 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%41 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %43 = tensor.empty() : tensor<8x4x3x3xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %42 : tensor<8x1x1x1xf32>, tensor<8x4x3x3xf32>) outs(%43 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %45 = tensor.empty() : tensor<8x4x3x3xf32>
    %46 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11, %44 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%45 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %47 = tensor.empty() : tensor<8x4x3x3xi1>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<8x4x3x3xf32>) outs(%47 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %49 = tensor.empty() : tensor<8x4x3x3xi1>
    %50 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<8x4x3x3xf32>) outs(%49 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %51 = tensor.empty() : tensor<8x4x3x3xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %cst_13 : tensor<8x4x3x3xi1>, tensor<f32>) outs(%51 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %53 = tensor.empty() : tensor<8x4x3x3xf32>
    %54 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50, %cst_14, %52 : tensor<8x4x3x3xi1>, tensor<f32>, tensor<8x4x3x3xf32>) outs(%53 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %55 = tensor.empty() : tensor<8x4x3x3xi1>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<8x4x3x3xf32>) outs(%55 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %57 = tensor.empty() : tensor<8x4x3x3xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56 : tensor<8x4x3x3xi1>) outs(%57 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %59 = tensor.empty() : tensor<8x4x3x3xf32>
    %60 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54, %58 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%59 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %61 = tensor.empty() : tensor<8x4x3x3xf32>
    %62 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%42, %60 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%61 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %63 = tensor.empty() : tensor<8x4x3x3xf32>
    %64 = linalg.generic {indexing_maps = [#map4, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %62 : tensor<8x1x1x1xf32>, tensor<8x4x3x3xf32>) outs(%63 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %65 = tensor.empty() : tensor<1x4x4x4xi1>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x4x4xf32>) outs(%65 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %67 = tensor.empty() : tensor<1x4x4x4xi1>
    %68 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x4x4xf32>) outs(%67 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %69 = tensor.empty() : tensor<1x4x4x4xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%66, %cst_13 : tensor<1x4x4x4xi1>, tensor<f32>) outs(%69 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %71 = tensor.empty() : tensor<1x4x4x4xf32>
    %72 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %cst_14, %70 : tensor<1x4x4x4xi1>, tensor<f32>, tensor<1x4x4x4xf32>) outs(%71 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %73 = tensor.empty() : tensor<1x4x4x4xi1>
    %74 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x4x4xf32>) outs(%73 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %75 = tensor.empty() : tensor<1x4x4x4xf32>
    %76 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<1x4x4x4xi1>) outs(%75 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %77 = tensor.empty() : tensor<1x4x4x4xf32>
    %78 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %76 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%77 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %79 = tensor.empty() : tensor<1x4x4x4xf32>
    %80 = linalg.generic {indexing_maps = [#map5, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_15, %78 : tensor<1x1x1x1xf32>, tensor<1x4x4x4xf32>) outs(%79 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %81 = tensor.empty() : tensor<1x4x4x4xf32>
    %82 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %80 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%81 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %83 = tensor.empty() : tensor<1x4x4x4xi1>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<1x4x4x4xf32>) outs(%83 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %85 = tensor.empty() : tensor<1x4x4x4xi1>
    %86 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<1x4x4x4xf32>) outs(%85 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %87 = tensor.empty() : tensor<1x4x4x4xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%84, %cst_13 : tensor<1x4x4x4xi1>, tensor<f32>) outs(%87 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %89 = tensor.empty() : tensor<1x4x4x4xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %cst_14, %88 : tensor<1x4x4x4xi1>, tensor<f32>, tensor<1x4x4x4xf32>) outs(%89 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %91 = tensor.empty() : tensor<1x4x4x4xi1>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82 : tensor<1x4x4x4xf32>) outs(%91 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %93 = tensor.empty() : tensor<1x4x4x4xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92 : tensor<1x4x4x4xi1>) outs(%93 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %95 = tensor.empty() : tensor<1x4x4x4xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90, %94 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%95 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %97 = tensor.empty() : tensor<1x4x4x4xf32>
    %98 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %96 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%97 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %99 = tensor.empty() : tensor<1x4x4x4xf32>
    %100 = linalg.generic {indexing_maps = [#map5, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_15, %98 : tensor<1x1x1x1xf32>, tensor<1x4x4x4xf32>) outs(%99 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %101 = tensor.pad %100 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x4x4x4xf32> to tensor<1x4x6x6xf32>
    %102 = tensor.empty() : tensor<1x8x4x4xf32>
    %103 = linalg.broadcast ins(%cst_16 : tensor<8xf32>) outs(%102 : tensor<1x8x4x4xf32>) dimensions = [0, 2, 3]
    %104 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%101, %64 : tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) outs(%103 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %105 = tensor.empty() : tensor<1x8x4x4xf32>
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%104 : tensor<1x8x4x4xf32>) outs(%105 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ugt, %in, %cst_1 : f32
      %r = arith.select %b, %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x4x4xf32>
    %107 = tensor.empty() : tensor<1x8x2x2xf32>
    %108 = linalg.fill ins(%cst_3 : f32) outs(%107 : tensor<1x8x2x2xf32>) -> tensor<1x8x2x2xf32>
    %109 = tensor.empty() : tensor<2x2xf32>
    %110 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%106, %109 : tensor<1x8x4x4xf32>, tensor<2x2xf32>) outs(%108 : tensor<1x8x2x2xf32>) -> tensor<1x8x2x2xf32>
    %111 = tensor.empty() : tensor<8xf32>
    %112 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_17 : tensor<8xf32>) outs(%111 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_5 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %113 = tensor.empty() : tensor<8xf32>
    %114 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%112 : tensor<8xf32>) outs(%113 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %115 = tensor.expand_shape %cst_18 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %116 = tensor.empty() : tensor<1x8x2x2xf32>
    %117 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110, %115 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%116 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %118 = tensor.expand_shape %114 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %119 = tensor.empty() : tensor<1x8x2x2xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%117, %118 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%119 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %121 = tensor.expand_shape %cst_19 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %122 = tensor.empty() : tensor<1x8x2x2xf32>
    %123 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120, %121 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%122 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %124 = tensor.expand_shape %cst_20 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %125 = tensor.empty() : tensor<1x8x2x2xf32>
    %126 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123, %124 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%125 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %127 = tensor.empty() : tensor<1x8x2x2xf32>
    %128 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126 : tensor<1x8x2x2xf32>) outs(%127 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ult, %in, %cst_9 : f32
      %c = arith.select %b, %cst_9, %in : f32
      %d = arith.cmpf ugt, %c, %cst_10 : f32
      %r = arith.select %d, %cst_10, %c : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %129 = tensor.collapse_shape %128 [[0], [1, 2, 3]] : tensor<1x8x2x2xf32> into tensor<1x32xf32>
    %130 = tensor.empty() : tensor<1x32xi1>
    %131 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%129 : tensor<1x32xf32>) outs(%130 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %132 = tensor.empty() : tensor<1x32xi1>
    %133 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%129 : tensor<1x32xf32>) outs(%132 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %134 = tensor.empty() : tensor<1x32xf32>
    %135 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%131, %cst_13 : tensor<1x32xi1>, tensor<f32>) outs(%134 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %136 = tensor.empty() : tensor<1x32xf32>
    %137 = linalg.generic {indexing_maps = [#map6, #map7, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%133, %cst_14, %135 : tensor<1x32xi1>, tensor<f32>, tensor<1x32xf32>) outs(%136 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %138 = tensor.empty() : tensor<1x32xi1>
    %139 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%129 : tensor<1x32xf32>) outs(%138 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %140 = tensor.empty() : tensor<1x32xf32>
    %141 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%139 : tensor<1x32xi1>) outs(%140 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %142 = tensor.empty() : tensor<1x32xf32>
    %143 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%137, %141 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%142 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %144 = tensor.empty() : tensor<1x32xf32>
    %145 = linalg.generic {indexing_maps = [#map8, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_21, %143 : tensor<1x1xf32>, tensor<1x32xf32>) outs(%144 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %146 = tensor.empty() : tensor<1x32xf32>
    %147 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%129, %145 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%146 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %148 = tensor.empty() : tensor<1x32xi1>
    %149 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%147 : tensor<1x32xf32>) outs(%148 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %150 = tensor.empty() : tensor<1x32xi1>
    %151 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%147 : tensor<1x32xf32>) outs(%150 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %152 = tensor.empty() : tensor<1x32xf32>
    %153 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%149, %cst_13 : tensor<1x32xi1>, tensor<f32>) outs(%152 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %154 = tensor.empty() : tensor<1x32xf32>
    %155 = linalg.generic {indexing_maps = [#map6, #map7, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%151, %cst_14, %153 : tensor<1x32xi1>, tensor<f32>, tensor<1x32xf32>) outs(%154 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %156 = tensor.empty() : tensor<1x32xi1>
    %157 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%147 : tensor<1x32xf32>) outs(%156 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %158 = tensor.empty() : tensor<1x32xf32>
    %159 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%157 : tensor<1x32xi1>) outs(%158 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %160 = tensor.empty() : tensor<1x32xf32>
    %161 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%155, %159 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%160 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %162 = tensor.empty() : tensor<1x32xf32>
    %163 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%143, %161 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%162 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %164 = tensor.empty() : tensor<1x32xf32>
    %165 = linalg.generic {indexing_maps = [#map8, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_21, %163 : tensor<1x1xf32>, tensor<1x32xf32>) outs(%164 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %166 = tensor.expand_shape %cst_23 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %167 = tensor.empty() : tensor<16x32xi1>
    %168 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_22 : tensor<16x32xf32>) outs(%167 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %169 = tensor.empty() : tensor<16x32xi1>
    %170 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_22 : tensor<16x32xf32>) outs(%169 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %171 = tensor.empty() : tensor<16x32xf32>
    %172 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%168, %cst_13 : tensor<16x32xi1>, tensor<f32>) outs(%171 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %173 = tensor.empty() : tensor<16x32xf32>
    %174 = linalg.generic {indexing_maps = [#map6, #map7, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%170, %cst_14, %172 : tensor<16x32xi1>, tensor<f32>, tensor<16x32xf32>) outs(%173 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %175 = tensor.empty() : tensor<16x32xi1>
    %176 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_22 : tensor<16x32xf32>) outs(%175 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %177 = tensor.empty() : tensor<16x32xf32>
    %178 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%176 : tensor<16x32xi1>) outs(%177 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %179 = tensor.empty() : tensor<16x32xf32>
    %180 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%174, %178 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%179 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %181 = tensor.empty() : tensor<16x32xf32>
    %182 = linalg.generic {indexing_maps = [#map9, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%166, %180 : tensor<16x1xf32>, tensor<16x32xf32>) outs(%181 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %183 = tensor.empty() : tensor<16x32xf32>
    %184 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_22, %182 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%183 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %185 = tensor.empty() : tensor<16x32xi1>
    %186 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%184 : tensor<16x32xf32>) outs(%185 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %187 = tensor.empty() : tensor<16x32xi1>
    %188 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%184 : tensor<16x32xf32>) outs(%187 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %189 = tensor.empty() : tensor<16x32xf32>
    %190 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%186, %cst_13 : tensor<16x32xi1>, tensor<f32>) outs(%189 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %191 = tensor.empty() : tensor<16x32xf32>
    %192 = linalg.generic {indexing_maps = [#map6, #map7, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%188, %cst_14, %190 : tensor<16x32xi1>, tensor<f32>, tensor<16x32xf32>) outs(%191 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %193 = tensor.empty() : tensor<16x32xi1>
    %194 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%184 : tensor<16x32xf32>) outs(%193 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %195 = tensor.empty() : tensor<16x32xf32>
    %196 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%194 : tensor<16x32xi1>) outs(%195 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %197 = tensor.empty() : tensor<16x32xf32>
    %198 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%192, %196 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%197 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %199 = tensor.empty() : tensor<16x32xf32>
    %200 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%180, %198 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%199 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %201 = tensor.empty() : tensor<16x32xf32>
    %202 = linalg.generic {indexing_maps = [#map9, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%166, %200 : tensor<16x1xf32>, tensor<16x32xf32>) outs(%201 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %203 = tensor.empty() : tensor<32x16xf32>
    %204 = linalg.transpose ins(%202 : tensor<16x32xf32>) outs(%203 : tensor<32x16xf32>) permutation = [1, 0]
    %205 = tensor.empty() : tensor<1x16xf32>
    %206 = linalg.fill ins(%cst_1 : f32) outs(%205 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %207 = linalg.matmul ins(%165, %204 : tensor<1x32xf32>, tensor<32x16xf32>) outs(%206 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %208 = tensor.empty() : tensor<1x16xf32>
    %209 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel"]} ins(%207, %cst_24 : tensor<1x16xf32>, tensor<16xf32>) outs(%208 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x16xf32>
    %210 = tensor.empty() : tensor<1x16xf32>
    %211 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%209 : tensor<1x16xf32>) outs(%210 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ugt, %in, %cst_1 : f32
      %r = arith.select %b, %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x16xf32>
    %212 = tensor.empty() : tensor<16x10xf32>
    %213 = linalg.transpose ins(%cst_25 : tensor<10x16xf32>) outs(%212 : tensor<16x10xf32>) permutation = [1, 0]
    %214 = tensor.empty() : tensor<1x10xf32>
    %215 = linalg.fill ins(%cst_1 : f32) outs(%214 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %216 = linalg.matmul ins(%211, %213 : tensor<1x16xf32>, tensor<16x10xf32>) outs(%215 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %217 = tensor.empty() : tensor<1x10xf32>
    %218 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel"]} ins(%216, %cst_26 : tensor<1x10xf32>, tensor<10xf32>) outs(%217 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x10xf32>
    return %218 : tensor<1x10xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_1_3_3_torch.float32: "0x04000000D90D80BEE440E2BD5BCF823EB19D8EBD9F741F3F6C29763E85F2523F55007D3D05962D3F8233223F2A3A37BDE96CA73F43A54A3F68AE9B3E09138FBD91D729BCC8B361BD1D62333E48EE09BF1675793D59E68ABEF8455F3F2202D73EFD0E603F7C1E9E3F85558D3EF48C863F5DF1673E78A7B53E8F04E1BE0535A33D5D43423FAEB0933EA2651ABEF1062D3DC00DAABE",
      torch_tensor_8_4_3_3_torch.float32_1: "0x040000008E74173FCD005C3E9D429D3FA878813E890BAB3D19C3D53DF59EB63F068C2B3F6FE3CCBD4C73503EE6295EBEAAFEC03E01A856BEC51C73BEA506883EF182393FC945F23EC9AFD63E9540833D870C96BFB2152CBDAE1682BD35BA9E3EA87B6C3FB475D83E725256BFFDFB513D80F6A2BD4D45CD3E185AF13BF1EE6CBF8F83D6BEA17600BE650E7FBF341FE3BCFB80E1BD25CE123F1946D9BC60CE90BED38604BD137D213D5335053F1ABEE7BE10EC8DBF9DC7B53FC061D23EAE9C453D3E1BA03F0CC80CBF9D34BFBE7F9E48BE94BF8B3EA9FA53BE4F52D73EA36E1CBE47982E3F551E853E688A50BFB4E4F63B6BE30DBF64AC40BD94BBB33C1015943F4D65C7BDEE9D4BBFD1D3993D3DF911BFC754723FE0E8C13E4507513F2B423CBEFEF402BFD4C0293EDD442EBFC648F2BEE3CCBCBEFFC06ABDC9D541BF2A0A84BF4B093E3F3B2285BEEC6C9EBDC806A33EC80F753E0EFEA1BE4D5557BE4053563F9247283FDB2CCC3E5EAD5D3F665C70BF17B1B43D3556F5BD14D974BF0B5A483E757CB43EB475203E186665BFC7EBAEBD0089093E7EFEC3BD4EC72D3E0411903EE356403FD919173EAE8DAF3F76C80F3E9FFD333E7249DB3E9394C0BB4ABB08BEA9042A3F716E87BFE6BF5EBF0AD18B3FB786D13E57CD9E3E8700423E3009373E9426E5BE5A0AE1BD6470F9BECFC31F3FB1DFB83E8AF9223E7F28713E07EDF7BC97BF0CBF7251683FF76CBD3EB4BB4BBD8B5CAE3E2908303F451E243F6608C13E9D1FEC3ED9FC9CBD46F13A3FE056063F0F7F063FF12F1FBFF3D2BC3EE069C33EBF10E63E3892A4BFC8756ABF3475383EBFCFE4BE1B3B6E3E98F944BCFC58F23EF9D181BEEC3003BF39A1983E35FAE4BD8E7012BFA34A7CBFFE66D13FFBC121BEB31AC8BDFAEC7ABF3F7EFEBE909E6BBDF8DA433EFA24D83EE490B8BE86238A3E9ADC1C3FA10476BEEFDD5EBC4E4167BF61ACCBBE010D30BF2CC4BA3E213694BD6068563F00E3F13D2D67DD3E658B923E1680013EFA5B07BF6F4F5F3FD825C8BCB2A46CBF74B68CBE82A10BBFBBDE203FF1E10F3FEE934F3FEBFA923FB5B69FBE7C6673BFB9D4ECBE86016F3E7ACFAFBF6B8693BE756EEA3E65D4D5BEAE2F23BDDED0E4BE95E26C3F47EF833FB9CF00BF0779D4BE8D06BD3D4433C63E9D81813EE95ABF3EE8500D3F60272C3F0159833F18221C3E299F37BEFC36F93CA54B9D3F30C4023F7880E53E142F473FA3E5383FE35CA73FC09AABBE644F413E0679F33EAB69023FA7B3F1BDAF2243BF97D57ABD96918FBEE178B93C4926263FC045E13EE20A05BFB533A2BE39E9303ECDB4293FEDC0143D87623A3E448338BF46B642BE1153B3BE3418273E8779ACBD68F5CDBE5C8003BFFFC1203E9F3496BE3652223FBD0BF73D475CCABD97AD023FA37815BF16B1023F0ABFADBE175BD23E207CA4BED4EFEBBE82936DBFAF804D3D15418E3ED30A33BFDC24723F7F92823C31D70FBF33E2843FDC3441BE1EA8473FB862B8BFD1AF913F1456F43DB99E923C4CD53E3E936514BFB65CFF3EB06F7C3E20153D3E70C78DBEBBEB15BF5F92503ED704E23EF7ADB43D0B90B3BDB41282BEEA73C53E872C443FC7C583BD4C74DABE41F6A43FAE204ABF",
      torch_tensor_8_torch.float32_2: "0x0400000031A49D3ED56CAD3E217FA53E4626A93E7A21AB3E1671D13E48C5983E1248B63E",
      torch_tensor_16_32_torch.float32_3: "0x040000002B9512BF4DE9913E1CF3313E6848A53D71648F3E0F2387BD3AFBC03EDD999F3E403AA53EFF151A3D5E2EFA3E744B6CBD7169323F1C61AFBC7D02313F0AE72A3EC935A93C547FF5BE90BDB83E3887623E92D57B3DFDB67C3EFA6FD83DE98CDDBE8AC010BFEB20B93EE007063EA690513F0D04893F2D1CED3E01AABB3E4885A83E6629BD3D95C793BEF1A9A7BF4D9BDC3E5470AE3E137B673DA686D83D238B093F7A7F023F8DCD0D3E9A8CB3BD0B26B23E2F5CE63E8E17963FF876DABEB1F5963E55FBD2BEF45A46BEBB299F3FC28631BE1F31CDBC098083BE4B87F63E09E134BE69DF50BFA31CE33D40BBEC3EEF84CB3C2866F13D4A79A4BE7638E4BE75B91A3D05570CBFA57745BEE448F3BEFA56B5BD3341E13E8770593C75E31C3FADBD5E3E56131BBD1BD2DFBEE534A43DFCEC11BF44D0D43EBF2E2ABFB69530BFB951D4BEAE0756BFB4499F3DBDA4BFBECBBC5BBE2926AE3EFB6F8EBF80F8D7BD384E513EE3B70B3F794EB73D3D5DA5BEB93B003FBE9EFE3E6551943F7A3B903FB200ACBDD3ED393F8E48053E212F00BF9121C53E69A2313FD4A597BF50D1343FBCA5CEBE0C34593FB347133E9E5ECC3DB25C3D3F9B2118BE0B538C3F9A92F1BEA8F692BE737309BFD835983E608A88BCB404DC3E74C8143F164FDA3E4F5A123F99A8133FEE8AE5BC69AFBABED21FFBBE2CE4CA3E1DBC85BECAACF9BEFFFAD7BE9F70D4BD3D18003EA8A8FDBD67DA05BF3ED48F3EF94492BF8D3B2ABE54CB073FC3B0073E63D51A3F4E13413D1641943E7AF5603C35346BBE32F63B3EC006F93E35E982BFB014DDBE6DB88BBFBA16FFBE7D012EBF25648ABE38FC35BE800CED3E364D1A3F9A48E2BE648991BE1C37933E9260B9BE5C7576BEFA467BBFDAA2AD3E753BCC3DA1B006BFDC2736BF8A3E14BF7AF9413E9DC990BE46C728BF18AC4EBEB760CF3E596B1B3F5FA7273FBFAD183D4D02DD3D7D86023E86FAA33E0D8E903E77AC02BFAAB5C9BEBFEA5BBE03A2AF3EE2438EBE5AB7D1BE2912013F07773A3F0693F5BEDF56B1BDFFA7123F465D61BE99C8E73EED253DBF8F1003BED974A33E93E9433F3A18F03EE0AC57BF41B04CBF3686EBBE7D92CF3E6B79B53E234B093F7457AB3EC1A79EBEE1AA57BE45E4F1BE6ACCCF3E256129BF7E5A5A3CB686DA3DCCEA1B3FBC2CD1BE1C383D3E878507BFA720013F6AFE50BE83CE33BEB51101BFB542A8BE81C4B2BEE808A9BEFC57123F7AAE05BFBF26D73D4FC3D03E49A218BFF38E8EBF6548623EB6ED5BBF3402D4BE06308CBD7AE5F73D89811EBE79C8C0BEC735F93E1FCFC33D0ABC753F9341F4BEA37783BD086523BDD270833E38B5CC3D29969BBBD17F7A3F3D80C8BDFE6D543EB87AA23D3CD6A6BE8F29B93EE06A76BF1B9A103FCC014EBF097C33BEC99D113DDDE187BEFB688FBEB8A0173F3E76993F9896033FFE42893D1FC5AABE8258CFBEC958193F75A8E03E1978273F16D3FC3E0364283FC8A6A3BEBD2BD4BE948607BFC07DF4BC1487E8BDF675243D506320BF6DD3903D2295C83E5DA1BA3C7EF0B0BF7091EABC27C44ABEE4D2E43E23C0C8BD6E4C9B3E65BA59BED8CF173E99E7F23E33F51DBE49860E3EE2C9843DAF89953E299B9EBD40B7643E25E670BF2F9709BEFBD4CC3EC835A43E7CFD00BF68AAD7BE37903A3E520D273ECD3A5D3E979C653C5966123D3F05013F08B5F9BE8E0B37BF0AD7FA3E1E4BCEBED881A73E8E31B8BEA5EB12BFD7DA413F083A5FBD00443ABFB81E06BEA62ADCBDD95302BEDCA3783DE2141ABF2CAE2ABE44D64E3EB090923E6924963CE1D9DABEB9E681BFE586353F372916BFDFF880BECB3491BC24DF4B3EB4BB16BD692FDEBE7E8234BDF2F3813FE1A89D3F04C208BE30D7993EDA7B66BFE0E1AB3D308CAB3E843031BE5540643FE43CD63E7D10933EC281AABFE2E1A7BED088AC3EDC2088BE32D566BF504F9EBE706C3E3F73DAA43EE90FD53E01CBA23D38C74A3F2304B6BF78B71DBFCD27723F58EF023F118AD93D25F13FBEE98C6CBF43006BBEE12EB0BDE916F5BE43DF2C3F47AA003F1B2920BE9744E03E272C11BD0677F93DCB8382BE0A839D3F32E143BF61B9AEBDF596013FA576003F14EB53BFA1E0F9BE65257CBD0C35D4BEB4B5B2BEEA980EBE20EAB9BD2C6E0A3FA2D15DBF32AB043FADFE00BEB3FD8F3EDE083FBE558C953F5B526ABF048A153F960070BE8C4D01BEE709343FAE9CE3BDDAF4E33E7D78383F88679DBEC50C813F9E40203F1A6DF0BD87C6D93D9426BABE4432123EE5E3DD3EE41B003F1DEEDF3D960987BEB4D2A7BEF1F5F7BEDB4213BE4BE7983EEC7797BEEF17B1BE1FEA08BF2DE5903E2ABA09BE353C51BFAD410D3FC7EF063FA50BA33B225739BE494CB7BCB505F0BE516FFF3E23AF303F50D3023FADEBEA3D4162E53DE41F863EBFFD593F1FC5CEBEFBE168BC432CB3BE61DD1CBF83E8253E73E60F3F882309BF2678FA3EE3B5A93E79CA693E6A2F2D3F54ADABBE58A64D3FD1733DBE1A63883ECC5E47BF3ADAF63E84290E3CB4CC93BE8D8205BF7282C13D1390283F7966843EAF1B36BE023AC8BED23908BFB3A530BEE3C24FBF64F549BE05050A3F313723BDE8FAB2BD67189FBE0E5DB13E48719C3E2753333F46DAB8BEA2DC11BFA42FA2BE303321BF92E621BDC74F6CBEC96DE4BEE0CF26BDBA4BF93EC729AF3E4D97A9BE78C4153A7B390F3EEFB3A03E5BAC42BE878129BF1FED1D3E3CFE00BFA93350BE399E1CBE8259E23E6F2782BE4E42803D430901BE0B1D96BE1F5AD73EED2880BEF2AB603EF91DFE3DB8B771BF5BF857BF3833CCBFD432033E9286E23D0BD18FBE0EB28FBE621B37BE46F4AABEAC711DBD069019BD597BEDBE7B45313F379FF83E73E962BE566B883F95659A3F",
      torch_tensor_16_torch.float32_4: "0x04000000A5F37F3E6CAB8E3E2AE1A13E15AEAE3EB8D99D3E060E9A3E04ECA53EE9BA913EC479753EEFC47F3E29D5B73E78EDB43EBA27953E76129A3E1231803EBA999B3E",
      torch_tensor_10_16_torch.float32_5: "0x04000000CC71AC3E49CC403F0677A6BEC6F83EBEF6ED24BF7A400BBC08F8FFBEBA5085BE88AFBC3E5F5195BCD0AB453DF8DD033E60E0C73E6FA92E3F164818BF0A4D51BF7AE97C3E817BAC3EA2A92F3F6D85C33E06525B3F69947B3E83ADA8BEE6E1FB3E6B9AEABE2FCEB5BE0485463E8E410EBEC05CEA3E37EA4ABE5107683FC8F605BFE20CB03EA35078BEFF2D333F698598BEB800C03E0077CCBFF59BC1BE586F523F56D3B73DE93A143DF2F3E03E3D279A3FE2910EBF353E38BDA17270BE95E9B23ECE6DB7BE24DB49BF29F144BF6262A83E494CD23D4F8FDB3E089D4EBF084EE9BEBE6C8DBE2A6DD93EEAED623E6910B4BD59D501BFC70AC03DF55876BE64ECE33E3D51603F76CE713D995910BFBC21993FE17FA33E285E8A3E1FD26F3DAAC1B33DDA62453D756D083E115F40BF617FB6BE3F5E2FBDB2A79D3DDA1FD03D9295603E3AA269BF171BF7BEF337AABEEE928F3D01DABEBDC0967F3F801340BE402FF3BDBB6946BFEA786B3F2177373DD2CF5CBD2600A4BE8545423D824330BE35511D3F9390CDBEE2AA5ABE458286BEDCE7993E54592F3EC9B9FF3EC2088E3EE2B3953E71D9083DFFECEB3EDB507F3E9D7D313E5F984CBF49FF69BECF09AEBE8B3568BF68A6293F7EDA3B3F72160D3F15E8953EDD84403FE48456BF51D3243FD5C781BF8EB9AA3DC5877F3D9F50853EA062A93E9F25B83E6A25B3BE6A32ADBE0A75D5BE1562863DF1AC2FBEFE5F4CBFBFC2F63E159B12BF678E7CBEC932BFBEC259C0BEEA52943E16D3B2BE36EE38BF4E08ABBEA60305BF8A0D46BF8C2EE93E996F133FBEE939BFF47D483FD4646A3FEED332BFF62C543E987512BE218ED33E600CBDBF93559E3EDC4740BEE482713EDE90E13E6C1298BFFC67E9BC34E39FBBA8E0983E"
    }
  }
#-}
