// A block of XNOR-Net: the map K of the input, alpha of each filter computed in the graph, as torch-mlir writes it: NCHW, a linalg.generic for each operation.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>
#map5 = affine_map<(d0, d1, d2, d3) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<1x3x6x6xf32>) -> tensor<1x5xf32> {
    %cst = arith.constant dense_resource<torch_tensor_8_3_3_3_torch.float32> : tensor<8x3x3x3xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<[-0.5182152, 0.008700606, 0.10155692, -0.22837257, -0.7047098, -0.3597245, -0.23443384, 0.18788603]> : tensor<8xf32>
    %cst_3 = arith.constant dense<[1.806461, 1.3233413, 1.7762051, 1.8343575, 0.55227387, 1.9222403, 0.86830604, 0.6486269]> : tensor<8xf32>
    %cst_4 = arith.constant 1.000000e-05 : f64
    %cst_5 = arith.constant dense<[-0.014196255, -0.39654297, -0.5879937, -0.28473407, -0.12980087, -0.38748452, -0.46879196, -0.13568118]> : tensor<8xf32>
    %cst_6 = arith.constant dense<[-0.5701128, -0.6953866, 1.6577992, 0.803744, -1.4077964, 0.78044564, -0.2699411, -0.92223495]> : tensor<8xf32>
    %cst_7 = arith.constant dense<[-0.2127049, 0.75240076, -0.076657735, -0.30723658, -0.09198572, 0.17705218, -0.004634006, -0.10716343]> : tensor<8xf32>
    %cst_8 = arith.constant dense_resource<torch_tensor_8_8_3_3_torch.float32_1> : tensor<8x8x3x3xf32>
    %cst_9 = arith.constant 7.200000e+01 : f32
    %cst_10 = arith.constant 8.000000e+00 : f32
    %cst_11 = arith.constant dense<[[[[0.11111111, 0.11111111, 0.11111111], [0.11111111, 0.11111111, 0.11111111], [0.11111111, 0.11111111, 0.11111111]]]]> : tensor<1x1x3x3xf32>
    %cst_12 = arith.constant dense<1.0> : tensor<f32>
    %cst_13 = arith.constant dense<-1.0> : tensor<f32>
    %cst_14 = arith.constant 3.600000e+01 : f32
    %cst_15 = arith.constant dense_resource<torch_tensor_5_8_torch.float32_2> : tensor<5x8xf32>
    %cst_16 = arith.constant dense<[0.23546189, 0.12646292, -0.1577311, 0.09984165, 0.25160483]> : tensor<5xf32>
    %0 = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x3x6x6xf32> to tensor<1x3x8x8xf32>
    %1 = tensor.empty() : tensor<1x8x6x6xf32>
    %2 = linalg.broadcast ins(%cst_2 : tensor<8xf32>) outs(%1 : tensor<1x8x6x6xf32>) dimensions = [0, 2, 3]
    %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%0, %cst : tensor<1x3x8x8xf32>, tensor<8x3x3x3xf32>) outs(%2 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %4 = tensor.empty() : tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_3 : tensor<8xf32>) outs(%4 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_4 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %6 = tensor.empty() : tensor<8xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<8xf32>) outs(%6 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %8 = tensor.expand_shape %cst_5 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %9 = tensor.empty() : tensor<1x8x6x6xf32>
    %10 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3, %8 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%9 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %11 = tensor.expand_shape %7 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %12 = tensor.empty() : tensor<1x8x6x6xf32>
    %13 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %11 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%12 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %14 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %15 = tensor.empty() : tensor<1x8x6x6xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%15 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %17 = tensor.expand_shape %cst_7 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %18 = tensor.empty() : tensor<1x8x6x6xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %17 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%18 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %20 = tensor.empty() : tensor<8x8x3x3xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<8x8x3x3xf32>) outs(%20 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.absf %in : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %22 = tensor.empty() : tensor<8x1x1x1xf32>
    %23 = linalg.fill ins(%cst_1 : f32) outs(%22 : tensor<8x1x1x1xf32>) -> tensor<8x1x1x1xf32>
    %24 = linalg.generic {indexing_maps = [#map1, #map3], iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%21 : tensor<8x8x3x3xf32>) outs(%23 : tensor<8x1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %out : f32
      linalg.yield %r : f32
    } -> tensor<8x1x1x1xf32>
    %25 = tensor.empty() : tensor<8x1x1x1xf32>
    %26 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%24 : tensor<8x1x1x1xf32>) outs(%25 : tensor<8x1x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.divf %in, %cst_9 : f32
      linalg.yield %r : f32
    } -> tensor<8x1x1x1xf32>
    %27 = tensor.empty() : tensor<1x8x6x6xf32>
    %28 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x8x6x6xf32>) outs(%27 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.absf %in : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %29 = tensor.empty() : tensor<1x1x6x6xf32>
    %30 = linalg.fill ins(%cst_1 : f32) outs(%29 : tensor<1x1x6x6xf32>) -> tensor<1x1x6x6xf32>
    %31 = linalg.generic {indexing_maps = [#map1, #map4], iterator_types = ["parallel", "reduction", "parallel", "parallel"]} ins(%28 : tensor<1x8x6x6xf32>) outs(%30 : tensor<1x1x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x1x6x6xf32>
    %32 = tensor.empty() : tensor<1x1x6x6xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<1x1x6x6xf32>) outs(%32 : tensor<1x1x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.divf %in, %cst_10 : f32
      linalg.yield %r : f32
    } -> tensor<1x1x6x6xf32>
    %34 = tensor.pad %33 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x1x6x6xf32> to tensor<1x1x8x8xf32>
    %35 = tensor.empty() : tensor<1x1x6x6xf32>
    %36 = linalg.fill ins(%cst_1 : f32) outs(%35 : tensor<1x1x6x6xf32>) -> tensor<1x1x6x6xf32>
    %37 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%34, %cst_11 : tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>) outs(%36 : tensor<1x1x6x6xf32>) -> tensor<1x1x6x6xf32>
    %38 = tensor.empty() : tensor<1x8x6x6xi1>
    %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x8x6x6xf32>) outs(%38 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %40 = tensor.empty() : tensor<1x8x6x6xi1>
    %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x8x6x6xf32>) outs(%40 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %42 = tensor.empty() : tensor<1x8x6x6xf32>
    %43 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %cst_12 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%42 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %44 = tensor.empty() : tensor<1x8x6x6xf32>
    %45 = linalg.generic {indexing_maps = [#map1, #map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %cst_13, %43 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%44 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %46 = tensor.empty() : tensor<1x8x6x6xi1>
    %47 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x8x6x6xf32>) outs(%46 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %48 = tensor.empty() : tensor<1x8x6x6xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<1x8x6x6xi1>) outs(%48 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %50 = tensor.empty() : tensor<1x8x6x6xf32>
    %51 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %49 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%50 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %52 = tensor.empty() : tensor<8x8x3x3xi1>
    %53 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<8x8x3x3xf32>) outs(%52 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %54 = tensor.empty() : tensor<8x8x3x3xi1>
    %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<8x8x3x3xf32>) outs(%54 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %56 = tensor.empty() : tensor<8x8x3x3xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map5, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %cst_12 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%56 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %58 = tensor.empty() : tensor<8x8x3x3xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %cst_13, %57 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%58 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %60 = tensor.empty() : tensor<8x8x3x3xi1>
    %61 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_8 : tensor<8x8x3x3xf32>) outs(%60 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %62 = tensor.empty() : tensor<8x8x3x3xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<8x8x3x3xi1>) outs(%62 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %64 = tensor.empty() : tensor<8x8x3x3xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %63 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%64 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %66 = tensor.pad %51 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x8x6x6xf32> to tensor<1x8x8x8xf32>
    %67 = tensor.empty() : tensor<1x8x6x6xf32>
    %68 = linalg.fill ins(%cst_1 : f32) outs(%67 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %69 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%66, %65 : tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) outs(%68 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %70 = tensor.empty() : tensor<1x8x6x6xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69, %37 : tensor<1x8x6x6xf32>, tensor<1x1x6x6xf32>) outs(%70 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %72 = tensor.collapse_shape %26 [[0, 1, 2, 3]] : tensor<8x1x1x1xf32> into tensor<8xf32>
    %73 = tensor.expand_shape %72 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %74 = tensor.empty() : tensor<1x8x6x6xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %73 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%74 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %76 = tensor.empty() : tensor<1x8x6x6xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75 : tensor<1x8x6x6xf32>) outs(%76 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ugt, %in, %cst_1 : f32
      %r = arith.select %b, %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %78 = tensor.empty() : tensor<1x8x1x1xf32>
    %79 = linalg.fill ins(%cst_1 : f32) outs(%78 : tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32>
    %80 = linalg.generic {indexing_maps = [#map1, #map6], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%77 : tensor<1x8x6x6xf32>) outs(%79 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1x1xf32>
    %81 = tensor.empty() : tensor<1x8x1x1xf32>
    %82 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80 : tensor<1x8x1x1xf32>) outs(%81 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.divf %in, %cst_14 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1x1xf32>
    %83 = tensor.collapse_shape %82 [[0], [1, 2, 3]] : tensor<1x8x1x1xf32> into tensor<1x8xf32>
    %84 = tensor.empty() : tensor<8x5xf32>
    %85 = linalg.transpose ins(%cst_15 : tensor<5x8xf32>) outs(%84 : tensor<8x5xf32>) permutation = [1, 0]
    %86 = tensor.empty() : tensor<1x5xf32>
    %87 = linalg.fill ins(%cst_1 : f32) outs(%86 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %88 = linalg.matmul ins(%83, %85 : tensor<1x8xf32>, tensor<8x5xf32>) outs(%87 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %89 = tensor.empty() : tensor<1x5xf32>
    %90 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%88, %cst_16 : tensor<1x5xf32>, tensor<5xf32>) outs(%89 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x5xf32>
    return %90 : tensor<1x5xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_8_3_3_3_torch.float32: "0x04000000E75B32BFF06A1D3EDF90DF3D74AE103EEE9B8E3EF8FDE6BD8A88093F15CF0BBFD8D9A13EBFAA7BBE39528FBE37C4BFBE9BF46E3E8EC7683D2AC9FC3E6222F4BE42798D3DFD76FDBE56B1663E947A283F0BE9F8BED2C0013FDAAA03BF0CB9323FFACA633D1CC4803ED91C0CBF13FF433F44BC84BDC3E572BE234AEC3EE8F4C5BE47F911BEF66946BE1E8FC8BE4011043F94374E3F2A9AEFBE9731413F10A8053FDEBB39BED5B49C3ED2DC763F18B89FBECBCC8CBE0BDFF7BEB8D2803F55F5FB3E6A01C5BEC43A8CBD1E0CA63E98B6F8BD3661113FFF06143D8DAA1D3F5769343EFE7AF13D388F8CBE8E51383EE188D33E25DB3DBF3074973E5012253F192FF23E9ECE673E17C983BD3CA0F8BEC18CCEBED4E40EBE4223F3BE4E53B33D2D204DBE537AD8BDB877213FF8CC0B3EEA14C23EB5D946BFCDEEA33E1BEDB1BEDC0C513FD92F2BBF3905A5BEF3F5E03E7B83843F8C6927BFB1966CBD3F019EBED4BC513F3C3A853FE67D503ED953013F6C2C69BE239BF1BE0E0FA53E333E0CBE4A05E13E0BA46EBDDE23333FD63223BB18048C3D215B073F79FA1F3ECE69393F85B65FBE147CC0BE50B9FD3ED25C9B3ED9E35CBEF702F2BE8A0089BEF61F013D348995BDF91BF3BE6E4BBCBE23A9983E3B96113F1C8D423FB0FAA9BEAE28F7BEFA8A9B3ECFDDF4BD0C40C73E19B7EB3E054C25BEE18332BD73E03CBFDEF538BFFAD4B23E45F97E3F3B514BBF55222DBF5DBA69BE97C8AE3EBFF662BF94109F3BEF9A223F4E648ABF72FA0EBF47D5A43E898B043F85DACBBEE7C8CE3ECEC1DE3E37572BBFBE9670BD787191BE6A741FBEFA18BA3DF9030ABFF8C068BFC2F72CBF721924BFCD80ECBDE6F2D73ED16E88BE1EF0B6BE61C285BEBA6EAE3ECE8AA7BD4B385439C62AAEBECFEA29BDB00552BE2472063F55D7B93B26310E3F3154463E95A4D63D8DF557BF4FCCF3BDDBCCEEBE6E36E93E8020123E207E2B3E21E1CBBD051F1F3F87D27ABFCC18A33E1FB05ABE749602BFD79FBEBE1B6656BDDD60E43D02A2FD3E8663B3BE2D46C6BE3CC0EA3E8244023FBB2105BF8F30BDBED792F33D88A531BE40F0953EAAA9CBBE37ECB2BE249FB73FE03C013FA4813E3F39822D3E1BCEAABEFD4C0D3FF539393FCEBEDBBDE76518BE5538833E1ABC7EBD47BD3FBFC94AA03E2300BF3E76BE60BFDBE3583F653D12BF777120BF8280F1BEE72538BD1DD89FBD",
      torch_tensor_8_8_3_3_torch.float32_1: "0x04000000A5F909BFAECACFBEE8BA41BF9CEC88BDA562313EC9FE1A3E1B55D4BD9AC4163F759A0D3ED3876A3E8AE417BFD59B7CBE894391BEC2D5F23EE75AF2BDEEA60BBEE6102DBEDE40353F41E9A4BE96F8DBBEC2CA8F3D90B0A7BD0458243F3EF1073F4C0CF53DA2ECD8BDDAA466BC23D1253F7BE03E3E7EED963EB42B9BBF606E18BFE83CE0BD901F923EA03A963EDAFCAF3C8C0A68BFCF9D873C1BA2DFBEBABD8EBF1478FDBEE0B180BE17F6333DB91CAB3E2F672C3D644B3ABD417C99BE1D2862BD9A7019BF707C9F3E4E0C18BD758BF43E484B793ED9E764BEF222A2BD88204DBD9F0432BCC002A6BF0411FFBE103C6F3F0DE7C63CF4432F3F242593BED09249BF614C31BE84C14DBE1127D2BEEFCD123FF3DA313FCFE8B8BE4FD0743FF93DE23E089F19BF3EBB003FE86D323E56D30EBB646A4EBFA363533E5A16C9BE60D8603F888908BF452B42BF504B573E0D9F18BF4FE0393F52C0EEBEF519B23EA99E01BFA0C989BE690C7E3D511FB8BE5F5FAB3E5FCEB6BE76B3323FD01CDF3E46894FBF9BBA7D3F1F661E3ECBC9D6BE4FDB0D3EA61B643DBE0BCE3E0D45D93E6ADC173FB21C21BF8C45073E577F9FBEAE7A47BF099BCCBEC1E007BF90713E3EEEDE1DBE3FB1313E2FFE42BD26417D3D337C6F3ED998CFBE27ADA7BDD69FB4BDC0DA87BE953001BFD2C30A3ED9189E3E701F6B3F3E36C53D71C9FC3D05FD0CBF1FEE11BD16941F3F50997E3FA40F803E3A82543FE7D9583FC5B2883F5B7BCA3E200C92BEA2A1D73DC8CD203FE01A86BEFDFE043B8192CCBE5B1A88BE0D4334BF3942183FD06CA5BEDA55803DAF51883E29B10FBE743709BFC4FE97BE3D8B06BFE5BD6F3DD7649EBE61F80E3FC9C137BEB607843EDC11F0BEB4D065BFD6B835BEC2C9F03EB551F63E64F7163F910E5BBED93641BE04AE593DE2A137BE36FF843EC75AD03EE971EB3E6E65D1BE75CB383F5B1277BF420139BE791F94BE972B29BD59B323BED5FB093FD979D0BE17C4AF3E6FDF16BFCA551EBDE542243EF92DEC3E7CD91BBF844A8FBF2350533F495BF9BEDA3D2CBEAF5CDEBD8B002D3FF6DDAD3E2D4C143F3497243FAC3F6E3E316B03BE4B73273F0235F83E1E25103EFB2C6DBFCE4A9EBEE9C1533E8D3180BE2557EB3E9908A83F25952D3DC57A333E4C58DA3E2C5B623FE1E888BFF21982BE6B57343F8B75CFBC70F05DBF37AA853E879E2ABFD675E83E4C41F93E064345BEBB6816BFF8EE813E9CC839BEDAC218BE1EB499BEAC347FBE05E0FBBE4212D53EC69D113F24D5DCBE006425BFEF20C13E3501253F4A018B3EF5BE123F047BCB3ED52D113DFF2C07BE053BC4BEBB013EBD38D362BFAF033C3F376710BFFE53073EBF93393E08CC40BDFA5EB4BC5DEBCBBE41C758BE2628BF3E93B0B03E03C42BBF1B321BBD600863BF2DEC49BD2EF0E93C51D02FBFB836363F5CE430BF87E2193FB5EE56BF98AAB33EDE2678BF08DA88BE38472BBFA1B60B3EBB84DBBE9E3D01BE07B3BF3D446905BF426EA5BE200DC93D62F000BF946D2D3E352F6BBFC1437D3FE030063FA03643BFC6C7DCBEC97556BEE1457F3EFBEDAE3E5BA1003FB83F0D3F444717BFD9E84D3D2A67E6BD654F8A3E9BDFDDBDAFDC6CBF69DA8CBE4C619B3F4872B7BC853A123F3CDA83BD81C72FBE03FAA0BC1DB810BEC883CC3E6BD882BE2F1E76BFDD71D13EA51C723E06CB72BE770ED6BDCB72B33EB223243ECD5F05BF82C4263F40B39F3F6905A2BCC9EC06BFDA3E013F3EB62B3F3B78F1BEECD247BFB8B533BF61CF8DBE447B14BF1E6687BEA4BB85BE766E5DBF80ECE73D4A52243F378E89BF78643CBE8E2C97BEC6E7E7BEAF4A25BD0BFE1ABF3DAAA63EBA9B82BEB67919BF8777F63D9CF729BD212B1F3F05304ABC9A0E90BE66135C3F0CF1643CC4A3B33D56E0223F8B5EBEBE712C13BEBECCF5BEDF92603FDC4B07BF95FB27BFCF942BBFC35C4E3FA83BDF3E4D19E6BE11C5F0BE8939883F17EED1BE015898BD8038E6BE739F933FE267E6BE4D804EBF13C254B9F6EE5A3D56827ABE1549E8BE879881BFF48A0ABFF2295A3FA29D6ABFF2B50E3FB8E4883F39E0173FA412E53D537B153F7829123FF3333BBFA4876C3E6ACF0CBF58CC8BBF1D0FE23ECB27E7BE3D64B03D97EB32BFF1EFEC3E3E75813EA7D058BECB0A03BF0F80D4BE02F9C83CD718C5BE48E511BF96066E3E6B60F33D07A8E83EBDD2C23EB24128BF4CF884BA663C01BFAF543FBFA8ECD03B524E4ABE269A1B3EB5E18ABE751B903E04960EBE3336943D7094F23EC2D5523FC05671BE6F5787BFE38355BF1B9E113FD2A4553F01F8C53EF198353FFD245DBEECD79DBE9BB11C3F9513B53EA1BA7B3EC2B6903EB0EF1BBDEBDE5ABF506D0B3FC569DC3D9824C6BE8F9F87BE00B6D23E39DEB2BE73E015BF13C2333E2B29D03E79F9E43EC3F2CD3EB53F0B3E5DC6D8BD8EC377BF9190B0BD2B1CA3BE4F434F3F127B86BE8EA7183E1DEEC63E1D1713BFDD0118BF62431F3F4642173F73AE58BF6D5ECC3C26D6283FCA90D3BEA1F8F13BAD140F3D458C46BE65FC8EBE58FBACBF0F2C17BFE59C50BE8B61933DFACC5B3F8FB5993F1F94293FD0A58D3D6AF812BF04EEFBBD0ACD023F7F4DC4BD5787D03D95951C3F8BFCF6BED29BBFBECCCA393F9F5C863EE2A0EC3EF6A3FC3D679E04BFAA0C273F3FD054BE360A7A3EF3B7913EFECE683E29A612BFB26B793E326925BFA446243E671950BE972E403F6B6599BE4AEFA4BD4676B6BDFE8378BF64E504BEB1DA17BDC95ECFBE0569C6BDF48CF23D9B41303E85C2823EC016023FF9DC0C3F379124BE6065153EB21B05BD07867FBE9EAC89BECCAF0EBFB531963DD5B4E83E86586DBEB90986BEC6F7F4BEF63F2DBFD18D11BF1852843D2C705ABF9458453F09EFBE3E225282BBF566A7BE444AD73EF6DE45BEDB6B703FE961BEBD8C3F4E3E77FDE0BEDE02043FE2C3643E14D6683E27AD4F3FBFBFE5BE27A26EBFD3BF7EBF5872BABE2FE644BE562850BE7311643E1468043F12B4C2BE93AE173FEC7A92BE126A00BFD880B33E0809D33ED6B4A53E4E5A02BFCC1F2C3F39E4403E4616CBBED988123C1B65B53DD26FD8BC752797BEE8B1513F2F0380BE406E363EE63D09BD5B8CF83D91464EBF6AF67A3FCBEF3B3FD342FCBC16AE0E3FDD621A3DCA35CB3E17BE55BDFEBA44BF48C798BEE30793BE3DDEB1BE462A80BF4C34F9BDE8BD8C3E0AFC353E5626D0BE4ECE4F3F551CEABD33672E3E3F12E7BD847AD1BE",
      torch_tensor_5_8_torch.float32_2: "0x040000008400663D2669F3BEED590EBF89E66FBFBD36923D2100933E88A716BDB10850BEF5BAF1BD3D28C83E3C9985BE3AA729BDAA61283E16DA91BD5F67173ECB4B9E3EC7B319BEA17E6D3F1D5DAFBE6AA1FCBB926DEA3DFD83EFBCC0E00FBF5888C53B83E2F3BE39C1B7BD66497E3E2050B73EE9C4BABCC5587BBE2394843FBEC983BD897A5F3FAEAEC7BE4D08D73DAF14433F8977E0BE2C3E17BF8228ED3EE27E433F"
    }
  }
#-}
