"""Generated programs, compiled in several ways that have to agree; bytes for what reads them.

    fuzz.py [NAME...] [--hours H | --programs N] [--first SEED] [--jobs J] [--record]

A name is a level of programs or a target of bytes/targets.py; without any all of them run, one
after the other.

Each seed is a program (programs/draw.py). What a level is compared with: see programs/levels.py.
A program on which two ways differ, or which one refuses, is a finding: it is written to --output,
and the exit code is 1. With --record a row goes to campaigns.csv, and the next run goes on after
its seeds.
"""

import argparse
import concurrent.futures
import csv
import itertools
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from bytes.targets import TARGETS  # noqa: E402
from programs.levels import LEVELS  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
CAMPAIGNS = Path(__file__).parent / "campaigns.csv"
COLUMNS = ["commit", "level", "first", "programs", "findings"]


def next_seed(level):
    """The first that no recorded campaign had."""
    with CAMPAIGNS.open() as file:
        rows = [row for row in csv.DictReader(file) if row["level"] == level]
    return max((int(row["first"]) + int(row["programs"]) for row in rows), default=0)


def record(level, first, programs, findings):
    git = ["git", "-C", str(ROOT), "rev-parse", "--short", "HEAD"]
    commit = subprocess.run(git, check=True, capture_output=True, text=True).stdout.strip()
    with CAMPAIGNS.open("a", newline="") as file:
        csv.writer(file, lineterminator="\n").writerow([commit, level, first, programs, findings])


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
            running = {}
            while running or not self.is_over():
                while len(running) < self.options.jobs and not self.is_over():
                    first, count = next(batches), self.level.batch
                    if self.options.programs is not None:
                        count = min(count, self.options.programs - self.programs)
                    self.programs += count
                    running[pool.submit(judge, self.level, range(first, first + count))] = first
                done, _ = concurrent.futures.wait(
                    running, return_when=concurrent.futures.FIRST_COMPLETED
                )
                for future in done:
                    del running[future]
                    for finding in future.result():
                        self.report(*finding)
                self.show()
        self.show(last=True)

    def report(self, seeds, text, message):
        self.options.output.mkdir(parents=True, exist_ok=True)
        path = self.options.output / f"{self.level.name}-{seeds[0]}{self.level.suffix}"
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text)
        self.findings.append(path)
        print(f"\r\033[K{path}: {message}" if sys.stderr.isatty() else f"{path}: {message}")

    def show(self, last=False):
        seconds = time.monotonic() - self.start
        text = (
            f"{self.level.name}: {self.programs} programs from seed {self.first}, "
            f"{len(self.findings)} findings, {seconds:.0f} s"
        )
        if last:
            print("\r\033[K" + text if sys.stderr.isatty() else text, flush=True)
        elif sys.stderr.isatty():
            print("\r\033[K" + text, end="", file=sys.stderr, flush=True)


def judge(level, seeds):
    """(seeds, program, message) of what the programs show."""
    programs = level.draw(seeds)
    if not programs or (output := run(level, programs)) is None:
        return []
    told = told_of(output)
    found = [([p.seed], level.write([p]), told[p.seed]) for p in programs if p.seed in told]
    if found:
        return found
    if len(programs) > 1:  # one by one, since it crashed, or does not say which
        found = [finding for p in programs for finding in judge(level, [p.seed])]
    return found or [([p.seed for p in programs], level.write(programs), last_line(output))]


def told_of(output):
    """What lines "pSEED: message" say."""
    lines = re.findall(r"^p(\d+): (.*)$", output, re.MULTILINE)
    return {int(seed): message for seed, message in reversed(lines)}


def last_line(output):
    lines = output.strip().splitlines()
    told = [line for line in lines if re.search("differs|refused|signal|not done", line)]
    return (told or lines or ["nothing was said"])[-1]


def run(level, programs):
    """None, or what was said where something is wrong with the programs together."""
    with tempfile.TemporaryDirectory() as directory:
        command = level.command(programs, Path(directory))
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
    parser = argparse.ArgumentParser(
        description=__doc__.split("\n", 1)[0],
        formatter_class=argparse.ArgumentDefaultsHelpFormatter,
    )
    known = [*LEVELS, *TARGETS]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(known)}; all")
    parser.add_argument("--hours", type=float, default=0.1, help="for each name")
    parser.add_argument("--programs", type=int, help="for each level, in place of --hours")
    parser.add_argument("--first", type=int, help="seed (default: after what campaigns.csv has)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--record", action="store_true", help="add what was run to campaigns.csv")
    parser.add_argument("--output", type=Path, default=Path("fuzz-output"), help="of findings")
    options = parser.parse_args()
    if unknown := set(options.names) - set(known):
        parser.error(f"expected names of {', '.join(known)}, but got {', '.join(sorted(unknown))}")
    passed = True
    for name in options.names or known:
        if name in TARGETS:
            passed &= TARGETS[name](max(1, 3600 * options.hours), options.jobs)
            continue
        first = next_seed(name) if options.first is None else options.first
        campaign = Campaign(LEVELS[name], first, options)
        campaign.run()
        passed &= not campaign.findings
        if options.record:
            record(name, first, campaign.programs, len(campaign.findings))
    return 0 if passed else 1


if __name__ == "__main__":
    sys.exit(main())
