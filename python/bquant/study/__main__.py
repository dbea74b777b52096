"""`python -m bquant.study [NAME ...]`: the paper's experiments; see the package."""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
from pathlib import Path

import torch

from . import EXPERIMENTS, Study
from .setting import FAST, MODELS, Setting


def _parser() -> argparse.ArgumentParser:
    default = Setting()
    parser = argparse.ArgumentParser("python -m bquant.study", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(EXPERIMENTS)}; all")
    parser.add_argument("--model", choices=MODELS, help=f"default: {default.model}")
    parser.add_argument(
        "--data",
        help=f"fashion-mnist, digits or a folder of images, a folder a class; {default.data}",
    )
    parser.add_argument("--size", type=int, help="resize the images of a folder to this side")
    parser.add_argument("--width", type=int, help=f"of the first stage; {default.width}")
    parser.add_argument("--epochs", type=int, help=f"of each training; {default.epochs}")
    parser.add_argument("--float-epochs", type=int, help="of the float networks; as of the others")
    parser.add_argument(
        "--seeds", type=int, help="trainings of each row; default: 3 or 1, as it asks"
    )
    parser.add_argument("--rows", help="of `training`: names with commas, or all; default: some")
    parser.add_argument("--fast", action="store_true", help="on digits, in a quarter of an hour")
    parser.add_argument("--output", type=Path, default=default.output, metavar="DIRECTORY")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="trainings at once")
    return parser


def main(arguments=None) -> int:
    options = _parser().parse_args(arguments)
    given = {
        field.name: value
        for field in dataclasses.fields(Setting)
        if field.name not in ("fast", "output", "start")
        and (value := getattr(options, field.name, None)) is not None
    }
    base = FAST if options.fast else Setting()
    setting = dataclasses.replace(base, output=options.output, **given)
    torch.set_num_threads(max(1, options.workers))
    try:
        study = Study(setting, options.workers, options.seeds, options.rows)
        study.run(options.names or list(EXPERIMENTS))
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        print(f"bquant.study: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("bquant.study: stopped; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
