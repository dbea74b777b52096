"""bquant.verify on many networks: none that is right alarms; each fault is found at its layer. Most
of them with BQUANT_NIGHTLY."""

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from agreement import trained  # noqa: E402
from bquant.frontends.torch import reader as importer  # noqa: E402
from bquant.verification import replay  # noqa: E402
from bquant.verification.result import Verification  # noqa: E402
from bquant.verification.taps import TappedModel, layer_name  # noqa: E402
from golden_files import cases  # noqa: E402
from verify_faults import faults  # noqa: E402
from verify_networks import calls_of, verify_network  # noqa: E402

NETWORKS, FAULTY, PERTURBED = 300, 50, 100
FAULTS = 3  # of a network
OPTIONS = {"strategy": "auto", "threads": 1, "assume": ""}


def seeds(count, quick):
    nightly = (pytest.param(s, marks=pytest.mark.nightly) for s in range(quick, count))
    return [*range(quick), *nightly]


def network(seed):
    model, shape = verify_network(seed)
    trained(model, shape, seed)
    return model, calls_of(shape, seed)


FILES = [
    (archive, name)
    for archive in ("qonnx_networks.npz", "onnx_networks.npz", "tflite_networks.npz")
    for name in cases(archive)
]


@pytest.mark.nightly
@pytest.mark.parametrize(("archive", "name"), FILES)
def test_no_right_file_alarms(archive, name):
    """Of ONNX and TFLite, by their outputs."""
    model, x, _ = cases(archive)[name]
    net = bquant.compile(model)
    batch = net.inputs[0]["shape"][0] or len(x[0])  # some files hold several samples of one
    calls = [tuple(a[i : i + batch] for a in x) for i in range(0, len(x[0]), batch)]
    result = bquant.verify(net, model, calls)
    assert result, f"{name}: {result}"


@pytest.mark.parametrize("seed", seeds(NETWORKS, 2))
def test_no_right_network_alarms(seed):
    model, calls = network(seed)
    result = bquant.verify(bquant.compile(model, calls[0]), model, calls)
    assert result, f"seed {seed}: {result}"


def changes(right, wrong, calls):
    """Whether any value that passes between modules is another, by more than the rounding of other
    planes and offsets."""
    values = [
        [[*y, *taps.values()] for y, taps in (model(call) for call in calls)]
        for model in (right, wrong)
    ]
    for pairs in zip(*(zip(*each, strict=True) for each in values), strict=True):
        a, b = (torch.stack(each) for each in pairs)
        if (a - b).abs().max() > 2e-6 * a.abs().max():
            return True
    return False


@pytest.mark.parametrize("seed", seeds(FAULTY, 1))
def test_each_fault_is_reported_at_its_layer(monkeypatch, seed):
    """What changes no tap is no fault."""
    model, calls = network(seed)
    calls = calls[:2]
    right = TappedModel(model, calls[:1], OPTIONS)
    exported = importer.simplify(importer.export(model, (calls[0],)))
    found = 0
    for fault in faults(exported, np.random.default_rng(seed)):
        with monkeypatch.context() as patches:
            fault.seed(patches)
            wrong = TappedModel(model, calls[:1], OPTIONS)
        if changes(right, wrong, calls):
            first = compared(wrong, calls).first_difference
            assert first, f"seed {seed}: {fault} is not found"
            assert first.layer in fault.layers(right), f"seed {seed}: {fault}: {first}"
            found += 1
        if found == FAULTS:
            break
    assert found, f"seed {seed}: expected a fault that changes something"


def compared(model, calls):
    """What verify gives of a network with the tapped one's outputs."""
    result = Verification()
    for sample, call in enumerate(calls):
        replay.compare(model, (call,), model(call)[0], sample, result)
    return result


class Changed:
    """A TappedModel of which values are others."""

    def __init__(self, model, values):
        self.model, self.values = model, values

    def __getattr__(self, name):
        return getattr(self.model, name)

    def __call__(self, *inputs):
        outputs, taps = self.model(*inputs)
        return outputs, {**taps, **self.values}


@pytest.mark.parametrize("seed", seeds(PERTURBED, 2))
def test_one_ulp_beyond_the_bound(monkeypatch, seed):
    """A value is as far from the right one as is allowed, and then further by its last bit."""
    model, (call, *_) = network(seed)
    right, bounds = TappedModel(model, (call,), OPTIONS), {}
    compare = replay._Replay._compare

    def recorded(self, node):
        bounds[node] = self.states[node].value, self.states[node].total
        return compare(self, node)

    with monkeypatch.context() as patches:
        patches.setattr(replay._Replay, "_compare", recorded)
        assert compared(right, [call])
    rng = np.random.default_rng(seed)
    node = right.taps[rng.integers(len(right.taps))]
    value, allowed = bounds[node]
    at = tuple(int(rng.integers(n)) for n in value.shape)
    center = float(value[at])
    allowed = 0.0 if allowed is None else float(allowed.expand(value.shape)[at])
    last = np.float32(center + allowed)
    while float(last) - center > allowed:
        last = np.nextafter(last, np.float32(-np.inf))
    for number, is_allowed in ((last, True), (np.nextafter(last, np.float32(np.inf)), False)):
        changed = right(call)[1][node].clone()
        changed[at] = float(number)
        result = compared(Changed(right, {node: changed}), [call])
        row = result.layers[right.taps.index(node)]
        assert row.ok == is_allowed, f"seed {seed}: {node}, {at}: {result}"
        if not is_allowed:
            first = result.first_difference
            assert (first.layer, tuple(first.index)) == (layer_name(node), at), f"seed {seed}"
