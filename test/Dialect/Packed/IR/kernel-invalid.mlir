// Each numbered constraint of the kernels' attributes.
// RUN: bquant-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{[kernel_c1] expected rows and channels from 1 to 1024, but got 0 by 32}}
func.func private @f() attributes {a = #bquant_packed.popcount<rows = 0, channels = 32, bits = 512>}

// -----

// expected-error @+1 {{[kernel_c1] expected rows and channels from 1 to 1024, but got 4 by 0}}
func.func private @f() attributes {a = #bquant_packed.scalar<rows = 4, channels = 0, bits = 64>}

// -----

// expected-error @+1 {{[kernel_c1] expected rows and channels from 1 to 1024, but got 1025 by 32}}
func.func private @f() attributes {a = #bquant_packed.table<rows = 1025, channels = 32, bits = 256>}

// -----

// expected-error @+1 {{[kernel_c1] expected rows and channels from 1 to 1024, but got 1 by 9223372036854775807}}
func.func private @f() attributes {a = #bquant_packed.fma<rows = 1, channels = 9223372036854775807, bits = 256>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [128, 256, 512] bits, but got 64}}
func.func private @f() attributes {a = #bquant_packed.table<rows = 4, channels = 64, bits = 64>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [64] bits, but got 512}}
func.func private @f() attributes {a = #bquant_packed.scalar<rows = 4, channels = 32, bits = 512>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [128, 256, 512] bits, but got 1024}}
func.func private @f() attributes {a = #bquant_packed.depthwise<rows = 4, channels = 32, bits = 1024>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [128, 256, 512] bits, but got 384}}
func.func private @f() attributes {a = #bquant_packed.popcount<rows = 4, channels = 32, bits = 384>}

// -----

// expected-error @+1 {{[kernel_c5] expected one of [8, 32] bits counted, but got 16}}
func.func private @f() attributes {a = #bquant_packed.popcount<rows = 4, channels = 32, bits = 128, counted = 16>}

// -----

// expected-error @+1 {{[kernel_c6] expected one of [1, 2, 4, 8] products summed, but got 3}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 3>}

// -----

// expected-error @+1 {{[kernel_c7] expected at least 1 step held, but got 0}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 0>}

// -----

// expected-error @+1 {{[kernel_c8] expected levels of codes of 1, 2 or 4 bits, or 0, but got 7}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 8, levels = 7>}

// -----

// expected-error @+1 {{[kernel_c8] expected levels of codes of 1, 2 or 4 bits, or 0, but got 9223372036854775807}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 6, channels = 16, bits = 256, summed = 2, held = 8, levels = 9223372036854775807>}

// -----

// expected-error @+1 {{[kernel_c10] expected taps from 0 to 4, 0 with levels, but got 5}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 8, channels = 32, bits = 512, summed = 4, taps = 5>}

// -----

// expected-error @+1 {{[kernel_c10] expected taps from 0 to 4, 0 with levels, but got 3}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 8, channels = 32, bits = 512, summed = 4, levels = 15, taps = 3>}

// -----

// expected-error @+1 {{[kernel_c11] expected registers of 128 bits and 1 or 4 products summed with signedCodes, but got 256 bits and 4}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 8, channels = 32, bits = 256, summed = 4, signedCodes = true>}

// -----

// expected-error @+1 {{[kernel_c11] expected registers of 128 bits and 1 or 4 products summed with signedCodes, but got 128 bits and 2}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 8, channels = 32, bits = 128, summed = 2, signedCodes = true>}

// -----

// expected-error @+1 {{[kernel_c12] expected a group of 1 to 256 words, of several only with 2 products summed, 1 step held and no levels or taps, but got 0}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 8, channels = 8, bits = 256, summed = 2, group = 0>}

// -----

// expected-error @+1 {{[kernel_c12] expected a group of 1 to 256 words, of several only with 2 products summed, 1 step held and no levels or taps, but got 2}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 8, channels = 8, bits = 256, summed = 4, group = 2>}

// -----

// expected-error @+1 {{[kernel_c12] expected a group of several words that are biased, but got 1}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 8, channels = 8, bits = 256, summed = 2, biased = true>}

// -----

// expected-error @+1 {{[kernel_c13] expected registers of 128 bits and no levels, taps or signedCodes with 8 products summed, but got 256 bits}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 8, channels = 8, bits = 256, summed = 8>}

// -----

// expected-error @+1 {{[kernel_c9] expected steps of at least 1 octet, but got 0}}
func.func private @f() attributes {a = #bquant_packed.octets<rows = 8, channels = 64, bits = 512, step = 0>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [128, 256, 512] bits, but got 64}}
func.func private @f() attributes {a = #bquant_packed.bytes<rows = 6, channels = 16, bits = 64, summed = 4>}

// -----

// expected-error @+1 {{[kernel_c2] expected registers of one of [128, 512] bits, but got 256}}
func.func private @f() attributes {a = #bquant_packed.bf16<rows = 1, channels = 32, bits = 256>}
