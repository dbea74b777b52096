//===- Library.cpp - Shared libraries as programs -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is loaded is a private copy of the file, in memory. dlopen tells files
// apart by name, device and inode alone: of a file that was replaced while the
// old one is loaded it would give the old one again, and a file that is written
// over in place would change the code of a program that runs.
//
// Signatures are read from the file, not from the library once it is loaded:
// nothing of a file that is no library of ours is run.
//
//===----------------------------------------------------------------------===//

#include "Exports.h"
#include "Support/ForeignText.h"
#include "bquant/Compiler/Program.h"
#include "bquant/Compiler/Report.h"
#include "bquant/Emission/Emit.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/TargetParser/Host.h"
#include <dlfcn.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace bquant;

//===----------------------------------------------------------------------===//
// The copy
//===----------------------------------------------------------------------===//

namespace {
/// A file in memory that nobody can change any more.
class PrivateCopy {
public:
  PrivateCopy() = default;
  PrivateCopy(const PrivateCopy &) = delete;
  ~PrivateCopy() {
    if (descriptor >= 0)
      close(descriptor);
  }

  llvm::Error create(llvm::StringRef path) {
    // The name is what /proc/PID/maps shows; it has a limit.
    std::string name = llvm::sys::path::filename(path).take_back(200).str();
    descriptor = memfd_create(name.c_str(), MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (descriptor < 0)
      return lastError();
    if (llvm::Error error = fill(path))
      return error;
    if (fcntl(descriptor, F_ADD_SEALS,
              F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE | F_SEAL_SEAL) < 0)
      return lastError();
    return llvm::Error::success();
  }

  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> read() const {
    return llvm::errorOrToExpected(llvm::MemoryBuffer::getOpenFile(
        descriptor, "", /*FileSize=*/-1, /*RequiresNullTerminator=*/false));
  }

  /// Loads it. While it is loaded the descriptor has to stay open: by its name
  /// dlopen knows the library, and a debugger finds it.
  llvm::Expected<void *> load() {
    // With the number of the process, which a debugger is not in.
    llvm::SmallString<32> process;
    if (std::error_code code = llvm::sys::fs::real_path("/proc/self", process))
      return llvm::errorCodeToError(code);
    while (true) {
      std::string name = (process + "/fd/" + llvm::Twine(descriptor)).str();
      // A library that is loaded keeps its name, even if somebody has closed
      // its descriptor and this is another one of that number.
      if (void *taken = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD)) {
        dlclose(taken);
        int next = fcntl(descriptor, F_DUPFD_CLOEXEC, descriptor + 1);
        if (next < 0)
          return lastError();
        close(descriptor);
        descriptor = next;
        continue;
      }
      if (void *handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL))
        return handle;
      llvm::StringRef message = dlerror();
      message.consume_front(name + ": ");
      return llvm::createStringError(message);
    }
  }

private:
  /// With the bytes of the file, which is a regular one: a pipe or a device may
  /// have no end.
  llvm::Error fill(llvm::StringRef path) {
    // Without waiting for who writes to a pipe.
    int file = llvm::sys::RetryAfterSignal(-1, open, path.str().c_str(),
                                           O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
      return lastError();
    llvm::scope_exit closing([&] { close(file); });
    llvm::sys::fs::file_status status;
    if (std::error_code code = llvm::sys::fs::status(file, status))
      return llvm::errorCodeToError(code);
    if (llvm::sys::fs::is_other(status))
      return llvm::createStringError("expected a regular file");
    // By the descriptor: the path may lead elsewhere by now.
    std::string opened = "/proc/self/fd/" + std::to_string(file);
    return llvm::errorCodeToError(llvm::sys::fs::copy_file(opened, descriptor));
  }

  static llvm::Error lastError() {
    return llvm::errorCodeToError(llvm::errnoAsErrorCode());
  }

  int descriptor = -1;
};
} // namespace

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

/// Without the zero at the end of all bytes at a place.
static llvm::Expected<llvm::StringRef> getText(llvm::StringRef bytes,
                                               llvm::StringRef place) {
  if (bytes.empty() || bytes.find('\0') != bytes.size() - 1)
    return llvm::createStringError("expected a text that ends in a zero at '" +
                                   quoteForeign(place) + "', but got none");
  return bytes.drop_back();
}

namespace {
class LoadedProgram : public Program {
public:
  ~LoadedProgram() override {
    if (handle)
      dlclose(handle);
  }

  llvm::Error load(llvm::StringRef file) {
    path = file.str();
    auto failed = [&](const llvm::Twine &what, llvm::Error why) {
      return llvm::createStringError(what + " '" + path +
                                     "': " + llvm::toString(std::move(why)));
    };
    if (llvm::Error error = copy.create(path))
      return failed("cannot open", std::move(error));
    if (llvm::Error error = readFile())
      return failed("expected a library compiled by bquant, but got",
                    std::move(error));
    llvm::Triple here(llvm::sys::getProcessTriple());
    if (architecture != here.getArchName())
      return llvm::createStringError(
          "cannot load '" + path + "': expected a library for " +
          here.getArchName() + ", which this machine is, but got one for " +
          architecture);
    llvm::Expected<void *> loaded = copy.load();
    if (!loaded)
      return failed("cannot load", loaded.takeError());
    handle = *loaded;
    if (llvm::Error error = lookUpFunctions())
      return failed("cannot load", std::move(error));
    return llvm::Error::success();
  }

  llvm::Error save(llvm::StringRef path, llvm::StringRef name,
                   AtomicFiles &files) const override {
    if (!name.empty())
      return llvm::createStringError(
          "expected a network that was compiled here to be saved as '" + name +
          "', since a library's functions keep their names, but got one that "
          "was loaded");
    llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> bytes = copy.read();
    if (!bytes)
      return bytes.takeError();
    if (llvm::Error error = files.add(path, [&](llvm::raw_pwrite_stream &os) {
          os << (*bytes)->getBuffer();
        }))
      return error;
    return addHeader(getSignatures(), path, files);
  }

protected:
  llvm::Expected<Reports> readReports() const override {
    if (!report)
      return llvm::createStringError("expected a library that carries its "
                                     "report, but got '" +
                                     path +
                                     "', which has none: compile it again");
    llvm::Expected<llvm::StringRef> text = getText(*report, reportSection);
    llvm::Expected<Reports> result =
        text ? Reports::fromJSON(*text) : text.takeError();
    if (!result)
      return llvm::createStringError(
          "expected a report in '" + path +
          "', but got: " + llvm::toString(result.takeError()));
    return result;
  }

  llvm::Expected<void *> lookup(llvm::StringRef symbol) override {
    if (void *address = dlsym(handle, symbol.str().c_str()))
      return address;
    return llvm::createStringError("expected a symbol '" +
                                   quoteForeign(symbol) + "', but got none");
  }

private:
  /// The functions that the file says it has.
  llvm::Error readFile() {
    llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> bytes = copy.read();
    if (!bytes)
      return bytes.takeError();
    llvm::Expected<Exports> exports = readExports((*bytes)->getBuffer());
    if (!exports)
      return exports.takeError();
    architecture = getArchitecture(exports->machine);
    if (exports->report)
      report = exports->report->str();
    for (const auto &[name, text] : exports->signatures)
      if (llvm::Error error = addFunction(name, text, exports->functions))
        return error;
    return llvm::Error::success();
  }

  llvm::Error addFunction(llvm::StringRef name, llvm::StringRef text,
                          const llvm::StringSet<> &functions) {
    llvm::Expected<llvm::StringRef> signature = getText(text, name);
    if (!signature)
      return signature.takeError();
    if (llvm::Error error = addSignature(*signature))
      return error;
    const FunctionInfo &info = getFunctions().back();
    llvm::StringRef symbol = info.symbol;
    if ((symbol + Exports::signatureSuffix).str() != name)
      return llvm::createStringError("expected the symbol of '" +
                                     quoteForeign(name) + "', but got '" +
                                     quoteForeign(symbol) + "'");
    llvm::SmallVector<llvm::StringRef> suffixes = {"", "_arena_bytes",
                                                   "_supported"};
    if (info.maxThreads > 1)
      suffixes.push_back("_set_parallel");
    if (!info.versions.empty())
      suffixes.push_back("_version");
    for (llvm::StringRef suffix : suffixes)
      if (!functions.contains((symbol + suffix).str()))
        return llvm::createStringError("expected a function '" +
                                       quoteForeign((symbol + suffix).str()) +
                                       "', but got none");
    return llvm::Error::success();
  }

  std::string path, architecture;
  /// As it is in the file: read when somebody asks.
  std::optional<std::string> report;
  /// Open as long as the library is loaded.
  PrivateCopy copy;
  void *handle = nullptr;
};
} // namespace

llvm::Expected<std::unique_ptr<Program>> Program::load(llvm::StringRef path) {
  auto result = std::make_unique<LoadedProgram>();
  if (llvm::Error error = result->load(path))
    return std::move(error);
  return result;
}
