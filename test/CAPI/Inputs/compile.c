//===- compile.c ----------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/BQuant.h"
#include <stdio.h>
#include <string.h>

static char *error = NULL;

/* Prints and forgets the last error. */
static void show(const char *what) {
  printf("%s: %s\n", what, error ? error : "no error");
  bquantStringFree(error);
  error = NULL;
}

static const char *text =
    "func.func @f(%x: tensor<4xf32> {bquant.name = \"x\"}) -> tensor<4xf32> {\n"
    "  %w = arith.constant dense_resource<w> : tensor<4xf32>\n"
    "  %y = arith.addf %x, %w : tensor<4xf32>\n"
    "  return %y : tensor<4xf32>\n"
    "}\n";

static BQuantModule *parse(const char *source, size_t bytes) {
  static const float w[4] = {1, 2, 3, 4};
  BQuantBlob blobs[] = {{"w", w, bytes, 4}, {"unused", w, 4, 4}};
  return bquantModuleParse(source, strlen(source), "x.mlir", blobs, 2, &error);
}

static void call(BQuantProgram *program, const char *name) {
  const float x[4] = {10, 20, 30, 40};
  float y[4] = {0};
  const void *inputs[] = {x};
  void *outputs[] = {y};
  size_t bytes = 1;
  int supported = 0;
  bquantProgramArenaBytes(program, name, 1, &bytes, &error);
  bquantProgramSupported(program, name, &supported, &error);
  int code =
      bquantProgramEntry(program, name, &error)(inputs, outputs, NULL, 1);
  printf("called: %zu %d %d: %g %g %g %g\n", bytes, supported, code, y[0], y[1],
         y[2], y[3]);
  const char *version = "?";
  if (bquantProgramVersion(program, name, &version, &error) || version)
    printf("version: %s\n", version);
}

/* A function on a batch of any size. */
static int callBatch(void) {
  static const char *source =
      "func.func @b(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {\n"
      "  %y = math.absf %x : tensor<?x2xf32>\n"
      "  return %y : tensor<?x2xf32>\n"
      "}\n";
  BQuantModule *module =
      bquantModuleParse(source, strlen(source), "b.mlir", NULL, 0, &error);
  BQuantProgram *program =
      module ? bquantModuleJit(module, NULL, &error) : NULL;
  bquantModuleDestroy(module);
  if (!program)
    return show("batch"), 1;
  const float x[4] = {-1, -2, -3, -4};
  float y[4] = {0};
  const void *inputs[] = {x};
  void *outputs[] = {y};
  BQuantBatchEntry entry = bquantProgramBatchEntry(program, "b", &error);
  int code = entry(inputs, outputs, NULL, 1, 2);
  printf("batch: %d: %g %g %g %g\n", code, y[0], y[1], y[2], y[3]);
  printf("bad batch: %d\n", entry(inputs, outputs, NULL, 1, -2));
  bquantProgramEntry(program, "b", &error);
  show("no entry");
  bquantProgramDestroy(program);
  return 0;
}

/* Options of a program that was built with an older or a newer header. */
static int optionsOfOtherVersions(BQuantModule *module) {
  struct {
    BQuantCompileOptions known;
    char unknown[16];
  } newer = {{0}, {0}};
  newer.known.size = sizeof newer;
  newer.known.strategy = "scalar";
  BQuantProgram *program = bquantModuleJit(module, &newer.known, &error);
  if (!program)
    return show("newer"), 1;
  bquantProgramDestroy(program);
  newer.unknown[15] = 1;
  bquantModuleJit(module, &newer.known, &error);
  show("newer than known");
  newer.known.size = (size_t)-1;
  bquantModuleJit(module, &newer.known, &error);
  show("no size");

  /* What is behind the size is not looked at. */
  BQuantCompileOptions older = {0};
  older.size = offsetof(BQuantCompileOptions, threads);
  older.threads = -1;
  program = bquantModuleJit(module, &older, &error);
  if (!program)
    return show("older"), 1;
  bquantProgramDestroy(program);
  older.size = sizeof older;
  bquantModuleJit(module, &older, &error);
  show("as new");
  return 0;
}

/* A module after a stage, and after one that there is not. */
static void lowerToStages(void) {
  BQuantModule *module = parse(text, 16);
  printf("lower: %d\n", bquantModuleLower(module, "pack", NULL, &error));
  char *printed = bquantModulePrint(module, 1);
  printf("lowered: %d %d\n", strstr(printed, "arith.addf") != NULL,
         strstr(printed, "llvm.func") != NULL);
  bquantStringFree(printed);
  bquantModuleDestroy(module);

  module = parse(text, 16);
  BQuantCompileOptions options = {0};
  options.size = sizeof options;
  options.strategy = "reference";
  bquantModuleLower(module, "pack", &options, &error);
  show("stage");
  options.targetCPU = "abacus";
  bquantModuleLower(module, "raise", &options, &error);
  show("target");
  bquantModuleDestroy(module);

  module = parse(text, 16);
  printf("lower: %d\n", bquantModuleLower(module, NULL, NULL, &error));
  printed = bquantModulePrint(module, 1);
  printf("lowered: %d\n", strstr(printed, "llvm.func") != NULL);
  bquantStringFree(printed);
  bquantModuleDestroy(module);
}

/* A module that was lowered for a CPU, compiled for one that has less, and one
 * that is lowered to the end. */
static void compileAfterLowering(const char *file) {
  BQuantModule *module = parse(text, 16);
  BQuantCompileOptions options = {0};
  options.size = sizeof options;
  options.targetTriple = "x86_64-linux-gnu";
  options.targetCPU = "haswell";
  printf("pack: %d\n", bquantModuleLower(module, "pack", &options, &error));
  options.targetCPU = "x86-64-v2";
  bquantModuleCompile(module, file, BQUANT_EMIT_HEADER, &options, NULL, &error);
  show("less");
  options.targetCPU = NULL;
  printf("rest: %d\n", bquantModuleLower(module, NULL, &options, &error));
  bquantModuleCompile(module, file, BQUANT_EMIT_HEADER, &options, NULL, &error);
  show("lowered");
  bquantModuleDestroy(module);
}

/* How far a compilation is. */
struct Steps {
  int stages, last, functions, all;
};
static void count(void *context, const char *stage, int32_t done, int32_t all) {
  struct Steps *steps = context;
  steps->stages += done == 0;
  steps->last = strcmp(stage, "emit") == 0;
  steps->functions += done != 0;
  steps->all = all;
}

static int countSteps(BQuantModule *module) {
  struct Steps steps = {0, 0, 0, 0};
  BQuantCompileOptions options = {0};
  options.size = sizeof options;
  options.progress = count;
  options.progressContext = &steps;
  BQuantProgram *program = bquantModuleJit(module, &options, &error);
  if (!program)
    return show("progress"), 1;
  bquantProgramDestroy(program);
  printf("stages: %d, functions: %d %d\n", steps.stages,
         steps.functions == steps.all, steps.last);
  return 0;
}

int main(int argc, char **argv) {
  (void)argc;
  printf("version: %s\n", bquantVersion());
  printf("assume: %s\n", bquantOptionValues("assume"));
  printf("none: %d\n", bquantOptionValues("threads") == NULL);
  BQuantModule *module = parse(text, 16);
  if (!module)
    return show("parse"), 1;

  /* The module outlives what is made of it, and the other way round. */
  BQuantProgram *program = bquantModuleJit(module, NULL, &error);
  if (!program)
    return show("jit"), 1;
  char *report = NULL;
  if (bquantModuleCompile(module, argv[1], BQUANT_EMIT_SHARED, NULL, &report,
                          &error))
    return show("compile"), 1;
  printf("report: %.2s\n", report);
  char *formatted = bquantReportFormat(report, "html", &error);
  printf("html: %d\n", formatted && strstr(formatted, "<html") != NULL);
  bquantStringFree(formatted);
  bquantReportFormat(report, "pdf", &error);
  show("pdf");
  bquantReportFormat("{", "text", &error);
  show("half");
  BQuantCompileOptions checked = {0};
  checked.size = sizeof checked;
  checked.verifyFolding = checked.verifyEach = 1;
  checked.sysroot = "/nowhere";
  printf("header: %d\n",
         bquantModuleCompile(module, argv[3], BQUANT_EMIT_HEADER, &checked,
                             NULL, &error));
  bquantModuleCompile(module, argv[3], (BQuantEmit)6, NULL, NULL, &error);
  show("emit");
  char *printed = bquantModulePrint(module, 1);
  printf("printed: %d\n", strstr(printed, "arith.addf") != NULL);
  bquantStringFree(printed);
  printf("pipeline: %d\n",
         bquantModuleRunPipeline(module, "bquant-raise,canonicalize", &error));
  bquantModuleRunPipeline(module, "no-such-pass", &error);
  show("pass");
  lowerToStages();
  compileAfterLowering(argv[3]);

  if (countSteps(module))
    return 1;
  BQuantCompileOptions options = {0};
  options.size = sizeof options;
  options.strategy = "magic";
  bquantModuleJit(module, &options, &error);
  show("strategy");
  options.strategy = NULL;
  options.floatPrecision = "bf8";
  bquantModuleJit(module, &options, &error);
  show("precision");
  options.floatPrecision = NULL;
  options.threads = -2;
  bquantModuleJit(module, &options, &error);
  show("threads");
  options.threads = 0;
  options.size = 1;
  bquantModuleJit(module, &options, &error);
  show("too small");
  if (optionsOfOtherVersions(module))
    return 1;
  options.size = sizeof options;
  options.strategy = "reference";
  BQuantProgram *reference = bquantModuleJit(module, &options, &error);
  bquantModuleDestroy(module);

  puts(bquantProgramSignature(program));
  call(program, "f");
  call(reference, "f");
  bquantProgramDestroy(reference);
  bquantProgramEntry(program, "g", &error);
  show("entry");
  bquantProgramBatchEntry(program, "f", &error);
  show("no batch");
  if (callBatch())
    return 1;
  bquantProgramReport(program, "pdf", &error);
  show("format");
  /* What is saved is what was compiled: there is no module any more. */
  bquantProgramSave(program, argv[2], "int", &error);
  show("name");
  printf("saved as g: %d\n", bquantProgramSave(program, argv[2], "g", &error));
  BQuantProgram *renamed = bquantProgramLoad(argv[2], &error);
  if (!renamed)
    return show("renamed"), 1;
  puts(bquantProgramSignature(renamed));
  call(renamed, "g");
  bquantProgramDestroy(renamed);
  printf("saved: %d\n", bquantProgramSave(program, argv[2], NULL, &error));
  bquantProgramDestroy(program);

  program = bquantProgramLoad(argv[2], &error);
  if (!program)
    return show("load"), 1;
  call(program, "f");
  bquantProgramSave(program, "/nowhere/f.so", NULL, &error);
  show("save to nowhere");
  bquantProgramSave(program, argv[2], "g", &error);
  show("loaded");
  printf("saved: %d\n", bquantProgramSave(program, argv[2], NULL, &error));
  char *carried = bquantProgramReport(program, "json", &error);
  printf("carried: %d\n", carried && strcmp(carried, report) == 0);
  bquantStringFree(carried);
  bquantStringFree(report);
  bquantProgramDestroy(program);

  parse(text, 12);
  show("size");
  bquantModuleParse(text, strlen(text), "x.mlir", NULL, 0, &error);
  show("data");
  parse("func.func @f(", 16);
  show("syntax");
  bquantModuleParseFile("/nowhere.mlir", &error);
  show("file");
  bquantProgramLoad("/nowhere.so", &error);
  show("library");
  for (int32_t code = 1; code <= 3; ++code) {
    char *reason = bquantExplainCode(code);
    printf("code: %s\n", reason);
    bquantStringFree(reason);
  }
  return 0;
}
