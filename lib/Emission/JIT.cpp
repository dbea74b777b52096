//===- JIT.cpp - Compiled code in this process ----------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Emission/JIT.h"
#include "bquant/Codegen/Names.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include <chrono>

using namespace bquant;
using namespace llvm::orc;

/// Of code that clocks its layers.
static int64_t readClock() {
  return std::chrono::steady_clock::now().time_since_epoch() /
         std::chrono::nanoseconds(1);
}

JIT::JIT() = default;
JIT::~JIT() = default;

llvm::Expected<std::unique_ptr<JIT>> JIT::create(llvm::MemoryBufferRef object,
                                                 const Target &target) {
  if (!target.isHost())
    return llvm::createStringError(
        "expected this machine's triple to run the code here, but got '" +
        target.triple.str() + "'");
  llvm::DataLayout layout = target.createMachine()->createDataLayout();
  auto engine =
      LLJITBuilder()
          .setJITTargetMachineBuilder(JITTargetMachineBuilder(target.triple))
          .setDataLayout(layout)
          .create();
  if (!engine)
    return engine.takeError();

  JITDylib &library = (*engine)->getMainJITDylib();
  SymbolMap clock;
  clock[(*engine)->mangleAndIntern(kClockName)] = {
      ExecutorAddr::fromPtr(&readClock),
      llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable};
  if (llvm::Error error = library.define(absoluteSymbols(std::move(clock))))
    return std::move(error);
  // The C library's functions: memcpy, expf and the like.
  auto process = DynamicLibrarySearchGenerator::GetForCurrentProcess(
      layout.getGlobalPrefix());
  if (!process)
    return process.takeError();
  library.addGenerator(std::move(*process));
  if (llvm::Error error =
          (*engine)->addObjectFile(llvm::MemoryBuffer::getMemBuffer(
              object, /*RequiresNullTerminator=*/false)))
    return std::move(error);

  std::unique_ptr<JIT> result(new JIT());
  result->engine = std::move(*engine);
  return result;
}

llvm::Expected<void *> JIT::lookup(llvm::StringRef symbol) {
  llvm::Expected<ExecutorAddr> address = engine->lookup(symbol);
  if (!address)
    return address.takeError();
  return address->toPtr<void *>();
}
