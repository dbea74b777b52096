"""Seeded faults: does the suite notice each of them?

`test/Mutation/faults.toml` lists the faults. In a copy of the sources under
`build-mutate`, each is put in, the copy built, and the suite run until a test
fails. A fault that nothing fails for is a hole in the suite.

    python tools/dev/mutate.py [--list] [NAME...]

Exit code 1: a fault went unnoticed, does not apply or does not compile.
"""

import argparse
import dataclasses
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

import tomllib

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / "build-mutate" / "source"
BUILD = COPY / "build"
FAULTS = ROOT / "test" / "Mutation" / "faults.toml"
# A fault may make a loop endless: that is noticed, too. A suite has so many times
# the seconds that it took without a fault, and not less than the first number.
TIMEOUT = (300, 5)

SUITES = {
    "unit": ["build/bin/BQuantUnitTests", "--gtest_fail_fast", "--gtest_brief=1"],
    "lit": ["/usr/lib/llvm-22/bin/lit", "-q", "--max-failures=1", "build/test"],
    "property": ["build/bin/BQuantPropertyTests", "--gtest_fail_fast", "--gtest_brief=1"],
    # Not the test of the list of faults, which sees any change.
    "pytest": [sys.executable, "-m", "pytest", "-q", "-x", "--no-header", "test/Python"]
    + ["--ignore=test/Python/test_mutations.py"],
}
# How a suite is told to run some of its tests only.
SOME = {
    "unit": "--gtest_filter=",
    "lit": "--filter=",
    "property": "--gtest_filter=",
    "pytest": "-k=",
}
# What a suite says that fails since it has none of these; the others succeed.
NO_TESTS = {"lit": "filter did not match any tests", "pytest": r"^\d+ deselected"}


@dataclasses.dataclass
class Fault:
    """One replacement in one file. `suite`, and `tests` of it, are only where to look first."""

    name: str
    file: str
    old: str
    new: str
    breaks: str
    suite: str = "lit"
    tests: str = ""

    def apply(self, text: str) -> str:
        """`text` with the fault in it. ValueError unless it fits in one place."""
        if self.suite not in SUITES:
            raise ValueError(
                f"{self.name}: expected a suite of {[*SUITES]}, but got {self.suite!r}"
            )
        if text.count(self.old) != 1:
            raise ValueError(
                f"{self.name}: expected `old` once in {self.file}, but got {text.count(self.old)}"
            )
        if self.old == self.new:
            raise ValueError(f"{self.name}: expected `new` to differ from `old`")
        return text.replace(self.old, self.new)


def read_faults() -> list[Fault]:
    return [Fault(**fault) for fault in tomllib.loads(FAULTS.read_text())["fault"]]


def copy_sources(contents: dict[str, bytes] | None = None) -> None:
    """Brings the copy up to date, but for files with contents of their own; equal files keep their
    times, for ninja."""
    contents = contents or {}
    listed = subprocess.check_output(
        ["git", "ls-files", "-coz", "--exclude-standard"], cwd=ROOT, text=True
    )
    files = {name for name in listed.split("\0") if name and (ROOT / name).exists()} | {*contents}
    for name in files:
        source, target = ROOT / name, COPY / name
        content = contents[name] if name in contents else source.read_bytes()
        if target.exists() and target.read_bytes() == content:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        if source.exists():
            shutil.copymode(source, target)
    for target in COPY.rglob("*"):
        name = target.relative_to(COPY)
        if name.parts[0] != "build" and target.is_file() and str(name) not in files:
            if target.suffix not in (".so", ".pyc"):
                target.unlink()


def run(command: list[str], timeout: float | None = None) -> subprocess.CompletedProcess:
    environment = dict(os.environ, PYTHONPATH=str(COPY / "python"), PYTHONDONTWRITEBYTECODE="1")
    return subprocess.run(
        command,
        cwd=COPY,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        timeout=timeout,
    )


def configure() -> str | None:
    """None, or the output of what failed."""
    done = run(
        ["cmake", "--preset", "release", "-DBQUANT_BUILD_PYTHON=ON"]
        + [f"-DPython_EXECUTABLE={sys.executable}"]
    )
    return done.stdout if done.returncode else None


def build() -> str | None:
    """None, or the output of a build that failed."""
    done = run(["ninja", "-C", "build"])
    return done.stdout if done.returncode else None


def first_failure(output: str) -> str:
    """The name of the failed test, as far as the output tells."""
    for pattern in (
        r"^FAIL: BQuant :: (\S+)",
        r"^\[  FAILED  \] (\w+\.[\w/]+)",
        r"^FAILED (\S+)",
        r"^\s*BQuant :: (\S+)",
    ):
        if match := re.search(pattern, output, re.MULTILINE):
            return match[1]
    return (output.strip().splitlines() or ["no output"])[-1][:80]


def passing_seconds() -> dict[str, float]:
    """How long each suite takes; exits where one fails without a fault."""
    seconds = {}
    for suite, command in SUITES.items():
        start = time.monotonic()
        done = run(command)
        if done.returncode:
            sys.exit(
                "mutate: expected the suite to pass without a fault, but got "
                f"{suite}: {first_failure(done.stdout)}"
            )
        seconds[suite] = time.monotonic() - start
    return seconds


def notice(fault: Fault, seconds: dict[str, float]) -> str | None:
    """What noticed that something is wrong, or None."""
    runs = [(suite, SUITES[suite]) for suite in SUITES]
    runs.sort(key=lambda run: run[0] != fault.suite)
    if fault.tests:
        some = SOME[fault.suite] + fault.tests
        runs.insert(0, (fault.suite, [*SUITES[fault.suite], some]))
    for suite, command in runs:
        timeout = max(TIMEOUT[0], TIMEOUT[1] * seconds[suite])
        try:
            done = run(command, timeout)
        except subprocess.TimeoutExpired:
            return f"{suite}: not done after {timeout:.0f} s"
        if suite in NO_TESTS and re.search(NO_TESTS[suite], done.stdout, re.MULTILINE):
            raise ValueError(f"expected {suite} tests of {fault.tests!r}, but got none")
        if done.returncode:
            return f"{suite}: {first_failure(done.stdout)}"
    return None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="faults (default: all)")
    parser.add_argument("--list", action="store_true", help="print the faults and stop")
    args = parser.parse_args()
    faults = read_faults()
    if args.list:
        for fault in faults:
            print(f"{fault.name}: {fault.breaks} ({fault.file})")
        return 0
    if unknown := set(args.names) - {fault.name for fault in faults}:
        parser.error(f"expected names that --list shows, but got {', '.join(sorted(unknown))}")
    chosen = [fault for fault in faults if not args.names or fault.name in args.names]

    print(f"== build and test {COPY.relative_to(ROOT)} without a fault", flush=True)
    copy_sources()
    output = configure() or build()
    if output:
        sys.exit(output[-2000:] + "\nmutate: could not build without a fault")
    seconds = passing_seconds()

    missed = []
    for number, fault in enumerate(chosen, 1):
        start = time.monotonic()
        file = COPY / fault.file
        original = file.read_text()
        try:
            file.write_text(fault.apply(original))
            by = "does not compile" if build() else notice(fault, seconds)
        except ValueError as error:
            by = f"does not apply: {error}"
        finally:
            file.write_text(original)
        if by is None or by.startswith("does not"):
            missed.append(fault.name)
        took = time.monotonic() - start
        print(
            f"[{number}/{len(chosen)}] {fault.name}: {by or 'NOT NOTICED'} ({took:.0f} s)",
            flush=True,
        )
    print(f"{len(chosen) - len(missed)} of {len(chosen)} faults noticed")
    if missed:
        print("not noticed: " + ", ".join(missed))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
