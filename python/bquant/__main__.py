"""`python -m bquant compile MODEL -o NET.so` and `python -m bquant verify MODEL`, for a file that
`bquant.compile` takes; installed also as `bquant-mlir` and `bquant`.

The options are those of bquant-compile, without MLIR's own (`--mlir-timing` and its like), which a
process keeps for all that it compiles.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import pathlib
import sys
from collections.abc import Sequence

import numpy as np

from . import _bquant, frontends
from ._files import written
from ._network import Network, check_threads, load
from ._progress import ProgressLine
from .api import ASSUMPTIONS, PRECISIONS, STRATEGIES, options_of
from .verification import verify

_REPORTS = {".txt": "text", ".json": "json", ".html": "html"}
_OF_MLIR = (
    "MLIR's own options are those of bquant-compile, which takes what --stop-after=import writes"
)
_DESCRIPTION = "Compiles networks to shared libraries, and compares them with their models."


def main(arguments: Sequence[str] | None = None) -> int:
    parser = _parser()
    options, unknown = parser.parse_known_args(arguments)
    if unknown:
        own = any(argument.startswith(("-mlir-", "--mlir-")) for argument in unknown)
        parser.error(
            f"unrecognized arguments: {' '.join(unknown)}" + (f"; {_OF_MLIR}" if own else "")
        )
    try:
        return options.run(options)
    except (OSError, ValueError, RuntimeError, ImportError, TypeError) as error:
        print(f"bquant: {error}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    name = os.path.basename(sys.argv[0])
    parser = argparse.ArgumentParser(
        name if name.startswith("bquant") else "python -m bquant", description=_DESCRIPTION
    )
    parser.add_argument("--version", action="version", version=f"bquant {_bquant.version()}")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("compile", help="compile a network", epilog=_OF_MLIR)
    command.set_defaults(run=_compile)
    command.add_argument("-o", dest="output", required=True, metavar="FILE", help="output file")
    kinds, stages = _bquant.option_values("emit"), _bquant.option_values("stop-after")
    command.add_argument("--emit", choices=kinds, help="what to write (default: shared)")
    command.add_argument("--report", metavar="FILE", help="NAME.txt, NAME.json or NAME.html")
    command.add_argument(
        "--stop-after",
        metavar="STAGE",
        help=f"write MLIR after this stage: {', '.join(stages)}",
    )
    command.add_argument(
        "--entry-name",
        metavar="NAME",
        help="what the function is called in C (default: after the file)",
    )
    command.add_argument("--target-triple", metavar="TRIPLE", help="beside --target-cpu")
    command.add_argument(
        "--target-sysroot",
        metavar="DIRECTORY",
        help="where a shared library finds the target's C library",
    )
    _add_common(command)
    command = commands.add_parser("verify", help="compare compiled code with its model")
    command.set_defaults(run=_verify, target_triple=None, target_sysroot=None, entry_name=None)
    command.add_argument("--inputs", metavar="FILE", help=".npy, or .npz of one call's arrays")
    command.add_argument("--library", metavar="NET.so", help="default: the model is compiled")
    _add_common(command)
    return parser


def _add_common(command) -> None:
    """How a network is compiled."""
    command.add_argument("model", help=f"a file: {', '.join(frontends.SUFFIXES)}")
    command.add_argument("--assume", default="", help=f"by commas: {', '.join(ASSUMPTIONS)}")
    command.add_argument("--float-precision", default="f32", choices=PRECISIONS)
    command.add_argument("--strategy", default="auto", choices=STRATEGIES)
    command.add_argument(
        "--strict", action="store_true", help="straight-through residues as they are written"
    )
    command.add_argument(
        "--target-cpu",
        metavar="CPU",
        help="default: this machine's; several with commas, or portable",
    )
    command.add_argument("--target-features", metavar="LIST", help="as llc's -mattr")
    command.add_argument("--threads", type=int, default=1, help="most that a call may use")
    command.add_argument("--verify-each", action="store_true", help="verify the IR after each pass")
    command.add_argument(
        "--verify-folding",
        action="store_true",
        help="interpret each folded chain around its thresholds",
    )


def _compiler_options(options) -> dict:
    """Those of `_bquant.Module`."""
    check_threads(options.threads)
    target = options.target_cpu or "host"
    if options.target_triple:
        if not options.target_cpu:
            raise ValueError("expected --target-cpu beside --target-triple, but got none")
        target = f"{options.target_triple}:{options.target_cpu}"
    names = ("entry_name", "float_precision", "strategy", "strict", "target_features")
    names += ("target_sysroot", "threads", "verify_each", "verify_folding")
    return options_of(target, options.assume, **{name: getattr(options, name) for name in names})


def _compile(options) -> int:
    how = _compiler_options(options)
    if options.stop_after:
        _lower(options, how)
        return 0
    kind = _REPORTS.get(os.path.splitext(options.report or "report.txt")[1])
    if kind is None:
        raise ValueError(
            f"expected a report that ends in .txt, .json or .html, but got '{options.report}'"
        )
    emit = options.emit or "shared"
    if emit == "shared" and os.path.splitext(options.output)[1] != ".so":
        raise ValueError(
            f"expected a path that ends in .so for a shared library, but got '{options.output}'"
        )
    _check_apart(options)
    module = _read(options.model)
    with ProgressLine(None) as progress:
        if not options.report:
            module.compile(options.output, emit, **how, progress=progress)
            return 0
        # First, so that nothing is written where the report cannot be.
        with written(options.report) as file:
            report = module.compile(options.output, emit, **how, progress=progress)
            file.write(_bquant.format_report(report, kind))
    return 0


def _lower(options, how: dict) -> None:
    if options.report:
        raise ValueError("expected --report without --stop-after, but got both")
    if options.emit not in (None, "mlir"):
        raise ValueError(f"expected --emit=mlir with --stop-after, but got {options.emit}")
    _check_apart(options)
    module = _read(options.model)
    module.lower(options.stop_after, **how)
    with written(options.output) as file:
        file.write(module.print())


def _check_apart(options) -> None:
    """A slip of the pen may not cost the model."""
    with contextlib.suppress(FileNotFoundError):
        if os.path.samefile(options.model, options.output):
            raise ValueError(f"expected another file than the model, but got '{options.output}'")


def _read(path: str):
    """A path is never MLIR text, whatever its characters are."""
    module, _ = frontends.read(pathlib.Path(path))
    return module


def _verify(options) -> int:
    how = _compiler_options(options)
    if options.library:
        net = load(options.library)
    else:
        module = _read(options.model)
        net = Network(module.jit(**how), options.threads, module, how)
    assume = options.assume if options.library else None
    result = verify(net, pathlib.Path(options.model), _arrays(options.inputs), assume)
    print(result)
    return 0 if result else 1


def _arrays(path: str | None):
    """One call's."""
    if path is None:
        return None
    with open(path, "rb") as file:
        try:
            loaded = np.load(file)
            if isinstance(loaded, np.ndarray):
                return loaded
            with loaded:
                return tuple(loaded.values())
        except Exception as error:  # NumPy passes on what zipfile, zlib and tokenize raise
            reason = (str(error) or type(error).__name__).splitlines()[0]
            raise ValueError(f"expected a .npy or .npz file, but got '{path}': {reason}") from None


if __name__ == "__main__":
    sys.exit(main())
