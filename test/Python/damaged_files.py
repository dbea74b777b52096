"""Files that are damaged by fixed seeds, and what reads them in Python: each is taken or refused in
one line, in little time. What C++ reads, too, both take or refuse in the same words.
test/Fuzz/bytes/files.py runs them for long.
"""

import io
import json
import random
import subprocess
import tempfile
import time
import traceback
import zipfile
from pathlib import Path

import bquant
import numpy as np
from bquant.frontends import UnsupportedOp
from bquant_runtime import _elf, _report, _signature
from damage import NUMBERS, change_bytes, change_json_text, change_message

ROOT = Path(__file__).resolve().parents[2]
SECONDS = 20  # of the processor, for one file


def golden(archive, most):
    from golden_files import cases

    return [content for content, _, _ in cases(archive).values() if len(content) <= most]


def compile_some(content):
    """What a frontend lets through, the compiler takes or refuses: of each eighth file."""
    if sum(content[::7]) % 8 == 0:
        bquant.compile(content, strategy="reference")


class Kind:
    """`samples()`: whole files; `change(content, rng)`: a damaged one; `read(content)`: takes it,
    or ends in a ValueError or an UnsupportedOp."""

    change = staticmethod(change_bytes)
    refusals = (ValueError, UnsupportedOp)


class TFLite(Kind):
    @staticmethod
    def samples():
        archives = ("larq_operators", "tflite_operators", "tflite_states", "tflite_codes")
        return [one for name in archives for one in golden(f"{name}.npz", 12000)]

    @staticmethod
    def read(content):
        from bquant.frontends.tflite import import_bytes

        import_bytes(content)
        compile_some(content)


class ONNX(Kind):
    @staticmethod
    def samples():
        archives = ("onnx_operators", "onnx_quantized", "onnx_bytes", "qonnx_forms")
        return [one for name in archives for one in golden(f"{name}.npz", 12000)]

    @staticmethod
    def change(content, rng):
        if rng.random() < 0.3:
            return change_bytes(content, rng)
        import onnx

        model = onnx.ModelProto.FromString(content)
        change_message(model, rng)
        return model.SerializeToString()

    @staticmethod
    def read(content):
        from bquant.frontends.onnx import import_bytes

        import_bytes(content)
        compile_some(content)


class Torch(Kind):
    """Archives of torch.export.save."""

    @staticmethod
    def samples():
        import torch
        from bquant import nn as bnn
        from torch import nn

        class Functions(nn.Module):
            def forward(self, x):
                y = torch.where(x >= 0, 1.0, -1.0) @ x.transpose(-1, -2)
                return torch.cat([y, y.abs()], 1).sum(1).reshape(-1), x.flatten(1).max(1).values

        networks = [
            (nn.Sequential(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU()), (1, 1, 5, 5)),
            (nn.Sequential(nn.Linear(3, 4), nn.Hardtanh()), (2, 3)),
            (Functions(), (1, 3, 4)),
            (bnn.BinaryLinear(8, 4, weights="ls-1", activations="ls-2"), (1, 8)),
        ]
        made = []
        for network, shape in networks:
            file, x = io.BytesIO(), torch.ones(shape)
            network(x)  # in training, which stores scalars
            torch.export.save(torch.export.export(network.eval(), (x,)), file)
            made.append(file.getvalue())
        return made

    @staticmethod
    def change(content, rng):
        """Most of it is JSON within a zip."""
        if rng.random() < 0.2:
            return change_bytes(content, rng)
        changed = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(content)) as given, zipfile.ZipFile(changed, "w") as made:
            names = given.namelist()
            of_json = [name for name in names if name.endswith(".json")]
            chosen = rng.choice(of_json if rng.random() < 0.8 else names)
            for name in names:
                part = given.read(name)
                if name == chosen and rng.random() < 0.05:
                    continue
                if name == chosen:
                    part = (change_json_text if name in of_json else change_bytes)(part, rng)
                made.writestr(name, part)
        return changed.getvalue()

    @staticmethod
    def read(content):
        with tempfile.NamedTemporaryFile(suffix=".pt2") as file:
            file.write(content)
            file.flush()
            bquant.compile(file.name, strategy="reference")


class Npy(Kind):
    """What `bquant verify --inputs` takes."""

    @staticmethod
    def samples():
        x = np.arange(6, dtype=np.float32).reshape(2, 3)
        made = []
        for save in (
            lambda file: np.save(file, x),
            lambda file: np.lib.format.write_array(file, x.astype(">i8"), version=(2, 0)),
            lambda file: np.savez(file, a=x, b=x),
            lambda file: np.savez_compressed(file, x),
        ):
            file = io.BytesIO()
            save(file)
            made.append(file.getvalue())
        return made

    @staticmethod
    def read(content):
        from bquant import __main__ as main

        with tempfile.NamedTemporaryFile(suffix=".npy") as file:
            file.write(content)
            file.flush()
            main._arrays(file.name)


class InBoth(Kind):
    """What both loaders read, of which the C++ one is asked through a target of test/Fuzz."""

    refusals = ValueError
    target = ""

    @classmethod
    def agree(cls, files):
        """Fails where the two do not say the same of files, {path: content}."""
        tool = ROOT / "build" / "bin" / f"BQuantFuzz{cls.target}"
        run = subprocess.run(
            [tool, "--verbose", *files], capture_output=True, check=False, timeout=SECONDS * 10
        )
        if run.returncode:  # the last lines are the file and what is wrong
            raise Failure(b"\n".join(run.stderr.splitlines()[-2:]).decode(errors="replace"))
        said = {}
        for line in run.stdout.splitlines():
            path, _, message = line.partition(b": ")
            said.setdefault(path.decode(), []).append(message)
        for path, content in files.items():
            ours = [message.encode() for message in cls.messages(content)]
            theirs = said.get(str(path), [])
            if ours != theirs:
                raise Failure(f"{path}: expected {theirs}, but got {ours}")


def refusals_of(*calls):
    """What each call says that ends in a ValueError."""
    found = []
    for function, *arguments in calls:
        try:
            function(*arguments)
        except ValueError as error:
            found.append(str(error))
    return found


class Signatures(InBoth):
    target = "Signatures"
    change = staticmethod(change_json_text)

    @staticmethod
    def samples():
        array = {"name": "x", "dtype": "float32", "shape": [None, 3]}
        plain = {"name": "f", "symbol": "f", "inputs": [array], "outputs": [array]}
        state = {"name": "s", "dtype": "int32", "shape": [2]}
        whole = {
            "name": "a b", "symbol": "a_b", "digest": "5a", "max_threads": 2,
            "versions": ["haswell", "znver4"],
            "inputs": [array, {**state, "initial": [1, 2]}, {**state, "initial": 0.5}],
            "outputs": [{**state, "updates": 1}],
        }  # fmt: skip
        return [json.dumps(one).encode() for one in (plain, whole)]

    @staticmethod
    def read(content):
        _signature._read_function(content.partition(b"\0")[0], [])

    @classmethod
    def messages(cls, content):
        taken = []

        def add(text):
            taken.append(_signature._read_function(text, taken))

        texts = content.split(b"\0")
        if not texts[-1]:
            texts.pop()
        return refusals_of(*((add, text) for text in texts))


class Reports(InBoth):
    target = "Reports"
    change = staticmethod(change_json_text)

    @staticmethod
    def samples():
        text = (ROOT / "test/Fuzz/Inputs/layers.mlir").read_text().split("// -----")
        networks = [(text[0], "x86_64-linux-gnu:znver4"), (text[2], "haswell,znver4")]
        made = [bquant.compile(one, target=target) for one, target in networks]
        return [network.report("json").encode() for network in made]

    @staticmethod
    def read(content):
        reports = _report.Reports.parse(content)
        again = _report.Reports.parse(reports.to_json().encode())
        assert again.to_json() == reports.to_json()
        reports.to_text()
        reports.to_html()

    @classmethod
    def messages(cls, content):
        return refusals_of((_report.Reports.parse, content))


class Libraries(InBoth):
    target = "Libraries"

    @staticmethod
    def samples():
        import damaged_libraries

        with tempfile.TemporaryDirectory() as directory:
            return [damaged_libraries.make(Path(directory))]

    @staticmethod
    def change(content, rng):
        """A field of one of its tables, a text in it, or any bytes."""
        import damaged_libraries as damaged

        library = damaged.Library(content)
        texts = [library.signature, library.report]
        for _ in range(rng.choice([1, 1, 2])):
            kind = rng.randrange(8)
            if kind == 0:
                return change_bytes(library.content, rng)
            if kind == 1:
                start, size = rng.choice(texts)
                text = change_json_text(content[start : start + size].rstrip(), rng)[:size]
                library.content[start : start + size] = text.ljust(size)
                continue
            row = rng.choice(
                [
                    [library.header],
                    library.all_sections,
                    library.segments,
                    list(library.symbols.values()),
                ][kind % 4]
            )
            name = rng.choice(list(row.fields))
            old = getattr(row, name)
            setattr(row, name, rng.choice([old + rng.randrange(-9, 10), old ^ 1, *NUMBERS]))
        return bytes(library.content)

    @staticmethod
    def read(content):
        exports = _elf.read_exports(content)
        _signature.read_signatures(exports)
        if exports.report is not None:
            _report.Reports.parse(exports.report.partition(b"\0")[0])

    @classmethod
    def messages(cls, content):
        try:
            exports = _elf.read_exports(content)
        except ValueError as error:
            return [str(error)]
        taken = []

        def add(text):
            taken.append(_signature._read_function(text, taken))

        texts = [
            exports.signatures[name].partition(b"\0")[0] for name in sorted(exports.signatures)
        ]
        calls = [(add, text) for text in texts]
        if exports.report is not None:
            calls.append((_report.Reports.parse, exports.report.partition(b"\0")[0]))
        return refusals_of(*calls)


KINDS = {
    kind.__name__.lower(): kind
    for kind in (TFLite, ONNX, Torch, Npy, Signatures, Reports, Libraries)
}


class Failure(Exception):
    """What a file ended in that is neither taken nor refused."""


def check(kind, content):
    """Whether the file is taken; a Failure says what is wrong."""
    start = time.process_time()
    try:
        kind.read(content)
        return True
    except MemoryError as error:  # of a network that is whole, and large
        if "expected memory for the arena" not in str(error):
            raise Failure(traceback.format_exc()) from None
        return True
    except kind.refusals as error:
        text = str(error)
        if not text or "\n" in text:
            raise Failure(f"expected one line, but got {text!r}") from None
        return False
    except BaseException:
        raise Failure(traceback.format_exc()) from None
    finally:
        if time.process_time() - start > SECONDS:
            raise Failure(f"expected at most {SECONDS} s")


def get_sample(samples, seed):
    return random.Random(seed).choice(samples)


def damage(kind, samples, seed):
    rng = random.Random(seed)
    return kind.change(rng.choice(samples), rng)


def check_seeds(kind, samples, seeds):
    """How many files are taken, and how many refused."""
    taken, files = 0, {}
    with tempfile.TemporaryDirectory() as directory:
        for seed in seeds:
            content = damage(kind, samples, seed)
            try:
                taken += check(kind, content)
            except Failure as failure:
                raise Failure(f"seed {seed}: {failure}") from None
            if issubclass(kind, InBoth):
                path = Path(directory) / str(seed)
                path.write_bytes(content)
                files[path] = content
        if files:
            kind.agree(files)
    return taken, len(seeds) - taken
