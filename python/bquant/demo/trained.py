"""A network of the zoo on the 10,000 test images that it was not trained on."""

from __future__ import annotations

import json
from pathlib import Path

import torch

import bquant

from .. import datasets, models
from ..train import predict
from . import compare, table

NAME = "fashion-resnet-ls-2"
PICTURES = (4, 10)


def show(output: Path) -> None:
    """Prints accuracy and time, and draws pictures with labels and what became of each layer.
    Without the images it says where they are to be had."""
    try:
        data = datasets.load("fashion-mnist")
    except FileNotFoundError as error:
        print(f"{NAME}: not shown, since {error}")
        return
    model = models.load(NAME)
    card = model.card
    network = bquant.compile(model, (torch.zeros(model.input_shape),), dynamic_batch=True)
    expected = predict(model, data, data.test).argmax(1)
    actual = predict(network, data, data.test).argmax(1)
    image = data.prepare(data.test.images[:1])
    times = compare.measure(model, bquant.compile(model, (image,)), image)
    right = (actual == data.test.labels).float().mean().item()
    torch_right = (expected == data.test.labels).float().mean().item()
    equal = (actual == expected).float().mean().item()
    print(
        f"{NAME} (activations of {card['activation_bits']:.3g} bits, weights of "
        f"{card['weight_bits']:.3g}) on {len(data.test):,} test images of {data.name}:\n"
        f"  right: {right:.2%} compiled, {torch_right:.2%} PyTorch; predicted alike: {equal:.2%}\n"
        f"  an image: {1e6 * times.compiled:.0f} µs compiled, {1e6 * times.torch:.0f} µs PyTorch "
        f"({times.ratio:.1f}x)"
    )
    _draw(data, actual, output / "fashion.png")
    report = json.loads(network.report("json"))
    layers = [x for x in report["layers"] if x["op"].startswith(("conv_2d", "matmul"))]
    table.plot_layers({NAME: layers}, output / "fashion-layers.png")
    (output / f"report-{NAME}.html").write_text(network.report("html"), encoding="utf-8")


def _draw(data, predictions, path: Path) -> None:
    """The first test images, what they were taken for, and in red what they are."""
    rows, columns = PICTURES
    plt = table.pyplot()
    figure, axes = plt.subplots(rows, columns, figsize=(12, 6), constrained_layout=True)
    for i, panel in enumerate(axes.flat):
        label, found = int(data.test.labels[i]), int(predictions[i])
        panel.imshow(data.test.images[i, 0], cmap="gray_r")
        panel.set_axis_off()
        text = data.classes[found]
        if found != label:
            text += f"\n({data.classes[label]})"
        panel.set_title(text, fontsize=8, color="black" if found == label else "C3")
    figure.savefig(path, dpi=120)
    plt.close(figure)
