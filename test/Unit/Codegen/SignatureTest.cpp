//===- SignatureTest.cpp - What a library says of its arrays --------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Codegen/Entry/Signature.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace mlir;

namespace {

std::string describe(MLIRContext &context, const std::string &array) {
  Attribute attr = parseAttribute("[{name = \"x\", " + array + "}]", &context);
  EXPECT_TRUE(attr) << array;
  std::string json;
  llvm::raw_string_ostream(json)
      << llvm::json::Value(bquant::describeArrays(cast<ArrayAttr>(attr)));
  return json;
}

TEST(Signature, describesArrays) {
  MLIRContext context;
  EXPECT_EQ(describe(context, "type = tensor<?x3xf32>"),
            R"([{"dtype":"float32","name":"x","shape":[null,3]}])");
  // State: what it starts with, one number where all are equal, and which
  // output is its next value.
  EXPECT_EQ(describe(context, "type = tensor<2xi8>, updates = 1,"
                              "initial = dense<[-1, 2]> : tensor<2xi8>"),
            R"([{"dtype":"int8","initial":[-1,2],"name":"x","shape":[2],)"
            R"("updates":1}])");
  EXPECT_EQ(describe(context, "type = tensor<2xi1>,"
                              "initial = dense<true> : tensor<2xi1>"),
            R"([{"dtype":"bool","initial":1,"name":"x","shape":[2]}])");
  EXPECT_EQ(describe(context, "type = tensor<2xf16>,"
                              "initial = dense<-0.5> : tensor<2xf16>"),
            R"([{"dtype":"float16","initial":-0.5,"name":"x","shape":[2]}])");
}

TEST(Signature, bytesOfASample) {
  MLIRContext context;
  auto bytes = [&](const char *type) {
    return bquant::getSampleBytes(cast<DictionaryAttr>(
        parseAttribute("{type = " + std::string(type) + "}", &context)));
  };
  EXPECT_EQ(bytes("tensor<2x3xf32>"), std::nullopt); // of no batch
  EXPECT_EQ(bytes("tensor<?xf32>"), 4);
  EXPECT_EQ(bytes("tensor<?x3x5xf16>"), 30);
  EXPECT_EQ(bytes("tensor<?x3xi1>"), 3);
}

} // namespace
