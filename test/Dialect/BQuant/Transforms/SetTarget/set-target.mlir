// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" | FileCheck %s --check-prefix=CPU
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4 features=-avx512bitalg,+avx2" \
// RUN:   | FileCheck %s --check-prefix=FEATURES
// RUN: bquant-opt %s --bquant-set-target="triple=aarch64-linux-gnu" | FileCheck %s --check-prefix=ARM
// RUN: bquant-opt %s --bquant-set-target | FileCheck %s --check-prefix=HOST
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" \
// RUN:   --bquant-set-target="triple=x86_64-linux-gnu chip=znver5" | FileCheck %s --check-prefix=LAST
// RUN: not bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=abacus" 2>&1 | FileCheck %s --check-prefix=NOCPU
// RUN: not bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=neoverse-n1" 2>&1 | FileCheck %s --check-prefix=TRIPLE
// RUN: not bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell features=avx2" 2>&1 | FileCheck %s --check-prefix=SIGN
// RUN: not bquant-opt %s --bquant-set-target="triple=nowhere" 2>&1 | FileCheck %s --check-prefix=NOTRIPLE

// CPU: module attributes {llvm.target = #llvm.target<triple = "x86_64-unknown-linux-gnu", chip = "znver4">}
// FEATURES: chip = "znver4", features = <["-avx512bitalg"]>>}
// ARM: #llvm.target<triple = "aarch64-unknown-linux-gnu", chip = "generic">
// HOST: module attributes {llvm.target = #llvm.target<triple = "{{[^"]+}}", chip = "{{[^"]+}}"
// LAST: chip = "znver5">}
// LAST-NOT: haswell
// NOCPU: error: expected a CPU of target 'x86_64-unknown-linux-gnu', but got 'abacus'{{$}}
// TRIPLE: error: expected a CPU of target 'x86_64-unknown-linux-gnu', but got 'neoverse-n1', which needs the target triple aarch64-linux-gnu
// SIGN: error: expected target features as in '+avx2,-avx512f', but got 'avx2'
// NOTRIPLE: error: expected the target triple x86_64-linux-gnu, aarch64-linux-gnu or aarch64-linux-android, but got 'nowhere'
func.func @f() {
  return
}
