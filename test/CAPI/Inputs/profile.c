//===- profile.c ----------------------------------------------------------===//
//
// Part of the bquant project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "bquant-c/Profile.h"
#include <stdio.h>
#include <string.h>

static char *error = NULL;

/* Prints and forgets the last error. */
static void show(const char *what) {
  printf("%s: %s\n", what, error ? error : "no error");
  bquantStringFree(error);
  error = NULL;
}

/* One function on four numbers, one on a batch of any size. */
static const char *text =
    "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %y = math.absf %x : tensor<4xf32> loc(\"the absolute value\")\n"
    "  return %y : tensor<4xf32>\n"
    "}\n"
    "func.func @b(%x: tensor<?x2xf32>) -> tensor<?x2xf32> {\n"
    "  %y = math.absf %x : tensor<?x2xf32>\n"
    "  return %y : tensor<?x2xf32>\n"
    "}\n";

/* Another function of the same name. */
static const char *otherText =
    "func.func @f(%x: tensor<5xf32>) -> tensor<5xf32> {\n"
    "  return %x : tensor<5xf32>\n"
    "}\n";

static float y[4];

static BQuantProfile *profile(const BQuantProgram *plain,
                              const BQuantProgram *clocked, const char *name,
                              int32_t threads, int64_t batch, int32_t calls) {
  static const float f[4] = {-1, 2, -3, 4}, b[4] = {-5, 6, -7, 8};
  const void *inputs[] = {name && strcmp(name, "b") == 0 ? b : f};
  void *outputs[] = {y};
  memset(y, 0, sizeof y);
  return bquantProfileCreate(plain, clocked, name, inputs, outputs, NULL,
                             threads, batch, calls, &error);
}

static void print(BQuantProfile *profile, const char *format) {
  char *printed = bquantProfilePrint(profile, format, &error);
  if (!printed)
    return show("print");
  printf("%s: %s\n", format, printed);
  bquantStringFree(printed);
}

static void printOutputs(void) {
  printf("outputs: %g %g %g %g\n", y[0], y[1], y[2], y[3]);
}

int main(int argc, char **argv) {
  (void)argc;
  BQuantModule *module =
      bquantModuleParse(text, strlen(text), "x.mlir", NULL, 0, &error);
  if (!module)
    return show("parse"), 1;
  BQuantCompileOptions options = {0};
  options.size = sizeof options;
  BQuantProgram *plain = bquantModuleJit(module, &options, &error);
  options.clockLayers = 1;
  BQuantProgram *clocked = bquantModuleJit(module, &options, &error);
  if (!plain || !clocked)
    return show("jit"), 1;

  BQuantProfile *of = profile(plain, clocked, "f", 1, 1, 5);
  if (!of)
    return show("profile"), 1;
  print(of, "text");
  print(of, "json");
  char *html = bquantProfilePrint(of, "html", &error);
  printf("html: %d\n", html && strstr(html, "the absolute value") != NULL);
  bquantStringFree(html);
  bquantProfilePrint(of, "pdf", &error);
  show("format");
  bquantProfilePrint(of, NULL, &error);
  show("no format");
  bquantProfileDestroy(of);
  printOutputs();

  profile(plain, clocked, "f", 1, 1, 0);
  show("no calls");
  profile(plain, plain, "f", 1, 1, 1);
  show("no clocks");
  profile(plain, clocked, "g", 1, 1, 1);
  show("no such function");
  profile(plain, clocked, NULL, 1, 1, 1);
  show("no name");
  profile(plain, clocked, "f", -1, 1, 1);
  show("threads");

  bquantModuleCompile(module, argv[1], BQUANT_EMIT_SHARED, &options, NULL,
                      &error);
  show("library with clocks");
  options.clockLayers = 0;
  BQuantModule *other = bquantModuleParse(otherText, strlen(otherText),
                                          "y.mlir", NULL, 0, &error);
  BQuantProgram *otherPlain = bquantModuleJit(other, &options, &error);
  if (!otherPlain)
    return show("other"), 1;
  profile(otherPlain, clocked, "f", 1, 1, 1);
  show("other module");
  bquantProgramDestroy(otherPlain);
  bquantModuleDestroy(other);
  if (bquantModuleCompile(module, argv[1], BQUANT_EMIT_SHARED, &options, NULL,
                          &error))
    return show("compile"), 1;
  BQuantProgram *library = bquantProgramLoad(argv[1], &error);
  if (!library)
    return show("load"), 1;
  profile(library, clocked, "f", 1, 1, 1);
  show("library");
  bquantProgramDestroy(library);
  bquantProgramSave(clocked, argv[1], NULL, &error);
  show("saved");

  of = profile(plain, clocked, "b", 1, 2, 1);
  if (!of)
    return show("profile of a batch"), 1;
  print(of, "text");
  printOutputs();
  bquantProfileDestroy(of);
  profile(plain, clocked, "b", 1, -2, 1);
  show("bad batch");

  bquantProfileDestroy(NULL);
  bquantProgramDestroy(clocked);
  bquantProgramDestroy(plain);
  bquantModuleDestroy(module);
  printf("destroyed\n");
  return 0;
}
