//===- Signature.cpp - How a function looks from C --------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Signature.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

/// NumPy's name of an element type that may cross the interface.
static StringRef toDType(Type type) {
  if (type.isF16())
    return "float16";
  if (type.isBF16())
    return "bfloat16";
  if (type.isF32())
    return "float32";
  if (type.isF64())
    return "float64";
  switch (type.getIntOrFloatBitWidth()) {
  case 1:
    return "bool";
  case 8:
    return type.isUnsignedInteger() ? "uint8" : "int8";
  case 16:
    return type.isUnsignedInteger() ? "uint16" : "int16";
  case 32:
    return type.isUnsignedInteger() ? "uint32" : "int32";
  default:
    return type.isUnsignedInteger() ? "uint64" : "int64";
  }
}

/// A number, or a list of them where they differ.
static llvm::json::Value describeElements(DenseElementsAttr elements) {
  Type type = elements.getElementType();
  bool isFloat = isa<FloatType>(type);
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  auto number = [&](Attribute element) -> llvm::json::Value {
    if (isFloat)
      return cast<FloatAttr>(element).getValueAsDouble();
    const APInt &value = cast<IntegerAttr>(element).getValue();
    if (isUnsigned)
      return value.getZExtValue();
    return value.getSExtValue();
  };
  if (elements.isSplat())
    return number(elements.getSplatValue<Attribute>());
  llvm::json::Array numbers;
  for (Attribute element : elements.getValues<Attribute>())
    numbers.push_back(number(element));
  return numbers;
}

llvm::json::Array bquant::describeArrays(ArrayAttr values) {
  llvm::json::Array result;
  for (auto value : values.getAsRange<DictionaryAttr>()) {
    auto type =
        cast<RankedTensorType>(cast<TypeAttr>(value.get("type")).getValue());
    llvm::json::Array shape;
    for (int64_t size : type.getShape())
      shape.push_back(ShapedType::isDynamic(size) ? llvm::json::Value(nullptr)
                                                  : llvm::json::Value(size));
    llvm::json::Object array{
        {"name",
         llvm::json::fixUTF8(cast<StringAttr>(value.get("name")).getValue())},
        {"dtype", toDType(type.getElementType())},
        {"shape", std::move(shape)}};
    if (auto initial = value.getAs<DenseElementsAttr>("initial"))
      array["initial"] = describeElements(initial);
    if (auto updated = value.getAs<IntegerAttr>("updates"))
      array["updates"] = updated.getInt();
    result.push_back(std::move(array));
  }
  return result;
}

std::optional<int64_t> bquant::getSampleBytes(DictionaryAttr value) {
  auto type =
      cast<RankedTensorType>(cast<TypeAttr>(value.get("type")).getValue());
  if (type.hasStaticShape())
    return std::nullopt;
  int64_t bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
  for (int64_t size : type.getShape().drop_front())
    bytes *= size;
  return bytes;
}
