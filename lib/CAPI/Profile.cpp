//===- Profile.cpp - The C API of profiles --------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/Profile.h"

#include "Program.h"
#include "Support.h"
#include "bquant/Compiler/Profile.h"

using namespace bquant;

struct BQuantProfile {
  Profile profile;
};

/// What the module of a program that was compiled here is known by.
static std::string digestOf(const Program &program) {
  // Our own text: it parses. A program has functions, all of one module.
  llvm::json::Value signatures =
      llvm::cantFail(llvm::json::parse(program.getSignature()));
  const llvm::json::Object &first =
      *signatures.getAsArray()->front().getAsObject();
  return first.getString("digest").value_or("").str();
}

BQuantProfile *bquantProfileCreate(const BQuantProgram *plain,
                                   const BQuantProgram *clocked,
                                   const char *name, const void *const *inputs,
                                   void *const *outputs, void *arena,
                                   int32_t threads, int64_t batch,
                                   int32_t calls, char **error) {
  if (!plain->isCompiledHere) {
    fail(error, "expected a program compiled here, but got a library");
    return nullptr;
  }
  if (digestOf(*plain->program) != digestOf(*clocked->program)) {
    fail(error, "expected programs of one module, but got those of two");
    return nullptr;
  }
  llvm::Expected<Reports> reports = plain->program->readReport();
  if (!reports) {
    fail(error, llvm::toString(reports.takeError()));
    return nullptr;
  }
  llvm::Expected<Profile> profile = Profile::measure(
      *plain->program, *clocked->program, name ? name : "",
      *reports->get().front(), batch, calls, [&](const FunctionInfo &function) {
        return function.call(inputs, outputs, arena, threads, batch);
      });
  if (profile)
    return new BQuantProfile{std::move(*profile)};
  fail(error, llvm::toString(profile.takeError()));
  return nullptr;
}

void bquantProfileDestroy(BQuantProfile *profile) { delete profile; }

char *bquantProfilePrint(const BQuantProfile *profile, const char *format,
                         char **error) {
  llvm::StringRef name = format ? format : "";
  if (name == "text")
    return copyString(profile->profile.toText());
  if (name == "json")
    return copyString(profile->profile.toJSON());
  if (name == "html")
    return copyString(profile->profile.toHTML());
  fail(error,
       "expected format text, json or html, but got '" + name.str() + "'");
  return nullptr;
}
