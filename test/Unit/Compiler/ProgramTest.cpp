//===- ProgramTest.cpp - Libraries that are loaded and replaced -----------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Program.h"
#include "bquant/Compiler/Report.h"
#include "bquant/Compiler/Source.h"
#include "bquant/Emission/Emit.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"
#include "gtest/gtest.h"
#include <unistd.h>

using namespace bquant;

namespace {
class ProgramTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("bquant", directory));
    path = (directory + "/net.so").str();
    other = (directory + "/other.so").str();
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  /// A library with one function of that name, which multiplies by `factor`.
  static void compile(llvm::StringRef file, llvm::StringRef name,
                      double factor) {
    std::string text =
        llvm::formatv("func.func @{0}(%x: tensor<2xf32>) -> tensor<2xf32> {{\n"
                      "  %c = arith.constant dense<{1:e}> : tensor<2xf32>\n"
                      "  %y = arith.mulf %x, %c : tensor<2xf32>\n"
                      "  return %y : tensor<2xf32>\n"
                      "}\n",
                      name, factor);
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    mlir::MLIRContext context(registry);
    mlir::OwningOpRef<mlir::ModuleOp> module =
        parseModule(llvm::MemoryBuffer::getMemBufferCopy(text), {}, &context);
    ASSERT_TRUE(module);
    AtomicFiles files;
    llvm::cantFail(
        compileToFile(*module, file, EmitKind::Shared, {}, files, nullptr));
    llvm::cantFail(files.commit());
  }

  static std::unique_ptr<Program> load(llvm::StringRef file) {
    llvm::Expected<std::unique_ptr<Program>> program = Program::load(file);
    if (program)
      return std::move(*program);
    ADD_FAILURE() << llvm::toString(program.takeError());
    return nullptr;
  }

  /// What 1 becomes.
  static float call(const Program &program, llvm::StringRef name) {
    const float x[2] = {1, 1};
    float y[2] = {0, 0};
    const void *in[] = {x};
    void *out[] = {y};
    llvm::Expected<const FunctionInfo *> function = program.find(name);
    if (!function) {
      ADD_FAILURE() << llvm::toString(function.takeError());
      return 0;
    }
    EXPECT_EQ((*function)->arenaBytes(1), 0u);
    EXPECT_EQ((*function)->call(in, out, nullptr, 1, 0), 0);
    EXPECT_EQ(y[0], y[1]);
    return y[0];
  }

  static std::string read(llvm::StringRef file) {
    return (*llvm::MemoryBuffer::getFile(file))->getBuffer().str();
  }
  /// Over what is there: the file stays the same one.
  static void overwrite(llvm::StringRef file, llvm::StringRef bytes) {
    std::error_code code;
    llvm::raw_fd_ostream(file, code) << bytes;
    ASSERT_FALSE(code);
  }

  llvm::SmallString<128> directory;
  std::string path, other;
};

TEST_F(ProgramTest, ReplacedByRenaming) {
  compile(path, "f", 2);
  auto first = load(path);
  compile(path, "f", 3);
  auto second = load(path);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(call(*first, "f"), 2);
  EXPECT_EQ(call(*second, "f"), 3);
}

TEST_F(ProgramTest, OverwrittenInPlace) {
  compile(path, "f", 2);
  compile(other, "f", 3);
  auto first = load(path);
  overwrite(path, read(other));
  auto second = load(path);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(call(*first, "f"), 2);
  EXPECT_EQ(call(*second, "f"), 3);
  overwrite(path, "");
  EXPECT_EQ(call(*first, "f"), 2);
  EXPECT_EQ(call(*second, "f"), 3);
}

TEST_F(ProgramTest, ReplacedByOtherFunctions) {
  compile(path, "f", 2);
  compile(other, "g", 3);
  auto first = load(path);
  overwrite(path, read(other));
  auto second = load(path);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(call(*first, "f"), 2);
  EXPECT_EQ(call(*second, "g"), 3);
  EXPECT_EQ(second->getFunctions().size(), 1u);
}

TEST_F(ProgramTest, LoadedTwice) {
  compile(path, "f", 2);
  auto first = load(path), second = load(path);
  ASSERT_TRUE(first && second);
  first.reset();
  EXPECT_EQ(call(*second, "f"), 2);
}

/// The report that the library carries, or why there is none.
static std::string readReport(const Program &program) {
  auto report = program.readReport();
  return report ? report->toJSON() : llvm::toString(report.takeError());
}

TEST_F(ProgramTest, CarriesItsReport) {
  compile(path, "f", 2);
  auto program = load(path);
  ASSERT_TRUE(program);
  overwrite(path, "");
  std::string report = readReport(*program);
  EXPECT_NE(report.find("\"name\": \"arena\""), std::string::npos) << report;
  // So does what is saved of it.
  AtomicFiles files;
  llvm::cantFail(program->save(other, /*name=*/"", files));
  llvm::cantFail(files.commit());
  auto saved = load(other);
  ASSERT_TRUE(saved);
  EXPECT_EQ(readReport(*saved), report);
}

// Whatever the report is, the library can be called.
TEST_F(ProgramTest, ReportsThatAreNone) {
  compile(path, "f", 2);
  std::string bytes = read(path);
  // A change of the bytes behind `where` in the file.
  auto readChanged = [&](llvm::StringRef where, llvm::StringRef change) {
    std::string changed = bytes;
    size_t place = changed.find(where);
    EXPECT_NE(place, std::string::npos) << where.str();
    changed.replace(place, change.size(), change);
    overwrite(other, changed);
    auto program = load(other);
    if (!program)
      return std::string();
    EXPECT_EQ(call(*program, "f"), 2);
    std::string report = readReport(*program);
    EXPECT_EQ(report.find('\n'), std::string::npos);
    return report;
  };
  EXPECT_EQ(readChanged(reportSection, ".older"),
            "expected a library that carries its report, but got '" + other +
                "', which has none: compile it again");
  std::string none = "expected a report in '" + other + "', but got: ";
  EXPECT_EQ(readChanged("\"constant_bytes\"", llvm::StringRef("\0", 1)),
            none + "expected a text that ends in a zero at '.bquant.report', "
                   "but got none");
  EXPECT_EQ(readChanged("\"analysis\"", "\"analogue\""),
            none + "expected passed, missed, failure or analysis at "
                   "report.remarks[0].kind");
  EXPECT_NE(readChanged("\"constant_bytes\"", "oops").find(none),
            std::string::npos);
}

// As a program does that becomes a daemon.
TEST_F(ProgramTest, DescriptorsClosedByOthers) {
  compile(path, "f", 2);
  compile(other, "f", 3);
  int next = dup(STDERR_FILENO);
  close(next);
  auto first = load(path);
  ASSERT_EQ(close(next), 0) << "the descriptor of the first program";
  auto second = load(other);
  ASSERT_TRUE(first && second);
  EXPECT_EQ(call(*first, "f"), 2);
  EXPECT_EQ(call(*second, "f"), 3);
}

// Another machine's code cannot be called, but is no library either.
TEST_F(ProgramTest, ClockedCodeIsNotSaved) {
  bool isX86 = llvm::Triple(llvm::sys::getProcessTriple()).isX86();
  for (const char *triple :
       {"", isX86 ? "aarch64-linux-gnu" : "x86_64-linux-gnu"}) {
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    mlir::MLIRContext context(registry);
    mlir::OwningOpRef<mlir::ModuleOp> module =
        parseModule(llvm::MemoryBuffer::getMemBuffer(
                        "func.func @f(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
                        "  %y = math.absf %x : tensor<2xf32>\n"
                        "  return %y : tensor<2xf32>\n"
                        "}\n"),
                    {}, &context);
    ASSERT_TRUE(module);
    CompileOptions options;
    options.target.triple = triple;
    options.clockLayers = true;
    std::unique_ptr<Program> program =
        llvm::cantFail(Program::compile(*module, options));
    AtomicFiles files;
    EXPECT_EQ(llvm::toString(program->save(path, "", files)),
              "expected a program that does not clock its layers, since a "
              "library has no clock, but got one that does")
        << triple;
  }
}

TEST_F(ProgramTest, Truncated) {
  compile(path, "f", 2);
  std::string bytes = read(path);
  for (size_t size = 0; size < bytes.size(); size += 97) {
    overwrite(other, llvm::StringRef(bytes).take_front(size));
    llvm::Expected<std::unique_ptr<Program>> program = Program::load(other);
    ASSERT_FALSE(program) << size << " of " << bytes.size() << " bytes";
    EXPECT_TRUE(llvm::StringRef(llvm::toString(program.takeError()))
                    .starts_with("expected a library compiled by bquant, but "
                                 "got '" +
                                 other + "': "))
        << size << " of " << bytes.size() << " bytes";
  }
}
} // namespace
