"""The process of Larq's compute engine: a .tflite file by its own interpreter."""

from __future__ import annotations

from pathlib import Path

import measuring

# The precision is the kernels of binary convolutions: by a matrix product of patches, which the
# interpreter takes by itself, or by pointers to pixels.
_OPTIONS = {"default": {}, "indirect": {"use_indirect_bgemm": True}}


def run(job: dict, directory: Path) -> dict:
    from larq_compute_engine.tflite.python.interpreter import Interpreter

    file = Path(job["arguments"].get("path", directory / "case.tflite"))
    options = _OPTIONS[job["precision"]]
    interpreter = Interpreter(file.read_bytes(), num_threads=job["threads"], **options)
    x = measuring.load(directory, "x")
    return measuring.measure(lambda: interpreter.predict(x), job, directory)


if __name__ == "__main__":
    measuring.main(run=run)
