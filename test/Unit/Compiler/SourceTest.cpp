//===- SourceTest.cpp - Modules from memory -------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Source.h"
#include "bquant/Compiler/Compiler.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Alignment.h"
#include "gtest/gtest.h"

using namespace bquant;

namespace {

// Wherever it lies: MLIR's reader wants the alignment of its resources.
TEST(SourceTest, BytecodeAtAnyAddress) {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry);
  Diagnostics diagnostics(&context);
  // The alignment comes first: 64.
  mlir::OwningOpRef<mlir::ModuleOp> module = parseModule(
      llvm::MemoryBuffer::getMemBufferCopy(
          "func.func @f() -> tensor<2xf32> {\n"
          "  %w = arith.constant dense_resource<w> : tensor<2xf32>\n"
          "  return %w : tensor<2xf32>\n"
          "}\n"
          "{-# dialect_resources: { builtin: {\n"
          "  w: \"0x400000000000803F00000040\"\n"
          "} } #-}\n"),
      {}, &context);
  ASSERT_TRUE(module) << diagnostics.takeErrors();
  std::string bytecode;
  llvm::raw_string_ostream os(bytecode);
  ASSERT_TRUE(mlir::succeeded(mlir::writeBytecodeToFile(*module, os)));

  std::vector<char> memory(bytecode.size() + 192);
  char *aligned =
      reinterpret_cast<char *>(llvm::alignAddr(memory.data(), llvm::Align(64)));
  for (int offset : {0, 1, 8, 16, 32, 63}) {
    llvm::copy(bytecode, aligned + offset);
    aligned[offset + bytecode.size()] = 0;
    mlir::OwningOpRef<mlir::ModuleOp> again =
        parseModule(llvm::MemoryBuffer::getMemBuffer(
                        {aligned + offset, bytecode.size()}, "net.mlirbc"),
                    {}, &context);
    EXPECT_TRUE(again) << offset << ": " << diagnostics.takeErrors();
  }
}

} // namespace
