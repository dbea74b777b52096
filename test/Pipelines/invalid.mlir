// What a route cannot compile is reported where it stands in the source, at the
// end of the stage that should have taken it.
//
// RUN: bquant-opt %s --bquant-fast --split-input-file --verify-diagnostics -o /dev/null
// RUN: bquant-opt %s --bquant-reference --split-input-file --verify-diagnostics -o /dev/null

// expected-error @below {{expected arguments and results of public function}}
func.func @dynamic(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %y = math.absf %x : tensor<?x8xf32>
  return %y : tensor<?x8xf32>
}
