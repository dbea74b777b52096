//===- TargetMachine.cpp - The machine that code is made for --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Target/TargetMachine.h"
#include "bquant/Runtime/Runtime.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include <mutex>

using namespace bquant;

/// What LLVM may make use of although the runtime library cannot ask for it;
/// switched off, so that code never runs into what was not checked.
static constexpr llvm::StringLiteral unchecked[] = {
    "avx10.1",   "avx10.2", "avxvnniint16", "ccmp", "cf", "cmpccxadd",
    "egpr",      "fma4",    "movrs",        "ndd",  "nf", "ppx",
    "push2pop2", "raoint",  "tbm",          "xop",  "zu"};

static void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
  });
}

bool Target::isHost() const {
  llvm::Triple host(llvm::sys::getProcessTriple());
  return triple.getArch() == host.getArch() && triple.getOS() == host.getOS() &&
         triple.getObjectFormat() == host.getObjectFormat();
}

std::unique_ptr<llvm::TargetMachine> Target::createMachine() const {
  initializeTargets();
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return nullptr;
  llvm::TargetOptions options;
  // Two roundings stay two roundings: fma only where the program says so.
  options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
  return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
      triple, cpu, features, options, llvm::Reloc::PIC_, std::nullopt,
      llvm::CodeGenOptLevel::Aggressive));
}

bool Target::has(llvm::StringRef feature) const {
  return std::binary_search(enabled.begin(), enabled.end(), feature);
}

std::string Target::getRequired() const {
  std::string required;
  for (const std::string &name : enabled)
    if (bquant_rt_knows(name.c_str()))
      required += (required.empty() ? "+" : ",+") + name;
  return required;
}

//===----------------------------------------------------------------------===//
// What options leave open
//===----------------------------------------------------------------------===//

static std::vector<std::string>
getEnabled(const llvm::Target &target, const llvm::Triple &triple,
           llvm::StringRef cpu, const llvm::SubtargetFeatures &features) {
  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target.createMCSubtargetInfo(triple, cpu, features.getString()));
  std::vector<std::string> enabled;
  for (const llvm::SubtargetFeatureKV &feature :
       info->getEnabledProcessorFeatures())
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
  for (const char *name : {"x86_64-linux-gnu", "aarch64-linux-gnu"}) {
    std::string error;
    llvm::Triple triple(llvm::Triple::normalize(name));
    const llvm::Target *other =
        llvm::TargetRegistry::lookupTarget(triple, error);
    if (!other)
      continue;
    info.reset(other->createMCSubtargetInfo(triple, "", ""));
    if (info->isCPUStringValid(wanted.cpu))
      hint = std::string(", which needs the target triple ") + name;
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
                        return feature.drop_front() == known.Key;
                      }))
      return llvm::createStringError("expected a feature of target '" +
                                     wanted.triple.str() + "', but got '" +
                                     feature + "'");
    features.AddFeature(feature);
  }
  return llvm::Error::success();
}

llvm::Expected<Target>
bquant::resolveTarget(const bquant::TargetOptions &options) {
  initializeTargets();
  Target result;
  result.triple = llvm::Triple(options.triple.empty()
                                   ? llvm::sys::getProcessTriple()
                                   : llvm::Triple::normalize(options.triple));
  std::string error;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(result.triple, error);
  if (!target)
    return llvm::createStringError(
        "expected a target triple that LLVM knows, but got '" + options.triple +
        "'");

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
    result.cpu = result.triple.isX86() ? "x86-64" : "generic";
  }
  if (llvm::Error error = checkCPU(*target, result))
    return std::move(error);
  if (llvm::Error error = addGiven(*target, result, options.features, features))
    return std::move(error);
  if (result.triple.isX86())
    for (llvm::StringRef feature : unchecked)
      features.AddFeature(feature, false);

  result.enabled = getEnabled(*target, result.triple, result.cpu, features);
  result.features = getDifference(*target, result, features);
  return result;
}
