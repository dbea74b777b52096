"""Generated programs, compiled in several ways that have to agree; bytes for what reads them.

    fuzz.py [NAME...] [--hours H | --programs N] [--first SEED] [--all] [--jobs J] [--record]

A name is a level of programs or a target of bytes/targets.py; without any all of them run, one
after the other.

Each seed is a program (programs/draw.py). What a level is compared with: see programs/levels.py.
A program on which two ways differ, or which one refuses, is a finding: it is written to --output,
the command that shows it again is printed, and the exit code is 1. With --record a row goes to
campaigns.csv, and the next run goes on after its seeds.
"""

import argparse
import concurrent.futures
import csv
import itertools
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from bytes.targets import CXX, TARGETS, merge  # noqa: E402
from programs.levels import LEVELS  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CAMPAIGNS = Path(__file__).parent / "campaigns.csv"


def next_seed(level):
    """The first that no recorded campaign had."""
    with CAMPAIGNS.open() as file:
        rows = [row for row in csv.DictReader(file) if row["level"] == level]
    return max((int(row["first"]) + int(row["seeds"]) for row in rows), default=0)


def git(*arguments):
    command = ["git", "-C", str(ROOT), *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def record(commit, level, first, seeds, findings):
    with CAMPAIGNS.open("a", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow([commit, level, first, seeds, findings])


class Campaign:
    """Batches of seeds of one level, until the time or the programs are over."""

    def __init__(self, level, first, options):
        self.level, self.first, self.options = level, first, options
        self.programs, self.findings = 0, []
        self.start = time.monotonic()

    def is_over(self):
        if self.options.programs is not None:
            return self.programs >= self.options.programs
        return time.monotonic() - self.start >= self.options.hours * 3600

    def run(self):
        for runtime in self.level.missing():
            print(f"{self.level.name}: without {runtime}")
        batches = itertools.count(self.first, self.level.batch)
        with concurrent.futures.ThreadPoolExecutor(self.options.jobs) as pool:
            running = set()
            while running or not self.is_over():
                while len(running) < self.options.jobs and not self.is_over():
                    first, count = next(batches), self.level.batch
                    if self.options.programs is not None:
                        count = min(count, self.options.programs - self.programs)
                    self.programs += count
                    seeds = range(first, first + count)
                    running.add(pool.submit(judge, self.level, seeds, self.options.all))
                done, running = concurrent.futures.wait(
                    running, return_when=concurrent.futures.FIRST_COMPLETED
                )
                for future in done:
                    for finding in future.result():
                        self.report(*finding)
                self.show()
        self.show(last=True)

    def report(self, programs, drawn_by, message):
        """Writes the programs down. What else was drawn for them is by the seed `drawn_by`."""
        stem = self.options.output / f"{self.level.name}-{programs[0].seed}"
        self.options.output.mkdir(parents=True, exist_ok=True)
        paths = self.level.save(programs, stem)
        command = self.level.command(programs, paths, drawn_by, self.options.all)
        self.findings.append(paths[0])
        text = f"{paths[0]}: {message}\n    {shlex.join(map(str, command))}"
        clear()
        print(text, flush=True)

    def show(self, last=False):
        seconds = time.monotonic() - self.start
        text = (
            f"{self.level.name}: {self.programs} programs from seed {self.first}, "
            f"{len(self.findings)} findings, {seconds:.0f} s"
        )
        if last:
            clear()
            print(text, flush=True)
        elif sys.stderr.isatty():
            clear()
            print(text, end="", file=sys.stderr, flush=True)


def clear():
    """The line of progress, where there is one."""
    if sys.stderr.isatty():
        print("\r\033[K", end="", file=sys.stderr, flush=True)


def judge(level, seeds, in_all_ways):
    """(programs, seed, message) of what the programs of these seeds show."""
    return findings_of(level, level.draw(seeds), seeds[0], in_all_ways)


def findings_of(level, programs, drawn_by, in_all_ways):
    if not programs or (output := run(level, programs, drawn_by, in_all_ways)) is None:
        return []

    def of(some):
        return findings_of(level, some, drawn_by, in_all_ways)

    if told := told_of(output, programs):  # the others once more: a crash may hide what they show
        found = []
        for p in (p for p in programs if p.seed in told):
            # Alone it may be compiled in another way, and not show it.
            alone = run(level, [p], drawn_by, in_all_ways)
            again = alone is not None and told_of(alone, [p]).get(p.seed) == told[p.seed]
            found.append(([p] if again else programs, drawn_by, told[p.seed]))
        return found + of([p for p in programs if p.seed not in told])
    found = []
    if len(programs) > 1:  # one by one, since it crashed, or does not say which
        found = [finding for p in programs for finding in of([p])]
    return found or [(programs, drawn_by, last_line(output))]


def told_of(output, programs):
    """What lines "pSEED: message" say of these programs."""
    lines = re.findall(r"^p(\d+): (.*)$", output, re.MULTILINE)
    told = {int(seed): message for seed, message in reversed(lines)}
    return {p.seed: told[p.seed] for p in programs if p.seed in told}


def last_line(output):
    lines = output.strip().splitlines()
    told = [line for line in lines if re.search("differs|refused|signal|not done", line)]
    return (told or lines or ["nothing was said"])[-1]


def run(level, programs, drawn_by, in_all_ways):
    """None, or what was said where something is wrong with the programs together."""
    with tempfile.TemporaryDirectory() as directory:
        paths = level.save(programs, Path(directory) / "programs")
        command = level.command(programs, paths, drawn_by, in_all_ways)
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=600,
                errors="replace",
                cwd=directory,
            )
        except subprocess.TimeoutExpired:
            return "not done after 600 s"
    if done.returncode == 0:
        return None
    if done.returncode < 0:
        return f"{done.stderr}\nended by signal {-done.returncode}"
    return done.stderr or done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    known = [*LEVELS, *TARGETS]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}; all")
    parser.add_argument("--hours", type=float, default=0.1, help="for each name (default: 0.1)")
    parser.add_argument("--programs", type=int, help="for each level, in place of --hours")
    parser.add_argument("--first", type=int, help="seed (default: after what campaigns.csv has)")
    parser.add_argument(
        "--all", action="store_true", help="compile each in all ways, not a drawn one"
    )
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--record", action="store_true", help="add what was run to campaigns.csv")
    parser.add_argument("--merge", action="store_true", help="make corpora of libFuzzer's anew")
    parser.add_argument(
        "--output",
        type=Path,
        default=Path("fuzz-output"),
        help="of findings (default: fuzz-output)",
    )
    parser.add_argument(
        "--list-presets", action="store_true", help="what has to be built, and stop"
    )
    options = parser.parse_args()
    if unknown := set(options.names) - set(known):
        parser.error(f"expected names of {', '.join(known)}, but got {', '.join(sorted(unknown))}")
    names = options.names or known
    if options.list_presets:
        print("release", *["asan"] * any(name in CXX for name in names))
        return 0
    if options.record:
        commit = find_commit(parser, [LEVELS[name] for name in names if name in LEVELS])
    passed = True
    for name in names:
        if name in TARGETS:
            passed &= TARGETS[name](max(1, 3600 * options.hours), options.jobs)
            if options.merge and name in CXX:
                merge(name)
            continue
        first = next_seed(name) if options.first is None else options.first
        campaign = Campaign(LEVELS[name], first, options)
        campaign.run()
        passed &= not campaign.findings
        if options.record:
            record(commit, name, first, campaign.programs, len(campaign.findings))
    return 0 if passed else 1


def find_commit(parser, levels):
    """That of a row, which stands for its sources, compared with all that the level says."""
    if git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!test/Fuzz/campaigns.csv"):
        parser.error("expected sources as committed, for --record, but got others")
    for level in levels:
        if missing := level.missing():
            parser.error(
                f"expected all that '{level.name}' is compared with, for --record, "
                f"but got none of {', '.join(missing)}"
            )
    return git("rev-parse", "--short", "HEAD").strip()


if __name__ == "__main__":
    sys.exit(main())
