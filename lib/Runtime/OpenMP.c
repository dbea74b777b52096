/*===- OpenMP.c - Threads of LLVM's OpenMP runtime ------------------------===*\
|*                                                                            *|
|* Part of the bquant project, under the Apache License v2.0 with LLVM        *|
|* Exceptions. See LICENSE for license information.                           *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
|*===----------------------------------------------------------------------===*|
|*                                                                            *|
|* Looked for when a call first asks for threads, so that a network needs the *|
|* C library alone. One that is in the process already is taken: two of them  *|
|* at work end it ("OMP: Error #15").                                         *|
|*                                                                            *|
|* A fork takes none of the threads along, and what they were in the middle   *|
|* of nobody finishes: a call in the child of a process that has run threads  *|
|* has one thread.                                                            *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#include "Threads.h"

#include <stdint.h>

/* Of the C library: dlfcn.h, link.h, sched.h, string.h, unistd.h. */
void *dlopen(const char *name, int flags);
void *dlsym(void *library, const char *name);
int dl_iterate_phdr(int (*callback)(void *info, size_t size, void *data),
                    void *data);
int sched_getaffinity(int thread, size_t bytes, void *mask);
int getpid(void);
size_t strlen(const char *text);
char *strrchr(const char *text, int character);
int strncmp(const char *a, const char *b, size_t bytes);
void *memcpy(void *to, const void *from, size_t bytes);
enum { RTLD_LAZY = 1, RTLD_NOLOAD = 4 };

/* The runtime's ident_t: where in the source a region is. */
typedef struct {
  int32_t reserved, flags, reserved2, reserved3;
  const char *source;
} Ident;

typedef void (*Microtask)(int32_t *global, int32_t *thread, ...);
typedef void (*ForkCall)(Ident *, int32_t count, Microtask, ...);
typedef void (*PushNumThreads)(Ident *, int32_t global, int32_t threads);
typedef int32_t (*GlobalThread)(Ident *);
typedef int (*GetBlocktime)(void);
typedef void (*SetBlocktime)(int milliseconds);
typedef int (*GetNumProcs)(void);

enum {
  FORK_CALL,
  PUSH_NUM_THREADS,
  GLOBAL_THREAD,
  GET_BLOCKTIME,
  SET_BLOCKTIME,
  GET_NUM_PROCS,
  FUNCTIONS
};
static const char *const names[FUNCTIONS] = {
    "__kmpc_fork_call",  "__kmpc_push_num_threads", "__kmpc_global_thread_num",
    "kmp_get_blocktime", "kmp_set_blocktime",       "omp_get_num_procs"};

/* All or nothing of `library`; null stands for what the whole process sees. */
static int take(void *library, void **functions) {
  for (int i = 0; i < FUNCTIONS; ++i)
    if (!(functions[i] = dlsym(library, names[i])))
      return 0;
  return 1;
}

/* One of the process's libraries, after `skip` others of such a name. */
typedef struct {
  int skip;
  char path[4096];
} Library;

/* A copy of libomp or libiomp5 under any name, as wheels have them. The first
 * two members of struct dl_phdr_info are address and path. */
static int isOpenMP(void *info, size_t size, void *data) {
  (void)size;
  const char *path = ((const char *const *)info)[1];
  const char *slash = path ? strrchr(path, '/') : 0;
  if (!slash || (strncmp(slash, "/libomp", 7) && strncmp(slash, "/libiomp", 8)))
    return 0;
  Library *library = data;
  size_t bytes = strlen(path) + 1;
  if (bytes > sizeof(library->path) || library->skip-- > 0)
    return 0;
  memcpy(library->path, path, bytes);
  return 1;
}

static int find(void **functions) {
  if (take(0, functions))
    return 1;
  /* Others have such names, too: libompl.so of the Open Motion Planning
   * Library. */
  Library loaded;
  void *library;
  for (int skip = 0;; ++skip) {
    loaded.skip = skip;
    if (!dl_iterate_phdr(isOpenMP, &loaded))
      break;
    if ((library = dlopen(loaded.path, RTLD_LAZY | RTLD_NOLOAD)) &&
        take(library, functions))
      return 1;
  }
  /* Not RTLD_GLOBAL: its GOMP_ functions would replace libgomp's. */
  static const char *const candidates[] = {"libomp.so.5", "libomp.so",
                                           "libiomp5.so"};
  for (size_t i = 0; i < sizeof(candidates) / sizeof(candidates[0]); ++i)
    if ((library = dlopen(candidates[i], RTLD_LAZY)) &&
        take(library, functions))
      return 1;
  return 0;
}

/* What was found by any call; whoever looks at the same time finds the same. */
static void *known[FUNCTIONS];
static int32_t isKnown;
static int32_t process; /* whose threads there are, once it is known */

static int get(void **functions) {
  if (!__atomic_load_n(&isKnown, __ATOMIC_ACQUIRE)) {
    if (!find(functions))
      return 0;
    for (int i = 0; i < FUNCTIONS; ++i)
      __atomic_store_n(&known[i], functions[i], __ATOMIC_RELAXED);
    __atomic_store_n(&process, getpid(), __ATOMIC_RELAXED);
    __atomic_store_n(&isKnown, 1, __ATOMIC_RELEASE);
    return 1;
  }
  for (int i = 0; i < FUNCTIONS; ++i)
    functions[i] = __atomic_load_n(&known[i], __ATOMIC_RELAXED);
  return 1;
}

typedef struct {
  void (*body)(void *context, int32_t thread);
  void *context;
} Task;

static void runTask(int32_t *global, int32_t *thread, Task *task) {
  (void)global;
  task->body(task->context, *thread);
}

void bquant_rt_fork(int32_t threads, void (*body)(void *context, int32_t),
                    void *context) {
  void *functions[FUNCTIONS];
  (void)get(functions);
  enum { KMPC = 2 };
  static Ident here = {0, KMPC, 0, 0, ";bquant;network;0;0;;"};
  Task task = {body, context};
  GetBlocktime getBlocktime = (GetBlocktime)functions[GET_BLOCKTIME];
  SetBlocktime setBlocktime = (SetBlocktime)functions[SET_BLOCKTIME];
  GlobalThread globalThread = (GlobalThread)functions[GLOBAL_THREAD];
  /* Else the workers spin for 200 ms after the call. An infinite time stays: it
   * could not be put back. */
  int32_t global = globalThread(&here);
  int before = getBlocktime();
  if (before != INT32_MAX)
    setBlocktime(0);
  ((PushNumThreads)functions[PUSH_NUM_THREADS])(&here, global, threads);
  ((ForkCall)functions[FORK_CALL])(&here, 1, (Microtask)runTask, &task);
  if (before != INT32_MAX)
    setBlocktime(before);
}

/* The cores that the calling thread may use; 0: more than a mask has bits. */
static int32_t countCores(void) {
  uint64_t mask[128];
  if (sched_getaffinity(0, sizeof(mask), mask) != 0)
    return 0;
  int32_t cores = 0;
  for (size_t i = 0; i < sizeof(mask) / sizeof(mask[0]); ++i)
    cores += __builtin_popcountll(mask[i]);
  return cores;
}

int32_t bquant_rt_find_threads(int32_t threads) {
  void *functions[FUNCTIONS];
  if (!get(functions))
    return 0;
  if (__atomic_load_n(&process, __ATOMIC_RELAXED) != getpid())
    return 1;
  int32_t cores = countCores();
  /* OMP_PROC_BIND binds whoever calls it to one of its cores. */
  if (cores == 1)
    cores = ((GetNumProcs)functions[GET_NUM_PROCS])();
  return cores > 0 && cores < threads ? cores : threads;
}
