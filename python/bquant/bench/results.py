"""What a benchmark finds, and its JSON (docs/performance.md lists the fields)."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field

from .. import _bquant

SCHEMA = 1

# What became of an engine on a case.
TIMED = "timed"
WRONG = "wrong"  # its output is not the expected one: not timed
FAILED = "failed"  # it could not make or run the network
MISSING = "missing"  # it is not installed
HELD_BACK = "held back"  # a peer with as many threads gained nothing: the machine is too busy


@dataclass
class Limits:
    """What one thread of the machine can do at best, by bare loops run beside the engines."""

    target_cpu: str
    vector_bits: int
    gmac_per_s: dict[str, float]  # by kernel
    gbyte_per_s: dict[str, float]  # by where the bytes lie: "L2", "memory"

    @property
    def bits(self) -> float:
        """GMAC a second of the fastest loop of a strategy."""
        return max(self.gmac_per_s.get(name, 0) for name in _bquant.option_values("strategy"))


@dataclass
class Machine:
    cpu: str
    cores: int
    features: list[str]  # those that decide what kernels and peers can do
    system: str
    versions: dict[str, str]  # of bquant, and of the peers that are installed


@dataclass
class Layer:
    """Of a compiled network, by its profile."""

    name: str
    kernel: str
    seconds: float
    macs: int
    bytes_read: int  # of its input and its weights, as they are stored
    limit_share: float | None  # of the speed of the kernel's bare loop


@dataclass
class Row:
    """One engine on one case."""

    set: str
    group: str  # cases of one group do the same work, on other numbers
    case: str  # bits of activations and weights, "int8", or "float"
    engine: str
    precision: str
    threads: int
    status: str
    reason: str = ""  # why it was not timed
    seconds_min: float | None = None
    seconds_median: float | None = None  # the least of the runs' medians
    medians: list[float] = field(default_factory=list)  # of the runs
    repetitions: int = 0  # calls, in all runs
    macs: int = 0
    of_limit: float | None = None  # macs a second over the fastest bare loop of bits
    error: float | None = None  # ||output - expected|| / ||expected||
    tolerance: float | None = None
    checked: str = ""  # how the output was compared
    limits: Limits | None = None
    layers: list[Layer] = field(default_factory=list)

    @property
    def label(self) -> str:
        return f"{self.engine} {self.precision}".strip()


@dataclass
class Results:
    command: str
    machine: Machine
    rows: list[Row] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what was asked for and could not be done

    def json(self) -> str:
        return json.dumps({"schema": SCHEMA, **asdict(self)}, indent=1) + "\n"


def fastest_peer(rows: list[Row], row: Row) -> Row | None:
    """The fastest other engine that was timed in the row's group on as many threads."""
    peers = [
        r
        for r in rows
        if r.status == TIMED
        and r.engine != "bquant"
        and (r.set, r.group, r.threads) == (row.set, row.group, row.threads)
    ]
    return min(peers, key=lambda r: r.seconds_median, default=None)
