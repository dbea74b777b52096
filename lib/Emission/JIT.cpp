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
#include "llvm/ExecutionEngine/Orc/MapperJITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/Orc/MemoryMapper.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/Support/Process.h"
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

/// Links code that lies together: parts reach each other as in a library.
static llvm::Expected<std::unique_ptr<ObjectLayer>>
createLinker(ExecutionSession &session, const Objects &objects) {
  // Each object has some segments, which begin on pages.
  const size_t padding = 8 * llvm::sys::Process::getPageSizeEstimate();
  size_t bytes = 0;
  for (const std::unique_ptr<llvm::MemoryBuffer> &object : objects)
    bytes += object->getBufferSize() + padding;
  auto memory =
      MapperJITLinkMemoryManager::CreateWithMapper<InProcessMemoryMapper>(
          bytes);
  if (!memory)
    return memory.takeError();
  return std::make_unique<ObjectLinkingLayer>(session, std::move(*memory));
}

llvm::Expected<std::unique_ptr<JIT>> JIT::create(const Objects &objects,
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
          .setObjectLinkingLayerCreator([&](ExecutionSession &session) {
            return createLinker(session, objects);
          })
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
  for (const std::unique_ptr<llvm::MemoryBuffer> &object : objects)
    if (llvm::Error error =
            (*engine)->addObjectFile(llvm::MemoryBuffer::getMemBuffer(
                *object, /*RequiresNullTerminator=*/false)))
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
