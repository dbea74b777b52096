//===- Options.h - Options that take one of several names -------*- C++ -*-===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An enum and a table for each such option. Tools and passes parse it, C and
// Python list it (`bquantOptionValues`), and pages are compared with it. ODS
// has enums, too, but no text for the help of a value.
//
//===----------------------------------------------------------------------===//

#ifndef BQUANT_SUPPORT_OPTIONS_H
#define BQUANT_SUPPORT_OPTIONS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace bquant {

/// How products of bits are counted.
enum class Strategy { Auto, Popcount, Table, Bytes, Scalar, Reference };

/// What inputs and filters of products of floats are rounded to.
enum class FloatPrecision { F32, BF16 };

/// What raising may take for granted.
enum class Assumption { NoNaN, NoZero, ExactResidues };

/// What a compilation writes, in the order of `BQuantEmit`.
enum class EmitKind { Shared, Object, Assembly, LLVMIR, MLIR, Header };

/// A value of an option.
struct Choice {
  llvm::StringLiteral name, summary;
};

/// The values of an enum, in its order.
template <typename EnumT> struct Choices;

template <> struct Choices<Strategy> {
  static constexpr Choice all[] = {
      {"auto", "for each layer the kernel that should be the fastest"},
      {"popcount", "counts of bits (AVX-512 VPOPCNTDQ or BITALG, NEON)"},
      {"table", "byte shuffles (SSSE3, AVX2, AVX-512, NEON)"},
      {"bytes", "products of bytes, of values whose scalars are multiples of "
                "one"},
      {"scalar", "any CPU"},
      {"reference", "the slow and plain route"},
  };
};

template <> struct Choices<FloatPrecision> {
  static constexpr Choice all[] = {
      {"f32", "nothing is rounded"},
      {"bf16", "bf16, summed in f32, by a CPU's dot products of bf16"},
  };
};

template <> struct Choices<Assumption> {
  static constexpr Choice all[] = {
      {"no-nan", "no NaN is where a sign treats it otherwise than bquant's"},
      {"no-zero", "no zero is where a sign treats it otherwise than bquant's"},
      {"exact-residues", "straight-through residues (q - c) + c are q, also "
                         "with --strict"},
  };
};

template <> struct Choices<EmitKind> {
  static constexpr Choice all[] = {
      {"shared", "shared library, and a C header beside it"},
      {"obj", "object file"},
      {"asm", "assembly"},
      {"llvm", "optimized LLVM IR"},
      {"mlir", "MLIR in the LLVM dialect"},
      {"header", "C header alone, e.g. for an object file"},
  };
};

/// "auto, popcount, table", of a table.
template <typename Table> std::string listNames(const Table &table) {
  return llvm::join(
      llvm::map_range(table, [](const auto &row) { return row.name; }), ", ");
}

template <typename EnumT> llvm::StringRef stringify(EnumT value) {
  return Choices<EnumT>::all[size_t(value)].name;
}

/// The value of that name; fails with the names that exist.
template <typename EnumT>
llvm::Expected<EnumT> symbolize(llvm::StringRef name) {
  const auto &all = Choices<EnumT>::all;
  const Choice *found = llvm::find_if(
      all, [&](const Choice &choice) { return choice.name == name; });
  if (found != std::end(all))
    return EnumT(found - all);
  return llvm::createStringError("expected one of " + listNames(all) +
                                 ", but got '" + name + "'");
}

/// As llvm::cl::parser of an enum, whose error does not list the names.
template <typename EnumT>
class ChoiceParser : public llvm::cl::generic_parser_base {
public:
  using parser_data_type = EnumT;

  explicit ChoiceParser(llvm::cl::Option &option)
      : generic_parser_base(option) {
    for (const Choice &choice : Choices<EnumT>::all)
      Values.push_back({choice, EnumT(Values.size())});
  }

  bool parse(llvm::cl::Option &option, llvm::StringRef, llvm::StringRef name,
             EnumT &value) {
    llvm::Expected<EnumT> found = symbolize<EnumT>(name);
    if (!found)
      return option.error(llvm::toString(found.takeError()));
    value = *found;
    return false;
  }

  unsigned getNumOptions() const override { return Values.size(); }
  llvm::StringRef getOption(unsigned i) const override {
    return Values[i].Name;
  }
  llvm::StringRef getDescription(unsigned i) const override {
    return Values[i].HelpStr;
  }
  const llvm::cl::GenericOptionValue &
  getOptionValue(unsigned i) const override {
    return Values[i].V;
  }

protected:
  // mlir::PassOptions reads these by the names that upstream's parser has.
  // NOLINTBEGIN(readability-identifier-naming)
  struct OptionInfo : GenericOptionInfo {
    OptionInfo(const Choice &choice, EnumT value)
        : GenericOptionInfo(choice.name, choice.summary), V(value) {}
    llvm::cl::OptionValue<EnumT> V;
  };
  llvm::SmallVector<OptionInfo> Values;
  // NOLINTEND(readability-identifier-naming)
};

} // namespace bquant

namespace llvm::cl {
template <>
class parser<bquant::Strategy> : public bquant::ChoiceParser<bquant::Strategy> {
public:
  explicit parser(Option &option) : ChoiceParser(option) {}
};
template <>
class parser<bquant::FloatPrecision>
    : public bquant::ChoiceParser<bquant::FloatPrecision> {
public:
  explicit parser(Option &option) : ChoiceParser(option) {}
};
template <>
class parser<bquant::Assumption>
    : public bquant::ChoiceParser<bquant::Assumption> {
public:
  explicit parser(Option &option) : ChoiceParser(option) {}
};
template <>
class parser<bquant::EmitKind> : public bquant::ChoiceParser<bquant::EmitKind> {
public:
  explicit parser(Option &option) : ChoiceParser(option) {}
};
} // namespace llvm::cl

#endif // BQUANT_SUPPORT_OPTIONS_H
