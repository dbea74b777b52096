/*===- CPU.c - Does this CPU have what the code was compiled for? ---------===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "bquant/Runtime/Runtime.h"

#include <string.h>

/* A feature is a bit of one of several registers that describe the CPU. */
typedef struct {
  const char *name;
  uint8_t word; /* of describe() */
  uint8_t bit;
  uint8_t state; /* registers that the operating system has to save, below */
} Feature;

#if defined(__x86_64__)

#include <cpuid.h>

enum { SAVES_NOTHING, SAVES_YMM, SAVES_ZMM, SAVES_TILES };
enum { L1C, L1D, L7B, L7C, L7D, L71A, L71D, X1C, WORDS };

static const Feature features[] = {
    {"sse", L1D, 25, SAVES_NOTHING},
    {"sse2", L1D, 26, SAVES_NOTHING},
    {"sse3", L1C, 0, SAVES_NOTHING},
    {"pclmul", L1C, 1, SAVES_NOTHING},
    {"ssse3", L1C, 9, SAVES_NOTHING},
    {"fma", L1C, 12, SAVES_YMM},
    {"cx16", L1C, 13, SAVES_NOTHING},
    {"sse4.1", L1C, 19, SAVES_NOTHING},
    {"sse4.2", L1C, 20, SAVES_NOTHING},
    {"movbe", L1C, 22, SAVES_NOTHING},
    {"popcnt", L1C, 23, SAVES_NOTHING},
    {"aes", L1C, 25, SAVES_NOTHING},
    {"avx", L1C, 28, SAVES_YMM},
    {"f16c", L1C, 29, SAVES_YMM},
    {"bmi", L7B, 3, SAVES_NOTHING},
    {"avx2", L7B, 5, SAVES_YMM},
    {"bmi2", L7B, 8, SAVES_NOTHING},
    {"avx512f", L7B, 16, SAVES_ZMM},
    {"avx512dq", L7B, 17, SAVES_ZMM},
    {"adx", L7B, 19, SAVES_NOTHING},
    {"avx512ifma", L7B, 21, SAVES_ZMM},
    {"avx512cd", L7B, 28, SAVES_ZMM},
    {"sha", L7B, 29, SAVES_NOTHING},
    {"avx512bw", L7B, 30, SAVES_ZMM},
    {"avx512vl", L7B, 31, SAVES_ZMM},
    {"avx512vbmi", L7C, 1, SAVES_ZMM},
    {"avx512vbmi2", L7C, 6, SAVES_ZMM},
    {"gfni", L7C, 8, SAVES_NOTHING},
    {"vaes", L7C, 9, SAVES_YMM},
    {"vpclmulqdq", L7C, 10, SAVES_YMM},
    {"avx512vnni", L7C, 11, SAVES_ZMM},
    {"avx512bitalg", L7C, 12, SAVES_ZMM},
    {"avx512vpopcntdq", L7C, 14, SAVES_ZMM},
    {"avx512vp2intersect", L7D, 8, SAVES_ZMM},
    {"amx-bf16", L7D, 22, SAVES_TILES},
    {"avx512fp16", L7D, 23, SAVES_ZMM},
    {"amx-tile", L7D, 24, SAVES_TILES},
    {"amx-int8", L7D, 25, SAVES_TILES},
    {"avxvnni", L71A, 4, SAVES_YMM},
    {"avx512bf16", L71A, 5, SAVES_ZMM},
    {"avxifma", L71A, 23, SAVES_YMM},
    {"avxvnniint8", L71D, 4, SAVES_YMM},
    {"avxneconvert", L71D, 5, SAVES_YMM},
    {"lzcnt", X1C, 5, SAVES_NOTHING},
    {"sse4a", X1C, 6, SAVES_NOTHING},
};

/* Fills the words and returns the bits of `state` that hold. */
static uint32_t describe(uint32_t words[WORDS]) {
  uint32_t a, b, c, d, saved = 1u << SAVES_NOTHING;
  memset(words, 0, WORDS * sizeof(uint32_t));
  if (__get_cpuid(1, &a, &b, &c, &d)) {
    words[L1C] = c;
    words[L1D] = d;
  }
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d)) {
    uint32_t last = a;
    words[L7B] = b;
    words[L7C] = c;
    words[L7D] = d;
    if (last >= 1 && __get_cpuid_count(7, 1, &a, &b, &c, &d)) {
      words[L71A] = a;
      words[L71D] = d;
    }
  }
  if (__get_cpuid(0x80000001u, &a, &b, &c, &d))
    words[X1C] = c;
  if (words[L1C] & (1u << 27)) { /* OSXSAVE: XCR0 can be read */
    uint32_t low, high;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    if ((low & 0x6) == 0x6)
      saved |= 1u << SAVES_YMM;
    if ((low & 0xe6) == 0xe6)
      saved |= 1u << SAVES_ZMM;
    if ((low & 0x60006) == 0x60006)
      saved |= 1u << SAVES_TILES;
  }
  return saved;
}

#elif defined(__aarch64__) && defined(__linux__)

#include <sys/auxv.h>

enum { HWCAP, HWCAP2, WORDS };

static const Feature features[] = {
    {"fp-armv8", HWCAP, 0, 0},  {"neon", HWCAP, 1, 0},
    {"aes", HWCAP, 3, 0},       {"sha2", HWCAP, 6, 0},
    {"crc", HWCAP, 7, 0},       {"lse", HWCAP, 8, 0},
    {"fullfp16", HWCAP, 10, 0}, {"rdm", HWCAP, 12, 0},
    {"dotprod", HWCAP, 20, 0},  {"sve", HWCAP, 22, 0},
    {"sve2", HWCAP2, 1, 0},     {"i8mm", HWCAP2, 13, 0},
    {"bf16", HWCAP2, 14, 0},
};

static uint32_t describe(uint32_t words[WORDS]) {
  words[HWCAP] = (uint32_t)getauxval(AT_HWCAP);
  words[HWCAP2] = (uint32_t)getauxval(AT_HWCAP2);
  return 1;
}

#else
enum { WORDS = 1 };
static const Feature features[] = {{"", 0, 0, 0}};
static uint32_t describe(uint32_t words[WORDS]) {
  words[0] = 0;
  return 1;
}
#endif

static const Feature *find(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); ++i)
    if (strlen(features[i].name) == length &&
        memcmp(features[i].name, name, length) == 0)
      return &features[i];
  return 0;
}

int32_t bquant_rt_knows(const char *name) {
  return *name && find(name, strlen(name)) != 0;
}

int32_t bquant_rt_supports(const char *list, int32_t *state) {
  enum { UNKNOWN = 0, YES = 1, NO = 2 };
  int32_t known = __atomic_load_n(state, __ATOMIC_RELAXED);
  if (known != UNKNOWN)
    return known == YES;

  uint32_t words[WORDS];
  uint32_t saved = describe(words);
  int32_t answer = YES;
  while (*list && answer == YES) {
    size_t length = strcspn(list, ",");
    if (list[0] == '+') { /* what is switched off is not needed */
      const Feature *feature = find(list + 1, length - 1);
      if (!feature || !(words[feature->word] >> feature->bit & 1) ||
          !(saved >> feature->state & 1))
        answer = NO;
    }
    list += length;
    list += *list == ',';
  }
  __atomic_store_n(state, answer, __ATOMIC_RELAXED);
  return answer == YES;
}
