// A narrow LeNet, activations and weights ls-1, as torch-mlir writes it: NCHW, a linalg.generic for each operation.
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
    %cst_2 = arith.constant dense<[0.16340034, 0.31286263, -0.062086932, -0.24405466]> : tensor<4xf32>
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant dense<[0.54961205, 0.8011534, 1.0186218, 1.2033622]> : tensor<4xf32>
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant dense<[-0.19848388, -0.2514501, -0.5202044, 0.037930366]> : tensor<4xf32>
    %cst_7 = arith.constant dense<[0.5278042, -0.73879004, 1.385647, 0.8219243]> : tensor<4xf32>
    %cst_8 = arith.constant dense<[0.18821295, 0.12051213, 0.28670087, -0.39959395]> : tensor<4xf32>
    %cst_9 = arith.constant -2.000000e+00 : f32
    %cst_10 = arith.constant 2.000000e+00 : f32
    %cst_11 = arith.constant dense_resource<torch_tensor_8_4_3_3_torch.float32_1> : tensor<8x4x3x3xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_8_torch.float32_2> : tensor<8xf32>
    %cst_13 = arith.constant dense<1.0> : tensor<f32>
    %cst_14 = arith.constant dense<-1.0> : tensor<f32>
    %cst_15 = arith.constant dense<0.800000011920929> : tensor<1x1x1x1xf32>
    %cst_16 = arith.constant dense<[-0.16979769, -0.19081403, -0.83770716, 0.30505386, 0.16994327, -0.06428118, 0.31379512, 0.13139634]> : tensor<8xf32>
    %cst_17 = arith.constant dense<[0.546817, 0.8709009, 0.5317901, 1.7160363, 0.68340474, 1.960955, 0.81947553, 0.9591071]> : tensor<8xf32>
    %cst_18 = arith.constant dense<[-0.6593014, 0.17114088, 0.00828475, 0.28876597, -0.03776531, 0.06592649, -0.4499967, 0.1344029]> : tensor<8xf32>
    %cst_19 = arith.constant dense<[-0.44489846, 0.34998536, 0.459406, -0.117222145, 0.31680113, -0.013607031, 0.7591995, 0.50174296]> : tensor<8xf32>
    %cst_20 = arith.constant dense<[-0.16416492, -0.17637056, 0.52312165, -0.030478649, 0.29754233, 0.11801572, -0.16923375, -0.22469214]> : tensor<8xf32>
    %cst_21 = arith.constant dense<0.800000011920929> : tensor<1x1xf32>
    %cst_22 = arith.constant dense_resource<torch_tensor_16_32_torch.float32_3> : tensor<16x32xf32>
    %cst_23 = arith.constant dense_resource<torch_tensor_16_torch.float32_4> : tensor<16xf32>
    %cst_24 = arith.constant dense<[0.64576435, -0.39490014, 0.74727196, 0.47341895, 0.25568298, 0.11454241, 0.7319658, 0.028312474, -0.13795589, 0.045893554, -0.40659955, 0.14579521, -0.028744092, 0.103379734, 0.11227057, -0.31343728]> : tensor<16xf32>
    %cst_25 = arith.constant dense_resource<torch_tensor_10_16_torch.float32_5> : tensor<10x16xf32>
    %cst_26 = arith.constant dense<[-0.30402353, 0.06821367, -0.10825588, -0.1635412, 0.086179554, 0.4374722, -0.21306257, -0.21328671, 0.21734665, 0.16319823]> : tensor<10xf32>
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
    %45 = tensor.empty() : tensor<1x4x4x4xi1>
    %46 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x4x4xf32>) outs(%45 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %47 = tensor.empty() : tensor<1x4x4x4xi1>
    %48 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x4x4xf32>) outs(%47 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %49 = tensor.empty() : tensor<1x4x4x4xf32>
    %50 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %cst_13 : tensor<1x4x4x4xi1>, tensor<f32>) outs(%49 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %51 = tensor.empty() : tensor<1x4x4x4xf32>
    %52 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%48, %cst_14, %50 : tensor<1x4x4x4xi1>, tensor<f32>, tensor<1x4x4x4xf32>) outs(%51 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %53 = tensor.empty() : tensor<1x4x4x4xi1>
    %54 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x4x4xf32>) outs(%53 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %55 = tensor.empty() : tensor<1x4x4x4xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<1x4x4x4xi1>) outs(%55 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %57 = tensor.empty() : tensor<1x4x4x4xf32>
    %58 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52, %56 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%57 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %59 = tensor.empty() : tensor<1x4x4x4xf32>
    %60 = linalg.generic {indexing_maps = [#map5, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_15, %58 : tensor<1x1x1x1xf32>, tensor<1x4x4x4xf32>) outs(%59 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %61 = tensor.pad %60 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x4x4x4xf32> to tensor<1x4x6x6xf32>
    %62 = tensor.empty() : tensor<1x8x4x4xf32>
    %63 = linalg.broadcast ins(%cst_16 : tensor<8xf32>) outs(%62 : tensor<1x8x4x4xf32>) dimensions = [0, 2, 3]
    %64 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%61, %44 : tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) outs(%63 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %65 = tensor.empty() : tensor<1x8x4x4xf32>
    %66 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%64 : tensor<1x8x4x4xf32>) outs(%65 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ugt, %in, %cst_1 : f32
      %r = arith.select %b, %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x4x4xf32>
    %67 = tensor.empty() : tensor<1x8x2x2xf32>
    %68 = linalg.fill ins(%cst_3 : f32) outs(%67 : tensor<1x8x2x2xf32>) -> tensor<1x8x2x2xf32>
    %69 = tensor.empty() : tensor<2x2xf32>
    %70 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%66, %69 : tensor<1x8x4x4xf32>, tensor<2x2xf32>) outs(%68 : tensor<1x8x2x2xf32>) -> tensor<1x8x2x2xf32>
    %71 = tensor.empty() : tensor<8xf32>
    %72 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_17 : tensor<8xf32>) outs(%71 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_5 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %73 = tensor.empty() : tensor<8xf32>
    %74 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%72 : tensor<8xf32>) outs(%73 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %75 = tensor.expand_shape %cst_18 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %76 = tensor.empty() : tensor<1x8x2x2xf32>
    %77 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70, %75 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%76 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %78 = tensor.expand_shape %74 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %79 = tensor.empty() : tensor<1x8x2x2xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %78 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%79 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %81 = tensor.expand_shape %cst_19 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %82 = tensor.empty() : tensor<1x8x2x2xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %81 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%82 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %84 = tensor.expand_shape %cst_20 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %85 = tensor.empty() : tensor<1x8x2x2xf32>
    %86 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %84 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%85 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %87 = tensor.empty() : tensor<1x8x2x2xf32>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<1x8x2x2xf32>) outs(%87 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ult, %in, %cst_9 : f32
      %c = arith.select %b, %cst_9, %in : f32
      %d = arith.cmpf ugt, %c, %cst_10 : f32
      %r = arith.select %d, %cst_10, %c : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %89 = tensor.collapse_shape %88 [[0], [1, 2, 3]] : tensor<1x8x2x2xf32> into tensor<1x32xf32>
    %90 = tensor.empty() : tensor<1x32xi1>
    %91 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%89 : tensor<1x32xf32>) outs(%90 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %92 = tensor.empty() : tensor<1x32xi1>
    %93 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%89 : tensor<1x32xf32>) outs(%92 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %94 = tensor.empty() : tensor<1x32xf32>
    %95 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%91, %cst_13 : tensor<1x32xi1>, tensor<f32>) outs(%94 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %96 = tensor.empty() : tensor<1x32xf32>
    %97 = linalg.generic {indexing_maps = [#map6, #map7, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%93, %cst_14, %95 : tensor<1x32xi1>, tensor<f32>, tensor<1x32xf32>) outs(%96 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %98 = tensor.empty() : tensor<1x32xi1>
    %99 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%89 : tensor<1x32xf32>) outs(%98 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %100 = tensor.empty() : tensor<1x32xf32>
    %101 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%99 : tensor<1x32xi1>) outs(%100 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %102 = tensor.empty() : tensor<1x32xf32>
    %103 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%97, %101 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%102 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %104 = tensor.empty() : tensor<1x32xf32>
    %105 = linalg.generic {indexing_maps = [#map8, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_21, %103 : tensor<1x1xf32>, tensor<1x32xf32>) outs(%104 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %106 = tensor.expand_shape %cst_23 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %107 = tensor.empty() : tensor<16x32xi1>
    %108 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_22 : tensor<16x32xf32>) outs(%107 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %109 = tensor.empty() : tensor<16x32xi1>
    %110 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_22 : tensor<16x32xf32>) outs(%109 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %111 = tensor.empty() : tensor<16x32xf32>
    %112 = linalg.generic {indexing_maps = [#map6, #map7, #map6], iterator_types = ["parallel", "parallel"]} ins(%108, %cst_13 : tensor<16x32xi1>, tensor<f32>) outs(%111 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %113 = tensor.empty() : tensor<16x32xf32>
    %114 = linalg.generic {indexing_maps = [#map6, #map7, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%110, %cst_14, %112 : tensor<16x32xi1>, tensor<f32>, tensor<16x32xf32>) outs(%113 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %115 = tensor.empty() : tensor<16x32xi1>
    %116 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%cst_22 : tensor<16x32xf32>) outs(%115 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %117 = tensor.empty() : tensor<16x32xf32>
    %118 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%116 : tensor<16x32xi1>) outs(%117 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %119 = tensor.empty() : tensor<16x32xf32>
    %120 = linalg.generic {indexing_maps = [#map6, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%114, %118 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%119 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %121 = tensor.empty() : tensor<16x32xf32>
    %122 = linalg.generic {indexing_maps = [#map9, #map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%106, %120 : tensor<16x1xf32>, tensor<16x32xf32>) outs(%121 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %123 = tensor.empty() : tensor<32x16xf32>
    %124 = linalg.transpose ins(%122 : tensor<16x32xf32>) outs(%123 : tensor<32x16xf32>) permutation = [1, 0]
    %125 = tensor.empty() : tensor<1x16xf32>
    %126 = linalg.fill ins(%cst_1 : f32) outs(%125 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %127 = linalg.matmul ins(%105, %124 : tensor<1x32xf32>, tensor<32x16xf32>) outs(%126 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %128 = tensor.empty() : tensor<1x16xf32>
    %129 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel"]} ins(%127, %cst_24 : tensor<1x16xf32>, tensor<16xf32>) outs(%128 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x16xf32>
    %130 = tensor.empty() : tensor<1x16xf32>
    %131 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel"]} ins(%129 : tensor<1x16xf32>) outs(%130 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ugt, %in, %cst_1 : f32
      %r = arith.select %b, %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x16xf32>
    %132 = tensor.empty() : tensor<16x10xf32>
    %133 = linalg.transpose ins(%cst_25 : tensor<10x16xf32>) outs(%132 : tensor<16x10xf32>) permutation = [1, 0]
    %134 = tensor.empty() : tensor<1x10xf32>
    %135 = linalg.fill ins(%cst_1 : f32) outs(%134 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %136 = linalg.matmul ins(%131, %133 : tensor<1x16xf32>, tensor<16x10xf32>) outs(%135 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %137 = tensor.empty() : tensor<1x10xf32>
    %138 = linalg.generic {indexing_maps = [#map6, #map10, #map6], iterator_types = ["parallel", "parallel"]} ins(%136, %cst_26 : tensor<1x10xf32>, tensor<10xf32>) outs(%137 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x10xf32>
    return %138 : tensor<1x10xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_1_3_3_torch.float32: "0x04000000B70D8C3C350C2E3FA9C31C3F7CA382BE768F18BEA70287BE96D9913ED3A3E5BCE533BF3E24756CBFAC84483F397E45BD482DAE3E0CD88BBD351942BEC61C6D3E5213D33EFE63CFBDFB739CBDF289AF3EA5CEDEBE52D741BF103B4A3E34AAABBEB8CD75BFD265D0BEF2686FBEDCBA18BF0E093FBF8C11963C21B2E53E2DBAEEBD4F5CBEBEE91D453EC49CB73EFD9A19BE",
      torch_tensor_8_4_3_3_torch.float32_1: "0x040000007E2A9D3E954F9A3E9A4462BFEEAD313E3A3700BEDF11C83EC2CC60BEDA6D15BC3C8A2F3EB052E0BEA13D993EF1F656BDAF267C3E259785BEA7080B3F84EE9A3E314CB6BDF2C7A13EA83F213F3D45653FF36A49BFED14E23E761D6E3E153A40BD66DA00BF8EEB203FA18021BF5723913E9CA3263FF7C14CBF9EE31ABE6B9427BF52E9F93D0BD7413FF181813F419963BFDC2F93BE881BB43EE2284A3FECA8573ED103BFBE9F21183EFE2408BC68A1D0BD4C06BCBEE946463E66A21D3E766E3EBD2A02E3BD257824BF04EC78BEF16C1A3FB421C3BD004838BF06CF2A3F79BF873EE6EA863F6106003D993A6CBE6C4C39BF8973293FE072A43FCB28D2BE89A7A5BED49F983E8591D4BEA0860ABEED1D33BEDF90C43D03230C3F17C7343CB13DEB3EADFB56BE36D5273EB0D888BFE69739BFFBC0CB3E081497BE4E75943E13D78A3E6F40293FFFD5CF3EC62C023FF0B364BDD1C2B2BE7047BBBEE5E079BE3E9E10BF43258CBED8943DBD48D3003E18832DBE3D3B76BF160914BD0CC1E63D19D00A3FE3EE933E65C0A4BE6C49B9BEA1AD803F06B3C13E9F6C6A3FD248883FEE6DD1BE0542453EDE946A3EBF428F3E1BBA8A3E69E7CE3DF04EB23DEB5140BFEE5EA9BD0164BFBE081D813D39626FBE60579E3EF2AED13EED0C1E3ECAE0213ED55A3E3DC44565BE0573A8BD52C57DBE40A6463EF13BE73B80CF943E26112ABF7B45E33E1040C3BEEBF9BBBE7E2ECABDF93990BE5D0E153E76FC92BEA4E408BF8886D8BE12EF273F3948B53CA27115BF6041893B412947BF8410653F1A2243BF131F753E0D2B8B3EDB9939BFD8BD193EAB46FF3E07666F3EEDA3053E00F8F23E29C4A43DEF3F2C3EACC081BD05BEA13E8DFEF0BEFFB0CA3E715B81BE889A0BBFE9013B3EC4B2583F8B30F63EA10184BE0AB4B23E198E68BEEAFD7DBDB75A373D4E4D94BFA936C43D3CCA03BFB788B2BED3B83CBF941E42BFC779F1BE585AD33ED840553FEF7A4EBCCEBF0B3F792807BE87BB74BFBE83993D022C643EA1735BBE23BD1A3E0C93923E4708DDBEE6083DBF7490E2BD4120D8BD469034BE34BCFC3E18E05C3FC25255BE3DEAB23EDDE0F03E6B91B63E0814063FFC4A47BEF363BD3E1D91813F07BDCD3E5AB19EBE0C939B3EAD95213FC5EB3C3E073B90BEAA83453F5EF81FBF77E0803EA38204BC0ACA18BFED161C3F531E323EA55915BFDF0A9A3EBBFA5CBE938E73BF165CB0BE37F0063E6DBDA23ED989A93DF2FEB83C88A2703E1F0AD8BD73A6163F8435983DE37C163ECD718A3E4F5107BFE48FB5BE7BA8433F95AD2B3E0EB310BEEED62E3E319776BE3EA00E3E8776AABE57520D3E28F249BF945B2A3F355183BE1D664ABFC236E5BD37F33DBE550E9C3D929712BF9C804B3E88E8E73F62AB23BF0EE92C3E8B161FBE1C3BC53D5CE967BF475413BF7F586B3E375C9DBC7C4F513F9A6DB4BE01B0B23D9570BA3FD6FBC3BEA261E7BE90E48FBC5B87B6BC591BD83E8AAF843DABB9C1BEE47ED83DC5DEA83F7BC9223F0F0FB2BFE26C91BDEF05E0BE994C9F3EFB6BB1BD9362773F7465EE3E72F1E33E7C0CBF3D270FA5BC102C2E3EBACB253FC5CD883EA6C733BEF935233F95B8C43DA5F41EBDAC97CABE",
      torch_tensor_8_torch.float32_2: "0x0400000031D4D83EA044BC3EBC20CF3E79E7A13E4C06CA3E5479C13EE995B53E52C9D43E",
      torch_tensor_16_32_torch.float32_3: "0x040000007504763D3568033EF1469D3EE02A22BF2A3D98BE364942BD5CE54C3F2A0D97BF3ED3603E72408ABE7EDD5C3EA9E47BBE70A63A3E0F46483F3E59353E99E65D3E3BE73E3E8C14C0BE38038B3ECD58D5BD77CCCFBE6EE49DBC4FBEE8BD0DE4C03E2F78AFBC848987BE475D3A3FFB06FD3E7F86223F17909B3EDEA960BD699356BEA7050FBEDA9BF23E8C2D653DCECD3DBF4915A0BCE74235BFBCD8A93DC3161ABFA9C821BFC9D9723DD52E20BD9BB454BF978BBF3E2D708A3FB89D3DBFD6F0683FF812B0BE72F97CBE362EB7BDD8FE38BFCD49263F57427C3E4D5FC0BE0FDD0DBE111842BF4D0D32BEAAABEF3E9E8E5BBFE45A5FBE9350963DB52C063FDDB62C3F0F1D6ABEC084BDBEC99A663E88FC39BEDCBA1EBE75430A3F5549583FCB1F083EF3D3C4BD393E923E1E9A71BF0F7F15BCFBC007BF63EC983F065FB83E42C3903D8507C7BD0AF5A0BF5B7AB63E298F503FF193BABE99F3AE3E97F8B83E0C2946BFAE8CEF3E77692D3FB1F6E93D906501BDFAB7C93E6D3745BFF4093F3DADF4063F1F081FBF2619FE3E332256BE452C85BF629258BD37CEF8BE0076233EB90816BF716F063FFC23BDBE7D74363E120F98BED85325BE988B183FF471DC3DA5414ABE6A3120BF4979143F8399BB3EAC2F27BE8626F93D32C903BF70E601BF0A81D3BE6AF4343E1D79173E2CCCBEBECCDEBC3EADE1C83ED60EB13DEBE9043F2C2113BEA07767BD881A723EBB718BBCFA3CCB3E6E5720BF787F363F6801C8BE8EA6A8BD525330BF2CA8993E900D233F1118093F1058D53E785047BF2A3CC8BE0ED56CBEBF4AEFBE7AB40F3F75E9BC3DAD8548BC499E793E4E9DF3BEAC89E8BE7EA7E1BE2CC87E3EB8E52E3EDEFD933E75080A3F09BC2DBF8F7C8FBE3A14973D9DA32CBFA33C88BEB3CB013F71230D3F88D1093F5033B03C050ED9BDDD2D0A3F75CB3EBEA92D2D3EBDA2293F3D323CBE284D9CBEF88999BB612F993E51FE763E2E999F3D8D718E3EA7BF4CBFDBF8DBBEBF24A73DC3BCEDBEFDBB2BBFD7991ABFCA0CEBBE1FC2B6BD67E502BF5289F03DDF1D593F5A2B97BD5529233F53AD133E60560FBF1E4803BE8659FBBE6A97C43EA19813BF104A293F2004943E876D81BF99CAC83E3DC9463FC35FCABE7D39FC3E5F3166BFAC1A013E68A854BFF4FB763EF7DB64BFF280A8BFB9CC4A3EC96C923FCD7D98BEBB85D43E80BC623D6AA225BED3899D3E573A523FAD181EBF8D5B903E97B5303EF55036BFD8AE4E3F9684793FDDE8F3BE86735E3F79F9E53C932AA7BD0471403F29E4E83D5077253E2C43423F64E4243F71A5E43E384533BF164449BF6525103F7E3DEDBE120C983D317B09BF5218BCBD48AC23BF8BA9503FB96B02BF21D879BD5DB7C0BD6A611A3F34BF35BFA89188BC8241D6BD33A9873E2FAC713E30706DBE0856F53DA9CF3FBECDAC6F3E8D1552BD60D3A7BE44BF61BCE4413A3E3804913FBE827BBE49021D3ECA443B3FB70085BFE01B5FBFFD2518BFD9F469BD94289C3F4061483E36A21A3F495EE3BDA6AD9DBFA71294BF1D62023FD24BBD3D393526BF5D040F3F7AFC44BFD92E113F89C5393F77CBC3BEC7D60DBFD125D83E6B320CBF97A4DC3E96FD18BF78BDCE3E503D403D21955DBE974BE5BECD46F33DB44272BF2D4B0DBEB8D44ABEFFA8AD3E2F7D20BFF1515B3F84871FBE79AF11BF076B313FEDDA543F4E47C0BD591DE4BE8481033CD3BEB0BEDCC21FBE9D7A473F3FA7483E1EE2943D8328313E94EFEDBCFE70D73E2819E13E834B3DBE9538573D8C789A3FD8DB573E5950BEBD262E833F008B9A3B64740CBF55B1AC3E025BE6BEF3937EBE1F14273E30CF81BDDC73C3BE7E0B8DBE7DE797BE9945153F7893B8BEF37C92BE6674823F80C38DBE3DA53E3FEA69283FEC6A9CBD9EAE35BF78F1673E7034AC3E09C2F73E493D133DF12E1A3F45F7313FFEF506BF79F9363F3BBBB23D9AD490BE2C2323BE4954703F63E9FB3E75FF64BFC5EB2A3DD3348FBD26CDB3BD245E83BE16683ABFB994DC3E828FF0BE07763DBEEC359ABEAA52BABEC244BE3E0C7E443EDB95ACBE1DDFF1BE165770BEE68EF73E88F1803D7EADEE3D110528BEE70804BEA4BDDD3D5AF56BBFEC574E3F02A3C9BE0D7D91BEDF532B3FABC5E33DCE5FAC3C6A5495BE66D447BF5162BD3D53FE183FCE4FE6BEC06E2E3F314610BF27E8BBBE1C82813E34CB083809DEB03E8CE2BDBEC41004BFE9FB6EBF36131ABFE6BD09BFCFA636BFA0EE1D3E61F4A9BE74807EBF61F19E3FF8B8D5BE88B420BF62B11E3FF02C153F245F13BF70AB3CBF300200BFFE92103F925D1FBED306CFBE436D68BCF2221A3FC9DC31BFAB8144BEBB1531BF98048B3FB2BE683F5C7FF33E6D9A88BD86BCA83E648786BFCF870D3E76072BBF289229BFEB68B4BE9C4F33BE0800933EAF5FB33E057D063E0BC0F1BE780DAD3E0DB377BDBD11173F13C9EABEAED8B0BF3B1374BE4DAE893F1C1F703E3AFEC6BDFD35E23E91D0803EED346C3EBA7783BE90FF1B3D4705CE3D7B85A4BE8D320FBFF55B8E3D59ECF73EBCB5A53EA1EA7C3EC91A813E4D60A53F7B0F053E8161053F41827A3FB358D93C7C70073E51A3053F5A05583F574F203E79DD393E1A0A3A3D13511ABFBE0F0F3F844701BE16005CBF939893BD510F5DBFE19900BF52B82C3CA6BBEABE2DA4093FEB683BBFC9CB093EE073903E1DD63B3FA112EE3E4DFEF63D7A9A353D4DEECCBC79E0123F1FD6A5BEB7BD873EC44A2CBD3D34003ECA3801BED24D893F4E90A5BEE811073EF6E2123E4D869E3EEA6A6C3EE53F5F3EE455FE3E53233FBF010C323C10601CBF5177FA3D75D615BF2FA4F2BEDB9DC5BC0F55343F3409973E6A5F1E3E4944353FA4A8EEBEB60E85BF544752BED0A807BEB3BF1F3F",
      torch_tensor_16_torch.float32_4: "0x040000000040A53E9ED5E03EC80BD93EFB57B93ECC35C33E31DDB63E8DCA0A3F5B32BF3EA501093F8A2FC13E974CDF3E8C39A93E9C7C033FFD46DD3E1342D43E88B1B53E",
      torch_tensor_10_16_torch.float32_5: "0x04000000FB472A3FFC1500BF3901E73E271F4ABFB591453E7439CEBE5779EA3CB6FFA2BE4CC88ABF39C50CBF067A2B3DFF9EA33E951A3ABFBD0787BF765ADBBE83BEC8BD49299EBEAD53CBBEF9B3DD3E8B37FB3E70D7C13EE12BECBEF1C63B3D7D82B6BDABBD34BFD3DCE53E98AF533D2F6470BE6E6A373F1C7AC73EB512DF3E07921B3FB8B0BB3ECC0020BF004F3FBE2357023F7AFEC0BE5470D43C022F533E9D633A3FCF1A283F24AFE93EBA49B0BD66D3ED3E5EC58A3ED08797BDBE892F3F0E13823ED31EBEBED7C3233FA8F3F7BD15419B3EE78241BF5C4268BB2327EFBEC705F6BEB91873BF04E3893F78668EBD81DAFE3DBD2A0F3FD65B64BDA80C863EFDAF2CBFD31DD33DF7FE4EBEF791823E5BE2C23DDD2F30BF08E26BBF3DC700BFD0F3BE3EAA085E3EF3B6523E20B780BF329EABBFF5C49DBEC3B126BEA8BE98BE30D8383E7908A9BD321217BF58E2DFBE94AC973DED811E3D8CFB0EBD6961913FD37E04BEA1827D3D951FFEBE704936BE29E6863EA0CA913E21119FBD35214B3EE4C2E73C41AA70BF0091D1BF3CEA933FF3B6D43E0881E8BC0A785EBFD44223BF798E2D3F8071B2BFBC0E26BE3C5ADE3E2FAB923D1A3AC13E3A6686BD502E993F5F9503BF755D2EBF818F0C3E80FC363FE3EEE4BCCB45063FF4E487BE13B717BF9930333F97CB483F923D443FA36260BED5DD13BF03AE15BFC506E6BDA51A953E1459823E9B9A37BF62DBC73D033F113CE594383DC02042BC2EC4CEBDE1E0973E79E7813D18D2E63D60D5B0BE63A34A3E8D1E78BDCD5E87BFBE9B773E895207BECF20ED3E38FDA5BDA81444BD3FC5D83D6141C2BBFCD364BE988765BF36DD6B3FAB154ABFF7DB2EBE1234A73E9791423E8238913E9FE9C43E32B6213F8635183E6F06BA3F"
    }
  }
#-}
