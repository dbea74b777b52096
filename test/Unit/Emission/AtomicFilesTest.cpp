//===- AtomicFilesTest.cpp - Whole files or none --------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Emission/Emit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <unistd.h>

using namespace bquant;

namespace {
class AtomicFilesTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("bquant", directory));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(directory); }

  std::string in(const char *name) { return (directory + "/" + name).str(); }

  std::vector<std::string> list() {
    std::vector<std::string> names;
    std::error_code code;
    for (llvm::sys::fs::directory_iterator it(directory, code), end;
         it != end && !code; it.increment(code))
      names.push_back(llvm::sys::path::filename(it->path()).str());
    return names;
  }

  llvm::Error write(AtomicFiles &files, const char *name) {
    return files.add(in(name),
                     [](llvm::raw_pwrite_stream &os) { os << "text"; });
  }

  llvm::SmallString<128> directory;
};

TEST_F(AtomicFilesTest, Commits) {
  AtomicFiles files;
  ASSERT_FALSE(write(files, "x"));
  EXPECT_EQ(list().size(), 1u);
  EXPECT_NE(list().front(), "x");
  ASSERT_FALSE(files.commit());
  EXPECT_EQ(list(), std::vector<std::string>{"x"});
}

TEST_F(AtomicFilesTest, RemovesWhatIsNotCommitted) {
  {
    AtomicFiles files;
    ASSERT_FALSE(write(files, "x"));
  }
  EXPECT_TRUE(list().empty());
}

TEST_F(AtomicFilesTest, OneFileIsNotTwo) {
  for (const char *spelling : {"x", "./x"}) {
    {
      AtomicFiles files;
      ASSERT_FALSE(write(files, "x"));
      ASSERT_FALSE(write(files, spelling));
      EXPECT_EQ(toString(files.commit()),
                "expected different files, but got '" + in(spelling) +
                    "' twice");
    }
    EXPECT_TRUE(list().empty());
  }
}

// What cannot be printed leaves no file, and no stream that ends the process.
TEST_F(AtomicFilesTest, SaysThatStandardOutputIsFull) {
  auto print = [&] {
    dup2(open("/dev/full", O_WRONLY | O_CLOEXEC), STDOUT_FILENO);
    std::string message;
    {
      AtomicFiles files;
      if (!write(files, "x") &&
          !files.add("-", [](llvm::raw_pwrite_stream &os) { os << "text"; }))
        message = toString(files.commit());
    }
    EXPECT_EQ(message, "cannot write '-': No space left on device");
    EXPECT_FALSE(llvm::outs().has_error());
    EXPECT_TRUE(list().empty());
    std::_Exit(HasFailure());
  };
  EXPECT_EXIT(print(), testing::ExitedWithCode(0), "");
}

TEST_F(AtomicFilesTest, KeepsWhatIsRead) {
  {
    AtomicFiles files;
    ASSERT_FALSE(write(files, "x"));
    ASSERT_FALSE(files.commit());
  }
  AtomicFiles files;
  files.keep(in("x"));
  EXPECT_EQ(toString(write(files, "x")),
            "expected another file than '" + in("x") +
                "', which is read, but got '" + in("x") + "'");
}

// A link stays one, as /dev/stdout has to.
TEST_F(AtomicFilesTest, FollowsLinks) {
  {
    AtomicFiles files;
    ASSERT_FALSE(write(files, "x"));
    ASSERT_FALSE(files.commit());
  }
  ASSERT_FALSE(llvm::sys::fs::create_link(in("x"), in("link")));
  uint64_t before, after;
  ASSERT_FALSE(llvm::sys::fs::file_size(in("x"), before));
  AtomicFiles files;
  ASSERT_FALSE(files.add(
      in("link"), [](llvm::raw_pwrite_stream &os) { os << "a longer text"; }));
  ASSERT_FALSE(files.commit());
  EXPECT_TRUE(llvm::sys::fs::is_symlink_file(in("link")));
  ASSERT_FALSE(llvm::sys::fs::file_size(in("x"), after));
  EXPECT_GT(after, before);
}

TEST_F(AtomicFilesTest, RemovesOnSignals) {
  for (int signal : {SIGINT, SIGTERM}) {
    EXPECT_EXIT(
        {
          // Whoever runs the tests may have it ignored.
          std::signal(signal, SIG_DFL);
          AtomicFiles files(AtomicFiles::OnSignal::Remove);
          if (!write(files, "x") && list().size() == 1)
            raise(signal);
        },
        testing::KilledBySignal(signal), "");
    EXPECT_TRUE(list().empty());
  }
}

// What one of them does says nothing of the next.
TEST_F(AtomicFilesTest, LeavesOnSignals) {
  EXPECT_EXIT(
      {
        std::signal(SIGTERM, SIG_DFL);
        AtomicFiles removed(AtomicFiles::OnSignal::Remove);
        AtomicFiles left;
        if (!write(removed, "x") && !write(left, "y") && list().size() == 2)
          raise(SIGTERM);
      },
      testing::KilledBySignal(SIGTERM), "");
  ASSERT_EQ(list().size(), 1u);
  EXPECT_EQ(list().front().front(), 'y');
}
} // namespace
