//===- ReduceProgram.cpp - A program made small by a tester ---------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Keeps each change after which the program is still interesting:
//
//   func.func @f(%x: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
//     %0 = ...
//     %1 = math.erf %0 : tensor<1x56x56x64xf32>   // the fault's
//     %2 = ...
//     return %2 : tensor<1x56x56x64xf32>
//   }
//
// becomes
//
//   func.func @f(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x1x1xf32> {
//     %0 = math.erf %x : tensor<1x1x1x1xf32>
//     return %0 : tensor<1x1x1x1xf32>
//   }
//
// Upstream's reduction-tree, as LLVM 22 has it, erases operations and applies
// patterns, but changes no signature, so that what a function returns keeps all
// before it; and it crashes where its patterns, or folding, at first applied to
// all of a region, leave no interesting program.
//
//===----------------------------------------------------------------------===//

#include "ReduceProgram.h"
#include "bquant/Dialect/BQuant/IR/BQuant.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Iterators.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Reducer/Tester.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/xxhash.h"
#include <set>

using namespace mlir;
using namespace bquant;

namespace {
/// A change of one place of a module. It does nothing where another change made
/// it meaningless.
using Edit = std::function<void()>;
using Edits = SmallVector<Edit>;
} // namespace

//===----------------------------------------------------------------------===//
// Edits of operations
//===----------------------------------------------------------------------===//

static bool isConstant(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>();
}

/// Users come before what they use, and operations before what holds them.
static void eraseOps(ModuleOp module, Edits &edits) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([&](Operation *op) {
    if (op == module || op->hasTrait<OpTrait::IsTerminator>())
      return;
    edits.push_back([=] {
      if (op->use_empty() && (!isa<SymbolOpInterface>(op) ||
                              SymbolTable::symbolKnownUseEmpty(op, module)))
        op->erase();
    });
  });
}

/// By one of its operands.
static void replaceByOperands(ModuleOp module, Edits &edits) {
  module.walk([&](Operation *op) {
    for (Value result : op->getResults())
      for (Value operand : op->getOperands())
        if (operand.getType() == result.getType() && !result.use_empty())
          edits.push_back(
              [=]() mutable { result.replaceAllUsesWith(operand); });
  });
}

static void replaceByZeros(ModuleOp module, Edits &edits) {
  module.walk([&](Operation *op) {
    for (Value result : op->getResults()) {
      Type type = result.getType();
      auto tensor = dyn_cast<RankedTensorType>(type);
      Type element = tensor ? tensor.getElementType() : type;
      if (isConstant(op) || result.use_empty() ||
          !element.isIntOrIndexOrFloat() ||
          (tensor && !tensor.hasStaticShape()))
        continue;
      edits.push_back([=]() mutable {
        OpBuilder b(op);
        result.replaceAllUsesWith(
            arith::ConstantOp::create(b, op->getLoc(), b.getZeroAttr(type)));
      });
    }
  });
}

static void dropAttributes(ModuleOp module, Edits &edits) {
  module.walk([&](Operation *op) {
    if (!op->getDiscardableAttrDictionary().empty())
      edits.push_back([=] {
        op->setDiscardableAttrs(DictionaryAttr::get(op->getContext()));
      });
    if (auto func = dyn_cast<FunctionOpInterface>(op))
      edits.push_back([=]() mutable {
        func.removeArgAttrsAttr();
        func.removeResAttrsAttr();
      });
  });
}

//===----------------------------------------------------------------------===//
// Edits of signatures
//===----------------------------------------------------------------------===//

/// The functions with a body that nothing calls: their signatures may change.
/// Those of others would only spoil what is tried together with them.
static SmallVector<func::FuncOp> getEntryPoints(ModuleOp module) {
  SmallVector<func::FuncOp> found;
  module.walk([&](func::FuncOp func) {
    if (!func.isExternal() && SymbolTable::symbolKnownUseEmpty(func, module))
      found.push_back(func);
  });
  return found;
}

static void cutAfter(func::FuncOp func, Operation *last) {
  Operation *terminator = last->getBlock()->getTerminator();
  terminator->setOperands(last->getResults());
  while (terminator->getPrevNode() != last)
    terminator->getPrevNode()->erase();
  func.removeResAttrsAttr();
  func.setType(FunctionType::get(func.getContext(), func.getArgumentTypes(),
                                 last->getResultTypes()));
}

/// An operation's results become those of the function, which ends there.
static void cutFunctions(ModuleOp module, Edits &edits) {
  for (func::FuncOp func : getEntryPoints(module)) {
    if (!func.getBody().hasOneBlock())
      continue;
    Block &block = func.getBody().front();
    SmallVector<Operation *> ops;
    for (Operation &op : block.without_terminator())
      ops.push_back(&op);
    while (!ops.empty() && isConstant(ops.back()))
      ops.pop_back(); // What nothing but constants follow is the end already.
    for (size_t index = 0; index + 1 < ops.size(); ++index)
      if (ops[index]->getNumResults())
        edits.push_back([=, &block]() mutable {
          // By its place, since an earlier edit may have erased it.
          if (index + 1 < block.getOperations().size())
            cutAfter(func, &*std::next(block.begin(), index));
        });
  }
}

/// What an operation computes becomes an argument of the function.
static void replaceByArguments(ModuleOp module, Edits &edits) {
  for (func::FuncOp func : getEntryPoints(module))
    for (Operation &op : func.getBody().getOps())
      for (Value result : op.getResults())
        if (!isConstant(&op) && !result.use_empty())
          edits.push_back([=]() mutable {
            unsigned index = func.getNumArguments();
            if (succeeded(func.insertArgument(index, result.getType(), {},
                                              result.getLoc())))
              result.replaceAllUsesWith(func.getArgument(index));
          });
}

static void dropResults(ModuleOp module, Edits &edits) {
  for (func::FuncOp func : getEntryPoints(module))
    for (unsigned index : llvm::reverse(llvm::seq(func.getNumResults())))
      edits.push_back([=]() mutable {
        func.walk([&](func::ReturnOp op) { op->eraseOperand(index); });
        (void)func.eraseResult(index);
      });
}

static void dropArguments(ModuleOp module, Edits &edits) {
  for (func::FuncOp func : getEntryPoints(module))
    for (unsigned index : llvm::reverse(llvm::seq(func.getNumArguments())))
      edits.push_back([=]() mutable {
        if (func.getArgument(index).use_empty())
          (void)func.eraseArgument(index);
      });
}

//===----------------------------------------------------------------------===//
// Edits of constants and shapes
//===----------------------------------------------------------------------===//

/// The values of an attribute, or null where they are not whole bytes.
static DenseElementsAttr getDense(Attribute attribute) {
  auto elements = dyn_cast<ElementsAttr>(attribute);
  if (!elements || !elements.getElementType().isIntOrFloat() ||
      elements.getShapedType().getElementTypeBitWidth() % 8 != 0)
    return {};
  auto resource = dyn_cast<DenseResourceElementsAttr>(attribute);
  if (!resource)
    return dyn_cast<DenseElementsAttr>(attribute);
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  bool splat;
  if (!blob || !DenseElementsAttr::isValidRawBuffer(resource.getType(),
                                                    blob->getData(), splat))
    return {};
  return DenseElementsAttr::getFromRawBuffer(resource.getType(),
                                             blob->getData());
}

/// All values of a constant become one.
static void splatElements(ModuleOp module, Edits &edits,
                          function_ref<Attribute(DenseElementsAttr)> getValue) {
  module.walk([&](Operation *op) {
    if (!isConstant(op))
      return;
    for (NamedAttribute attribute : op->getAttrs()) {
      DenseElementsAttr dense = getDense(attribute.getValue());
      if (!dense || dense.empty())
        continue;
      auto splat = DenseElementsAttr::get(dense.getType(), getValue(dense));
      if (splat != attribute.getValue())
        edits.push_back([=] { op->setAttr(attribute.getName(), splat); });
    }
  });
}

static void zeroElements(ModuleOp module, Edits &edits) {
  splatElements(module, edits, [](DenseElementsAttr dense) -> Attribute {
    return Builder(dense.getContext()).getZeroAttr(dense.getElementType());
  });
}

static void repeatFirstElements(ModuleOp module, Edits &edits) {
  splatElements(module, edits, [](DenseElementsAttr dense) {
    return *dense.getValues<Attribute>().begin();
  });
}

/// Those whose places lie within the smaller shape, or null.
static DenseElementsAttr slice(DenseElementsAttr dense, ShapedType type) {
  if (!dense)
    return {};
  if (dense.isSplat())
    return dense.resizeSplat(type);
  ArrayRef<int64_t> from = dense.getType().getShape(), to = type.getShape();
  ArrayRef<char> data = dense.getRawData();
  size_t bytes = dense.getType().getElementTypeBitWidth() / 8;
  std::vector<char> kept;
  for (int64_t i = 0, e = dense.getNumElements(); i < e; ++i) {
    bool within = true;
    int64_t rest = i;
    for (size_t axis = from.size(); axis-- > 0; rest /= from[axis])
      within &= rest % from[axis] < to[axis];
    if (within)
      kept.insert(kept.end(), &data[i * bytes], &data[i * bytes] + bytes);
  }
  return DenseElementsAttr::getFromRawBuffer(type, kept);
}

/// Gives the tensors of all the module other sizes, each by what it was.
static void resize(ModuleOp module, function_ref<int64_t(int64_t)> getSize) {
  auto resizeType = [&](ShapedType type) -> ShapedType {
    if (!isa<RankedTensorType, SBTensorType>(type))
      return type;
    return type.clone(llvm::map_to_vector(type.getShape(), getSize));
  };
  // Attributes that repeat the shape of an operand or result, as slices' do.
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrs()) {
      auto array = dyn_cast<DenseI64ArrayAttr>(attribute.getValue());
      auto isShape = [&](Type type) {
        auto tensor = dyn_cast<RankedTensorType>(type);
        return tensor && tensor.getShape() == array.asArrayRef();
      };
      if (array && (llvm::any_of(op->getOperandTypes(), isShape) ||
                    llvm::any_of(op->getResultTypes(), isShape)))
        op->setAttr(attribute.getName(),
                    DenseI64ArrayAttr::get(
                        op->getContext(),
                        llvm::map_to_vector(array.asArrayRef(), getSize)));
    }
  });
  AttrTypeReplacer replacer;
  replacer.addReplacement(
      [&](ShapedType type) -> std::optional<Type> { return resizeType(type); });
  replacer.addReplacement(
      [&](ElementsAttr elements)
          -> std::optional<std::pair<Attribute, WalkResult>> {
        ShapedType type = resizeType(elements.getShapedType());
        Attribute sliced = elements;
        if (type != elements.getShapedType())
          if (DenseElementsAttr dense = slice(getDense(elements), type))
            sliced = dense;
        return std::make_pair(sliced, WalkResult::skip());
      });
  replacer.recursivelyReplaceElementsIn(module, /*replaceAttrs=*/true,
                                        /*replaceLocs=*/false,
                                        /*replaceTypes=*/true);
}

/// The larger, the earlier; all even ones are halved together, too, since those
/// before and after a stride only change so.
static void shrinkShapes(ModuleOp module, Edits &edits) {
  std::set<int64_t, std::greater<int64_t>> sizes;
  auto add = [&](Type type) {
    if (isa<RankedTensorType, SBTensorType>(type))
      for (int64_t size : cast<ShapedType>(type).getShape())
        if (size > 1)
          sizes.insert(size);
  };
  module.walk([&](Operation *op) {
    llvm::for_each(op->getResultTypes(), add);
    for (Region &region : op->getRegions())
      for (Block &block : region)
        llvm::for_each(block.getArgumentTypes(), add);
  });
  for (int64_t from : sizes)
    for (int64_t to : std::set<int64_t>{1, 2, from / 2})
      if (to < from)
        edits.push_back([=] {
          resize(module,
                 [=](int64_t size) { return size == from ? to : size; });
        });
  if (!sizes.empty())
    edits.push_back([=] {
      resize(module, [](int64_t size) {
        return size > 0 && size % 2 == 0 ? size / 2 : size;
      });
    });
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

using Step = void (*)(ModuleOp, Edits &);

/// What leaves least comes first. Each edit removes an operation, a use of one
/// that is no constant, a part of a signature, or makes values fewer: none can
/// be undone by another, and so there is an end.
static constexpr Step kSteps[] = {
    eraseOps,          cutFunctions,   replaceByArguments, eraseOps,
    replaceByOperands, replaceByZeros, eraseOps,           dropResults,
    dropArguments,     dropAttributes, zeroElements,       repeatFirstElements,
    shrinkShapes};

/// How often what nothing has written is read, or passed on: where an edit took
/// a fill away, say. Such a program shows no fault.
static int64_t countUndefinedReads(ModuleOp module) {
  int64_t reads = 0;
  module.walk([&](tensor::EmptyOp op) {
    reads += llvm::count_if(op->getUses(), [](OpOperand &use) {
      if (auto linalg = dyn_cast<linalg::LinalgOp>(use.getOwner()))
        return linalg.payloadUsesValueFromOperand(&use);
      auto writer = dyn_cast<DestinationStyleOpInterface>(use.getOwner());
      return !writer || !writer.isDpsInit(&use);
    });
  });
  return reads;
}

namespace {
class Reducer {
public:
  Reducer(ModuleOp module, const Tester &tester)
      : module(module.clone()), tester(tester),
        undefinedReads(countUndefinedReads(module)) {}

  /// Whether it is valid, another program than all before, and interesting.
  bool isInteresting(ModuleOp candidate) {
    if (failed(verify(candidate)) ||
        countUndefinedReads(candidate) > undefinedReads)
      return false;
    std::string text;
    llvm::raw_string_ostream(text) << candidate;
    return tried.insert(llvm::xxh3_64bits(text)).second &&
           tester.isInteresting(candidate).first ==
               Tester::Interestingness::True;
  }

  /// Until no edit alone is kept.
  OwningOpRef<ModuleOp> reduce() {
    bool changed = true;
    while (changed) {
      changed = false;
      for (Step step : kSteps)
        changed |= take(step);
    }
    return std::move(module);
  }

private:
  /// All edits at once, then halves of them, to each alone.
  bool take(Step step) {
    bool changed = false;
    Edits all;
    step(*module, all);
    for (size_t size = all.size(); size > 0; size /= 2)
      for (size_t begin = 0;;) {
        OwningOpRef<ModuleOp> candidate = module->clone();
        Edits edits;
        step(*candidate, edits);
        if (begin >= edits.size())
          break;
        for (const Edit &edit : ArrayRef(edits).slice(begin).take_front(size))
          edit();
        if (!isInteresting(*candidate)) {
          begin += size;
          continue;
        }
        module = std::move(candidate);
        changed = true;
      }
    return changed;
  }

  OwningOpRef<ModuleOp> module;
  const Tester &tester;
  /// Of the program as it was.
  int64_t undefinedReads;
  /// Hashes of texts.
  std::set<uint64_t> tried;
};

struct ReduceProgram : PassWrapper<ReduceProgram, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReduceProgram)

  ReduceProgram() = default;
  ReduceProgram(const ReduceProgram &other) : PassWrapper(other) {}

  StringRef getArgument() const override { return "bquant-reduce-program"; }
  StringRef getDescription() const override {
    return "Make a program small of which a tester says that it is interesting";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect>();
  }
  void runOnOperation() override;

  // As those of upstream's passes.
  Option<std::string> test{
      *this, "test",
      llvm::cl::desc("A program that ends with 1 where the file that is its "
                     "last argument is interesting, else with 0")};
  ListOption<std::string> testArgs{*this, "test-arg",
                                   llvm::cl::desc("Arguments before the file")};
};
} // namespace

void ReduceProgram::runOnOperation() {
  ModuleOp module = getOperation();
  // What is wrong is the tester, and no place in the program.
  Location nowhere = UnknownLoc::get(&getContext());
  llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(test);
  if (!path || !llvm::sys::fs::can_execute(*path)) {
    emitError(nowhere) << "expected a program for test=, but got '" << test
                       << "'";
    return signalPassFailure();
  }
  SmallVector<std::string> args(testArgs.begin(), testArgs.end());
  Tester tester(*path, args);
  Reducer reducer(module, tester);
  if (!reducer.isInteresting(module)) {
    emitError(nowhere) << "expected an interesting program, but '" << test
                       << "' ended with 0";
    return signalPassFailure();
  }
  // Of candidates that do not verify.
  ScopedDiagnosticHandler quiet(&getContext(), [](Diagnostic &) {});
  OwningOpRef<ModuleOp> reduced = reducer.reduce();
  module->setAttrs(reduced.get()->getAttrDictionary());
  module.getBodyRegion().takeBody(reduced->getBodyRegion());
}

void bquant::registerReduceProgram() { PassRegistration<ReduceProgram>(); }
