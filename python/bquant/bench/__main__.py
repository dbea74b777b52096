"""The command: see the package."""

from __future__ import annotations

import argparse
import contextlib
import functools
import os
import shlex
import signal
import sys
import tempfile
import time
from pathlib import Path

from .. import _bquant, frontends
from .._files import written
from . import engines, limits, page, sets, table
from .processes import Worker, WorkerError
from .results import TIMED, Results
from .running import Options, Runner


def arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bquant.bench",
        description="Times compiled networks beside what else a user could run.",
        epilog=f"Sets: {', '.join(sets.NAMES)}.",
    )
    parser.add_argument("sets", nargs="*", metavar="SET", help="what to run, by name")
    add = parser.add_argument
    add(
        "--model",
        action="append",
        default=[],
        metavar="FILE",
        help=f"a network of your own: {', '.join(frontends.SUFFIXES)}",
    )
    add("--against", metavar="PEERS", help="some of " + ", ".join(engines.PEERS))
    add("--threads", default="1", metavar="N[,N...]")
    add("--target-cpu", metavar="CPU", help="as llc -mcpu knows it")
    strategies = _bquant.option_values("strategy")
    add("--strategy", default="auto", choices=strategies, help="as of bquant.compile")
    add(
        "--seconds",
        type=float,
        default=1.0,
        help="of calls, of each engine in each of two runs (default: 1)",
    )
    add(
        "--peers",
        type=Path,
        action="append",
        metavar="DIRECTORY",
        help="an environment of peers; may be given several times (default: "
        f"{', '.join(map(str, engines.default_peers()))})",
    )
    add("--json", type=Path, metavar="FILE", help="all rows (docs/performance.md)")
    add("--html", type=Path, metavar="FILE", help="a page of bars, rooflines and layers")
    return parser.parse_args(argv)


def _threads(text: str) -> list[int]:
    try:
        numbers = [int(part) for part in text.split(",")]
    except ValueError:
        numbers = []
    if not numbers or min(numbers) < 1:
        raise ValueError(f"expected numbers of at least 1 for --threads, but got '{text}'")
    return numbers


def _against(text: str | None, notes: list[str]) -> list[str]:
    """The peers that were named; what is none is a note, and the rest runs."""
    if text is None:
        return []
    names = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        notes.append(f"expected some of {', '.join(engines.PEERS)} for --against, but got none")
    known = [name for name in dict.fromkeys(names) if name in engines.PEERS]
    for name in names:
        if name not in engines.PEERS:
            notes.append(f"expected some of {', '.join(engines.PEERS)}, but got '{name}'")
    return known


def _cases(options: argparse.Namespace, against: list[str], notes: list[str]) -> list[sets.Case]:
    """Of all that was asked for; what there is not is a note, and the rest runs."""
    cases = []
    of_model = functools.partial(sets.of_model, models=options.model)
    for find, names in ((sets.cases, options.sets), (of_model, options.model)):
        for name in names:
            try:
                found = find(name)
            except (OSError, ValueError) as error:
                notes.append(str(error))
                continue
            present = [case for case in found if case.is_for(against)]
            if not present:
                notes.append(
                    f"{name}: peers make its networks: expected some of {', '.join(engines.LITE)} "
                    f"for --against, but got {', '.join(against) or 'none'}"
                )
            cases += present
    return cases


def _check_apart(options: argparse.Namespace) -> None:
    """No output is another, or a network that is to be read."""
    seen = {os.path.realpath(model) for model in options.model}
    for path in filter(None, (options.json, options.html)):
        if (real := os.path.realpath(path)) in seen:
            raise ValueError(f"expected different files, but got '{path}' twice")
        seen.add(real)


def _find_peers(options: argparse.Namespace, directory: Path) -> engines.Peers:
    peers = engines.Peers()
    for environment in options.peers or engines.default_peers():
        python = engines.peers_python(environment)
        if python is None:
            continue
        # An environment that does not run has no peers.
        with contextlib.suppress(WorkerError):
            peers.add(python, Worker(python, "convert.py")("versions", directory))
    return peers


def _say(text: str) -> None:
    print(f"bench: {text}", file=sys.stderr, flush=True)


def main(argv: list[str] | None = None) -> int:
    options = arguments(argv)
    notes: list[str] = []
    try:
        threads = _threads(options.threads)
        _check_apart(options)
    except ValueError as error:
        _say(str(error))
        return 1
    against = _against(options.against, notes)
    cases = _cases(options, against, notes)
    for note in notes:
        _say(note)
    if not cases:
        if not notes:
            _say(f"expected a set ({', '.join(sets.NAMES)}) or --model FILE, but got neither")
        return 1
    try:
        with contextlib.ExitStack() as outputs:
            # Before the time goes into them.
            files = {
                write: outputs.enter_context(written(path))
                for path, write in ((options.json, Results.json), (options.html, page.html))
                if path
            }
            results = _run(options, argv, cases, against, threads, notes)
            for write, file in files.items():
                file.write(write(results))
    except OSError as error:
        _say(str(error))
        return 1
    except KeyboardInterrupt:
        _say("interrupted")
        return 128 + signal.SIGINT
    return 0 if any(row.status == TIMED for row in results.rows) else 1


def _run(options, argv, cases, against, threads, notes) -> Results:
    """Measures, and prints a table."""
    start = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="bquant-bench-") as temporary:
        directory = Path(temporary)
        peers = _find_peers(options, directory) if against else engines.Peers()
        results = Results(
            command=shlex.join(["python", "-m", "bquant.bench", *(argv or sys.argv[1:])]),
            machine=limits.machine(_versions(against, peers)),
            notes=notes,
        )
        runner = Runner(
            Options(
                against,
                threads,
                directory,
                options.target_cpu,
                options.strategy,
                options.seconds,
            ),
            peers,
            results,
            _say,
        )
        runner.run(cases)
    _say(f"{time.perf_counter() - start:.0f} s in all")
    print(table.text(results))
    return results


def _versions(against: list[str], peers: engines.Peers) -> dict[str, str]:
    import bquant

    versions = {"bquant": bquant.__version__}
    for name in against:
        if name in peers.versions:
            versions[name] = peers.versions[name]
    return versions


if __name__ == "__main__":
    sys.exit(main())
