//===- Plugin.cpp - The dialect and passes in a stock mlir-opt ------------===//

#include "bquant/InitAll.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"

extern "C" __attribute__((visibility("default"))) mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "BQuant", "0.1",
          [](mlir::DialectRegistry *registry) {
            bquant::registerAllDialects(*registry);
          }};
}

extern "C" __attribute__((visibility("default"))) mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "BQuant", "0.1",
          [] { bquant::registerAllPasses(); }};
}
