// A float convolution and two regular blocks, activations ls-1 and weights ls-2, as torch-mlir writes it: NCHW, a linalg.generic for each operation.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map5 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, 0, 0)>
#map8 = affine_map<(d0, d1) -> (d0, d1)>
#map9 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<1x3x6x6xf32>) -> tensor<1x5xf32> {
    %cst = arith.constant dense_resource<torch_tensor_8_3_3_3_torch.float32> : tensor<8x3x3x3xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<[1.8611294, 1.1116287, 0.6750279, 1.4572227, 1.1858531, 0.54361874, 1.9696414, 1.9194412]> : tensor<8xf32>
    %cst_3 = arith.constant 1.000000e-05 : f64
    %cst_4 = arith.constant dense<[0.01863857, 0.2950563, 0.2680783, -0.08613433, 0.11488097, -0.54489225, 0.3290587, 0.050691247]> : tensor<8xf32>
    %cst_5 = arith.constant dense<[1.0682864, 1.045768, -0.30434552, -0.16643412, -0.8917707, -2.0833545, -0.14897193, 0.13664514]> : tensor<8xf32>
    %cst_6 = arith.constant dense<[-0.33084205, 0.20844193, 0.024440942, 0.13098516, -0.2359909, -0.5344541, 0.2282761, 0.17820157]> : tensor<8xf32>
    %cst_7 = arith.constant -1.000000e+00 : f32
    %cst_8 = arith.constant 1.000000e+00 : f32
    %cst_9 = arith.constant dense<[1.0735289, 1.8530511, 1.693574, 1.6552677, 1.8711479, 1.6048524, 0.95842475, 1.9419961]> : tensor<8xf32>
    %cst_10 = arith.constant dense<[-0.10494194, -0.09708334, 0.07331546, -0.4890219, 0.35724273, 0.19195506, 0.22641118, 0.37580195]> : tensor<8xf32>
    %cst_11 = arith.constant dense<[-0.8122609, -3.1486092, 0.3202567, 1.300801, 1.1516057, -0.5454813, -0.10072936, 0.27729627]> : tensor<8xf32>
    %cst_12 = arith.constant dense<[-0.54463357, -0.20233496, -0.1929737, 0.4731599, -0.19715573, 0.4697252, 0.0027184929, -0.50414824]> : tensor<8xf32>
    %cst_13 = arith.constant -2.000000e+00 : f32
    %cst_14 = arith.constant 2.000000e+00 : f32
    %cst_15 = arith.constant dense<0.800000011920929> : tensor<1x1x1x1xf32>
    %cst_16 = arith.constant dense<1.0> : tensor<f32>
    %cst_17 = arith.constant dense<-1.0> : tensor<f32>
    %cst_18 = arith.constant dense_resource<torch_tensor_8_8_3_3_torch.float32_1> : tensor<8x8x3x3xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_8_torch.float32_2> : tensor<8xf32>
    %cst_20 = arith.constant dense_resource<torch_tensor_8_torch.float32_3> : tensor<8xf32>
    %cst_21 = arith.constant dense<[0.33207208, 0.036922425, 0.24109757, 0.61450505, -0.28955063, -0.29678312, 0.17083082, 0.574288]> : tensor<8xf32>
    %cst_22 = arith.constant dense<[[[[0.109069884]], [[0.15306368]], [[0.25498503]], [[0.27186993]], [[0.15338026]], [[0.1862286]], [[0.37454322]], [[0.1963965]]]]> : tensor<1x8x1x1xf32>
    %cst_23 = arith.constant dense<[1.1678236, 0.66726875, 1.3534086, 1.5513883, 1.6113137, 0.8489179, 1.0538669, 1.4816058]> : tensor<8xf32>
    %cst_24 = arith.constant dense<[0.18140213, 0.04882587, 0.28023756, -0.10390559, 0.23359087, -0.048437823, -0.09350092, 0.071710676]> : tensor<8xf32>
    %cst_25 = arith.constant dense<[0.056938797, -1.6170666, 2.1967418, 0.2615404, -1.5731934, 1.2009486, 0.095386535, 0.3287743]> : tensor<8xf32>
    %cst_26 = arith.constant dense<[0.2495011, -0.231094, -0.8456422, 0.0075661014, 0.11019393, 0.3383958, -0.18948089, -0.042426664]> : tensor<8xf32>
    %cst_27 = arith.constant dense_resource<torch_tensor_8_8_3_3_torch.float32_4> : tensor<8x8x3x3xf32>
    %cst_28 = arith.constant dense_resource<torch_tensor_8_torch.float32_5> : tensor<8xf32>
    %cst_29 = arith.constant dense_resource<torch_tensor_8_torch.float32_6> : tensor<8xf32>
    %cst_30 = arith.constant dense<[-0.19873963, 0.09882919, -0.75972474, 0.28777847, -0.0074964045, 0.08568965, 0.35490704, -0.12246629]> : tensor<8xf32>
    %cst_31 = arith.constant dense<[[[[0.3084967]], [[0.1857021]], [[0.11038094]], [[0.33266628]], [[0.38048464]], [[0.313287]], [[0.38656372]], [[0.33492175]]]]> : tensor<1x8x1x1xf32>
    %cst_32 = arith.constant 3.600000e+01 : f32
    %cst_33 = arith.constant dense_resource<torch_tensor_5_8_torch.float32_7> : tensor<5x8xf32>
    %cst_34 = arith.constant dense<[0.2998002, 0.011224589, -0.07102614, -0.07237588, 0.038814653]> : tensor<5xf32>
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
    %42 = tensor.empty() : tensor<1x8x6x6xi1>
    %43 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x8x6x6xf32>) outs(%42 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %44 = tensor.empty() : tensor<1x8x6x6xi1>
    %45 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x8x6x6xf32>) outs(%44 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %46 = tensor.empty() : tensor<1x8x6x6xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%46 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %48 = tensor.empty() : tensor<1x8x6x6xf32>
    %49 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %cst_17, %47 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%48 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %50 = tensor.empty() : tensor<1x8x6x6xi1>
    %51 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x8x6x6xf32>) outs(%50 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %52 = tensor.empty() : tensor<1x8x6x6xf32>
    %53 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<1x8x6x6xi1>) outs(%52 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %54 = tensor.empty() : tensor<1x8x6x6xf32>
    %55 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %53 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%54 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %56 = tensor.empty() : tensor<1x8x6x6xf32>
    %57 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_15, %55 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%56 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %58 = tensor.expand_shape %cst_19 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %59 = tensor.expand_shape %cst_20 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %60 = tensor.empty() : tensor<8x8x3x3xi1>
    %61 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%60 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %62 = tensor.empty() : tensor<8x8x3x3xi1>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%62 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %64 = tensor.empty() : tensor<8x8x3x3xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %cst_16 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%64 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %66 = tensor.empty() : tensor<8x8x3x3xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %cst_17, %65 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%66 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %68 = tensor.empty() : tensor<8x8x3x3xi1>
    %69 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%68 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %70 = tensor.empty() : tensor<8x8x3x3xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<8x8x3x3xi1>) outs(%70 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %72 = tensor.empty() : tensor<8x8x3x3xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %71 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%72 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %74 = tensor.empty() : tensor<8x8x3x3xf32>
    %75 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %73 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%74 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %76 = tensor.empty() : tensor<8x8x3x3xf32>
    %77 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%58, %73 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%76 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %78 = tensor.empty() : tensor<8x8x3x3xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18, %77 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%78 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %80 = tensor.empty() : tensor<8x8x3x3xi1>
    %81 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<8x8x3x3xf32>) outs(%80 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %82 = tensor.empty() : tensor<8x8x3x3xi1>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<8x8x3x3xf32>) outs(%82 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %84 = tensor.empty() : tensor<8x8x3x3xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %cst_16 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%84 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %86 = tensor.empty() : tensor<8x8x3x3xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %cst_17, %85 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%86 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %88 = tensor.empty() : tensor<8x8x3x3xi1>
    %89 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79 : tensor<8x8x3x3xf32>) outs(%88 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %90 = tensor.empty() : tensor<8x8x3x3xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89 : tensor<8x8x3x3xi1>) outs(%90 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %92 = tensor.empty() : tensor<8x8x3x3xf32>
    %93 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87, %91 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%92 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %94 = tensor.empty() : tensor<8x8x3x3xf32>
    %95 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %93 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%94 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %96 = tensor.empty() : tensor<8x8x3x3xf32>
    %97 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %95 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%96 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %98 = tensor.pad %57 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x8x6x6xf32> to tensor<1x8x8x8xf32>
    %99 = tensor.empty() : tensor<1x8x6x6xf32>
    %100 = linalg.broadcast ins(%cst_21 : tensor<8xf32>) outs(%99 : tensor<1x8x6x6xf32>) dimensions = [0, 2, 3]
    %101 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%98, %97 : tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) outs(%100 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %102 = tensor.empty() : tensor<1x8x6x6xi1>
    %103 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101 : tensor<1x8x6x6xf32>) outs(%102 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %104 = tensor.empty() : tensor<1x8x6x6xf32>
    %105 = linalg.generic {indexing_maps = [#map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_22, %101 : tensor<1x8x1x1xf32>, tensor<1x8x6x6xf32>) outs(%104 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %106 = tensor.empty() : tensor<1x8x6x6xf32>
    %107 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103, %101, %105 : tensor<1x8x6x6xi1>, tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%106 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %108 = tensor.empty() : tensor<1x8x6x6xf32>
    %109 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107, %23 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%108 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %110 = tensor.empty() : tensor<8xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_23 : tensor<8xf32>) outs(%110 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_3 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %112 = tensor.empty() : tensor<8xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%111 : tensor<8xf32>) outs(%112 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %114 = tensor.expand_shape %cst_24 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %115 = tensor.empty() : tensor<1x8x6x6xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109, %114 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%115 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %117 = tensor.expand_shape %113 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %118 = tensor.empty() : tensor<1x8x6x6xf32>
    %119 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%116, %117 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%118 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %120 = tensor.expand_shape %cst_25 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %121 = tensor.empty() : tensor<1x8x6x6xf32>
    %122 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119, %120 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%121 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %123 = tensor.expand_shape %cst_26 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %124 = tensor.empty() : tensor<1x8x6x6xf32>
    %125 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%122, %123 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%124 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %126 = tensor.empty() : tensor<1x8x6x6xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125 : tensor<1x8x6x6xf32>) outs(%126 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ult, %in, %cst_13 : f32
      %c = arith.select %b, %cst_13, %in : f32
      %d = arith.cmpf ugt, %c, %cst_14 : f32
      %r = arith.select %d, %cst_14, %c : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %128 = tensor.empty() : tensor<1x8x6x6xi1>
    %129 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127 : tensor<1x8x6x6xf32>) outs(%128 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %130 = tensor.empty() : tensor<1x8x6x6xi1>
    %131 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127 : tensor<1x8x6x6xf32>) outs(%130 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %132 = tensor.empty() : tensor<1x8x6x6xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%132 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %134 = tensor.empty() : tensor<1x8x6x6xf32>
    %135 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%131, %cst_17, %133 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%134 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %136 = tensor.empty() : tensor<1x8x6x6xi1>
    %137 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127 : tensor<1x8x6x6xf32>) outs(%136 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %138 = tensor.empty() : tensor<1x8x6x6xf32>
    %139 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%137 : tensor<1x8x6x6xi1>) outs(%138 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %140 = tensor.empty() : tensor<1x8x6x6xf32>
    %141 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135, %139 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%140 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %142 = tensor.empty() : tensor<1x8x6x6xf32>
    %143 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_15, %141 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%142 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %144 = tensor.expand_shape %cst_28 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %145 = tensor.expand_shape %cst_29 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %146 = tensor.empty() : tensor<8x8x3x3xi1>
    %147 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<8x8x3x3xf32>) outs(%146 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %148 = tensor.empty() : tensor<8x8x3x3xi1>
    %149 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<8x8x3x3xf32>) outs(%148 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %150 = tensor.empty() : tensor<8x8x3x3xf32>
    %151 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%147, %cst_16 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%150 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %152 = tensor.empty() : tensor<8x8x3x3xf32>
    %153 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%149, %cst_17, %151 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%152 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %154 = tensor.empty() : tensor<8x8x3x3xi1>
    %155 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<8x8x3x3xf32>) outs(%154 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %156 = tensor.empty() : tensor<8x8x3x3xf32>
    %157 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%155 : tensor<8x8x3x3xi1>) outs(%156 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %158 = tensor.empty() : tensor<8x8x3x3xf32>
    %159 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%153, %157 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%158 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %160 = tensor.empty() : tensor<8x8x3x3xf32>
    %161 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144, %159 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%160 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %162 = tensor.empty() : tensor<8x8x3x3xf32>
    %163 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144, %159 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%162 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %164 = tensor.empty() : tensor<8x8x3x3xf32>
    %165 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_27, %163 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%164 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %166 = tensor.empty() : tensor<8x8x3x3xi1>
    %167 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%165 : tensor<8x8x3x3xf32>) outs(%166 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %168 = tensor.empty() : tensor<8x8x3x3xi1>
    %169 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%165 : tensor<8x8x3x3xf32>) outs(%168 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %170 = tensor.empty() : tensor<8x8x3x3xf32>
    %171 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%167, %cst_16 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%170 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %172 = tensor.empty() : tensor<8x8x3x3xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%169, %cst_17, %171 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%172 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %174 = tensor.empty() : tensor<8x8x3x3xi1>
    %175 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%165 : tensor<8x8x3x3xf32>) outs(%174 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %176 = tensor.empty() : tensor<8x8x3x3xf32>
    %177 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%175 : tensor<8x8x3x3xi1>) outs(%176 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %178 = tensor.empty() : tensor<8x8x3x3xf32>
    %179 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%173, %177 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%178 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %180 = tensor.empty() : tensor<8x8x3x3xf32>
    %181 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%145, %179 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%180 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %182 = tensor.empty() : tensor<8x8x3x3xf32>
    %183 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%161, %181 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%182 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %184 = tensor.pad %143 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x8x6x6xf32> to tensor<1x8x8x8xf32>
    %185 = tensor.empty() : tensor<1x8x6x6xf32>
    %186 = linalg.broadcast ins(%cst_30 : tensor<8xf32>) outs(%185 : tensor<1x8x6x6xf32>) dimensions = [0, 2, 3]
    %187 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%184, %183 : tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) outs(%186 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %188 = tensor.empty() : tensor<1x8x6x6xi1>
    %189 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%187 : tensor<1x8x6x6xf32>) outs(%188 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %190 = tensor.empty() : tensor<1x8x6x6xf32>
    %191 = linalg.generic {indexing_maps = [#map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_31, %187 : tensor<1x8x1x1xf32>, tensor<1x8x6x6xf32>) outs(%190 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %192 = tensor.empty() : tensor<1x8x6x6xf32>
    %193 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%189, %187, %191 : tensor<1x8x6x6xi1>, tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%192 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %194 = tensor.empty() : tensor<1x8x6x6xf32>
    %195 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%193, %109 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%194 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %196 = tensor.empty() : tensor<1x8x1x1xf32>
    %197 = linalg.fill ins(%cst_1 : f32) outs(%196 : tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32>
    %198 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%195 : tensor<1x8x6x6xf32>) outs(%197 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1x1xf32>
    %199 = tensor.empty() : tensor<1x8x1x1xf32>
    %200 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%198 : tensor<1x8x1x1xf32>) outs(%199 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.divf %in, %cst_32 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1x1xf32>
    %201 = tensor.collapse_shape %200 [[0], [1, 2, 3]] : tensor<1x8x1x1xf32> into tensor<1x8xf32>
    %202 = tensor.empty() : tensor<8x5xf32>
    %203 = linalg.transpose ins(%cst_33 : tensor<5x8xf32>) outs(%202 : tensor<8x5xf32>) permutation = [1, 0]
    %204 = tensor.empty() : tensor<1x5xf32>
    %205 = linalg.fill ins(%cst_1 : f32) outs(%204 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %206 = linalg.matmul ins(%201, %203 : tensor<1x8xf32>, tensor<8x5xf32>) outs(%205 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %207 = tensor.empty() : tensor<1x5xf32>
    %208 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel"]} ins(%206, %cst_34 : tensor<1x5xf32>, tensor<5xf32>) outs(%207 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x5xf32>
    return %208 : tensor<1x5xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_8_3_3_3_torch.float32: "0x04000000C7977A3F9291033FFB19EB3D95A328BEDA6DDC3D176CB3BD4DBB2EBF1CEB863B3B53B3BD2C1FEEBD5CCE5BBE3254583F803EB23E3DD6EF3E57909BBE43E502BF20D610BEF4EDF93DF4CE30BED4BEC0BD971FF63EE733193E67E8FBBEB9225BBE8A54A8BEEA47B93D816815BF8C09B7BDF850B13E844E6B3CCFF3E9BE50CD9DBEBCAB7E3D7756773E3E4AD63E4EB294BDA49B28BF2866363F8E84183EA7E84F3EAD6C1C3E7CCC04BFE27B23BE64B7033E282D043F3E81F63C3CADC7BFCA24F7BD148F343E299E253FD218B63E955F9F3FD950363F3F802C3F835AF13EA4F330BF4DD8D83ECB77993E48A986BE6E2E963EC40C563E0C176EBE92B47CBD94CE06BEB602EC3DF26159BE6E7F8B3E857375BFE55810BED6A357BF973E77BEF455843EC80B313CB89462BD04E30C3D68E5483FAA990DBF7B42E33EC69C41BF6C546FBE1886A73DB807DABE880FD23D968BBA3E8FCC18BF25751EBD4ACD40BE7F5E78BF5E90BFBDB33ACCBE22672B3FE124E0BE4E88593FF88F88BE1B15783F65158A3E965E683E4643CE3EA3FDE63E0E9F333F62C95D3F768431BE6B0420BF0EFEAABF084646BEA29FC23EB3B8413EA1E66B3DF44C33BE8DD6A3BEC43D11BEDD27473EA7DE61BF9F9ABA3EC5AE3ABF660CA2BDCB6FA2BE09333DBEF91C06BFACEE13BF91F9EEBDA6440BBF1E239D3F5B9157BEE45FA9BEFB318EBE16F409BF219E9DBFBA6806BEB57B1B3EE35F41BF7DB645BA48C21BBFEDF3AFBC4C2E343E14C0743E5EEF5A3EFD3DB6BE0E4FDF3E587869BE3A132F3EE04BB23E26F11FBE047B25BF39E79A3EE21610BF604FE6BED33D0EBFAC79D53E4426B0BD847B90BFD7D7B93E0FF6833F493F653FD4BD93BED9570B3DCDAF7F3EA545E23E37BF4D3CD25A0DBF6BA8BE3E03E89A3E21A02BBF465441BE4750043E76CADDBBB874833E5DD9C83E94D3873EE92B81BD88222EBF2CAD9A3ED5DD313F59617B3F2B54B9BC3CD3C3BC8096373FF498363FBDFB273E5F33B33E5E3BC6BEF92C923E7EE7D6BEE072A2BD65FF8BBDE00C77BE280B88BF921AD7BE2171233E107A19BD22CB50BEB943543EB4B1AC3E5958D53E2767D2BE1A474C3B4D1033BEA3EBE4BE24A341BF75B56ABDBDAEE3BE3DC3883F68FF6BBD47EBF6BD022154BE91F06D3F2062F5BEDBF1B5BDFA4DC9BE36C190BD7208D7BC8F850A3FC16A37BFE0249ABC73C24C3FD7CD86BE",
      torch_tensor_8_8_3_3_torch.float32_1: "0x04000000F5B98D3F9D72F9BE48E29D3EAD505A3F63FF88BE7F831DBFE43C053F84F9053D3D191DBFD1640ABFB28147BEFFC9F63E45F912BEA18EA73E218C533F857C223F9402383F16AF1D3F37E44DBF6A891C3F7836283E4FC47EBDC8D50ABF9B644BBF85380EBF8B032FBC486916BF7E04D1BE9DE09DBE47A2AA3ECF2117BE4F6595BDE6C1293FF67924BEF167993E885507BFDF85283E2AC4743DF48CB33DC0C86EBEA6EA03BFE55B19BE4D9A6FBEA545043FD667E83E1CDF19BF3F98A03E609F75BE9BF76A3EB48E76BEE1623CBF0E15023F4393673E51E31CBFCB1972BFE5C288BEA74617BF05533ABE74CA9E3EF90A3C3FB2AE36BE1B4D303F3C09153F436C5EBE046155BFEC84DA3EA8439C3E08B7963F6A44373F9ACBC83E9969583F73CB05BF2CBAC93DD3020ABE83935F3F53DF913E737BC3BF2029303F187AE6BEF1EAC83E88D770BE2D29023EB057A53ED453D23DEF26F1BEBBBB343F5922523E171EB9BA3F7DB83E673585BE3167733FF6CAF63D1FAA433E186C3A3E013AE5BE4C1014BFF6C7F03DE9C83D3EA7AA2E3FAFAB703ECEFF08BF79A18B3E3FBDD83E4ADD023F1ABE343E7BE419BF4521173FEA6FB6BE51D2973E80E146BF9BAFC83EA90DC4BED6FF0C3F073D643F061F183FE31F13BFA602EDBE6444DABE3031AE3E6FF6393EC31AB43DD839273EE0C7983E820FAB3ED6655A3FEAA8A3BCF274E03D14A26BBFA19827BFD9FAADBE422916BF99C1EE3D49C7063F836959BEE66B73BEFCA080BE62BF8E3DBB7B89BE8C2D5E3E10781D3ECC62333EE7F7C43E42CF933C7C5F973D14AA613F2083AFBC18E4CC3E1F28E43C1A146ABED5E269BEC505D2BE39F8B93B89D49ABEFB1C59BE0FF31B3F08E989BDF6C8113F2942073E6B47DC3EFBCF9CBE8BD6943D368AA83F6A2FD33E1C13003F6D95EB3D7D97DA3E4C4615BF43FFDABE0812593EA899D03E1ADE54BEFB51C6BDD7A43CBE80BCC7BD54AB1ABF178038BFA0973ABD71B75FBFBC49FDBEFA01ACBED36008BFACFBE53DECEB6BBEAE2046BD2B7F03BF3CA7C2BEDA5E7C3E6C6A2F3EFB2E79BEA0B92E3E4907A83D6A2A8A3DBBE0483F6DAA5ABEF6DF483EAB87493E458006BE92DD18BF541DA93E792DEC3D68830E3C4437A4BBDEAED6BB45F8EDBE83BF023EA0A66BBFBE1106BD81BA44BF6AC049BE860EAC3E74781BBE047186BE48186F3E944522BE2DB869BE3FAE62BE09163B3F45FB9C3EE6A25B3EB5131FBFE6CD903E78742CBF7C2F593E45FE15BF25A3723F4AE25EBFE7EF143F7806BE3E40CE6ABFB9C319BE212E313F7DAD093F5F075CBF33B994BE710E1EBF87070BBFF036B4BE33B2633FA1C4103DBAD813BE39B94BBE7E449A3E4298A03E6A9FFBBE0B9C333F60CB12BFC1C52EBE02A8453E70AE523FAE5452BE1D6EE23D6B661E3FC8ED8E3E7EF2073FC420F93E3481C73D40D1903E92FAD93E9C273EBD6F3B443F774383BF9851FCBE9178303FB556393ECC77B5BEC45F203E48CC023F139E9FBE530EB43E5C02BFBD89F8B5BD199E88BDCC0E063F877D17BF55DA5CBE233F993EFB2D24BF3E7C52BFC35A813E5A00FEBCFCB3D7BD7E85213DF38A04BFE358B63FFE1006BF2A4D7FBEEF0E3EBF705575BE8A3E3B3FC6EBB5BC760D883EB6F68BBEFCF55F3FBFE74D3D3BE327BF6FE6B43E47AA5DBE3E2A8B3EB2431B3D16E9CC3D8BEA153D6B07F8BE236548BFFC88E93EF2E5CBBD1D41E33D851187BE3A9185BF6C9F2BBF16682A3F3173D9BECBD564BE9B0E44BF86A297BE8AFC5FBE94D712BEAE898EBD0F80B2BEC9F3A3BE4C1F24BDD521033EC2FDD5BD4075563FC2598D3D1E963F3D904DB9BEDC7AF53EA6C60BBF44E957BFD2A905BFFABC8C3E09641BBF06AE1C3F12CA3DBD4E0C4BBF755319BEEB3E5B3F0B47EEBEA3B930BF76F5613EAC161E3F6EEBF13E50C34CBE95D66D3D7ACA013E301E0D3FF9EE843FC5A4B7BDB1241D3FA4C454BE4574843E5A9D00BF27ECD5BE4CEA2F3E90E7F7BE7EBED03E6F4C9FBE2D543F3B3BE49EBDBE604FBED9F7F23C2DF9003F4426C23FB01521BFCBFEE93D2D14FDBD4221FCBEF3E3DB3D3945F3BE205699BDC885153FEEEB85BF074CB43DCE14403E34B403BF6095673E345B0F3E924C57BEADFA113F388030BF9B50923EFB391CBEC26010BF681EFFBD2C7B57BE2749BF3EEA8D48BF375608BE26FF86BE4224403FCE5118BF558CFC3E601A6ABF75A80A3E7FFFD6BD6F381B3E893EC7BE4BBB81BF55A44FBF26001E3F6562893D40B1F1BE39ACD13E92A2D3BE2B3FD2BEC4E525BF34FB0B3FEC5F703F554D06BF5210D03DFE0DE43E5FC7813F1F209FBF92F1D43C94328E3E61FD48BF4C21223EBBFB573D0286A13E40E8ACBE4015263EE7EFB2BE900D833EA2EA023DE65F71BEB15341BF81C7463F4CC6013F48DBC83E1880C2BED23964BEA392493F3730A63EAA63F2BE0117C6BCFFC8C03CA96516BE21C004BFF4B6143F94757E3EABE513BE9E0055BF9980ACBEC94940BD7681C73E86396ABE6BC3023F93F6DE3C795AD4BECF1FB8BF510121BF676149BF1CEDEEBD55D7003E78B0273FFC063CBD324E1EBF2396913F5519F03DFBFD2DBE83152DBEF4AB36BF01BF8F3EB99D193E8705423FC7D6033FB413CC3EDD0E183F092735BE402C83BED47B70BDF50D28BF4C02D6BDF1F249BEF7DE9A3E0DBE1EBDED347CBFD6217ABC18952D3FD48272BF0D54D1BE5BD0A5BCAA0331BF5AE89ABE9772003A80D02FBF01C1F63D26BD363E2EEE28BF395041BC88DD033FD7EDE5BD6399463E5AA9983E06CF0FBE5304F03EDC702E3EE16604BF56C6753E74DCD23ED2C3C33E51DDAEBE0BE2573E76F62A3FDB8BC73DC62A133FB32E223F275A0DBD2A05A13EF37324BEEEE8043FEF3C75BD870194BEF6E6D9BCDECD4BBD1C2D363EC418613EA94D18BF520BADBE2D132C3E8E806A3E6148023D4736A73F2CB60C3F593641BDA738B63E7750293F400B343EEA0461BF06DA303D0417A93C28FC873FDC136CBF3644453FC0C0A3BDCBC9ED3E762116BEA7C9B33DE407113F76F9313DF068073F831F1CBD6EFF4EBE8B8DD9BD14DE7DBE59DA65BD927A2F3F9A8C14BFA63853BFBD7070BBEF2A593F0DA0073FB80E2B3F0DEE213FE8BAB6BEDE098A3D6F32A9BFFC7097BEBB44A03E45CF44BFDF9982BFC49723BF0FC6F63DC17D183F9630A73F71A03A3F1A553EBF4F8F92BF9CA2BA3D3DFF0B3FC2804ABF920778BE2CBD51BEAFD91C3DE13F8ABDAD3A903E",
      torch_tensor_8_torch.float32_2: "0x04000000A447E63EA26FC23E76B09F3E60A0E03E6179BE3EAB1EDE3E0201BF3E4BC3D73E",
      torch_tensor_8_torch.float32_3: "0x04000000FC2A8A3EC352693E8EA03F3EA0C6863EA891643E9A45853E6934653E2D75813E",
      torch_tensor_8_8_3_3_torch.float32_4: "0x04000000D64F863E5C90C3BD28297EBD14AF423EA1E6DEBEB4CB5A3F0418CCBE1AD7A43D70D0D1BD7A6995BEA9C1A83E3D43113FA8264A3F1383B43EB6AB26BE362EFC3EAF4A29BFC46AAE3D0A9FA43EC413AF3E1B4B04BFD3C730BF8669633FEDD34BBE838944BF728D10BFE698793D32B3243FE44E513D5FE0263FD0DD273EE858923E16960A3F02FD0EBE6968483E0C8D16BEFB6C8BBECB54BF3E6642BBBE2E6CAC3D0346B4BE126AF4BAFA1B63BED093163F177FA33D37259F3D58B65C3F599DB4BFE71306BFD93DABBF1E8ADE3C2A847E3E203AB33EFA24253EA2EBD1BE38C8663F34C9343E0CD8DBBD26D709BF4A096D3E8BA666BEBF5A52BE5644FA3DEEF6013E104FC9BEEEAF243FA75AF8BE5C050BBF6DCA2C3E718E9F3D3123473DA75045BE826E0A3DDEEB89BEDD0450BFCF18C23E6BB3FDBE5C34D4BD1F91C03E9852B73C66CBB03FEE9D30BF29ADBABE0CB15A3DABED2F3F71E0ECBD641B35BFAC68143F17FDE7BE0DD7BBBDE650E53E2BE4A7BE7DAA60BE9B05803EB795C4BDA96E183EFD99EFBEBE675FBDAC8F0ABFCD4246BF60C2613F616C6C3E5B6DEC3E9F1EF6BE0E7E39BCB097CCBD802D35BF3C318D3E6A8EB7BEE1C4CABD4D9941BFA057FF3ED87AC33E7E1E4B3E47AFE7BE93DF88BE29F01C3FB88E0BBE40C80A3E1255943DE4A70EBFE19F433F6C6A7DBF807DE93DAF182BBD9A914EBFCB112C3E2332863EA43AE43CD6DDD2BEBA78683EC8340F3F60ABE63D18315D3FDD05DD3E771BC63E8C8A323F5221A8BE553A84BE0D39853EAD38863E4FD6413F5A51133F70B1B93DD9A8E63DB51E09BEFA5C36BE9B4D62BE2D31EA3E55046BBE3A102FBEA878B13DF5967EBE8205D9BD78838ABF15D0493E2DEB10BEA5BFDD3D02994A3E6B9769BFDE009C3F0C68CE3D4C4BEB3D05BE5CBF372CB13E08987B3E3C0A0BBEBBAF303E62CD313FD02AE1BD1F04C8BE33F23A3FF8FA4C3E1FA59BBCB7629C3FD1E21B3E3A7E5EBC0A95533EEB3C02BE03C6383E4F28173ED0E182BED7E76DBD4845673E3BCD853E3F94B83E3504EC3E18DB443E1C9FA63EE824FEBD754E81BD7A59153FD5AF6CBF66C87C3E2009D23F28FE5DBF1B854E3FAFF852BF0F1A6E3E3B485C3F4BFB493F1335D2BE28141CBF98452EBF61DFC93EA56025BEC6A70F3D36B7233EB907703E9A66973EE5C4B53D5AE146BF69C3403FB3A2ACBF5B48243F46788EBEE4F29BBD89DE74BEE53327BE8C4B273C6F56F4BD6E5807BF97A5E33EA35F8ABEE4DD303FA17B6ABD9EEBAABE4117733E4501ED3E8CE3E2BEBE05FCBD7F763B3FCF10F6BE6A0ED0BE33C7D03D6EB916BF57599BBFE6BA50BF789A523E1D17B13E5718A13EECEB5A3E391419BFB0E6B63E1F37183F1D13A9BED7D8FA3EF3AC28BE5190E93D87C34F3E744439BF7D90403FAC17D1BE5E3AFDBCF99F68BE23D97E3E0489713E5628FA3C711A3A3F924B253E83C037BE3DB7B5BFEFFDF6BDA383FFBD298AD4BED8D4D1BED059A23EA0FF0A3F00C7773FB37C173F89A0AABE543D183EDC4029BF1796C53E67344C3E80C991BE848803BD5F2DD6BD8C6098BE775C2E3FCB62C93FB68BDD3EA1C80C3FFA17CF3DCF6D1DBE1E378F3F089025BEDE95603E16A61CBD372EA23E988152BB07D4A23E29A51CBF387AEEBC94E1343F31A0FDBEBEEC9FBE17E7343F9CE2643E4C3F0E3F057F8CBFFE11C03DF8F01DBF09D42CBFC9D7673EECE31C3FC6663ABF01AA08BFF6638BBEEF6032BD1A7925BF6151933F0389A03E575325BEA80C77BEFB67973F7806923F8DC468BE492F443E7B09263F70BD13BFB55E8EBEB486313FD127AABE50364EBE3F3E29BF7908BCBE0250B73E81B6CCBECF9224BF60669BBE20B3663F054BCC3DD6F48ABE0FDBB13DB3876D3E706C8F3DF54666BF0012223E754ACCBD3EBADC3E59662CBFA691083F5D5879BE90815ABFB9902C3F8C9882BE5B8D443EA46A9FBDBF9E0D3F1E150F3F8E51103F2F39B93E2AB14FBFD86A58BFF2A2D03DF875F5BEE5D2703E8FB4AB3D7F5A36BF27BF05BFE46012BF3440E5BEDF01D7BD8167AF3E29982C3F0C01FBBE0DF291BE1665483F2A6EE63EB66FEF3D51B197BF6B6402BF893EA13DBE1A99BE645D803FE94D353D38E8103E47690EBFAD4807BF4E14ADBEFCA6A2BE3849F5BD21843F3EE0E7F13D9C09013F3F492FBFDD13D63D6337F43D5FD54C3FCC97E5BD94B7263ED306D4BED9EE583E85AC4B3E1174A3BE9E0C65BEE61994BCB10F953E772715BF22E0E33E29CC2DBE5631753FB97C3C3F1F1B53BECC06A3BE50C59E3F0A24A23EA412923E3FAF5CBE537B89BD80A8CF3E5FA09E3ED4E3D6BE0582203FD6331E3E22BBF6BE546D003F3AF3B7BD4F07CA3E1ED78FBE42463A3EC54052BFFEFC3F3E3BD244BFD8F8A63D8A0BA4BF72A208BD9164BA3EA4CB793EDB671A3FB5FC0ABFBD704A3F214A4F3F27731BBFA02ACEBED44594BE6C9152BCE27CBD3D4CA19FBF9EA7983E6B5005BE1FF703BF6B9DF43E8FDD33BEA85A123F5BC9883E514D27BE1BF1163F8F2ECF3E0F9583BE21BD50BF29538EBECF299E3ED9A9FABD8522633FB244043EA120C43DDAD74D3E653EE5BE6C8183BDFD04ACBE42E097BFDE3666BF2D10BD3E28EA67BE50A483BD8C6F3FBFCF4799BE02C2C83E53853C3DB75B87BE2DC0443F3DFE07BDB89137BE5701133F539A60BF69D48C3EF29010BF28E1CCBE5DFAB1BECDEA7E3D9BFF513D97B5193ED47AD13DE227343F0961593F708DB53E15E9C13E687144BE30880EBF9D40973E9ED47D3C0F03DC3E2C036CBF1372AC3FE48D24BF5EC57F3CEFA6FE3EA9FB32BF01B18FBE7B8082BF44F538BF4D637ABFE904503D751E163E913425BEB59B223F84C4323FE5169ABBE306E6BD2F8B0EBE9B9E6ABEE441283F22B5F33D4ADE2BBE00A4EBBDB58C8C3E26ED4DBE2AD9213EA3CF95BC92AE2E3F8180153FAFA836BFBFF6A4BD4DA6B73EF42567BE8C3BD13E18A72D3ECA39993E6110FDBCD2B61D3EF97F873E1F4D3DBF4396EBBE7DF502BF0028593F54421D3E174E413E8562B53DC5DF84BEB74BBFBE1A7CDB3E0BD03EBE8DEE4B3F3E8DCD3D350C453DCFABDDBD6CB10FBD303F9F3C578D443F5DA6963F3FDF13BFBF3C063E36C0B73EAFECE6BE395BA1BE5B3168BEE1679ABF4B0DA93EC31CA2BCBDBB30BD10DD373D4C2E043E2E45953F76D4C23D4CAFD83ECB6C83BE20FD393E09CF1CBED5BA8FBDB0A3E5BE5D2CCFBE81C46F3E4077C23E117A723E",
      torch_tensor_8_torch.float32_5: "0x04000000D92EBB3E5840C73E69D8CD3EA5FCCA3E1389E33EF90FCC3EF880E03E07CFA33E",
      torch_tensor_8_torch.float32_6: "0x040000009F9E603E041A6F3EB203773E9395733E7285883EF8DF743EC8B3863E0992443E",
      torch_tensor_5_8_torch.float32_7: "0x040000001E11A2BEB49897BEF0251DBED9BE253E26F5B13FE7878EBECB7F81BFF680A1BEBD0648BF6CF288BE13B5B43CF42AEFBEC7C9A7BE0A3F6CBF3127D73D22C2B8BE23320F3F45BA0A3F7855D7BE9C1C2EBEB0DD2F3D94D1CA3E7A7752BFF4A39DBCDA82733FD758DEBC84F4033ED71E993C2B4314BFDC97FD3EB09F1D3E61C0CF3D1EAAC43ED559D43ED9F56DBFC34B863EE7F18ABEC18BCF3DC13BACBE4D15D3BE"
    }
  }
#-}
