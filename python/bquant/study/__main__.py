"""`python -m bquant.study [NAME ...]`: the paper's experiments; see the package."""

from __future__ import annotations

import argparse
import dataclasses
import io
import os
import sys
from pathlib import Path

import torch

from . import EXPERIMENTS, Study
from .setting import MODELS, RECIPES, Setting, usual
from .study import choose


def _parser() -> argparse.ArgumentParser:
    default = Setting()
    parser = argparse.ArgumentParser("python -m bquant.study", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(EXPERIMENTS)}; all")
    parser.add_argument("--model", choices=MODELS, help=f"default: {default.model}")
    parser.add_argument(
        "--data",
        help="fashion-mnist, digits, a folder of images (a folder a class), imagenet:FOLDER or "
        f"cifar-100:FOLDER; {default.data}",
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
    parser.add_argument(
        "--workers", type=int, help="trainings at once; default: one a core, or one a GPU"
    )
    parser.add_argument(
        "--recipe",
        choices=RECIPES,
        help="short, or the paper's, with its width and epochs; default: the paper's of imagenet:",
    )
    parser.add_argument("--device", help=f"where networks train; {default.device}")
    parser.add_argument("--precision", help=f"of products: float32 or bf16; {default.precision}")
    parser.add_argument(
        "--loaders", type=int, help=f"processes of a training that read images; {default.loaders}"
    )
    return parser


def _workers(options) -> int:
    if options.workers is not None:
        return options.workers
    on_gpus = (options.device or "").startswith("cuda")
    return (torch.cuda.device_count() if on_gpus else os.cpu_count()) or 1


def main(arguments=None) -> int:
    if isinstance(sys.stdout, io.TextIOWrapper):  # of a locale that may lack a character
        sys.stdout.reconfigure(errors="backslashreplace")
    options = _parser().parse_args(arguments)
    given = {
        field.name: value
        for field in dataclasses.fields(Setting)
        if field.name not in ("fast", "output", "start")
        and (value := getattr(options, field.name, None)) is not None
    }
    of_imagenet = (options.data or "").startswith("imagenet:")
    recipe = given.setdefault("recipe", "paper" if of_imagenet else "short")
    workers = _workers(options)
    torch.set_num_threads(max(1, min(workers, os.cpu_count() or 1)))
    try:
        base = usual(options.fast, recipe == "paper")
        setting = dataclasses.replace(base, output=options.output, **given)
        choose(options.names, setting)  # before the images are read
        study = Study(setting, workers, options.seeds, options.rows)
        study.run(options.names)
    except (OSError, ValueError, RuntimeError, ImportError) as error:
        print(f"bquant.study: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("bquant.study: stopped; the same command goes on from here", file=sys.stderr)
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
