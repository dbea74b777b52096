"""What the machine is, and what one of its threads can do at best."""

from __future__ import annotations

import json
import os
import platform
import subprocess

from .engines import find_tool
from .results import Limits, Machine

_FEATURES = (
    "avx2", "avx512f", "avx512_vpopcntdq", "avx512_vnni", "avx_vnni", "avx512_bf16",
    "amx_int8", "amx_bf16", "asimddp", "i8mm", "sve",
)  # fmt: skip

_FAMILY = (("family", "cpu family"), ("model", "model"))


def machine(versions: dict[str, str]) -> Machine:
    info = _cpu_info()
    flags = (info.get("flags") or info.get("Features") or "").split()
    return Machine(
        cpu=", ".join([info.get("model name", platform.machine()), *_family(info)]),
        cores=len(os.sched_getaffinity(0)),
        features=[feature for feature in _FEATURES if feature in flags],
        system=f"{platform.system()} {platform.release()}",
        versions=versions,
    )


def _family(info: dict[str, str]) -> list[str]:
    """A maker's name for many machines says little."""
    return [f"{key} {info[name]}" for key, name in _FAMILY if name in info]


def _cpu_info() -> dict[str, str]:
    """The first core's."""
    info = {}
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                key, colon, value = line.partition(":")
                if not colon:
                    break
                info[key.strip()] = value.strip()
    except OSError:
        pass
    return info


def has_dot_products(features: list[str]) -> bool:
    """One instruction adds products of four bytes: sums of pairs need not saturate."""
    return any(f.endswith("vnni") or f in ("amx_int8", "asimddp", "i8mm") for f in features)


def measure(target_cpu: str | None) -> Limits:
    """By bquant-bench's bare loops; an OSError where there is no such tool."""
    tool = find_tool("bquant-bench")
    if tool is None:
        raise OSError("expected bquant-bench on the path or in build/bin: no limits")
    command = [tool, "--limits", *([f"--target-cpu={target_cpu}"] if target_cpu else [])]
    core = min(os.sched_getaffinity(0))
    result = subprocess.run(
        command, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, {core})
    )
    if result.returncode:
        raise OSError((result.stderr.strip().splitlines() or ["bquant-bench failed"])[-1])
    found = json.loads(result.stdout)
    return Limits(found["cpu"], found["vector_bits"], found["gmac_per_s"], found["gbyte_per_s"])
