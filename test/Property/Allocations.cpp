//===- Allocations.cpp - What a call takes besides its arguments ----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Allocations.h"
#include "llvm/Support/Compiler.h"
#include <algorithm>
#include <cerrno>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace bquant::test;

#if defined(__GLIBC__) && !LLVM_ADDRESS_SANITIZER_BUILD &&                     \
    !LLVM_THREAD_SANITIZER_BUILD
#define BQUANT_COUNTS_ALLOCATIONS 1

// In the program itself, so that asking takes no memory.
static thread_local int64_t allocations
    __attribute__((tls_model("local-exec")));

extern "C" {
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t number, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

void *malloc(size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
void *calloc(size_t number, size_t bytes) {
  ++allocations;
  return __libc_calloc(number, bytes);
}
void *realloc(void *old, size_t bytes) {
  ++allocations;
  return __libc_realloc(old, bytes);
}
void *memalign(size_t alignment, size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  ++allocations;
  *memory = __libc_memalign(alignment, bytes);
  return *memory ? 0 : ENOMEM;
}
void free(void *memory) {
  ++allocations;
  __libc_free(memory);
}
void *mmap(void *at, size_t bytes, int protection, int flags, int file,
           off_t offset) {
  ++allocations;
  return reinterpret_cast<void *>(
      syscall(SYS_mmap, at, bytes, protection, flags, file, offset));
}
}

#else
#define BQUANT_COUNTS_ALLOCATIONS 0
static int64_t allocations;
#endif

bool bquant::test::countsAllocations() { return BQUANT_COUNTS_ALLOCATIONS; }

int64_t bquant::test::countAllocations(llvm::function_ref<void()> run) {
  int64_t before = allocations;
  run();
  return allocations - before;
}

namespace {
/// A stack, what runs on it, and how much of it that took.
struct Stack {
  static constexpr unsigned char paint = 0xa5;
  unsigned char *begin;
  size_t bytes;
  llvm::function_ref<void()> run;
  size_t touched = 0;

  void measure() {
    std::fill(begin, begin + bytes, paint);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstack(&attributes, begin, bytes);
    pthread_t thread;
    pthread_create(
        &thread, &attributes,
        [](void *self) -> void * {
          auto *stack = static_cast<Stack *>(self);
          stack->run();
          // Here, since a thread that ends gives its pages back.
          unsigned char *end = stack->begin + stack->bytes;
          stack->touched =
              end - std::find_if(stack->begin, end, [](unsigned char byte) {
                return byte != paint;
              });
          return nullptr;
        },
        this);
    pthread_join(thread, nullptr);
    pthread_attr_destroy(&attributes);
  }
};
} // namespace

size_t bquant::test::measureStack(llvm::function_ref<void()> run) {
  constexpr size_t kBytes = 1 << 20;
  void *memory = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto *begin = static_cast<unsigned char *>(memory);
  // What a thread needs for itself is not the call's.
  auto nothing = [] {};
  Stack own{begin, kBytes, nothing}, all{begin, kBytes, run};
  own.measure();
  all.measure();
  munmap(memory, kBytes);
  return all.touched - std::min(own.touched, all.touched);
}
