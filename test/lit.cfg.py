# Substitutions: %plugin      path of BQuantPlugin.so
#                %mlir-opt    mlir-opt of the packages with the plugin loaded
#                %build       the build directory
#                %cc, %cxx, %cmake, %python    those of the build
# Features:      the CPU's flags without underscores (avx512vpopcntdq, avx2, ...)
#                sanitizer     in a build with one of them
#                lld         where libraries are linked in the process
#                cross-aarch64 with what `./dev setup --cross` installs
#                qemu-x86-64 with qemu-x86_64, to run programs on other CPUs
#                %qemu runs a program for AArch64 here, on the CPU that follows
import os
import platform
import shutil
import subprocess

import lit.formats

config.name = "BQuant"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit", "Property", "Python", "Cross", "corpus"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.bquant_obj_root, "test")

config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.bquant_obj_root, "bin"), config.llvm_tools_dir, os.environ["PATH"]]
)
config.environment["FILECHECK_OPTS"] = "--enable-var-scope --dump-input=fail"
# What tools/dev/mutants.py tells its programs. Several of its runs write at the same time.
for name in ("BQUANT_MUTANT", "BQUANT_REACHED"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
        config.test_exec_root = os.environ["TMPDIR"]

plugin = os.path.join(config.bquant_obj_root, "lib", "BQuantPlugin.so")
mlir_opt = f"mlir-opt --load-dialect-plugin={plugin} --load-pass-plugin={plugin}"

if config.bquant_sanitize:
    config.available_features.add("sanitizer")
    config.environment["ASAN_OPTIONS"] = config.asan_options
    config.environment["TSAN_OPTIONS"] = config.tsan_options
    # mlir-opt itself is not instrumented: it needs the runtime before the plugin.
    name = "tsan" if "thread" in config.bquant_sanitize else "asan"
    config.available_features.add(name)
    runtime = subprocess.run(
        [config.c_compiler, f"-print-file-name=libclang_rt.{name}-{platform.machine()}.so"],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    options = f"ASAN_OPTIONS={config.asan_options}:detect_leaks=0"
    mlir_opt = f"env LD_PRELOAD={runtime} {options} {mlir_opt}"

config.substitutions += [
    ("%plugin", plugin),
    ("%mlir-opt", mlir_opt),
    ("%build", config.bquant_obj_root),
    ("%cc", config.c_compiler),
    ("%cxx", config.cxx_compiler),
    ("%cmake", config.cmake),
    ("%python", config.python),
]

if config.lld:
    config.available_features.add("lld")

missing = [tool for tool in ("aarch64-linux-gnu-gcc", "qemu-aarch64") if not shutil.which(tool)]
if not missing:
    config.available_features.add("cross-aarch64")
    qemu = "qemu-aarch64 -L /usr/aarch64-linux-gnu -cpu"
    config.substitutions.append(("%qemu", qemu))
elif os.environ.get("BQUANT_REQUIRE_CROSS"):
    lit_config.fatal(f"expected {' and '.join(missing)}, but got none: ./dev setup --cross")
else:
    lit_config.note(
        f"no tests for AArch64, which take {' and '.join(missing)}: ./dev setup --cross"
    )

if shutil.which("qemu-x86_64") and platform.machine() == "x86_64":
    config.available_features.add("qemu-x86-64")

with open("/proc/cpuinfo") as cpuinfo:
    for line in cpuinfo:
        if line.startswith(("flags", "Features")):
            config.available_features.update(f.replace("_", "") for f in line.split(":")[1].split())
            break
