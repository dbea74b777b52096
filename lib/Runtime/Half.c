/*===- Half.c - Floats of 16 bits on CPUs of x86 that lack them -----------===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

/* LLVM calls these by name where a CPU has no instruction for a conversion to
   or from f16 or bf16. They come with a compiler's library, compiler-rt or a
   libgcc of GCC 13, and a network is linked with neither. */

#if defined(__x86_64__)

#include <stdint.h>

typedef union {
  double number;
  uint64_t bits;
} Double;
typedef union {
  float number;
  uint32_t bits;
} Float;
typedef union {
  _Float16 number;
  uint16_t bits;
} F16;
typedef union {
  __bf16 number;
  uint16_t bits;
} BF16;

/* To the nearest number of `digits` bits after the point, ties to even; `bias`
   is that of the exponent. NaN keeps its first digits and becomes quiet. */
static uint16_t narrow(double x, int digits, int bias) {
  uint64_t bits = (Double){x}.bits;
  uint16_t sign = (uint16_t)(bits >> 63 << 15);
  uint64_t fraction = bits & 0xfffffffffffff;
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023 + bias;
  int special = 2 * bias + 1;
  int drop = 52 - digits;
  if (exponent >= special) {
    int isNaN = exponent == 1024 + bias && fraction != 0;
    uint16_t rest =
        isNaN ? (uint16_t)(1 << (digits - 1) | fraction >> drop) : 0;
    return (uint16_t)(sign | special << digits | rest);
  }
  uint64_t result = 0;
  if (exponent > 0) {
    result = (uint64_t)exponent << digits;
  } else { /* below the smallest exponent */
    fraction |= (uint64_t)1 << 52;
    drop += 1 - exponent;
    if (drop > 60)
      return sign;
  }
  uint64_t half = (uint64_t)1 << (drop - 1);
  uint64_t rest = fraction & (2 * half - 1);
  result += fraction >> drop;
  result += rest > half || (rest == half && (result & 1));
  return (uint16_t)(sign | result);
}

_Float16 __truncdfhf2(double x) {
  return (F16){.bits = narrow(x, 10, 15)}.number;
}
_Float16 __truncsfhf2(float x) { return __truncdfhf2(x); }
__bf16 __truncdfbf2(double x) {
  return (BF16){.bits = narrow(x, 7, 127)}.number;
}
__bf16 __truncsfbf2(float x) { return __truncdfbf2(x); }

float __extendhfsf2(_Float16 x) {
  uint32_t bits = (F16){x}.bits;
  uint32_t sign = bits >> 15 << 31, magnitude = bits & 0x7fff;
  if (magnitude >= 0x7c00)
    return (Float){.bits = sign | 0x7f800000 | (magnitude & 0x3ff) << 13 |
                           (magnitude > 0x7c00) << 22}
        .number;
  /* Numbers of no leading one by an integer: a process may take such floats for
     0. */
  if (magnitude < 0x400)
    return (Float){.bits = sign | (Float){(float)magnitude * 0x1p-24f}.bits}
        .number;
  return (Float){.bits = sign | ((magnitude << 13) + (112u << 23))}.number;
}

#endif
