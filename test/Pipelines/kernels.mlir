// Kernels down to the machine: what they carry round their loops is whole
// registers, however many filters there are, and each intrinsic is one
// instruction.
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=znver4" --bquant-raise-pipeline \
// RUN:   --bquant-select-kernels=strategy=popcount --bquant-pack-pipeline --bquant-tile-pipeline --bquant-vectorize-pipeline -o %t.mlir
// RUN: sed -n '/func.func/p;/scf.for .* -> (vector/,/loop_annotation = /p' %t.mlir | FileCheck %s --check-prefix=POPCOUNT --implicit-check-not="vector<{{(4|8|20|24|32|40|48|80)}}xi"
// RUN: bquant-opt %t.mlir --bquant-llvm-pipeline | FileCheck %s --check-prefix=POPCOUNT-LLVM
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=znver4 --strategy=popcount --emit=llvm -o %t.ll
// RUN: FileCheck %s --check-prefix=POPCOUNT-IR --input-file=%t.ll
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=znver4 --strategy=popcount --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=POPCOUNT-ASM --input-file=%t.s
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=x86-64-v2" --bquant-raise-pipeline \
// RUN:   --bquant-select-kernels=strategy=table --bquant-pack-pipeline --bquant-tile-pipeline --bquant-vectorize-pipeline -o %t.mlir
// RUN: sed -n '/func.func/p;/scf.for .* -> (vector/,/loop_annotation = /p' %t.mlir | FileCheck %s --check-prefix=TABLE128 --implicit-check-not="vector<{{(4|20|24|32|40|48|80)}}xi"
// RUN: bquant-opt %t.mlir --bquant-llvm-pipeline | FileCheck %s --check-prefix=TABLE128-LLVM
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=x86-64-v2 --strategy=table --emit=llvm -o %t.ll
// RUN: FileCheck %s --check-prefix=TABLE128-IR --input-file=%t.ll
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=x86-64-v2 --strategy=table --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=TABLE128-ASM --input-file=%t.s
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=haswell" --bquant-raise-pipeline \
// RUN:   --bquant-select-kernels=strategy=table --bquant-pack-pipeline --bquant-tile-pipeline --bquant-vectorize-pipeline -o %t.mlir
// RUN: sed -n '/func.func/p;/scf.for .* -> (vector/,/loop_annotation = /p' %t.mlir | FileCheck %s --check-prefix=TABLE256 --implicit-check-not="vector<{{(4|8|20|24|40|48|80)}}xi"
// RUN: bquant-opt %t.mlir --bquant-llvm-pipeline | FileCheck %s --check-prefix=TABLE256-LLVM
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --strategy=table --emit=llvm -o %t.ll
// RUN: FileCheck %s --check-prefix=TABLE256-IR --input-file=%t.ll
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=haswell --strategy=table --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=TABLE256-ASM --input-file=%t.s
//
// Registers of 512 bits are filled with tables only where that is known to gain.
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=skylake-avx512 --strategy=table --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=TABLE256-ASM --input-file=%t.s --implicit-check-not="vpshufb{{.*}}%%zmm"
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=x86-64-v4 --strategy=table --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=TABLE256-ASM --input-file=%t.s --implicit-check-not="vpshufb{{.*}}%%zmm"
//
// RUN: bquant-opt %s --bquant-set-target="triple=x86_64-linux-gnu chip=icelake-server" --bquant-raise-pipeline \
// RUN:   --bquant-select-kernels=strategy=table --bquant-pack-pipeline --bquant-tile-pipeline --bquant-vectorize-pipeline -o %t.mlir
// RUN: sed -n '/func.func/p;/scf.for .* -> (vector/,/loop_annotation = /p' %t.mlir | FileCheck %s --check-prefix=TABLE512 --implicit-check-not="vector<{{(4|8|20|24|40|48|80)}}xi"
// RUN: bquant-opt %t.mlir --bquant-llvm-pipeline | FileCheck %s --check-prefix=TABLE512-LLVM
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=icelake-server --strategy=table --emit=llvm -o %t.ll
// RUN: FileCheck %s --check-prefix=TABLE512-IR --input-file=%t.ll
// RUN: bquant-compile %s --target-triple=x86_64-linux-gnu --target-cpu=icelake-server --strategy=table --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=TABLE512-ASM --input-file=%t.s
//
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=neoverse-n1 --strategy=table --emit=llvm -o %t.ll
// RUN: FileCheck %s --check-prefix=NEON-IR --input-file=%t.ll
// RUN: bquant-compile %s --target-triple=aarch64-linux-gnu --target-cpu=neoverse-n1 --strategy=table --emit=asm -o %t.s
// RUN: FileCheck %s --check-prefix=NEON-ASM --input-file=%t.s
//
// NEON-IR: call <16 x i8> @llvm.aarch64.neon.tbl1.v16i8(
// NEON-ASM: tbl{{[[:space:]]}}v{{[0-9]+}}.16b
// POPCOUNT-LLVM: llvm.intr.ctpop(%{{.*}}) : (vector<16xi32>) -> vector<16xi32>
// POPCOUNT-IR: call {{.*}}<16 x i32> @llvm.ctpop.v16i32(
// TABLE128-LLVM: llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"(%{{.*}}, %{{.*}}) : (vector<16xi8>, vector<16xi8>) -> vector<16xi8>
// TABLE128-IR: call <16 x i8> @llvm.x86.ssse3.pshuf.b.128(
// TABLE256-LLVM: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"(%{{.*}}, %{{.*}}) : (vector<32xi8>, vector<32xi8>) -> vector<32xi8>
// TABLE256-IR: call <32 x i8> @llvm.x86.avx2.pshuf.b(
// TABLE512-LLVM: llvm.call_intrinsic "llvm.x86.avx512.pshuf.b.512"(%{{.*}}, %{{.*}}) : (vector<64xi8>, vector<64xi8>) -> vector<64xi8>
// TABLE512-IR: call <64 x i8> @llvm.x86.avx512.pshuf.b.512(

// POPCOUNT-LABEL: func.func @conv_20
// POPCOUNT: math.ctpop %{{.*}} : vector<16xi32>
// POPCOUNT-ASM: {{^}}__bquant_conv_20_{{[0-9]+}}_layer:
// POPCOUNT-ASM: vpopcntd{{[[:space:]]}}{{.*}}%zmm
// TABLE128-LABEL: func.func @conv_20
// TABLE128: llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"
// TABLE128-ASM: {{^}}__bquant_conv_20_{{[0-9]+}}_layer:
// TABLE128-ASM: {{[[:space:]]}}pshufb{{[[:space:]]}}{{.*}}%xmm
// TABLE256-LABEL: func.func @conv_20
// TABLE256: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
// TABLE256-ASM: {{^}}__bquant_conv_20_{{[0-9]+}}_layer:
// TABLE256-ASM: vpshufb{{[[:space:]]}}{{.*}}%ymm
// TABLE512-LABEL: func.func @conv_20
// TABLE512: llvm.call_intrinsic "llvm.x86.avx512.pshuf.b.512"
// TABLE512-ASM: {{^}}__bquant_conv_20_{{[0-9]+}}_layer:
// TABLE512-ASM: vpshufb{{[[:space:]]}}{{.*}}%zmm
func.func @conv_20(%x: tensor<1x6x6x64xf32>) -> tensor<1x6x6x20xf32> {
  %s = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<123456789> : tensor<1x20x3x3x2xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<20x3x3x64, 1>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<20x3x3x64, 1>) -> tensor<1x6x6x20xf32>
  return %y : tensor<1x6x6x20xf32>
}

// POPCOUNT-LABEL: func.func @conv_24
// POPCOUNT: math.ctpop %{{.*}} : vector<16xi32>
// POPCOUNT-ASM: {{^}}__bquant_conv_24_{{[0-9]+}}_layer:
// POPCOUNT-ASM: vpopcntd{{[[:space:]]}}{{.*}}%zmm
// TABLE128-LABEL: func.func @conv_24
// TABLE128: llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"
// TABLE128-ASM: {{^}}__bquant_conv_24_{{[0-9]+}}_layer:
// TABLE128-ASM: {{[[:space:]]}}pshufb{{[[:space:]]}}{{.*}}%xmm
// TABLE256-LABEL: func.func @conv_24
// TABLE256: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
// TABLE256-ASM: {{^}}__bquant_conv_24_{{[0-9]+}}_layer:
// TABLE256-ASM: vpshufb{{[[:space:]]}}{{.*}}%ymm
// TABLE512-LABEL: func.func @conv_24
// TABLE512: llvm.call_intrinsic "llvm.x86.avx512.pshuf.b.512"
// TABLE512-ASM: {{^}}__bquant_conv_24_{{[0-9]+}}_layer:
// TABLE512-ASM: vpshufb{{[[:space:]]}}{{.*}}%zmm
func.func @conv_24(%x: tensor<1x6x6x64xf32>) -> tensor<1x6x6x24xf32> {
  %s = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<123456789> : tensor<1x24x3x3x2xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<24x3x3x64, 1>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<24x3x3x64, 1>) -> tensor<1x6x6x24xf32>
  return %y : tensor<1x6x6x24xf32>
}

// POPCOUNT-LABEL: func.func @groups_24
// POPCOUNT: math.ctpop %{{.*}} : vector<16xi32>
// POPCOUNT-ASM: {{^}}__bquant_groups_24_{{[0-9]+}}_layer:
// POPCOUNT-ASM: vpopcntd{{[[:space:]]}}{{.*}}%zmm
// TABLE128-LABEL: func.func @groups_24
// TABLE128: llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"
// TABLE128-ASM: {{^}}__bquant_groups_24_{{[0-9]+}}_layer:
// TABLE128-ASM: {{[[:space:]]}}pshufb{{[[:space:]]}}{{.*}}%xmm
// TABLE256-LABEL: func.func @groups_24
// TABLE256: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
// TABLE256-ASM: {{^}}__bquant_groups_24_{{[0-9]+}}_layer:
// TABLE256-ASM: vpshufb{{[[:space:]]}}{{.*}}%ymm
// TABLE512-LABEL: func.func @groups_24
// TABLE512: llvm.call_intrinsic "llvm.x86.avx512.pshuf.b.512"
// TABLE512-ASM: {{^}}__bquant_groups_24_{{[0-9]+}}_layer:
// TABLE512-ASM: vpshufb{{[[:space:]]}}{{.*}}%zmm
func.func @groups_24(%x: tensor<1x6x6x64xf32>) -> tensor<1x6x6x48xf32> {
  %s = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<123456789> : tensor<1x48x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<48x3x3x32, 1>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 2 : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<48x3x3x32, 1>) -> tensor<1x6x6x48xf32>
  return %y : tensor<1x6x6x48xf32>
}

// POPCOUNT-LABEL: func.func @groups_40
// POPCOUNT: math.ctpop %{{.*}} : vector<16xi32>
// POPCOUNT-ASM: {{^}}__bquant_groups_40_{{[0-9]+}}_layer:
// POPCOUNT-ASM: vpopcntd{{[[:space:]]}}{{.*}}%zmm
// TABLE128-LABEL: func.func @groups_40
// TABLE128: llvm.call_intrinsic "llvm.x86.ssse3.pshuf.b.128"
// TABLE128-ASM: {{^}}__bquant_groups_40_{{[0-9]+}}_layer:
// TABLE128-ASM: {{[[:space:]]}}pshufb{{[[:space:]]}}{{.*}}%xmm
// TABLE256-LABEL: func.func @groups_40
// TABLE256: llvm.call_intrinsic "llvm.x86.avx2.pshuf.b"
// TABLE256-ASM: {{^}}__bquant_groups_40_{{[0-9]+}}_layer:
// TABLE256-ASM: vpshufb{{[[:space:]]}}{{.*}}%ymm
// TABLE512-LABEL: func.func @groups_40
// TABLE512: llvm.call_intrinsic "llvm.x86.avx512.pshuf.b.512"
// TABLE512-ASM: {{^}}__bquant_groups_40_{{[0-9]+}}_layer:
// TABLE512-ASM: vpshufb{{[[:space:]]}}{{.*}}%zmm
func.func @groups_40(%x: tensor<1x6x6x64xf32>) -> tensor<1x6x6x80xf32> {
  %s = arith.constant dense<1.0> : tensor<1xf32>
  %w = bquant.constant words(dense<123456789> : tensor<1x80x3x3x1xi32>) scalars(dense<0.5> : tensor<1xf32>) : !bquant.tensor<80x3x3x32, 1>
  %q = bquant.quantize %x scalars(%s : tensor<1xf32>) : tensor<1x6x6x64xf32> -> !bquant.tensor<1x6x6x64, 1>
  %y = bquant.conv_2d %q, %w pads = [1, 1, 1, 1] groups = 2 : (!bquant.tensor<1x6x6x64, 1>, !bquant.tensor<80x3x3x32, 1>) -> tensor<1x6x6x80xf32>
  return %y : tensor<1x6x6x80xf32>
}
