"""Workers: a job as a file, a process of its own, its result as a file."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from .engines import WORKERS

_SECONDS = 900  # of any one process
_numbers = itertools.count()
_running: set[subprocess.Popen] = set()
_starting = threading.Lock()
_interrupted = threading.Event()


class WorkerError(Exception):
    """A worker that failed; the message is its own last line."""


@dataclass(frozen=True)
class Worker:
    python: str
    script: str
    environment: dict[str, str] = field(default_factory=dict)

    def __call__(self, action: str, directory: Path, **job) -> dict:
        number = next(_numbers)
        file, result = directory / f"job{number}.json", directory / f"result{number}.json"
        job = {**job, "action": action, "directory": str(directory), "result": str(result)}
        file.write_text(json.dumps(job))
        status, errors = self._run(file)
        if status < 0:
            raise WorkerError(f"ended by signal {-status}")
        if status or not result.exists():
            lines = errors.strip().splitlines()
            raise WorkerError(lines[-1] if lines else "failed without a word")
        return json.loads(result.read_text())

    def _run(self, file: Path) -> tuple[int, str]:
        """The process's status, and what it says on standard error."""
        with self._start(file) as process:
            try:
                _, errors = process.communicate(timeout=_SECONDS)
            except subprocess.TimeoutExpired:
                raise WorkerError(f"not done after {_SECONDS} s") from None
            finally:
                process.kill()
                _running.discard(process)
        return process.returncode, errors

    def _start(self, file: Path) -> subprocess.Popen:
        with _starting:
            if _interrupted.is_set():
                raise WorkerError("interrupted")
            try:
                process = subprocess.Popen(
                    [self.python, str(WORKERS / self.script), str(file)],
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.PIPE,
                    text=True,
                    env={**os.environ, **self.environment},
                )
            except OSError as error:
                raise WorkerError(f"cannot be started: {error}") from None
            _running.add(process)
            return process


def in_parallel(function: Callable, *arguments: Iterable) -> list:
    """What it returns of each, as many at a time as there are cores. An interrupt ends all workers
    that run, and none starts."""
    pool = ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0))))
    try:
        return list(pool.map(function, *arguments))
    except BaseException:
        _end_all()
        raise
    finally:
        pool.shutdown()
        _interrupted.clear()


def _end_all() -> None:
    with _starting:
        _interrupted.set()
        for process in _running.copy():
            process.kill()
