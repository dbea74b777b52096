//===- Parallel.h - A parallel loop -----------------------------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_LIB_QUANT_PARALLEL_H
#define BQUANT_LIB_QUANT_PARALLEL_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace bquant::quant {

/// Calls work(first, last) for disjoint parts of [0, n) of at least `grain`
/// iterations each, on up to `threads` threads. An exception in one ends the
/// loop, and is thrown again after all threads have ended. Files that include
/// this are compiled with exceptions.
template <typename Work>
void parallelFor(int64_t n, int64_t grain, unsigned threads, Work work) {
  int64_t chunks = std::max<int64_t>(1, n / std::max<int64_t>(1, grain));
  int64_t workers = std::min<int64_t>(std::max(1u, threads), chunks);
  if (workers == 1)
    return work(int64_t(0), n);
  // A few chunks a worker, taken in turn, even out unequal ones.
  chunks = std::min(chunks, 4 * workers);
  std::atomic<int64_t> next{0};
  std::mutex mutex;
  std::exception_ptr failure;
  auto run = [&] {
    try {
      for (int64_t c; (c = next++) < chunks;)
        work(c * n / chunks, (c + 1) * n / chunks);
    } catch (...) {
      next = chunks;
      std::lock_guard<std::mutex> lock(mutex);
      failure = std::current_exception();
    }
  };
  std::vector<std::thread> others;
  for (int64_t i = 1; i < workers; ++i) {
    try {
      others.emplace_back(run);
    } catch (...) {
      // Those that there are do all the work.
      break;
    }
  }
  run();
  for (std::thread &thread : others)
    thread.join();
  if (failure)
    std::rethrow_exception(failure);
}

} // namespace bquant::quant

#endif // BQUANT_LIB_QUANT_PARALLEL_H
