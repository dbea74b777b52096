//===- LinkerTest.cpp - Linking, and failing to ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emission/Linker.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Emission/Emit.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <csignal>
#include <thread>

using namespace bquant;

namespace {
class LinkerTest : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("linker", directory));
    target = llvm::cantFail(resolveTarget({}));
    mlir::DialectRegistry registry;
    registerCompilerDialects(registry);
    mlir::MLIRContext context(registry);
    auto module = mlir::parseSourceString<mlir::ModuleOp>(
        "llvm.func @f() { llvm.return }", &context);
    objects = llvm::cantFail(compileObjects(Version{*module, target}));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  std::string pathOf(llvm::StringRef name) {
    llvm::SmallString<128> path(directory);
    llvm::sys::path::append(path, name);
    return path.str().str();
  }

  llvm::Error link(llvm::StringRef name) {
    AtomicFiles files;
    if (llvm::Error error =
            linkShared(objects, target, /*sysroot=*/"", pathOf(name), files))
      return error;
    return files.commit();
  }

  std::string read(llvm::StringRef name) {
    return (*llvm::MemoryBuffer::getFile(pathOf(name)))->getBuffer().str();
  }

  std::string explain(llvm::ArrayRef<llvm::StringRef> arguments) {
    return llvm::toString(runLinker(target, arguments));
  }

  llvm::SmallString<128> directory;
  Target target;
  Objects objects;
};

/// Whether it is one line that names the linker.
void expectFailure(llvm::StringRef message) {
  EXPECT_TRUE(message.starts_with("linker '")) << message.str();
  EXPECT_TRUE(message.contains("' failed: ")) << message.str();
  EXPECT_FALSE(message.contains('\n')) << message.str();
}

TEST_F(LinkerTest, LinksAfterFailures) {
  std::string out = pathOf("out.so"), text = pathOf("text.o");
  std::error_code code;
  llvm::raw_fd_ostream(text, code) << "not an object";
  for (int i = 0; i < 2; ++i) {
    expectFailure(explain({"--no-such-option"}));
    expectFailure(explain({"-shared", "-o", out}));
    expectFailure(explain({"-shared", "-o", out, text}));
    expectFailure(explain({"-shared", "-o", out, pathOf("nowhere.o")}));
    EXPECT_EQ(llvm::toString(link("net.so")), "");
  }
}

/// In a process of its own, which may be unable to link after it; but it goes
/// on.
TEST_F(LinkerTest, OutlivesAFatalFailure) {
  std::string cut = pathOf("cut.o");
  std::error_code code;
  llvm::raw_fd_ostream(cut, code)
      << objects.front()->getBuffer().take_front(80);
  auto linkTwice = [&] {
    std::string message = explain({"-shared", "-o", pathOf("out.so"), cut}),
                next = llvm::toString(link("net.so"));
    expectFailure(message);
    bool refused = next == "expected an lld that can link again, but a failure "
                           "before was fatal to it: link in another process";
    EXPECT_TRUE(next.empty() || refused) << next;
    std::_Exit(HasFailure()); // What was fatal has lost memory.
  };
  EXPECT_EXIT(linkTwice(), testing::ExitedWithCode(0), "");
}

TEST_F(LinkerTest, LinksInSeveralThreads) {
  EXPECT_EQ(llvm::toString(link("net.so")), "");
  std::string expected = read("net.so"), names[] = {"a", "b", "c", "d"};
  std::vector<std::thread> threads;
  for (std::string &name : names)
    threads.emplace_back([&] {
      // The name of the file is in it.
      llvm::sys::fs::create_directory(pathOf(name));
      for (int i = 0; i < 5; ++i)
        EXPECT_EQ(llvm::toString(link(name + "/net.so")), "");
    });
  for (std::thread &thread : threads)
    thread.join();
  for (std::string &name : names)
    EXPECT_EQ(read(name + "/net.so"), expected);
}

/// A library in somebody else's process: its signals are not ours.
TEST_F(LinkerTest, LeavesSignalsAlone) {
  auto handle = [](int) {};
  std::signal(SIGTERM, handle);
  std::signal(SIGSEGV, handle);
  EXPECT_EQ(llvm::toString(link("net.so")), "");
  EXPECT_NE(explain({"--no-such-option"}), "");
  EXPECT_EQ(std::signal(SIGTERM, SIG_DFL), static_cast<void (*)(int)>(handle));
  EXPECT_EQ(std::signal(SIGSEGV, SIG_DFL), static_cast<void (*)(int)>(handle));
}

/// So are its options, of a compiler that has read its command line.
TEST_F(LinkerTest, LeavesOptionsAlone) {
  namespace cl = llvm::cl;
  cl::opt<int> number("linker-test-number", cl::init(1));
  cl::opt<std::string> file(cl::Positional, cl::init("default"));
  cl::list<std::string> rest(cl::Sink);
  number.addOccurrence(1, "linker-test-number", "7");
  file.addOccurrence(2, "", "net.mlir");
  rest.addOccurrence(3, "", "--other");
  EXPECT_EQ(llvm::toString(link("net.so")), "");
  EXPECT_NE(explain({"--no-such-option"}), "");
  EXPECT_EQ(number, 7);
  EXPECT_EQ(number.getNumOccurrences(), 1);
  EXPECT_EQ(file.getValue(), "net.mlir");
  EXPECT_EQ(rest.size(), 1u);
  EXPECT_EQ(cl::getRegisteredOptions().lookup("linker-test-number"), &number);
  number.removeArgument();
  file.removeArgument();
  rest.removeArgument();
  EXPECT_FALSE(cl::getRegisteredOptions().contains("linker-test-number"));
}

TEST_F(LinkerTest, LeavesTheStackForSignalsAlone) {
  std::thread([&] {
    stack_t before, after;
    sigaltstack(nullptr, &before);
    EXPECT_EQ(llvm::toString(link("net.so")), "");
    sigaltstack(nullptr, &after);
    EXPECT_EQ(after.ss_sp, before.ss_sp);
    EXPECT_EQ(after.ss_flags, before.ss_flags);
  }).join();
}
} // namespace
