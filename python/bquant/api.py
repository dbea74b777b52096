"""`bquant.compile`: from a model to native code, and `bquant.lower`: to any stage on the way."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from . import _bquant, frontends
from ._network import Network, check_name, check_threads
from ._progress import ProgressLine

if TYPE_CHECKING:
    import torch

    from ._types import Examples, Model

ASSUMPTIONS, PRECISIONS, STRATEGIES = (
    tuple(_bquant.option_values(option)) for option in ("assume", "float-precision", "strategy")
)


def compile(  # noqa: A001
    model: Model,
    example_inputs: Examples | None = None,
    target: str = "host",
    threads: int = 1,
    strategy: str = "auto",
    dynamic_batch: bool = False,
    assume: str | Sequence[str] = (),
    *,
    input: str = "float32",  # noqa: A002
    mean: float | Sequence[float] | torch.Tensor | None = None,
    std: float | Sequence[float] | torch.Tensor | None = None,
    input_weights: str = "float32",
    float_precision: str = "f32",
    strict: bool = False,
    verbose: bool | None = None,
    example_kwargs: dict[str, Any] | None = None,
    name: str | None = None,
    target_features: str | None = None,
    verify_folding: bool = False,
    verify_each: bool = False,
) -> Network:
    """Compiles a network.

    Args:
        model: a torch.nn.Module (taken in eval mode), an ExportedProgram of torch.export, an
            onnx.ModelProto, the path of a .pt2, .onnx, .tflite, .mlir or .mlirbc file, or MLIR
            text.
        example_inputs: a tuple of tensors; for an nn.Module, which does not say its shapes.
        target: "host", a CPU's name as llc -mcpu knows it, or triple:cpu, e.g.
            "aarch64-linux-gnu:neoverse-n1". A network for another machine can be saved, not called;
            one for Android (aarch64-linux-android) is an object of bquant-compile.
            Several CPUs with commas, those that have less first, make a network with a version for
            each, of which the last one that the machine supports runs; "portable" is
            "x86-64-v2,haswell,icelake-server".
        threads: the most threads that a call may use, of LLVM's OpenMP runtime (libomp.so.5;
            without it such a call is a RuntimeError); `net(x, threads=n)` uses fewer. Results do
            not depend on it.
        strategy: how products of bits are counted: by the kernel "popcount", "table", "bytes" or
            "scalar", where it can (that it cannot for any layer is a ValueError), or on the slow
            "reference" route; "auto" takes for each layer the kernel that should be the fastest.
        dynamic_batch: for an nn.Module: the leading dimension of every input is the batch, and the
            network takes any size of it, whatever example_inputs have. (An ExportedProgram says by
            its dynamic shapes, ONNX by names of sizes, MLIR by `?`, which inputs have a batch.)
            Each sample has to be computed by itself.
        assume: what signs that are not bquant's may take for granted: "no-zero" and "no-nan", that
            neither occurs where a sign treats it otherwise; "exact-residues", that straight-through
            residues (q - x) + x are q, whatever x is.
        input: "uint8": the first input of the nn.Module, a float image of shape (N, C, H, W), is
            made of bytes by the network itself, (x / 255 - mean) / std in float32; example_inputs
            may have either type. "float32": inputs are what example_inputs have. (A model whose
            own first steps make floats of uint8 needs nothing but example_inputs of that type.)
        mean, std: for input="uint8": a number for each channel, or one for all; None: neither is
            subtracted or divided by.
        input_weights: "int8", for input="uint8": the nn.Conv2d that alone reads the image takes its
            bytes as they are, by weights of 8 bits with a scale for each filter. Results differ
            from those of "float32".
        float_precision: "bf16": inputs and filters of products of floats (a first convolution,
            float shortcuts, a classifier) are rounded to bf16 and summed in float32, on a CPU with
            dot products of bf16 (or with strategy="reference"). Results differ from those of "f32".
        strict: straight-through residues, `(q - c).detach() + c` with a rounded or signed q, are
            computed as they are written, in every bit, and their layers stay float. Else they are
            taken for q, as their authors mean, with a remark; results agree up to rounding.
        verbose: whether standard error says how far it is: on a terminal a line that is erased in
            the end, else a line for each stage. None: on a terminal only.
        example_kwargs: for an nn.Module: its keyword inputs, a dict of tensors. Inputs may be
            lists and dicts of tensors, too; the network is called as the model is.
        name: what the function is called in C. None: after the class of an nn.Module (`ResNet18`:
            `res_net18`), the graph of an ONNX model or the file, or as MLIR calls it.
        target_features: what the CPU has more or less, as llc's -mattr: "+avx2,-avx512f".
        verify_folding: interpret each folded chain around its thresholds; where it differs from
            what was written, it is a ValueError.
        verify_each: verify the IR after each pass, not after the last alone.
    """
    threads = check_threads(threads)
    options = options_of(
        target,
        assume,
        strategy=strategy,
        threads=threads,
        float_precision=float_precision,
        strict=bool(strict),
        entry_name=name,
        target_features=target_features,
        verify_folding=bool(verify_folding),
        verify_each=bool(verify_each),
    )
    with ProgressLine(verbose) as progress:
        if progress:
            progress("read")
        image = _image(input, mean, std, input_weights)
        module, structure = frontends.read(
            model, example_inputs, dynamic_batch, example_kwargs, image
        )
        program = module.jit(**options, progress=progress)
    return Network(program, threads, module, options, structure=structure, image=image)


def lower(
    model: Model,
    stage: str,
    example_inputs: Examples | None = None,
    target: str = "host",
    assume: str | Sequence[str] = (),
    *,
    strategy: str = "auto",
    dynamic_batch: bool = False,
    float_precision: str = "f32",
    strict: bool = False,
    large_constants: bool = False,
    example_kwargs: dict[str, Any] | None = None,
    name: str | None = None,
    target_features: str | None = None,
    verify_folding: bool = False,
    verify_each: bool = False,
) -> str:
    """What a network is after a stage of the route, as MLIR text.

    Args:
        stage: the last one that runs: "import", "raise", "solve", "fold", "select", "pack",
            "tile", "vectorize" or "llvm". With strategy="reference" there is "reference-loops" in
            the place of pack, tile and vectorize.
        large_constants: write constants of more than 16 elements too; without them the text is to
            be read, and does not parse again.

    All others are those of `compile`.
    """
    options = options_of(
        target,
        assume,
        strategy=strategy,
        float_precision=float_precision,
        strict=bool(strict),
        entry_name=name,
        target_features=target_features,
        verify_folding=bool(verify_folding),
        verify_each=bool(verify_each),
    )
    module, _ = frontends.read(model, example_inputs, dynamic_batch, example_kwargs)
    module.lower(stage, **options)
    return module.print(elide=not large_constants)


def options_of(target: str, assume: str | Sequence[str], **options: Any) -> dict[str, Any]:
    """What the compiler is told, by the names of `_bquant.Module`; names are checked here, since
    reading a model may take long."""
    if not isinstance(target, str):
        raise TypeError(f"expected the name of a target, but got {target!r}")
    check_name(options.get("entry_name"))
    if isinstance(assume, str):
        assume = assume.split(",")
    elif not isinstance(assume, Iterable):
        raise TypeError(f"expected assume to be a string or strings, but got {assume!r}")
    assume = [word for word in assume if word]
    for name, names in (
        (options["strategy"], STRATEGIES),
        (options["float_precision"], PRECISIONS),
        *((word, ASSUMPTIONS) for word in assume),
    ):
        if name not in names:
            raise ValueError(f"expected one of {', '.join(names)}, but got {name!r}")
    options["assume"] = ",".join(assume)
    if target != "host":
        triple, colon, cpu = target.rpartition(":")
        if colon and not (triple and cpu):
            raise ValueError(
                "expected host, a CPU or triple:cpu, as in aarch64-linux-gnu:neoverse-n1, but got "
                f"{target!r}"
            )
        options["target_cpu"] = cpu
        if triple:
            options["target_triple"] = triple
    return options


def _image(input_, mean, std, input_weights) -> frontends.Image | None:
    """How the first input is made of bytes, if it is."""
    if input_ not in ("float32", "uint8"):
        raise ValueError(f"expected float32 or uint8, but got {input_!r}")
    if input_weights not in ("float32", "int8"):
        raise ValueError(f"expected float32 or int8 for input_weights, but got {input_weights!r}")
    if input_ == "float32":
        if input_weights == "int8":
            raise ValueError('expected input_weights="int8" with input="uint8" only')
        if mean is not None or std is not None:
            raise ValueError('expected mean and std with input="uint8" only')
        return None
    return frontends.Image(mean, std, input_weights == "int8")
