// A float convolution and two regular blocks, activations ls-T and weights ls-1, as torch-mlir writes it: NCHW, a linalg.generic for each operation.
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
    %cst_2 = arith.constant dense<[1.6164232, 1.1616888, 1.562726, 1.0335877, 1.7501806, 1.3373011, 0.98285866, 0.99991673]> : tensor<8xf32>
    %cst_3 = arith.constant 1.000000e-05 : f64
    %cst_4 = arith.constant dense<[0.11275351, -0.086361475, -0.33918792, 0.20011888, 0.118556395, -0.3112028, -0.14482969, -0.28333753]> : tensor<8xf32>
    %cst_5 = arith.constant dense<[0.6357869, -0.10015031, 1.3024002, 1.4127179, 0.38389096, 1.2556542, 1.112487, 1.5714682]> : tensor<8xf32>
    %cst_6 = arith.constant dense<[-0.12451074, 0.21056582, 0.58031476, 0.22171731, -0.102930866, 0.098492816, 0.7180911, -0.09227026]> : tensor<8xf32>
    %cst_7 = arith.constant -1.000000e+00 : f32
    %cst_8 = arith.constant 1.000000e+00 : f32
    %cst_9 = arith.constant dense<[1.1091605, 1.3350344, 0.5663219, 0.99684405, 0.81174654, 0.705789, 1.0176287, 0.84674925]> : tensor<8xf32>
    %cst_10 = arith.constant dense<[-0.15398903, -0.39318493, -0.20708284, -0.34691268, 0.38382378, -0.20917873, 0.48535198, 0.20065424]> : tensor<8xf32>
    %cst_11 = arith.constant dense<[2.154907, -0.007260817, 0.9543844, -2.0188637, -0.3762385, -0.65559506, 1.2682215, -0.030686611]> : tensor<8xf32>
    %cst_12 = arith.constant dense<[0.23481715, -0.18768823, -0.36174503, 0.0053214855, 0.42818817, 0.015754836, 0.5098491, -0.06865804]> : tensor<8xf32>
    %cst_13 = arith.constant -2.000000e+00 : f32
    %cst_14 = arith.constant 2.000000e+00 : f32
    %cst_15 = arith.constant dense<0.6000000238418579> : tensor<1x1x1x1xf32>
    %cst_16 = arith.constant dense<1.0> : tensor<f32>
    %cst_17 = arith.constant dense<-1.0> : tensor<f32>
    %cst_18 = arith.constant dense_resource<torch_tensor_8_8_3_3_torch.float32_1> : tensor<8x8x3x3xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_8_torch.float32_2> : tensor<8xf32>
    %cst_20 = arith.constant dense<[0.018449761, 0.12029723, 0.16649517, -0.8860717, 0.042870797, 0.16428922, 0.060103852, -0.45291635]> : tensor<8xf32>
    %cst_21 = arith.constant dense<[[[[0.27462667]], [[0.10876731]], [[0.15210898]], [[0.22203344]], [[0.19793327]], [[0.2949638]], [[0.3884159]], [[0.28785565]]]]> : tensor<1x8x1x1xf32>
    %cst_22 = arith.constant dense<[1.3683861, 0.59125066, 0.94579655, 1.709098, 1.7332253, 0.74542046, 1.5444509, 1.7815894]> : tensor<8xf32>
    %cst_23 = arith.constant dense<[-0.31880197, -0.3927484, 0.029660601, 0.38372445, 0.07323821, 0.18185848, 0.13664056, 0.16478553]> : tensor<8xf32>
    %cst_24 = arith.constant dense<[-0.16073258, 0.45234707, 0.656158, -0.13490279, 1.6465644, -1.0842682, -0.4105922, -0.8670261]> : tensor<8xf32>
    %cst_25 = arith.constant dense<[0.31081998, 0.31654316, -0.23144875, 0.014351538, -0.14307576, -0.41586053, -0.24919043, 0.09036764]> : tensor<8xf32>
    %cst_26 = arith.constant dense_resource<torch_tensor_8_8_3_3_torch.float32_3> : tensor<8x8x3x3xf32>
    %cst_27 = arith.constant dense_resource<torch_tensor_8_torch.float32_4> : tensor<8xf32>
    %cst_28 = arith.constant dense<[-0.12765348, 0.31730434, 0.33181763, 0.18652624, 0.36113304, -0.13605395, -0.2708272, 0.5658278]> : tensor<8xf32>
    %cst_29 = arith.constant dense<[[[[0.36997452]], [[0.22198507]], [[0.27501926]], [[0.35887682]], [[0.2101155]], [[0.24045378]], [[0.22486264]], [[0.25841632]]]]> : tensor<1x8x1x1xf32>
    %cst_30 = arith.constant 3.600000e+01 : f32
    %cst_31 = arith.constant dense_resource<torch_tensor_5_8_torch.float32_5> : tensor<5x8xf32>
    %cst_32 = arith.constant dense<[0.07419984, -0.43663254, 0.20181505, -0.16516855, 0.34738365]> : tensor<5xf32>
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
    %58 = tensor.empty() : tensor<1x8x6x6xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %57 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%58 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %60 = tensor.empty() : tensor<1x8x6x6xi1>
    %61 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x8x6x6xf32>) outs(%60 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %62 = tensor.empty() : tensor<1x8x6x6xi1>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x8x6x6xf32>) outs(%62 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %64 = tensor.empty() : tensor<1x8x6x6xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%64 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %66 = tensor.empty() : tensor<1x8x6x6xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %cst_17, %65 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%66 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %68 = tensor.empty() : tensor<1x8x6x6xi1>
    %69 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59 : tensor<1x8x6x6xf32>) outs(%68 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %70 = tensor.empty() : tensor<1x8x6x6xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x8x6x6xi1>) outs(%70 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %72 = tensor.empty() : tensor<1x8x6x6xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67, %71 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%72 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %74 = tensor.empty() : tensor<1x8x6x6xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %73 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%74 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %76 = tensor.empty() : tensor<1x8x6x6xf32>
    %77 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_15, %75 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%76 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %78 = tensor.expand_shape %cst_19 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %79 = tensor.empty() : tensor<8x8x3x3xi1>
    %80 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%79 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %81 = tensor.empty() : tensor<8x8x3x3xi1>
    %82 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%81 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %83 = tensor.empty() : tensor<8x8x3x3xf32>
    %84 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%80, %cst_16 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%83 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %85 = tensor.empty() : tensor<8x8x3x3xf32>
    %86 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%82, %cst_17, %84 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%85 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %87 = tensor.empty() : tensor<8x8x3x3xi1>
    %88 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%87 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %89 = tensor.empty() : tensor<8x8x3x3xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%88 : tensor<8x8x3x3xi1>) outs(%89 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %91 = tensor.empty() : tensor<8x8x3x3xf32>
    %92 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86, %90 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%91 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %93 = tensor.empty() : tensor<8x8x3x3xf32>
    %94 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%78, %92 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%93 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %95 = tensor.pad %77 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x8x6x6xf32> to tensor<1x8x8x8xf32>
    %96 = tensor.empty() : tensor<1x8x6x6xf32>
    %97 = linalg.broadcast ins(%cst_20 : tensor<8xf32>) outs(%96 : tensor<1x8x6x6xf32>) dimensions = [0, 2, 3]
    %98 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%95, %94 : tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) outs(%97 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %99 = tensor.empty() : tensor<1x8x6x6xi1>
    %100 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98 : tensor<1x8x6x6xf32>) outs(%99 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %101 = tensor.empty() : tensor<1x8x6x6xf32>
    %102 = linalg.generic {indexing_maps = [#map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_21, %98 : tensor<1x8x1x1xf32>, tensor<1x8x6x6xf32>) outs(%101 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %103 = tensor.empty() : tensor<1x8x6x6xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100, %98, %102 : tensor<1x8x6x6xi1>, tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%103 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %105 = tensor.empty() : tensor<1x8x6x6xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%104, %23 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%105 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %107 = tensor.empty() : tensor<8xf32>
    %108 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_22 : tensor<8xf32>) outs(%107 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_3 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %109 = tensor.empty() : tensor<8xf32>
    %110 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%108 : tensor<8xf32>) outs(%109 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %111 = tensor.expand_shape %cst_23 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %112 = tensor.empty() : tensor<1x8x6x6xf32>
    %113 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%106, %111 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%112 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %114 = tensor.expand_shape %110 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %115 = tensor.empty() : tensor<1x8x6x6xf32>
    %116 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%113, %114 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%115 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %117 = tensor.expand_shape %cst_24 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
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
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %123 = tensor.empty() : tensor<1x8x6x6xf32>
    %124 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%122 : tensor<1x8x6x6xf32>) outs(%123 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ult, %in, %cst_13 : f32
      %c = arith.select %b, %cst_13, %in : f32
      %d = arith.cmpf ugt, %c, %cst_14 : f32
      %r = arith.select %d, %cst_14, %c : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %125 = tensor.empty() : tensor<1x8x6x6xi1>
    %126 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%124 : tensor<1x8x6x6xf32>) outs(%125 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %127 = tensor.empty() : tensor<1x8x6x6xi1>
    %128 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%124 : tensor<1x8x6x6xf32>) outs(%127 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %129 = tensor.empty() : tensor<1x8x6x6xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%126, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%129 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %131 = tensor.empty() : tensor<1x8x6x6xf32>
    %132 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%128, %cst_17, %130 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%131 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %133 = tensor.empty() : tensor<1x8x6x6xi1>
    %134 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%124 : tensor<1x8x6x6xf32>) outs(%133 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %135 = tensor.empty() : tensor<1x8x6x6xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%134 : tensor<1x8x6x6xi1>) outs(%135 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %137 = tensor.empty() : tensor<1x8x6x6xf32>
    %138 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%132, %136 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%137 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %139 = tensor.empty() : tensor<1x8x6x6xf32>
    %140 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_15, %138 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%139 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %141 = tensor.empty() : tensor<1x8x6x6xf32>
    %142 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%124, %140 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%141 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %143 = tensor.empty() : tensor<1x8x6x6xi1>
    %144 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%142 : tensor<1x8x6x6xf32>) outs(%143 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %145 = tensor.empty() : tensor<1x8x6x6xi1>
    %146 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%142 : tensor<1x8x6x6xf32>) outs(%145 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %147 = tensor.empty() : tensor<1x8x6x6xf32>
    %148 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%144, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%147 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %149 = tensor.empty() : tensor<1x8x6x6xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%146, %cst_17, %148 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%149 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %151 = tensor.empty() : tensor<1x8x6x6xi1>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%142 : tensor<1x8x6x6xf32>) outs(%151 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %153 = tensor.empty() : tensor<1x8x6x6xf32>
    %154 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%152 : tensor<1x8x6x6xi1>) outs(%153 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %155 = tensor.empty() : tensor<1x8x6x6xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150, %154 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%155 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %157 = tensor.empty() : tensor<1x8x6x6xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138, %156 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%157 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %159 = tensor.empty() : tensor<1x8x6x6xf32>
    %160 = linalg.generic {indexing_maps = [#map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_15, %158 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%159 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %161 = tensor.expand_shape %cst_27 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %162 = tensor.empty() : tensor<8x8x3x3xi1>
    %163 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_26 : tensor<8x8x3x3xf32>) outs(%162 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %164 = tensor.empty() : tensor<8x8x3x3xi1>
    %165 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_26 : tensor<8x8x3x3xf32>) outs(%164 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %166 = tensor.empty() : tensor<8x8x3x3xf32>
    %167 = linalg.generic {indexing_maps = [#map1, #map3, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%163, %cst_16 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%166 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %168 = tensor.empty() : tensor<8x8x3x3xf32>
    %169 = linalg.generic {indexing_maps = [#map1, #map3, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%165, %cst_17, %167 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%168 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %170 = tensor.empty() : tensor<8x8x3x3xi1>
    %171 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_26 : tensor<8x8x3x3xf32>) outs(%170 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %172 = tensor.empty() : tensor<8x8x3x3xf32>
    %173 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%171 : tensor<8x8x3x3xi1>) outs(%172 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %174 = tensor.empty() : tensor<8x8x3x3xf32>
    %175 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%169, %173 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%174 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %176 = tensor.empty() : tensor<8x8x3x3xf32>
    %177 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%161, %175 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%176 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %178 = tensor.pad %160 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x8x6x6xf32> to tensor<1x8x8x8xf32>
    %179 = tensor.empty() : tensor<1x8x6x6xf32>
    %180 = linalg.broadcast ins(%cst_28 : tensor<8xf32>) outs(%179 : tensor<1x8x6x6xf32>) dimensions = [0, 2, 3]
    %181 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%178, %177 : tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) outs(%180 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %182 = tensor.empty() : tensor<1x8x6x6xi1>
    %183 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%181 : tensor<1x8x6x6xf32>) outs(%182 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %184 = tensor.empty() : tensor<1x8x6x6xf32>
    %185 = linalg.generic {indexing_maps = [#map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_29, %181 : tensor<1x8x1x1xf32>, tensor<1x8x6x6xf32>) outs(%184 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %186 = tensor.empty() : tensor<1x8x6x6xf32>
    %187 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%183, %181, %185 : tensor<1x8x6x6xi1>, tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%186 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %188 = tensor.empty() : tensor<1x8x6x6xf32>
    %189 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%187, %106 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%188 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %190 = tensor.empty() : tensor<1x8x1x1xf32>
    %191 = linalg.fill ins(%cst_1 : f32) outs(%190 : tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32>
    %192 = linalg.generic {indexing_maps = [#map1, #map7], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%189 : tensor<1x8x6x6xf32>) outs(%191 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1x1xf32>
    %193 = tensor.empty() : tensor<1x8x1x1xf32>
    %194 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%192 : tensor<1x8x1x1xf32>) outs(%193 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.divf %in, %cst_30 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1x1xf32>
    %195 = tensor.collapse_shape %194 [[0], [1, 2, 3]] : tensor<1x8x1x1xf32> into tensor<1x8xf32>
    %196 = tensor.empty() : tensor<8x5xf32>
    %197 = linalg.transpose ins(%cst_31 : tensor<5x8xf32>) outs(%196 : tensor<8x5xf32>) permutation = [1, 0]
    %198 = tensor.empty() : tensor<1x5xf32>
    %199 = linalg.fill ins(%cst_1 : f32) outs(%198 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %200 = linalg.matmul ins(%195, %197 : tensor<1x8xf32>, tensor<8x5xf32>) outs(%199 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %201 = tensor.empty() : tensor<1x5xf32>
    %202 = linalg.generic {indexing_maps = [#map8, #map9, #map8], iterator_types = ["parallel", "parallel"]} ins(%200, %cst_32 : tensor<1x5xf32>, tensor<5xf32>) outs(%201 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x5xf32>
    return %202 : tensor<1x5xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_8_3_3_3_torch.float32: "0x0400000089B726BE9D001ABF37B0EC3E9967223FCC293ABFE24E90BF5822F03D003F94BE12A5F0BEA14F923F326D58BECDB604BF7AA211BEA22F103EC33E493F87B51A3E0B5B21BF9AD77EBEA8616B3F0CE75FBFD729DABCD26C163F8070073E55E4DFBD070FE4BEECD9A03DF2A7853E23F2E13D6D43033F6042D03DDED3253F0FF4913DE9FFE93E959B25BE8002603F089E213FEBA2B23E179CFCBE956FC83DE22FBCBF234A37BE44F6AE3D86C6DCBE4D40AB3D07C8AC3EC35E693FB189573C1ED947BFC80596BF2CC09DBD92F3E93E7E96113FC6D1643DED4AA6BE0858B1BECF2182BD0F8F583D233B9D3E42FD8A3D05D6813FEEC8B13D711D833E265E083F4CE6F73E3418A1BE9F984DBF2C9924BF6C3F483EBF979D3E87853B3E2BBCD03E715C293F9728BFBE1FB6A53F9879AC3F86D3CA3EB91896BDEF9D113E23AD30BF07A2E33C0D9CC9BEE28C06BD77B214BEDF79863FF3CFD4BE46582F3EA7E03FBEBF7C4F3F7F820C3FABC83FBF4C4AF4BEC49C1F3EF7A596BE7158773E8E3C693D5C6206BFE8FC08BECBE0823EDBBFA2BC51CAB03D8ACC503E70E634BD8967313FE81B1EBF6799813E251E79BE5204613EFE97E13ED29FAC3EB34CB63E556CCC3EAFBD913ED422C9BD1B72C53E4783013FF0B2E73E3E69223E467E223E6CC27ABF975BC9BE85D3ABBD84AD043FA4BE1D3FA9C8B13DBF8B0CBFE56F843EA870023F1693CB3E9909ACBE61F106BFDD50E0BE6ED406BFEFDA033F1F942D3E445C8C3F021C573F4E12053FED0DA9BEBA8AB03E9D55743E896231BF810F20BFA573B7BEAEEC243F32E23DBE9E312FBFB7E45B3D41F69F3E985719BF0A4D783F7BB0BBBEE4600A3F4472B43E5E73B8BEC27251BD2618843C2B7D30BEA493C53E0CA5103D4A995DBF8634573D1F6112BF5C54E5BD8DEBFA3DBC7551BD7A8A043FD9F409BD44AA83BE1BD4553FE5DABF3ED9BA80BD0846153C1D7F4ABE73E53A3DEFC0F5BEEF35643F80DE1F3F390E90BFE5AEF5BE495DA7BCAE3BA5BE71DD88BFE75AB43E3BAB18BF3652B13E632E6D3E64AA443F4AD8E4BECA936B3FCAAE1DBF77F4413FB3EB093FED11643E425F0BBF55E8503F4DCBD13E8C9855BFD707A7BF526BA9BE8776DCBEB827B93EE537953DA3AE273EAD4082BEE617F73E14AE91BE0D0E42BF48AB9ABFD8AA883E0F6C9BBE098F5CBF3B6AE1BE05D346BE04BBB43E35FB88BF6C924EBE",
      torch_tensor_8_8_3_3_torch.float32_1: "0x04000000458A01BE778B01BE4504A0BD3B0398BED38E8CBD858AB7BED5FDF0BEB722533FBC34FF3EA41ECCBD18E581BEF3BE3DBFE2F8B33E9ECC93BE4101843FD43A54BF2A60683EC3A02B3F37035EBE6AF78A3FC5F6103FA3260F3F649FC2BED033143F7CE9113F1D2F023E36E2783F91C16D3E9F518BBF7C9B703EB887733F5CDB7ABE452BE23E57CD85BE1A7E7A3D3A4FA8BFC3A95BBF9927BBBD2FBA6FBE0FD163BF7DFFD43E1812713EC188C8BE5A2E7FBF7280B13E1A9C4BBEDDD9D73E6204203FDBBF04BE148294BDC2D1DB3E39E1BABD9D0D78BF0F84AF3E647F443E87D586BEC418953E15832EBE455D3FBEA42FD93E2E3F2FBF9A484FBF1F5A85BD711929BF1197E63E5CCCBCBE298F5FBF92BC49BE9C6A90BFD634343F4CD3F3BB6572B53EDF0E8B3E84BDE03D09FB05BFD7B3D03E4F7325BE4494C3BE09E083BF3CE1283F9F07E7BDC28B4FBE78A776BF9E4EF73E78B049BD8A62053F8CAF37BC27A9D9BE95E8973E9E7E4ABF723948BF062CE0BCF57DC53E91F3123F3F8821BDEFEB56BD0FACE33D544EC8BDDEFB7DBE1779853E9C3C7FBE7E9ED2BDB05F1D3F5379F43DFC2883BEDABAB83E7B8484BD477AB33E3722DCBED543C5BEFB9F37BFEB59133F3D94373FA0D91B3F47303E3EFBD7D93D6B0DE9BD6A099A3E7713B6BDD41502BF7D3D023F6558EA3E2D208A3E3E94F3BCD1F641BE7C224F3DC47DDE3D580816BFB54E68BED8F107BF7BFE0F3F69ED2DBF316D1BBF6A9EE3BE7B7FA43D776EEFBEBEAB613F67EEBB3E0B959ABF8CF2E13D4569303ED09923BF90CE48BD17201E3DEE00A7BEC4DF64BDB109283E961D87BE395519BD79211CBF67499E3E1419A7BE68B31A3FE8C7833F5BF9553F5DBF75BE3B4F563E6B480DBEA67E653EA24AD9BE7B7504BF1CD10BBD84ADD2BE58991B3FA90BB63E4BFB233E8F56A9BD8A64C0BD2257F53E9B1DF23C122891BAFFC46E3FA1EE843D143D0CBE7182F6BDDA7F223F6C8782BE44927BBEC9780B3F4C50143F1E0B343FB9BFDEBEDD545D3EFE2494BECF71523E1D1D4CBF1F67D4BD30FC093FE128CB3DAC739BBF2413FF3E8CC4383EFDB70EBE665D84BBC24128BE9DBA133F960F9ABC56744EBF085EDCBE0D93513F7CAA103FC453CD3ED076CBBE7B678B3E3BC9043F5CC8513D76F0BC3E2FEC123F4B45063F6D456E3E3753743E03941DBF81E111BEDC51D93E0CF95C3F280BC83D5D5E0D3FC83E543C3D3AF5BE8BBC663EEEEA733EEC8DE1BE555FDABEBC87033D9C037EBEC0B3853E3A8E2CBFD46DD63EFE279ABE1E9C3E3EC65446BF9624F53EDC92E13D90D3883F344453BF4CFA68BF7872BD3E4189EA3E5B3F63BFEE858D3E121DF53E227B373FC4A39B3D3C2144BF01D976BFE50A883F57795C3E6343013FF32A1BBE3A62D9BDE3A7C1BDA6C4EBBE52590BBE44C10CBFF6B94BBEBADB113FD7EEB83C08E9A8BE7C25613F94CC2A3F8666063DA99D5DBF6B8B293FC0982B3FFA9691BE8FE83A3F74F5CFBE9AE7FABD633161BEE569D43D43D36BBD878B3B3F03EF27BE1BA6703ECB160D3DE07A0A3EE5A1CEBE0F0EC8BB3983353FC1CDDA3E1C0714BFA89D44BE09C7FDBE932AB4BE56A9A0BE69EB1ABF74977A3E0A20EF3E378AB53D26AC69BE2FB4BB3D9695BEBE331D093F080B983FC8D0AABFCE4D523E8260143D0A75E13DC1D902BE01783EBFB017EBBC5E9543BEF73482BDAA334BBC648576BE2BA4943FEABB1DBF85B23DBECBBC21BF2DCA91BD2AC4493F013554BC55A2D1BE249128BF1F36903ED7A3B2BED7E4A53EC1C0AEBE97B084BEFDB4B3BC7A6B50BFB54B1C3F102311BFD176A83DFC646E3EB550983FA8407B3E6477DB3E77437EBE0EFC82BD2F0C163B4FD10A3F9E4FFBBE87A1573EC494B83FB14FF3BE0C9B6ABF18C381BE8E7C6FBD9F06583F5E93813E315D153F86C3B1BE4A9914BC8C1D213EB898D3BE50C31D3E457B04BE0D77013E227130BF5E7281BF5E22333FBC31173D052B01BD13DDA73FB7F4063FA1587A3E53789EBEA400563EF8BC103E62CED1BD9EF43D3FA1C1CF3E2399A03EB3C2C2BEB6A9A1BEE778163FF552183E2BAD7ABE63E2453E3E75483D303839BE2D6259BDFD36D53E5F70513E3569C9BE9D34AABE0A743C3E7B41F9BEC46ACD3D401FD6BC628C1DBF823B95BF3B97C6BE5C8BC23C0D82DB3C12F0273F66D0F63CE96920BC8335583E916046BE9384623F0AE187BEDEBAD0BE20D16BBE340F203FEFBC86BE7FD1B8BEBDDF9F3E81671B3FC22B44BE67EABA3E2D11A0BE89BD363F528D05BF8A6BFBBDEF8E4DBEB7DDE6BE7384E1BC9396B13E0D64CEBE555B763F9FA5083EDBAD353E1642C1BEB66ECABC9995E73E10EBFCBEBB7BADBEFF1CD1BE740126BFCFF2A33E2435CBBE03F6533F27401FBF99A02BBEF5C5D53CBD75FCBEF58188BF5F55A5BE001619BC861AF2BE62620A3E7B676DBF412D1A3ED90D863FFC7AF73EAB04003FBA7034BEE51D58BE0AAF103F5C8E28BE2BC4A53E2791F9BE32AA463EE906B73D7E098EBF0B8E6ABD08C5913E0B058B3EB4183F3E96C2243F131601BD2131C3BE1173E93E0A24883F1F4A2DBEE990423FD384B2BDE11D3EBF6CA1E4BE610DDCBEB3B8153F7F0D5D3D363C8CBE656A863D6707343FE5B41BBDE93EB8BEB3F2383E8A7CD5BEA0D7813E69CCFE3ED63EC13D01415CBEFE19793D4B7B35BF98C1493F5BB1973F10182B3C7D3F84BFFF11ADBE853139BF2A7670BF8AEC8FBD74C3A7BD4096A1BE8B010E3F539C9A3CC110FBBE7BE6553E09FA21BFB9AD34BEADA4D5BE13A4173ED9960ABEA83495BE60BC073E97C1713E9543FA3DC35D0F3FC56106BF10874C3E2FF7563FCA19C63B44DB8DBF30EFF93E1262CFBD3392A63ED4080E3EB44A9F3E56F11C3F41AA853D3EB1CA3EE7C926BF55EFE4BE466F79BD65284B3FC48ED4BE44D932BEE6F8AA3EC51987BED6B526BFDFA57CBFCFDEC93ED83D11BF31BF313E6E8E833EC15B00BF143F643E738189BF5BA26CBDFF2906BFC7F2E73D8B67C83DF65DB63DEE619E3E9776A5BE9F653ABF2CD81FBF5790FE3EB36406BF6D4A36BECC49333E4A06A9BD9DC2FFBE49F087BFD9D7EF3EF32396BEA7EB51BF4DF1A6BEC4E1AB3CCE347DBF5692863D9D5BAEB832E7633E8722003BC8ED00BFFA6B52BF5B16D6BD750489BE7320433FEBC61ABE3A0A4B3EFFADB33C54B862BF9C23BE3E40E474BE90D73BBFCD774A3E5C301C3F62AD8DBDB9D71ABE15B7A9BED84A66BE91E70B3F",
      torch_tensor_8_torch.float32_2: "0x040000009B3EE93ED49EB93EE741BD3E7F54D43E4BE5CC3E869BB53E59F3C83E9BC1C53E",
      torch_tensor_8_8_3_3_torch.float32_3: "0x040000001D78883E0058C1BEA73F7DBC9F64CA3E750F2C3F961A233E8AA9D5BE92C24BBFCE02A73CA9E22ABE63E19ABEF1C3B5BE88FD94BE3C7D833D0670A53E3892D5BE8948693F7C97313F97B508BE6150113E6F053E3F96FFECBEE45DA1BE35E39FBE318A02BF05A4B03E52BCEEBDDBF2253DF2AC053DAA03DBBD530D3E3F86E5B7BDD202DDBE279630BFEAF9AFBE4307AF3DF5DE9F3D948F0A3E69155ABE5419573E9914613E47BE19BF045E443E50A64D3E5B380FBECAB8093F43ACC33CF42AC1BE39C0EC3EAF7F5F3F150D13BFB0011DBD2DF9DD3E144B993E5633003F9D86253F6E3D63BF4DCAAD3E6E874EBFFC08F1BEED670ABFCF68703ED75F53BFD7103E3D8BB940BF10037C3FE34388BE93074FBCA4AD16BF1CE494BEAB64253F1672F03DB19E14BFEB4882BE7E80ABBD1E705D3FD60182BD9FE9583ECBB1043F21E3963F9614A23EDF2209BFFC56FEBEBB8B573FC33E4B3E6BC075BF63CA84BE697F6EBEB97533BE4B4AA13E127DA83EF947293F710172BF1647113ED7C2D9BD009108BF052CD43E58692ABF5C1B32BF4B434D3FB5E04C3E9AE2CF3ED0BD263F342424BF52322E3FD842493DA416883E8273CD3EF64EA23EDEEE43BED4A303BC890DA63D3CDA063F2C338DBF2D37353F97C2EDBE73658B3F351C783E0D06613FB511E4BD93695E3FB58D5A3E6459593EF1766D3EB7149FBF28F13CBFF1E04EBFA8FF3A3DD8A3DDBD298DD43E2D12383E74F11F3F7A08B3BECE88373E2E5B7EBE06EE14BFB80063BFFD7C48BD8AF1EDBE9C288ABE652BF8BE4BCC0DBF9394B43F1021873CAFC829BF8BDDD4BD5144513BCFFC3EBF3DF6053F95A8F2BEE549813E3EA179BE6132D7BE990ACE3F0B59A6BE2DD848BF59EC8FBE8D9205BF0BD6063F9D1F4B3E11781EBFA3EA5D3FD97B0DBEAFE02EBF6BE3063F9D539D3EF01109BFE02818BF6B44D4BD0E64BABEAE15813E9934F13D2B5520BFD4B912BF0B031BBEE073213FA798B2BEDDF08D3EB433B4BE297A463EA156A1BE31873E3EA3F1F4BE21CBCFBE7520733F3192E03ED6A229BF0891103F214CEEBD2C3C273FC5D235BFAD19A9BD7E3C80BEDBE1C6BEE1521FBF3B63733FE55211BDF8A344BE48B25EBF2880093F4A530A3FF869EABD2A7239BF2C10863E5A97DEBC08F643BF371E843F76C9AF3E1F2B07BFCE13DFBE2C54BF3E02CA143FED078F3EEDEA7B3EB6BA53BE5FC9843F37EF1ABEF075D73DBD813F3EB88217BE2396C73EB94A483F08BA90BFADD5DEBD6BB7223F79A0363FBA2E72BE4E28AF3E1F50C83DC2D99B3D1D31A2BE0324033FB7941C3FBD50503F822C0F3E2AEF993D047E143FA270D83FF183DDBD49B40CBD6B8E673F582C10BFB8DAA2BF8710033FDECA383F2FE52F3FA18E063F37C9123FD3CFAABE61830C3F9258F9BE32DA46BF4584C5BD141B23BFB8FB0ABF17ECA0BE5E5D4ABEA808B13DCDA301BF40B295BE1BB98CBD93AEB63DFEB97E3ED425CC3EF2F7FE3D2B7D733E599DB23EB37F3D3ADC23D03DF97BE7BE6828013EEA9A013FF9B4A5BE90E02C3F3BF280BE70D50D3F44B05B3F7BF6FE3DBA4341BEE83B723EECE744BEC38FE6BE8B86093FB05476BFFD0EEF3EB73DC5BE38EFF53E52147FBEDEDE6E3F57C27BBEC1A390BFB09EBE3FF830B93CFE166DBD7EB0653ADC7020BE5D221F3E780FC2BE4E268E3FE46EB2BE358AAA3EE7542F3F972BDDBD92ACE43EF91E8ABE3A3000BF51FACDBE9E080E3F005F093F77F1E9BE3C15053F6692E9BE4A8DC23D84E4B63E196B85BF7853A23EC47B1BBE380640BF7A84B03E7293143E4DBC373E620912BEA06CB0BEF9372CBFF24CFABD92230ABF5FF56DBEFB694A3EB2E4CA3E6329543EFD680B3E71BA16BEEF53F13EE24C163F016E84BE686D6BBE136A01BFF5A123BE8CCB6BBEDF687B3FFFD22D3FE44F32BFFF45C43E790606BE084664BFE882F33D31BEB5BE4082153E0CF8813E615DAEBE27593F3FE6F6703D30BFD0BE4BB356BF4CEE8E3F785CD5BEE6C6B03C4631083E52FDE03E816332BF66B99FBFEA68243D8F8D45BF325921BED7CE833FF9C3A2BE9694A63E640115BFB991BF3F1F9756BE372D3C3E3839B7BD97D7A7BE24EB053F5FC80CBEA9BCF9BEB55D97BE47C337BE01B1B13C4C8F2B3D0932E3BEEAB994BE196F823FF6D929BE4056273F855E86BE8843103E402FB8BE223C86BF71F0A6BEE123CC3EC46F183F3C31FE3E7EEAA9BEF6E05FBEABEF22BFB479AC3D86AAB73E4F9E6C3D4BB9DFBEC94C153E03E40DBCD8543F3E3B5C19BE32FA3F3DAA70D8BE0ACFF5BE92E2ABBF9B10613DC2B2EE3CC07B0ABFC49C3B3FC017123F3756533F5F3FD3BD521E30BE67AF013EA878DD3E0CB93A3F5C3306BF5C5BF9BDF38F88BFE35A2CBEBA49DC3EDA47A23EBF94953FA829A23E15E27BBE2D71D4BEFD13D73D4026503F3D272BBF8E3104BF73814D3C1F4C4EBE42C2DA3E837587BED4B293BBB66B08BDF877A93D416E2B3F3F3430BF1C3D69BFFDD349BF7DBA34BE3B90FD3CD4B17A3E89A9063EEBFE1B3D26946FBF718ABABE1961433E7FDD28BFA2348DBEF41180BE9C5B623EA16DF4BEA70362BFD73D5EBE10EB34BE673BCA3EDD77ACBE8ED317BEB4C796BE3A468DBEDB66833F3C8AA9BF3F778A3E7E60DFBEE703053C5EC150BF011B903D0944E3BEB145823E00C6293F7F1C2BBF789259BF279D0D3FC3C2763F677AD8BC1B008BBF33C953BFBBB3E93E19585D3FF23CC2BD700538BF18950E3F924A39BF61DCC1BEBB4AB4BE4FEDB6BE2D947B3E6A5B06BF303C3A3D2E4C063FD07D063FB427283F69A961BE209966BF0DCA883DF58DB03DB245F13D28D467BE0D65503E7F490DBF0DC6C63E19D25F3F6FF9313DE91F1C3B0F8F993E4417833E28D4883E5ECDA43D26A929BE4945473F79C621BFFFAC0C3F50DCEABEE6F1603E240702BF046A4FBFDBD80CBF31BF04BF5A3C273F8F71AABEB7B3C4BE646F06BFBB7035BD88C327BD8AC6823E360FC4BEEE6624BF556E82BDF95ED23E5F14B23E918908BFC27E91BE06FA0C3E8A9DA6BE8F573EBFB867893DFA4659BEF145F23D0B2ACC3E16948FBE976A1BBFD317D5BEC254B93EC052A03CBE35BA3E746A52BE47B4B03E89E08BBE4A9CB4BE084B02BD1F51B9BD19C118BE3C7DE6BA8578E93E095DBCBEA30B6ABFD2F93A3E20316D3FC779013F567721BF17E14F3EB7AF093FC646DB3EE9B0653FBD54CF3EC0C5B7BFE833883E3F68D4BEFB64FCBE9F9664BF4F7F2CBF",
      torch_tensor_8_torch.float32_4: "0x040000002CF8BE3E70D1EE3EB793E93E89CED63E712CD63EE725D73EF89BD83EC024CE3E",
      torch_tensor_5_8_torch.float32_5: "0x04000000431CFEBDA7D228BFEEABD33E4925963E2AFBE13B00258B3E197F83BE4931F13E447F9FBE5A1E10BF4DDCE1BDF40CF5BD3FDD233EB676A63E04C8573F826331BF437F53BFAEB2033EE888263F61F4023F110E81BD14DB03BE15C01DBE62BC643F19E6DEBDF1E3243E233D1FBFA44CEE3EFC9287BD0B5607BECC9618BEEC3582BD68EBAF3F3BD6A03EFBEDAD3EFA90C1BE8E3135BF7A408ABFD8A194BE1F9FBC3D"
    }
  }
#-}
