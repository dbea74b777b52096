"""Runs TensorFlow Lite files by the interpreter of Larq's compute engine, in the environment that
has it (.venv-outside-larq), for programs/judge_tflite.py.

    lite_interpreter.py LIBRARY

Standard input has pickles (file, calls, whether by XNNPACK), an array as (type, shape, bytes);
standard output the results of the calls, or what the interpreter says.
"""

import importlib.util
import pickle
import sys

import numpy as np


def load(path):
    spec = importlib.util.spec_from_file_location("interpreter_wrapper_lite", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.LiteInterpreter


def run(interpreter, content, calls, xnnpack):
    """By the reference kernels of Larq's operators, and maybe XNNPACK's of others."""
    made = interpreter(content, 1, True, False, xnnpack)
    results = []
    for call in calls:
        given = [np.frombuffer(b, dtype).reshape(shape) for dtype, shape, b in call]
        results.append([(y.dtype.str, y.shape, y.tobytes()) for y in made.predict(given)])
    return results


def main():
    interpreter = load(sys.argv[1])
    while True:
        try:
            question = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = run(interpreter, *question)
        except Exception as error:
            answer = str(error)
        pickle.dump(answer, sys.stdout.buffer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
