//===- Case.cpp - One convolution to measure ------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Case.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <random>

using namespace mlir;
using namespace bquant;
using namespace bquant::bench;

std::vector<float> Planes::getScalars() const {
  if (ternary || uniform)
    return {0.5f};
  std::vector<float> scalars(count);
  for (int64_t i = 0; i < count; ++i)
    scalars[i] = 0.75f / float(1 << i);
  return scalars;
}

SmallVector<int64_t> Planes::getRatios() const {
  if (ternary)
    return {1, 1};
  SmallVector<int64_t> ratios;
  for (int64_t i = count; uniform && i-- > 0;)
    ratios.push_back(int64_t(1) << i);
  return ratios;
}

std::string Planes::getName() const {
  return ternary ? "T" : (uniform ? "u" : "") + std::to_string(count);
}

/// Of a tensor: 1 GiB of floats.
static constexpr int64_t kMostElements = int64_t(1) << 28;

llvm::Error Case::verify() const {
  if (filter[0] % groups != 0)
    return llvm::createStringError("expected groups that divide the filters, "
                                   "but got " +
                                   llvm::Twine(groups) + " groups for " +
                                   llvm::Twine(filter[0]) + " filters");
  if (input[3] != filter[3] * groups)
    return llvm::createStringError(
        "expected a filter of " + llvm::Twine(input[3] / groups) +
        " channels for each of " + llvm::Twine(groups) + " groups, but got " +
        llvm::Twine(filter[3]));
  std::array<int64_t, 4> output = getOutput();
  for (int64_t size : output)
    if (size < 1)
      return llvm::createStringError(
          "expected an output of at least one pixel, but got " + getName());
  for (const std::array<int64_t, 4> &shape : {input, filter, output}) {
    int64_t left = kMostElements;
    for (int64_t size : shape)
      left /= size;
    if (left == 0)
      return llvm::createStringError(
          "expected at most " + llvm::Twine(kMostElements) +
          " elements a tensor, but got " + getName());
  }
  bool hasOnePlane = !activations.ternary && activations.count == 1;
  if (padValue != 0 && (padValue != 1 || !hasOnePlane))
    return llvm::createStringError(
        "expected a pad value of 0, or 1 for one plane of activations, but "
        "got " +
        llvm::Twine(padValue) + " for planes " + activations.getName() + "x" +
        weights.getName());
  bool integer = activations.hasOneScalar() && weights.hasOneScalar();
  if (!integer &&
      (epilogue == Epilogue::I32 || epilogue == Epilogue::Threshold))
    return llvm::createStringError(
        "expected one scalar on both sides (1, T, u2 to u8) for an i32 "
        "accumulator, but got planes " +
        activations.getName() + "x" + weights.getName());
  return llvm::Error::success();
}

static StringRef getEpilogueName(Epilogue epilogue) {
  switch (epilogue) {
  case Epilogue::I32:
    return "i32";
  case Epilogue::F32:
    return "f32";
  case Epilogue::Threshold:
    return "threshold";
  case Epilogue::Shortcut:
    return "shortcut";
  }
  llvm_unreachable("unknown epilogue");
}

std::string Case::getName() const {
  std::string name;
  llvm::raw_string_ostream os(name);
  auto list = [&](ArrayRef<int64_t> values, StringRef separator) {
    llvm::interleave(values, os, separator);
  };
  list(input, "x");
  os << ",";
  list(filter, "x");
  os << " strides ";
  list(strides, ",");
  os << " pads ";
  list(pads, ",");
  if (dilations != std::array<int64_t, 2>{1, 1}) {
    os << " dilations ";
    list(dilations, ",");
  }
  if (groups != 1)
    os << " groups " << groups;
  if (padValue != 0)
    os << " pad-value " << padValue;
  os << " planes " << activations.getName() << "x" << weights.getName() << " "
     << getEpilogueName(epilogue);
  return name;
}

std::array<int64_t, 4> Case::getOutput() const {
  auto size = [&](int d) {
    int64_t extent = dilations[d] * (filter[d + 1] - 1) + 1;
    int64_t padded = input[d + 1] + pads[2 * d] + pads[2 * d + 1];
    return padded < extent ? 0 : (padded - extent) / strides[d] + 1;
  };
  return {input[0], size(0), size(1), filter[0]};
}

double Case::getPairs() const {
  double pairs = 1;
  for (const Planes &planes : {activations, weights})
    pairs *= planes.ternary ? 1 : planes.count;
  return pairs;
}

double Case::getMacs() const {
  double macs = double(filter[1]) * filter[2] * filter[3];
  for (int64_t size : getOutput())
    macs *= size;
  return macs * getPairs();
}

double Case::getUsefulShare(int64_t lanes, int64_t positions) const {
  auto getShare = [](int64_t size, int64_t step) {
    return double(size) / double(llvm::alignTo(size, step));
  };
  int64_t filters = filter[0] / groups;
  return getShare(filters < lanes ? filter[0] : filters, lanes) *
         getShare(filter[3], positions);
}

//===----------------------------------------------------------------------===//
// The program
//===----------------------------------------------------------------------===//

namespace {
class CaseBuilder {
public:
  CaseBuilder(const Case &c, MLIRContext *context, LayoutAttrInterface layout,
              Attribute kernel)
      : c(c), b(UnknownLoc::get(context), context), layout(layout),
        kernel(kernel), output(c.getOutput()) {}

  OwningOpRef<ModuleOp> build() {
    OwningOpRef<ModuleOp> module = ModuleOp::create(b.getLoc());
    b.setInsertionPointToEnd(module->getBody());
    SmallVector<Type> inputs = getValueTypes(c.input, c.activations);
    if (c.epilogue == Epilogue::Shortcut)
      inputs.push_back(getTensor(output, b.getF32Type()));
    auto func = func::FuncOp::create(b, kFunction,
                                     b.getFunctionType(inputs, TypeRange()));
    Block *block = func.addEntryBlock();
    b.setInsertionPointToEnd(block);
    Value product = createProduct(createInput(block->getArguments()));
    SmallVector<Value> results = createEpilogue(product, block->getArguments());
    func::ReturnOp::create(b, results);
    func.setType(b.getFunctionType(inputs, TypeRange(ValueRange(results))));
    return module;
  }

private:
  RankedTensorType getTensor(ArrayRef<int64_t> shape, Type element) {
    return RankedTensorType::get(shape, element);
  }

  SBTensorType getType(ArrayRef<int64_t> shape, const Planes &planes,
                       ArrayRef<int64_t> axes = {}) {
    return SBTensorType::get(b.getContext(), shape,
                             planes.ternary ? 2 : planes.count,
                             planes.getRatios(), axes,
                             /*hasOffset=*/false);
  }

  /// The types that a value crosses the function's boundary as.
  SmallVector<Type> getValueTypes(ArrayRef<int64_t> shape,
                                  const Planes &planes) {
    if (!layout)
      return {getTensor(shape, b.getF32Type())};
    return SmallVector<Type>(planes.countTensors(layout),
                             getPackedType(layout, shape));
  }

  Value createFloats(ArrayRef<int64_t> shape, float low, float high) {
    auto type = getTensor(shape, b.getF32Type());
    std::uniform_real_distribution<float> distribution(low, high);
    SmallVector<float> values(type.getNumElements());
    for (float &value : values)
      value = distribution(random);
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(type, ArrayRef(values)));
  }

  Value createScalars(const Planes &planes) {
    std::vector<float> scalars = planes.getScalars();
    return arith::ConstantOp::create(
        b, DenseElementsAttr::get(
               getTensor(int64_t(scalars.size()), b.getF32Type()),
               ArrayRef(scalars)));
  }

  Value createInput(ValueRange arguments) {
    SBTensorType type = getType(c.input, c.activations);
    Value scalars = createScalars(c.activations);
    if (!layout)
      return QuantizeOp::create(b, type, arguments[0], scalars);
    SmallVector<Value> parts(
        arguments.take_front(c.activations.countTensors(layout)));
    parts.push_back(scalars);
    return UnrealizedConversionCastOp::create(b, type, parts).getResult(0);
  }

  Value createProduct(Value input) {
    SBTensorType type = getType(c.filter, c.weights, /*axes=*/{0});
    SmallVector<int64_t> shape{type.getPlanes()};
    shape.append(c.filter.begin(), c.filter.end());
    shape.back() = llvm::divideCeil(shape.back(), kWordBits);
    auto wordsType = getTensor(shape, b.getI32Type());
    SmallVector<int32_t> words(wordsType.getNumElements());
    int64_t unused = shape.back() * kWordBits - c.filter[3];
    for (auto [i, word] : llvm::enumerate(words)) {
      word = int32_t(random());
      if (int64_t(i + 1) % shape.back() == 0)
        word = int32_t(uint32_t(word) << unused >> unused);
    }
    std::vector<float> scalars;
    for (float scalar : c.weights.getScalars())
      for (int64_t o = 0; o < c.filter[0]; ++o)
        scalars.push_back(scalar * (1.0f + float(o % 7) / 8.0f));
    auto scalarsType = getTensor(
        {int64_t(scalars.size()) / c.filter[0], c.filter[0]}, b.getF32Type());
    Value filter = ConstantOp::create(
        b, type, DenseElementsAttr::get(wordsType, ArrayRef(words)),
        DenseElementsAttr::get(scalarsType, ArrayRef(scalars)),
        /*offset=*/nullptr);
    bool integer =
        c.epilogue == Epilogue::I32 || c.epilogue == Epilogue::Threshold;
    Type element = integer ? Type(b.getI32Type()) : Type(b.getF32Type());
    return Conv2DOp::create(b, getTensor(output, element), input, filter,
                            c.strides, c.dilations, c.pads, c.groups,
                            c.padValue, kernel);
  }

  /// `body` for each element of `operands`; those of rank 1 are channels'.
  Value createElementwise(
      ValueRange operands,
      function_ref<Value(OpBuilder &, Location, ValueRange)> body) {
    auto type = getTensor(output, b.getF32Type());
    Value init = tensor::EmptyOp::create(b, output, b.getF32Type());
    AffineMap identity = b.getMultiDimIdentityMap(4);
    SmallVector<AffineMap> maps;
    for (Value operand : operands)
      maps.push_back(cast<RankedTensorType>(operand.getType()).getRank() == 1
                         ? AffineMap::get(4, 0, b.getAffineDimExpr(3))
                         : identity);
    maps.push_back(identity);
    return linalg::GenericOp::create(
               b, TypeRange(type), operands, init, maps,
               SmallVector<utils::IteratorType>(4,
                                                utils::IteratorType::parallel),
               [&](OpBuilder &nested, Location loc, ValueRange args) {
                 linalg::YieldOp::create(nested, loc, body(nested, loc, args));
               })
        .getResult(0);
  }

  /// A quantized value on its way out.
  SmallVector<Value> createOutput(Value quantized, const Planes &planes) {
    SmallVector<Type> types = getValueTypes(output, planes);
    if (!layout)
      return {DequantizeOp::create(b, types[0], quantized)};
    int64_t scalars = planes.getScalars().size();
    types.push_back(getTensor(scalars, b.getF32Type()));
    auto parts = UnrealizedConversionCastOp::create(b, types, quantized);
    return SmallVector<Value>(parts.getResults().drop_back());
  }

  SmallVector<Value> createEpilogue(Value product, ValueRange arguments) {
    switch (c.epilogue) {
    case Epilogue::I32:
      return {product};
    case Epilogue::F32: {
      Value bias = createFloats(output[3], -4.0f, 4.0f);
      Value slope = createFloats(output[3], 0.0f, 0.5f);
      return {createElementwise(
          {product, bias, slope},
          [](OpBuilder &b, Location loc, ValueRange args) -> Value {
            Value sum = arith::AddFOp::create(b, loc, args[0], args[1]);
            Value zero =
                arith::ConstantOp::create(b, loc, b.getF32FloatAttr(0.0f));
            Value positive = arith::CmpFOp::create(
                b, loc, arith::CmpFPredicate::OGE, sum, zero);
            Value scaled = arith::MulFOp::create(b, loc, sum, args[2]);
            return arith::SelectOp::create(b, loc, positive, sum, scaled);
          })};
    }
    case Epilogue::Threshold: {
      auto type = getTensor({output[3], 1}, b.getI32Type());
      SmallVector<int32_t> values(type.getNumElements());
      for (int32_t &value : values)
        value = int32_t(random() % 17) - 8;
      Value thresholds = arith::ConstantOp::create(
          b, DenseElementsAttr::get(type, ArrayRef(values)));
      Planes one;
      Value quantized =
          QuantizeOp::create(b, getType(output, one), product, thresholds,
                             ArrayRef<int64_t>{0, 1}, createScalars(one),
                             /*offset=*/Value());
      return createOutput(quantized, one);
    }
    case Epilogue::Shortcut: {
      Value sum = createElementwise(
          {product, arguments.back()},
          [](OpBuilder &b, Location loc, ValueRange args) -> Value {
            return arith::AddFOp::create(b, loc, args[0], args[1]);
          });
      Value quantized = QuantizeOp::create(b, getType(output, c.activations),
                                           sum, createScalars(c.activations));
      SmallVector<Value> results{sum};
      results.append(createOutput(quantized, c.activations));
      return results;
    }
    }
    llvm_unreachable("unknown epilogue");
  }

  const Case &c;
  ImplicitLocOpBuilder b;
  LayoutAttrInterface layout;
  Attribute kernel;
  std::array<int64_t, 4> output;
  /// The same sequence for both forms of a case.
  std::mt19937 random{20240229};
};
} // namespace

OwningOpRef<ModuleOp> bench::buildCase(const Case &c, MLIRContext *context,
                                       LayoutAttrInterface layout,
                                       Attribute kernel) {
  context->loadDialect<BQuantDialect, arith::ArithDialect, func::FuncDialect,
                       linalg::LinalgDialect, tensor::TensorDialect>();
  return CaseBuilder(c, context, layout, kernel).build();
}
