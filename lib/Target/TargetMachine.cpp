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

  llvm::SubtargetFeatures features;
  result.cpu = options.cpu;
  bool host = result.cpu == "native" || result.cpu == "host";
  if (result.cpu.empty())
    host = result.isHost();
  if (host && !result.isHost())
    return llvm::createStringError("expected a CPU name for target '" +
                                   result.triple.str() + "', but got '" +
                                   options.cpu + "'");
  if (host) {
    result.cpu = llvm::sys::getHostCPUName().str();
    // The name says what the model has, the list what this machine has: a
    // virtual machine may hide some.
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
  } else if (result.cpu.empty()) {
    result.cpu = result.triple.isX86() ? "x86-64" : "generic";
  }

  llvm::SmallVector<llvm::StringRef> given;
  llvm::StringRef(options.features).split(given, ',', -1, false);
  for (llvm::StringRef feature : given) {
    if (!feature.starts_with("+") && !feature.starts_with("-"))
      return llvm::createStringError(
          "expected target features as in '+avx2,-avx512f', but got '" +
          feature + "'");
    features.AddFeature(feature);
  }
  if (result.triple.isX86())
    for (llvm::StringRef feature : unchecked)
      features.AddFeature(feature, false);

  std::unique_ptr<llvm::MCSubtargetInfo> info(
      target->createMCSubtargetInfo(result.triple, "", ""));
  if (!info->isCPUStringValid(result.cpu))
    return llvm::createStringError("expected a CPU of target '" +
                                   result.triple.str() + "', but got '" +
                                   result.cpu + "'");
  for (llvm::StringRef feature : given)
    if (llvm::none_of(info->getAllProcessorFeatures(),
                      [&](const llvm::SubtargetFeatureKV &known) {
                        return feature.drop_front() == known.Key;
                      }))
      return llvm::createStringError("expected a feature of target '" +
                                     result.triple.str() + "', but got '" +
                                     feature + "'");

  info.reset(target->createMCSubtargetInfo(result.triple, result.cpu,
                                           features.getString()));
  result.features = features.getString();
  for (const llvm::SubtargetFeatureKV &enabled :
       info->getEnabledProcessorFeatures()) {
    std::string name = enabled.Key;
    if (!bquant_rt_knows(name.c_str()))
      continue;
    if (!result.required.empty())
      result.required += ",";
    result.required += "+" + name;
  }
  return result;
}
