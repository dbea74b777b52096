// A float convolution and two regular blocks, activations gf-2 and weights ls-1, as torch-mlir writes it: NCHW, a linalg.generic for each operation.
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
    %cst_2 = arith.constant dense<[1.632427, 1.3212725, 1.9209039, 0.93589014, 1.5437737, 1.3920783, 1.0497965, 1.672123]> : tensor<8xf32>
    %cst_3 = arith.constant 1.000000e-05 : f64
    %cst_4 = arith.constant dense<[0.24396871, 0.32912758, -0.027827568, 0.34577706, 0.46308705, 0.29835913, -0.0033366424, 0.1038939]> : tensor<8xf32>
    %cst_5 = arith.constant dense<[0.06085716, 0.0937705, 0.763987, 1.1294589, 0.05771226, 0.78542787, 0.29791623, 0.20335884]> : tensor<8xf32>
    %cst_6 = arith.constant dense<[-0.27623987, 0.12788007, -0.01932151, 0.10073834, 0.31438455, 0.2383717, 0.22726627, -0.13601638]> : tensor<8xf32>
    %cst_7 = arith.constant -1.000000e+00 : f32
    %cst_8 = arith.constant 1.000000e+00 : f32
    %cst_9 = arith.constant dense<[0.65086806, 0.5287233, 0.88222754, 1.2691551, 1.955834, 0.9433866, 0.6590083, 0.78924215]> : tensor<8xf32>
    %cst_10 = arith.constant dense<[-0.3094372, 0.26900867, -0.3217251, -0.45366225, -0.15372583, 0.11137731, 0.33748168, 0.014429684]> : tensor<8xf32>
    %cst_11 = arith.constant dense<[0.93339896, 0.017461339, -1.5711647, -1.0505472, -1.6134527, -0.16461521, -2.0286322, -1.3805292]> : tensor<8xf32>
    %cst_12 = arith.constant dense<[-0.23801188, 0.27361986, 0.16589755, -0.105702385, 0.06551895, -0.067294136, 0.8148068, -0.48700136]> : tensor<8xf32>
    %cst_13 = arith.constant -2.000000e+00 : f32
    %cst_14 = arith.constant 2.000000e+00 : f32
    %cst_15 = arith.constant dense_resource<torch_tensor_2_torch.float32_1> : tensor<2xf32>
    %cst_16 = arith.constant dense<1.0> : tensor<f32>
    %cst_17 = arith.constant dense<-1.0> : tensor<f32>
    %cst_18 = arith.constant dense_resource<torch_tensor_8_8_3_3_torch.float32_2> : tensor<8x8x3x3xf32>
    %cst_19 = arith.constant dense_resource<torch_tensor_8_torch.float32_3> : tensor<8xf32>
    %cst_20 = arith.constant dense<[-0.24510413, 0.09404401, -0.23223333, 0.27244085, -0.06512497, 0.14524348, 0.017810179, 0.23319268]> : tensor<8xf32>
    %cst_21 = arith.constant dense<[[[[0.35876366]], [[0.25959274]], [[0.31692407]], [[0.16919798]], [[0.34763855]], [[0.12179049]], [[0.24919897]], [[0.15469462]]]]> : tensor<1x8x1x1xf32>
    %cst_22 = arith.constant dense<[0.7717771, 0.6485981, 0.9070952, 0.74858576, 0.6634834, 1.752942, 1.2197231, 1.8119953]> : tensor<8xf32>
    %cst_23 = arith.constant dense<[0.11317633, -0.33279833, 0.0320422, -0.5125328, 0.31043628, -0.40278405, -0.33891618, -0.048758727]> : tensor<8xf32>
    %cst_24 = arith.constant dense<[0.51066256, -1.276153, -0.103825584, 0.50770843, 0.0019973328, -0.7504131, 0.4225094, 1.0687294]> : tensor<8xf32>
    %cst_25 = arith.constant dense<[0.6678109, 0.37099242, -0.49410623, 0.37478, 0.29843855, 0.08747792, 0.20102671, 0.32569557]> : tensor<8xf32>
    %cst_26 = arith.constant dense_resource<torch_tensor_2_torch.float32_4> : tensor<2xf32>
    %cst_27 = arith.constant dense_resource<torch_tensor_8_8_3_3_torch.float32_5> : tensor<8x8x3x3xf32>
    %cst_28 = arith.constant dense_resource<torch_tensor_8_torch.float32_6> : tensor<8xf32>
    %cst_29 = arith.constant dense<[0.24975722, 0.00896339, 0.13592517, -0.31457973, -0.029994909, -0.13734686, -0.041292, -0.44345453]> : tensor<8xf32>
    %cst_30 = arith.constant dense<[[[[0.19772685]], [[0.19217443]], [[0.2663661]], [[0.30363378]], [[0.39748654]], [[0.3013752]], [[0.17495987]], [[0.33060437]]]]> : tensor<1x8x1x1xf32>
    %cst_31 = arith.constant 3.600000e+01 : f32
    %cst_32 = arith.constant dense_resource<torch_tensor_5_8_torch.float32_7> : tensor<5x8xf32>
    %cst_33 = arith.constant dense<[-0.053368296, -0.32386684, 0.035229996, -0.24596722, -0.26287183]> : tensor<5xf32>
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
    %52 = tensor.empty() : tensor<1x8x6x6xf32>
    %53 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<1x8x6x6xf32>) outs(%52 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.subf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %54 = tensor.empty() : tensor<1x8x6x6xi1>
    %55 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x8x6x6xf32>) outs(%54 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %56 = tensor.empty() : tensor<1x8x6x6xi1>
    %57 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x8x6x6xf32>) outs(%56 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %58 = tensor.empty() : tensor<1x8x6x6xf32>
    %59 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%58 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %60 = tensor.empty() : tensor<1x8x6x6xf32>
    %61 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57, %cst_17, %59 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%60 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %62 = tensor.empty() : tensor<1x8x6x6xi1>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53 : tensor<1x8x6x6xf32>) outs(%62 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %64 = tensor.empty() : tensor<1x8x6x6xf32>
    %65 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63 : tensor<1x8x6x6xi1>) outs(%64 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %66 = tensor.empty() : tensor<1x8x6x6xf32>
    %67 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61, %65 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%66 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %68 = tensor.empty() : tensor<1x8x6x6xf32>
    %69 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46, %67 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%68 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %70 = tensor.empty() : tensor<1x8x6x6xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%69 : tensor<1x8x6x6xf32>) outs(%70 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %72 = tensor.empty() : tensor<1x8x6x6xf32>
    %73 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41, %71 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%72 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %74 = tensor.empty() : tensor<1x8x6x6xi1>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x8x6x6xf32>) outs(%74 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %76 = tensor.empty() : tensor<1x8x6x6xi1>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x8x6x6xf32>) outs(%76 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %78 = tensor.empty() : tensor<1x8x6x6xf32>
    %79 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%75, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%78 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %80 = tensor.empty() : tensor<1x8x6x6xf32>
    %81 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%77, %cst_17, %79 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%80 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %82 = tensor.empty() : tensor<1x8x6x6xi1>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%73 : tensor<1x8x6x6xf32>) outs(%82 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %84 = tensor.empty() : tensor<1x8x6x6xf32>
    %85 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83 : tensor<1x8x6x6xi1>) outs(%84 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %86 = tensor.empty() : tensor<1x8x6x6xf32>
    %87 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81, %85 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%86 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %88 = tensor.empty() : tensor<1x8x6x6xf32>
    %89 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51, %87 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%88 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %90 = tensor.empty() : tensor<1x8x6x6xf32>
    %91 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71, %89 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%90 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %92 = tensor.expand_shape %cst_19 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %93 = tensor.empty() : tensor<8x8x3x3xi1>
    %94 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%93 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %95 = tensor.empty() : tensor<8x8x3x3xi1>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%95 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %97 = tensor.empty() : tensor<8x8x3x3xf32>
    %98 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94, %cst_16 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%97 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %99 = tensor.empty() : tensor<8x8x3x3xf32>
    %100 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%96, %cst_17, %98 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%99 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %101 = tensor.empty() : tensor<8x8x3x3xi1>
    %102 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_18 : tensor<8x8x3x3xf32>) outs(%101 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %103 = tensor.empty() : tensor<8x8x3x3xf32>
    %104 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%102 : tensor<8x8x3x3xi1>) outs(%103 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %105 = tensor.empty() : tensor<8x8x3x3xf32>
    %106 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100, %104 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%105 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %107 = tensor.empty() : tensor<8x8x3x3xf32>
    %108 = linalg.generic {indexing_maps = [#map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %106 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%107 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %109 = tensor.pad %91 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x8x6x6xf32> to tensor<1x8x8x8xf32>
    %110 = tensor.empty() : tensor<1x8x6x6xf32>
    %111 = linalg.broadcast ins(%cst_20 : tensor<8xf32>) outs(%110 : tensor<1x8x6x6xf32>) dimensions = [0, 2, 3]
    %112 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%109, %108 : tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) outs(%111 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %113 = tensor.empty() : tensor<1x8x6x6xi1>
    %114 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%112 : tensor<1x8x6x6xf32>) outs(%113 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %115 = tensor.empty() : tensor<1x8x6x6xf32>
    %116 = linalg.generic {indexing_maps = [#map7, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_21, %112 : tensor<1x8x1x1xf32>, tensor<1x8x6x6xf32>) outs(%115 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %117 = tensor.empty() : tensor<1x8x6x6xf32>
    %118 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%114, %112, %116 : tensor<1x8x6x6xi1>, tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%117 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %119 = tensor.empty() : tensor<1x8x6x6xf32>
    %120 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%118, %23 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%119 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %121 = tensor.empty() : tensor<8xf32>
    %122 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%cst_22 : tensor<8xf32>) outs(%121 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_3 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %123 = tensor.empty() : tensor<8xf32>
    %124 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%122 : tensor<8xf32>) outs(%123 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %125 = tensor.expand_shape %cst_23 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %126 = tensor.empty() : tensor<1x8x6x6xf32>
    %127 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%120, %125 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%126 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %128 = tensor.expand_shape %124 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %129 = tensor.empty() : tensor<1x8x6x6xf32>
    %130 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%127, %128 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%129 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %131 = tensor.expand_shape %cst_24 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %132 = tensor.empty() : tensor<1x8x6x6xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%130, %131 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%132 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %134 = tensor.expand_shape %cst_25 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %135 = tensor.empty() : tensor<1x8x6x6xf32>
    %136 = linalg.generic {indexing_maps = [#map1, #map2, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%133, %134 : tensor<1x8x6x6xf32>, tensor<8x1x1xf32>) outs(%135 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %137 = tensor.empty() : tensor<1x8x6x6xf32>
    %138 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136 : tensor<1x8x6x6xf32>) outs(%137 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ult, %in, %cst_13 : f32
      %c = arith.select %b, %cst_13, %in : f32
      %d = arith.cmpf ugt, %c, %cst_14 : f32
      %r = arith.select %d, %cst_14, %c : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %139 = tensor.extract_slice %cst_26[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %140 = tensor.collapse_shape %139 [] : tensor<1xf32> into tensor<f32>
    %141 = tensor.empty() : tensor<1xf32>
    %142 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel"]} ins(%140 : tensor<f32>) outs(%141 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %143 = tensor.expand_shape %142 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xf32> into tensor<1x1x1x1xf32>
    %144 = tensor.extract_slice %cst_26[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %145 = tensor.collapse_shape %144 [] : tensor<1xf32> into tensor<f32>
    %146 = tensor.empty() : tensor<1xf32>
    %147 = linalg.generic {indexing_maps = [#map3, #map], iterator_types = ["parallel"]} ins(%145 : tensor<f32>) outs(%146 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %148 = tensor.expand_shape %147 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xf32> into tensor<1x1x1x1xf32>
    %149 = tensor.empty() : tensor<1x8x6x6xf32>
    %150 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138 : tensor<1x8x6x6xf32>) outs(%149 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.subf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %151 = tensor.empty() : tensor<1x8x6x6xi1>
    %152 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150 : tensor<1x8x6x6xf32>) outs(%151 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %153 = tensor.empty() : tensor<1x8x6x6xi1>
    %154 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150 : tensor<1x8x6x6xf32>) outs(%153 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %155 = tensor.empty() : tensor<1x8x6x6xf32>
    %156 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%152, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%155 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %157 = tensor.empty() : tensor<1x8x6x6xf32>
    %158 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%154, %cst_17, %156 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%157 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %159 = tensor.empty() : tensor<1x8x6x6xi1>
    %160 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%150 : tensor<1x8x6x6xf32>) outs(%159 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %161 = tensor.empty() : tensor<1x8x6x6xf32>
    %162 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%160 : tensor<1x8x6x6xi1>) outs(%161 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %163 = tensor.empty() : tensor<1x8x6x6xf32>
    %164 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%158, %162 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%163 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %165 = tensor.empty() : tensor<1x8x6x6xf32>
    %166 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%143, %164 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%165 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %167 = tensor.empty() : tensor<1x8x6x6xf32>
    %168 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%166 : tensor<1x8x6x6xf32>) outs(%167 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %169 = tensor.empty() : tensor<1x8x6x6xf32>
    %170 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%138, %168 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%169 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %171 = tensor.empty() : tensor<1x8x6x6xi1>
    %172 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%170 : tensor<1x8x6x6xf32>) outs(%171 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %173 = tensor.empty() : tensor<1x8x6x6xi1>
    %174 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%170 : tensor<1x8x6x6xf32>) outs(%173 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %175 = tensor.empty() : tensor<1x8x6x6xf32>
    %176 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%172, %cst_16 : tensor<1x8x6x6xi1>, tensor<f32>) outs(%175 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %177 = tensor.empty() : tensor<1x8x6x6xf32>
    %178 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%174, %cst_17, %176 : tensor<1x8x6x6xi1>, tensor<f32>, tensor<1x8x6x6xf32>) outs(%177 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %179 = tensor.empty() : tensor<1x8x6x6xi1>
    %180 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%170 : tensor<1x8x6x6xf32>) outs(%179 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %181 = tensor.empty() : tensor<1x8x6x6xf32>
    %182 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%180 : tensor<1x8x6x6xi1>) outs(%181 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %183 = tensor.empty() : tensor<1x8x6x6xf32>
    %184 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%178, %182 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%183 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %185 = tensor.empty() : tensor<1x8x6x6xf32>
    %186 = linalg.generic {indexing_maps = [#map5, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%148, %184 : tensor<1x1x1x1xf32>, tensor<1x8x6x6xf32>) outs(%185 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %187 = tensor.empty() : tensor<1x8x6x6xf32>
    %188 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%168, %186 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%187 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %189 = tensor.expand_shape %cst_28 [[0, 1, 2, 3]] output_shape [8, 1, 1, 1] : tensor<8xf32> into tensor<8x1x1x1xf32>
    %190 = tensor.empty() : tensor<8x8x3x3xi1>
    %191 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<8x8x3x3xf32>) outs(%190 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %192 = tensor.empty() : tensor<8x8x3x3xi1>
    %193 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<8x8x3x3xf32>) outs(%192 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %194 = tensor.empty() : tensor<8x8x3x3xf32>
    %195 = linalg.generic {indexing_maps = [#map1, #map4, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%191, %cst_16 : tensor<8x8x3x3xi1>, tensor<f32>) outs(%194 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %196 = tensor.empty() : tensor<8x8x3x3xf32>
    %197 = linalg.generic {indexing_maps = [#map1, #map4, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%193, %cst_17, %195 : tensor<8x8x3x3xi1>, tensor<f32>, tensor<8x8x3x3xf32>) outs(%196 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %198 = tensor.empty() : tensor<8x8x3x3xi1>
    %199 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_27 : tensor<8x8x3x3xf32>) outs(%198 : tensor<8x8x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x8x3x3xi1>
    %200 = tensor.empty() : tensor<8x8x3x3xf32>
    %201 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%199 : tensor<8x8x3x3xi1>) outs(%200 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %202 = tensor.empty() : tensor<8x8x3x3xf32>
    %203 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%197, %201 : tensor<8x8x3x3xf32>, tensor<8x8x3x3xf32>) outs(%202 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %204 = tensor.empty() : tensor<8x8x3x3xf32>
    %205 = linalg.generic {indexing_maps = [#map6, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%189, %203 : tensor<8x1x1x1xf32>, tensor<8x8x3x3xf32>) outs(%204 : tensor<8x8x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x8x3x3xf32>
    %206 = tensor.pad %188 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x8x6x6xf32> to tensor<1x8x8x8xf32>
    %207 = tensor.empty() : tensor<1x8x6x6xf32>
    %208 = linalg.broadcast ins(%cst_29 : tensor<8xf32>) outs(%207 : tensor<1x8x6x6xf32>) dimensions = [0, 2, 3]
    %209 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%206, %205 : tensor<1x8x8x8xf32>, tensor<8x8x3x3xf32>) outs(%208 : tensor<1x8x6x6xf32>) -> tensor<1x8x6x6xf32>
    %210 = tensor.empty() : tensor<1x8x6x6xi1>
    %211 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%209 : tensor<1x8x6x6xf32>) outs(%210 : tensor<1x8x6x6xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x8x6x6xi1>
    %212 = tensor.empty() : tensor<1x8x6x6xf32>
    %213 = linalg.generic {indexing_maps = [#map7, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_30, %209 : tensor<1x8x1x1xf32>, tensor<1x8x6x6xf32>) outs(%212 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %214 = tensor.empty() : tensor<1x8x6x6xf32>
    %215 = linalg.generic {indexing_maps = [#map1, #map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%211, %209, %213 : tensor<1x8x6x6xi1>, tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%214 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %216 = tensor.empty() : tensor<1x8x6x6xf32>
    %217 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%215, %120 : tensor<1x8x6x6xf32>, tensor<1x8x6x6xf32>) outs(%216 : tensor<1x8x6x6xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x6x6xf32>
    %218 = tensor.empty() : tensor<1x8x1x1xf32>
    %219 = linalg.fill ins(%cst_1 : f32) outs(%218 : tensor<1x8x1x1xf32>) -> tensor<1x8x1x1xf32>
    %220 = linalg.generic {indexing_maps = [#map1, #map8], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%217 : tensor<1x8x6x6xf32>) outs(%219 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %out : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1x1xf32>
    %221 = tensor.empty() : tensor<1x8x1x1xf32>
    %222 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%220 : tensor<1x8x1x1xf32>) outs(%221 : tensor<1x8x1x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.divf %in, %cst_31 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x1x1xf32>
    %223 = tensor.collapse_shape %222 [[0], [1, 2, 3]] : tensor<1x8x1x1xf32> into tensor<1x8xf32>
    %224 = tensor.empty() : tensor<8x5xf32>
    %225 = linalg.transpose ins(%cst_32 : tensor<5x8xf32>) outs(%224 : tensor<8x5xf32>) permutation = [1, 0]
    %226 = tensor.empty() : tensor<1x5xf32>
    %227 = linalg.fill ins(%cst_1 : f32) outs(%226 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %228 = linalg.matmul ins(%223, %225 : tensor<1x8xf32>, tensor<8x5xf32>) outs(%227 : tensor<1x5xf32>) -> tensor<1x5xf32>
    %229 = tensor.empty() : tensor<1x5xf32>
    %230 = linalg.generic {indexing_maps = [#map9, #map10, #map9], iterator_types = ["parallel", "parallel"]} ins(%228, %cst_33 : tensor<1x5xf32>, tensor<5xf32>) outs(%229 : tensor<1x5xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x5xf32>
    return %230 : tensor<1x5xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_8_3_3_3_torch.float32: "0x04000000134302BFA24FF63E2DA776BFFEB3C23EAB3A153E920994BC34C9753EACD242BF034C013FA4978A3EFE84123F9DD881BFA857103EF91753BD365991BF1ED11CBE07DA263DEE8BC2BE85DA513E164D973E330D58BEC79C24BE5662CB3EF4A6F4BEB77C863E59342D3F100F57BB5A1E4C3EBF93D03C11ABD83E7D3E3DBFCD3F57BF7019D5BEDC9597BED181FE3EF948323FE1A79A3EE6B6223F70DC44BED5AB83BEF13342BFCA3C173F527C8E3E3A3329BCA6272ABF2A3D00BF5F32813EDFFD8E3B505C0E3F8560CE3D821BB0BE494F15BFB6A18C3B33C1523F2F577F3F9759B9BE2267863ED6FEB5BE71EE0B3EEC55B4BFE54E9FBEAF2B66BFE8383B3F33B843BE29BC703EC4A2A13C932B2ABF58B1A03EAC720B3FA2E9ED3D04728F3E24570F3F7D04953EAC665FBD84404FBF075AD6BEBC7AC0BEADE9C43E56432D3F3123A03CB54B013FF6E897BFAB80183EB96314BF6E4FF63E517B243FAD84133F71D5D33E1F82163FF4D26A3FAB5B72BEE43B4F3F871A0ABE2D1E28BF0344A83EF071D33E3EBE463E827492BE40A8AE3E6FA69CBD75D2A13FFF455D3E583E7A3E4F885DBE32EDAE3EBA00603F1464A1BE18000EBEAB6C69BF54A6CB3AE76E573FEC620FBFC75926BE11BFAFBE76F8E0BD366CB8BED3F51CBE657808BF4CDB023E778F013FB6C1CE3E2FC468BF86302E3FA569C23E24C8163F5D49D5BE45E98CBEB903B83EB1E2643F73FFE6BEFFF5243EFCBB763E8FB31CBE75D5483EBD916CBE1058293F988848BF6C7A333EB71C6FBE0B482CBC99C2DCBE5EB0BCBF38F3463F435DC43E44856D3E26570C3C496A383EED4F04BE95BCAF3D31F2383FF04A90BE08D0CCBE1E05763F3BCB58BE0FC4113EAB2F5BBD8BD5A73E7E98B43E9B83BD3DF78CE6BEB90FE0BE73808D3D7766703F67E35ABF270DACBC101C863E70E281BEB502143E2CC6BABC9805D93E5F305A3F83A903BEFB31343E955B7F3EFB8AD93DCB6AFB3C80CC84BF3454933D9E8301BF8C2746BECFA9713ED3B09A3E594351BE18C359BE0030FCBDE66801BF9CEF483F3A25613F2CFFA0BD2B33503FF346CC3EEB0B05BF954DF03EC0B0B03EDF9CB83D66EF35BFE5C491BE12D590BFA8B288BBFE6208BEFC210BBFC2691CBFBABD2B3F30593EBFF88CBE3E0D5F7A3D2B651F3F290D4CBFD6187C3D665C203F654696BDD55B31BFF3D475BF2E16AEBE77F8023FAA78443F",
      torch_tensor_2_torch.float32_1: "0x0400000031987C3FFD64093F",
      torch_tensor_8_8_3_3_torch.float32_2: "0x04000000A9A67EBFDAAD71BF3B3433BF170B2FBE91EAEB3E5AA0F4BD60B40ABE97BAA3BD7345B23D22EFEBBE28DC983E881D18BDD651D83D24DC823EF2D3873EC1D9BE3E6E9EE2BEA2535C3E63B047BFF93686BFB56D51BE27F2373E81215B3E90DC1C3ECF8BC93EAB0B64BF4B7596BE172C0CBE2E51D8BEF69B093E4096843E7017013E1A22FD3CDBD68D3F53814D3C458837BCCFA4123FF3695E3F0E9AEEBE599301BF5814243F26BF073FFBF8CA3E52D311BE8E609C3E5E7E34BF1CBC13BF56713E3FFB5D21BFB99DBFBD2850953E1D230C3ECCD00CBFA05A9CBE558E883E256E6CBE4F47493F7595B0BD293D5E3F2C57E6BC6192143FF361453ED6A1463C807E2EBFDE32853E9800713C0E271A3EA4CD93BE712AF8BE5EC9FEBE5F43A3BD88C7D43E9DFB4ABE21E412BF8B0BE2BE306918BF815B55BF98D766BE27C8B8BEBBD75EBEB173613F8D6CD73EEBAD2B3FD92DB9BC2B78C43D7E45D9BE1AAB64BFA8034EBF164259BE89444B3EB5A5873F3C728FBD34DB47BFA47D5EBEEBA85B3E5E5B19BF764B89BE9AC65A3E6FF6D93C5FC43B3E826D353BAB7013BD8775243F86A3D53EDEF9D03DBF93733E71963ABD8DA036BD56AD3B3E2B22B33DCEB99D3F9F35E63D62B9493EC7AB843F28F0E7BE7FC15D3D32E11D3F67C4DA3D0A948ABCCE00CEBE4284603CB462AEBEEBCC033FD702903E2E260ABE8C9C113F8C7AFABE62A8D3BE87F0BC3EF693113EF3E30CBF7E63B7BE1900DDBD439E9DBEA5C6D83DA45647BD579B773E74BFE4BCFABF343E4A7153BED925433EAD88303EB858B03ED5982F3E64C73FBEFC98ECBC2A08223FF42600BE57FC0D3DF559453F5662A03EA2C1AB3E2066D9BE9A4DDDBEE9CC0E3E78F6833FB99E5EBF778E50BFA3AA8B3E38AAFE3DF433F3BE0A2CDF3E1504B93D52BC6FBE427A32BDD3ED87BE8B32123E7A64B0BE496B0DBF2CF5B4BE01232F3ECE66093F8D8DA0BED88AFFBE7CA70A3E3AE6073FEFE742BE6C1A393F5356C3BEBC292F3F92EDA73E068E52BF1B8F803EE662E5BDC823B7BDC5FAB6BE3A32883B9702A4BEE186783DA0FB013F8A5B283FFD90073F9B24D63E1B62533EC9D1CEBD08090BBF5D7FF73EEC215DBEB350AF3D89B729BF2E23553E9661293F1E3447BDAFAEDC3E16B99BBDA1B99A3D174C6FBE2D24A5BF45722F3EAC516B3ED3C58C3ECD1B513F0DE1E03E07A3603E18FCA3BEC581B33F171B27BF0CA63EBEAC4E75BED72E043F9C0A253EAD28853EB75A58BF505781BE633C003F857A79BEBDCD19BF7FFDCC3DEAC890BE69EEB93A72F5313EA455F2BE968799BCEB2C283F46E9F7BD5CBDCCBD774C89BE3F602C3EEA76833EC2A2D5BE1C4F8E3D260B513FBF9249BF2722FC3E1FB1E23E0F4C3BBF24614ABFD61689BE423B2D3FF17F9CBE77349E3C1218783D4EA519BDA2ED773F1E790E3E66D610BF9166153EBD3BA23E241705BF836BC03D7DE194BE117A22BF4D9DE1BE2666C93E2618A6BDC2344DBF20BBB43E40AE1ABEFAFCB7BFF8E807BFF9C593BF866B9DBE7677AB3FB4D77D3F5641053EA6A2D5BE517C13BF8381BBBEEB8EEF3D9E331D3F0FD1D03C6C961C3F8C977EBD38F182BF7F5D213EC82C003F6139943E83E10A3F8F7AE5BE0A8001BE1262973C8A9B363EDC10933E93DAF93E0E6244BECF2003BF5FB358BEF704BBBD27F959BE9F1BE6BE62BEDE3E55EAF63E6280FB3E447CC63ECFA68A3EF20E5BBE5AF242BE4569173E3EE165BF5A61023E6FC175BF03A1673F2592A13E65789ABE024FB9BBEEBC79BEAF7D433F76910D3FF84A643D2FE571BEA0789A3E0C2A123EB514EDBB28B774BE42513EBF807327BF0601B0BE167349BFC847E6BE037A623F3ACDD23C2A03B53E4BDD8DBE340B2B3FD60E9A3D4AA3CF3EDEAD0D3F99D76A3E2406763FA14AE1BEA6C116BEBCF2833EE7D3FFBCF1AD743E303F8A3F748E07BEE5E4173EC45076BE573AC6BEA9BC6CBF9DE87D3ED928333FAB9B013D7A711B3FE94F23BF4A409EBDD1C278BD9B35BF3E251E133D7A9B8D3EF6733C3F4D2308BF711C3BBD4115503E702CA2BEB242433EFB2A5ABFC911FABE5742F6BDA29B61BF175A883FB3E56B3F3BCC1E3F3015D53E1D5BE73EFA6800BE433BDCBD9B407FBF34E0EB3EEAF4B2BD143D77BFDA51D0BE250F7F3E443A4BBFBE9582BEDECB88BF61DC75BE72B326BDE3D897BF0DB5C5BE78BB553EA42F42BE3625373FBD4FD63EBDBD0E3FEE461DBF6664F0BE68851E3EB40C7B3EC2D289BEE6A2F0BD3BC3F8BEBAEF7ABEDF363E3E15F1323F95D0893E07D0DB3EE088F63C498E7E3EF131F33EFA5DE5BE666BF33E8C68953E0A55FE3EB9115D3E9565AABE7FEB5DBE8C2F633CA8219FBF21ADD2BEBA339DBE001F8DBE225BFEBEB97D09BF76BB18BEC432A4BE951C213FAAEDA6BC732657BDB679C83E62A965BD28AADCBC8AA80E3F4F8FEA3E2607EBBD1A8C27BF77A19EBEF0D8833ED8D04FBF0C0E29BEC1B914BD18843EBF651A133F467907BEFAEF41BF11C8FEBEA4D7483EAF5D283F8FA6093EF007AB3DD007D1BD20FA463F9BD11E3F4BF748BF43BCE53B345C8D3E213FC8BD1E405A3E0F73A23E64B8E2BE82381F3F68A6923DD29F043F69E3073EC20336BD7CDA263F5ABC3A3E0312443F2E92963E7068873F1314C3BEAEF5243D4D2CBEBEBA8A07BF092CBD3D00A237BFE9424BBD96B0203F222E853E5FD585BEA8D4FFBDD98CB03E92B4413F622C01BE7ECD6C3DF8FF703EC424BCBD67A22E3EBB61043EAF06233F1B0994BE69030E3D47FB273E6B66B5BEDCE727BE06F272BCF31135BFEE8875BEC3180DBFF05B80BE67AFAABEA64378BE4EAFAA3E92A7173F5146CA3E67A4C9BE4D371A3E962E1EBF5A78873E9941B23E8E6D31BEE62E483C283BC63EBB5AB03EA5958DBE33AFB8BEF80752BF9BA732BE34E997BE385E70BC7CF0833E2BAE2FBF2AE4C1BE35F636BEDDC448BFC331DEBDD62182BEA2FC1E3E82A79C3E30A8A33E29380EBEB547CF3DE236AB3D24D3F93E464E66BF4D520CBE4E0BC4BE55390A3D1113F83E2AD7AE3DE6F6473D8797B4BE4E970B3EB98DC53D20E4FEBEEE76933E700E76BE855F84BFD806DFBD0657643E4946483E11122C3D98B334BD1E5D973E8B48813E59D965BF4EA0BCBEE428BD3CE64D6DBD726ABF3EED28EB3E54A74C3D973D50BE5CBB4D3F6F49DBBE01148FBD9778743FA9F4913EF45B8A3E4C5FA6BCA8EF0F3F79A6B13FA4C60D3EFEE6FDBDD84D0C3FB1AC673F",
      torch_tensor_8_torch.float32_3: "0x040000006887BF3E47BAAA3E551CC23ECDF3D53E0297BB3E74D7D23ED49DB43E6941AB3E",
      torch_tensor_2_torch.float32_4: "0x04000000127E7C3FDE4A093F",
      torch_tensor_8_8_3_3_torch.float32_5: "0x040000000FD7FDBD8ECF17BF9050FEBD530CA63E686F89BEC5D19FBEDD0B1CBF6EDE863E3ED203BFBA56CABD8F7EB2BE9B79223FE35BFC3EB5708F3F9E40ABBED71EF1BE6FB1093EC26429BF3E5370BE75EAAB3E7E4D043D4FC4D63E9992B5BE1D0662BE0D3373BD9733D43EC17F0B3F645B183F7E26723DFE8BAFBE548947BE24272B3C23C33DBF7961E4BEB45656BF2137173E80D0E83DB996E1BE92FDF03EC671553D94FB5EBD6922A93E89EC2E3E436501BF5713A3BECADF2FBFDC629B3EC8333EBD9798E43E0354ACBE578E11BFD2C80B3F72F1D13E2D0133BFDE93043F68D3AEBEC8033D3FDFC17E3EFC1594BE7C51DFBDFC1C99BD61D1B5BF1637AA3E205313BE6F56BD3E2B76AEBF3338B33EA3489A3C62520ABF73BB753F15F6CE3ED46AE5BE2C39C4BE464A943E705B5F3FE646843E77694EBE8FC9613F60938FBE6B64263F529CAC3E01604FBDDDEA90BEDA6388BE8C68D5BA67452E3FF710A6BC18FBD4BE62B7283F6ECD023F29CE583DF9AA1D3F3619D53D4F10663FCA871DBDF4FBAFBEC0554DBE81DB943D173EAF3DDD7886BE3E4277BED0311FBF77A480BEFCCB4C3F53B1AABD5770EEBE82F5A1BE1281BBBEF78F50BD5550D0BECBB5113FD9A9CDBE0003FCBD191A363FF5B75CBCE42C1D3F855DBCBD7DFCC43E9427873F41C1E3BE31E7833E064508BFF18F85BC6D4DA6BECE97773DA4C814BF12E383BF15E48F3E03674F3DD744213FB157C63D3A99463DF32BD7BE6F1B2CBF1135873DA43E12BFA9C52C3F50FC313F1EFF853E7393183F7EF926BDB73486BE7F14973F7D66F3BDBCEC1F3F8E96C9BEBEDE493E2A7ED63EF4F151BF9A813DBFB721B2BE111735BE798ECF3C7212BFBE79A2BBBE581E03BFE19802BFE54D343E5AAC84BE16EF09BFD4F514BFFF9BCBBEE0EB4BBFB60EBC3D15BD433E674029BFC3DA8BBEF0F83FBE2781C53EF5C2BEBEDEB432BE477D03BF0BD4F7BE6E53ABBE7AD5CD3F4A190C3FAF732C3E1297043E613C42BFEF5CF9BE26B3BB3ED84ED13BE1E5093FE710223B7C75893EA466643D3CEC853E2D3B3B3EBED5093F81D183BE987EE3BD4955ADBEBB5EB7BBB325673E9344173DFEC975BF3967B0BE2F9588BE866826BE96E3A1BE53563BBEDAEFE53E36A1953E0748333FE6AC4DBFF29B04BF9CBA1FBFC75DFD3E46DBB13E90EC92BE0DCA88BE99DC083E87F0253F557C433FD567A2BE4BA7E23EC11FBFBDD2374A3F21BDA43F59418C3EB5019C3E419CA2BF64BA903ECB2558BF250496BE5905DD3E650449BFA2A2953F900089BE145FC73EA4ED88BECDAAB03EB33693BE06BFD9BC9EBD93BF44A7F43ECB11AF3ED17130BEFE1F1DBEB7C00ABF45AEBBBEC211F13D4C10193E1F9DBA3E051B133FEB08FD3EE8674F3E548D2F3E817BCABDC07F1D3F9039B9BEDBB5C8BEAEF52E3ED7AA35BF153120BE9F6B40BFBC8AD9BE998FDE3FCE7F50BFEBE5FB3E042D97BE1FB611BF79783DBF146B9A3EA34A42BE399C973BF26C513FCFBE2DBF4BE987BFC1B2823D61E52D3FC890A33D1163323FE090103FDF00333E7C93BEBE99FE9E3DDA2F133FCA79833E9013183BC6DC4C3EAC6B9C3B05CBD63EE335D2BD9327533FE76D583E02EBDB3DB9305EBF6EF386BFE54398BDB92755BE26CC783FF5D7B5BEFB24EFBEDA6ED03E191180BF401F493DDA5A23BFB1A5B0BF1BE064BF99BB9ABDE5790DBC581D0CBEFAC2EDBE8008803CCD78013E8244783C9E7B4B3FA226EF3EBC79F3BE77D6AEBE433EF8BEE17C603DAA09FD3EDFBB433FB956893DE18DA3BEDCDC0BBFC99254BFCB7B573F50033FBE6E7E88BE928D653F6980A8BEC1E86CBDB8144F3E3B206DBF66FD2DBF18E3CD3FEBF8323E4EDC7BBFE9E795BEA4405FBD6DE8973E1BC252BD7C6316BF9AC402BB694A0D3F033699BEDDC712BFFC770BBFD79E92BFD6BA1D3FA34B273EE78339BDCA71AD3D3F491F3FD64F3FBEDEC528BF34DA0A3FCE2492BFCCCF35BEF408153FC1A2433F421D11BD68FB26BDEE2B7CBD4FD206BE1AF563BD735F313FD23F7B3E4EAF5A3F6889913EC59637BEBD3B06BE91668B3F89539ABEB23F043F1985F2BEA5B58D3E676631BE27525ABEB11EDABE1BC9BDBE5296A43D0768303F0818493E0360E1BE38F1643EBEF59FBF702C23BD56B88F3FB15E99BFB26026BE3DAAFC3E321E713F9091203FFBC05EBEAD26543FE01B4B3FA58425BEA586433D3760E2BE2F2B16BE87AA323F7AA413BFFC0E1B3F9AAC3C3E549F483E05E593BE694BC83EE6AC72BDC74FB0BD46DC4ABF356FB53CE5283BBE4127E03E9A15923D19AD0CBDF77284BE39DB99BE8574B8BEAC66B43EFBB63ABF1BD63CBFB88C033E393A373F9322263E1D38BEBD593D873FD6381E3E701395BE5C6AA53D83AEFF3E22DD4BBE577FC93ED5533ABEF6757D3D4AD9133ED5B39FBF61B61A3FB7E08D3EF82C4E3EB43D8D3DF0F114BE6F65263FDA0DE2BC59C5CE3E10A762BF825C753FB0FE963DD7E7E13DCCEB0BBFB62BF9BEB38C2D3E7594D7BFBD67153F13B2D8BE216AE7BEFA491BBD1A93653F9FA4603D8379FC3E7F0A30BF3400B8BEFEBEC33EE1ED22BF78BDB0BFE389D2BEC7D780BE8F3D34BEFD6A963E313F833EC3C790BE00445E3E0B39FEBD19A530BBEBE109BFD4F48A3E120A68BE47250F3F470C43BFADA7023F857124BF71CD273E41091CBFAF9902BFBB1A9C3EB1DB5EBFB42FD23E2816813F83C89D3EF4DB52BFCDF28C3E21E1C3BD2190283DD9CA52BD1F8FFD3E74AE503F37F2043EB7C12D3F408B8BBE46FE943F128D01BF19AE12BFAB3358BEF190C53E992AF33EA19A4EBF984ECC3DC1F83A3ED50EA23F737C2ABE12DD37BF22965ABF2957EBBD5CD5783E6C39CB3DCF205DBDF3EED1BED0D408BD22AFB53B5009A13F7CB870BD06C90FBF01D578BE43C206BEFFCD8ABFBEF61BBD6CDB863DAB71483D705307BF2B8420BE33FEEF3DAFA9C93E064C033E2CBC2EBF89F3A73ED1E5423F538212BE8333A9BF1BABD23EC327043F621DA43BAA2359BEDC4B133FE854D53E2E311E3958E89BBD54A1DB3D6AA8073FE45CA33D7DFC14BFE69599BEC217B63D72094F3EC5E08EBE49E1C43E08EC9EBE1AACFE3E3D585A3FB164D73EDEFD523DE1A4953EC3B489BFB43A3A3FD743E6BEC9E504BF8FC773BE7EA306BFD6596FBD79584FBE4873BEBDA61C053F14CC0C3EA867BDBE13B829BE5199FBBEC278DD3EC24D21BFFE7491BE4A7E3F3F4B706CBEDFDECE3AACDF323EF8B665BF",
      torch_tensor_8_torch.float32_6: "0x040000001E54CB3E8B70C13E1923C83EA71BE63EA58DE43E1952D03E79DCE83EFE1CB93E",
      torch_tensor_5_8_torch.float32_7: "0x04000000EF7EBDBCE1B6743EC1BD03BF1DE0A3BE133A1ABF9C34F9BE7B9D483FD2B2E4BEA79985BD82BA6EBEAAA58CBE679D53BE4C642CBEF548E03D980E56BECF41103E06F70BBE71F350BED7FD1FBE84E5473F422725BFF41C04BE63CD923E07115B3EF1A409BF2A0B17BFF27EA9BD9A63043F96619F3EB411AFBD57DA65BE27A724BED8A106BE4A2D3CBFD2613BBFE822B8BDC5EC5F3F132E793D01FF67BFD4D616BF"
    }
  }
#-}
