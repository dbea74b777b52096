"""`python -m bquant compile MODEL -o NET.so`: from a file that `bquant.compile` takes to a library.

The options are those of bquant-compile.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import sys

from .api import PRECISIONS, STRATEGIES, compile, lower

_REPORTS = {".txt": "text", ".json": "json", ".html": "html"}


def main(arguments=None) -> int:
    options = _parser().parse_args(arguments)
    try:
        _compile(options)
    except (OSError, ValueError, RuntimeError, ImportError) as error:  # NotImplementedError, too
        print(f"bquant: {error}", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m bquant")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("compile", help="compile a network to a shared library")
    command.add_argument("model", help="a .pt2, .onnx, .mlir or .mlirbc file")
    command.add_argument("-o", dest="output", required=True, metavar="FILE", help="NAME.so")
    command.add_argument("--assume", default="", help="no-nan, no-zero, exact-residues, by commas")
    command.add_argument("--float-precision", default="f32", choices=PRECISIONS)
    command.add_argument("--report", metavar="FILE", help="NAME.txt, NAME.json or NAME.html")
    command.add_argument("--stop-after", metavar="STAGE", help="write MLIR after this stage")
    command.add_argument("--strategy", default="auto", choices=STRATEGIES)
    command.add_argument(
        "--strict", action="store_true", help="straight-through residues as they are written"
    )
    command.add_argument("--target-cpu", metavar="CPU", help="default: this machine's")
    command.add_argument("--target-triple", metavar="TRIPLE", help="beside --target-cpu")
    command.add_argument("--threads", type=int, default=1, help="most that a call may use")
    return parser


def _compile(options) -> None:
    target = options.target_cpu or "host"
    if options.target_triple:
        if not options.target_cpu:
            raise ValueError("expected --target-cpu beside --target-triple, but got none")
        target = f"{options.target_triple}:{options.target_cpu}"
    common = {
        "target": target,
        "strategy": options.strategy,
        "assume": tuple(word for word in options.assume.split(",") if word),
        "float_precision": options.float_precision,
        "strict": options.strict,
    }
    if options.stop_after:
        if options.report:
            raise ValueError("expected --report without --stop-after, but got both")
        text = lower(options.model, options.stop_after, large_constants=True, **common)
        with _written(options.output, text):
            pass
        return
    kind = _REPORTS.get(os.path.splitext(options.report or "report.txt")[1])
    if kind is None:
        raise ValueError(
            f"expected a report that ends in .txt, .json or .html, but got '{options.report}'"
        )
    network = compile(options.model, threads=options.threads, **common)
    if not options.report:
        network.save(options.output)
        return
    with _written(options.report, network.report(kind)):
        network.save(options.output)


@contextlib.contextmanager
def _written(path: str, text: str):
    """A file that is there once what is done meanwhile has succeeded."""
    part = f"{path}.part"
    try:
        file = open(part, "w", encoding="utf-8")
    except OSError as error:
        raise OSError(f"cannot write '{path}': {error.strerror}") from None
    try:
        with file:
            file.write(text)
        yield
        os.replace(part, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.remove(part)


if __name__ == "__main__":
    sys.exit(main())
