//===- Header.cpp - The C header of compiled functions --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Emission/Emit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA1.h"

/// The C type that holds one element.
static llvm::StringRef toCType(llvm::StringRef dtype) {
  return llvm::StringSwitch<llvm::StringRef>(dtype)
      .Case("float32", "float")
      .Case("float64", "double")
      .Cases({"float16", "bfloat16"}, "uint16_t")
      .Case("bool", "uint8_t")
      .Case("int8", "int8_t")
      .Case("int16", "int16_t")
      .Case("int32", "int32_t")
      .Case("int64", "int64_t")
      .Case("uint8", "uint8_t")
      .Case("uint16", "uint16_t")
      .Case("uint32", "uint32_t")
      .Default("uint64_t");
}

/// A name as a comment has it: on one line, and neither its end nor another's
/// beginning.
static std::string quote(llvm::StringRef name) {
  std::string result;
  for (char c : name) {
    char last = result.empty() ? ' ' : result.back();
    bool isControl = static_cast<unsigned char>(c) < ' ' || c == '\x7f';
    bool isMark = (c == '/' && last == '*') || (c == '*' && last == '/');
    result += isControl || isMark ? '?' : c;
  }
  return result;
}

/// One line an array: `inputs[0]  x: float[1][8][8][3]`.
static void describe(llvm::raw_ostream &os, const llvm::json::Object &function,
                     llvm::StringRef key) {
  for (auto [index, value] : llvm::enumerate(*function.getArray(key))) {
    const llvm::json::Object &array = *value.getAsObject();
    os << " *   " << key << "[" << index << "]  "
       << quote(*array.getString("name")) << ": "
       << toCType(*array.getString("dtype"));
    for (const llvm::json::Value &size : *array.getArray("shape")) {
      if (std::optional<int64_t> known = size.getAsInteger())
        os << "[" << *known << "]";
      else
        os << "[batch]";
    }
    llvm::StringRef dtype = *array.getString("dtype");
    if (dtype.contains("float16"))
      os << " (" << dtype << ")";
    if (const llvm::json::Value *initial = array.get("initial")) {
      os << " (state, at first ";
      if (initial->getAsArray())
        os << "as NAME_signature lists it)";
      else
        os << *initial << ")";
    }
    if (std::optional<int64_t> updated = array.getInteger("updates"))
      os << " (the next inputs[" << *updated << "])";
    os << "\n";
  }
}

/// Whether the caller says how many samples the arrays hold.
static bool hasBatch(const llvm::json::Object &function) {
  for (llvm::StringRef key : {"inputs", "outputs"})
    for (const llvm::json::Value &array : *function.getArray(key))
      for (const llvm::json::Value &size :
           *array.getAsObject()->getArray("shape"))
        if (size.getAsNull())
          return true;
  return false;
}

/// Of a function that uses threads.
static void describePool(llvm::raw_ostream &os, llvm::StringRef name,
                         int64_t threads) {
  os << "/* A call uses at most " << threads
     << " threads, of LLVM's OpenMP runtime (libomp.so.5), or of the\n"
        " * program's own pool: parallel(pool, n, body, context) calls "
        "body(context, t) once\n"
        " * for each t from 0 to n - 1, on whatever threads, and returns after "
        "all of them.\n"
        " * NULL: the OpenMP runtime again. Not during a call. */\n"
     << "void " << name
     << "_set_parallel(\n"
        "    void (*parallel)(void *pool, int32_t n,\n"
        "                     void (*body)(void *context, int32_t t), void "
        "*context),\n"
        "    void *pool);\n";
}

/// Of code that has a version for each of several CPUs.
static void describeVersions(llvm::raw_ostream &os, llvm::StringRef name,
                             const llvm::json::Array &versions) {
  os << "/* The CPU whose version runs: the last of";
  for (auto [i, cpu] : llvm::enumerate(versions))
    os << (i ? ", " : " ") << quote(*cpu.getAsString());
  os << "\n"
        " * that this machine supports, chosen when the code is loaded. NULL: "
        "none. */\n"
     << "const char *" << name << "_version(void);\n";
}

/// A number that identifies a network. It is short enough for the preprocessor
/// to compare without a suffix. Libraries of older versions have no digest.
static std::string getIdentity(const llvm::json::Object &function,
                               llvm::StringRef signature) {
  llvm::StringRef digest = function.getString("digest").value_or(signature);
  auto hash = llvm::SHA1::hash(llvm::arrayRefFromStringRef(digest));
  return "0x" + llvm::toHex(hash, /*LowerCase=*/true).substr(0, 15);
}

std::string bquant::emitHeader(llvm::ArrayRef<std::string> signatures) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* Written by bquant: the functions of a compiled network.\n"
        " *\n"
        " * Arrays are dense and row-major and do not overlap; the arena is\n"
        " * aligned to 64 bytes. `threads` is the most that a call may use, "
        "at\n"
        " * least 1 (NAME_arena_bytes takes less for 1). Returns 0: ok, 1: "
        "bad\n"
        " * argument, 2: the CPU lacks a feature that the code was compiled "
        "for,\n"
        " * 3: there is no OpenMP runtime for more than one thread.\n"
        " */\n\n"
        "#include <stddef.h>\n#include <stdint.h>\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n";
  for (const std::string &signature : signatures) {
    // Our own text: it parses.
    llvm::json::Value parsed = llvm::cantFail(llvm::json::parse(signature));
    const llvm::json::Object &function = *parsed.getAsObject();
    llvm::StringRef name = *function.getString("symbol");
    // Linkers of libraries take one of two functions without a word.
    std::string guard = ("BQUANT_NETWORK_" + name).str();
    std::string identity = getIdentity(function, signature);
    os << "\n#ifndef " << guard << "\n#define " << guard << " " << identity
       << "\n/* Function '" << quote(*function.getString("name")) << "'\n";
    describe(os, function, "inputs");
    describe(os, function, "outputs");
    os << " */\n"
       << "int32_t " << name
       << "(const void *const *inputs, void *const *outputs, void *arena,\n"
       << std::string(name.size() + 9, ' ') << "int32_t threads"
       << (hasBatch(function) ? ", int64_t batch);\n" : ");\n") << "size_t "
       << name << "_arena_bytes(int32_t threads);\n"
       << "/* 1 if this CPU has what the code was compiled for, else 0. */\n"
       << "int32_t " << name << "_supported(void);\n"
       << "/* Names, shapes and types as JSON. */\n"
       << "extern const char " << name << "_signature[];\n";
    if (const llvm::json::Array *versions = function.getArray("versions"))
      describeVersions(os, name, *versions);
    // Libraries of older versions do not say it, and use one.
    if (int64_t threads = function.getInteger("max_threads").value_or(1);
        threads > 1)
      describePool(os, name, threads);
    os << "#elif " << guard << " != " << identity
       << "\n#error \"expected networks of different names, but got two of "
          "the name '"
       << name << "'\"\n#endif\n";
  }
  os << "\n#ifdef __cplusplus\n}\n#endif\n";
  return text;
}
