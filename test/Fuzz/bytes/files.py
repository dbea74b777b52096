"""Runs test/Python/damaged_files.py for long, in processes that may die.

    files.py KIND [--seeds FIRST LAST] [--minutes N] [--samples FILE...] [--keep DIRECTORY]

A file that fails is kept there, with all that may be undone of its damage undone; of signatures,
reports and libraries the seed alone is printed.
"""

import argparse
import mmap
import os
import re
import resource
import signal
import struct
import sys
import time
import traceback
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "test" / "Python"), str(ROOT / "python" / "runtime")]

from damaged_files import KINDS, SECONDS, InBoth, check, check_seeds, damage, get_sample  # noqa: E402

FREE_BYTES = 3 << 30  # more than the process has, for one file


def in_process(kind, content):
    """What `check` finds in a process of its own, or None: no crash and no hang is lost."""
    read, write = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(read)
        limit_memory()
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            check(kind, content)
        except BaseException as error:
            os.write(write, str(error).strip().encode(errors="replace")[-4000:])
        os._exit(0)
    os.close(write)
    with open(read, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(process, 0)
    if status:
        return f"expected an end, but got signal {os.WTERMSIG(status)}"
    return said or None


def limit_memory():
    with open("/proc/self/statm") as statm:
        now = int(statm.read().split()[0]) * mmap.PAGESIZE
    resource.setrlimit(resource.RLIMIT_AS, (now + FREE_BYTES,) * 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def undo(kind, sample, content):
    """The damage, as little of it as still fails: runs of bytes go back to what they were."""
    if len(sample) != len(content):
        return content
    size = len(content)
    while size >= 1:
        for start in range(0, len(content), size):
            part = slice(start, start + size)
            if content[part] != sample[part]:
                other = content[:start] + sample[part] + content[start + size :]
                if in_process(kind, other):
                    content = other
        size = max(size // 4, 1) if size > 1 else 0
    return content


def run_part(kind, samples, first, last, progress):
    """In a process that may die; `progress` has the seed that it is at."""
    limit_memory()
    seeds = range(first, last)
    if issubclass(kind, InBoth):
        check_seeds(kind, samples, seeds)
        return
    for seed in seeds:
        progress[:8] = struct.pack("<q", seed)
        signal.setitimer(signal.ITIMER_PROF, 2 * SECONDS)
        check(kind, damage(kind, samples, seed))


def run_long(kind, samples, seeds, seconds, keep):
    """The number of files read and of failures."""
    progress, failures, end = mmap.mmap(-1, 8), set(), time.monotonic() + seconds
    count, at = 0, seeds.start
    while at < seeds.stop and time.monotonic() < end:
        last = min(at + 500, seeds.stop)
        progress[:8] = struct.pack("<q", at)
        process = os.fork()
        if process == 0:
            code = 1
            try:
                run_part(kind, samples, at, last, progress)
                code = 0
            except BaseException:
                if issubclass(kind, InBoth):  # what the files of a part came to together
                    traceback.print_exc()
            finally:
                os._exit(code)
        _, status = os.waitpid(process, 0)
        (seed,) = struct.unpack("<q", progress[:8])
        if status == 0 or issubclass(kind, InBoth):
            failures |= {f"{at} to {last}"} if status else set()
            count += last - at
            at = last
            continue
        count += seed + 1 - at
        at = seed + 1
        content = damage(kind, samples, seed)
        said = in_process(kind, content) or "a failure that does not come again"
        # One of each place, which is where it was raised, and as what.
        place = (
            re.findall(r'(?m)^  File ".*', said)[-1:],
            re.match(r"\S*", said.splitlines()[-1])[0],
        )
        if str(place) in failures:
            continue
        failures.add(str(place))
        content = undo(kind, get_sample(samples, seed), content)
        keep.mkdir(parents=True, exist_ok=True)
        path = keep / f"{kind.__name__.lower()}-{seed}"
        path.write_bytes(content)
        print(f"seed {seed}: {path}\n{said}", flush=True)
    return count, failures


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("--seeds", nargs=2, type=int, default=[0, 1 << 40])
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--samples", nargs="*", type=Path, default=[])
    parser.add_argument("--keep", type=Path, default=ROOT / "build" / "fuzz" / "failures")
    options = parser.parse_args()
    kind = KINDS[options.kind]
    samples = kind.samples() + [path.read_bytes() for path in options.samples]
    for sample in samples:
        check(kind, sample)  # what is imported once, is; and it is whole
    count, failures = run_long(
        kind, samples, range(*options.seeds), 60 * options.minutes, options.keep
    )
    print(f"{options.kind}: {count} files, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
