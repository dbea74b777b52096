//===- Source.cpp - Modules from files and memory -------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Source.h"
#include "Support/Locations.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace bquant;

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

static std::string formatDiagnostic(Diagnostic &diagnostic,
                                    const char *severity) {
  std::string line = formatLocation(diagnostic.getLocation());
  if (!line.empty())
    line += ": ";
  line += severity;
  std::string message = diagnostic.str();
  // One line a diagnostic: some of MLIR's print whole operations.
  std::replace(message.begin(), message.end(), '\n', ' ');
  return line + message + "\n";
}

Diagnostics::Diagnostics(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        std::lock_guard<std::mutex> lock(mutex);
        switch (diagnostic.getSeverity()) {
        case DiagnosticSeverity::Error:
          errors += formatDiagnostic(diagnostic, "error: ");
          for (Diagnostic &note : diagnostic.getNotes())
            // "see current operation" repeats what the place says already.
            if (!llvm::StringRef(note.str())
                     .starts_with("see current operation"))
              errors += formatDiagnostic(note, "note: ");
          break;
        case DiagnosticSeverity::Warning:
          warnings += formatDiagnostic(diagnostic, "warning: ");
          break;
        default:
          break;
        }
        return success();
      }) {}

std::string Diagnostics::takeErrors() {
  std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(errors, "");
}

std::string Diagnostics::takeWarnings() {
  std::lock_guard<std::mutex> lock(mutex);
  return std::exchange(warnings, "");
}

std::string Diagnostics::explain(llvm::Error error) {
  std::string own = llvm::toString(std::move(error));
  std::string said = takeErrors();
  return llvm::StringRef(said.empty() ? own : said).rtrim('\n').str();
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

static LogicalResult checkResource(Operation *op,
                                   DenseResourceElementsAttr attr) {
  StringRef key = attr.getRawHandle().getKey();
  AsmResourceBlob *blob = attr.getRawHandle().getBlob();
  if (!blob)
    return op->emitError("expected data for resource '") << key << "'";
  Type element = attr.getType().getElementType();
  if (!element.isIntOrIndexOrFloat())
    return success(); // its op knows
  int64_t bits = element.isIndex() ? 64 : element.getIntOrFloatBitWidth();
  // A single element may stand for all only in `dense`, not here. i1 is one
  // byte each.
  int64_t bytes = llvm::divideCeil(bits, 8);
  for (int64_t size : attr.getType().getShape())
    if (llvm::MulOverflow(bytes, size, bytes))
      return op->emitError("expected fewer than 2^63 bytes for resource '")
             << key << "', but got " << attr.getType();
  if (blob->getData().size() != size_t(bytes))
    return op->emitError("expected ")
           << bytes << " bytes for resource '" << key << "' of "
           << attr.getType() << ", but got " << blob->getData().size();
  return success();
}

/// Resources of the wrong size parse, and crash whoever reads them.
static LogicalResult checkResources(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    AttrTypeWalker walker;
    walker.addWalk([op](DenseResourceElementsAttr attr) -> WalkResult {
      return checkResource(op, attr);
    });
    return walker.walk(op->getAttrDictionary());
  });
  return failure(result.wasInterrupted());
}

/// MLIR's verifier compares sizes within groups of dimensions, and a tensor
/// without dimensions has no groups.
static LogicalResult checkReshapes(ModuleOp module) {
  WalkResult result = module.walk([](Operation *op) {
    if (!isa<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(op))
      return WalkResult::advance();
    auto from = cast<RankedTensorType>(op->getOperand(0).getType());
    auto to = cast<RankedTensorType>(op->getResult(0).getType());
    auto isOne = [](int64_t size) {
      return size == 1 || ShapedType::isDynamic(size);
    };
    if ((from.getRank() > 0 || llvm::all_of(to.getShape(), isOne)) &&
        (to.getRank() > 0 || llvm::all_of(from.getShape(), isOne)))
      return WalkResult::advance();
    op->emitOpError("expected sizes of 1, but got ") << from << " into " << to;
    return WalkResult::interrupt();
  });
  return failure(result.wasInterrupted());
}

/// For names that are unknown, which are likely another version's or
/// producer's.
static constexpr llvm::StringLiteral
    kReads("; bquant reads MLIR " LLVM_VERSION_STRING);

/// Who wrote bytecode, as it says behind its magic number and its version of
/// one byte; nothing for text.
static StringRef getProducer(StringRef source) {
  if (!source.consume_front("ML\xefR") || source.empty())
    return {};
  StringRef producer =
      source.drop_front().take_until([](char c) { return c == 0; });
  return producer.size() < 64 && llvm::all_of(producer, llvm::isPrint)
             ? producer
             : StringRef();
}

/// One error, with what this parser is of: MLIR's text and bytecode change from
/// one version to the next.
static OwningOpRef<ModuleOp> parse(llvm::SourceMgr &sources,
                                   const ParserConfig &config) {
  std::string producer =
      getProducer(sources.getMemoryBuffer(1)->getBuffer()).str();
  OwningOpRef<ModuleOp> module;
  std::optional<std::pair<Location, std::string>> error;
  {
    ScopedDiagnosticHandler handler(
        config.getContext(), [&](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
            return failure();
          if (!error)
            error = {diagnostic.getLocation(), diagnostic.str()};
          return success();
        });
    module = parseSourceFile<ModuleOp>(sources, config);
  }
  if (module)
    return module;
  if (!error)
    error = {UnknownLoc::get(config.getContext()), "expected a module"};
  // Advice for those who call MLIR's libraries.
  StringRef message = StringRef(error->second).split(". If this").first.rtrim();
  InFlightDiagnostic diagnostic = emitError(error->first) << message;
  bool isUnknown =
      llvm::any_of(ArrayRef{"unknown", "not found", "unregistered"},
                   [&](StringRef word) { return message.contains(word); });
  if (isUnknown || !producer.empty())
    diagnostic << kReads;
  if (!producer.empty())
    diagnostic << ", and this was written by " << producer;
  return nullptr;
}

/// A few bytes of text may stand for any number of elements. What they take
/// may be 256 MB, and more for a source that has much itself.
static LogicalResult checkSplats(ModuleOp module, int64_t sourceBytes) {
  int64_t left = (int64_t(1) << 28) + 8 * sourceBytes;
  llvm::DenseSet<Attribute> seen;
  WalkResult result = module.walk([&](Operation *op) {
    AttrTypeWalker walker;
    walker.addWalk([&](DenseElementsAttr attr) -> WalkResult {
      Type element = attr.getElementType();
      if (!attr.isSplat() || !element.isIntOrIndexOrFloat() ||
          !seen.insert(attr).second)
        return success();
      int64_t bytes =
          element.isIndex()
              ? 8
              : llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
      bool overflows = false;
      for (int64_t size : attr.getType().getShape())
        overflows |= llvm::MulOverflow(bytes, size, bytes) != 0;
      if (!overflows && bytes <= left) {
        left -= bytes;
        return success();
      }
      return op->emitError("expected constants of less size than ")
             << attr.getType();
    });
    return walker.walk(op->getAttrDictionary());
  });
  return failure(result.wasInterrupted());
}

/// Names all operations that nobody knows, in one error.
static LogicalResult checkRegistered(ModuleOp module) {
  std::string names;
  module.walk([&](Operation *op) {
    if (op->isRegistered())
      return;
    names += names.empty() ? "" : ", ";
    names += op->getName().getStringRef();
    std::string place = formatLocation(op->getLoc());
    if (!place.empty())
      names += " at " + place;
  });
  if (names.empty())
    return success();
  return emitError(module.getLoc())
         << "unsupported operations: " << names << kReads;
}

/// The reader refuses bytecode at an address that is less aligned than its
/// sections. Small files and standard input are read to such addresses.
static std::unique_ptr<llvm::MemoryBuffer>
alignBytecode(std::unique_ptr<llvm::MemoryBuffer> source) {
  const llvm::Align page(4096);
  if (!isBytecode(source->getMemBufferRef()) ||
      llvm::isAddrAligned(page, source->getBufferStart()))
    return source;
  std::unique_ptr<llvm::WritableMemoryBuffer> copy =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
          source->getBufferSize(), source->getBufferIdentifier(), page);
  if (!copy)
    return source;
  llvm::copy(source->getBuffer(), copy->getBufferStart());
  return copy;
}

OwningOpRef<ModuleOp>
bquant::parseModule(std::unique_ptr<llvm::MemoryBuffer> source,
                    ArrayRef<Blob> blobs, MLIRContext *context) {
  int64_t bytes = source->getBufferSize();
  for (const Blob &blob : blobs)
    bytes += blob.data.size();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(alignBytecode(std::move(source)), llvm::SMLoc());
  // Verified below: verifiers look into the resources.
  ParserConfig config(context, /*verifyAfterParse=*/false);
  // The parser would name the first unknown operation alone.
  bool takesUnregistered = context->allowsUnregisteredDialects();
  context->allowUnregisteredDialects(true);
  OwningOpRef<ModuleOp> module = parse(sources, config);
  context->allowUnregisteredDialects(takesUnregistered);
  if (!module || (!takesUnregistered && failed(checkRegistered(*module))))
    return nullptr;

  auto *builtin = context->getOrLoadDialect<BuiltinDialect>();
  auto *resources =
      builtin->getRegisteredInterface<ResourceBlobManagerDialectInterface>();
  for (const Blob &blob : blobs)
    // What the text does not mention is not needed.
    if (resources->getBlobManager().lookup(blob.key))
      resources->getBlobManager().update(
          blob.key, UnmanagedAsmResourceBlob::allocateWithAlign(
                        blob.data, blob.alignment));
  if (failed(checkResources(*module)) || failed(checkSplats(*module, bytes)) ||
      failed(verify(*module)) || failed(checkReshapes(*module)))
    return nullptr;
  return module;
}

OwningOpRef<ModuleOp> bquant::parseModuleFile(StringRef path,
                                              MLIRContext *context) {
  auto file = llvm::MemoryBuffer::getFileOrSTDIN(path);
  if (!file) {
    emitError(UnknownLoc::get(context))
        << "cannot open '" << path << "': " << file.getError().message();
    return nullptr;
  }
  return parseModule(std::move(*file), {}, context);
}
