// A float convolution and two regular blocks, activations ls-2 and weights ls-1, as torch-mlir writes it: NCHW, a linalg.generic for each operation.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> ()>
#map5 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map9 = affine_map<(d0, d1) -> (d0, d1)>
#map10 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<1x3x6x6xf32>) -> tensor<1x5xf32> {
    %cst = arith.constant dense_resource<torch_tensor_8_3_3_3_torch.float32> : tensor<8x3x3x3xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<[1.0328271, 0.58895546, 1.1958747, 0.5517541, 1.4404566, 1.0920467, 0.9371878, 0.82943994]> : tensor<8xf32>
    %cst_3 = arith.constant 1.000000e-05 : f64
    %cst_4 = arith.constant dense<[-0.021384073, 0.122206844, -0.019470986, -0.17626724, 0.13365538, 0.119195916, 0.56486, 0.19235821]> : tensor<8xf32>
    %cst_5 = arith.constant dense<[-0.6422591, 0.6393157, -0.19919913, 1.6104683, -1.6380595, -0.60572445, -0.60327494, 0.16866975]> : tensor<8xf32>
    %cst_6 = arith.constant dense<[-0.023519363, -0.4566334, -0.5377185, 0.069149405, 0.44979286, 0.44616973, -0.10319636, 0.15158561]> : tensor<8xf32>
    %cst_7 = arith.constant -1.000000e+00 : f32
    %cst_8 = arith.constant 1.000000e+00 : f32
    %cst_9 = arith.constant dense<[0.68529737, 1.0494769, 1.9078742, 1.921777, 0.8421332, 0.943365, 1.1032425, 1.9245892]> : tensor<8xf32>
    %cst_10 = arith.constant dense<[0.1111331, -0.083442725, 0.09968976, 0.013407461, -0.10435149, -0.19583182, 0.29025665, -0.1231333]> : tensor<8xf32>
    %cst_11 = arith.constant dense<[-1.107481, 1.8385588, 1.2859017, 0.57246125, -0.008130399, 0.24983093, -1.3727626, 0.037097078]> : tensor<8xf32>
    %cst_12 = arith.constant dense<[0.09762319, -0.04281567, 0.1447524, -0.21049702, 0.069189094, -0.4480806, 0.00708529, -0.16703793]> : tensor<8xf32>
    %cst_13 = arith.constant -2.000000e+00 : f32
    %cst_14 = arith.constant 2.000000e+00 : f32
    %cst_15 = arith.constant dense_resource<torch_tensor_2_torch.float32_1> : tensor<2xf32>
    %cst_16 = arith.constant dense<1.0> : tensor<f32>
    %cst_17 = arith.constant dense<-1.0> : tensor<f32>
    %cst_18 = arith.constant dense_resource<torch_tensor_8_8_3_3_torch.float32_2> : tensor<8x8x3x3xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_8_torch.float32_3> : tensor<8xf32>
    %cst_20 = arith.constant dense<[-0.31132564, -0.04158818, 0.46089137, 0.32642153, -0.00069541845, -0.0007508197, -0.17728734, -0.14805296]> : tensor<8xf32>
    %cst_21 = arith.constant dense<[[[[0.32934573]], [[0.31792587]], [[0.33356005]], [[0.29966798]], [[0.2640178]], [[0.18514162]], [[0.22747798]], [[0.13465977]]]]> : tensor<1x8x1x1xf32>
    %cst_22 = arith.constant dense<[1.4534215, 1.2719446, 0.599272, 0.66650254, 0.9919465, 0.794591, 0.79490197, 1.6610193]> : tensor<8xf32>
    %cst_23 = arith.constant dense<[0.09135945, -0.2845506, 0.21759261, 0.21914785, 0.26110625, 0.2820457, -0.559797, 0.16318093]> : tensor<8xf32>
    %cst_24 = arith.constant dense<[-0.41242287, 1.1309924, 1.0783275, 0.83776635, -0.055890545, 2.8097541, -0.024725862, -1.008506]> : tensor<8xf32>
    %cst_25 = arith.constant dense<[0.2982792, -0.42246333, 0.58243656, 0.31255567, 0.4056831, 0.32234365, 0.13138679, -0.3812899]> : tensor<8xf32>
    %cst_26 = arith.constant dense_resource<torch_tensor_2_torch.float32_4> : tensor<2xf32>
    %cst_27 = arith.constant dense_resource<torch_tensor_8_8_3_3_torch.float32_5> : tensor<8x8x3x3xf32>
    %cst_28 = arith.constant dense_resource<torch_tensor_8_torch.float32_6> : tensor<8xf32>
    %cst_29 = arith.constant dense<[0.15436058, 0.38065076, 0.09243187, -0.38423496, -0.16604215, 0.2698466, -0.37562475, -0.09622786]> : tensor<8xf32>
    %cst_30 = arith.constant dense<[[[[0.23287806]], [[0.3677714]], [[0.16078751]], [[0.12125383]], [[0.2682269]], [[0.20331712]], [[0.24414411]], [[0.12176406]]]]> : tensor<1x8x1x1xf32>
    %cst_31 = arith.constant 3.600000e+01 : f32
    %cst_32 = arith.constant dense_resource<torch_tensor_5_8_torch.float32_7> : tensor<5x8xf32>
    %cst_33 = arith.constant dense<[0.32692242, -0.122622974, 0.58469266, -0.1634704, -0.028576553]> : tensor<5xf32>
    %0 = tensor.pad %arg0 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x3x6x6xf32> to tensor<1x3x8x8xf32>
    %1 = tensor.empty() : tensor<1x8x6x6xf32>
    %2 = linalg.fill ins(%cst_1 : f32) outs(%1 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%0, %cst : tensor<1x3x8x8xf32>, tensor<8x3x3x3xf32>) outs(%2 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %4 = tensor.empty() : tensor<8xf32>
    %5 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_2 : tensor<8xf32>) outs(%4 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_3 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %6 = tensor.empty() : tensor<8xf32>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%5 : tensor<8xf32>) outs(%6 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %8 = tensor.expand_shape %cst_4 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
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
    %14 = tensor.expand_shape %cst_5 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %15 = tensor.empty() : tensor<1x8x6x6xf32>
    %16 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %14 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%15 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %17 = tensor.expand_shape %cst_6 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %18 = tensor.empty() : tensor<1x8x6x6xf32>
    %19 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%16, %17 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%18 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %20 = tensor.empty() : tensor<1x8x6x6xf32>
    %21 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<1x8x6x6xf32>) outs(%20 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ogt, %in, %cst_7 : f32
      %r = arith.select %b, %in, %cst_7 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %22 = tensor.empty() : tensor<1x8x6x6xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21 : tensor<1x8x6x6xf32>) outs(%22 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf olt, %cst_8, %in : f32
      %r = arith.select %b, %cst_8, %in : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %24 = tensor.empty() : tensor<8xf32>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_9 : tensor<8xf32>) outs(%24 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_3 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %26 = tensor.empty() : tensor<8xf32>
    %27 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%25 : tensor<8xf32>) outs(%26 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %28 = tensor.expand_shape %cst_10 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %29 = tensor.empty() : tensor<1x8x6x6xf32>
    %30 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23, %28 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%29 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %31 = tensor.expand_shape %27 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %32 = tensor.empty() : tensor<1x8x6x6xf32>
    %33 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%30, %31 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%32 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %34 = tensor.expand_shape %cst_11 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %35 = tensor.empty() : tensor<1x8x6x6xf32>
    %36 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %34 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%35 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %37 = tensor.expand_shape %cst_12 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %38 = tensor.empty() : tensor<1x8x6x6xf32>
    %39 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%36, %37 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%38 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %40 = tensor.empty() : tensor<1x8x6x6xf32>
    %41 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<1x8x6x6xf32>) outs(%40 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ult, %in, %cst_13 : f32
      %c = arith.select %b, %cst_13, %in : f32
      %d = arith.cmpf ugt, %c, %cst_14 : f32
      %r = arith.select %d, %cst_14, %c : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %42 = tensor.extract_slice %cst_15[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %43 = tensor.collapse_shape %42 [] : tensor<1xf32> into tensor<f32>
    %44 = tensor.empty() : tensor<1xf32>
    %45 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel"]} ins(%43 : tensor<f32>) outs(%44 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %46 = tensor.expand_shape %45 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xf32> into tensor<1x1x1x1xf32>
    %47 = tensor.extract_slice %cst_15[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %48 = tensor.collapse_shape %47 [] : tensor<1xf32> into tensor<f32>
    %49 = tensor.empty() : tensor<1xf32>
    %50 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel"]} ins(%48 : tensor<f32>) outs(%49 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %51 = tensor.expand_shape %50 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xf32> into tensor<1x1x1x1xf32>
    %52 = tensor.empty() : tensor<1x8x6x6xi1>
    %53 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x8x6x6xf32>) outs(%52 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %54 = tensor.empty() : tensor<1x8x6x6xi1>
    %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x8x6x6xf32>) outs(%54 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %56 = tensor.empty() : tensor<1x8x6x6xf32>
    %57 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%56 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %58 = tensor.empty() : tensor<1x8x6x6xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %cst_17, %57 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%58 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %60 = tensor.empty() : tensor<1x8x6x6xi1>
    %61 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x8x6x6xf32>) outs(%60 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %62 = tensor.empty() : tensor<1x8x6x6xf32>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<1x8x6x6xi1>) outs(%62 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %64 = tensor.empty() : tensor<1x8x6x6xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %63 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%64 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %66 = tensor.empty() : tensor<1x8x6x6xf32>
    %67 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %65 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%66 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %68 = tensor.empty() : tensor<1x8x6x6xf32>
    %69 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %65 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%68 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %70 = tensor.empty() : tensor<1x8x6x6xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %69 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%70 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %72 = tensor.empty() : tensor<1x8x6x6xi1>
    %73 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x8x6x6xf32>) outs(%72 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %74 = tensor.empty() : tensor<1x8x6x6xi1>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x8x6x6xf32>) outs(%74 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %76 = tensor.empty() : tensor<1x8x6x6xf32>
    %77 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%76 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %78 = tensor.empty() : tensor<1x8x6x6xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %cst_17, %77 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%78 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %80 = tensor.empty() : tensor<1x8x6x6xi1>
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<1x8x6x6xf32>) outs(%80 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %82 = tensor.empty() : tensor<1x8x6x6xf32>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x8x6x6xi1>) outs(%82 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %84 = tensor.empty() : tensor<1x8x6x6xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %83 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%84 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %86 = tensor.empty() : tensor<1x8x6x6xf32>
    %87 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %85 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%86 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %88 = tensor.empty() : tensor<1x8x6x6xf32>
    %89 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %87 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%88 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %90 = tensor.expand_shape %cst_19 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %91 = tensor.empty() : tensor<8x8x3x3xi1>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%91 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %93 = tensor.empty() : tensor<8x8x3x3xi1>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%93 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %95 = tensor.empty() : tensor<8x8x3x3xf32>
    %96 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %cst_16 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%95 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %97 = tensor.empty() : tensor<8x8x3x3xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94, %cst_17, %96 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%97 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %99 = tensor.empty() : tensor<8x8x3x3xi1>
    %100 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%99 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %101 = tensor.empty() : tensor<8x8x3x3xf32>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100 : tensor<8x8x3x3xi1>) outs(%101 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %103 = tensor.empty() : tensor<8x8x3x3xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98, %102 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%103 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %105 = tensor.empty() : tensor<8x8x3x3xf32>
    %106 = linalg.generic {indexing_maps = [#map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%90, %104 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%105 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %107 = tensor.pad %89 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x8x6x6xf32> to tensor<1x8x8x8xf32>
    %108 = tensor.empty() : tensor<1x8x6x6xf32>
    %109 = linalg.broadcast ins(%cst_20 : tensor<8xf32>) outs(%108 : tensor<1x8x6x6xf32>) dimensions = [0, 2, 3]
    %110 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%107, %106 : tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) outs(%109 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %111 = tensor.empty() : tensor<1x8x6x6xi1>
    %112 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%110 : tensor<1x8x6x6xf32>) outs(%111 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %113 = tensor.empty() : tensor<1x8x6x6xf32>
    %114 = linalg.generic {indexing_maps = [#map7, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_21, %110 : tensor<1x8x1x1xf32>, tensor<1x8x6x6xf32>) outs(%113 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %115 = tensor.empty() : tensor<1x8x6x6xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112, %110, %114 : tensor<1x8x6x6xi1>, tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%115 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %117 = tensor.empty() : tensor<1x8x6x6xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116, %23 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%117 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %119 = tensor.empty() : tensor<8xf32>
    %120 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_22 : tensor<8xf32>) outs(%119 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_3 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %121 = tensor.empty() : tensor<8xf32>
    %122 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%120 : tensor<8xf32>) outs(%121 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %123 = tensor.expand_shape %cst_23 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %124 = tensor.empty() : tensor<1x8x6x6xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118, %123 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%124 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %126 = tensor.expand_shape %122 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %127 = tensor.empty() : tensor<1x8x6x6xf32>
    %128 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125, %126 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%127 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %129 = tensor.expand_shape %cst_24 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %130 = tensor.empty() : tensor<1x8x6x6xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%128, %129 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%130 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %132 = tensor.expand_shape %cst_25 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %133 = tensor.empty() : tensor<1x8x6x6xf32>
    %134 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131, %132 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%133 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %135 = tensor.empty() : tensor<1x8x6x6xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134 : tensor<1x8x6x6xf32>) outs(%135 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ult, %in, %cst_13 : f32
      %c = arith.select %b, %cst_13, %in : f32
      %d = arith.cmpf ugt, %c, %cst_14 : f32
      %r = arith.select %d, %cst_14, %c : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %137 = tensor.extract_slice %cst_26[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %138 = tensor.collapse_shape %137 [] : tensor<1xf32> into tensor<f32>
    %139 = tensor.empty() : tensor<1xf32>
    %140 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel"]} ins(%138 : tensor<f32>) outs(%139 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %141 = tensor.expand_shape %140 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xf32> into tensor<1x1x1x1xf32>
    %142 = tensor.extract_slice %cst_26[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %143 = tensor.collapse_shape %142 [] : tensor<1xf32> into tensor<f32>
    %144 = tensor.empty() : tensor<1xf32>
    %145 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel"]} ins(%143 : tensor<f32>) outs(%144 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %146 = tensor.expand_shape %145 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xf32> into tensor<1x1x1x1xf32>
    %147 = tensor.empty() : tensor<1x8x6x6xi1>
    %148 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<1x8x6x6xf32>) outs(%147 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %149 = tensor.empty() : tensor<1x8x6x6xi1>
    %150 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<1x8x6x6xf32>) outs(%149 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %151 = tensor.empty() : tensor<1x8x6x6xf32>
    %152 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%148, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%151 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %153 = tensor.empty() : tensor<1x8x6x6xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150, %cst_17, %152 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%153 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %155 = tensor.empty() : tensor<1x8x6x6xi1>
    %156 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<1x8x6x6xf32>) outs(%155 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %157 = tensor.empty() : tensor<1x8x6x6xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%156 : tensor<1x8x6x6xi1>) outs(%157 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %159 = tensor.empty() : tensor<1x8x6x6xf32>
    %160 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154, %158 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%159 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %161 = tensor.empty() : tensor<1x8x6x6xf32>
    %162 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141, %160 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%161 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %163 = tensor.empty() : tensor<1x8x6x6xf32>
    %164 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141, %160 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%163 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %165 = tensor.empty() : tensor<1x8x6x6xf32>
    %166 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136, %164 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%165 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %167 = tensor.empty() : tensor<1x8x6x6xi1>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%166 : tensor<1x8x6x6xf32>) outs(%167 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %169 = tensor.empty() : tensor<1x8x6x6xi1>
    %170 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%166 : tensor<1x8x6x6xf32>) outs(%169 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %171 = tensor.empty() : tensor<1x8x6x6xf32>
    %172 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%168, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%171 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %173 = tensor.empty() : tensor<1x8x6x6xf32>
    %174 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%170, %cst_17, %172 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%173 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %175 = tensor.empty() : tensor<1x8x6x6xi1>
    %176 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%166 : tensor<1x8x6x6xf32>) outs(%175 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %177 = tensor.empty() : tensor<1x8x6x6xf32>
    %178 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%176 : tensor<1x8x6x6xi1>) outs(%177 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %179 = tensor.empty() : tensor<1x8x6x6xf32>
    %180 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%174, %178 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%179 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %181 = tensor.empty() : tensor<1x8x6x6xf32>
    %182 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%146, %180 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%181 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %183 = tensor.empty() : tensor<1x8x6x6xf32>
    %184 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%162, %182 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%183 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %185 = tensor.expand_shape %cst_28 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %186 = tensor.empty() : tensor<8x8x3x3xi1>
    %187 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<8x8x3x3xf32>) outs(%186 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %188 = tensor.empty() : tensor<8x8x3x3xi1>
    %189 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<8x8x3x3xf32>) outs(%188 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %190 = tensor.empty() : tensor<8x8x3x3xf32>
    %191 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%187, %cst_16 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%190 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %192 = tensor.empty() : tensor<8x8x3x3xf32>
    %193 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%189, %cst_17, %191 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%192 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %194 = tensor.empty() : tensor<8x8x3x3xi1>
    %195 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<8x8x3x3xf32>) outs(%194 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %196 = tensor.empty() : tensor<8x8x3x3xf32>
    %197 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%195 : tensor<8x8x3x3xi1>) outs(%196 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %198 = tensor.empty() : tensor<8x8x3x3xf32>
    %199 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%193, %197 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%198 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %200 = tensor.empty() : tensor<8x8x3x3xf32>
    %201 = linalg.generic {indexing_maps = [#map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%185, %199 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%200 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %202 = tensor.pad %184 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x8x6x6xf32> to tensor<1x8x8x8xf32>
    %203 = tensor.empty() : tensor<1x8x6x6xf32>
    %204 = linalg.broadcast ins(%cst_29 : tensor<8xf32>) outs(%203 : tensor<1x8x6x6xf32>) dimensions = [0, 2, 3]
    %205 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%202, %201 : tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) outs(%204 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %206 = tensor.empty() : tensor<1x8x6x6xi1>
    %207 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%205 : tensor<1x8x6x6xf32>) outs(%206 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %208 = tensor.empty() : tensor<1x8x6x6xf32>
    %209 = linalg.generic {indexing_maps = [#map7, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_30, %205 : tensor<1x8x1x1xf32>, tensor<1x8x6x6xf32>) outs(%208 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %210 = tensor.empty() : tensor<1x8x6x6xf32>
    %211 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%207, %205, %209 : tensor<1x8x6x6xi1>, tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%210 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %212 = tensor.empty() : tensor<1x8x6x6xf32>
    %213 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%211, %118 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%212 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %214 = tensor.empty() : tensor<1x8x1x1xf32>
    %215 = linalg.fill ins(%cst_1 : f32) outs(%214 : tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32>
    %216 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%213 : tensor<1x8x6x6xf32>) outs(%215 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1x1xf32>
    %217 = tensor.empty() : tensor<1x8x1x1xf32>
    %218 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%216 : tensor<1x8x1x1xf32>) outs(%217 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.divf %in, %cst_31 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1x1xf32>
    %219 = tensor.collapse_shape %218 [[0], [1, 2, 3]] : tensor<1x8x1x1xf32> into tensor<1x8xf32>
    %220 = tensor.empty() : tensor<8x5xf32>
    %221 = linalg.transpose ins(%cst_32 : tensor<5x8xf32>) outs(%220 : tensor<8x5xf32>) permutation = [1, 0]
    %222 = tensor.empty() : tensor<1x5xf32>
    %223 = linalg.fill ins(%cst_1 : f32) outs(%222 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %224 = linalg.matmul ins(%219, %221 : tensor<1x8xf32>, tensor<8x5xf32>) outs(%223 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %225 = tensor.empty() : tensor<1x5xf32>
    %226 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%224, %cst_33 : tensor<1x5xf32>, tensor<5xf32>) outs(%225 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x5xf32>
    return %226 : tensor<1x5xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_8_3_3_3_torch.float32: "0x04000000D363163EC7C8EF3DC11A053FE8A4B2BE75623D3FBA350ABEBDBC3B3FFBB2F33E0ACCF8BE53F00CBEA6D2223E99AF053FE6DE2BBFAAD06CBE5A4BA73E93A9823E9B6D01BF81E4DBBEBA316C3E941BFCBEB9CF073E02FCF13ED254CA3C3E9FA8BFC2CE193F2AEC163F40DE383FCE86E33E3A1D52BF67CA383F131A413E2A24F83E6B327DBD0976D5BDB594CDBD8FD24F3F30701D3EF4A4ABBD4FCD1EBF01BE803EDF69BD3C0DEDC23D1755023FE67BC13E90C69E3C1044003E1240803DE615C03E0B49B93E9AD2B33D2F53D1BE1C5FE03E63C3EE3E790504BFB2A2573E4AE933BEC44D89BF4AC4C7BBFB85FA3EDD93B2BEF660ACBEB5E1053FADE608BF075BE9BEAF0115BECA8DA53E91B8A63EE03E80BEFB1411BEE609683DAC3E3ABEDF7CD6BEEB8008BFC9C3BB3EEA90C8BD3A25B83F9F00A53EC804BABE2502473C70B7393EC3B8563E6C246F3E2F93723EF9A56CBDD88AAB3ED7E68C3F4E9655BEE25B37BE7F8ABA3E5DC8213F1735D63EFB051E3FC5E75FBC0B18D5BD467DAC3E6577B13E5713583F1B97493F621466BF74D7CB3EFE6CA5BEE21A85BFB32B523E62B398BD072D28BE1F8021BFAAA0FEBEA231CABD7EC63CBFA23A40BD3B88813D32DD8EBD6CC41E3EFC84E7BC22DC12BF828602BFA709933D1292F83E2F03A23D543F7CBE4D73B13DB0E465BFC33CFCBEE6E23DBE2A14F0BC42BF23BE205108BEB81617BF39A391BE8DB5FF3DB1C66ABF212219BF895E31BE6D233D3F739EAC3EDF97473F843D2B3F3AF064BEB2620EBDDBE615BF0AE9153FCF0ABA3E7405973E0F39A93EB9456B3EAD72D53D8F0C0D3E9B9D1A3F78E6C8BE173E05BFEDF90E3BAF2D143F437DF63D0CDBCFBD0927D53E0229683D891172BFC91900BF6D3585BFB33FDEBD24B562BE30B9613E9CE6863FDB3097BE4758BD3B9D8B40BED400B3BF541CC1BE524DB6BEB0680E3EAF88D4BEBDF023BF8C82973E0406F4BCADBDE2BE44BFBFBE293B16BE7153D23E9408363F32D925BFED71153FE781F93C8D853B3E5D6FF93E3905F4BEE6D2DC3EAC8625BFF6046ABE77CDD6BE90FB573FD418523FFF67C33E47A3853E72F684BEAD275F3F6765333F3332E83E21CD4ABDCF052BBE99660FBDB9242B3F97BAECBE83CE883D4456523FB10BE63E2259603FC4AC5E3E9DB0663E3F25333F51EDAC3EEF413D3EFE3274BE178038BFF792413FA27742BE495FB4BE",
      torch_tensor_2_torch.float32_1: "0x040000000EC67B3FDA92083F",
      torch_tensor_8_8_3_3_torch.float32_2: "0x04000000CC3A21BFBB3831BEA25F043DD8D58ABEF745F43E2FE8A4BE4505F63E3D8FC13E74058EBE9722393FAC5426BFC8A18F3E17604F3D1E34C93E186440BFE15B11BF74CDC8BEDC88C53C43E4603D1519B03C320AEDBDA8B8ABBEA94029BF137F4DBE066D893EDBB5013FBB8A75BEAE8A083FE2EA27BFDB7FC63E608D06BFE532013EBB7DECBED714F0BEC1A985BEF893333F35FBA3BEFECF9E3E205FA73D885B1D3ED9A9223E0080A03EC3FA14BF4A3FE03CA9F5343EFCEC8EBEB3D1383EDF63FCBEA6CFB83E277AACBEB79905BEF570C93EA4D8083F89DB8ABE55789CBE92BDFA3E067DB3BF2223293F5055233F2ED903BF30A1163FD8A03B3EF96D6B3E1B4090BF8E4F70BE01E7B5BDA0B847BE20E93CBE120E0ABED7C9B2BF4A87BEBD3E44ABBEDBF91EBD6F6574BEA4411D3B35CF113EF9465F3F7270CCBEC664543F30E0EBBD8254DEBE55A934BF70DCD93EE93E3DBFB1ADE53E08EE2F3E80478DBE63F5A5BE7333753EE65A9E3D8ADABA3E11FF713AC2857FBEE063873E4FBF15BF2BB0D43E80C0E13C6DD60BBF5B92FEBE602922BE61ED63BF19D52E3F8706F33E113309BFEA0062BD1205553FF4DB4A3EF1E2FEBE387A87BFC8134EBF83EF153F22801F3EF7C024BFBD4EB23EEBD036BE9739A8BE807F83BE493C6ABE59D4523FAE9FEEBE83244BBE0B67283F651A3E3F29C8F7BE2896823F086F0B3F53AC3BBFAC99643F6CEF3ABFB992AC3EF7A011BF594B61BF92E6D73E1786563E81E424BDB382C33D5C0E4DBDC58D02BEC05B07BFA453943E99433E3CB733F6BD65D08FBE8DD00DBEF05640BFDF4E1CBED493F9BE3226233FAD5CF1BE8A0864BE36A10A3CBB2DCA3E7FAA6A3E8350093C5E2D893FB857F7BBE2A8243ECC88AD3F899EE1BE32F1F43EFF16623E09FF26BF75DB9DBE8904D43ED40638BFCC15BBBDFD3FED3EB224F0BDEC46083E0481A9BEEB569EBE0BFB9BBEE71E32BEA8A9A03EAF6B1C3D2B707A3F421B8C3EC8550D3E61C08E3FF4FD5DBD23EECCBEA6E99B3DBB670ABF503D833E2A632D3F541DA23EE7AC4FBEAEAE92BD26B5753E9EEE153FD9FD4ABEE0D752BE212A0A3F7870DF3DE0B52F3EEF51763E261CC4BE4F8594BD0A36073FEF379DBD219FC6BD2E90193E7089473ECDB1A13FAFA4CCBE992D933D1368803FA64B9F3C2088433E631938BFF6D7F83EC2F7DE3E5912D23E0AA6B1BD4F623F3E1D84F6BCAEDDD93E890B4EBB14AAC93E7FE728BFB55423BEF08FB4BF22FF8EBDBAE5C53E03E7FEBDA5D5953F337AFABE4E4828BE6338E9BE4EF17BBE43346BBEAA813ABF1A26F7BE706F813F10E801BE5177E93E81B920BFC7F45FBD3EF6893EB960A9BDD1F680BE19CDB9BD6E25893C9607D53EACEF193FB72527BF0B8482BFABDEBFBD9E20773B901EB73E1F28083FC049A8BE1E4B833FDF7C043E5C7060BF6E06F53EF1D70E3E6399133E101C4ABFFDFB18BEB30DA53DEBC599BDA495AF3ED141203F5A57423F2A9E1F3F051393BDC6205B3F1CB6063EEA64DA3E4DE4F3BD2DFD30BFBD0F90BF7FF2C03DF56DABBE4CFFCBBAC65BE43EEB1342BFF6CA5FBF381A063EABAF3B3EDF0109BE0FAD84BE2F284ABF933228BDA52ABCBE2E6E5D3EFBE8F13EF9C48CBEAA50553E58B8BF3DE1EEB23EE57F433F37DCA83EEB91B53ED901CB3E853D57BE1AE4E5BA735E313E370D1E3F1611253FC0C3903F4A860ABF4FD49ABC40545BBF05F387BE81D050BFE5EA143F51FEC03E455108BF62712C3E2AA6BC3EF1AF5D3F62EFD33E33E9833DFE5934BD631AA03E037C1C3EFCCD71BE51D71ABF17A9063FC2A0B6BE86ED07BED045CC3EFC59D6BCCDA6103FD55E0EBF56C2C23E39B328BFE0B53EBFCA4D04BFA2EC753DB623ABBE053A2FBFEF39193F1B2BF4BED33960BDC4FB023EEE5270BE07FD393EC2439E3E56EB48BD2CC9043FFE0D96BEEB7606BFA043D23D0FC0F5BE2E64413E22194ABD972C6DBE800D943E2FFC883E9666BCBFC49721BE0FE28F3D22147A3EE0808ABEFA0012BF9329803D8AE1AD3E320183BFDA383FBF476595BEC5DDA4BF8E0298BEAFA1D13EA67C07BFED378D3D3338E2BE187B573E0D9FA53E5924263F1E21183D7B0A063FF2034C3EE5EE71BE55F53B3FA9E098BE9D05AC3D57079C3F696CDD3E7D20D2BE22FE153EF45D8DBEB9AE94BDF93240BF3181DD3DAE3846BF8AFB3B3E29E93D3E6C7CD73E86118E3FA58553BFFCAF18BF5836FFBE725A91BED72FE03EB7E02CBE220D96BE6B6C10BF457BA1BE305D61BE31D25ABD064237BFD59D22BDADE08F3EB00C303E84A81FBFBAC4D03EB98BCC3ECF21173EDA251DBF56723CBF7DF0963C01AF03BF50342BBF5442E33E405FE83E857DA33E080D273F50F0E53EDC3C14BF4D37123F97B5703D3803613EF71B483F5D27613E4100493F16F8E03C70CA43BEBB0DB5BEBD348CBD6D3B57BF75E302BD52697ABD9C0689BE9FD08EBF3E7689BF7A0DB43EF176F5BE90332F3F2626B7BE3853373E361139BF7197A3BE11AAE2BD803B943E0823573F375CF63ECED139BF47073B3BEC8BACBD2217A3BE366A963E46F3493F51CE69BEE5FF0E3FDEAD323F7EFE07BF9A13633F42FE573F82A7173E53DD5A3F08D5003EA195133FDFE4A63E62B1DCBECA89063EA229ABBDDAB67CBED39313BFA7BBC7BE82D81DBFB4B7113F8FE67ABF06021F3D01879CBE45F81FBF4AEFB93E103ACCBE9AB11A3F9C8FB6BD57EF2A3EB3DE84BD969DA63E7FAAF03E500B66BE0DAC8BBB4544613FE4F092BE76D1673FC45949BEBABA8EBE770B58BFEE1FD9BE890F5FBF4F5992BE1F2EB13EBCB5F9BCFB649ABEBA7B03BF9D09B0BEC13F3ABFB39822BF3843793F4029F63D24A8EABE1AE0AB3EE30C403FCC58A3BE8EE05DBD2FD720BF064A4CBF3C8E303F7344DB3F628ABDBEF32450BFE2A9353FAC5F073F3BA0733E167E3C3F0C772DBEE7760D3EF749CA3E9DD820BE85FD733E3A69F4BD7288683E4B4EA43DE9997DBF2409363D574F37BF919FDABE2B5555BF2017D03ED85829BEDA4247BE193D1F3F164AB53E65F8DEBD3E5F85BF5107A83E645809BEBE653CBE4631BB3E1364A2BEA69E30BD2666E23E7B70913E43229EBEEF9A393F5AA3123F9E8C713FDE6AE8BCDCDFD93DF38E063FDAAA603E145D8D3DC12951BDF1F71ABEC6C7A6BE88F2A4BEA254503E51C41BBE348634BF124FDD3CF440543FF02B2E3F5F7380BFDE1AD8BE4957C73ED576273DFA9B153DA93082BD5E8AFB3C8FAD01BF",
      torch_tensor_8_torch.float32_3: "0x04000000812EC23E407CD33E9C83B63ED4C5D03E6E21BF3E8723D73EF7F8E13EE5ABCF3E",
      torch_tensor_2_torch.float32_4: "0x04000000D16D7B3F9D3A083F",
      torch_tensor_8_8_3_3_torch.float32_5: "0x040000003C3A8EBE35B8993E91C0A2BD2500523E939FA2BED1E8BCBE175C2D3E6715C73E1DFEC13C2DF3ECBE08B64DBF7A09833FC0920BBFAD46D3BE2501AFBE188AEC3E99E7B6BEE8D7933EE947273EA4D30CBFEBF7C03D9F5417BF265586BD40CAC23E0823D5BD71B5E0BE143848BE1722A6BD0D78343EC24B90BFB1DE67BF19937F3E488E57BD6C81223C9676DF3D60A69FBDF7C463BE7D1A613D28F2A83E98C32B3E7220103CF56404BFFBD8EA3DA21613BF3A8EABBECC02923DE27A623D46BA093F45C6DD3EDD70743EF3A026BEA83C16BC4743FBBD58C85A3F9038663E60A5A5BE5EE5D6BE49811C3F8D0BDDBE0427383E4771B13DD56F063FA302DEBE1815693EBEC8CB3DC39CC93EE4EA2B3F8B17513D4B72E1BDCD45DE3E90D931BF7D10C13DD58DF7BE034E18BF464847BFAEA950BF47DAD23E19E2DD3E887E5C3D7D9B033FD705953C44CB76BE389E07BF9938C43E3615D03EE7B1203F4B9BC7BE48B409BE683029BFEE2C123FB72AB63E8BE2843E6D49A7BA4A9286BDF9B130BE63F10B3FAEB09BBE2204E53E86F9193E83B8F9BE899A34BF1A1EC1BE6B7C1CBC32FE20BF8945A33EB13F123F6E578E3ED08553BF2E5B93BFB0C7E03EF1FD3E3F991940BEFF29893EAD69FDBD978D9CBEB83F003F1C6F86BE1D7ADC3E87975C3FA5084FBD40C76F3F74D823BFF9DDED3E09816C3C91FDA33FA5AEFB3CAA8EC4BE87D5503F42D23FBF4D146B3E40CDBCBE8808323F9E8829BDBE30DF3E398519BC6AAC09BFE2B987BFE6B4653FC531003E8E4C10BFA42716BED408003FCD703BBF3B88913F9B8CECBDB09D32BEBEB7253FF6EFE53D425FFBBEF067ED3E40E46C3EAA47113FD491E7BEEBF20DBF84A4A23ED72B58BEA0B188BF4AF892BE1148A23E6A05B7BE9B19243F40787DBE475C39BDB8854EBF67F5CABEC8ABBBBD9752943E04D0C13D09D5073F2ACA8ABF89E5513CF09F93BD6C4E05BF88F4AABC0F59BEBEE6CB5A3E05D630BEDB3F813E578FE8BEDD2A223F7C434B3E39F1633F3D9B89BDA14980BE68EF8A3D20E86EBEB70405BF35C9F63B302806BD8D6BA6BEEAA444BEF239F9BE0FF4933DB70C2CBF7232593F01EC7C3C41C6F13E53F619BF7788303EA84088BDD3DCFB3E7D9EDF3EABEE51BFF952133F565E3FBF8ADD2B3FAE2FD8BC686619BF6831B53E5115A03C2F49FEBE0F98BDBED943753EC2D72FBF8923DDBE1DD66D3F5C15C5BEE3523E3EB0D5653EA4DBF63EF505E23EEC11A2BFD4DD78BEAE31183FB104CBBE4B486A3F7682003EE8C01CBFEFD1913E3B577A3F8909ACBEB82C903E62D5E2BE94DF95BE39E3703D25D7843ECF1E373ECCBBDC3D762B9B3FA1000BBFAD1B6FBFC637913E3482C53DD46C38BF6EA95E3FAB8BB3BEE80D35BF98A65B3E7197A63E841D983F1F3645BFA8A223BF62D80ABED5405FBEAD450DBD6E85B5BE8B4748BF1E0964BEB84BB83E9235CD3E8603A8BE63648C3EF19E583E477E7BBE22DC31BE8183D93CF2F8B43F787AB13DDFBFE3BE508E9DBD420C8EBEF117143F4B158BBFCF600CBFD6A3D83E87985C3E9EC9993CD95CBC3EC2862ABFA16F413EFE3812BF7CC624BF5A66833EC8DACBBEFEF433BEDA64A43E0DD105BFA667A03E42FD913F4B6EC2BDA56AFB3E19D4CA3ECC4822BF36372FBFD1D10B3CE12D89BF6439EC3C0C210D3EE31D7A3E1E7B703E1E9C2E3F310424BE8AFD303F22F38D3E806C8D3E29188DBDBFC0FC3EF1A8BDBE025AC13ECC64133FB4C7A7BE8603F1BE3791BEBE1BF31ABC6086473E54BDE83E5C7D783F6C42553FD1D6193E3FFE3CBE923819BF52A3DB3E103A8C3E36CE04BEDDE792BDAA9042BDA183A5BFDB6789BC1F16353E6AC950BD8ACE06BF83C80F3D1B3F823E194F6C3FB34E0C3F6FC09F3EBD946CBC70682ABFA44567BECD2F2EBFD90825BD762D0D3F6CDE0A3F48D7F03E4B70B93C6698033F59B900BEB2C37ABF7D2CA73DDDE1FF3C41D35EBF1D5383BE94099DBFDCFE6ABE4DED1F3F5066A1BE58542D3F881E023E161BBABE664163BFF49CC83EAA91B23ED9BD3DBF42254FBE3B7A123FFABDBBBE7DA3583E8BF979BF4F6BE9BE050AC23E248816BF570A38BF86A531BFD19F38BEFB8A49BFA8293CBD1671963E9981493FF14144BEE525543F3827973EFB1CCFBD6A688C3EB5CE473FA3C4443F41A2C93E742E11BDAFA3DD3E264DF73D91CAC53D1E46123E8F2D6E3F097F18BF244DE1BCC2AC0ABF073BE63EAA26133F308F323F59E52BBE66C01F3DA6ACCD3E578DD73DBEBF243EE6BDE73DF4A81A3EBC7B36BD2397723E9D003ABFEA5E4BBE0AAA28BF3872F9BCC656B6BEF64D923E62DA263F140E1DBF9992C2BE6CCD393E638D3E3F4811D03EE1DD743EE4CA6BBC8CB855BE34C8563E877E893E1122C53D390A8FBE7FF64BBFB38FD4BE1D9933BE65A612BF05AB363E938434BFF4730FBEBECB433EF0EED93EC8FA0B3E22C21F3FED7492BE758DC1BEA46F103F0E7ADCBE4A9F85BDA6A25CBF0F97143FE158C03E9C84BBBEC5855EBF3C33103EE3ED193E380E1A3FA4D9723FA576063E79DEC7BD3DD2DBBD6C100FBE3BD22DBF3AEBE1BE9B8B05BD2A8F51BFB6DF26BFB66B203F8723A8BE4B9DD43E27BB103F7ACF823CDB40DC3EBF73A2BDA4E0DBBE826B30BD1901413DE081963D0233473D16673FBE124F0C3F1343B2BD86A448BE6E35F63E4D8BFABE59CD443CC1C7413F978F413D86FC3A3F6D05E8BD0F8F75BE4AAA83BD943A87BE97FB25BE50C74FBEDEA6D73E12C8603E7C25B1BD96FDB6BEBFDAD03FE92DA6BD2878393F1E7912BF5208B4BE53E7223F632608BFD07004BFD61209BC787BB1BEA84302BEB048C73D77C6E93E3195E53DFCE72B3E857B2F3FCF163B3F88A820BE271D69BFAAB5F8BE74ED0E3F69A860BE313EABBE523452BEA910523F08BB4E3D45702BBE4DD7A8BEC67607BF5D22B83F1B83113B891EC83DC0BB0CBEE2F60E3FFF88F7BE2D2C71BF21B788BE22D6433E9C48943FE2CB7DBC6FF1D1BEEE40BBBD4245BDBE3D68BEBE743C8C3DF9782F3E90DA9DBE3441133F29A577BCBF5AA53DB24071BE01FF553E25A86B3EAEEEB63E1CACC5BE5F44AF3E24D085BE695D983DF1D3CC3E5298493F06644CBE441208BFD1CEC63D4330243FAC2C0EBE4DE19F3F05D76BBF18A2483FDC481D3F8A39163F21C6C7BE9B30363F12EC1D3F8537283F8E19AEBD541FBFBDF6492E3F3DEB503E1AA31CBE6802C8BE7793253E9B4727BFC37EA33E2F99DC3D",
      torch_tensor_8_torch.float32_6: "0x0400000019BDA33E7C62E83EEBE8C23E30AADE3E827FD03EB4EFC53EF143B63E41D9CD3E",
      torch_tensor_5_8_torch.float32_7: "0x040000007F9ACDBDFD2C62BFF1098ABC78B0F73E6504A8BFF5B182BD494E413E97F17CBE0126643E1FEE8D3EB8F40D3F4987B13F667E3F3ED915DBBEDEBEFBBE8B2A19BF584DC43E9139493ED7DE843EF876FF3D3C51543F4191133F5603093F3004A3BE18B30DBEAD1A22BF68BD9BBE88E28C3D45D217BF917098BE9065853FBB588DBD94C53BBF10E71ABFB592A2BC9B00E63E6C24A7BC9C37EC3ED54E3A3E999F09BF"
    }
  }
#-}
