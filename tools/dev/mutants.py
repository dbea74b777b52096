"""Random mutants: how many small changes of the sources does the suite notice?

Places are drawn at random in the parts below, in numbers that go by their lines, and all
mutants are compiled into one build of a copy of the sources: `a < b` becomes
`(bquant_mutant(17) ? (a) <= (b) : a < b)`, and BQUANT_MUTANT=17 chooses it when a program
runs. What does not compile is left out. Each test runs once without a mutant, which tells the
mutants that it reaches; then each mutant has the tests that reach it, the cheapest first,
until one fails. A mutant that none fails for is the same program, or a hole in the suite.

    python tools/dev/mutants.py [--number N] [--seed N] [--suites unit,lit,property,pytest]
                                [--budget SECONDS] [--jobs N] [--again] [--list]

All that is found is in build-mutate/random: a run goes on where the last one stopped.
Solvers in compiled networks, a copy of those of the compiler, have no mutants.
"""

import argparse
import concurrent.futures
import hashlib
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from mutant_places import Finder, Mutant, render, strip_marks
from mutate import COPY, ROOT, SUITES, configure, copy_sources, first_failure, run

PARTS = [
    "lib/Quant",
    "lib/Dialect/BQuant/Transforms/Fold",
    "lib/Dialect/Packed/Kernels",
    "lib/Codegen",
]
STATE = ROOT / "build-mutate" / "random"
# So many more are drawn, for those that do not compile.
SPARE = 1.25
# Statements that compute nothing, which none has to notice when they are left out.
NO_RESULT = re.compile(rb"assert\b|remarks::")
# A mutant may make a loop endless or take all memory: that is noticed, too. The seconds of a
# run are these, and so many times those without a mutant.
TIMEOUT = (20, 10)
MOST_MEMORY = 4 << 30
# To start a runner takes long: so many seconds of tests at least are given to one.
LEAST = {"unit": 1, "lit": 8, "property": 1, "pytest": 20}

HEADER = """\
#ifndef BQUANT_LIB_MUTANT_H
#define BQUANT_LIB_MUTANT_H
#pragma clang diagnostic ignored "-Weverything"
#define BQUANT_JOIN2(a, b) a##b
#define BQUANT_JOIN(a, b) BQUANT_JOIN2(a, b)
#define BQUANT_COPY_network 1
#if BQUANT_JOIN(BQUANT_COPY_, BQUANT_SOLVERS) // solvers in compiled networks
constexpr bool bquant_mutant(int) { return false; }
#else
#include <cstdlib>
#include <fcntl.h>
#include <sys/mman.h>
inline const int bquant_chosen_mutant = [] {
  const char *number = getenv("BQUANT_MUTANT");
  return number ? atoi(number) : 0;
}();
inline char *const bquant_reached_mutants = []() -> char * {
  const char *file = getenv("BQUANT_REACHED");
  if (!file)
    return nullptr;
  void *map = mmap(nullptr, NUMBER, PROT_READ | PROT_WRITE, MAP_SHARED, open(file, O_RDWR), 0);
  return map == MAP_FAILED ? nullptr : static_cast<char *>(map);
}();
inline bool bquant_mutant(int number) {
  if (bquant_reached_mutants)
    bquant_reached_mutants[number] = 1;
  return number == bquant_chosen_mutant;
}
#endif
#endif
"""


def read_parts() -> dict[str, dict[str, bytes]]:
    return {
        part: {
            str(path.relative_to(ROOT)): path.read_bytes()
            for path in sorted((ROOT / part).rglob("*"))
            if path.suffix in (".cpp", ".h")
        }
        for part in PARTS
    }


def draw(number: int, seed: int) -> list[Mutant]:
    """Mutants of all parts, with spare ones; an order that does not depend on `number`."""
    parts = read_parts()
    lines = {part: sum(data.count(b"\n") for data in parts[part].values()) for part in parts}
    drawn = []
    for part, files in parts.items():
        places = [place for file, data in files.items() for place in Finder(file, data).places]
        chance = random.Random(f"{part} {seed}")
        chance.shuffle(places)
        mutants = [Mutant(place, *chance.choice(place.choices)) for place in places]
        wanted = number * lines[part] / sum(lines.values())
        drawn.append((wanted, mutants[: int(wanted * SPARE)]))
    # Those that are spare come last.
    return [
        mutant
        for _, mutant in sorted(
            ((i / wanted, mutant) for wanted, mutants in drawn for i, mutant in enumerate(mutants)),
            key=lambda pair: pair[0],
        )
    ]


def compile_mutants(mutants: dict[int, Mutant], left_out: set[int], keep) -> None:
    """Builds the copy with all that compile, and takes the others out of `mutants`."""
    files = {file: data for part in read_parts().values() for file, data in part.items()}
    left_out |= {
        n for n, m in mutants.items() if NO_RESULT.match(files[m.place.file], m.place.start)
    }
    header = HEADER.replace("NUMBER", str(max(mutants) + 1))
    for _ in range(20):
        for number in left_out:
            mutants.pop(number, None)
        contents, where = {"lib/Mutant.h": header.encode()}, {}
        for file in {mutant.place.file for mutant in mutants.values()}:
            own = {n: mutant for n, mutant in mutants.items() if mutant.place.file == file}
            text, where[file] = strip_marks(render(files[file], 0, len(files[file]), own))
            contents[file] = f'#include "Mutant.h"\n{text}'.encode()
            left_out |= {n for n in own if f"bquant_mutant({n})" not in text}
        copy_sources(contents)
        if not (COPY / "build" / "build.ninja").exists() and (output := configure()):
            sys.exit(output[-2000:] + "\nmutants: could not configure the copy")
        print(f"== build {len(mutants)} mutants", flush=True)
        done = run(["ninja", "-k", "0", "-C", "build"])
        if not done.returncode:
            return
        (STATE / "build.log").write_text(done.stdout)
        failing = find_failing(done.stdout, where)
        if not failing:
            sys.exit(done.stdout[-2000:] + "\nmutants: expected errors in mutants")
        left_out |= failing
        keep()
    sys.exit("mutants: expected a build to succeed, but got errors again and again")


def find_failing(output: str, where: dict[str, dict[tuple[int, int], int]]) -> set[int]:
    """The mutants at errors, or else those in the lines that are shown of a program with errors."""
    failing = set()
    for program in re.split(r"^FAILED: ", output, flags=re.MULTILINE)[1:]:
        found = set()
        for name, line, column in re.findall(
            r"^(\S+?):(\d+):(\d+): (?:fatal )?error: ", program, re.MULTILINE
        ):
            places = where.get(os.path.relpath(COPY / "build" / name, COPY), {})
            # A line is before the source: the one that includes the header.
            found |= {places.get((int(line) - 1, int(column)))} - {None}
        failing |= found or {int(n) for n in re.findall(r"bquant_mutant\((\d+)\)", program)}
    return failing


class Results:
    """What is known so far, a line a fact, in build-mutate/random."""

    def __init__(self):
        self.lock = threading.Lock()
        self.facts = []
        self.file = STATE / "results.jsonl"
        if self.file.exists():
            self.facts = [json.loads(line) for line in self.file.read_text().splitlines()]

    def add(self, **fact) -> None:
        with self.lock:
            self.facts.append(fact)
            with self.file.open("a") as file:
                file.write(json.dumps(fact) + "\n")

    def forget(self) -> None:
        """All but which mutants are killed."""
        self.facts = [fact for fact in self.facts if fact.get("by")]
        self.file.write_text("".join(json.dumps(fact) + "\n" for fact in self.facts))

    def tests(self, suite: str) -> dict[str, dict]:
        return {f["test"]: f for f in self.facts if f.get("suite") == suite and "test" in f}

    def tried(self, suite: str) -> set[int]:
        return {f["mutant"] for f in self.facts if f["suite"] == suite and "mutant" in f}

    def killed(self) -> dict[int, str]:
        return {f["mutant"]: f["by"] for f in self.facts if f.get("by")}


def limit() -> None:
    resource.setrlimit(resource.RLIMIT_DATA, (MOST_MEMORY, MOST_MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_tests(command: list[str], timeout: float, **variables: str) -> tuple[str | None, str]:
    """What went wrong, or None; and the output."""
    environment = dict(os.environ, PYTHONPATH=str(COPY / "python"), PYTHONDONTWRITEBYTECODE="1")
    with tempfile.TemporaryDirectory(prefix="bquant-mutants-") as directory:
        environment |= variables | {"TMPDIR": directory}
        with open(Path(directory) / "output", "w+", errors="replace") as output:
            process = subprocess.Popen(
                command,
                cwd=COPY,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=limit,
            )
            try:
                process.wait(timeout)
            except subprocess.TimeoutExpired:
                return f"not done after {timeout:.0f} s", ""
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
            output.seek(0)
            text = output.read()
    return (first_failure(text) if process.returncode else None), text


def command_of(suite: str, tests: list[str]) -> list[str]:
    if suite in ("unit", "property"):
        return [*SUITES[suite], "--gtest_filter=" + ":".join(tests)]
    if suite == "lit":
        return [*SUITES[suite][:-1], "-j1", *tests]
    return [argument for argument in SUITES[suite] if argument != "test/Python"] + tests


def list_tests(suite: str) -> list[str]:
    if suite == "pytest":
        modules = sorted((COPY / "test" / "Python").glob("test_*.py"))
        return [str(path.relative_to(COPY)) for path in modules if path.stem != "test_mutations"]
    if suite == "lit":
        shown = run([SUITES["lit"][0], "--show-tests", "build/test"]).stdout
        return ["build/test/" + name for name in re.findall(r"BQuant :: (\S+)", shown)]
    names, group = [], ""
    for line in run([SUITES[suite][0], "--gtest_list_tests"]).stdout.splitlines():
        line = line.split("#")[0].rstrip()
        if line.startswith("  "):
            names.append(group + line.strip())
        elif line.endswith("."):
            group = line
    return [name for name in names if "DISABLED" not in name]


def find_reach(suite: str, numbers: set[int], budget: float, results: Results, jobs: int) -> None:
    """Runs each test once without a mutant."""
    done = results.tests(suite)
    todo = [test for test in list_tests(suite) if test not in done]
    if todo:
        print(f"== {suite}: {len(todo)} tests without a mutant", flush=True)

    def reach(test: str) -> None:
        with tempfile.NamedTemporaryFile(prefix="bquant-reached-") as file:
            file.write(bytes(max(numbers) + 1))
            file.flush()
            start = time.monotonic()
            failure, _ = run_tests(command_of(suite, [test]), 2 * budget, BQUANT_REACHED=file.name)
            seconds = time.monotonic() - start
            reached = [n for n, byte in enumerate(Path(file.name).read_bytes()) if byte]
        reached = [] if failure else reached
        results.add(
            suite=suite, test=test, seconds=round(seconds, 2), reached=reached, failure=failure
        )
        if failure:
            print(f"left out: {test}: {failure}", flush=True)

    for_all(reach, todo, jobs)


def for_all(function, items, jobs: int) -> None:
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for future in [pool.submit(function, item) for item in items]:
            future.result()


def batches(tests: list[dict], least: float, budget: float) -> list[list[dict]]:
    """The cheapest tests first, and among them those that reach little, which ask more of it; each
    batch takes `least` seconds, or up to half as long as what came before."""
    tests = sorted(tests, key=lambda test: test["seconds"] * len(test["reached"]))
    made, total = [], 0.0
    for test in tests:
        if total + test["seconds"] > budget:
            continue
        total += test["seconds"]
        if made and sum(t["seconds"] for t in made[-1]) + test["seconds"] <= max(least, total / 2):
            made[-1].append(test)
        else:
            made.append([test])
    return made


def try_mutants(suite: str, numbers: set[int], budget: float, results: Results, jobs: int) -> None:
    tests = [*results.tests(suite).values()]
    todo = sorted(numbers - set(results.killed()) - results.tried(suite))
    print(f"== {suite}: {len(todo)} mutants", flush=True)

    def attempt(number: int) -> None:
        start, by = time.monotonic(), None
        reaching = [test for test in tests if number in test["reached"]]
        for batch in batches(reaching, LEAST[suite], budget):
            timeout = TIMEOUT[0] + TIMEOUT[1] * sum(test["seconds"] for test in batch)
            names = [test["test"] for test in batch]
            by, _ = run_tests(command_of(suite, names), timeout, BQUANT_MUTANT=str(number))
            if by:
                break
        seconds = round(time.monotonic() - start, 1)
        results.add(suite=suite, mutant=number, by=by, tests=len(reaching), seconds=seconds)

    for_all(attempt, todo, jobs)


def prepare(number: int, seed: int, is_listing: bool) -> list[dict]:
    """The mutants, built unless they are to be listed only."""
    STATE.mkdir(parents=True, exist_ok=True)
    file = STATE / "state.json"
    drawn = draw(number, seed)
    places = [(m.place.file, m.place.start, m.place.end, m.shown) for m in drawn]
    digest = hashlib.sha256(repr((number, seed, read_parts(), places)).encode()).hexdigest()
    left_out: set[int] = set()
    if is_listing and not file.exists():
        sys.exit("mutants: expected a run before --list")
    if file.exists():
        state = json.loads(file.read_text())
        if state["digest"] != digest:
            sys.exit(
                "mutants: expected the sources and options of the last run, but got others: "
                f"remove {STATE} to start again"
            )
        left_out |= {*state["left_out"]}

    def keep() -> None:
        file.write_text(json.dumps({"digest": digest, "left_out": sorted(left_out)}))

    mutants = dict(enumerate(drawn, 1))
    if not is_listing:
        keep()
        compile_mutants(mutants, left_out, keep)
        keep()
    mutants = {n: mutant for n, mutant in mutants.items() if n not in left_out}
    files = {file: data for part in read_parts().values() for file, data in part.items()}
    listed = []
    for n, mutant in sorted(mutants.items())[:number]:
        place = mutant.place
        data = files[place.file]
        listed.append(
            {
                "number": n,
                "part": next(part for part in PARTS if place.file.startswith(part + "/")),
                "file": place.file,
                "line": data.count(b"\n", 0, place.start) + 1,
                "old": data[place.start : place.end].decode(),
                "new": mutant.shown,
            }
        )
    return listed


def report(mutants: list[dict], results: Results) -> None:
    killed = results.killed()
    for part in PARTS:
        own = [mutant["number"] for mutant in mutants if mutant["part"] == part]
        print(f"{part}: {sum(n in killed for n in own)} of {len(own)} killed")
    dead = sum(mutant["number"] in killed for mutant in mutants)
    print(f"{dead} of {len(mutants)} killed ({dead / len(mutants):.1%})", flush=True)


def list_survivors(mutants: list[dict], results: Results) -> None:
    killed = results.killed()
    reached = {n for fact in results.facts if "reached" in fact for n in fact["reached"]}
    for mutant in mutants:
        n = mutant["number"]
        if n not in killed:
            where = f"{mutant['file']}:{mutant['line']}"
            old, new = (" ".join(mutant[side].split()) for side in ("old", "new"))
            how = "" if n in reached else " (no test reaches it)"
            print(f"{n}: {where}: {old} -> {new or 'nothing'}{how}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--number", type=int, default=500, help="of mutants (default: 500)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--suites", default=",".join(SUITES), help="in this order")
    parser.add_argument(
        "--budget", type=float, default=60, help="seconds of tests of a suite for a mutant"
    )
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument(
        "--again", action="store_true", help="all tests for the survivors, after tests changed"
    )
    parser.add_argument("--list", action="store_true", help="print survivors so far and stop")
    args = parser.parse_args()
    suites = args.suites.split(",")
    if unknown := {*suites} - {*SUITES}:
        parser.error(f"expected suites of {', '.join(SUITES)}, but got {', '.join(unknown)}")
    mutants = prepare(args.number, args.seed, args.list)
    results = Results()
    if not args.list:
        if args.again:
            results.forget()
        numbers = {mutant["number"] for mutant in mutants}
        for suite in suites:
            find_reach(suite, numbers, args.budget, results, args.jobs)
            try_mutants(suite, numbers, args.budget, results, args.jobs)
            report(mutants, results)
    list_survivors(mutants, results)
    report(mutants, results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
