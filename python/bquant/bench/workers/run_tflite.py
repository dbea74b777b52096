"""TensorFlow Lite's process: a .tflite file by its interpreter, which takes XNNPACK's kernels."""

from __future__ import annotations

import os
from pathlib import Path

import measuring

os.environ.update(TF_CPP_MIN_LOG_LEVEL="3", CUDA_VISIBLE_DEVICES="")


def run(job: dict, directory: Path) -> dict:
    import tensorflow as tf

    file = Path(job["arguments"].get("path", directory / "case.tflite"))
    interpreter = tf.lite.Interpreter(str(file), num_threads=job["threads"])
    interpreter.allocate_tensors()
    (given,), (result,) = interpreter.get_input_details(), interpreter.get_output_details()
    interpreter.set_tensor(given["index"], measuring.load(directory, "x"))
    return measuring.measure(
        interpreter.invoke, job, directory, lambda _: interpreter.get_tensor(result["index"])
    )


if __name__ == "__main__":
    measuring.main(run=run)
