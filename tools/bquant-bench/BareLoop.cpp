//===- BareLoop.cpp - A kernel's inner loop and nothing else --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loop is written in the LLVM dialect, operands and trip counts given at
// run time, so that nothing of it can be folded:
//
//   for (turn = 0; turn < turns; ++turn)
//     for (step = 0; step < steps; ++step)
//       for each row r, register c:               // unrolled
//         sum[r][c] += count(input[step][r], filter[step][c])
//
// Bytes widened to 16 bits are two vectors, the even and the odd ones.
//
//===----------------------------------------------------------------------===//

#include "BareLoop.h"
#include "bquant/Emission/Emit.h"
#include "bquant/Target/TargetDescription.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdlib>

using namespace bquant;
using namespace bquant::bench;
using llvm::formatv;

/// Half of the smallest first-level cache.
static constexpr int64_t kOperandBytes = 16 << 10;

//===----------------------------------------------------------------------===//
// The block
//===----------------------------------------------------------------------===//

/// Bits of a lane.
static int64_t getLaneBits(StepKind kind) {
  switch (kind) {
  case StepKind::PopcountLanes:
  case StepKind::ByteDots:
  case StepKind::BytePairs:
  case StepKind::WidePairs:
  case StepKind::Fma:
    return 32;
  case StepKind::PopcountBytes:
  case StepKind::Table:
  case StepKind::Depthwise:
    return 8;
  case StepKind::Scalar:
    return 64;
  }
  llvm_unreachable("unknown kind of step");
}

/// Whether a step takes four bytes of the input and of each channel.
static bool takesBytes(StepKind kind) {
  return kind == StepKind::ByteDots || kind == StepKind::BytePairs ||
         kind == StepKind::WidePairs;
}

int64_t Block::getLanes() const { return bits / getLaneBits(kind); }

int64_t Block::getPositions() const {
  if (kind == StepKind::Table || takesBytes(kind))
    return 4;
  bool one = kind == StepKind::Fma || kind == StepKind::Depthwise;
  return one ? 1 : getLaneBits(kind);
}

int64_t Block::getInputBits() const {
  if (takesBytes(kind))
    return 32;
  return kind == StepKind::Depthwise ? registers * bits : getLaneBits(kind);
}

//===----------------------------------------------------------------------===//
// The code
//===----------------------------------------------------------------------===//

namespace {
class LoopWriter {
public:
  LoopWriter(const Block &block, const Target &target)
      : block(block), fuses(TargetDescription(target).fusesMultiplyAdd),
        arm(target.triple.isAArch64()), os(text) {
    element = block.kind == StepKind::Fma
                  ? "f32"
                  : formatv("i{0}", getLaneBits(block.kind)).str();
    type = block.getLanes() == 1
               ? element
               : getVector(block.bits / block.getLanes(), element);
    wide = block.kind == StepKind::WidePairs;
    filter = wide                     ? getVector(16, "i16")
             : takesBytes(block.kind) ? getVector(8, "i8")
                                      : type;
    if (block.kind == StepKind::BytePairs)
      type = getVector(16, "i16");
  }

  std::string write() {
    os << "llvm.func @limit(%turns: i64, %steps: i64, %inputs: !llvm.ptr, "
          "%filters: !llvm.ptr, %tables: !llvm.ptr, %out: !llvm.ptr) {\n"
          "  %zero = llvm.mlir.constant(0 : i64) : i64\n"
          "  %one = llvm.mlir.constant(1 : i64) : i64\n"
          "  %first = llvm.mlir.constant(0 : i32) : i32\n"
       << formatv("  %z = llvm.mlir.zero : {0}\n", type);
    if (wide)
      os << formatv("  %byte = llvm.mlir.constant(dense<8> : {0}) : {0}\n",
                    filter);
    os << formatv("  llvm.br ^turn{0}\n",
                  getOperands("%zero", "%z", /*numbered=*/false));
    writeHead("turn", "%turn", "%t");
    os << "  llvm.br ^step" << getOperands("%zero", "%t") << "\n";
    writeHead("step", "%step", "%s");
    for (int64_t c = 0; c < block.registers; ++c)
      writeFilter(c);
    for (int64_t r = 0; r < block.rows; ++r) {
      writeRow(r);
      for (int64_t c = 0; c < block.registers; ++c)
        writeStep(r, c);
    }
    writeBranch("step", "end", "%step", "%steps");
    os << "^end:\n";
    writeBranch("turn", "done", "%turn", "%turns");
    os << "^done:\n";
    for (int64_t i = 0; i < block.rows * block.registers; ++i)
      os << formatv("  %o{0} = llvm.getelementptr %out[{0}] : (!llvm.ptr) -> "
                    "!llvm.ptr, {1}\n  llvm.store %n{0}, %o{0} : {1}, "
                    "!llvm.ptr\n",
                    i, type);
    os << "  llvm.return\n}\n";
    return text;
  }

private:
  /// A register's worth of elements, one in `bits` bits.
  std::string getVector(int64_t bits, llvm::StringRef element) const {
    return formatv("vector<{0}x{1}>", block.bits / bits, element).str();
  }

  /// A counter and the sums, with their types.
  std::string getOperands(llvm::StringRef counter, llvm::StringRef sum,
                          bool numbered = true) {
    std::string values = counter.str(), types = "i64";
    for (int64_t i = 0; i < block.rows * block.registers; ++i) {
      values += ", " + sum.str() + (numbered ? std::to_string(i) : "");
      types += ", " + type;
    }
    return "(" + values + " : " + types + ")";
  }

  void writeHead(llvm::StringRef label, llvm::StringRef counter,
                 llvm::StringRef sum) {
    os << formatv("^{0}({1}: i64", label, counter);
    for (int64_t i = 0; i < block.rows * block.registers; ++i)
      os << formatv(", {0}{1}: {2}", sum, i, type);
    os << "):\n";
  }

  void writeBranch(llvm::StringRef again, llvm::StringRef done,
                   llvm::StringRef counter, llvm::StringRef end) {
    os << formatv("  %next_{0} = llvm.add {1}, %one : i64\n"
                  "  %more_{0} = llvm.icmp \"slt\" %next_{0}, {2} : i64\n"
                  "  llvm.cond_br %more_{0}, ^{0}{3}, ^{4} {{loop_annotation "
                  "= #llvm.loop_annotation<vectorize = <disable = true>, "
                  "unroll = <disable = true>>}\n",
                  again, counter, end,
                  getOperands(("%next_" + again).str(), "%n"), done);
  }

  void writeLoad(llvm::StringRef name, llvm::StringRef base,
                 llvm::StringRef loaded, int64_t index, int64_t count) {
    os << formatv("  {0}_at = llvm.getelementptr {1}[%step, {2}] : (!llvm.ptr, "
                  "i64) -> !llvm.ptr, !llvm.array<{3} x {4}>\n"
                  "  {0} = llvm.load {0}_at : !llvm.ptr -> {4}\n",
                  name, base, index, count, loaded);
  }

  /// %b: register `c` of the filter.
  void writeFilter(int64_t c) {
    writeLoad(formatv("%b{0}", c).str(), "%filters", filter, c,
              block.registers);
    if (wide)
      writeWide(formatv("%b{0}", c).str(), "ashr");
  }

  /// The even and the odd bytes of a vector, in 16 bits.
  void writeWide(llvm::StringRef name, llvm::StringRef shift) {
    os << formatv("  {0}_up = llvm.shl {0}, %byte : {1}\n"
                  "  {0}_even = llvm.{2} {0}_up, %byte : {1}\n"
                  "  {0}_odd = llvm.{2} {0}, %byte : {1}\n",
                  name, filter, shift);
  }

  /// %v: what row `r` brings to each of its registers, or, of a depthwise
  /// product, for each of them.
  void writeRow(int64_t r) {
    if (block.kind == StepKind::Depthwise) {
      for (int64_t c = 0; c < block.registers; ++c)
        writeLoad(formatv("%v{0}_{1}", r, c).str(), "%inputs", type,
                  r * block.registers + c, block.rows * block.registers);
      return;
    }
    if (block.kind == StepKind::Scalar)
      return writeLoad(formatv("%v{0}", r).str(), "%inputs", element, r,
                       block.rows);
    writeLoad(formatv("%a{0}", r).str(), "%inputs", element, r, block.rows);
    if (block.kind == StepKind::Table) {
      os << formatv("  %i{0} = llvm.zext %a{0} : i8 to i64\n"
                    "  %p{0} = llvm.getelementptr %tables[%i{0}] : "
                    "(!llvm.ptr, i64) -> !llvm.ptr, i64\n"
                    "  %v{0} = llvm.load %p{0} : !llvm.ptr -> {1}\n",
                    r, type);
      return;
    }
    bool bytes = takesBytes(block.kind);
    std::string lanes = bytes ? getVector(32, element) : type, zeros = "0";
    for (int64_t lane = 1; lane < block.getLanes(); ++lane)
      zeros += ", 0";
    os << formatv("  %u{0} = llvm.mlir.poison : {1}\n"
                  "  %e{0} = llvm.insertelement %a{0}, %u{0}[%first : i32] : "
                  "{1}\n"
                  "  %{3}{0} = llvm.shufflevector %e{0}, %u{0} [{2}] : {1}\n",
                  r, lanes, zeros, bytes ? "w" : "v");
    if (!bytes)
      return;
    os << formatv("  %v{0} = llvm.bitcast %w{0} : {1} to {2}\n", r, lanes,
                  filter);
    if (wide)
      writeWide(formatv("%v{0}", r).str(), "lshr");
  }

  /// %n: the sum of row `r` and register `c` after the step.
  void writeStep(int64_t r, int64_t c) {
    int64_t i = r * block.registers + c;
    const char *format = nullptr;
    switch (block.kind) {
    case StepKind::PopcountLanes:
    case StepKind::PopcountBytes:
    case StepKind::Scalar:
      format = "  %x{0} = llvm.xor %v{1}, %b{2} : {3}\n"
               "  %c{0} = llvm.intr.ctpop(%x{0}) : ({3}) -> {3}\n"
               "  %n{0} = llvm.add %s{0}, %c{0} : {3}\n";
      break;
    case StepKind::Depthwise:
      format = "  %x{0} = llvm.xor %v{1}_{2}, %b{2} : {3}\n"
               "  %n{0} = llvm.add %s{0}, %x{0} : {3}\n";
      break;
    case StepKind::Table:
      format = "  %c{0} = llvm.call_intrinsic \"llvm.{4}\"(%v{1}, %b{2}) : "
               "({3}, {3}) -> {3}\n"
               "  %n{0} = llvm.add %s{0}, %c{0} : {3}\n";
      break;
    case StepKind::ByteDots:
      format = "  %n{0} = llvm.call_intrinsic \"llvm.{4}\"(%s{0}, %v{1}, "
               "%b{2}) : ({3}, {5}, {5}) -> {3}\n";
      break;
    case StepKind::WidePairs:
      format = "  %c{0} = llvm.call_intrinsic \"llvm.{4}\"(%v{1}_even, "
               "%b{2}_even) : ({5}, {5}) -> {3}\n"
               "  %d{0} = llvm.call_intrinsic \"llvm.{4}\"(%v{1}_odd, "
               "%b{2}_odd) : ({5}, {5}) -> {3}\n"
               "  %p{0} = llvm.add %c{0}, %d{0} : {3}\n"
               "  %n{0} = llvm.add %s{0}, %p{0} : {3}\n";
      break;
    case StepKind::BytePairs:
      format = "  %c{0} = llvm.call_intrinsic \"llvm.{4}\"(%v{1}, %b{2}) : "
               "({5}, {5}) -> {3}\n"
               "  %n{0} = llvm.add %s{0}, %c{0} : {3}\n";
      break;
    case StepKind::Fma:
      format = fuses ? "  %n{0} = llvm.intr.fma(%v{1}, %b{2}, %s{0}) : ({3}, "
                       "{3}, {3}) -> {3}\n"
                     : "  %c{0} = llvm.fmul %v{1}, %b{2} : {3}\n"
                       "  %n{0} = llvm.fadd %s{0}, %c{0} : {3}\n";
      break;
    }
    os << formatv(false, format, i, r, c, type, getIntrinsic(), filter);
  }

  llvm::StringRef getIntrinsic() const {
    auto choose = [&](llvm::StringRef of128, llvm::StringRef of256,
                      llvm::StringRef of512) {
      return block.bits == 128 ? of128 : block.bits == 256 ? of256 : of512;
    };
    switch (block.kind) {
    case StepKind::Table:
      return choose("x86.ssse3.pshuf.b.128", "x86.avx2.pshuf.b",
                    "x86.avx512.pshuf.b.512");
    case StepKind::ByteDots:
      return arm ? "aarch64.neon.sdot"
                 : choose("x86.avx512.vpdpbusd.128", "x86.avx512.vpdpbusd.256",
                          "x86.avx512.vpdpbusd.512");
    case StepKind::BytePairs:
      return choose("x86.ssse3.pmadd.ub.sw.128", "x86.avx2.pmadd.ub.sw",
                    "x86.avx512.pmaddubs.w.512");
    case StepKind::WidePairs:
      return choose("x86.sse2.pmadd.wd", "x86.avx2.pmadd.wd",
                    "x86.avx512.pmaddw.d.512");
    default:
      return "";
    }
  }

  const Block &block;
  bool fuses, arm, wide;
  /// Of an input, a sum and a register of the filter.
  std::string element, type, filter, text;
  llvm::raw_string_ostream os;
};
} // namespace

bool BareLoop::canRun(StepKind kind, const Target &target) {
  TargetDescription description(target);
  switch (kind) {
  case StepKind::Table:
    return target.triple.isX86() && description.byteShuffleBits;
  case StepKind::ByteDots:
    return description.hasByteDotProducts;
  case StepKind::BytePairs:
  case StepKind::WidePairs:
    return description.bytePairBits;
  default:
    return true;
  }
}

static llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
build(const Block &block, const Target &target, mlir::MLIRContext *context) {
  if (!BareLoop::canRun(block.kind, target))
    return llvm::createStringError(llvm::Twine("expected a target with ") +
                                   (takesBytes(block.kind)
                                        ? "products of bytes for kernel 'bytes'"
                                        : "a byte shuffle for kernel 'table'") +
                                   ", but got CPU '" + target.cpu + "'");
  context->loadDialect<mlir::LLVM::LLVMDialect>();
  return mlir::parseSourceString<mlir::ModuleOp>(
      LoopWriter(block, target).write(), context);
}

llvm::Expected<std::string> BareLoop::getAssembly(const Block &block,
                                                  const Target &target,
                                                  mlir::MLIRContext *context) {
  auto module = build(block, target, context);
  if (!module)
    return module.takeError();
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream os(text);
  if (llvm::Error error = emitCode(**module, target, CodeKind::Assembly,
                                   /*progress=*/nullptr, os))
    return std::move(error);
  return text.str().str();
}

//===----------------------------------------------------------------------===//
// The data
//===----------------------------------------------------------------------===//

static uint8_t *allocate(int64_t bytes) {
  return static_cast<uint8_t *>(
      std::aligned_alloc(64, llvm::alignTo(bytes, 64)));
}

/// Floats between .5 and 1 and their negatives: no step is slower for its
/// operands.
static void fill(uint8_t *data, int64_t bytes) {
  uint32_t seed = 1;
  for (int64_t i = 0; i < bytes; ++i) {
    seed = seed * 1664525u + 1013904223u;
    uint8_t byte = seed >> 24;
    data[i] = i % 4 == 3   ? 0x3f | (byte & 0x80)
              : i % 4 == 2 ? byte & 0x7f
                           : byte;
  }
}

/// Of vectors that a step loads.
static int64_t getStepBytes(const Block &block) {
  int64_t vectors = block.registers;
  if (block.kind == StepKind::Depthwise)
    vectors += block.rows * block.registers;
  return vectors * block.bits / 8;
}

BareLoop::BareLoop(const Block &block)
    : block(block),
      period(std::min<int64_t>(256, kOperandBytes / getStepBytes(block))),
      inputs(nullptr, &std::free), filters(nullptr, &std::free),
      tables(nullptr, &std::free), sums(nullptr, &std::free) {
  int64_t bytes = block.bits / 8;
  int64_t inputBytes = period * block.rows * block.getInputBits() / 8;
  inputs.reset(allocate(inputBytes));
  fill(inputs.get(), inputBytes);
  filters.reset(allocate(period * block.registers * bytes));
  fill(filters.get(), period * block.registers * bytes);
  sums.reset(allocate(block.rows * block.registers * bytes));
  if (block.kind != StepKind::Table)
    return;
  // The input is the place of a table, in units of eight bytes.
  for (int64_t i = 0; i < inputBytes; ++i)
    inputs.get()[i] = (inputs.get()[i] & 15) * bytes / 8;
  tables.reset(allocate(16 * bytes));
  for (int64_t i = 0; i < 16 * bytes; ++i)
    tables.get()[i] = llvm::popcount(uint32_t(i / bytes ^ i) & 15);
}

llvm::Expected<CompiledLoop>
bench::compileForThisMachine(mlir::ModuleOp module, llvm::StringRef function,
                             const Target &target) {
  if (!target.runsHere())
    return llvm::createStringError("expected a CPU with the features of '" +
                                   target.cpu + "', but this one lacks some");
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> object =
      compileObject(module, target);
  if (!object)
    return object.takeError();
  llvm::Expected<std::unique_ptr<JIT>> jit = JIT::create(**object, target);
  if (!jit)
    return jit.takeError();
  llvm::Expected<void *> address = (*jit)->lookup(function);
  if (!address)
    return address.takeError();
  return CompiledLoop{std::move(*jit), *address};
}

llvm::Expected<std::unique_ptr<BareLoop>>
BareLoop::create(const Block &block, const Target &target,
                 mlir::MLIRContext *context) {
  auto module = build(block, target, context);
  if (!module)
    return module.takeError();
  llvm::Expected<CompiledLoop> compiled =
      compileForThisMachine(**module, "limit", target);
  if (!compiled)
    return compiled.takeError();
  std::unique_ptr<BareLoop> result(new BareLoop(block));
  result->jit = std::move(compiled->jit);
  result->loop = reinterpret_cast<decltype(result->loop)>(compiled->address);
  return std::move(result);
}

double BareLoop::measure(int64_t steps) const {
  int64_t turns = llvm::divideCeil(steps, period);
  auto start = std::chrono::steady_clock::now();
  loop(turns, period, inputs.get(), filters.get(), tables.get(), sums.get());
  std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
  return time.count() / double(turns * period);
}
