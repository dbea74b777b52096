func.func @online(%x: tensor<1x4x4x40xf32>) -> tensor<1x4x4x40xf32> {
  %q = bquant.quantize %x scheme(<ls, 2>) : tensor<1x4x4x40xf32> -> !bquant.tensor<1x4x4x40, 2>
  %m = bquant.max_pool_2d %q window = [1, 1] : !bquant.tensor<1x4x4x40, 2> -> !bquant.tensor<1x4x4x40, 2>
  %y = bquant.dequantize %m : !bquant.tensor<1x4x4x40, 2> -> tensor<1x4x4x40xf32>
  return %y : tensor<1x4x4x40xf32>
}
