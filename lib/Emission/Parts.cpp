//===- Parts.cpp - A module in parts --------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//   @weights = private constant ...
//   define internal void @__bquant_net_0_layer() { ... }
//   define i32 @net() { ... call void @__bquant_net_0_layer() ... }
//
// becomes
//
//   @weights.part = hidden constant ...
//   declare hidden void @__bquant_net_0_layer()
//   define i32 @net() { ... call void @__bquant_net_0_layer() ... }
//
// and a part, which can be read in a context, and so a thread, of its own:
//
//   @weights.part = external hidden constant ...
//   define hidden void @__bquant_net_0_layer() { ... }
//
// Upstream's llvm::SplitModule clones functions, after which the uses of a
// value come in another order, and LLVM makes other code of some. It
// distributes them by number or name, though a few are most of the code, and
// takes constants, most of a network, through bitcode.
//
//===----------------------------------------------------------------------===//

#include "Parts.h"
#include "bquant/Codegen/Names.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <map>

using namespace bquant;

/// Fewer instructions are not worth a part, which costs about a millisecond.
static constexpr unsigned minInstructions = 1000;
/// Each is a file for the linker.
static constexpr unsigned maxParts = 16;

/// Assigns each function a part, the largest first: that with the fewest
/// instructions. The module alone decides, so that the code is the same
/// wherever it is compiled.
static llvm::SmallVector<llvm::SmallVector<llvm::Function *>>
assignParts(llvm::Module &module, unsigned number) {
  std::multimap<unsigned, llvm::Function *, std::greater<>> functions;
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      functions.emplace(function.getInstructionCount(), &function);
  llvm::SmallVector<unsigned> sizes(number, 0);
  llvm::SmallVector<llvm::SmallVector<llvm::Function *>> parts(number);
  for (auto [size, function] : functions) {
    auto *smallest = llvm::min_element(sizes);
    parts[smallest - sizes.begin()].push_back(function);
    *smallest += size;
  }
  return parts;
}

/// Lets other parts refer to what is defined, by a name that no C library has,
/// nor a public function, whatever `renameEntryPoint` calls it: those have no
/// dot and not our prefix.
static void expose(llvm::GlobalValue &value) {
  if (!value.hasLocalLinkage())
    return;
  llvm::StringRef name = value.getName();
  if (!name.contains('.') && !name.starts_with(kInnerPrefix))
    value.setName(name + ".part");
  value.setLinkage(llvm::GlobalValue::ExternalLinkage);
  value.setVisibility(llvm::GlobalValue::HiddenVisibility);
}

/// A weak reference stays one: a part asks for no more than the module.
static llvm::GlobalValue::LinkageTypes
getLinkageOfDeclaration(const llvm::GlobalValue &value) {
  return value.hasExternalWeakLinkage() ? llvm::GlobalValue::ExternalWeakLinkage
                                        : llvm::GlobalValue::ExternalLinkage;
}

static llvm::Function *declare(const llvm::Function &function,
                               llvm::Module &module) {
  auto *result = llvm::Function::Create(
      function.getFunctionType(), getLinkageOfDeclaration(function),
      function.getAddressSpace(), function.getName(), &module);
  result->copyAttributesFrom(&function);
  return result;
}

static llvm::GlobalVariable *declare(const llvm::GlobalVariable &global,
                                     llvm::Module &module) {
  auto *result = new llvm::GlobalVariable(
      module, global.getValueType(), global.isConstant(),
      getLinkageOfDeclaration(global), /*Initializer=*/nullptr,
      global.getName(), /*InsertBefore=*/nullptr, global.getThreadLocalMode(),
      global.getAddressSpace());
  result->copyAttributesFrom(&global);
  return result;
}

namespace {
/// Declares in a part what its functions use of the module.
class Declarer : public llvm::ValueMaterializer {
public:
  explicit Declarer(llvm::Module &part) : part(part) {}

  llvm::Value *materialize(llvm::Value *value) override {
    auto *global = llvm::dyn_cast<llvm::GlobalValue>(value);
    if (!global)
      return nullptr;
    expose(*global);
    if (llvm::GlobalValue *there = part.getNamedValue(global->getName()))
      return there;
    if (auto *function = llvm::dyn_cast<llvm::Function>(global))
      return declare(*function, part);
    return declare(*llvm::cast<llvm::GlobalVariable>(global), part);
  }

private:
  llvm::Module &part;
};
} // namespace

/// Leaves a declaration.
static void moveTo(llvm::Module &part, llvm::Function &function) {
  expose(function);
  std::string name = function.getName().str();
  function.setName("");
  llvm::Function *left = declare(function, *function.getParent());
  left->setName(name);
  function.replaceAllUsesWith(left);
  function.removeFromParent();
  part.getFunctionList().push_back(&function);
  function.setName(name);
}

static std::unique_ptr<llvm::Module>
takePart(llvm::Module &module, llvm::ArrayRef<llvm::Function *> functions) {
  auto part = std::make_unique<llvm::Module>(module.getModuleIdentifier(),
                                             module.getContext());
  part->setTargetTriple(module.getTargetTriple());
  part->setDataLayout(module.getDataLayout());
  if (llvm::NamedMDNode *flags = module.getModuleFlagsMetadata())
    for (llvm::MDNode *flag : flags->operands())
      part->addModuleFlag(flag);
  for (llvm::Function *function : functions)
    moveTo(*part, *function);
  Declarer declarer(*part);
  llvm::ValueToValueMapTy map;
  for (llvm::Function *function : functions)
    llvm::RemapFunction(*function, map,
                        llvm::RF_NoModuleLevelChanges |
                            llvm::RF_IgnoreMissingLocals,
                        /*TypeMapper=*/nullptr, &declarer);
  return part;
}

llvm::SmallVector<llvm::SmallVector<char, 0>>
bquant::takeParts(llvm::Module &module) {
  unsigned number =
      std::min(module.getInstructionCount() / minInstructions, maxParts);
  llvm::SmallVector<llvm::SmallVector<char, 0>> result;
  if (number < 2)
    return result;
  auto parts = assignParts(module, number);
  // The first stays where the constants are.
  for (const auto &functions : llvm::drop_begin(parts)) {
    llvm::raw_svector_ostream os(result.emplace_back());
    llvm::WriteBitcodeToFile(*takePart(module, functions), os,
                             /*ShouldPreserveUseListOrder=*/true);
  }
  return result;
}
