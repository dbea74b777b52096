//===- LinkByProgram.cpp - A linker on PATH -------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace bquant;

static llvm::Expected<std::string> findLinker(const Target &target) {
  // lld links for every machine, another one only for its own.
  std::string own =
      target.isHost() ? "ld" : getDebianTriple(target.triple) + "-ld";
  for (llvm::StringRef name : {"ld.lld-22", "ld.lld", own.c_str()})
    if (auto found = llvm::sys::findProgramByName(name))
      return *found;
  return llvm::createStringError(
      "expected ld.lld-22, ld.lld or " + own + " on PATH, but got none" +
      (target.isHost()
           ? ""
           : ": install lld-22 or " + getDebianPackage(target.triple)));
}

llvm::Error bquant::runLinker(const Target &target,
                              llvm::ArrayRef<llvm::StringRef> arguments) {
  llvm::Expected<std::string> linker = findLinker(target);
  if (!linker)
    return linker.takeError();
  llvm::SmallString<128> log;
  if (std::error_code code =
          llvm::sys::fs::createTemporaryFile("bquant-link", "log", log))
    return llvm::createStringError("cannot write '" + log +
                                   "': " + code.message());
  llvm::FileRemover remover(log);
  llvm::SmallVector<llvm::StringRef> words{*linker};
  words.append(arguments.begin(), arguments.end());
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(""), log.str(),
                                                log.str()};
  std::string message;
  int status = llvm::sys::ExecuteAndWait(*linker, words, std::nullopt,
                                         redirects, 0, 0, &message);
  if (status == 0)
    return llvm::Error::success();
  if (auto text = llvm::MemoryBuffer::getFile(log))
    if (!(*text)->getBuffer().empty())
      message = (*text)->getBuffer().split('\n').first.str();
  return llvm::createStringError("linker '" + *linker + "' failed: " + message);
}
