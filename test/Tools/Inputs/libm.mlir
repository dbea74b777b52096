// What a vector has no instruction for, and what libm does.
func.func @libm(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = math.erf %x : tensor<4xf32>
  %1 = math.exp %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}
