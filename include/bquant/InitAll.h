//===- InitAll.h - Registers all of bquant ----------------------*- C++ -*-===//

#ifndef BQUANT_INITALL_H
#define BQUANT_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace bquant {
/// The bquant dialect with its external interface models.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Every pass and pipeline of the project, for tools that take them by name.
void registerAllPasses();
} // namespace bquant

#endif // BQUANT_INITALL_H
