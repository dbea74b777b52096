//===- Emit.cpp - Compiled code to files ----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Emission/Emit.h"
#include "Linker.h"
#include "Parts.h"
#include "Translate.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Threading.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <algorithm>
#include <fcntl.h>
#include <mutex>
#include <unistd.h>

using namespace bquant;

//===----------------------------------------------------------------------===//
// AtomicFiles
//===----------------------------------------------------------------------===//

AtomicFiles::~AtomicFiles() {
  for (const File &file : files) {
    llvm::sys::fs::remove(file.temporary);
    llvm::sys::DontRemoveFileOnSignal(file.temporary);
  }
}

/// Whether a file of another kind than a directory is there that must not be
/// replaced: a device, a pipe.
static bool isDevice(llvm::StringRef path) {
  return llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path) &&
         !llvm::sys::fs::is_directory(path);
}

static llvm::Error cannotWrite(const llvm::Twine &path, std::error_code code) {
  return llvm::createStringError("cannot write '" + path +
                                 "': " + llvm::Twine(code.message()));
}

/// Where a link leads to: the file there is replaced, and not the link, which
/// may be /dev/stdout.
static llvm::Expected<std::string> followLinks(llvm::StringRef path) {
  llvm::SmallString<128> target(path);
  bool isLink = false;
  if (!llvm::sys::fs::is_symlink_file(path, isLink) && isLink)
    if (std::error_code code = llvm::sys::fs::real_path(path, target))
      return cannotWrite(path, code);
  return target.str().str();
}

/// The same text for every spelling of the path of a file that may not be there
/// yet.
static std::string getPlace(llvm::StringRef path) {
  llvm::StringRef directory = llvm::sys::path::parent_path(path);
  llvm::SmallString<128> place;
  if (llvm::sys::fs::real_path(directory.empty() ? "." : directory, place))
    return path.str();
  llvm::sys::path::append(place, llvm::sys::path::filename(path));
  return place.str().str();
}

/// Fills the file `name`; an error says `path`.
static llvm::Error
writeFile(llvm::StringRef name, llvm::StringRef path,
          llvm::function_ref<void(llvm::raw_pwrite_stream &)> write) {
  std::error_code code;
  llvm::raw_fd_ostream os(name, code);
  if (code)
    return cannotWrite(path, code);
  write(os);
  os.close();
  if (os.has_error()) {
    code = os.error();
    os.clear_error();
    return cannotWrite(path, code);
  }
  return llvm::Error::success();
}

/// Makes a file beside `path`, as llvm::sys::fs::createUniqueFile, but takes
/// every % of `path` as it is.
static std::error_code createBeside(llvm::StringRef path, int &descriptor,
                                    std::string &name) {
  constexpr int mostTries = 128;
  std::error_code code;
  for (int i = 0; i < mostTries; ++i) {
    std::string digits = llvm::utohexstr(llvm::sys::Process::GetRandomNumber(),
                                         /*LowerCase=*/true, /*Width=*/8);
    // A linker takes what begins with - for an option.
    name =
        ((path.starts_with("-") ? "./" : "") + path + ".tmp-" + digits).str();
    code = llvm::sys::fs::openFileForWrite(name, descriptor,
                                           llvm::sys::fs::CD_CreateNew);
    if (code != std::errc::file_exists)
      break;
  }
  return code;
}

llvm::Expected<std::string> AtomicFiles::reserve(llvm::StringRef path) {
  if (path == "-")
    return llvm::createStringError(
        "expected a file name, but got '-' for standard output");
  if (llvm::sys::fs::is_directory(path))
    return cannotWrite(path, std::make_error_code(std::errc::is_a_directory));
  if (isDevice(path))
    return llvm::createStringError("cannot write '" + path +
                                   "': expected a regular file");
  for (llvm::StringRef file : kept)
    if (llvm::sys::fs::equivalent(file, path))
      return llvm::createStringError("expected another file than '" + file +
                                     "', which is read, but got '" + path +
                                     "'");
  llvm::Expected<std::string> target = followLinks(path);
  if (!target)
    return target.takeError();
  int descriptor;
  std::string temporary;
  // Beside its place: renaming between file systems is no renaming.
  if (std::error_code code = createBeside(*target, descriptor, temporary))
    return cannotWrite(path, code);
  llvm::raw_fd_ostream empty(descriptor, /*shouldClose=*/true);
  if (onSignal == OnSignal::Remove)
    llvm::sys::RemoveFileOnSignal(temporary);
  files.push_back({path.str(), *target, temporary});
  return temporary;
}

llvm::Error
AtomicFiles::add(llvm::StringRef path,
                 llvm::function_ref<void(llvm::raw_pwrite_stream &)> write) {
  if (path == "-") {
    llvm::raw_svector_ostream os(standardOutput);
    write(os);
    return llvm::Error::success();
  }
  std::string name = path.str();
  if (!isDevice(path)) {
    llvm::Expected<std::string> temporary = reserve(path);
    if (!temporary)
      return temporary.takeError();
    name = *temporary;
  }
  return writeFile(name, path, write);
}

llvm::Error AtomicFiles::commit() {
  llvm::StringSet<> places;
  for (const File &file : files)
    if (!places.insert(getPlace(file.target)).second)
      return llvm::createStringError("expected different files, but got '" +
                                     file.path + "' twice");
  if (!standardOutput.empty()) {
    llvm::raw_fd_ostream &os = llvm::outs();
    os << standardOutput;
    os.flush();
    standardOutput.clear();
    if (os.has_error()) {
      std::error_code code = os.error();
      // Else it ends the process when that exits.
      os.clear_error();
      return cannotWrite("-", code);
    }
  }
  while (!files.empty()) {
    File file = files.front();
    if (std::error_code code =
            llvm::sys::fs::rename(file.temporary, file.target))
      return cannotWrite(file.path, code);
    llvm::sys::DontRemoveFileOnSignal(file.temporary);
    files.erase(files.begin());
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Code
//===----------------------------------------------------------------------===//

/// Puts the report beside the code, where the linker keeps it though nothing
/// refers to it.
static void addReport(llvm::Module &code, llvm::StringRef report) {
  llvm::Constant *text =
      llvm::ConstantDataArray::getString(code.getContext(), report);
  auto *global = new llvm::GlobalVariable(
      code, text->getType(), /*isConstant=*/true,
      llvm::GlobalValue::PrivateLinkage, text, "__bquant_report");
  global->setSection(reportSection);
  global->setAlignment(llvm::Align(1));
  llvm::appendToUsed(code, {global});
}

namespace {
/// Tells of each function that is written, of all parts.
class EmissionProgress {
public:
  EmissionProgress(const llvm::Module &code, const Progress &progress)
      : progress(progress),
        functions(llvm::count_if(code, [](const llvm::Function &function) {
          return !function.isDeclaration();
        })) {
    if (progress)
      progress("emit", 0, 0);
  }

  /// Listens to the passes on a part. Passes of a target's machine code have no
  /// instrumentation: it is by the remark on a function's instructions.
  void listen(llvm::LLVMContext &context) {
    if (progress)
      context.setDiagnosticHandler(std::make_unique<Handler>(*this));
  }

private:
  class Handler : public llvm::DiagnosticHandler {
  public:
    explicit Handler(EmissionProgress &all) : all(all) {}

    bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override {
      return pass == "asm-printer";
    }
    bool isAnyRemarkEnabled() const override { return true; }
    bool handleDiagnostics(const llvm::DiagnosticInfo &diagnostic) override {
      auto *remark =
          llvm::dyn_cast<llvm::MachineOptimizationRemarkAnalysis>(&diagnostic);
      if (!remark)
        return false;
      if (remark->getRemarkName() == "InstructionCount")
        all.add();
      return true;
    }

  private:
    EmissionProgress &all;
  };

  void add() {
    std::lock_guard<std::mutex> lock(mutex);
    progress("emit", ++written, functions);
  }

  const Progress &progress;
  std::mutex mutex;
  unsigned functions, written = 0;
};
} // namespace

/// Functions say themselves what CPU they are for.
static llvm::Expected<std::unique_ptr<llvm::Module>>
translateProgram(llvm::ArrayRef<Version> versions, const Progress &progress,
                 llvm::LLVMContext &context) {
  if (versions.size() > 1)
    return translateVersions(versions, progress, context);
  const auto &[module, target] = versions.front();
  return translate(module, target, *target.createMachine(), progress, context);
}

/// Fails where the target cannot emit files.
static mlir::LogicalResult generate(llvm::Module &code, const Target &target,
                                    llvm::CodeGenFileType type,
                                    EmissionProgress &progress,
                                    llvm::raw_pwrite_stream &os) {
  std::unique_ptr<llvm::TargetMachine> machine = target.createMachine();
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr, type))
    return mlir::failure();
  progress.listen(code.getContext());
  passes.run(code);
  return mlir::success();
}

static llvm::Error cannotEmit(const Target &target) {
  return llvm::createStringError("expected a target that can emit files, but "
                                 "got '" +
                                 target.triple.str() + "'");
}

llvm::Error bquant::emitCode(llvm::ArrayRef<Version> versions, CodeKind kind,
                             const Progress &progress,
                             llvm::raw_pwrite_stream &os) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> code =
      translateProgram(versions, progress, context);
  if (!code)
    return code.takeError();
  if (kind == CodeKind::LLVMIR) {
    (*code)->print(os, nullptr);
    return llvm::Error::success();
  }
  const Target &target = versions.front().target;
  EmissionProgress emission(**code, progress);
  if (mlir::failed(generate(**code, target,
                            kind == CodeKind::Object
                                ? llvm::CodeGenFileType::ObjectFile
                                : llvm::CodeGenFileType::AssemblyFile,
                            emission, os)))
    return cannotEmit(target);
  return llvm::Error::success();
}

llvm::Expected<Objects>
bquant::compileObjects(llvm::ArrayRef<Version> versions,
                       const Progress &progress,
                       std::optional<llvm::StringRef> report) {
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> code =
      translateProgram(versions, progress, context);
  if (!code)
    return code.takeError();
  if (report)
    addReport(**code, *report);
  EmissionProgress emission(**code, progress);
  auto parts = takeParts(**code);
  const auto &[module, target] = versions.front();
  Objects objects(parts.size() + 1);
  auto compile = [&, &target = target](llvm::Module &part, size_t i) {
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream os(bytes);
    if (mlir::failed(generate(part, target, llvm::CodeGenFileType::ObjectFile,
                              emission, os)))
      return mlir::failure();
    objects[i] = std::make_unique<llvm::SmallVectorMemoryBuffer>(
        std::move(bytes), "object", /*RequiresNullTerminator=*/false);
    return mlir::success();
  };
  if (mlir::failed(mlir::failableParallelForEachN(
          module->getContext(), 0, objects.size(), [&](size_t i) {
            if (i == 0)
              return compile(**code, i);
            llvm::LLVMContext own;
            return compile(*llvm::cantFail(llvm::parseBitcodeFile(
                               {llvm::toStringRef(parts[i - 1]), "part"}, own)),
                           i);
          })))
    return cannotEmit(target);
  return objects;
}

//===----------------------------------------------------------------------===//
// Shared libraries
//===----------------------------------------------------------------------===//

std::string bquant::getDebianTriple(const llvm::Triple &triple) {
  return (triple.getArchName() + "-linux-gnu").str();
}

std::string bquant::getDebianPackage(const llvm::Triple &triple) {
  std::string package = "gcc-" + getDebianTriple(triple);
  std::replace(package.begin(), package.end(), '_', '-');
  return package;
}

namespace {
/// The libraries of the system; empty where this machine keeps them elsewhere
/// than others do.
struct SystemLibraries {
  std::string libc, libm;
};
} // namespace

/// Where the system's libraries may be: for another machine below `sysroot`, or
/// where Debian puts them.
static llvm::SmallVector<std::string>
getLibraryDirectories(const Target &target, llvm::StringRef triple,
                      llvm::StringRef sysroot) {
  if (sysroot.empty() && !target.isHost())
    return {("/usr/" + triple + "/lib").str(), ("/lib/" + triple).str(),
            ("/usr/lib/" + triple).str()};
  llvm::SmallVector<std::string> directories;
  for (const std::string &directory :
       {("/lib/" + triple).str(), ("/usr/lib/" + triple).str(),
        std::string("/lib64"), std::string("/usr/lib64"), std::string("/lib"),
        std::string("/usr/lib")})
    directories.push_back(sysroot.str() + directory);
  return directories;
}

static llvm::Expected<SystemLibraries>
findSystemLibraries(const Target &target, llvm::StringRef sysroot) {
  if (target.triple.isAndroid())
    return llvm::createStringError(
        "expected an object (--emit=obj) for '" + target.triple.str() +
        "', since Android's NDK links libraries, but got a library");
  std::string triple = getDebianTriple(target.triple);
  for (const std::string &directory :
       getLibraryDirectories(target, triple, sysroot)) {
    std::string libc = directory + "/libc.so.6",
                libm = directory + "/libm.so.6";
    if (llvm::sys::fs::exists(libc) && llvm::sys::fs::exists(libm))
      return SystemLibraries{libc, libm};
  }
  if (target.isHost() && sysroot.empty())
    return SystemLibraries();
  return llvm::createStringError(
      "expected libc.so.6 and libm.so.6 of " + triple +
      (sysroot.empty()
           ? ", but got none: install " + getDebianPackage(target.triple) +
                 ", or give a sysroot"
           : " in '" + sysroot.str() + "', but got none"));
}

llvm::Error bquant::checkLibraries(const Target &target,
                                   llvm::StringRef sysroot) {
  return findSystemLibraries(target, sysroot).takeError();
}

/// Checks that `bytes` fit on the disk, by the empty file `name`. A linker
/// writes through mapped memory, so that a full disk would crash it.
static std::error_code checkSpace(llvm::StringRef name, uint64_t bytes) {
  int descriptor;
  if (std::error_code code = llvm::sys::fs::openFileForWrite(
          name, descriptor, llvm::sys::fs::CD_OpenExisting))
    return code;
  std::error_code code;
  // Some file systems cannot say.
  if (fallocate(descriptor, 0, 0, off_t(bytes)) != 0 &&
      (errno == ENOSPC || errno == EDQUOT))
    code = llvm::errnoAsErrorCode();
  if (ftruncate(descriptor, 0) != 0 && !code)
    code = llvm::errnoAsErrorCode();
  llvm::sys::Process::SafelyCloseFileDescriptor(descriptor);
  return code;
}

llvm::Error bquant::linkShared(const Objects &objects, const Target &target,
                               llvm::StringRef sysroot, llvm::StringRef path,
                               AtomicFiles &files) {
  llvm::Expected<SystemLibraries> system = findSystemLibraries(target, sysroot);
  if (!system)
    return system.takeError();

  // Only the library itself is committed.
  AtomicFiles parts(files.getOnSignal());
  llvm::Expected<std::string> output = files.reserve(path);
  if (!output)
    return output.takeError();
  // lld makes a digit of each % in the name of a directory.
  std::string linked = *output;
  if (llvm::StringRef(linked).contains('%')) {
    llvm::SmallString<128> elsewhere;
    llvm::sys::path::system_temp_directory(/*erasedOnReboot=*/true, elsewhere);
    llvm::sys::path::append(elsewhere, "bquant-link.so");
    llvm::Expected<std::string> temporary = parts.reserve(elsewhere);
    if (!temporary)
      return temporary.takeError();
    linked = *temporary;
  }
  llvm::SmallVector<std::string> inputs;
  for (const std::unique_ptr<llvm::MemoryBuffer> &object : objects) {
    llvm::Expected<std::string> input = parts.reserve(path);
    if (!input)
      return input.takeError();
    if (llvm::Error error =
            writeFile(*input, path, [&](llvm::raw_pwrite_stream &os) {
              os << object->getBuffer();
            }))
      return error;
    inputs.push_back(std::move(*input));
  }
  // Beside the objects there are tables, and segments begin with pages.
  uint64_t bytes = 256 << 10;
  for (const std::unique_ptr<llvm::MemoryBuffer> &object : objects)
    bytes += object->getBufferSize();
  if (std::error_code code = checkSpace(linked, bytes))
    return cannotWrite(path, code);
  std::string name = llvm::sys::path::filename(path).str();
  llvm::SmallVector<llvm::StringRef> arguments{"-shared",
                                               "-o",
                                               linked,
                                               "-soname",
                                               name,
                                               "--gc-sections",
                                               "--build-id=sha1",
                                               "-z",
                                               "noexecstack",
                                               "-z",
                                               "relro",
                                               "-z",
                                               "now"};
  llvm::append_range(arguments, inputs);
  arguments.push_back("--as-needed");
  if (!system->libc.empty())
    arguments.append({system->libm, system->libc, "--no-undefined"});
  llvm::Error error = runLinker(target, arguments);
  if (error || linked == *output)
    return error;
  std::error_code code = llvm::sys::fs::copy_file(linked, *output);
  llvm::ErrorOr<llvm::sys::fs::perms> mode =
      llvm::sys::fs::getPermissions(linked);
  if (!code && mode)
    code = llvm::sys::fs::setPermissions(*output, *mode);
  return code ? cannotWrite(path, code) : llvm::Error::success();
}

llvm::SmallVector<std::string> bquant::getSignatures(mlir::ModuleOp module) {
  llvm::SmallVector<std::string> result;
  for (auto global : module.getOps<mlir::LLVM::GlobalOp>())
    if (global.getSymName().ends_with("_signature") &&
        global.getLinkage() == mlir::LLVM::Linkage::External)
      if (auto text =
              mlir::dyn_cast_or_null<mlir::StringAttr>(global.getValueOrNull()))
        result.push_back(text.getValue().rtrim('\0').str());
  return result;
}
