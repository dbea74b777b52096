//===- ReportTest.cpp - The report, written and read ----------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant/Compiler/Report.h"
#include "bquant/Compiler/Compiler.h"
#include "bquant/Compiler/Source.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace bquant;

namespace {
Report::Layer createProduct(LayerArithmetic arithmetic, int64_t macs) {
  Report::Layer layer;
  layer.function = "f";
  layer.location = "net.mlir:1:2";
  layer.operation = "conv_2d";
  layer.operands = "1x4x4x64, 1 plane by 32x1x1x64, 1 plane";
  layer.result = "1x4x4x32 f32";
  layer.arithmetic = arithmetic;
  layer.macs = macs;
  layer.weightBytes = 384;
  return layer;
}

/// Three quarters of the MACs are binary; the kernel of these is known.
void fill(Report &report) {
  Report::Layer binary = createProduct(LayerArithmetic::Binary, 3000);
  binary.kernel = "popcount<rows = 7, channels = 32, bits = 512>";
  binary.layout = "words";
  binary.tile = {7, 32};
  binary.estimatedCycles = 12500;
  binary.limitCycles = 10000;
  report.addLayers({binary});
  report.addLayers({createProduct(LayerArithmetic::FloatByBinary, 600)});
  Report::Layer pool = createProduct(LayerArithmetic::Float, 0);
  pool.operation = "pooling_nhwc_max";
  pool.weightBytes = 0;
  report.addLayers({pool});
  report.addLayers({createProduct(LayerArithmetic::Float, 400)});
  Report::Layer quantize = createProduct(LayerArithmetic::Binary, 0);
  quantize.operation = "quantize";
  quantize.thresholds = true;
  quantize.weightBytes = 0;
  report.addLayers({quantize});
  report.add(Report::Note{"missed", "raise-product", "f", "net.mlir:3:4",
                          "a < b & \"c\""});
  report.setTarget(llvm::cantFail(
      resolveTarget({"x86_64-linux-gnu", "icelake-server", "-avx512vnni"})));
}

llvm::json::Value parse(llvm::StringRef text) {
  return llvm::cantFail(llvm::json::parse(text));
}

TEST(ReportTest, Totals) {
  Report report;
  fill(report);
  Report::Totals totals = report.getTotals();
  EXPECT_EQ(totals.binaryLayers, 2u);
  EXPECT_EQ(totals.macs, 4000u);
  EXPECT_EQ(totals.binaryMacs, 3000u);
  EXPECT_EQ(totals.weightBytes, 3u * 384);
}

TEST(ReportTest, Text) {
  Report report;
  fill(report);
  std::string text = report.toText();
  EXPECT_EQ(text.rfind("layers: 5, 2 of them binary\n"
                       "MAC: 4,000, 75.0 % of them binary\n"
                       "weights: 1,152 bytes\n"
                       "constants: 0 bytes\n"
                       "target: x86_64-unknown-linux-gnu, icelake-server, "
                       "-avx512vnni\n"
                       "version: bquant ",
                       0),
            0u)
      << text;
  EXPECT_NE(
      text.find("\neach layer (* float):\n"
                "  net.mlir:1:2: conv_2d, binary: 1x4x4x64, 1 plane by "
                "32x1x1x64, 1 plane -> 1x4x4x32 f32, 3,000 MAC (75.0 %), 384 "
                "bytes of weights, kernel popcount<rows = 7, channels = 32, "
                "bits = 512>, layout words, tile 7 x 32, 12,500 cycles, 80.0 "
                "% of the limit\n"
                "* net.mlir:1:2: conv_2d, float by binary: "),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("600 MAC (15.0 %), 384 bytes of weights\n"
                      "* net.mlir:1:2: pooling_nhwc_max, float: "),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("\n  net.mlir:1:2: quantize, binary, thresholds: "),
            std::string::npos)
      << text;
}

TEST(ReportTest, NoMark) {
  Report report;
  EXPECT_NE(report.toText().find("layers: 0, 0 of them binary\nMAC: 0\n"),
            std::string::npos);
  report.addLayers({createProduct(LayerArithmetic::Reference, 8)});
  EXPECT_NE(report.toText().find("\neach layer:\n  net"), std::string::npos);
  EXPECT_NE(report.toText().find("MAC: 8, 100.0 % of them binary\n"),
            std::string::npos);
}

TEST(ReportTest, JSON) {
  Report report;
  fill(report);
  llvm::json::Value value = parse(report.toJSON());
  const llvm::json::Object &object = *value.getAsObject();
  const llvm::json::Object &totals = *object.getObject("totals");
  EXPECT_EQ(totals.getInteger("layers"), 5);
  EXPECT_EQ(totals.getInteger("binary_layers"), 2);
  EXPECT_EQ(totals.getInteger("macs"), 4000);
  EXPECT_EQ(totals.getNumber("binary_share"), .75);
  EXPECT_EQ(object.getObject("target")->getString("cpu"), "icelake-server");
  const llvm::json::Array &layers = *object.getArray("layers");
  const llvm::json::Object &first = *layers[0].getAsObject();
  EXPECT_EQ(first.getBoolean("float"), false);
  EXPECT_EQ(first.getNumber("mac_share"), .75);
  EXPECT_EQ(first.getNumber("limit_share"), .8);
  EXPECT_EQ(first.getObject("tile")->getInteger("rows"), 7);
  const llvm::json::Object &second = *layers[1].getAsObject();
  EXPECT_EQ(second.getBoolean("float"), true);
  for (const char *key : {"kernel", "layout", "tile", "estimated_cycles",
                          "limit_cycles", "limit_share"})
    EXPECT_FALSE(second.get(key)) << key;
  EXPECT_FALSE(layers[2].getAsObject()->get("mac_share"));
}

TEST(ReportTest, HTML) {
  Report report;
  fill(report);
  std::string html = report.toHTML();
  EXPECT_NE(html.find("<tr><th>MAC</th><td>4,000, 75.0 % of them binary</td>"),
            std::string::npos);
  EXPECT_NE(html.find("<th>weight bytes</th><th>kernel</th><th>layout</th>"
                      "<th>tile</th><th>cycles</th><th>of the limit</th></tr>"),
            std::string::npos);
  EXPECT_NE(html.find("<td>75.0 %</td><td>384</td><td>popcount&lt;rows = 7, "
                      "channels = 32, bits = 512&gt;</td><td>words</td><td>7 x "
                      "32</td><td>12,500</td><td>80.0 %</td></tr>"),
            std::string::npos);
  EXPECT_NE(html.find("<tr class=\"float\"><td>net.mlir:1:2</td><td>conv_2d"),
            std::string::npos);
  EXPECT_NE(html.find("<td>a &lt; b &amp; &quot;c&quot;</td>"),
            std::string::npos);
  Report plain;
  plain.addLayers({createProduct(LayerArithmetic::Binary, 1)});
  EXPECT_NE(plain.toHTML().find("<th>weight bytes</th></tr>"),
            std::string::npos);
}

TEST(ReportTest, ReadAsWritten) {
  Report report;
  fill(report);
  auto read = Reports::fromJSON(report.toJSON());
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->toJSON(), report.toJSON());
  EXPECT_EQ(read->toText(), report.toText());
  EXPECT_EQ(read->toHTML(), report.toHTML());
}

// Of several CPUs: one after the other, in JSON a list.
TEST(ReportTest, SeveralVersions) {
  Reports reports;
  for (const char *cpu : {"haswell", "znver4"}) {
    Report &report = reports.add();
    fill(report);
    report.setTarget(
        llvm::cantFail(resolveTarget({"x86_64-linux-gnu", cpu, ""})));
  }
  llvm::ArrayRef<std::unique_ptr<Report>> both = reports.get();
  EXPECT_EQ(reports.toText(), both[0]->toText() + "\n" + both[1]->toText());
  auto read = Reports::fromJSON(reports.toJSON());
  ASSERT_TRUE(bool(read)) << llvm::toString(read.takeError());
  EXPECT_EQ(read->toJSON(), reports.toJSON());
  EXPECT_EQ(read->toHTML(), reports.toHTML());
  std::string last = both[1]->toJSON();
  reports.keep("z80");
  EXPECT_EQ(reports.get().size(), 2u);
  reports.keep("znver4");
  EXPECT_EQ(reports.toJSON(), last);
}

TEST(ReportTest, NamesOfAnyBytes) {
  Report report;
  Report::Layer layer = createProduct(LayerArithmetic::Float, 1);
  layer.location = "caf\xe9.mlir:1:2";
  report.addLayers({layer});
  EXPECT_TRUE(bool(Reports::fromJSON(report.toJSON())));
}

TEST(ReportTest, OrderOfTheProgram) {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = parseModule(llvm::MemoryBuffer::getMemBuffer(
                                "func.func @f() { return } loc(\"f\")\n"
                                "func.func @g() { return } loc(\"g\")\n"),
                            {}, &context);
  ASSERT_TRUE(module);
  Report report;
  report.addSource(*module);
  // As from two threads.
  for (auto [place, text] : {std::pair("g", "1"), std::pair("elsewhere", "2"),
                             std::pair("f", "3"), std::pair("g", "4")})
    report.add(Report::Note{"missed", "strategy", "f", place, text});
  llvm::json::Value value = parse(report.toJSON());
  std::string order;
  for (const llvm::json::Value &note :
       *value.getAsObject()->getArray("remarks"))
    order += note.getAsObject()->getString("text")->str();
  EXPECT_EQ(order, "3142");
}

// Also elements that are no integer and no float.
TEST(ReportTest, BytesOfConstants) {
  mlir::DialectRegistry registry;
  registerCompilerDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = parseModule(
      llvm::MemoryBuffer::getMemBuffer(
          "llvm.mlir.global private constant @a(dense<1.0> : tensor<3xf32>) "
          ": !llvm.array<3 x f32>\n"
          "llvm.mlir.global private constant @b(dense<1> : tensor<2xindex>) "
          ": !llvm.array<2 x i64>\n"
          "llvm.mlir.global private constant @c(dense<(1.0, 2.0)> : "
          "tensor<5xcomplex<f64>>) : !llvm.array<5 x struct<(f64, f64)>>\n"
          "func.func @f() { return }\n"),
      {}, &context);
  ASSERT_TRUE(module);
  Report report;
  report.addConstants(*module);
  llvm::json::Value value = parse(report.toJSON());
  EXPECT_EQ(value.getAsObject()->getInteger("constant_bytes"),
            3 * 4 + 2 * 8 + 5 * 16);
}

class CountingStreamer : public mlir::remark::detail::MLIRRemarkStreamerBase {
public:
  CountingStreamer(int &count) : count(count) {}
  void streamOptimizationRemark(const mlir::remark::detail::Remark &) override {
    ++count;
  }

private:
  int &count;
};

// Every shared library has a report: who compiles one may have remarks of their
// own.
TEST(ReportTest, RemarksOfAHost) {
  mlir::MLIRContext context;
  int count = 0;
  mlir::remark::RemarkCategories categories;
  categories.passed = "host";
  ASSERT_TRUE(mlir::succeeded(mlir::remark::enableOptimizationRemarks(
      context, std::make_unique<CountingStreamer>(count),
      std::make_unique<mlir::remark::RemarkEmittingPolicyAll>(), categories)));
  auto emit = [&] {
    mlir::remark::passed(
        mlir::UnknownLoc::get(&context),
        mlir::remark::RemarkOpts::name("test").category("host"))
        << "said";
  };
  {
    Report report;
    Report::Scope scope(&report, &context);
    emit();
  }
  emit();
  EXPECT_EQ(count, 2);
}

TEST(ReportTest, Lies) {
  auto read = [](llvm::StringRef layer, llvm::StringRef note,
                 llvm::StringRef more = "") {
    auto report =
        Reports::fromJSON(("{\"version\": \"1\", \"layers\": [" + layer +
                           "], \"remarks\": [" + note + "]" + more + "}")
                              .str());
    return report ? "" : llvm::toString(report.takeError());
  };
  const char *layer = R"({"arithmetic": "binary"})";
  // What another version may leave out.
  EXPECT_EQ(read(layer, R"({"kind": "missed"})"), "");
  EXPECT_EQ(read(layer, "", R"(, "later": [1])"), "");

  EXPECT_EQ(read("7", ""), "expected object at report.layers[0]");
  EXPECT_EQ(read("{}", ""), "missing value at report.layers[0].arithmetic");
  EXPECT_EQ(read(R"({"arithmetic": "analogue"})", ""),
            "expected an arithmetic of layers at report.layers[0].arithmetic");
  EXPECT_EQ(read(R"({"arithmetic": "binary", "macs": -1})", ""),
            "expected a number of at least 0 at report.layers[0].macs");
  EXPECT_EQ(read(R"({"arithmetic": "binary", "macs": 1e30})", ""),
            "expected integer at report.layers[0].macs");
  EXPECT_EQ(read(R"({"arithmetic": "binary", "estimated_cycles": "1"})", ""),
            "expected integer at report.layers[0].estimated_cycles");
  EXPECT_EQ(read(R"({"arithmetic": "binary", "tile": {"rows": -7}})", ""),
            "expected a number of at least 0 at report.layers[0].tile.rows");
  EXPECT_EQ(read("", R"({"kind": "\"><script>"})"),
            "expected passed, missed, failure or analysis at "
            "report.remarks[0].kind");
  EXPECT_EQ(read("", "", R"(, "target": [])"),
            "expected object at report.target");
  EXPECT_EQ(read("", "", R"(, "constant_bytes": -1)"),
            "expected a number of at least 0 at report.constant_bytes");

  auto text = [](const std::string &text) {
    auto report = Reports::fromJSON(text);
    return report ? "" : llvm::toString(report.takeError());
  };
  EXPECT_EQ(text("[]"), "expected object when parsing report");
  EXPECT_EQ(text("{}"), "missing value at report.version");
  EXPECT_NE(text(""), "");
  EXPECT_EQ(text(std::string(1 << 20, '[')),
            "expected JSON of at most 32 levels, but got 1048576");
}

TEST(ReportTest, SumsAndSharesOfLies) {
  const char *layer =
      R"({"arithmetic": "binary", "macs": 9223372036854775807,)"
      R"( "weight_bytes": 9223372036854775807, "estimated_cycles": 0,)"
      R"( "limit_cycles": 5})";
  auto report = Reports::fromJSON(
      (llvm::Twine(R"({"version": "1", "remarks": [], "layers": [)") + layer +
       "," + layer + "," + layer + "]}")
          .str());
  ASSERT_TRUE(bool(report)) << llvm::toString(report.takeError());
  EXPECT_EQ(report->get().front()->getTotals().macs, UINT64_MAX);
  EXPECT_EQ(report->get().front()->getTotals().weightBytes, UINT64_MAX);
  EXPECT_EQ(report->toText().find("of the limit"), std::string::npos);
}
} // namespace
