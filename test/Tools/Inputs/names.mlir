func.func @"a*/ /* b\0Aint c;"(%x: tensor<2xf32> {bquant.name = "x*/"}) -> tensor<2xf32> {
  %y = math.absf %x : tensor<2xf32>
  return %y : tensor<2xf32>
}
