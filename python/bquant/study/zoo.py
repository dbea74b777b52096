"""`python -m bquant.study.zoo [DIRECTORY]`: the zoo's files again, of the networks of a study."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from pathlib import Path

from .. import train
from ..models import zoo
from . import trainings
from .schemes import by_name
from .setting import Setting
from .trainings import Training

NETWORKS = {
    "fashion-resnet-ls-1": "1/1 ls",
    "fashion-resnet-ls-T": "T/1 ls",
    "fashion-resnet-ls-2": "2/1 ls",
    "fashion-resnet-ls-2-2": "2/2 ls",
}


def export(setting: Setting, name: str, row: str, folder: Path) -> dict:
    """Writes NAME.npz of seed 0; the card, with the accuracy of what the file holds."""
    data, scheme = setting.load(), by_name(row)
    model = trainings.trained(setting, data, scheme, 0)
    channels, image, _ = data.shape
    card = {
        "constructor": "resnet18",
        "options": {
            "weights": scheme.weights,
            "activations": scheme.activations,
            "width": setting.width,
            "classes": len(data.classes),
            "image": image,
            "channels": channels,
            "stem": "pooled",
        },
        "data": data.name,
        "classes": data.classes,
        "mean": data.mean,
        "std": data.std,
        "activation_bits": scheme.activation_bits,
        "weight_bits": scheme.weight_bits,
        "epochs": setting.epochs,
        "command": setting.command("--rows", row, "training"),
    }
    path = folder / f"{name}.npz"
    zoo.write(path, model, card)
    card["accuracy"] = train.accuracy(zoo.read(path), data, data.test)
    zoo.write(path, model, card)
    return zoo.read(path).card


def _check_ended(setting: Setting) -> None:
    """ValueError where a training is missing, before a file is written."""
    for row in NETWORKS.values():
        if not trainings.is_done(setting, Training(by_name(row), 0)):
            raise ValueError(
                f"{setting.output}: expected a study with the trainings of "
                f"{', '.join(NETWORKS.values())}, but it has none of {row} with seed 0"
            )


def main(arguments=None) -> int:
    parser = argparse.ArgumentParser("python -m bquant.study.zoo", description=__doc__)
    parser.add_argument(
        "directory", nargs="?", type=Path, default=Setting().output, help="the study's --output"
    )
    setting = replace(Setting(), output=parser.parse_args(arguments).directory)
    try:
        _check_ended(setting)
        for name, row in NETWORKS.items():
            card = export(setting, name, row, zoo.FOLDER)
            print(f"{name}: {card['accuracy']:.2%}, {card['bytes']:,} bytes")
    except (OSError, ValueError, RuntimeError) as error:
        print(f"bquant.study.zoo: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
