"""Long runs of the fuzz targets, and what they find.

Those of C++ run by libFuzzer in the build of `./dev build asan`, from corpus/NAME and what earlier
runs found, those of Python by files.py. What fails is made small; its path is printed, with the
function that it fails in. fuzz.py takes `TARGETS` and `merge`.
"""

import hashlib
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BUILD = ROOT / "build-asan"
WORK = BUILD / "fuzz"
CXX = re.search(
    r"^set\(targets ([\w\s]+)\)",
    (ROOT / "test/Fuzz/bytes/CMakeLists.txt").read_text(),
    re.MULTILINE,
)[1].split()
PYTHON = ["tflite", "onnx", "torch", "npy", "signatures", "reports", "libraries"]

# Of a target in test/Fuzz/bytes/corpus; a session of the C API compiles networks.
MOST_FILES, MOST_BYTES = {"CAPI": 12}, 16 << 10

# See test/CMakeLists.txt; what MLIR keeps of each context is not ours to find.
ENVIRONMENT = {
    **os.environ,
    "ASAN_OPTIONS": "allow_user_poisoning=0:detect_leaks=0",
    "UBSAN_OPTIONS": "print_stacktrace=1",
}
# What calls MLIR, and what MLIR generates, which hands on what its reader reads: a crash under
# these alone, without the dialect's code, is MLIR's own.
DOORS = (f"{ROOT}/test/Fuzz/", f"{ROOT}/lib/Compiler/Source.cpp", ".inc:", "/bin/")


def binary(name):
    return BUILD / "bin" / f"BQuantFuzz{name}"


def run_cxx(name, seconds, jobs):
    """Whether nothing of ours failed."""
    if not binary(name).exists():
        sys.exit(f"expected {binary(name)} of './dev build asan', but got none")
    corpus, failures = WORK / name, WORK / f"{name}-failures"
    corpus.mkdir(parents=True, exist_ok=True)
    failures.mkdir(parents=True, exist_ok=True)
    options = [
        f"-fork={jobs}",
        "-ignore_crashes=1",
        "-ignore_timeouts=1",
        "-ignore_ooms=1",
        "-timeout=20",
        "-report_slow_units=20",
        "-rss_limit_mb=4096",
        f"-max_total_time={int(seconds)}",
        f"-artifact_prefix={failures}/",
    ]
    seeds = ROOT / "test" / "Fuzz" / "bytes" / "corpus" / name
    with tempfile.TemporaryDirectory() as scratch:
        result = subprocess.run(
            [binary(name), corpus, seeds, *options],
            env={**ENVIRONMENT, "TMPDIR": scratch},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    steps = re.findall(r"^#\d+: cov:.*", result.stderr, re.MULTILINE)
    print(f"{name}: {steps[-1] if steps else result.stderr[-2000:]}", flush=True)
    seen, fails = set(), not steps
    for path in sorted(p for p in failures.iterdir() if not p.name.startswith("small-")):
        fails_again, output = replay(name, path)
        if not fails_again:
            print(f"{name}: {path}: does not come again", flush=True)
            continue
        place, ours = find_place(output)
        if place in seen:
            path.unlink()
            continue
        seen.add(place)
        small = path.with_name(f"small-{path.name}")
        if not small.exists():
            minimize(name, path, small)
        fails |= ours
        print(f"{name}: {small}: {'' if ours else 'in MLIR: '}{place}", flush=True)
    return not fails


def replay(name, path):
    """Whether the file fails, and what is said of it."""
    result = subprocess.run(
        [binary(name), "-timeout=20", "-rss_limit_mb=4096", path],
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        errors="replace",
        check=False,
    )
    return result.returncode != 0, result.stderr


def find_place(output):
    """The function that it fails in, or what is wrong, and whether that is ours."""
    said = re.search(r"^expected .*|^\S+: runtime error: .*", output, re.MULTILINE)
    if said:
        return said[0][:300], True
    names = re.findall(r"^ +#\d+ 0x\w+ in (.*)", output, re.MULTILINE)
    names = [name for name in names if not re.match(r"__|fuzzer::|abort|raise", name)]
    ours = [
        name for name in names if f"{ROOT}/" in name and not any(door in name for door in DOORS)
    ]
    upstream = [name for name in names if "libMLIR" in name or "libLLVM" in name]
    place = (ours or upstream or names or [output[-300:]])[0]
    return place, bool(ours) or not upstream


def minimize(name, path, small):
    """The whole input where nothing smaller fails."""
    subprocess.run(
        [
            binary(name),
            "-minimize_crash=1",
            "-max_total_time=20",
            "-timeout=20",
            f"-exact_artifact_path={small}",
            path,
        ],
        env=ENVIRONMENT,
        capture_output=True,
        check=False,
    )
    if not small.exists():
        small.write_bytes(path.read_bytes())


def merge(name):
    """Makes the corpus anew: few small files that reach most of what is known to be reached. Files
    whose names are not hashes are of what was mended, and stay."""
    seeds, work = ROOT / "test" / "Fuzz" / "bytes" / "corpus" / name, WORK / name
    seeds.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        control = Path(scratch) / "control"
        subprocess.run(
            [
                *(binary(name), "-set_cover_merge=1", f"-merge_control_file={control}"),
                *("-use_counters=0", "-timeout=20", scratch, seeds, work),
            ],
            env=ENVIRONMENT,
            capture_output=True,
            check=True,
        )
        lines = control.read_text().splitlines()
    paths = [Path(line) for line in lines[2 : 2 + int(lines[0])]]
    reached = {}
    for line in lines[2 + len(paths) :]:
        kind, index, *places = line.split()
        if kind == "FT":
            path = paths[int(index)]
            reached[path] = reached.get(path, set()) | set(places)
    contents = {path: path.read_bytes() for path in reached}
    for path in seeds.iterdir():
        if re.fullmatch(r"[0-9a-f]{40}", path.name):
            path.unlink()
    seen, size = set(), sum(path.stat().st_size for path in seeds.iterdir())
    for _ in range(min(len(reached), MOST_FILES.get(name, 64))):
        # The most new places for a byte; a file costs some, too.
        path = max(reached, key=lambda path: len(reached[path] - seen) / (64 + len(contents[path])))
        if not reached[path] - seen:
            break
        size += len(contents[path])
        if size > MOST_BYTES:
            break
        seen |= reached.pop(path)
        (seeds / hashlib.sha1(contents[path]).hexdigest()).write_bytes(contents[path])
    print(f"{name}: {len(list(seeds.iterdir()))} files reach {len(seen)} places", flush=True)


def run_python(kind, seconds):
    """In one process: from a seed of the time on, since nothing keeps those that were."""
    first = int(time.time()) << 20
    print(f"damaged-{kind}: from seed {first}", flush=True)
    command = [
        *(sys.executable, ROOT / "test" / "Fuzz" / "bytes" / "files.py", kind),
        *("--seeds", str(first), str(first + (1 << 40)), f"--minutes={seconds / 60}"),
    ]
    return subprocess.run(command, check=False).returncode == 0


# By name: a function that runs the target for a number of seconds, with as many processes where it
# can, and returns whether it passed.
TARGETS = {
    **{name: lambda seconds, jobs, name=name: run_cxx(name, seconds, jobs) for name in sorted(CXX)},
    **{
        f"damaged-{name}": lambda seconds, _, name=name: run_python(name, seconds)
        for name in PYTHON
    },
}
