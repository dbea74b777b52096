// Each numbered constraint of `bquant.table_product`.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

func.func @table_product_c1(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32>, %v: tensor<2x3x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c1] expected filters of one type, but got 'tensor<2x2x32xi32>', 'tensor<2x3x32xi32>'}}
  %0:2 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w, %v : tensor<2x2x32xi32>, tensor<2x3x32xi32>) outs(%o, %o : tensor<2x40xf32>, tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>, tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c2(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c2] expected 1 outs and results of one type, but got 'tensor<2x40xf32>', 'tensor<2x40xf32>'}}
  %0:2 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o, %o : tensor<2x40xf32>, tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>, tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c3(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c3] expected maps of all loops, more than the results have, to all dimensions but the last, but got affine_map<(d0, d1, d2) -> (d0)> for 'tensor<2x20x8xf32>'}}
  %0 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c4(%t: tensor<2x20x32xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c4] expected a kernel by tables of as many entries as the input has, but got #bquant.sum_table<rows = 2, channels = 32, bits = 256> and 32}}
  %0 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x32xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c5(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c5] expected a filter that is indexed by loop 2 alone, which gives it its size}}
  %0 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d * 2)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c6(%t: tensor<2x20x8xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c6] expected a last loop of steps of 10 elements, but got 2}}
  %0 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x20x8xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d)>] -> tensor<2x40xf32>
  return
}

// -----

func.func @table_product_c7(%t: tensor<2x19x8xf32>, %w: tensor<2x2x32xi32>, %o: tensor<2x40xf32>) {
  // expected-error @+1 {{[table_product_c7] expected maps that stay inside their operands, but got affine_map<(d0, d1, d2) -> (d0, d2)> for 'tensor<2x19x8xf32>'}}
  %0 = bquant.table_product kernel(#bquant.sum_table<rows = 2, channels = 32, bits = 256>) ins(%t : tensor<2x19x8xf32>) filters(%w : tensor<2x2x32xi32>) outs(%o : tensor<2x40xf32>)
      maps = [affine_map<(m, n, d) -> (m, d)>, affine_map<(m, n, d) -> (n floordiv 32, d floordiv 10)>] -> tensor<2x40xf32>
  return
}
