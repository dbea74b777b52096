//===- bquant-reduce.cpp - Small programs that still show a fault ---------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ReduceProgram.h"
#include "Tools/Main.h"
#include "bquant/Emission/Emit.h"
#include "bquant/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Reducer/Passes.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/FileSystem.h"

/// Where upstream's main writes: it empties the file first, and removes it
/// where the tester cannot be asked, and so it gets another one. What is not
/// replaced, as standard output, is itself.
static llvm::Expected<std::string> getPlace(llvm::StringRef output,
                                            bquant::AtomicFiles &files) {
  bool isOther = false;
  if (output == "-" || (!llvm::sys::fs::is_other(output, isOther) && isOther))
    return output.str();
  return files.reserve(output);
}

static int fail(llvm::Error error) {
  llvm::errs() << "bquant-reduce: " << llvm::toString(std::move(error)) << "\n";
  return EXIT_FAILURE;
}

int main(int argc, char **argv) {
  bquant::startTool();
  mlir::registerAllPasses();
  mlir::registerReducerPasses();
  bquant::registerAllPasses();
  bquant::registerReduceProgram();
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  bquant::registerAllDialects(registry);
  // Not mlirReduceMain: where that cannot write it ends without a word.
  auto [input, output] = mlir::registerAndParseCLIOptions(
      argc, argv, "bquant reducer\n", registry);
  bquant::AtomicFiles files(bquant::AtomicFiles::OnSignal::Remove);
  files.keep(input);
  llvm::Expected<std::string> place = getPlace(output, files);
  if (!place)
    return fail(place.takeError());
  if (failed(mlir::MlirOptMain(argc, argv, input, *place, registry)))
    return EXIT_FAILURE;
  if (llvm::Error error = files.commit())
    return fail(std::move(error));
  return EXIT_SUCCESS;
}
