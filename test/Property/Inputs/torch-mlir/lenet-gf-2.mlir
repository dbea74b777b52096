// A narrow LeNet, activations and weights gf-2, as torch-mlir writes it: NCHW, a linalg.generic for each operation.
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
    %cst_2 = arith.constant dense<[0.7176842, 0.24495685, -0.25774056, 0.3436566]> : tensor<4xf32>
    %cst_3 = arith.constant 0xFF800000 : f32
    %cst_4 = arith.constant dense<[1.9156988, 1.3365496, 0.64325696, 1.1553271]> : tensor<4xf32>
    %cst_5 = arith.constant 1.000000e-05 : f64
    %cst_6 = arith.constant dense<[0.023903802, -0.12960315, -0.03412026, -0.49734417]> : tensor<4xf32>
    %cst_7 = arith.constant dense<[0.9761853, 1.302947, -0.16066729, 1.3299211]> : tensor<4xf32>
    %cst_8 = arith.constant dense<[0.28350964, 0.3851998, 0.47029653, -0.3413364]> : tensor<4xf32>
    %cst_9 = arith.constant -2.000000e+00 : f32
    %cst_10 = arith.constant 2.000000e+00 : f32
    %cst_11 = arith.constant dense_resource<torch_tensor_8_4_3_3_torch.float32_1> : tensor<8x4x3x3xf32>
    %cst_12 = arith.constant dense_resource<torch_tensor_8_torch.float32_2> : tensor<8xf32>
    %cst_13 = arith.constant dense_resource<torch_tensor_8_torch.float32_3> : tensor<8xf32>
    %cst_14 = arith.constant dense<1.0> : tensor<f32>
    %cst_15 = arith.constant dense<-1.0> : tensor<f32>
    %cst_16 = arith.constant dense_resource<torch_tensor_2_torch.float32_4> : tensor<2xf32>
    %cst_17 = arith.constant dense<[-0.3488954, 0.3917141, 0.28757238, 0.034921933, 0.047610097, 0.028905736, -0.019272272, 0.19075948]> : tensor<8xf32>
    %cst_18 = arith.constant dense<[1.3244559, 0.6061247, 1.353346, 1.7756772, 1.3025845, 0.5611318, 1.0508436, 0.7273655]> : tensor<8xf32>
    %cst_19 = arith.constant dense<[-0.044876043, -0.40388277, -0.30863523, 0.41340983, -0.09210915, 0.35011452, -0.31527218, 0.2544506]> : tensor<8xf32>
    %cst_20 = arith.constant dense<[0.18723002, -0.36411694, -1.7137012, 1.3953427, 0.2020878, 0.047187753, 0.95899826, -0.9228675]> : tensor<8xf32>
    %cst_21 = arith.constant dense<[0.44968307, 0.26876208, 0.19581676, 0.2098768, -0.16812837, -0.018705156, 0.16459674, -0.12007447]> : tensor<8xf32>
    %cst_22 = arith.constant dense_resource<torch_tensor_2_torch.float32_5> : tensor<2xf32>
    %cst_23 = arith.constant dense_resource<torch_tensor_16_32_torch.float32_6> : tensor<16x32xf32>
    %cst_24 = arith.constant dense_resource<torch_tensor_16_torch.float32_7> : tensor<16xf32>
    %cst_25 = arith.constant dense_resource<torch_tensor_16_torch.float32_8> : tensor<16xf32>
    %cst_26 = arith.constant dense<[0.24548823, -0.39407507, -0.18304719, 0.14627782, 0.01812109, 0.32018286, 0.12916711, -0.44775373, 0.07458113, -0.33668256, 0.43900973, 0.47885737, 0.345453, 0.6653308, 0.24445054, 0.44788003]> : tensor<16xf32>
    %cst_27 = arith.constant dense_resource<torch_tensor_10_16_torch.float32_9> : tensor<10x16xf32>
    %cst_28 = arith.constant dense<[-0.22023383, 0.3630966, -0.42524222, -0.6323751, -0.28254902, -0.55577826, -0.047780253, 0.021270484, -0.069220394, -0.16111821]> : tensor<10xf32>
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
    %30 = tensor.empty() : tensor<8x4x3x3xf32>
    %31 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11 : tensor<8x4x3x3xf32>) outs(%30 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.subf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %32 = tensor.empty() : tensor<8x4x3x3xi1>
    %33 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<8x4x3x3xf32>) outs(%32 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %34 = tensor.empty() : tensor<8x4x3x3xi1>
    %35 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<8x4x3x3xf32>) outs(%34 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %36 = tensor.empty() : tensor<8x4x3x3xf32>
    %37 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33, %cst_14 : tensor<8x4x3x3xi1>, tensor<f32>) outs(%36 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %38 = tensor.empty() : tensor<8x4x3x3xf32>
    %39 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %cst_15, %37 : tensor<8x4x3x3xi1>, tensor<f32>, tensor<8x4x3x3xf32>) outs(%38 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %40 = tensor.empty() : tensor<8x4x3x3xi1>
    %41 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31 : tensor<8x4x3x3xf32>) outs(%40 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %42 = tensor.empty() : tensor<8x4x3x3xf32>
    %43 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<8x4x3x3xi1>) outs(%42 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %44 = tensor.empty() : tensor<8x4x3x3xf32>
    %45 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%39, %43 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%44 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %46 = tensor.empty() : tensor<8x4x3x3xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28, %45 : tensor<8x1x1x1xf32>, tensor<8x4x3x3xf32>) outs(%46 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %48 = tensor.empty() : tensor<8x4x3x3xf32>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<8x4x3x3xf32>) outs(%48 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %50 = tensor.empty() : tensor<8x4x3x3xf32>
    %51 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%cst_11, %49 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%50 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %52 = tensor.empty() : tensor<8x4x3x3xi1>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<8x4x3x3xf32>) outs(%52 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %54 = tensor.empty() : tensor<8x4x3x3xi1>
    %55 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<8x4x3x3xf32>) outs(%54 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %56 = tensor.empty() : tensor<8x4x3x3xf32>
    %57 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%53, %cst_14 : tensor<8x4x3x3xi1>, tensor<f32>) outs(%56 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %58 = tensor.empty() : tensor<8x4x3x3xf32>
    %59 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%55, %cst_15, %57 : tensor<8x4x3x3xi1>, tensor<f32>, tensor<8x4x3x3xf32>) outs(%58 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %60 = tensor.empty() : tensor<8x4x3x3xi1>
    %61 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%51 : tensor<8x4x3x3xf32>) outs(%60 : tensor<8x4x3x3xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<8x4x3x3xi1>
    %62 = tensor.empty() : tensor<8x4x3x3xf32>
    %63 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<8x4x3x3xi1>) outs(%62 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %64 = tensor.empty() : tensor<8x4x3x3xf32>
    %65 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %63 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%64 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %66 = tensor.empty() : tensor<8x4x3x3xf32>
    %67 = linalg.generic {indexing_maps = [#map4, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%29, %65 : tensor<8x1x1x1xf32>, tensor<8x4x3x3xf32>) outs(%66 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %68 = tensor.empty() : tensor<8x4x3x3xf32>
    %69 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%49, %67 : tensor<8x4x3x3xf32>, tensor<8x4x3x3xf32>) outs(%68 : tensor<8x4x3x3xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<8x4x3x3xf32>
    %70 = tensor.extract_slice %cst_16[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %71 = tensor.collapse_shape %70 [] : tensor<1xf32> into tensor<f32>
    %72 = tensor.empty() : tensor<1xf32>
    %73 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel"]} ins(%71 : tensor<f32>) outs(%72 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %74 = tensor.expand_shape %73 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xf32> into tensor<1x1x1x1xf32>
    %75 = tensor.extract_slice %cst_16[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %76 = tensor.collapse_shape %75 [] : tensor<1xf32> into tensor<f32>
    %77 = tensor.empty() : tensor<1xf32>
    %78 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel"]} ins(%76 : tensor<f32>) outs(%77 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %79 = tensor.expand_shape %78 [[0, 1, 2, 3]] output_shape [1, 1, 1, 1] : tensor<1xf32> into tensor<1x1x1x1xf32>
    %80 = tensor.empty() : tensor<1x4x4x4xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27 : tensor<1x4x4x4xf32>) outs(%80 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.subf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %82 = tensor.empty() : tensor<1x4x4x4xi1>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x4x4x4xf32>) outs(%82 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %84 = tensor.empty() : tensor<1x4x4x4xi1>
    %85 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x4x4x4xf32>) outs(%84 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %86 = tensor.empty() : tensor<1x4x4x4xf32>
    %87 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %cst_14 : tensor<1x4x4x4xi1>, tensor<f32>) outs(%86 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %88 = tensor.empty() : tensor<1x4x4x4xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85, %cst_15, %87 : tensor<1x4x4x4xi1>, tensor<f32>, tensor<1x4x4x4xf32>) outs(%88 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %90 = tensor.empty() : tensor<1x4x4x4xi1>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<1x4x4x4xf32>) outs(%90 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %92 = tensor.empty() : tensor<1x4x4x4xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<1x4x4x4xi1>) outs(%92 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %94 = tensor.empty() : tensor<1x4x4x4xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89, %93 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%94 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %96 = tensor.empty() : tensor<1x4x4x4xf32>
    %97 = linalg.generic {indexing_maps = [#map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74, %95 : tensor<1x1x1x1xf32>, tensor<1x4x4x4xf32>) outs(%96 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %98 = tensor.empty() : tensor<1x4x4x4xf32>
    %99 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%97 : tensor<1x4x4x4xf32>) outs(%98 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %100 = tensor.empty() : tensor<1x4x4x4xf32>
    %101 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%27, %99 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%100 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %102 = tensor.empty() : tensor<1x4x4x4xi1>
    %103 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101 : tensor<1x4x4x4xf32>) outs(%102 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %104 = tensor.empty() : tensor<1x4x4x4xi1>
    %105 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101 : tensor<1x4x4x4xf32>) outs(%104 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %106 = tensor.empty() : tensor<1x4x4x4xf32>
    %107 = linalg.generic {indexing_maps = [#map, #map3, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%103, %cst_14 : tensor<1x4x4x4xi1>, tensor<f32>) outs(%106 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %108 = tensor.empty() : tensor<1x4x4x4xf32>
    %109 = linalg.generic {indexing_maps = [#map, #map3, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%105, %cst_15, %107 : tensor<1x4x4x4xi1>, tensor<f32>, tensor<1x4x4x4xf32>) outs(%108 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %110 = tensor.empty() : tensor<1x4x4x4xi1>
    %111 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%101 : tensor<1x4x4x4xf32>) outs(%110 : tensor<1x4x4x4xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x4x4x4xi1>
    %112 = tensor.empty() : tensor<1x4x4x4xf32>
    %113 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%111 : tensor<1x4x4x4xi1>) outs(%112 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %114 = tensor.empty() : tensor<1x4x4x4xf32>
    %115 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%109, %113 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%114 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %116 = tensor.empty() : tensor<1x4x4x4xf32>
    %117 = linalg.generic {indexing_maps = [#map6, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%79, %115 : tensor<1x1x1x1xf32>, tensor<1x4x4x4xf32>) outs(%116 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %118 = tensor.empty() : tensor<1x4x4x4xf32>
    %119 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%99, %117 : tensor<1x4x4x4xf32>, tensor<1x4x4x4xf32>) outs(%118 : tensor<1x4x4x4xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x4x4x4xf32>
    %120 = tensor.pad %119 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg1: index, %arg2: index, %arg3: index, %arg4: index):
      tensor.yield %cst_1 : f32
    } : tensor<1x4x4x4xf32> to tensor<1x4x6x6xf32>
    %121 = tensor.empty() : tensor<1x8x4x4xf32>
    %122 = linalg.broadcast ins(%cst_17 : tensor<8xf32>) outs(%121 : tensor<1x8x4x4xf32>) dimensions = [0, 2, 3]
    %123 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%120, %69 : tensor<1x4x6x6xf32>, tensor<8x4x3x3xf32>) outs(%122 : tensor<1x8x4x4xf32>) -> tensor<1x8x4x4xf32>
    %124 = tensor.empty() : tensor<1x8x4x4xf32>
    %125 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%123 : tensor<1x8x4x4xf32>) outs(%124 : tensor<1x8x4x4xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ugt, %in, %cst_1 : f32
      %r = arith.select %b, %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x4x4xf32>
    %126 = tensor.empty() : tensor<1x8x2x2xf32>
    %127 = linalg.fill ins(%cst_3 : f32) outs(%126 : tensor<1x8x2x2xf32>) -> tensor<1x8x2x2xf32>
    %128 = tensor.empty() : tensor<2x2xf32>
    %129 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%125, %128 : tensor<1x8x4x4xf32>, tensor<2x2xf32>) outs(%127 : tensor<1x8x2x2xf32>) -> tensor<1x8x2x2xf32>
    %130 = tensor.empty() : tensor<8xf32>
    %131 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%cst_18 : tensor<8xf32>) outs(%130 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %e = arith.truncf %cst_5 : f64 to f32
      %r = arith.addf %in, %e : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %132 = tensor.empty() : tensor<8xf32>
    %133 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel"]} ins(%131 : tensor<8xf32>) outs(%132 : tensor<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = math.rsqrt %in : f32
      linalg.yield %r : f32
    } -> tensor<8xf32>
    %134 = tensor.expand_shape %cst_19 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %135 = tensor.empty() : tensor<1x8x2x2xf32>
    %136 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%129, %134 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%135 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %137 = tensor.expand_shape %133 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %138 = tensor.empty() : tensor<1x8x2x2xf32>
    %139 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%136, %137 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%138 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %140 = tensor.expand_shape %cst_20 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %141 = tensor.empty() : tensor<1x8x2x2xf32>
    %142 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%139, %140 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%141 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %143 = tensor.expand_shape %cst_21 [[0, 1, 2]] output_shape [8, 1, 1] : tensor<8xf32> into tensor<8x1x1xf32>
    %144 = tensor.empty() : tensor<1x8x2x2xf32>
    %145 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%142, %143 : tensor<1x8x2x2xf32>, tensor<8x1x1xf32>) outs(%144 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %146 = tensor.empty() : tensor<1x8x2x2xf32>
    %147 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%145 : tensor<1x8x2x2xf32>) outs(%146 : tensor<1x8x2x2xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ult, %in, %cst_9 : f32
      %c = arith.select %b, %cst_9, %in : f32
      %d = arith.cmpf ugt, %c, %cst_10 : f32
      %r = arith.select %d, %cst_10, %c : f32
      linalg.yield %r : f32
    } -> tensor<1x8x2x2xf32>
    %148 = tensor.collapse_shape %147 [[0], [1, 2, 3]] : tensor<1x8x2x2xf32> into tensor<1x32xf32>
    %149 = tensor.extract_slice %cst_22[0] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %150 = tensor.collapse_shape %149 [] : tensor<1xf32> into tensor<f32>
    %151 = tensor.empty() : tensor<1xf32>
    %152 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel"]} ins(%150 : tensor<f32>) outs(%151 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %153 = tensor.expand_shape %152 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
    %154 = tensor.extract_slice %cst_22[1] [1] [1] : tensor<2xf32> to tensor<1xf32>
    %155 = tensor.collapse_shape %154 [] : tensor<1xf32> into tensor<f32>
    %156 = tensor.empty() : tensor<1xf32>
    %157 = linalg.generic {indexing_maps = [#map5, #map1], iterator_types = ["parallel"]} ins(%155 : tensor<f32>) outs(%156 : tensor<1xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<1xf32>
    %158 = tensor.expand_shape %157 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>
    %159 = tensor.empty() : tensor<1x32xf32>
    %160 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%148 : tensor<1x32xf32>) outs(%159 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.subf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %161 = tensor.empty() : tensor<1x32xi1>
    %162 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%160 : tensor<1x32xf32>) outs(%161 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %163 = tensor.empty() : tensor<1x32xi1>
    %164 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%160 : tensor<1x32xf32>) outs(%163 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %165 = tensor.empty() : tensor<1x32xf32>
    %166 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%162, %cst_14 : tensor<1x32xi1>, tensor<f32>) outs(%165 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %167 = tensor.empty() : tensor<1x32xf32>
    %168 = linalg.generic {indexing_maps = [#map7, #map8, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%164, %cst_15, %166 : tensor<1x32xi1>, tensor<f32>, tensor<1x32xf32>) outs(%167 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %169 = tensor.empty() : tensor<1x32xi1>
    %170 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%160 : tensor<1x32xf32>) outs(%169 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %171 = tensor.empty() : tensor<1x32xf32>
    %172 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%170 : tensor<1x32xi1>) outs(%171 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %173 = tensor.empty() : tensor<1x32xf32>
    %174 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%168, %172 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%173 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %175 = tensor.empty() : tensor<1x32xf32>
    %176 = linalg.generic {indexing_maps = [#map9, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%153, %174 : tensor<1x1xf32>, tensor<1x32xf32>) outs(%175 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %177 = tensor.empty() : tensor<1x32xf32>
    %178 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%176 : tensor<1x32xf32>) outs(%177 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %179 = tensor.empty() : tensor<1x32xf32>
    %180 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%148, %178 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%179 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %181 = tensor.empty() : tensor<1x32xi1>
    %182 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%180 : tensor<1x32xf32>) outs(%181 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %183 = tensor.empty() : tensor<1x32xi1>
    %184 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%180 : tensor<1x32xf32>) outs(%183 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %185 = tensor.empty() : tensor<1x32xf32>
    %186 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%182, %cst_14 : tensor<1x32xi1>, tensor<f32>) outs(%185 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %187 = tensor.empty() : tensor<1x32xf32>
    %188 = linalg.generic {indexing_maps = [#map7, #map8, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%184, %cst_15, %186 : tensor<1x32xi1>, tensor<f32>, tensor<1x32xf32>) outs(%187 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %189 = tensor.empty() : tensor<1x32xi1>
    %190 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%180 : tensor<1x32xf32>) outs(%189 : tensor<1x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<1x32xi1>
    %191 = tensor.empty() : tensor<1x32xf32>
    %192 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%190 : tensor<1x32xi1>) outs(%191 : tensor<1x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %193 = tensor.empty() : tensor<1x32xf32>
    %194 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%188, %192 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%193 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %195 = tensor.empty() : tensor<1x32xf32>
    %196 = linalg.generic {indexing_maps = [#map9, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%158, %194 : tensor<1x1xf32>, tensor<1x32xf32>) outs(%195 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %197 = tensor.empty() : tensor<1x32xf32>
    %198 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%178, %196 : tensor<1x32xf32>, tensor<1x32xf32>) outs(%197 : tensor<1x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x32xf32>
    %199 = tensor.expand_shape %cst_24 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %200 = tensor.expand_shape %cst_25 [[0, 1]] output_shape [16, 1] : tensor<16xf32> into tensor<16x1xf32>
    %201 = tensor.empty() : tensor<16x32xf32>
    %202 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_23 : tensor<16x32xf32>) outs(%201 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.subf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %203 = tensor.empty() : tensor<16x32xi1>
    %204 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%202 : tensor<16x32xf32>) outs(%203 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %205 = tensor.empty() : tensor<16x32xi1>
    %206 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%202 : tensor<16x32xf32>) outs(%205 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %207 = tensor.empty() : tensor<16x32xf32>
    %208 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%204, %cst_14 : tensor<16x32xi1>, tensor<f32>) outs(%207 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %209 = tensor.empty() : tensor<16x32xf32>
    %210 = linalg.generic {indexing_maps = [#map7, #map8, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%206, %cst_15, %208 : tensor<16x32xi1>, tensor<f32>, tensor<16x32xf32>) outs(%209 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %211 = tensor.empty() : tensor<16x32xi1>
    %212 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%202 : tensor<16x32xf32>) outs(%211 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %213 = tensor.empty() : tensor<16x32xf32>
    %214 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%212 : tensor<16x32xi1>) outs(%213 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %215 = tensor.empty() : tensor<16x32xf32>
    %216 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%210, %214 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%215 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %217 = tensor.empty() : tensor<16x32xf32>
    %218 = linalg.generic {indexing_maps = [#map10, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%199, %216 : tensor<16x1xf32>, tensor<16x32xf32>) outs(%217 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %219 = tensor.empty() : tensor<16x32xf32>
    %220 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%218 : tensor<16x32xf32>) outs(%219 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      %r = arith.addf %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %221 = tensor.empty() : tensor<16x32xf32>
    %222 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%cst_23, %220 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%221 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.subf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %223 = tensor.empty() : tensor<16x32xi1>
    %224 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%222 : tensor<16x32xf32>) outs(%223 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf ogt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %225 = tensor.empty() : tensor<16x32xi1>
    %226 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%222 : tensor<16x32xf32>) outs(%225 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf olt, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %227 = tensor.empty() : tensor<16x32xf32>
    %228 = linalg.generic {indexing_maps = [#map7, #map8, #map7], iterator_types = ["parallel", "parallel"]} ins(%224, %cst_14 : tensor<16x32xi1>, tensor<f32>) outs(%227 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %out: f32):
      %r = arith.select %in, %in_1, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %229 = tensor.empty() : tensor<16x32xf32>
    %230 = linalg.generic {indexing_maps = [#map7, #map8, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%226, %cst_15, %228 : tensor<16x32xi1>, tensor<f32>, tensor<16x32xf32>) outs(%229 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %in_1: f32, %in_2: f32, %out: f32):
      %r = arith.select %in, %in_1, %in_2 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %231 = tensor.empty() : tensor<16x32xi1>
    %232 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%222 : tensor<16x32xf32>) outs(%231 : tensor<16x32xi1>) {
    ^bb0(%in: f32, %out: i1):
      %r = arith.cmpf oeq, %in, %cst_1 : f32
      linalg.yield %r : i1
    } -> tensor<16x32xi1>
    %233 = tensor.empty() : tensor<16x32xf32>
    %234 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%232 : tensor<16x32xi1>) outs(%233 : tensor<16x32xf32>) {
    ^bb0(%in: i1, %out: f32):
      %r = arith.uitofp %in : i1 to f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %235 = tensor.empty() : tensor<16x32xf32>
    %236 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%230, %234 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%235 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %237 = tensor.empty() : tensor<16x32xf32>
    %238 = linalg.generic {indexing_maps = [#map10, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%200, %236 : tensor<16x1xf32>, tensor<16x32xf32>) outs(%237 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.mulf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %239 = tensor.empty() : tensor<16x32xf32>
    %240 = linalg.generic {indexing_maps = [#map7, #map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%220, %238 : tensor<16x32xf32>, tensor<16x32xf32>) outs(%239 : tensor<16x32xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<16x32xf32>
    %241 = tensor.empty() : tensor<32x16xf32>
    %242 = linalg.transpose ins(%240 : tensor<16x32xf32>) outs(%241 : tensor<32x16xf32>) permutation = [1, 0]
    %243 = tensor.empty() : tensor<1x16xf32>
    %244 = linalg.fill ins(%cst_1 : f32) outs(%243 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %245 = linalg.matmul ins(%198, %242 : tensor<1x32xf32>, tensor<32x16xf32>) outs(%244 : tensor<1x16xf32>) -> tensor<1x16xf32>
    %246 = tensor.empty() : tensor<1x16xf32>
    %247 = linalg.generic {indexing_maps = [#map7, #map11, #map7], iterator_types = ["parallel", "parallel"]} ins(%245, %cst_26 : tensor<1x16xf32>, tensor<16xf32>) outs(%246 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x16xf32>
    %248 = tensor.empty() : tensor<1x16xf32>
    %249 = linalg.generic {indexing_maps = [#map7, #map7], iterator_types = ["parallel", "parallel"]} ins(%247 : tensor<1x16xf32>) outs(%248 : tensor<1x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %b = arith.cmpf ugt, %in, %cst_1 : f32
      %r = arith.select %b, %in, %cst_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x16xf32>
    %250 = tensor.empty() : tensor<16x10xf32>
    %251 = linalg.transpose ins(%cst_27 : tensor<10x16xf32>) outs(%250 : tensor<16x10xf32>) permutation = [1, 0]
    %252 = tensor.empty() : tensor<1x10xf32>
    %253 = linalg.fill ins(%cst_1 : f32) outs(%252 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %254 = linalg.matmul ins(%249, %251 : tensor<1x16xf32>, tensor<16x10xf32>) outs(%253 : tensor<1x10xf32>) -> tensor<1x10xf32>
    %255 = tensor.empty() : tensor<1x10xf32>
    %256 = linalg.generic {indexing_maps = [#map7, #map11, #map7], iterator_types = ["parallel", "parallel"]} ins(%254, %cst_28 : tensor<1x10xf32>, tensor<10xf32>) outs(%255 : tensor<1x10xf32>) {
    ^bb0(%in: f32, %in_1: f32, %out: f32):
      %r = arith.addf %in, %in_1 : f32
      linalg.yield %r : f32
    } -> tensor<1x10xf32>
    return %256 : tensor<1x10xf32>
  }
}

{-#
  dialect_resources: {
    builtin: {
      torch_tensor_4_1_3_3_torch.float32: "0x04000000A758F7BDB126023DC93DB8BE8114ACBE5FE5EC3CCE0E9A3E90BFBF3ED6B4B0BE4D561DBF9E83663E2E9B283FDC0371BE9C1E4FBE24BF57BEE6623A3EA248FD3EE173EABED50C6E3EF4773C3F0835A13E1A9ABDBEF87736BF9E4E133D4B89323FFE0ED73E6B4D3E3F848326BEC7C8583D7A1CC4BE6868993EFE3298BD97E6BDBE74002DBE6EFC9D3EA9FFEE3E0E20D73E",
      torch_tensor_8_4_3_3_torch.float32_1: "0x04000000DC86E73EA56EDDBCCBEBD93EFE79AFBDB8388A3F2701613F83E7303D07568B3E6787293E3ED3363E5B35043FEB48DEBE6BC328BF21CB1C3FE43C663E602532BE666092BE946230BF06FCB4BD3EEA4FBFA407F63DD1FD423EEADA93BED36B0D3F7B13D83E2636103EE7E2AABE93EF93BE2E17DFBE8C3872BFA0E50F3DDBB1C93EC8CC3BBFDFB8503EDD15CEBDB788A03D83A4C23EA043F63E018CA5BE711BC83E07B546BE9F98A2BF9B54843F0BAAFA3C2D0C19BED1572F3F218C743EDFAB8BBE99C0EB3DBC49303EDB33BDBDEAF397BF74C2A93D9599EEBE0B1205BF8E7AED3C7A238B3F2AB618BF3EDD233EF7763DBFEA0B4EBFDB0539BE779EEE3E320B143ECE9C143E35311E3F1BE87E3E025795BE94F8F3BE3DDF1ABE0B8B373EDB7426BEFB34F1BD55678FBE0D2FCEBE3FEE19BF8FC7CBBEDCC9653FAA3C0B3F50CE323F16E67C3DFD9070BD1614D33E71C03EBE7CE2133F81C28F3D1656CE3E32EBC5BEA7326B3F45BEDE3DA80BAE3E098BBDBE0E24AFBECAD9B63E452E52BFBD45213FEB9A96BE42D2FA3E7541A6BED5A796BC1E64413D8245EE3E8ABDD9BE7B8E903EC05D1C3ED4A7C93E26E8D4BE230DD53B6BF1BABE31483FBE17180B3F08DE193F3223EDBE6D9F9DBD204A05BD3CD2F1BED57A45BE13DC08BF8D08913E5732F3BEE490363F43C27BBF7EFF933E79D59C3EC1E6A6BE8F4E5ABF8235B53DA5881DBFE99E0B3FECAB593D50BF23BCE6BA583D26ACBF3E664069BC30F88A3E56C9373E5A8487BEF2740C3F8CDB4B3F01F40C3F3ED2623D56A4AB3E6CE409BFB5C4D5BE06BBE4BEB4B898BE359AD13E37A1D6BEC036A7BE5A5043BF0F9DB5BE776E57BF4180DE3E151CB7BDBD59E73EA46A2B3F3E30643EB15E1F3E7075613DAB0C66BE57F78BBF99C9A33D1AC2B7BE848D01BF6C8D99BEB882BFBC3CD3AA3E715001BF5E5F23BFA54E063F0D1F873EF14EC53E0F8916BED9E933BFF5AA253F6E6A1B3FC46B9EBE8FB5473E8768083FEA029D3F294E173FF4B9893EBF0CE7BD859D6CBE84B709BD8218AABEF3ABA03E90ED8E3D54A8EDBDB53200BF464A6D3DF06927BE700F4A3E9371EEBEBDBFAE3EAA8B54BDE363753F4EBBBEBE2FA67C3F5E22BA3FDB5617B95343843FC748163F427214BF97E680BE83C1083F729A3D3E7388F03EEFB87F3E4BC5433F3827A4BD9303F9BE96CC95BE0F23CE3C3076D2BE9841BF3C7E1789BD37C9F2BDBEBA7F3CFA9320BEFF1E073F9F00B03DAA3CD63E9BD32DBF591B4B3DDCE14DBE00566FBF0F52863FEDB21EBFE004E33EE06CD13E062A1C3F54F23BBE3B319EBF59EBB23E774075BC2792BA3E53A224BD49402E3FA717983ECAA209BED7549E3F3B6282BEEFF885BFE9B2CF3D3B46903EAD8BA73EC81F65BE6C1B163D8C8ABFBE058126BE7F1CC03E6FC45BBE97C6CD3E3F41A0BD9CD1B33D94FAEEBD0E001D3F199BCE3D18C6B1BEDE27D63D1868213FF82A313EF1DFF7BE43E5ABBEDDE6F2BEE6CA363FD72D023EA0E8F03EA9A7E33E2D7503BE4D94143F65FCCABCB5F8433E4BB679BF7A75BEBCB1DE3ABE5ACAB8BEAAA4F53DA9661DBF1094F4BD4B17A1BF8C34D4BD4CEBADBE66F85D3F9FDBC63DBF87993E6428BABF",
      torch_tensor_8_torch.float32_2: "0x04000000B426BE3E2E2FCF3E1629BD3E8CB6BE3E4810DD3EA657C13EAEA5C83E5B49C23E",
      torch_tensor_8_torch.float32_3: "0x04000000722E643E059F783E1BFE623E0FDB643E5FA3843EC802683ED1C6703ED424693E",
      torch_tensor_2_torch.float32_4: "0x0400000095EB7B3F61B8083F",
      torch_tensor_2_torch.float32_5: "0x04000000A4277B3F70F4073F",
      torch_tensor_16_32_torch.float32_6: "0x0400000060193B3FA661EE3E332C403F5BA431BF1261533F983B41BEF904A7BE2AEFB7BDD807433F64C9913E4406833EEA7B123F922C183FA147213FED86063F8902563E7B69A03EDA7B1FBFEBD9B5BC3D8185BF3B6F9D3B4265CF3D1192A7BEA2E858BE517D123F987E03BE214F5D3D01E97D3FEBFB523E463E003FC930883E4A8BA53E7CA11A3FAC458FBD3315D23E374051BE2FE02DBEBD56AE3EF8118CBEF48FA2BFF0ECB4BD5B472A3F908AF3BE3D78A03E57BC27BE73B73BBF8DBD11BE2B888FBF88551A3FFB8A3BBEA6C1473E4D57623BAC373BBF8A5F46BE8C3D163F99C7CD3EC5D43DBECE06B8BE38AF21BD634125BF8E67F93D715050BFBE4AC0BE5507D33E0671DBBB9A07A9BEB027863D2BED0CBE56AFF03DC47B073F482264BD807E58BFA76F503EEC96CDBE11B30F3F991BF53E245551BCA941633E50F439BFCF025DBFF77B32BE16ED283EED7B2A3F6046ABBE2874EBBED307D9BE15EFBDBEEB75AB3DA0E234BF924ABE3EE5B826BF9F5E8E3FBF6389BD0756333D93B151BF4D870F3E34AB71BFF82DD33E4B50A3BE4478F63D824E7E3EAB27EA3ED082293F64A60D3FFED1BA3E3D759BBE05DA0FBF81E3BA3E49F6233E8B2584BE388DEBBC5E17EC3E08A5E33E108D98BE732226BF5B3672BFF6436ABE992D20BE868827BF46A9053F40B76E3FF8FCC1BE6C00BA3EA5906ABD3E47903E2C59B03D410122BD9DD2EE3E3AABB13EA6794EBEAD1C773ECD6396BEBE528ABCC23D9A3EDF426E3EAEC942BF6B9E953ECFE715BFB799E53D965DB33E13C03BBFFB1D06BF877BCF3E2E0F233E696082BF8860F33E571599BEBF0213BF4E74053E5E879DBE3A2FC43CCABA063E9F64993F5E7FEB3E77EF053E869B583DC001333E5CEA793EFC949BBE3695823E2DC2ABBE0B278DBE7AAA25BDAD24013FDBC2D13EDD26BABF694E193F5616043D22452A3DB35B383FDA63B4BE712203BFB37A79BF567A14BF8CFDCE3E7996CCBEF3E902BF7530433E877600BF3A04C1BE69ADCDBE1861433E44E8B1BEFCBF82BEE258CBBD5DF169BF8E9E09BEC8BD66BF4B5B1ABF5C5A7EBEF1DD283D106412BE90A7003FBEEB213DAE32863EFAF481BEE547ACBE9E084E3F5AC453BF89130E3F92FAC7BE38849D3EE5D227BFED8A633E7E90093E4E8C87BF87CDACBEFA36973E92F5F43E8918003E824999BE1FE33DBD4FBB28BFED7302BF64ECB63D3C35BABCEDB8A63E47308B3DAE60883ED30B8FBDB9DE8F3E2B09983F0C1400BF3D2D523DBE1379BE468C6B3E9A315B3E91B9D1BE3B90863D96A0BF3DA19180BDDEA8163E03B52C3FF5AF963EB62406BE7C01EC3D42DF7A3FE4199CBE9EE20C3F98EDA7BE742649BF7FC0ADBE526F2A3E382EEFBD3CBCB0BE91A6C5BE5AA4F2BE5A1F06BFE8D499BECE029DBFDCD6543E48730D3E3824383DDEC3E23E0AE497BEA74114BC1A49A4BF3B33B13D55BF4FBEF2B9943EAD8BD13E7746C1BD09DB20BF2D28213E2347D03E3BD8E03E147C88BEE3ADECBEF3ED12BE7F8605BF65E088BF92472A3ED6C44E3E91DD9D3E2B83DEBE6F0A0CBDC2841CBF562B3EBFF2DE5A3E67A369BFF0B63EBE64AF913FEC56143FDBA9A03E67CC8F3E66E0EBBDC4269DBE1F97793F225BE3BDFC2E9CBE6681A03E3E042CBD6971203FDC42A5BE3FA1D5BEB86655BEEEEF463F090CE63E95DDF93D8C491E3D5FC0273ED1CDF6BE2E677C3EA3A07BBE8A36E53D0091123C56E2173EA47368BEAC71EF3E236C343E9458C1BEE9EC5D3E81602ABE9987423EEB04D63E63B172BEF86C59BC8B0C123DECDBB23C2B26803FACC3333E645F0EBF8CB86F3D914C87BE45DB993F4B349CBE3FA309BF5B22BB3E891580BE2AC439BE6716DEBDA72AA6BE1AE248BEC02489BFB2972BBDA852A63EA3F06C3F057F2B3DD478D53EB7F0AFBE1F883A3F817C8E3F837A363E3AF71BBE1737273D03DF463F94DA17BFAC21253F0C8BF0BE7644C6BEC22F1A3EF7A6AB3E76B1FC3E5A32383FE41409BFBAA8663DD858CC3E68661E3EE102133FFA0B243DCBE4FDBDDA088ABFBD9666BF75B1D03E4AFC0ABF18682F3E74D5AD3E5BB31ABD652E043FF13798BE5B6B9E3E9E612BBD55DB35BFA61577BFE2329CBD8C3E513FB3DC163FECBD803EB99CD13E1CECEB3E6B3CD2BD6D7C293F8070163EA1346EBE3F56F53F193BB13E6AE226BD4CB9CA3E724D14BF539315BFA09C763FDB9BA63E9FD303BF58B248BF55A219BD189B00BF761C2A3FA5B870BFEB241D3FF915FEBE79B21CBF8344D13CF67F1FBF04DF92BEC1808CBE35AF99BF6FAF16BF0A4D2C3EF4EF83BFC7F72DBFFA49EBBE1632E73E8654E73E8D353C3F28A3F7BEBFAACC3E842DE53D8ED226BF6769813E7E662FBC969BACBE7FB00BBFFCB94FBF751B773ED10A5A3E66F71ABE03944BBE45CC9CBE89F2BD3EF064B63D696D65BF05730D3D4C04683E90A69DBE04C57ABEDEE29ABE1D269D3EF4BD55BEF983B9BC70510E3DE54C433F183542BF1CE8933F07011CBF012DEFBDCD9AD2BE1C56703DD169893E5C3A943F1C09173F2F53B0BEB73FD63DD222613D5E94ACBE2A45953E739C043EA85867BE354BB2BEAA8DB33EB96A7CBD27C4173F9E66DB3EFD991BBF71E386BFCFAF953C8ED6AEBEFCA505BFBADCBABE4249383F73FBE8BD2B5B723F4D63C63EBB315FBF1CB0613EA5493E3F3E9264BFE00723BF2E5167BD7D958DBEA1BD583F2372DDBEC0205A3FA9B933BF8CF9DBBE1099293E761E853E2A779D3DF2CA4E3FD29D693F539A7D3FC3F136BDD8FAE23E4A5007BE8421393F9D0394BF071FA4BE2100D0BD653974BE11204E3FAFEB30BFAFA7CEBEF19D18BFF93164BC00EDE5BE54F3F53E820BE93EF7D986BFF5ED87BF50B2D53E5BF94F3EA5194BBF23F539BC",
      torch_tensor_16_torch.float32_7: "0x040000005483D93E515BCE3E345DC23E909CCB3EFB67B53E2EF1D73E1C6CBF3E4C60AA3E51BCDF3E4B088B3E0E34D43E7AA1D23E546A113FB34EB03E8A39EA3E60CD013F",
      torch_tensor_16_torch.float32_8: "0x040000000082823EC8A0773EA53C693E7A55743EFBAF593EB690813EEFB4653E8F734C3ECB3D863EC1D6263EDEA47E3EC6C17C3E987FAE3EA491533EED888C3E40C39B3E",
      torch_tensor_10_16_torch.float32_9: "0x0400000001CBF53EB8BEE63E8246E23E1B021D3E4C5E693F27950ABF903348BF2952C3BE55604D3FDA9404BEDD02CFBEA846D7BE2567723E91A5C4BCC42C1B3F119022BE1246EC3EE20DDCBEC4CE8C3EE4EDC33F1285C1BDBB816DBDB4DEFC3E2C16FBBE65BE65BEE0DA88BE0C29093E7A8C2EBFFC70393F69C6993D3A97CB3D9D7699BDC9AE21BC3D9893BF41B1253F624EDEBE4FC5D73E961E8DBDEB60C6BD0E3A843ED82F5A3F5E9320BD3D4C90BE5056793E23A99DBFECDFD8BEB499FABE991033BEF4F72DBFF871DC3EC3E417BEFBED9B3D35DD623C37EC1ABE65D7A4BE9564273FA435D83E0099413F6ED496BD8A6B153EB4F93E3EFBEC21BE8E3346BC82404EBF5A0617BFC12AE9BE650B11BF339E643E7736413E078E573EF093FEBD0B56033FBDACEE3EE3C8953E1A4025BEBCC2473FA80417BF08F84FBFCAB825BFF13C1C3F62CF5B3DB22D94BEF06194BF0691DCBDA2E3FBBE026985BFC3420D3F0DF6B23CEEB4333F943533BB1C2D933E812AAEBEA76BA33EAD2048BEEEA89F3E3044E83D62C30ABFA1E4973CB565BB3DB3A4AFBE57D248BDD9A8F23E6C82203F0EC1263D9EA790BF913DC53E91386E3FB9E5DBBD8442D7BEE975253E0A12ED3DE880E73E52DA9BBE41B3623F7728F03E116AFEBE43CE073F4EFC58BDD3B8B73E13F4463E1AF41D3DD7412E3E3B864CBECC9EB6BE4723D9BDFEA105BE23E9543ED41ED93D1EB94CBF624BDC3E029F29BCEB9AE13E6A84B43E7BB4173EA74D973E3C8634BF0DD9493F594C7B3FF5BDA93EBFEB79BE0A3FB93EE15B1EBE6B41543FE45E51BEA6B210BFB27FCBBEEEE2B5BECBB1C03EFA3BD3BB54C21E3E10E91CBEEAE32C3FAB23CC3C411D033E82FA4D3FE4CA2B3EAAF577BE2E9DD3BD6E7D163FE6A3563E"
    }
  }
#-}
