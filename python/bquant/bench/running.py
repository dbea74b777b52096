"""A case from its making to its rows.

All cases are made first, on as many cores as there are. Then each is timed alone: its engines in
turn, each in a process of its own, twice, with the machine's limits measured around each turn.
"""

from __future__ import annotations

import statistics
import sys
from dataclasses import dataclass, field
from pathlib import Path

from . import engines, limits
from .engines import OWN, Engine, Peers
from .processes import Worker, WorkerError, in_parallel
from .results import FAILED, HELD_BACK, MISSING, TIMED, WRONG, Layer, Limits, Results, Row
from .sets import Case

TURNS = 2
LEAST_GAIN = 1.4  # of a peer with two threads, where nothing else runs near 2
TRIALS = 3

_NOT_INSTALLED = "{} is not installed: ./dev bench --peers installs it"


@dataclass
class Options:
    against: list[str]
    threads: list[int]
    directory: Path
    target_cpu: str | None = None
    strategy: str = "auto"
    seconds: float = 1.0  # of calls, of each engine in each turn


@dataclass
class Made:
    """What there is of a case before it is timed."""

    case: Case
    directory: Path
    facts: dict = field(default_factory=dict)
    failures: dict = field(default_factory=dict)  # by (engine, precision): why


class Runner:
    def __init__(self, options: Options, peers: Peers, results: Results, say):
        self.options, self.peers, self.results, self.say = options, peers, results, say
        self.features = results.machine.features
        self.limits = self._measure_limits()
        bits = self.limits.vector_bits if self.limits and options.target_cpu else None
        self.environment = engines.peer_environment(bits)

    # Making

    def run(self, cases: list[Case]) -> None:
        for name in dict.fromkeys(case.set for case in cases):
            self._note_absent(name, [case for case in cases if case.set == name])
        for one in in_parallel(self._make, range(len(cases)), cases):
            for threads in self.options.threads:
                self._time(one, threads)

    def _note_absent(self, name: str, cases: list[Case]) -> None:
        """Of a set in which a peer has nothing."""
        present = {engine.name for case in cases for engine in self._engines(case)}
        for peer in self.options.against:
            if peer not in present:
                self.results.notes.append(f"{name}: {peer} has nothing to run there")

    def _make(self, index: int, case: Case) -> Made:
        directory = self.options.directory / f"case{index}"
        directory.mkdir()
        made = Made(case, directory)
        own, *peers = self._engines(case)
        self.say(f"{case.title}: making")
        unread = ""
        try:
            unread = self._make_lite(case, directory)
            made.facts = Worker(sys.executable, "make_case.py")(
                "make",
                directory,
                kind=case.kind,
                arguments=case.arguments,
                target=self.options.target_cpu or "host",
                strategy=self.options.strategy,
                threads=max(self.options.threads),
                exports=any(engine.reads_program for engine in peers),
            )
        except WorkerError as error:
            made.failures[own] = str(error)
            # Peers still run on a network that bquant alone fails on.
            if not (directory / "expected.npy").exists():
                made.failures |= dict.fromkeys(peers, unread or str(error))
        self._convert(made, [engine for engine in peers if self._is_installed(engine)])
        return made

    def _make_lite(self, case: Case, directory: Path) -> str:
        """case.tflite, an input, and what is expected of it; why not, of a user's file, which is
        compared with the reference route alone where there is no interpreter that takes it."""
        if not case.is_lite:
            return ""
        names = (case.maker,) if case.maker else engines.LITE
        python = next(filter(None, map(self.peers.pythons.get, names)), None)
        if python is None:
            if case.is_model:
                return ""
            raise WorkerError(
                f"its file is made by {case.maker}: {_NOT_INSTALLED.format(case.maker)}"
            )
        try:
            Worker(python, "make_lite.py")(
                "make", directory, kind=case.kind, arguments=case.arguments
            )
        except WorkerError as error:
            if not case.is_model:
                raise
            return str(error)
        return ""

    def _convert(self, made: Made, peers: list[Engine]) -> None:
        """The case in the peers' own formats."""
        if made.case.is_lite:
            return
        if made.case.is_model and made.case.kind != ".pt2":
            made.failures |= dict.fromkeys(peers, "peers run what PyTorch exported, a .pt2 file")
        peers = [engine for engine in peers if engine not in made.failures]
        readers = [engine for engine in peers if engine.reads_onnx]
        if readers:
            try:
                Worker(readers[0].python, "convert.py")("to_onnx", made.directory)
            except WorkerError as error:
                made.failures |= {engine: f"cannot be converted: {error}" for engine in readers}
        has_dot_products = limits.has_dot_products(self.features) and not self.environment
        for engine in peers:
            if not engine.prepares or engine in made.failures:
                continue
            self.say(f"{made.case.title}: making {engine.label}")
            try:
                Worker(engine.python, engine.script, self.environment)(
                    "prepare",
                    made.directory,
                    precision=engine.precision,
                    has_dot_products=has_dot_products,
                )
            except WorkerError as error:
                made.failures[engine] = str(error)

    def _engines(self, case: Case) -> list[Engine]:
        """bquant, and what runs the case beside it."""
        chosen = [Engine(OWN, "", sys.executable)]
        if case.kind == "solver":
            chosen.append(Engine("numpy", "sort", sys.executable))
        for name in self.options.against:
            if engines.reads_lite(name) != case.is_lite:
                continue
            for precision in engines.engines_of(case.precisions, name, self.features):
                chosen.append(Engine(name, precision, self.peers.pythons.get(name, "")))
        return chosen

    def _is_installed(self, engine: Engine) -> bool:
        return bool(engine.python)

    # Timing

    def _time(self, made: Made, threads: int) -> None:
        case = made.case
        rows = {engine: self._start_row(made, engine, threads) for engine in self._engines(case)}
        reason = self._why_held_back(threads)
        if reason:
            for row in rows.values():
                row.status, row.reason = HELD_BACK, reason
        around = [self.limits]
        for turn in range(TURNS):
            for engine, row in rows.items():
                if row.status == TIMED:
                    self.say(
                        f"{case.title}: {row.label}, {threads} thread"
                        f"{'s' if threads > 1 else ''}, run {turn + 1} of {TURNS}"
                    )
                    self._run(made, engine, row)
            if any(row.status == TIMED for row in rows.values()):
                around.append(self._measure_limits())
        limit = _median_limits([one for one in around if one])
        for row in rows.values():
            self._finish_row(row, case, limit)
            self.results.rows.append(row)

    def _start_row(self, made: Made, engine: Engine, threads: int) -> Row:
        case = made.case
        row = Row(
            set=case.set,
            group=case.group,
            case=case.name,
            engine=engine.name,
            precision=engine.precision,
            threads=threads,
            status=TIMED,
            macs=made.facts.get("macs", 0) // case.repeats,
        )
        is_compiled = engine.name == OWN and case.kind != "solver"
        if not is_compiled or case.is_lite:
            tolerance = engines.tolerance(engine.precision or "sort", case.quantizes)
            row.tolerance = 0 if case.is_exact else tolerance
            row.checked = "by the norm of what it differs by"
        if is_compiled:
            row.checked = made.facts.get("checked", "")
        if not self._is_installed(engine):
            row.status = MISSING
            row.reason = _NOT_INSTALLED.format(engine.name)
        elif engine in made.failures:
            row.status, row.reason = FAILED, made.failures[engine]
        elif engine.name == OWN and made.facts["mismatch"]:
            row.status, row.reason = WRONG, made.facts["mismatch"]
        return row

    def _run(self, made: Made, engine: Engine, row: Row) -> None:
        environment = {} if engine.name == OWN else self.environment
        try:
            found = Worker(engine.python, engine.script, environment)(
                "solve" if made.case.kind == "solver" else "run",
                made.directory,
                arguments=made.case.arguments,
                precision=engine.precision,
                threads=row.threads,
                tolerance=row.tolerance,
                seconds=self.options.seconds,
                in_place=made.case.is_lite,
                pinned=True,
            )
        except WorkerError as error:
            row.status, row.reason = FAILED, str(error)
            return
        row.error = found["error"]
        if not found["seconds"]:
            row.status = WRONG
            row.reason = f"its output differs by {row.error:.2g} of the expected one's norm"
            return
        seconds = [s / made.case.repeats for s in found["seconds"]]
        row.medians.append(statistics.median(seconds))
        row.seconds_min = min(seconds + [row.seconds_min or seconds[0]])
        row.repetitions += found["calls"]
        if engine.name == OWN and row.threads == 1:
            row.layers = [Layer(**layer) for layer in made.facts["layers"]]

    def _finish_row(self, row: Row, case: Case, limit: Limits | None) -> None:
        row.limits = limit
        if row.status != TIMED:
            row.medians, row.seconds_min = [], None
            return
        row.seconds_median = min(row.medians)
        if limit and row.macs:
            speed = row.macs / row.seconds_median / 1e9
            row.of_limit = speed / (limit.bits * row.threads)

    # The machine

    def _measure_limits(self) -> Limits | None:
        try:
            return limits.measure(self.options.target_cpu)
        except OSError as error:
            if str(error) not in self.results.notes:
                self.results.notes.append(str(error))
            return None

    def _why_held_back(self, threads: int) -> str:
        """Other work on the machine can hide all that a further thread gains: PyTorch, on floats,
        has to gain before anybody's time is believed."""
        if threads == 1:
            return ""
        gain = 0.0
        for _ in range(TRIALS):
            try:
                found = Worker(sys.executable, "run_torch.py")(
                    "gain", self.options.directory, threads=threads, pinned=True
                )
            except WorkerError as error:
                return f"what threads gain could not be measured: {error}"
            gain = max(gain, found["gain"])
            if gain >= LEAST_GAIN:
                return ""
        return (
            f"PyTorch gains {gain:.2f} times with {threads} threads, less than {LEAST_GAIN}: the "
            "machine has too few cores free"
        )


def _median_limits(all_: list[Limits]) -> Limits | None:
    if not all_:
        return None

    def median(name: str) -> dict[str, float]:
        tables = [getattr(one, name) for one in all_]
        return {key: statistics.median(t[key] for t in tables) for key in tables[0]}

    one = all_[0]
    return Limits(one.target_cpu, one.vector_bits, median("gmac_per_s"), median("gbyte_per_s"))
