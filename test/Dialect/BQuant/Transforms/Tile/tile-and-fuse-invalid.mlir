// RUN: not bquant-opt %s --bquant-tile-and-fuse=lanes=16 2>&1 | FileCheck %s --check-prefix=LANES
// RUN: not bquant-opt %s --bquant-tile-and-fuse=strategy=magic 2>&1 | FileCheck %s --check-prefix=STRATEGY
// LANES: expected lanes a multiple of 32, but got 16
// STRATEGY: expected strategy vpopcnt or scalar, but got magic
func.func @nothing() {
  return
}
