"""Workers: a job as a file, a process of its own, its result as a file."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from .engines import WORKERS

_SECONDS = 900  # of any one process
_numbers = itertools.count()


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
        try:
            process = subprocess.run(
                [self.python, str(WORKERS / self.script), str(file)],
                capture_output=True,
                text=True,
                env={**os.environ, **self.environment},
                timeout=_SECONDS,
            )
        except subprocess.TimeoutExpired:
            raise WorkerError(f"not done after {_SECONDS} s") from None
        except OSError as error:
            raise WorkerError(f"cannot be started: {error}") from None
        if process.returncode < 0:
            raise WorkerError(f"ended by signal {-process.returncode}")
        if process.returncode or not result.exists():
            lines = process.stderr.strip().splitlines()
            raise WorkerError(lines[-1] if lines else "failed without a word")
        return json.loads(result.read_text())
