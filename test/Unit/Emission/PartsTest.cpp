//===- PartsTest.cpp - Programs that are compiled in parts ----------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Compiler.h"
#include "bquant/Emission/Emit.h"
#include "bquant/Emission/JIT.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "gtest/gtest.h"
#include <map>

using namespace bquant;
using Threading = mlir::MLIRContext::Threading;
using ELFFile = llvm::object::ELF64LEObjectFile;

namespace {
/// Layers of many instructions, whose order LLVM chooses by how it meets what
/// uses a value.
constexpr llvm::StringLiteral network = R"(
func.func @net(%x: tensor<1x6x6x32xf32>) -> tensor<1x6x6x128xf32> {
  %s = arith.constant dense<0.5> : tensor<1xf32>
  %w = arith.constant dense<1.0> : tensor<128x3x3x32xf32>
  %v = arith.constant dense<1.0> : tensor<128x3x3x128xf32>
  %xq = bquant.quantize %x scalars(%s : tensor<1xf32>)
      : tensor<1x6x6x32xf32> -> !bquant.tensor<1x6x6x32, 1>
  %wq = bquant.quantize %w scheme(<ls, 1>)
      : tensor<128x3x3x32xf32> -> !bquant.tensor<128x3x3x32, 1, axes = [0]>
  %y = bquant.conv_2d %xq, %wq pads = [1, 1, 1, 1]
      : (!bquant.tensor<1x6x6x32, 1>,
         !bquant.tensor<128x3x3x32, 1, axes = [0]>) -> tensor<1x6x6x128xf32>
  %yq = bquant.quantize %y scheme(<ls, 2>)
      : tensor<1x6x6x128xf32> -> !bquant.tensor<1x6x6x128, 2, axes = [0]>
  %vq = bquant.quantize %v scheme(<ls, 1>)
      : tensor<128x3x3x128xf32> -> !bquant.tensor<128x3x3x128, 1, axes = [0]>
  %z = bquant.conv_2d %yq, %vq pads = [1, 1, 1, 1]
      : (!bquant.tensor<1x6x6x128, 2, axes = [0]>,
         !bquant.tensor<128x3x3x128, 1, axes = [0]>) -> tensor<1x6x6x128xf32>
  return %z : tensor<1x6x6x128xf32>
})";

template <typename Use>
void compile(llvm::StringRef text, Threading threading, const Target &target,
             Use use) {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry, threading);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  ASSERT_TRUE(module);
  if (text == network)
    llvm::cantFail(lower(*module, CompileOptions(), target, nullptr));
  use(Version{*module, target});
}

Objects compileParts(llvm::StringRef text, const Target &target,
                     Threading threading = Threading::ENABLED,
                     const Progress &progress = nullptr) {
  Objects result;
  compile(text, threading, target, [&](const Version &version) {
    result = llvm::cantFail(compileObjects(version, progress));
  });
  return result;
}

Objects compileWhole(llvm::StringRef text, const Target &target) {
  llvm::SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream os(bytes);
  compile(text, Threading::ENABLED, target, [&](const Version &version) {
    llvm::cantFail(emitCode(version, CodeKind::Object, nullptr, os));
  });
  Objects result;
  result.push_back(
      std::make_unique<llvm::SmallVectorMemoryBuffer>(std::move(bytes)));
  return result;
}

/// Whatever this machine is.
Target getTarget() {
  return llvm::cantFail(resolveTarget({"x86_64-linux-gnu", "znver4", ""}));
}

template <typename Visit>
void visitSymbols(const Objects &objects, Visit visit) {
  for (const std::unique_ptr<llvm::MemoryBuffer> &object : objects) {
    ELFFile file = llvm::cantFail(ELFFile::create(*object));
    for (const llvm::object::ELFSymbolRef &symbol : file.symbols())
      visit(llvm::cantFail(symbol.getName()),
            *llvm::cantFail(file.getSymbol(symbol.getRawDataRefImpl())),
            file.getELFFile());
  }
}

/// The instructions of layers, which call no function of the program.
std::map<std::string, std::string> getLayers(const Objects &objects) {
  std::map<std::string, std::string> result;
  visitSymbols(
      objects, [&](llvm::StringRef name, const auto &symbol, const auto &file) {
        if (!name.ends_with("_layer") || !symbol.isDefined())
          return;
        auto section = llvm::cantFail(file.getSection(symbol.st_shndx));
        result[name.str()] =
            llvm::toStringRef(llvm::cantFail(file.getSectionContents(*section)))
                .substr(symbol.st_value, symbol.st_size)
                .str();
      });
  return result;
}
} // namespace

TEST(PartsTest, HaveTheirCode) {
  Objects parts = compileParts(network, getTarget());
  EXPECT_GT(parts.size(), 2u);
  auto layers = getLayers(parts);
  EXPECT_GT(layers.size(), 2u);
  EXPECT_TRUE(layers == getLayers(compileWhole(network, getTarget())));
}

TEST(PartsTest, HaveTheirBytesForAnyThreads) {
  Objects several = compileParts(network, getTarget()),
          one = compileParts(network, getTarget(), Threading::DISABLED);
  ASSERT_EQ(several.size(), one.size());
  for (auto [a, b] : llvm::zip_equal(several, one))
    EXPECT_TRUE(a->getBuffer() == b->getBuffer());
}

TEST(PartsTest, CountFunctionsTogether) {
  std::vector<std::pair<unsigned, unsigned>> told;
  compileParts(network, getTarget(), Threading::ENABLED,
               [&](llvm::StringRef stage, unsigned done, unsigned all) {
                 if (stage == "emit")
                   told.emplace_back(done, all);
               });
  unsigned all = told.size() - 1;
  for (auto [i, pair] : llvm::enumerate(told))
    EXPECT_EQ(pair, std::pair(unsigned(i), i == 0 ? 0 : all));
}

namespace {
constexpr unsigned functions = 4;

/// Functions that read an array and call the C library, which has a function of
/// the array's name, and look whether there is another; and one that calls them
/// all.
std::string writeProgram() {
  std::string text = R"(
    llvm.mlir.global private constant @expf(dense<[3, 5, 7, 9]> :
        tensor<4xi64>) : !llvm.array<4 x i64>
    llvm.func extern_weak @optional()
    llvm.func @f(%x0: i64) -> i64 {)";
  llvm::raw_string_ostream os(text);
  for (unsigned i = 0; i < functions; ++i)
    os << "%x" << i + 1 << " = llvm.call @inner_" << i << "(%x" << i
       << ") : (i64) -> i64\n";
  os << "llvm.return %x" << functions << " : i64 }\n";
  for (unsigned i = 0; i < functions; ++i) {
    os << "llvm.func internal @inner_" << i << R"((%x: i64) -> i64
          attributes {passthrough = ["noinline"]} {
        %three = llvm.mlir.constant(3 : i64) : i64
        %array = llvm.mlir.addressof @expf : !llvm.ptr
        %float = llvm.sitofp %x : i64 to f32
        %exp = llvm.intr.exp(%float) : (f32) -> f32
        %bits = llvm.bitcast %exp : f32 to i32
        %wide = llvm.zext %bits : i32 to i64
        %optional = llvm.mlir.addressof @optional : !llvm.ptr
        %address = llvm.ptrtoint %optional : !llvm.ptr to i64
        %y0 = llvm.or %wide, %address : i64)";
    for (unsigned j = 0; j < 200; ++j)
      os << "%i" << j << " = llvm.and %y" << j << ", %three : i64\n%p" << j
         << " = llvm.getelementptr %array[0, %i" << j
         << "] : (!llvm.ptr, i64) -> !llvm.ptr, !llvm.array<4 x i64>\n%v" << j
         << " = llvm.load %p" << j << " : !llvm.ptr -> i64\n%w" << j
         << " = llvm.mul %y" << j << ", %v" << j << " : i64\n%y" << j + 1
         << " = llvm.xor %w" << j << ", %x : i64\n";
    os << "llvm.return %y200 : i64 }\n";
  }
  return text;
}

int64_t call(const Objects &objects, const Target &target, int64_t x) {
  std::unique_ptr<JIT> jit = llvm::cantFail(JIT::create(objects, target));
  void *f = llvm::cantFail(jit->lookup("f"));
  return reinterpret_cast<int64_t (*)(int64_t)>(f)(x);
}
} // namespace

TEST(PartsTest, RunTogether) {
  Target target = llvm::cantFail(resolveTarget({}));
  Objects parts = compileParts(writeProgram(), target),
          whole = compileWhole(writeProgram(), target);
  EXPECT_GT(parts.size(), 2u);
  for (int64_t x : {0, 1, -7})
    EXPECT_EQ(call(parts, target, x), call(whole, target, x));
}

TEST(PartsTest, HideWhatTheyShare) {
  visitSymbols(
      compileParts(writeProgram(), getTarget()),
      [](llvm::StringRef name, const auto &symbol, const auto &) {
        if (symbol.getBinding() == llvm::ELF::STB_LOCAL || !symbol.isDefined())
          return;
        EXPECT_EQ(symbol.getVisibility() == llvm::ELF::STV_HIDDEN, name != "f")
            << name.str();
        EXPECT_NE(name, "expf");
      });
}

TEST(PartsTest, AskForNoMore) {
  unsigned found = 0;
  visitSymbols(compileParts(writeProgram(), getTarget()),
               [&](llvm::StringRef name, const auto &symbol, const auto &) {
                 if (name != "optional")
                   return;
                 ++found;
                 EXPECT_EQ(symbol.getBinding(), llvm::ELF::STB_WEAK);
               });
  EXPECT_GT(found, 2u);
}
