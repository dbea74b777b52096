// A narrow LeNet, activations and weights ls-2, as torch-mlir writes it: NCHW, a linalg.generic for each operation.
#map = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map1 = affine_map<(d0) -> (d0)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#map3 = affine_map<(d0, d1, d2, d3) -> ()>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, 0, 0, 0)>
#map5 = affine_map<(d0) -> ()>
#map6 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#map7 = affine_map<(d0, d1) -> (d0, d1)>
#map8 = affine_map<(d0, d1) -> ()>
#map9 = affine_map<(d0, d1) -> (0, 0)>
#map10 = affine_map<(d0, d1) -> (d0, 0)>
#map11 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<1x1x8x8xf32>) -> tensor<1x10xf32> {
    %cst = arith.constant dense_resource<torch_tensor_4_1_3_3_torch.float32> : tensor<4x1x3x3xf32>
    %cst_1 = arith.constant 0.000000e+00 : f32
    %cst_2 = arith.constant dense<[-0.98447263, 0.19995068, 0.3434772, -0.86315715]> : tensor<4xf32>
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant dense<[0.9521276, 0.51312226, 1.2378154, 0.7523011]> : tensor<4xf32>
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant dense<[-0.035480417, 0.07306311, 0.31997705, 0.09524667]> : tensor<4xf32>
    %cst_7 = arith.constant dense<[0.16904113, -1.3166314, 0.6156789, 0.16377033]> : tensor<4xf32>
    %cst_8 = arith.constant dense<[0.59352773, 0.03683883, 0.014981707, -0.1469539]> : tensor<4xf32>
    %cst_9 = arith.constant -2.000000e+00 : f32
    %cst_10 = arith.constant 2.000000e+00 : f32
    %cst_11 = arith.constant dense_resource<torch_tensor_8_4_3_3_torch.float32_1> : tensor<8x4x3x3xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_8_torch.float32_2> : tensor<8xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_8_torch.float32_3> : tensor<8xf32>
    %cst_14 = arith.constant dense<1.0> : tensor<f32>
    %cst_15 = arith.constant dense<-1.0> : tensor<f32>
    %cst_16 = arith.constant dense_resource<torch_tensor_2_torch.float32_4> : tensor<2xf32>
    %cst_17 = arith.constant dense<[-0.42924967, -0.68337035, 0.25917444, -0.68840224, -0.0077645294, 0.23389374, -0.4182577, -0.19559397]> : tensor<8xf32>
    %cst_18 = arith.constant dense<[0.7095407, 1.7491777, 1.2408464, 1.6550615, 1.3134077, 1.8273528, 0.92210096, 1.9545888]> : tensor<8xf32>
    %cst_19 = arith.constant dense<[0.06966372, -0.0042308504, -0.09876451, 0.19904403, -0.085087635, 0.19947006, 0.032287747, 0.34272155]> : tensor<8xf32>
    %cst_20 = arith.constant dense<[-0.7894709, 0.08115277, 0.3565989, 0.4209122, 1.1428832, 0.4010823, 0.91415745, 1.9749577]> : tensor<8xf32>
    %cst_21 = arith.constant dense<[0.2554939, -0.3172926, -0.42847896, 0.20311816, -0.11218129, 0.08885332, -0.05099684, 0.3947594]> : tensor<8xf32>
    %cst_22 = arith.constant dense_resource<torch_tensor_2_torch.float32_5> : tensor<2xf32>
    %cst_23 = arith.constant dense_resource<torch_tensor_16_32_torch.float32_6> : tensor<16x32xf32>
    %cst_24 = arith.constant dense_resource<torch_tensor_16_torch.float32_7> : tensor<16xf32>
    %cst_25 = arith.constant dense_resource<torch_tensor_16_torch.float32_8> : tensor<16xf32>
    %cst_26 = arith.constant dense<[0.18924838, 0.009149175, 0.4950167, -0.29821846, 0.3572365, -0.25713474, -0.13986073, -0.36942908, 0.02253344, -0.0917571, 0.1244898, -0.18085654, -0.42316735, 0.16473284, 0.3805769, 0.2150729]> : tensor<16xf32>
    %cst_27 = arith.constant dense_resource<torch_tensor_10_16_torch.float32_9> : tensor<10x16xf32>
    %cst_28 = arith.constant dense<[-0.4272428, -0.34610116, -0.048360948, 0.008132046, -0.072381526, -0.5802364, -0.38988414, 0.16073707, 0.16910262, -0.29233557]> : tensor<10xf32>
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
    %29 = tensor.expand_shape %cst_13 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %30 = tensor.empty() : tensor<8x4x3x3xi1>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<8x4x3x3xf32>) outs(%30 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %32 = tensor.empty() : tensor<8x4x3x3xi1>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<8x4x3x3xf32>) outs(%32 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %34 = tensor.empty() : tensor<8x4x3x3xf32>
    %35 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %cst_14 : tensor<8x4x3x3xi1>, tensor<f32>) outs(%34 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %36 = tensor.empty() : tensor<8x4x3x3xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %cst_15, %35 : tensor<8x4x3x3xi1>, tensor<f32>, tensor<8x4x3x3xf32>) outs(%36 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %38 = tensor.empty() : tensor<8x4x3x3xi1>
    %39 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<8x4x3x3xf32>) outs(%38 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %40 = tensor.empty() : tensor<8x4x3x3xf32>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39 : tensor<8x4x3x3xi1>) outs(%40 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %42 = tensor.empty() : tensor<8x4x3x3xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37, %41 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%42 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %44 = tensor.empty() : tensor<8x4x3x3xf32>
    %45 = linalg.generic {indexing_maps = [#map4, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %43 : tensor<8x1x1x1xf32>, tensor<8x4x3x3xf32>) outs(%44 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %46 = tensor.empty() : tensor<8x4x3x3xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %43 : tensor<8x1x1x1xf32>, tensor<8x4x3x3xf32>) outs(%46 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %48 = tensor.empty() : tensor<8x4x3x3xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11, %47 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%48 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %50 = tensor.empty() : tensor<8x4x3x3xi1>
    %51 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<8x4x3x3xf32>) outs(%50 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %52 = tensor.empty() : tensor<8x4x3x3xi1>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<8x4x3x3xf32>) outs(%52 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %54 = tensor.empty() : tensor<8x4x3x3xf32>
    %55 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %cst_14 : tensor<8x4x3x3xi1>, tensor<f32>) outs(%54 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %56 = tensor.empty() : tensor<8x4x3x3xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %cst_15, %55 : tensor<8x4x3x3xi1>, tensor<f32>, tensor<8x4x3x3xf32>) outs(%56 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %58 = tensor.empty() : tensor<8x4x3x3xi1>
    %59 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49 : tensor<8x4x3x3xf32>) outs(%58 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %60 = tensor.empty() : tensor<8x4x3x3xf32>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<8x4x3x3xi1>) outs(%60 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %62 = tensor.empty() : tensor<8x4x3x3xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %61 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%62 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %64 = tensor.empty() : tensor<8x4x3x3xf32>
    %65 = linalg.generic {indexing_maps = [#map4, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %63 : tensor<8x1x1x1xf32>, tensor<8x4x3x3xf32>) outs(%64 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %66 = tensor.empty() : tensor<8x4x3x3xf32>
    %67 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%45, %65 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%66 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %68 = tensor.extract_slice %cst_16[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %69 = tensor.collapse_shape %68 [] : tensor<1xf32> into tensor<f32>
    %70 = tensor.empty() : tensor<1xf32>
    %71 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel"]} ins(%69 : tensor<f32>) outs(%70 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %72 = tensor.expand_shape %71 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xf32> into tensor<1x1x1x1xf32>
    %73 = tensor.extract_slice %cst_16[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %74 = tensor.collapse_shape %73 [] : tensor<1xf32> into tensor<f32>
    %75 = tensor.empty() : tensor<1xf32>
    %76 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel"]} ins(%74 : tensor<f32>) outs(%75 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %77 = tensor.expand_shape %76 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xf32> into tensor<1x1x1x1xf32>
    %78 = tensor.empty() : tensor<1x4x4x4xi1>
    %79 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x4x4xf32>) outs(%78 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %80 = tensor.empty() : tensor<1x4x4x4xi1>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x4x4xf32>) outs(%80 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %82 = tensor.empty() : tensor<1x4x4x4xf32>
    %83 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %cst_14 : tensor<1x4x4x4xi1>, tensor<f32>) outs(%82 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %84 = tensor.empty() : tensor<1x4x4x4xf32>
    %85 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %cst_15, %83 : tensor<1x4x4x4xi1>, tensor<f32>, tensor<1x4x4x4xf32>) outs(%84 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %86 = tensor.empty() : tensor<1x4x4x4xi1>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x4x4xf32>) outs(%86 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %88 = tensor.empty() : tensor<1x4x4x4xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%87 : tensor<1x4x4x4xi1>) outs(%88 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %90 = tensor.empty() : tensor<1x4x4x4xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %89 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%90 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %92 = tensor.empty() : tensor<1x4x4x4xf32>
    %93 = linalg.generic {indexing_maps = [#map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %91 : tensor<1x1x1x1xf32>, tensor<1x4x4x4xf32>) outs(%92 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %94 = tensor.empty() : tensor<1x4x4x4xf32>
    %95 = linalg.generic {indexing_maps = [#map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%72, %91 : tensor<1x1x1x1xf32>, tensor<1x4x4x4xf32>) outs(%94 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %96 = tensor.empty() : tensor<1x4x4x4xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %95 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%96 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %98 = tensor.empty() : tensor<1x4x4x4xi1>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97 : tensor<1x4x4x4xf32>) outs(%98 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %100 = tensor.empty() : tensor<1x4x4x4xi1>
    %101 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97 : tensor<1x4x4x4xf32>) outs(%100 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %102 = tensor.empty() : tensor<1x4x4x4xf32>
    %103 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99, %cst_14 : tensor<1x4x4x4xi1>, tensor<f32>) outs(%102 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %104 = tensor.empty() : tensor<1x4x4x4xf32>
    %105 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101, %cst_15, %103 : tensor<1x4x4x4xi1>, tensor<f32>, tensor<1x4x4x4xf32>) outs(%104 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %106 = tensor.empty() : tensor<1x4x4x4xi1>
    %107 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97 : tensor<1x4x4x4xf32>) outs(%106 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %108 = tensor.empty() : tensor<1x4x4x4xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%107 : tensor<1x4x4x4xi1>) outs(%108 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %110 = tensor.empty() : tensor<1x4x4x4xf32>
    %111 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%105, %109 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%110 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %112 = tensor.empty() : tensor<1x4x4x4xf32>
    %113 = linalg.generic {indexing_maps = [#map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %111 : tensor<1x1x1x1xf32>, tensor<1x4x4x4xf32>) outs(%112 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %114 = tensor.empty() : tensor<1x4x4x4xf32>
    %115 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%93, %113 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%114 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %116 = tensor.pad %115 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x4x4x4xf32> to tensor<1x4x6x6xf32>
    %117 = tensor.empty() : tensor<1x8x4x4xf32>
    %118 = linalg.broadcast ins(%cst_17 : tensor<8xf32>) outs(%117 : tensor<1x8x4x4xf32>) dimensions = [0, 2, 3]
    %119 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%116, %67 : tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) outs(%118 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %120 = tensor.empty() : tensor<1x8x4x4xf32>
    %121 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%119 : tensor<1x8x4x4xf32>) outs(%120 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ugt, %in, %cst_1 : f32
      %r = arith.select %b, %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x4x4xf32>
    %122 = tensor.empty() : tensor<1x8x2x2xf32>
    %123 = linalg.fill ins(%cst_3 : f32) outs(%122 : tensor<1x8x2x2xf32>) -> tensor<1x8x2x2xf32>
    %124 = tensor.empty() : tensor<2x2xf32>
    %125 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%121, %124 : tensor<1x8x4x4xf32>, tensor<2x2xf32>) outs(%123 : tensor<1x8x2x2xf32>) -> tensor<1x8x2x2xf32>
    %126 = tensor.empty() : tensor<8xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_18 : tensor<8xf32>) outs(%126 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_5 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %128 = tensor.empty() : tensor<8xf32>
    %129 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%127 : tensor<8xf32>) outs(%128 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %130 = tensor.expand_shape %cst_19 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %131 = tensor.empty() : tensor<1x8x2x2xf32>
    %132 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%125, %130 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%131 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %133 = tensor.expand_shape %129 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %134 = tensor.empty() : tensor<1x8x2x2xf32>
    %135 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132, %133 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%134 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %136 = tensor.expand_shape %cst_20 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %137 = tensor.empty() : tensor<1x8x2x2xf32>
    %138 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%135, %136 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%137 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %139 = tensor.expand_shape %cst_21 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %140 = tensor.empty() : tensor<1x8x2x2xf32>
    %141 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138, %139 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%140 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %142 = tensor.empty() : tensor<1x8x2x2xf32>
    %143 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%141 : tensor<1x8x2x2xf32>) outs(%142 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ult, %in, %cst_9 : f32
      %c = arith.select %b, %cst_9, %in : f32
      %d = arith.cmpf ugt, %c, %cst_10 : f32
      %r = arith.select %d, %cst_10, %c : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %144 = tensor.collapse_shape %143 [[0], [1, 2, 3]] : tensor<1x8x2x2xf32> into tensor<1x32xf32>
    %145 = tensor.extract_slice %cst_22[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %146 = tensor.collapse_shape %145 [] : tensor<1xf32> into tensor<f32>
    %147 = tensor.empty() : tensor<1xf32>
    %148 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel"]} ins(%146 : tensor<f32>) outs(%147 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %149 = tensor.expand_shape %148 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
    %150 = tensor.extract_slice %cst_22[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %151 = tensor.collapse_shape %150 [] : tensor<1xf32> into tensor<f32>
    %152 = tensor.empty() : tensor<1xf32>
    %153 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel"]} ins(%151 : tensor<f32>) outs(%152 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %154 = tensor.expand_shape %153 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
    %155 = tensor.empty() : tensor<1x32xi1>
    %156 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%144 : tensor<1x32xf32>) outs(%155 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %157 = tensor.empty() : tensor<1x32xi1>
    %158 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%144 : tensor<1x32xf32>) outs(%157 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %159 = tensor.empty() : tensor<1x32xf32>
    %160 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%156, %cst_14 : tensor<1x32xi1>, tensor<f32>) outs(%159 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %161 = tensor.empty() : tensor<1x32xf32>
    %162 = linalg.generic {indexing_maps = [#map7, #map8, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%158, %cst_15, %160 : tensor<1x32xi1>, tensor<f32>, tensor<1x32xf32>) outs(%161 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %163 = tensor.empty() : tensor<1x32xi1>
    %164 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%144 : tensor<1x32xf32>) outs(%163 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %165 = tensor.empty() : tensor<1x32xf32>
    %166 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%164 : tensor<1x32xi1>) outs(%165 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %167 = tensor.empty() : tensor<1x32xf32>
    %168 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%162, %166 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%167 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %169 = tensor.empty() : tensor<1x32xf32>
    %170 = linalg.generic {indexing_maps = [#map9, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%149, %168 : tensor<1x1xf32>, tensor<1x32xf32>) outs(%169 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %171 = tensor.empty() : tensor<1x32xf32>
    %172 = linalg.generic {indexing_maps = [#map9, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%149, %168 : tensor<1x1xf32>, tensor<1x32xf32>) outs(%171 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %173 = tensor.empty() : tensor<1x32xf32>
    %174 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%144, %172 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%173 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %175 = tensor.empty() : tensor<1x32xi1>
    %176 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%174 : tensor<1x32xf32>) outs(%175 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %177 = tensor.empty() : tensor<1x32xi1>
    %178 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%174 : tensor<1x32xf32>) outs(%177 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %179 = tensor.empty() : tensor<1x32xf32>
    %180 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%176, %cst_14 : tensor<1x32xi1>, tensor<f32>) outs(%179 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %181 = tensor.empty() : tensor<1x32xf32>
    %182 = linalg.generic {indexing_maps = [#map7, #map8, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%178, %cst_15, %180 : tensor<1x32xi1>, tensor<f32>, tensor<1x32xf32>) outs(%181 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %183 = tensor.empty() : tensor<1x32xi1>
    %184 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%174 : tensor<1x32xf32>) outs(%183 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %185 = tensor.empty() : tensor<1x32xf32>
    %186 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%184 : tensor<1x32xi1>) outs(%185 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %187 = tensor.empty() : tensor<1x32xf32>
    %188 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%182, %186 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%187 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %189 = tensor.empty() : tensor<1x32xf32>
    %190 = linalg.generic {indexing_maps = [#map9, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%154, %188 : tensor<1x1xf32>, tensor<1x32xf32>) outs(%189 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %191 = tensor.empty() : tensor<1x32xf32>
    %192 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%170, %190 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%191 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %193 = tensor.expand_shape %cst_24 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %194 = tensor.expand_shape %cst_25 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %195 = tensor.empty() : tensor<16x32xi1>
    %196 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_23 : tensor<16x32xf32>) outs(%195 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %197 = tensor.empty() : tensor<16x32xi1>
    %198 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_23 : tensor<16x32xf32>) outs(%197 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %199 = tensor.empty() : tensor<16x32xf32>
    %200 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%196, %cst_14 : tensor<16x32xi1>, tensor<f32>) outs(%199 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %201 = tensor.empty() : tensor<16x32xf32>
    %202 = linalg.generic {indexing_maps = [#map7, #map8, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%198, %cst_15, %200 : tensor<16x32xi1>, tensor<f32>, tensor<16x32xf32>) outs(%201 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %203 = tensor.empty() : tensor<16x32xi1>
    %204 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_23 : tensor<16x32xf32>) outs(%203 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %205 = tensor.empty() : tensor<16x32xf32>
    %206 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%204 : tensor<16x32xi1>) outs(%205 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %207 = tensor.empty() : tensor<16x32xf32>
    %208 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%202, %206 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%207 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %209 = tensor.empty() : tensor<16x32xf32>
    %210 = linalg.generic {indexing_maps = [#map10, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%193, %208 : tensor<16x1xf32>, tensor<16x32xf32>) outs(%209 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %211 = tensor.empty() : tensor<16x32xf32>
    %212 = linalg.generic {indexing_maps = [#map10, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%193, %208 : tensor<16x1xf32>, tensor<16x32xf32>) outs(%211 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %213 = tensor.empty() : tensor<16x32xf32>
    %214 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_23, %212 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%213 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %215 = tensor.empty() : tensor<16x32xi1>
    %216 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%214 : tensor<16x32xf32>) outs(%215 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %217 = tensor.empty() : tensor<16x32xi1>
    %218 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%214 : tensor<16x32xf32>) outs(%217 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %219 = tensor.empty() : tensor<16x32xf32>
    %220 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%216, %cst_14 : tensor<16x32xi1>, tensor<f32>) outs(%219 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %221 = tensor.empty() : tensor<16x32xf32>
    %222 = linalg.generic {indexing_maps = [#map7, #map8, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%218, %cst_15, %220 : tensor<16x32xi1>, tensor<f32>, tensor<16x32xf32>) outs(%221 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %223 = tensor.empty() : tensor<16x32xi1>
    %224 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%214 : tensor<16x32xf32>) outs(%223 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %225 = tensor.empty() : tensor<16x32xf32>
    %226 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%224 : tensor<16x32xi1>) outs(%225 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %227 = tensor.empty() : tensor<16x32xf32>
    %228 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%222, %226 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%227 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %229 = tensor.empty() : tensor<16x32xf32>
    %230 = linalg.generic {indexing_maps = [#map10, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%194, %228 : tensor<16x1xf32>, tensor<16x32xf32>) outs(%229 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %231 = tensor.empty() : tensor<16x32xf32>
    %232 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%210, %230 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%231 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %233 = tensor.empty() : tensor<32x16xf32>
    %234 = linalg.transpose ins(%232 : tensor<16x32xf32>) outs(%233 : tensor<32x16xf32>) permutation = [1, 0]
    %235 = tensor.empty() : tensor<1x16xf32>
    %236 = linalg.fill ins(%cst_1 : f32) outs(%235 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %237 = linalg.matmul ins(%192, %234 : tensor<1x32xf32>, tensor<32x16xf32>) outs(%236 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %238 = tensor.empty() : tensor<1x16xf32>
    %239 = linalg.generic {indexing_maps = [#map7, #map11, #map7], iterator_types = ["parallel", "parallel"]} ins(%237, %cst_26 : tensor<1x16xf32>, tensor<16xf32>) outs(%238 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x16xf32>
    %240 = tensor.empty() : tensor<1x16xf32>
    %241 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%239 : tensor<1x16xf32>) outs(%240 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ugt, %in, %cst_1 : f32
      %r = arith.select %b, %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x16xf32>
    %242 = tensor.empty() : tensor<16x10xf32>
    %243 = linalg.transpose ins(%cst_27 : tensor<10x16xf32>) outs(%242 : tensor<16x10xf32>) permutation = [1, 0]
    %244 = tensor.empty() : tensor<1x10xf32>
    %245 = linalg.fill ins(%cst_1 : f32) outs(%244 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %246 = linalg.matmul ins(%241, %243 : tensor<1x16xf32>, tensor<16x10xf32>) outs(%245 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %247 = tensor.empty() : tensor<1x10xf32>
    %248 = linalg.generic {indexing_maps = [#map7, #map11, #map7], iterator_types = ["parallel", "parallel"]} ins(%246, %cst_28 : tensor<1x10xf32>, tensor<10xf32>) outs(%247 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x10xf32>
    return %248 : tensor<1x10xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_1_3_3_torch.float32: "0x040000004947873C589794BFAC7ED2BE9654BCBD4151CD3E6DD4353F5612E1BE7406803F204E9F3D3C918D3EA9E570BE824E8ABEF1F5403FA32A99BDB35A81BC23EA1D3F7886663F679F36BF18DD64BD175B0A3D38EE723F755DA33F81A0843C23CC6A3E6427F43EADED1E3F60F5EBBDBC30F33E63C39BBE05A0A5BF37E524BF58AC1F3E7505E23E678A8ABF35C45ABF4715133D",
      torch_tensor_8_4_3_3_torch.float32_1: "0x040000007E40DD3E7C5504BD95D290BE5ABD5F3F7AC9763F335E1FBE8620E2BE1F4C233F3343B1BEAB97BE3F470DA83BDA7B0E3F21B213BFB5C4673DB57E1F3F323E973E4E4B47BE8B3AA73F2D8FE43E834F20BDD20C69BE7BA773BDFA28413F59509FBE430BBE3DA2B4ABBECCE6343FBB3AA4BBFE8B023FAB41B93E6AC55BBEE49DDB3E2E9B0C3FD884FFBEC77DDC3EE7D1EE3F170C93BD4C39CC3EA6F017BFA2379E3E117A5FBE646FED3E85A2553D2CB403BFD2AA213F1D63FDBC15D7DDBE64AFE33D964CD1BEFEDE8D3E9B2E3C3D12B0DEBDC3ECD33E57E010BFEF5D113FCACB6EBFC768633FA9C42D3EFD9861BDB31D96BE9E52B53E254C24BBC7BF40BC5C55193F4A7210BE196E28BD4905973ECDA81E3F36E1173B1088223E8CB6CF3D4321E83EABC0543FA2ADC9BE194D2F3CA27A5E3D9DA7C03EE823563FDC5B8E3D71133E3E1071263F81180DBFFF6E9FBE06BE19BEE564973D4E72463E5C933DBE2BC4763FC99E8FBE9A42D2BC815F203FCC60EF3E11738D3D7A62883ED3F5FA3EAF828D3D67B8CE3E4782C7BE47C1E13DAF1342BF130FC2BEE29301BFDCA7343F413D27BE2E7A633E7EEECBBE97C906BDF00494BDF804BBBE01DD003FE09B46BF82FCC43EC72EB53F59BBB3BE211EA43D0B4B3ABFDACD463D031552BF9E8AC13E501545BE04CB61BFFE6E1ABFB9F440BFDED7BFBDEA90F73E56C61DBE32700DBFAFC6C2BEC52CD23D8C4C99BF81CBAC3EA48B793EC56E9BBF88EB223F84F04CBF2971A1BD2D47213F955F4EBF3E436ABF43930BBFA92F07BF4E5641BD61597BBE9F3B6DBE314C66BE7C7B94BDDC15D5BE53953F3E8EDC953C87D0FFBEAD55733FBF0C21BF7188CA3EE65DB8BEC01D523EE3A1933E908BEC3EE1B23F3F029FCFBE6004BE3FF0DC6E3EC951C6BE801C2ABFD5169D3F91F95E3FDFD2BF3CF528D83E25D8343F902DAF3DA9E738BE3995973CB466EE3EC07C463D173317BFF9E9D83ED01558BFD5BDB0BE2BE12B3FCFEE233E21BB213ED559BE3D46E7103F7AEA4B3C886B75BF055E273E5EBBC3BF375C81BFD4D6583FE29F113F37D34CBE3525ADBADD22A53D118E0C3FAC92B7BE45F9D3BEF3E391BE92ABDA3DC8F72E3EE4A829BE384BD93E516BF9BEF1E05FBB3AF7A2BE4E3EF5BEC5B8293F43BB02BEEC3BF5BE1DE6653DAE11F4BE3C5BAE3E2CCAF03EF96D0F3FC36001BFD1881FBD90A07A3FE05096BDE6DF2E3F521F513FC44F2BBFDAFF273F8822D83EA69DF83ED0C8663FB9B58B3EB0AD9F3D6158B33ED6A20DBEB42F953E0BA57DBFF8036C3F01516FBE82C0A03E1BF2493E182EBA3DFBB3C13D235E903D29EC4CBF49DD77BEB1C3253FA795F8BE789F00BF9B178F3F905B273F26CF553F39BEF53C0FF0313E0DCAD93E4172A53EAB5016BC7E4E36BF1DFEADBEFD5B3CBF9432563F5BA130BEF6F479BD9D95333EDC9F1C3D2FB9983EFF6D94BE61F53FBF47A56B3FF795ACBE2C345EBEA5FFC2BEF6C882BE714B093DCFADCE3EF7A803BF22072D3EAFDBA4BE1CC4213F0B551BBF3B11903D6078C33E8B442CBFF687963D563BBB3D9716C7BED73EC0BD58C3043FB62B0F3EA43348BE830CBBBD5A84763E9B26283FBB1AD53ED12DC43E870C4E3F",
      torch_tensor_8_torch.float32_2: "0x040000009452F33EAE39A13E2190AE3E9C9A033F6EC8E13E5220CF3E85B2ED3EA0ADB33E",
      torch_tensor_8_torch.float32_3: "0x0400000059FE913E6B78413EC279513EBCEC9D3E4278873E308D783E509E8E3E279D573E",
      torch_tensor_2_torch.float32_4: "0x0400000056107B3F22DD073F",
      torch_tensor_2_torch.float32_5: "0x04000000AF597D3F7B260A3F",
      torch_tensor_16_32_torch.float32_6: "0x040000001E8C1A3F7B4010BF133A0E3E7EA518BE95A527BF9A12A73E992290BDE8FB643EBA159F3FDECA2A3F44030E3F9DD94FBEAC5117BF5B73203FAF501ABE43D9C03C99DF3FBE7F92513D50759A3F29AA20BE16EC0FBEE911D13DC6A0123EB0DD19BFCF9F63BF6AC295BE6444DDBD43F4CABE1E3901BF923FF3BEC10A50BEEDA988BD78E752BF0D0F91BE666A2C3E200394BD0DD830BF714B42BE378DAFBC77A0BE3E116053BF6F94A83EF05C7ABE6A33B43DCC9AA73EDA1AE6BE3FDED5BEA3FF92BD7FBDB13E2D3E93BEFBE738BF8774BABEB6B2323ECBBE0F3F17E08ABE690F39BE6E9CDEBD2914B2BD2541FCBE9E9B76BEF1CBB03D8C7EF63CC8D02ABCCFE605BFF05697BE3A25C1BE876E003F41C4333FB429183E4CB4453F0E972BBE302129BEF2A02ABF4534C03DB0B37CBE3E2FD33C95A1633E20720FBED7DE13BFAE6729BD40E960BD49EA99BBC02EA23E5DD3FEBDB2EC19BEE2C1573F8311043F45F57ABDB445F5BEE6C471BE3BC1323E78E0CE3E6303973F91CA08BEBDB6843DE6BB3EBE3341FD3C52964ABEEE6C09BF559CFF3E7EBA6A3D036F213F690382BEA118013E4BCEA43E46766EBFAFAC27BF2864BD3EFED1473DCE7868BF95BBBABE0DCB04BFA8D772BE6A01443F1FCA8FBEE5A6803F9977F6BDD34CB7BEC880473F97B9F23E2725303F16D7773F33B8083F7E091D3F80CA56BF33DBCABE970D6C3EFEBFE93D6370BD3EE4BE61BEC4B2103F51D5813FB7499D3E4C92DD3E61A18A3ED7BEF53E1DEE023E1D0468BEBBE2F63DA4CF9D3D3D3F3BBFB2D10E3E4F0A183DA3DE013EB6137DBE9C4C863E8141AA3E98DEA6BE07923B3E6B6DD13E69F1C73E82CFDDBE843FF8BEEDE8033DB695FFBE3F66A03FF779C5BE30B2C2BE9857A93EF31A64BE3C6493BF86CC88BDB41FF8BE9DFB83BEC0954CBF9991E6BE0056B2BD8FD13EBD95A10FBF5AF1BBBEBE40DFBEABE8553D1A17BDBDA21823BFE075973E9F1ABCBE6A672C3E8739F4BE3936F83DD015AFBD9D883C385F27623E45F2403E890B5A3DFF11553D89F627BF56C781BDC7178EBF834991BF60653BBE637A0EBE7C68353FFE60993E76BE043FB8E838BEDAEA433E423E0C3F52D0703E3DC5193EC1F6E23C8ED6F3BEC6BDECBE502A3ABF30263A3EEA341CBEC6C7B3BE52F8213E3B7C99BE16E5FF3EAB486D3FDF5F553EA186B5BE377940BF61FF7A3F3728573EE7BA17BF42B0043F56C755BF18CF6ABEF1FF03BE12B841BEA3FB12BF4321963F875C54BEBA64373ECF3CE83B4A224DBFC91B90BE2714C03D130DE73E598C38BE3283303EE0CA34BED7A6903E5FF19DBFE408943EF9E8A1BED41A97BE1962B5BF1EE208BF8FE6973E5AC6913FBE17B6BE6922ABBEF4D2723E7A9D0B3E2E4998BE3663B6BDF24348BEBCB39A3E6B45C73E927E5E3F1626E73E61ADA73E5051983DC9A9EC3EC9F9FBBE9DD1883F0DC10C3E4423333FCB7FCBBEBDBC023FB2854A3E5A19C0BDC6C3AABEF2A6E0BE55C9643FDE3A1B3F8E78683D5F33C63D5249B9BE79016ABF6F4864BF181B9BBE44119EBD026D15BF562DCB3E8A80833E06D0A33DF97160BF0FD7DBBDA57579BCA70621BF53838BBFEA81743FD6639E3E81D544BE5AFA4B3F01DE0D3FB5A2643EAC3CE63DF50EC73E0CE53A3F2FB30D3DE374ECBDDEB4943E9E2FB4BF81A0323D3D8F50BE239013BC8937BDBD4F422C3E1BD0543DDF0E093D773888BD6852683EC20B82BEE751FB3ED17057BF2DEBCF3D9B2C673E22BA22BF04665CBE6166293FCF2F87BD56F1E1BEEAC9BEBF2C222E3EA37E503D611E9C3E3C25833F45A105BB61CB883D80B7AFBE1AD0FCBC86186EBC4946C13E6DC88D3EF394C3BE577573BE1B76303F31B4F5BE204ABF3ED4E04F3F8F50A73E019B013E20AE2E3F6003353EB62794BB56EFCFBD4BF7123FBEF5B13E31B2453F12F62BBE303D20BEC0385FBE4F510F3E8B4BB1BE07FAEC3EA2692D3EEB56FBBECFC1BDBF22C869BF0A0D383F765DFDBCFD32963D560D5ABE5D29493E600D76BF9F2480BFB7AE51BFE075043DD29FB33EC1C1713E242184BDFD5524BFF916CB3E8C0312BE174641BCB0B11EBD0FD271BE1B44BABEC75698BE79E225BFE62BFA3D7422B6BD56B5013F877368BFF27C153F21E51BBDA70AABBD0E63CFBE5A59D2BEF2CE3FBF07EFE43E40B3DFBDA589B63E94BDD23E6B0281BEB129F8BDAFD432BE34EF023FE3AD823D94F1A83D85A6B73E02A421BD629F823F974AEEBEE732203F207D333FB86F12BF4A6ADC3E24030F3E619FDE3E68EB19BFADC6F83D31FEFABE06E229BEDCBB353FBC2E8ABD452290BFE00F33BFE0EC11BF4903023F14A5B2BE555047BFC4EE0E3F1746003E6C422F3E5788CCBE64BA363F4C8B7BBDDFA47CBF69A811BFD5AFD7BE67F6A4BDF5B9C33E4620BABEE1D299BE0D138D3F273E293D395E87BE67FE863C294520BFFDF6883E0DE1F73E291895BEE32D003FD5D814BE838F133EC9D8BDBE1C02CDBE46E83FBF4FF1E03D147D11BE02CD01BEEB7F10BF1D8215BFC1DAA1BE8866703E54281A3ED8B3AEBEBB5E163E39FB603FBCA5583D8565813FD3F05D3EDD652A3FBA5E87BE3B3C163FFBA117BF60E5F83DB5842BBEA9957FBF83B82EBF24D0103F2CB47A3EFBAD253F124CC73D05D8B9BF74BAFE3DF73292BEA16D81BEFD5B67BE05CBC4BE3660F6BE53971E3F1E04633E7D2BA8BE2D035ABEE652F83E76F4403E7159C33D348E1DBFD4F260BE2BFD11BF2C1176BF7560E33E233F2BBEA47956BE3EA2F7BEC0EBBF3EFC74853F85C9933E30FAEB3EDE6920BF4C08AC3D1091D73DFFB33D3F11A7253A72B8F3BE670619BDF5E962BE15F8373FCDF4A73E91112A3EA462AE3DCB9BD53E1A2180BE90A2EDBE4B1F72BF4D88163F",
      torch_tensor_16_torch.float32_7: "0x04000000490AC53EFED29D3EBC2EA13E6CAFED3E78B9B63E0C3DB83ED470D53EB6B3CA3EC3C5ED3EFC3DAB3ED9B8BD3E8C8DC43EC314D83E1609C13E6D25D93E85CDCD3E",
      torch_tensor_16_torch.float32_8: "0x04000000BF726C3E98633D3E496B413E749C8E3EF7445B3E0F165D3E8010803E0E3E733EDCA98E3E957D4D3E9FAA633E0FDD6B3E0FA6813E81A4673EA849823EA0F6763E",
      torch_tensor_10_16_torch.float32_9: "0x04000000E2AF17BD6592443EE0155CBF3A1E36BE64C9113F7D34603ECF5FE0BEDF69D53EA30F9FBD7A32B53E053037BF95CD8CBE26831A3E6E180F3E11BF873EA06D8BBC7FC7E2BDFD81653EFE4AD73EF9C244BF2C3B30BE35B8E7BD3F5C8A3D4C1BFD3E14BF2CBF727F823ED23160BFF870C6BEA91A8BBEFDA015BE5A18A2BEBFFB88BE8FAC39BE9F7E15BE44406EBF97AF35BFE3796ABEF326813EC386FA3EF695B43F41F72F3D543DCEBE75EA9F3D7940A83EBFC56F3D19D809BF1FA378BD13CEFEBC612C36BF2D901CBFAA35163F36508FBF66FC963D4A2E0FBE6E212E3F3148963E4A4FE1BE35D71D3F32FF93BE19E57A3F4F52503F39164ABD7C10C03EAF4DA83D3D5DEABEC412053F53F04F3EF033D43E3626063FE606323F4714023F85A44DBDEE661B3D5FA34C3E564D84BD5BF2F8BD8E686B3F16E8743EC5D86F3F6D0FC5BE7732C0BCE8B35FBEBFD748BE656D15BE33C881BDFC0A5FBEED36643F7385AA3E47D1BDBEE13D8BBE1527BC3E6750893E21629BBE24C2E93E98E635BF2BBC70BE53A15A3F2B4FA5BFB89ED0BDA5F4F93E7FC394BDFE6AC6BE0103E2BE3BF983BFC04028BF82B4023D92BC90BEDC9FE7BB064299BDB69D0F3EB99B52BFFDF41CBE977C2CBE38A91EBE0F8BE1BEF9028BBFD57F9F3E23F6CD3E8D13963F4BA1B83E57F34F3FEB81963E805541BE99997A3E460F14BF33C2F43D6ECC5FBD86D805BF93B81A3F279D0D3F3CD5693E75AFCE3EE3B3503F378086BD074E2BBF1C35F1BE781AB13E1ED3EA3D2C293CBF0CD2273F37B5DC3D75094D3FB0BC0F3FC01A5ABE992F4D3DF4C0B8BE1F71D3BEE86D13BE8501813E90CA2E3FEEC1DFBE04A4B43EF381CE3C3810D2BDBA0D113F6B302CBEF413313F4DA01FBE4A11E5BECC2DC83E"
    }
  }
#-}
