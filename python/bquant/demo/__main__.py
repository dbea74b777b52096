"""Trains, compiles, compares: see the package."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

import torch
from tqdm import tqdm

import bquant

from . import compare, data, table, trained
from .network import VARIANTS, DigitsNet, weight_bytes
from .train import steps, train

LISTED = 3  # values on thresholds


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bquant.demo", description=__doc__)
    parser.add_argument("--output", type=Path, default=Path("demo-output"), metavar="DIRECTORY")
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def checked_layers(report: str, is_float: bool) -> list[dict]:
    """The products of a compiled network, by its report. Float are the first convolution and the
    last layer only, and nothing took the slow route; anything else ends the demo."""
    report = json.loads(report)
    products = [x for x in report["layers"] if x["op"].startswith(("conv_2d", "matmul"))]
    found = [(x["location"], x["arithmetic"]) for x in products]
    inner = "float" if is_float else "binary"
    expected = [("first.conv", "float"), *((f"block{i}.conv", inner) for i in (1, 2, 3))]
    expected.append(("last", "float"))
    if found != expected:
        raise SystemExit(f"demo: expected the products {expected}, but the report has {found}")
    for remark in report["remarks"]:
        # What a pass leaves takes the slow route.
        if remark["name"] in ("not-converted", "tile-and-fuse", "vectorize"):
            if remark["kind"] in ("missed", "failure"):
                where = f"{remark['location']}: {remark['text']}"
                raise SystemExit(f"demo: expected the fast route, but {where}")
    return products


def verified(results: list[table.Result]) -> str:
    """That every layer of every network is PyTorch's, and the values on thresholds; else the end of
    the demo."""
    lines, pictures = [], 0
    for result in results:
        verification = result.comparison.verification
        if not verification:
            raise SystemExit(f"demo: {result.variant.name}: {verification}")
        pictures += verification.calls
        lines += [f"  {result.variant.name}: {value}" for value in verification.on_thresholds]
    head = (
        f"bquant.verify: every layer equals PyTorch's on {pictures} pictures, "
        f"values on thresholds: {len(lines)}"
    )
    return "\n".join([head, *lines[:LISTED]])


def train_all(options, training: data.Split) -> dict[str, DigitsNet]:
    models = {}
    total = len(VARIANTS) * steps(training, options.epochs)
    with tqdm(total=total, unit="batch", file=sys.stdout, mininterval=0.5) as bar:
        for variant in VARIANTS:
            bar.set_description(f"training {variant.name:6}")
            models[variant.name] = train(
                variant, training, options.epochs, options.seed, bar.update
            )
    return models


def main() -> None:
    options = arguments()
    if options.epochs < 1:
        raise SystemExit(f"demo: expected at least 1 epoch, but got {options.epochs}")
    if not -(2**63) <= options.seed < 2**64:  # torch takes no others
        raise SystemExit(f"demo: expected a seed of 64 bits, but got {options.seed}")
    try:
        options.output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise SystemExit(f"demo: cannot write '{options.output}': {error.strerror}") from None
    # Layers of this size gain nothing from a second thread.
    torch.set_num_threads(1)
    start = time.perf_counter()
    trained.show(options.output)
    training, test = data.load()
    sizes = len(training.labels), len(test.labels)
    print(f"scikit-learn digits: {sizes[0]} images to train on, {sizes[1]} held out")
    models = train_all(options, training)

    results = []
    example = test.images[:1].contiguous()
    for variant in VARIANTS:
        model = models[variant.name]
        network = bquant.compile(model, (example,))
        layers = checked_layers(network.report("json"), variant.is_float)
        file = variant.name.replace("/", "_").replace(" ", "_")
        (options.output / f"report-{file}.html").write_text(
            network.report("html"), encoding="utf-8"
        )
        results.append(
            table.Result(
                variant,
                compare.compare(model, network, test),
                compare.measure(model, network, example),
                weight_bytes(model),
                layers,
            )
        )
    print("\n" + table.table(results))
    print("(ratio: PyTorch's time over the compiled network's, medians of calls by turns)")
    print(verified(results))
    table.plot_report(results, options.output / "report.png")
    print(
        f"float products: the first convolution and the last layer only, by the reports\n"
        f"plots and reports: {options.output}/, {time.perf_counter() - start:.0f} s in all"
    )


if __name__ == "__main__":
    main()
