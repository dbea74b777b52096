func.func @slice() -> tensor<1xf32> {
  %c = "tosa.const"() <{values = dense_resource<two> : tensor<3xf32>}> : () -> tensor<3xf32>
  %s = tosa.const_shape {values = dense<1> : tensor<1xindex>} : () -> !tosa.shape<1>
  %y = tosa.slice %c, %s, %s : (tensor<3xf32>, !tosa.shape<1>, !tosa.shape<1>) -> tensor<1xf32>
  return %y : tensor<1xf32>
}

{-# dialect_resources: { builtin: { two: "0x040000000000803F00000040" } } #-}
