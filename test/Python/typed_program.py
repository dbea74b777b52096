"""A program that uses all of the public API, for type checkers alone: test_types.py has mypy and
basedpyright check it, strictly, and looks whether it mentions every public name. Where a type is
declared here, it is the one that a user gets."""

from __future__ import annotations

from pathlib import Path

import bquant
import numpy as np
import onnx
import torch
from bquant import datasets, frontends, models, nn, study, train
from bquant.frontends import onnx as onnx_frontend
from bquant.frontends import tflite as tflite_frontend
from bquant.frontends import torch as torch_frontend
from matplotlib.figure import Figure
from numpy.typing import NDArray


def of_models(model: torch.nn.Module, onnx_model: onnx.ModelProto, x: torch.Tensor) -> None:
    """`compile` and `lower`."""
    net: bquant.Network = bquant.compile(
        model,
        example_inputs=(x,),
        target="aarch64-linux-gnu:neoverse-n1",
        threads=2,
        strategy="auto",
        dynamic_batch=True,
        assume=("no-nan", "no-zero"),
        input="uint8",
        mean=[0.5, 0.5, 0.5],
        std=0.25,
        input_weights="int8",
        float_precision="bf16",
        strict=True,
        target_features="+dotprod",
        verify_folding=True,
        verify_each=True,
        verbose=False,
        example_kwargs={"mask": x},
    )
    exported: torch.export.ExportedProgram = torch_frontend.export(model, (x,))
    for source in (exported, onnx_model, Path("net.onnx"), "net.pt2", b"ML\xefR"):
        net = bquant.compile(source)
        text: str = bquant.lower(source, "fold", strategy="reference", large_constants=True)
        print(bquant.__version__, net, text)
    for examples in (x, x.numpy(), (x, [x, x]), [x, {"state": x}]):
        bquant.compile(model, examples, assume="exact-residues")


def of_networks(net: bquant.Network, model: torch.nn.Module, x: torch.Tensor) -> None:
    """Calls, reports, profiles, libraries, verifications."""
    y = net(x, threads=1)
    print(y.shape, net(state=x))
    for result in net.flat(x, threads=1):
        print(result)
    arrays: tuple[NDArray[np.float32], ...] = net.initial_state()
    name: str = net.name
    version: str | None = net.version
    options: dict[str, object] | None = net.options
    print(arrays, name, version, options, net.signature["symbol"])
    for tensor in (*net.inputs, *net.outputs):
        sizes: list[int | None] = tensor["shape"]
        print(tensor["name"], tensor["dtype"], sizes, tensor.get("initial"), tensor.get("updates"))
    report: str = net.report("json")
    net.save(Path("net.so"), name="net")
    loaded: bquant.Network = bquant.load(Path("net.so"), threads=net.threads)

    profile: bquant.Profile = net.profile(x, calls=3)
    rest: float = profile.rest_seconds / profile.clocked_seconds * profile.seconds
    print(profile.function, profile.calls, rest, profile.clock_rate)
    for layer in profile.layers:
        share: float = layer["share"] * layer["seconds"]
        print(layer["location"], layer["operations"], layer["kernel"], share)
        print(layer.get("estimated_cycles"), layer.get("limit_cycles"), layer.get("limit_share"))
    picture: Figure = profile.plot(Path("profile.svg"))
    print(picture, profile.json(), profile.html(), report)

    result = bquant.verify(loaded, model, [x, (x, x.numpy())], assume="no-nan")
    against: list[str] = bquant.verify(net, "net.onnx", x, runtime=loaded).against
    good: bool = result.ok and result.equal and bool(result)
    print(good, result.calls, result.difference, against, result.to_dict()["ok"])
    if result.mismatch is not None:
        print(result.mismatch.output + result.mismatch.sample, result.mismatch.index)
    if result.first_difference is not None:
        print(result.first_difference.layer, result.first_difference.allowed)
    for value in result.on_thresholds:
        print(value.layer, value.ulps + value.threshold)
    for checked in result.layers:
        print(checked.name, checked.share <= 1 and checked.ok)


def of_arrays(x: NDArray[np.float64], t: torch.Tensor) -> None:
    """`quantize`."""
    for q in (
        bquant.quantize(x, "ls-2", axis=0),
        bquant.quantize(t, "given", scalars=t),
        bquant.quantize([3.0, -1.0], "rank-1", axis=(0,)),
        bquant.quantize([3.0, -1.0], "lloyd-1"),
    ):
        print(q.scheme, q.error + q.angle, q.shape)
        values: NDArray[np.float32] = q.dequantize()
        if isinstance(q, bquant.LloydArray):
            levels: NDArray[np.float64] = q.levels + q.thresholds
            print(levels, q.axes)
            continue
        signs: NDArray[np.int8] = q.signs
        print(signs, values)
        if isinstance(q, bquant.QuantizedArray):
            axes: tuple[int, ...] = q.axes
            words: NDArray[np.uint32] = q.words
            both: NDArray[np.float32] = q.scalars + q.offset
            groups: NDArray[np.float64] = q.errors + q.angles
            print(axes, words, both, groups)
            if q.thresholds is not None and q.codes is not None:
                print(q.thresholds[0], q.codes[0])
        else:
            ranked: bquant.RankOneArray = q
            scales: NDArray[np.float64] = np.multiply.outer(ranked.rows, ranked.columns)
            energy: float = ranked.energy
            print(scales, energy)


def of_conversions(model: torch.nn.Linear, x: torch.Tensor) -> None:
    """`convert`, `quantize_model`, `summary`."""
    converted: torch.nn.Linear = bquant.convert(
        model,
        "ls-1",
        "ls-2",
        skip=("first", torch.nn.Conv1d, lambda name, module: name == "head" and module.training),
        only="layer*",
        verbose=False,
        clamp=2.0,
    )
    quantized = bquant.quantize_model(
        converted, calibration=[x, (x, 1)], percentile=None, batch_norms=False, bias_correction=True
    )
    for row in quantized.quantization:
        degrees: float = row.angle + row.weight_angle + row.input_angle
        print(row.name, row.error, degrees)
    table = bquant.summary(quantized, x)
    share: float = table.binary_share + table.equivalent_flops
    print(table.macs + table.bytes, share)
    for layer in table.layers:
        print(layer.name, layer.module, layer.output, layer.weight_bits + layer.activation_bits)
        print(layer.macs + layer.binary_macs + layer.bytes)


def of_layers(x: torch.Tensor) -> torch.Tensor:
    """`bquant.nn`."""
    convolution = nn.BinaryConv2d(
        3, 8, (3, 3), padding="same", weights="ls-1", activations="ls-2", clamp=None,
        scalars="online", gradient=lambda x: (x.abs() <= 1).to(x.dtype), device="cpu",
        dtype=torch.float32,
    )  # fmt: skip
    scheme: str = convolution.weights + convolution.quantizer.scheme
    scalars: torch.Tensor = convolution.weight_scalars
    weight: torch.Tensor = convolution.quantized_weight()
    trained: nn.BinaryConv2d = convolution.train(False)
    print(trained, scheme, scalars, weight, convolution.weight_thresholds, convolution.weight_codes)
    layers = torch.nn.Sequential(
        convolution,
        nn.XnorConv2d(8, 8, 3),
        nn.ScaleTensor(8, 4, 4),
        nn.BinaryConv1d(8, 8, 1),
        nn.BinaryLinear(8, 8, gradient="approx_sign"),
        nn.SignQuantizer(clamp=nn.paper_clamp("ls-2")),
        nn.SignConv2d(8, 8, 3, padding=1, scale=None, shift=True),
    )
    threshold, act = nn.RSign(8).threshold, nn.RPReLU(8, slope=0.1)
    shift: torch.Tensor = act.shift_before + act.weight + act.shift_after + threshold
    print(shift, act(nn.RSign(8, gradient="hardtanh")(x)))
    scale = nn.ScaleTensor(8, 4, 4)
    print(scale.channel * scale.row * scale.column)

    def scaled(x: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
        return x.sign() * v

    nn.register(
        "two-values", lambda x, dims: (x.abs().mean(dims),), scaled, of="weights", bits=1,
        learned=True, quantizer=nn.SchemeQuantizer, replace=True,
    )  # fmt: skip
    of_weights: nn.SchemeQuantizer = nn.SchemeQuantizer("two-values", weight=x)
    found: torch.Tensor = of_weights.quantize(x, of_weights.scalars_of(x)) + of_weights.solve(x)
    print(found, of_weights.side, of_weights.kept, of_weights.registered.bits)
    shape: tuple[int, ...] = of_weights.shape
    modules = nn.published
    print(shape, modules.abc_net, modules.adabin, modules.lq_net, modules.lsq, modules.pact)
    print(modules.syq, modules.ttq)
    of_weights.forget()
    print(convolution.weight_quantizer, convolution.stored_weight_parameters)
    quantizer: nn.Quantizer = nn.Quantizer("ls-2", momentum=0.9).eval()
    quantizer.set_scalars(torch.ones(2))
    ready: bool = quantizer.is_ready and quantizer.stores_scalars
    clamp: float | None = quantizer.clamp
    online: bool = quantizer.online or quantizer.learned
    print(ready, clamp, online, quantizer.momentum, quantizer.gradient, quantizer.scalars)
    print(quantizer.offset, quantizer.thresholds, quantizer.codes)
    print(quantizer.stored_parameters.scalars)
    y: torch.Tensor = layers(quantizer(x))
    return y


def of_architectures(batches: list[torch.Tensor]) -> None:
    """`bquant.models`."""
    model = models.resnet18(weights="ls-1", block="xnor", conv=nn.XnorConv2d, clamp=None)
    shape: tuple[int, ...] = model.input_shape
    for other in (
        models.lenet(width=10),
        models.mlp(hidden=(64, 64)),
        models.vgg(channels=3),
        models.depthwise_separable(nonlinearity="relu"),
        models.bireal18(width=16, stem="pooled", scale="learned"),
        models.reactnet(width=8, classes=10, image=32, stem="cifar"),
        models.calibrate(model, batches),
    ):
        print(other.input_shape)
    names: list[str] = models.names()
    card: dict[str, object] = models.load(names[0]).card
    clamp: float | None = models.paper_clamp("ls-T")
    print(shape, card, clamp)


def of_trainings(folder: Path) -> None:
    """`bquant.datasets` and `bquant.train`."""
    names: tuple[str, ...] = datasets.NAMES
    data: datasets.Dataset = datasets.load(names[0])
    data = datasets.load(folder, size=32)
    split: datasets.Split = data.test.first(10)
    found: Path | None = datasets.folder_of("imagenet:photographs")
    images: datasets.Images = datasets.ImageFiles([folder / "cat.png"], size=32)
    batch: torch.Tensor = data.prepare(split.images[:8])
    print(found, images.shape, len(images), images[0], list(images.split(8)))
    print(datasets.ImageFiles([folder / "dog.png"], size=32).whole(0))
    channels, height, width = data.shape
    print(len(split), split.labels, data.name, data.classes, data.mean, data.std, batch)
    recipe = train.Recipe(epochs=2, rate=1e-3)
    print(recipe.epochs * recipe.batch, recipe.power + recipe.warmup + recipe.weight_decay)
    print(
        recipe.rate * recipe.temperature,
        recipe.shift,
        recipe.flip,
        recipe.seed,
        recipe.rate_at(0.5),
    )
    recipe = train.Recipe.paper(epochs=120, seed=1)
    print(recipe.last_rate + recipe.jitter + recipe.lighting, recipe.crop, recipe.step_size)
    print(train.Recipe.paper_teacher(epochs=90).optimizer)

    model = models.vgg(channels=channels, image=max(height, width))
    try:
        trained = train.train(
            model,
            data,
            recipe,
            teacher=models.vgg("fp", "fp"),
            checkpoint=folder / "run.pt",
            epoch_done=lambda row: print(row["epoch"], row["loss"], row["accuracy"]),
            step_done=lambda: None,
            logits=folder / "logits",
            verbose=True,
            device="cpu",
            precision="bf16",
            loaders=2,
            sign_optimizer=lambda signs: train.Bop(signs, threshold=1e-7, adaptivity=1e-2),
        )
    except train.Diverged as error:
        raise SystemExit(str(error)) from error
    print(trained.input_shape)
    optimizer: torch.optim.Optimizer = train.Bop(model.parameters())
    loss: float | None = train.Bop([{"params": [], "threshold": 0.0}]).step(lambda: 0.5)
    print(optimizer, loss)
    train.warm_start(model, trained)
    share: float = train.accuracy(model, data, data.train, top=5)
    with train.join("cuda", timeout=60.0) as device:
        where: torch.device = device
        print(where)
    logits: torch.Tensor = train.predict(bquant.compile(model, batch), data, split, batch=2)
    history: list[dict[str, float]] = train.read_checkpoint(folder / "run.pt")["history"]
    print(share, logits, history)


def of_studies(setting: study.Setting) -> None:
    """`bquant.study`."""
    kind: str = setting.model
    path: Path = setting.output
    print(kind, path, setting.data, setting.size, setting.width, setting.epochs, setting.start)
    print(setting.float_epochs, setting.fast, setting.command(), setting.load().shape)
    print(setting.recipe, setting.of_paper, setting.device, setting.precision, setting.loaders)
    experiments = study.Study(setting, workers=2, seeds=1, rows="all")
    schemes = experiments.schemes
    other: study.Setting = setting.of(schemes[0]).of_students(epochs=3)
    recipe: train.Recipe = other.recipe_of(schemes[0], 0, epochs=2)
    made: torch.nn.Module = setting.build(schemes[0], 0, experiments.data)
    print(recipe, made, setting.checkpoint(schemes[0], 0), setting.steps(schemes[0])[0][1])
    experiments.train(schemes[:1], 2, setting)
    network: torch.nn.Module = experiments.network(schemes[0], seed=1)
    images: torch.Tensor = experiments.images(4)
    data: datasets.Dataset = experiments.data
    print(network(images), data.shape, experiments.seeds(schemes[0]), experiments.workers)
    print(experiments.setting.name)
    for name, experiment in study.EXPERIMENTS.items():
        result = experiment.run(experiments)
        print(name, result.title, result.text, result.rows[0], result.notes, result.figure)
        for finding in result.findings:
            print(finding.claim, finding.found, finding.seen, finding.verdict)
    experiments.run(["scaling"])


def of_frontends(model: torch.nn.Module, onnx_model: onnx.ModelProto, x: torch.Tensor) -> None:
    """`bquant.frontends` and its frontends."""
    try:
        program: frontends.Program = torch_frontend.import_module(model, (x,), dynamic_batch=True)
    except frontends.UnsupportedOp as error:
        raise SystemExit(str(error)) from error
    exported = torch_frontend.simplify(torch_frontend.load("net.pt2"))
    nodes: set[torch.fx.Node] = torch_frontend.live_nodes(exported.graph)
    for other in (
        torch_frontend.import_exported(exported),
        torch_frontend.import_file("net.pt2"),
        torch_frontend.write(exported, more=nodes),
        onnx_frontend.import_bytes(b"\x08"),
        onnx_frontend.import_file("net.onnx"),
        onnx_frontend.import_model(onnx_model),
        tflite_frontend.import_bytes(b""),
        tflite_frontend.import_file("net.tflite"),
    ):
        kind: frontends.TensorType = other.inputs[0]
        arrays: dict[str, NDArray[np.float32]] = other.resources
        print(kind.shape, kind.element, other.name, other.outputs, other.module, arrays)
    print(program.text(resources=True), program.structure)
