//===- LoopWriter.cpp - The code of a bare loop ---------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopWriter.h"
#include "bquant/Target/TargetDescription.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace bquant;
using namespace bquant::bench;
using llvm::formatv;

namespace {
class LoopWriter {
public:
  LoopWriter(const Block &block, const Target &target)
      : block(block), fuses(TargetDescription(target).fusesMultiplyAdd),
        arm(target.triple.isAArch64()), os(text) {
    bool floats =
        block.kind == StepKind::Fma || block.kind == StepKind::SumTable;
    element = floats ? "f32" : formatv("i{0}", getLaneBits(block.kind)).str();
    type = block.getLanes() == 1
               ? element
               : getVector(block.bits / block.getLanes(), element);
    wide = block.kind == StepKind::WidePairs;
    filter = block.kind == StepKind::SumTable ? getVector(32, "i32")
             : wide                           ? getVector(16, "i16")
             : takesBytes(block.kind)         ? getVector(8, "i8")
                                              : type;
    // Sums are f32, what a row reads are pairs.
    if (block.kind == StepKind::BF16Dots) {
      type = getVector(32, "f32");
      filter = getVector(16, "bf16");
    }
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
    if (block.kind == StepKind::SumTable)
      for (int64_t i = 1; i < block.getIndices(); ++i)
        os << formatv("  %shift{0} = llvm.mlir.constant(dense<{1}> : {2}) : "
                      "{2}\n",
                      i, i * block.getTerms(), filter);
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
    if (block.kind == StepKind::SumTable)
      return writeTables(r);
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
    bool parts = takesParts(block.kind);
    std::string lanes = parts ? getVector(32, element) : type, zeros = "0";
    for (int64_t lane = 1; lane < block.getLanes(); ++lane)
      zeros += ", 0";
    os << formatv("  %u{0} = llvm.mlir.poison : {1}\n"
                  "  %e{0} = llvm.insertelement %a{0}, %u{0}[%first : i32] : "
                  "{1}\n"
                  "  %{3}{0} = llvm.shufflevector %e{0}, %u{0} [{2}] : {1}\n",
                  r, lanes, zeros, parts ? "w" : "v");
    if (!parts)
      return;
    os << formatv("  %v{0} = llvm.bitcast %w{0} : {1} to {2}\n", r, lanes,
                  filter);
    if (wide)
      writeWide(formatv("%v{0}", r).str(), "lshr");
  }

  /// Registers of a table.
  int64_t getHalves() const { return block.bits == 512 ? 2 : 1; }

  /// %v: the tables of row `r`.
  void writeTables(int64_t r) {
    int64_t count = block.getIndices() * getHalves();
    for (int64_t i = 0; i < count; ++i)
      writeLoad(formatv("%v{0}_{1}", r, i).str(), "%inputs", type,
                r * count + i, block.rows * count);
  }

  /// %n by a lookup for each index.
  void writeLookups(int64_t r, int64_t c) {
    int64_t n = r * block.registers + c, indices = block.getIndices();
    std::string sum = formatv("%s{0}", n).str();
    for (int64_t i = 0; i < indices; ++i) {
      std::string name = formatv("{0}_{1}", n, i).str(),
                  index = formatv("%b{0}", c).str();
      if (i > 0) {
        os << formatv("  %i{0} = llvm.lshr {1}, %shift{2} : {3}\n", name, index,
                      i, filter);
        index = "%i" + name;
      }
      if (block.bits == 512)
        os << formatv("  %e{0} = llvm.call_intrinsic "
                      "\"llvm.x86.avx512.vpermi2var.ps.512\"(%v{1}_{2}, {3}, "
                      "%v{1}_{4}) : ({5}, {6}, {5}) -> {5}\n",
                      name, r, 2 * i, index, 2 * i + 1, type, filter);
      else
        os << formatv("  %e{0} = llvm.call_intrinsic "
                      "\"llvm.x86.avx2.permps\"(%v{1}_{2}, {3}) : ({4}, {5}) "
                      "-> {4}\n",
                      name, r, i, index, type, filter);
      std::string next = i + 1 < indices ? "%t" + name : formatv("%n{0}", n);
      os << formatv("  {0} = llvm.fadd {1}, %e{2} : {3}\n", next, sum, name,
                    type);
      sum = next;
    }
  }

  /// %n: the sum of row `r` and register `c` after the step.
  void writeStep(int64_t r, int64_t c) {
    if (block.kind == StepKind::SumTable)
      return writeLookups(r, c);
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
    case StepKind::BF16Dots:
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
    case StepKind::SumTable:
      llvm_unreachable("has lookups");
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
    case StepKind::BF16Dots:
      return arm ? "aarch64.neon.bfdot"
                 : choose("x86.avx512bf16.dpbf16ps.128",
                          "x86.avx512bf16.dpbf16ps.256",
                          "x86.avx512bf16.dpbf16ps.512");
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

std::string bench::writeLoop(const Block &block, const Target &target) {
  return LoopWriter(block, target).write();
}
