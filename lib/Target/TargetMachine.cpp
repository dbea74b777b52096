//===- TargetMachine.cpp - The machine that code is made for --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Target/TargetMachine.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <mutex>

using namespace bquant;

namespace {
/// What is known of the machines of a triple.
struct Platform {
  llvm::StringLiteral triple;
  /// The CPU without a name.
  llvm::StringLiteral baseline;
  /// What the runtime can ask for.
  llvm::ArrayRef<llvm::StringLiteral> checked;
  /// What is switched off.
  llvm::ArrayRef<llvm::StringLiteral> disabled;
  /// The machines that there is code for: they have all that is `required` and
  /// nothing that is `excluded`. For others LLVM ends the process.
  llvm::StringLiteral base;
  llvm::ArrayRef<llvm::StringLiteral> required;
  llvm::ArrayRef<llvm::StringLiteral> excluded;
  /// The CPUs that "portable" stands for; empty where it stands for none.
  llvm::StringLiteral portable;
};
} // namespace

static constexpr llvm::StringLiteral x86Checked[] = {
#define BQUANT_X86_FEATURE(name, word, bit, state) name,
#include "Runtime/CPUFeatures.def"
};
static constexpr llvm::StringLiteral aarch64Checked[] = {
#define BQUANT_AARCH64_FEATURE(name, word, bit, state) name,
#include "Runtime/CPUFeatures.def"
};

// What LLVM may make use of although the runtime cannot ask for it, so that
// code never runs into what was not checked.
static constexpr llvm::StringLiteral x86Disabled[] = {
    "avx10.1",   "avx10.2", "avxvnniint16", "ccmp", "cf", "cmpccxadd",
    "egpr",      "fma4",    "movrs",        "ndd",  "nf", "ppx",
    "push2pop2", "raoint",  "tbm",          "xop",  "zu"};
// The same; cryptography, which no network needs and boards lack whose CPU has
// it by LLVM's tables (Raspberry Pi 4); and vectors of unknown length: machines
// that have these take the code for NEON.
static constexpr llvm::StringLiteral aarch64Disabled[] = {
    "aes",    "cmpbr", "cpa", "f8f16mm", "faminmax", "fp8",
    "fprcvt", "hbc",   "lut", "lse128",  "lsfe",     "lsui",
    "mops",   "sha2",  "sm4", "sme",     "sve",      "rcpc3"};

// LLVM's names for x86 have the CPUs and modes of 32 bits, too.
static constexpr llvm::StringLiteral x86Required[] = {"64bit", "64bit-mode",
                                                      "sse2"};
static constexpr llvm::StringLiteral x86Excluded[] = {
    "16bit-mode", "32bit-mode", "soft-float"};
static constexpr llvm::StringLiteral aarch64Required[] = {"fp-armv8", "neon"};
// The registers that arguments are passed in.
static constexpr llvm::StringLiteral aarch64Excluded[] = {
    "reserve-x1", "reserve-x2", "reserve-x3", "reserve-x4",
    "reserve-x5", "reserve-x6", "reserve-x7"};

static constexpr Platform platforms[] = {
    {"x86_64-linux-gnu", "x86-64", x86Checked, x86Disabled, "x86-64 with SSE2",
     x86Required, x86Excluded, "x86-64-v2,haswell,icelake-server"},
    {"aarch64-linux-gnu", "generic", aarch64Checked, aarch64Disabled,
     "AArch64 with NEON", aarch64Required, aarch64Excluded, ""},
    {"aarch64-linux-android", "generic", aarch64Checked, aarch64Disabled,
     "AArch64 with NEON", aarch64Required, aarch64Excluded, ""}};

/// Whether code for one of them is code for the other, whatever the CPU. The
/// vendor does not matter, nor the version that Android's environment has.
static bool isSamePlatform(const llvm::Triple &a, const llvm::Triple &b) {
  return a.getArch() == b.getArch() && a.getSubArch() == b.getSubArch() &&
         a.getOS() == b.getOS() && a.getEnvironment() == b.getEnvironment() &&
         a.getObjectFormat() == b.getObjectFormat();
}

/// Null where there is none.
static const Platform *findPlatform(const llvm::Triple &triple) {
  for (const Platform &platform : platforms)
    if (isSamePlatform(llvm::Triple(llvm::Triple::normalize(platform.triple)),
                       triple))
      return &platform;
  return nullptr;
}

/// LLVM's target for the triple of a platform. Their names are there at once,
/// since a list of LLVM has them; the rest of one when it is asked for: what
/// registers the passes of both is code that few programs come to need.
static const llvm::Target &getTarget(const llvm::Triple &triple) {
  static std::once_flag names, x86, aarch64;
  std::call_once(names, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeAArch64TargetInfo();
  });
#define BQUANT_INITIALIZE(target)                                              \
  LLVMInitialize##target##Target();                                            \
  LLVMInitialize##target##TargetMC();                                          \
  LLVMInitialize##target##AsmPrinter();                                        \
  LLVMInitialize##target##AsmParser()
  if (triple.isX86())
    std::call_once(x86, [] { BQUANT_INITIALIZE(X86); });
  else
    std::call_once(aarch64, [] { BQUANT_INITIALIZE(AArch64); });
#undef BQUANT_INITIALIZE
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  assert(target && "expected the triple of a platform");
  return *target;
}

bool Target::isHost() const {
  return isSamePlatform(triple, llvm::Triple(llvm::sys::getProcessTriple()));
}

std::unique_ptr<llvm::TargetMachine> Target::createMachine() const {
  llvm::TargetOptions options;
  // Two roundings stay two roundings: fma only where the program says so.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  // Where the loader looks for constructors.
  options.UseInitArray = true;
  return std::unique_ptr<llvm::TargetMachine>(
      getTarget(triple).createTargetMachine(triple, cpu, features, options,
                                            llvm::Reloc::PIC_, std::nullopt,
                                            llvm::CodeGenOptLevel::Aggressive));
}

bool Target::has(llvm::StringRef feature) const {
  return std::binary_search(enabled.begin(), enabled.end(), feature);
}

llvm::ArrayRef<llvm::StringLiteral>
bquant::getCheckedFeatures(const llvm::Triple &triple) {
  const Platform *platform = findPlatform(triple);
  return platform ? platform->checked : llvm::ArrayRef<llvm::StringLiteral>();
}

std::string Target::getRequired() const {
  std::string required;
  for (const std::string &name : enabled)
    if (llvm::is_contained(getCheckedFeatures(triple), name))
      required += (required.empty() ? "+" : ",+") + name;
  return required;
}

std::string Target::getName() const {
  std::string name = triple.str() + " " + cpu;
  return features.empty() ? name : name + " " + features;
}

bool Target::isLike(const Target &other) const {
  return isSamePlatform(triple, other.triple);
}

bool Target::includes(const Target &other) const {
  return isLike(other) &&
         llvm::all_of(other.enabled, [&](const std::string &name) {
           return has(name) ||
                  !llvm::is_contained(getCheckedFeatures(triple), name);
         });
}

bool Target::runsHere() const {
  return isHost() && llvm::cantFail(resolveTarget({})).includes(*this);
}

//===----------------------------------------------------------------------===//
// What options leave open
//===----------------------------------------------------------------------===//

/// `SubtargetFeatures` writes names in lower case, by which LLVM does not find
/// the few that have capitals (CONTEXTIDREL2): they only come with others.
static bool canBeNamed(const llvm::SubtargetFeatureKV &feature) {
  return llvm::none_of(llvm::StringRef(feature.Key), llvm::isUpper);
}

static std::vector<std::string>
getEnabled(const llvm::Target &target, const llvm::Triple &triple,
           llvm::StringRef cpu, const llvm::SubtargetFeatures &features) {
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target.createMCSubtargetInfo(triple, cpu, features.getString()));
  std::vector<std::string> enabled;
  for (const llvm::SubtargetFeatureKV &feature :
       info->getEnabledProcessorFeatures())
    if (canBeNamed(feature))
      enabled.push_back(feature.Key);
  llvm::sort(enabled);
  return enabled;
}

/// The fewest features that make a CPU of that name the target: what is written
/// into the IR for people to read.
static std::string getDifference(const llvm::Target &target,
                                 const Target &wanted,
                                 const llvm::SubtargetFeatures &all) {
  std::vector<std::string> usual =
      getEnabled(target, wanted.triple, wanted.cpu, llvm::SubtargetFeatures());
  llvm::SubtargetFeatures features;
  auto add = [&](const std::vector<std::string> &of,
                 const std::vector<std::string> &without, bool enable) {
    for (const std::string &name : of)
      if (!std::binary_search(without.begin(), without.end(), name))
        features.AddFeature(name, enable);
  };
  add(usual, wanted.enabled, false);
  add(wanted.enabled, usual, true);
  // A feature brings those that it builds on, of which one may be forbidden.
  bool same =
      getEnabled(target, wanted.triple, wanted.cpu, features) == wanted.enabled;
  return same ? features.getString() : all.getString();
}

/// An error if the target has no CPU of that name, with the triple that has.
static llvm::Error checkCPU(const llvm::Target &target, const Target &wanted) {
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target.createMCSubtargetInfo(wanted.triple, "", ""));
  if (info->isCPUStringValid(wanted.cpu))
    return llvm::Error::success();
  std::string hint;
  for (const Platform &platform : platforms) {
    llvm::Triple triple(llvm::Triple::normalize(platform.triple));
    info.reset(getTarget(triple).createMCSubtargetInfo(triple, "", ""));
    if (info->isCPUStringValid(wanted.cpu)) {
      hint = (", which needs the target triple " + platform.triple).str();
      break;
    }
  }
  return llvm::createStringError("expected a CPU of target '" +
                                 wanted.triple.str() + "', but got '" +
                                 wanted.cpu + "'" + hint);
}

/// Adds features that somebody wrote; an error for one that is none.
static llvm::Error addGiven(const llvm::Target &target, const Target &wanted,
                            llvm::StringRef given,
                            llvm::SubtargetFeatures &features) {
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target.createMCSubtargetInfo(wanted.triple, "", ""));
  llvm::SmallVector<llvm::StringRef> list;
  given.split(list, ',', -1, false);
  for (llvm::StringRef feature : list) {
    if (!feature.starts_with("+") && !feature.starts_with("-"))
      return llvm::createStringError(
          "expected target features as in '+avx2,-avx512f', but got '" +
          feature + "'");
    if (llvm::none_of(info->getAllProcessorFeatures(),
                      [&](const llvm::SubtargetFeatureKV &known) {
                        return feature.drop_front() == known.Key &&
                               canBeNamed(known);
                      }))
      return llvm::createStringError("expected a feature of target '" +
                                     wanted.triple.str() + "', but got '" +
                                     feature + "'");
    features.AddFeature(feature);
  }
  return llvm::Error::success();
}

/// An error for a machine that there is no code for.
static llvm::Error checkBase(const Platform &platform, const Target &wanted,
                             llvm::StringRef given) {
  auto has = [&](llvm::StringRef feature) { return wanted.has(feature); };
  if (llvm::all_of(platform.required, has) &&
      llvm::none_of(platform.excluded, has))
    return llvm::Error::success();
  std::string features = given.empty() ? "" : (" with '" + given + "'").str();
  return llvm::createStringError("expected a CPU and features of " +
                                 platform.base + ", but got '" + wanted.cpu +
                                 "'" + features);
}

static constexpr llvm::StringLiteral kPortable = "portable";

static llvm::Triple getTriple(const bquant::TargetOptions &options) {
  return llvm::Triple(options.triple.empty()
                          ? llvm::sys::getProcessTriple()
                          : llvm::Triple::normalize(options.triple));
}

llvm::Expected<Target>
bquant::resolveTarget(const bquant::TargetOptions &options) {
  if (options.cpu == kPortable || llvm::StringRef(options.cpu).contains(','))
    return llvm::createStringError(
        "expected one CPU, since only libraries, objects and programs have a "
        "version for each of several, but got '" +
        options.cpu + "'");
  Target result;
  result.triple = getTriple(options);
  const Platform *platform = findPlatform(result.triple);
  if (!platform) {
    std::string known;
    for (const Platform &one : llvm::drop_end(platforms))
      known += (known.empty() ? "" : ", ") + one.triple.str();
    return llvm::createStringError("expected the target triple " + known +
                                   " or " +
                                   std::prev(std::end(platforms))->triple +
                                   ", but got '" + result.triple.str() + "'");
  }
  const llvm::Target &target = getTarget(result.triple);

  result.cpu = options.cpu;
  bool host = result.cpu == "native" || result.cpu == "host";
  if (result.cpu.empty())
    host = result.isHost();
  if (host && !result.isHost())
    return llvm::createStringError("expected a CPU name for target '" +
                                   result.triple.str() + "', but got '" +
                                   options.cpu + "'");
  llvm::SubtargetFeatures features;
  if (host) {
    result.cpu = llvm::sys::getHostCPUName().str();
    // The name says what the model has, the list what this machine has: a
    // virtual machine may hide some.
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
  } else if (result.cpu.empty()) {
    result.cpu = platform->baseline.str();
  }
  if (llvm::Error error = checkCPU(target, result))
    return std::move(error);
  if (llvm::Error error = addGiven(target, result, options.features, features))
    return std::move(error);
  for (llvm::StringRef feature : platform->disabled)
    features.AddFeature(feature, false);

  result.enabled = getEnabled(target, result.triple, result.cpu, features);
  if (llvm::Error error = checkBase(*platform, result, options.features))
    return std::move(error);
  result.features = getDifference(target, result, features);
  return result;
}

/// What "portable" stands for.
static llvm::Expected<llvm::StringRef>
getPortableCPUs(const llvm::Triple &triple) {
  if (const Platform *platform = findPlatform(triple);
      platform && !platform->portable.empty())
    return platform->portable;
  std::string known;
  for (const Platform &platform : platforms)
    if (!platform.portable.empty())
      known += (known.empty() ? "" : " or ") + platform.triple.str();
  return llvm::createStringError("expected the target triple " + known +
                                 " for CPU '" + kPortable + "', but got '" +
                                 triple.str() + "'");
}

llvm::Expected<llvm::SmallVector<Target>>
bquant::resolveTargets(const bquant::TargetOptions &options) {
  llvm::StringRef cpus = options.cpu;
  if (cpus == kPortable) {
    llvm::Expected<llvm::StringRef> portable =
        getPortableCPUs(getTriple(options));
    if (!portable)
      return portable.takeError();
    cpus = *portable;
  }
  llvm::SmallVector<Target> targets;
  for (llvm::StringRef cpu : llvm::split(cpus, ',')) {
    if (cpu.empty() && !cpus.empty())
      return llvm::createStringError(
          "expected CPUs with commas between them, but got '" + cpus + "'");
    if (cpu == kPortable)
      return llvm::createStringError(
          "expected '" + kPortable +
          "' alone, since it stands for a list of CPUs, but got '" + cpus +
          "'");
    llvm::Expected<Target> target =
        resolveTarget({options.triple, cpu.str(), options.features});
    if (!target)
      return target.takeError();
    for (const Target &other : targets) {
      if (other.cpu == target->cpu)
        return llvm::createStringError("expected different CPUs, but got '" +
                                       other.cpu + "' twice");
      if (other.includes(*target))
        return llvm::createStringError(
            "expected the CPUs that have less first, since the last one that "
            "runs is taken, but got '" +
            other.cpu + "' before '" + target->cpu + "'");
    }
    targets.push_back(std::move(*target));
  }
  return targets;
}
