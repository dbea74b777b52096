func.func @next(%a: tensor<2xui8> {bquant.initial = dense<200> : tensor<2xui8>},
                %b: tensor<2xi8> {bquant.initial = dense<-56> : tensor<2xi8>})
    -> (tensor<2xui8> {bquant.updates = 0 : i64}, tensor<2xi8> {bquant.updates = 1 : i64}) {
  return %a, %b : tensor<2xui8>, tensor<2xi8>
}
