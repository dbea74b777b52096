//===- Emit.cpp - Compiled code to files ----------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Emission/Emit.h"
#include "Linker.h"
#include "Translate.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/CodeGen/MachineOptimizationRemarkEmitter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Signals.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <algorithm>

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
  llvm::SmallString<128> temporary;
  // Beside its place: renaming between file systems is no renaming.
  if (std::error_code code = llvm::sys::fs::createUniqueFile(
          *target + ".tmp-%%%%%%%%", descriptor, temporary,
          llvm::sys::fs::OF_None, 0666))
    return cannotWrite(path, code);
  llvm::raw_fd_ostream empty(descriptor, /*shouldClose=*/true);
  if (onSignal == OnSignal::Remove)
    llvm::sys::RemoveFileOnSignal(temporary);
  files.push_back({path.str(), *target, temporary.str().str()});
  return temporary.str().str();
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
  llvm::StringSet<> targets;
  for (const File &file : files)
    if (!targets.insert(file.target).second)
      return llvm::createStringError("expected different files, but got '" +
                                     file.path + "' twice");
  while (!files.empty()) {
    File file = files.front();
    if (std::error_code code =
            llvm::sys::fs::rename(file.temporary, file.target))
      return cannotWrite(file.path, code);
    llvm::sys::DontRemoveFileOnSignal(file.temporary);
    files.erase(files.begin());
  }
  llvm::outs() << standardOutput;
  llvm::outs().flush();
  standardOutput.clear();
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
/// Hears of each function that is written by the remark on its instructions:
/// passes of a target's machine code have no instrumentation.
class EmissionProgress : public llvm::DiagnosticHandler {
public:
  EmissionProgress(const llvm::Module &code, const Progress &progress)
      : progress(progress),
        functions(llvm::count_if(code, [](const llvm::Function &function) {
          return !function.isDeclaration();
        })) {
    progress("emit", 0, 0);
  }

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
      progress("emit", ++written, functions);
    return true;
  }

private:
  const Progress &progress;
  unsigned functions, written = 0;
};
} // namespace

static llvm::Error emit(llvm::ArrayRef<Version> versions, CodeKind kind,
                        const Progress &progress,
                        std::optional<llvm::StringRef> report,
                        llvm::raw_pwrite_stream &os) {
  // Functions say themselves what CPU they are for.
  const auto &[module, target] = versions.front();
  std::unique_ptr<llvm::TargetMachine> machine = target.createMachine();
  llvm::LLVMContext context;
  llvm::Expected<std::unique_ptr<llvm::Module>> code =
      versions.size() == 1
          ? translate(module, target, *machine, progress, context)
          : translateVersions(versions, progress, context);
  if (!code)
    return code.takeError();
  if (report)
    addReport(**code, *report);
  if (kind == CodeKind::LLVMIR) {
    (*code)->print(os, nullptr);
    return llvm::Error::success();
  }
  llvm::legacy::PassManager passes;
  if (machine->addPassesToEmitFile(passes, os, nullptr,
                                   kind == CodeKind::Object
                                       ? llvm::CodeGenFileType::ObjectFile
                                       : llvm::CodeGenFileType::AssemblyFile))
    return llvm::createStringError("expected a target that can emit files, but "
                                   "got '" +
                                   target.triple.str() + "'");
  if (progress)
    context.setDiagnosticHandler(
        std::make_unique<EmissionProgress>(**code, progress));
  passes.run(**code);
  return llvm::Error::success();
}

llvm::Error bquant::emitCode(llvm::ArrayRef<Version> versions, CodeKind kind,
                             const Progress &progress,
                             llvm::raw_pwrite_stream &os) {
  return emit(versions, kind, progress, /*report=*/std::nullopt, os);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
bquant::compileObject(llvm::ArrayRef<Version> versions,
                      const Progress &progress,
                      std::optional<llvm::StringRef> report) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  if (llvm::Error error =
          emit(versions, CodeKind::Object, progress, report, os))
    return std::move(error);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), "object", /*RequiresNullTerminator=*/false);
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

llvm::Error bquant::linkShared(llvm::MemoryBufferRef object,
                               const Target &target, llvm::StringRef sysroot,
                               llvm::StringRef path, AtomicFiles &files) {
  llvm::Expected<SystemLibraries> system = findSystemLibraries(target, sysroot);
  if (!system)
    return system.takeError();

  // Only the library itself is committed.
  AtomicFiles parts(files.getOnSignal());
  llvm::Expected<std::string> output = files.reserve(path);
  if (!output)
    return output.takeError();
  llvm::Expected<std::string> code = parts.reserve(path);
  if (!code)
    return code.takeError();
  if (llvm::Error error =
          writeFile(*code, path, [&](llvm::raw_pwrite_stream &os) {
            os << object.getBuffer();
          }))
    return error;
  std::string name = llvm::sys::path::filename(path).str();
  llvm::SmallVector<llvm::StringRef> arguments{"-shared",
                                               "-o",
                                               *output,
                                               "-soname",
                                               name,
                                               "--gc-sections",
                                               "--build-id=sha1",
                                               "-z",
                                               "noexecstack",
                                               "-z",
                                               "relro",
                                               "-z",
                                               "now",
                                               *code,
                                               "--as-needed"};
  if (!system->libc.empty())
    arguments.append({system->libm, system->libc, "--no-undefined"});
  return runLinker(target, arguments);
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
