/*===- Threads.c - A call on several threads ------------------------------===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* One parallel region a call. In it a thread claims tiles of a group from a  *|
|* counter, until there are none, and then waits for the tiles that others    *|
|* have claimed, not for the others: one that comes late finds nothing to do  *|
|* and delays nobody.                                                         *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "Threads.h"

/* Of the C library: sched.h. */
int sched_yield(void);

enum { LINE = 64, SPINS = 2000 };

/* Each counter on a cache line of its own. */
typedef struct {
  _Alignas(LINE) int64_t next; /* the first tile that nobody has claimed */
  _Alignas(LINE) int64_t done; /* how many are done */
} Counters;

/* What all threads of a call read. */
typedef struct {
  const BQuantRtNetwork *network;
  const void *const *inputs;
  void *const *outputs;
  char *arena;
  Counters *counters;
  int64_t stride; /* from one thread's slice to the next */
  int64_t whole;  /* samples that one thread does as a whole, the first ones */
  int64_t batch;  /* all samples */
  int64_t threads;
} Call;

static int64_t max64(int64_t a, int64_t b) { return a > b ? a : b; }
static int64_t min64(int64_t a, int64_t b) { return a < b ? a : b; }
static int64_t divideCeil(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* Fewer than `least` tiles are not worth a claim, and with some claims for each
 * thread all end at about the same time. */
static int64_t claimOf(int64_t tiles, int64_t least, int64_t threads) {
  enum { CLAIMS_OF_THREAD = 4 };
  return max64(max64(1, least), tiles / (CLAIMS_OF_THREAD * threads));
}

static void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

/* ThreadSanitizer does not see the atomics of a network, which is not
 * instrumented: it is told who waits for whom. */
#ifdef BQUANT_TELL_TSAN
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);
static void tellRelease(int64_t *done) {
  if (__tsan_release)
    __tsan_release(done);
}
static void tellAcquire(int64_t *done) {
  if (__tsan_acquire)
    __tsan_acquire(done);
}
#else
static void tellRelease(int64_t *done) { (void)done; }
static void tellAcquire(int64_t *done) { (void)done; }
#endif

static void waitFor(int64_t *done, int64_t tiles) {
  int spins = 0;
  while (__atomic_load_n(done, __ATOMIC_ACQUIRE) < tiles) {
    relax();
    if (++spins == SPINS) { /* whoever has the last tile may need this core */
      spins = 0;
      sched_yield();
    }
  }
  tellAcquire(done);
}

/* Samples from `first` to `last`, all groups of each, in the thread's arena. */
static void runSamples(const Call *call, int64_t thread, int64_t first,
                       int64_t last) {
  const BQuantRtNetwork *network = call->network;
  char *arena = call->arena + thread * call->stride;
  for (int64_t sample = first; sample < last; ++sample)
    for (int64_t g = 0; g < network->num_groups; ++g)
      network->run(g, call->inputs, call->outputs, sample, arena,
                   arena + network->shared_bytes, 0, network->groups[g].tiles);
}

/* Tiles from `first` to `last` of a group, counted over the samples that are
 * left: each has the shared part of an arena. */
static void runTiles(const Call *call, int64_t group, int64_t thread,
                     int64_t first, int64_t last) {
  const BQuantRtNetwork *network = call->network;
  int64_t tiles = network->groups[group].tiles;
  char *slice = call->arena + network->shared_bytes + thread * call->stride;
  while (first < last) {
    int64_t sample = first / tiles, begin = first % tiles;
    int64_t end = min64(tiles, begin + last - first);
    network->run(group, call->inputs, call->outputs, call->whole + sample,
                 call->arena + sample * call->stride, slice, begin, end);
    first += end - begin;
  }
}

/* What each thread does in the region. */
static void work(void *context, int32_t thread) {
  const Call *call = context;
  if (thread < 0 || thread >= call->threads)
    return;
  const BQuantRtNetwork *network = call->network;
  for (int64_t step = 0; step <= network->num_groups; ++step) {
    int64_t group = step - 1; /* before all groups: whole samples */
    int64_t tiles = call->whole, least = network->claim_samples;
    if (group >= 0) {
      tiles = (call->batch - call->whole) * network->groups[group].tiles;
      least = network->groups[group].claim;
    }
    int64_t claim = claimOf(tiles, least, call->threads), first;
    Counters *counters = &call->counters[step];
    while ((first = __atomic_fetch_add(&counters->next, claim,
                                       __ATOMIC_RELAXED)) < tiles) {
      int64_t last = min64(tiles, first + claim);
      if (group < 0)
        runSamples(call, thread, first, last);
      else
        runTiles(call, group, thread, first, last);
      tellRelease(&counters->done);
      __atomic_fetch_add(&counters->done, last - first, __ATOMIC_RELEASE);
    }
    waitFor(&counters->done, tiles);
  }
}

/* From one thread's slice to the next: with samples of a batch that one thread
 * does as a whole each has the rest of an arena before it. */
static int64_t strideOf(const BQuantRtNetwork *network) {
  return network->slice_bytes +
         (network->claim_samples ? network->shared_bytes : 0);
}

int64_t bquant_rt_arena_bytes(const BQuantRtNetwork *network, int32_t threads) {
  threads = max64(1, min64(threads, network->max_threads));
  int64_t counters =
      threads > 1 ? (network->num_groups + 1) * sizeof(Counters) : 0;
  return network->shared_bytes + network->slice_bytes +
         (threads - 1) * strideOf(network) + counters;
}

int32_t bquant_rt_run(const BQuantRtNetwork *network, const void *const *inputs,
                      void *const *outputs, void *arena, int32_t threads,
                      int64_t batch, const BQuantRtPool *pool) {
  threads = min64(threads, network->max_threads);
  Call call = {network,           inputs, outputs, arena, 0,
               strideOf(network), 0,      batch,   1};
  call.counters = (void *)((char *)arena + network->shared_bytes +
                           network->slice_bytes + (threads - 1) * call.stride);
  /* More than that have nothing to do at any time. */
  int64_t useful =
      network->claim_samples ? divideCeil(batch, network->claim_samples) : 1;
  for (int64_t g = 0; g < network->num_groups; ++g)
    useful = max64(
        useful, divideCeil(network->groups[g].tiles, network->groups[g].claim));
  threads = min64(threads, useful);
  if (threads > 1 && !pool->parallel) {
    threads = bquant_rt_find_threads(threads);
    if (threads == 0)
      return BQUANT_RT_NO_THREADS;
  }
  call.threads = threads;
  if (network->claim_samples)
    call.whole = batch - batch % threads;
  if (threads == 1) {
    call.whole = batch;
    runSamples(&call, 0, 0, batch);
    return BQUANT_RT_OK;
  }
  for (int64_t step = 0; step <= network->num_groups; ++step)
    call.counters[step] = (Counters){0, 0};
  if (pool->parallel)
    pool->parallel(pool->data, threads, work, &call);
  else
    bquant_rt_fork(threads, work, &call);
  return BQUANT_RT_OK;
}
