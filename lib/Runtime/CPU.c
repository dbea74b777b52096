/*===- CPU.c - Does this CPU have what the code was compiled for? ---------===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "bquant/Runtime/Runtime.h"

#include <stddef.h>

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
#define BQUANT_X86_FEATURE(name, word, bit, state) {name, word, bit, state},
#include "Runtime/CPUFeatures.def"
};

/* Fills the words and returns the bits of `state` that hold. */
static uint32_t describe(uint64_t words[WORDS]) {
  uint32_t a, b, c, d, saved = 1u << SAVES_NOTHING;
  for (int i = 0; i < WORDS; ++i)
    words[i] = 0;
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

#elif defined(__aarch64__)

/* Of the C library: sys/auxv.h and asm/hwcap.h. */
unsigned long getauxval(unsigned long type);
enum { AT_HWCAP = 16, AT_HWCAP2 = 26 };

enum { SAVES_NOTHING };
enum { HWCAP, HWCAP2, WORDS };

static const Feature features[] = {
#define BQUANT_AARCH64_FEATURE(name, word, bit, state) {name, word, bit, state},
#include "Runtime/CPUFeatures.def"
};

static uint32_t describe(uint64_t words[WORDS]) {
  words[HWCAP] = getauxval(AT_HWCAP);
  words[HWCAP2] = getauxval(AT_HWCAP2);
  return 1u << SAVES_NOTHING;
}
#endif

/* The feature of the name before a comma or the end. */
static const Feature *find(const char *name) {
  for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); ++i) {
    const char *known = features[i].name, *rest = name;
    while (*known && *known == *rest)
      ++known, ++rest;
    if (!*known && (*rest == ',' || !*rest))
      return &features[i];
  }
  return 0;
}

/* One function: whoever compiles a network has it for the oldest CPU. */
__attribute__((flatten)) int32_t bquant_rt_supports(const char *list,
                                                    int32_t *state) {
  enum { UNKNOWN = 0, YES = 1, NO = 2 };
  int32_t known = __atomic_load_n(state, __ATOMIC_RELAXED);
  if (known != UNKNOWN)
    return known == YES;

  uint64_t words[WORDS];
  uint32_t saved = describe(words);
  int32_t answer = YES;
  while (*list && answer == YES) {
    if (list[0] == '+') { /* what is switched off is not needed */
      const Feature *feature = find(list + 1);
      if (!feature || !(words[feature->word] >> feature->bit & 1) ||
          !(saved >> feature->state & 1))
        answer = NO;
    }
    while (*list && *list++ != ',') {
    }
  }
  __atomic_store_n(state, answer, __ATOMIC_RELAXED);
  return answer == YES;
}

/* Of the C library. */
char *getenv(const char *name);

static int isSame(const char *one, const char *other) {
  while (*one && *one == *other)
    ++one, ++other;
  return *one == *other;
}

__attribute__((flatten)) int32_t bquant_rt_choose(
    const BQuantRtVersion *versions, int32_t count, int32_t *state) {
  enum { UNKNOWN = 0, FIRST = 2 }; /* -1 is 1 */
  int32_t known = __atomic_load_n(state, __ATOMIC_RELAXED);
  if (known != UNKNOWN)
    return known - FIRST;

  const char *forced = getenv("BQUANT_TARGET_CPU");
  int32_t answer = count;
  while (--answer >= 0) {
    const BQuantRtVersion *version = &versions[answer];
    if (forced && *forced ? isSame(forced, version->cpu) : version->supported())
      break;
  }
  /* Whoever asks at the same time finds the same. */
  __atomic_store_n(state, answer + FIRST, __ATOMIC_RELAXED);
  return answer;
}
