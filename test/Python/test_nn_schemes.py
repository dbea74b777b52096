"""Registered schemes: one of one's own, and the published ones against their formulas."""

import copy
import pickle
from pathlib import Path

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from bquant import nn  # noqa: E402
from bquant.nn import functional as F  # noqa: E402
from bquant.nn import registry  # noqa: E402
from functions import to_onnx  # noqa: E402
from golden_files import daily  # noqa: E402
from reports import products  # noqa: E402

CPU_FLAGS = Path("/proc/cpuinfo").read_text()

# Of each system, one of weights and one of activations.
PAIRS = {
    "adabin": ("adabin", "adabin"),
    "syq": ("syq", "dorefa-2"),
    "syq-row": ("syq-row", "ls-1"),
    "ttq": ("ttq", "ls-1"),
    "pact": ("dorefa-w-2", "pact-2"),
    "lsq": ("lsq-2", "lsq-2"),
    "lsq-plus": ("lsq-plus-3", "lsq-plus-2"),
    "lq": ("lq-2", "lq-2"),
    "abc": ("abc-3", "abc-3"),
}


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


@pytest.fixture
def names(monkeypatch):
    """What a test registers is gone after it."""
    kept = {side: dict(schemes) for side, schemes in registry._schemes.items()}
    monkeypatch.setattr(registry, "_schemes", kept)


def center_and_distance(x, dims):
    center = x.mean(dims, keepdim=True)
    return center, (x - center).abs().mean(dims, keepdim=True)


def two_values(x, center, distance):
    return center + distance * F.sign(x - center)


def layer(weights, activations, **options):
    return nn.BinaryConv2d(4, 6, 3, padding=1, weights=weights, activations=activations, **options)


def network(weights, activations):
    """Trained for three steps, so that learned scalars are no starts; in eval mode."""
    model = torch.nn.Sequential(layer(weights, activations), torch.nn.BatchNorm2d(6))
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        model(torch.randn(4, 4, 7, 7)).square().mean().backward()
        optimizer.step()
    return model.eval()


def agrees(compiled, model, x, is_float):
    with torch.no_grad():
        expected = model(x)
    torch.testing.assert_close(compiled(x), expected, rtol=0, atol=4e-6 * expected.abs().max())
    found = products(compiled)
    assert found and all(row["float"] == is_float for row in found), compiled.report()


def compiles(model, x, is_float=False):
    compiled = bquant.compile(model, (x,))
    reference = bquant.compile(model, (x,), strategy="reference")
    assert torch.equal(compiled(x), reference(x))
    agrees(compiled, model, x, is_float)
    return compiled


# --- one's own ------------------------------------------------------------------------------


def test_a_scheme_of_ones_own(names):
    nn.register("two", center_and_distance, two_values)
    model, x = network("two", "two"), torch.randn(2, 4, 7, 7)
    w = model[0].weight.detach().numpy()
    center = w.mean((1, 2, 3), keepdims=True)
    distance = np.abs(w - center).mean((1, 2, 3), keepdims=True)
    expected = np.where(w >= center, center + distance, center - distance)
    np.testing.assert_allclose(model[0].quantized_weight().detach(), expected, rtol=1e-6)
    assert model[0].quantizer.scalars.shape == (2,)
    assert model[0].weight_quantizer.scalars.shape == (2, 6)
    compiles(model, x)
    row = bquant.summary(model, x).layers[0]
    assert (row.weight_bits, row.activation_bits, row.binary_macs) == (1, 1, row.macs)
    assert row.bytes == 4 * (6 * 9 + 12 + 6)  # words, scalars and the bias


def test_averages_of_a_solved_scheme(names):
    nn.register("two", center_and_distance, two_values)
    quantizer = nn.SchemeQuantizer("two", momentum=0.75)
    batches = [torch.randn(5, 3) + i for i in range(3)]
    average = None
    for x in batches:
        solved = torch.stack([x.mean(), (x - x.mean()).abs().mean()])
        torch.testing.assert_close(quantizer(x), two_values(x, *solved))
        average = solved if average is None else 0.75 * average + 0.25 * solved
    torch.testing.assert_close(quantizer.scalars, average)
    torch.testing.assert_close(quantizer.eval()(batches[0]), two_values(batches[0], *average))
    quantizer.set_scalars(torch.tensor([-1.0, 0.5]))
    assert quantizer(torch.tensor([-1.25, 4.0])).tolist() == [-1.5, -0.5]


def test_learned_by_option(names):
    """As `scalars="learned"` of bquant's own schemes."""
    nn.register("two", center_and_distance, two_values)
    linear = nn.BinaryLinear(8, 3, weights="two", activations="two", scalars="learned")
    assert "quantizer.scalars" in dict(linear.named_parameters())
    assert "weight_quantizer.scalars" not in dict(linear.named_parameters())
    x = torch.randn(4, 8)
    linear(x).sum().backward()
    solved = torch.cat([p.reshape(1) for p in center_and_distance(x, (0, 1))])
    torch.testing.assert_close(linear.quantizer.scalars.detach(), solved)
    assert linear.quantizer.scalars.grad.abs().min() > 0


def test_a_subclass(names):
    class Halved(nn.SchemeQuantizer):
        def scalars_of(self, x):
            return super().scalars_of(x) / 2

    nn.register("two", center_and_distance, two_values)
    nn.register("half", center_and_distance, two_values, quantizer=Halved)
    one, half = (nn.BinaryLinear(8, 3, weights=name, activations="fp") for name in ("two", "half"))
    half.load_state_dict(one.state_dict())
    assert isinstance(half.weight_quantizer, Halved)
    solved = one.weight_quantizer.scalars_of(one.weight)
    torch.testing.assert_close(half.weight_quantizer.scalars_of(one.weight), solved / 2)


def test_replaced(names):
    nn.register("two", center_and_distance, two_values)
    nn.register("two", center_and_distance, two_values, bits=2, of="weights", replace=True)
    assert registry.find("two", "weights").bits == 2
    assert registry.find("two", "activations").bits == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"name": ""}, "expected the name of a scheme, but got ''"),
        ({"name": "ls-2"}, "expected a new name, but 'ls-2' is one of bquant's own schemes"),
        ({"name": "fp"}, "expected a new name, but 'fp' is one of bquant's own schemes"),
        (
            {"name": "pact-2"},
            "expected a new name, but 'pact-2' is registered for activations (rep",
        ),
        ({"of": "inputs"}, "expected of to be 'weights', 'activations' or both, but got 'inputs'"),
        ({"of": ()}, "expected of to be 'weights', 'activations' or both, but got ()"),
        ({"solve": None}, "expected solve to be a function, but got None"),
        ({"quantize": 3}, "expected quantize to be a function, but got 3"),
        ({"bits": 9}, "expected bits above 0 and at most 8, but got 9"),
    ],
)
def test_what_is_not_registered(arguments, message, names):
    arguments = {
        "name": "two", "solve": center_and_distance, "quantize": two_values, **arguments
    }  # fmt: skip
    with pytest.raises(ValueError) as error:
        nn.register(**arguments)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("solve", "options", "message"),
    [
        (lambda x, dims: x.mean(), {}, "expected the solver of 'two' to return one tensor or more"),
        (lambda x, dims: (), {}, "expected the solver of 'two' to return one tensor or more"),
        (lambda x, dims: (torch.ones(7),), {"activations": "fp"},
         "expected the solver of 'two' to return tensors that broadcast against (2, 3), but got"),
        (lambda x, dims: (torch.ones(3),), {"weights": "fp"},
         "expected the solver of 'two' to return one number each for activations, but got (3,)"),
        (center_and_distance, {"scalars": "online"},
         "expected stored or learned scalars for 'two', a registered scheme, but got 'online'"),
        (center_and_distance, {"clamp": -1}, "expected clamp to be 'paper', None or above 0, but"),
        (center_and_distance, {"weights": "pact-2"}, "expected weights to be one of fp, ls-k"),
    ],
)  # fmt: skip
def test_what_no_layer_takes(solve, options, message, names):
    nn.register("two", solve, two_values)
    with pytest.raises(ValueError) as error:
        nn.BinaryLinear(3, 2, **{"weights": "two", "activations": "two", **options})
    assert str(error.value).startswith(message)


def test_quantizers_know_whose_scheme_it_is():
    with pytest.raises(ValueError, match="own schemes, but got 'pact-2', which SchemeQuantizer"):
        nn.Quantizer("pact-2")
    with pytest.raises(ValueError, match="expected a registered scheme of activations, but got"):
        nn.SchemeQuantizer("ls-2")
    with pytest.raises(ValueError, match=r"\(abc-1, .*, syq-row, ttq\), but got 'abc-9'$"):
        nn.BinaryLinear(3, 2, weights="abc-9")


def test_bad_data(names):
    linear = nn.BinaryLinear(3, 2, weights="adabin", activations="adabin")
    with pytest.raises(RuntimeError, match="expected stored scalars, but no batch has been seen"):
        linear.eval()(torch.randn(1, 3))
    linear.train()
    with pytest.raises(ValueError, match=r"^expected finite values, but got nan at \[1, 0\]$"):
        linear(torch.tensor([[0.0, 0, 0], [float("nan"), 0, 0]]))
    with pytest.raises(TypeError, match="expected an input of floats, but got torch.int64"):
        linear(torch.zeros(2, 3, dtype=torch.int64))
    with torch.no_grad():
        linear.weight[1, 2] = float("inf")
    with pytest.raises(ValueError, match=r"expected finite values, but got inf at \[1, 2\]$"):
        linear.eval()
    nn.register("none", lambda x, dims: (0 * x.mean(dims, keepdim=True) / 0,), lambda x, v: x)
    with pytest.raises(ValueError, match=r"^expected finite scalars of 'none', but got nan at \[0"):
        nn.SchemeQuantizer("none")(torch.randn(3))
    with pytest.raises(ValueError, match="expected an array that is not empty, but got shape"):
        nn.SchemeQuantizer("adabin")(torch.zeros(0, 3))
    quantizer = nn.SchemeQuantizer("adabin")
    with pytest.raises(ValueError, match=r"expected scalars of shape \(2,\), but got \(3,\)"):
        quantizer.set_scalars([1.0, 2, 3])
    with pytest.raises(ValueError, match="expected scalars that are finite, but got"):
        quantizer.set_scalars([1.0, float("nan")])


def test_unpickled_where_it_is_not_registered(names):
    nn.register("two", center_and_distance, two_values)
    quantizer = nn.SchemeQuantizer("two")
    quantizer(torch.randn(3))
    data = pickle.dumps(quantizer)
    del registry._schemes["activations"]["two"]
    with pytest.raises(ValueError, match="^expected 'two' to be registered for activations$"):
        pickle.loads(data)(torch.randn(3))


# --- the formulas ---------------------------------------------------------------------------


def of_scheme(name, side, x, *scalars):
    """x^q, and the gradients to x and to each scalar where that to x^q is 1, 2, 3, ..."""
    scheme = registry.find(name, side)
    x = torch.tensor(x, requires_grad=True)
    scalars = [torch.tensor(float(v), requires_grad=True) for v in scalars]
    y = scheme.quantize(x, *scalars)
    gradient = torch.arange(1.0, 1 + x.numel()).reshape(x.shape)
    # Solved scalars are constants.
    found = torch.autograd.grad(y, (x, *scalars), gradient, allow_unused=True)
    return y.detach(), found[0], [None if v is None else v.item() for v in found[1:]]


def solved(name, side, x):
    x = torch.as_tensor(x)
    dims = tuple(range(0 if side == "activations" else 1, x.dim()))
    return registry.find(name, side).solve(x, dims)


def close(found, expected):
    torch.testing.assert_close(found, torch.tensor(expected), rtol=1e-5, atol=1e-6)


def test_adabin():
    center, distance = solved("adabin", "weights", torch.tensor([[1.0, 2, 3, 6], [0, 0, 0, 4]]))
    close(center, [[3.0], [1.0]])
    close(distance, [[3.5**0.5], [3**0.5]])
    y, gx, _ = of_scheme("adabin", "weights", [[1.0, 2, 3, 6]], 3, 2)
    close(y, [[1.0, 1, 5, 5]])
    u = np.array([-1, -0.5, 0, 1.5])
    close(gx, [((1 - np.tanh(u / 10) ** 2) * [1, 2, 3, 4]).astype(np.float32).tolist()])
    y, gx, (of_center, of_distance) = of_scheme("adabin", "activations", [0.0, 2, 3, 6], 3, 2)
    close(y, [1.0, 1, 5, 5])
    # u = -1.5, -0.5, 0, 1.5: slopes 0, 1, 2, 0.
    close(gx, [0.0, 2, 6, 0])
    assert of_center == pytest.approx(10 - 8)
    # Of the sign, and of u = (x - center) / distance.
    assert of_distance == pytest.approx(-1 - 2 + 3 + 4 - (-0.5 * 1 * 2 + 0 * 2 * 3))


def test_syq():
    w = torch.randn(4, 3, 2, 5)
    (pixels,) = solved("syq", "weights", w)
    (rows,) = solved("syq-row", "weights", w)
    close(pixels[0, 0], np.abs(w.numpy()).mean((0, 1)).tolist())
    close(rows[0, 0], np.abs(w.numpy()).mean((0, 1, 3))[:, None].tolist())
    assert solved("syq", "weights", torch.ones(4, 3))[0].shape == (1, 1)
    scheme = registry.find("syq", "weights")
    x, scale = w.requires_grad_(), pixels.clone().requires_grad_()
    y = scheme.quantize(x, scale)
    assert torch.equal(y, torch.where(w >= 0, pixels, -pixels))
    g = torch.randn_like(y)
    gx, gs = torch.autograd.grad(y, (x, scale), g)
    torch.testing.assert_close(gx, g * pixels)
    torch.testing.assert_close(gs, (g * w.detach().sign()).sum((0, 1), keepdim=True))


def test_ttq():
    w = [1.0, -1, 0.05, -0.0501, 0.3]
    positive, negative = solved("ttq", "weights", [w])
    assert positive.item() == pytest.approx(1.3 / 2)
    assert negative.item() == pytest.approx(1.0501 / 2)
    y, gx, scalars = of_scheme("ttq", "weights", w, 2, 3)
    close(y, [2.0, -3, 0, -3, 2])
    close(gx, [2.0, 6, 3, 12, 10])
    assert scalars == [1 + 5, -(2 + 4)]


def test_pact():
    assert solved("pact-2", "activations", [[-3.0, 1], [2, 0]])[0].item() == 2
    assert solved("pact-2", "activations", [-3.0, -1])[0].item() == 1
    y, gx, scalars = of_scheme("pact-2", "activations", [-1.0, 0.2, 0.6, 2, 1.5], 1.5)
    close(y, [0.0, 0, 0.5, 1.5, 1.5])
    close(gx, [0.0, 2, 3, 0, 0])
    assert scalars == [4 + 5]


def test_lsq():
    w = [[-2.0, -0.6, 0.2, 0.3, 5]]
    (step,) = solved("lsq-3", "weights", w)
    assert step.item() == pytest.approx(2 * 8.1 / 5 / 3**0.5)
    y, gx, (of_step,) = of_scheme("lsq-2", "weights", w, 0.5)
    close(y, [[-1.0, -0.5, 0, 0.5, 0.5]])
    close(gx, [[0.0, 2, 3, 4, 0]])
    # N = 5 weights, Q_P = 1.
    expected = 1 * -2 + 2 * (-1 + 1.2) + 3 * (0 - 0.4) + 4 * (1 - 0.6) + 5 * 1
    assert of_step == pytest.approx(expected / 5**0.5)
    # Two samples of three features, Q_P = 3.
    x = [[0.2, 0.9, 9.0], [-1.0, 0.6, 1.2]]
    (step,) = solved("lsq-2", "activations", x)
    assert step.item() == pytest.approx(2 * 12.9 / 6 / 3**0.5)
    y, gx, (of_step,) = of_scheme("lsq-2", "activations", x, 0.5)
    close(y, [[0.0, 1, 1.5], [0, 0.5, 1]])
    close(gx, [[1.0, 2, 0], [0, 5, 6]])
    expected = 1 * -0.4 + 2 * (2 - 1.8) + 3 * 3 + 0 + 5 * (1 - 1.2) + 6 * (2 - 2.4)
    assert of_step == pytest.approx(expected / (3 * 3) ** 0.5)


def test_lsq_plus():
    x = [[0.2, 0.9, 9.0], [-1.0, 0.6, 1.2]]
    y, gx, (of_step, of_offset) = of_scheme("lsq-plus-2", "activations", x, 0.5, -0.5)
    # (x + 0.5) / 0.5 = 1.4, 2.8, 19; -1, 2.2, 3.4
    close(y, [[0.0, 1, 1], [-0.5, 0.5, 1]])
    close(gx, [[1.0, 2, 0], [0, 5, 0]])
    expected = 1 * (1 - 1.4) + 2 * (3 - 2.8) + 3 * 3 + 0 + 5 * (2 - 2.2) + 6 * 3
    assert of_step == pytest.approx(expected / 3)
    assert of_offset == pytest.approx((3 + 4 + 6) / 3)
    w = torch.randn(5, 7) + 0.2
    (step,) = solved("lsq-plus-3", "weights", w)
    mean, deviation = w.mean().item(), w.std(correction=0).item()
    largest = max(abs(mean - 3 * deviation), abs(mean + 3 * deviation))
    assert step.item() == pytest.approx(largest / 4, rel=1e-5)
    # Where no other start of a fine grid is better.
    x = torch.randn(4000) ** 2
    found = of_scheme(
        "lsq-plus-2", "activations", x.tolist(), *solved("lsq-plus-2", "activations", x)
    )
    error = (found[0] - x).square().mean()
    for step in np.linspace(0.2, 2, 30):
        for offset in np.linspace(-0.5, 1.5, 30):
            y = np.clip(np.round((x.numpy() - offset) / step), 0, 3) * step + offset
            assert error <= 1.05 * np.square(y - x.numpy()).mean()


def lq_levels(basis, codes):
    return sorted((float(np.dot(basis, code)), code) for code in codes)


def lq_fit(x, basis, codes):
    """By NumPy, value by value."""
    levels = lq_levels(basis, codes)
    b = []
    for value in x:
        rank = sum(value > (levels[i][0] + levels[i + 1][0]) / 2 for i in range(len(levels) - 1))
        b.append(levels[rank][1])
    b = np.array(b, np.float64)
    k = len(basis)
    return np.linalg.solve(b.T @ b + 1e-4 * np.eye(k), b.T @ x + 1e-4 * np.array(basis))


@pytest.mark.parametrize("side", ["weights", "activations"])
def test_lq_net(side):
    codes = [(-1, -1), (-1, 1), (1, -1), (1, 1)]
    if side == "activations":
        codes = [(0, 0), (0, 1), (1, 0), (1, 1)]
    x = torch.randn(50, dtype=torch.float64).float()
    values = x[None] if side == "weights" else x
    deviation = x.std(correction=0).item()
    first = 0.6745 * deviation / 2 if side == "weights" else 0.6745 * 2 / 3
    basis = [first, 2 * first]
    for _ in range(8):
        basis = lq_fit(x.double().numpy(), basis, codes)
    found = solved("lq-2", side, values)
    np.testing.assert_allclose([v.item() for v in found], basis, rtol=1e-5)

    # A step quantizes by the old basis, and moves it by a tenth.
    quantizer = nn.SchemeQuantizer  # its subclass by the registry
    quantizer = registry.find("lq-2", side).quantizer(
        "lq-2", weight=values if side == "weights" else None
    )
    quantizer(values)
    old = quantizer.scalars.flatten().tolist()
    start = [0.9 * v + 0.1 * f for v, f in
             zip(basis, lq_fit(x.double().numpy(), basis, codes), strict=True)]  # fmt: skip
    np.testing.assert_allclose(old, start, rtol=1e-5)
    leaf = values.clone().requires_grad_()
    y = quantizer(leaf)
    levels = np.array([level for level, _ in lq_levels(old, codes)])
    thresholds = (levels[1:] + levels[:-1]) / 2
    np.testing.assert_allclose(
        y.detach().flatten(), levels[np.searchsorted(thresholds, x.numpy())], rtol=1e-5
    )
    (gradient,) = torch.autograd.grad(y.sum(), leaf)
    passes = x.numpy() < (levels[-1] if side == "activations" else np.inf)
    assert np.array_equal(gradient.flatten().numpy(), passes.astype(np.float32))
    # In eval mode it stands still.
    kept = quantizer.eval().scalars.clone()
    quantizer(2 * values)
    assert torch.equal(quantizer.scalars, kept)


@pytest.mark.parametrize("k", [1, 2, 3, 5])
def test_abc_net_weights(k):
    w = torch.randn(3, 40) + 0.3
    found = solved(f"abc-{k}", "weights", w)
    y = registry.find(f"abc-{k}", "weights").quantize(w, *found)
    for i, row in enumerate(w.double().numpy()):
        places = [-1 + 2 * j / (k - 1) for j in range(k)] if k > 1 else [0]
        bases = [np.where(row - row.mean() + u * row.std() >= 0, 1, -1) for u in places]
        a, *_ = np.linalg.lstsq(np.array(bases, np.float64).T, row, rcond=None)
        np.testing.assert_allclose([v[i].item() for v in found[:k]], a, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(y[i], a @ np.array(bases), rtol=1e-4, atol=1e-5)
    leaf = w.clone().requires_grad_()
    g = torch.randn_like(w)
    y = registry.find(f"abc-{k}", "weights").quantize(leaf, *found)
    (gradient,) = torch.autograd.grad(y, leaf, g)
    torch.testing.assert_close(gradient, g * sum(found[:k]))


def test_abc_net_activations():
    x = [-0.6, -0.1, 0.3, 0.7, 1.4]
    y, gx, scalars = of_scheme("abc-2", "activations", x, 1, 0.5, 0, -0.5)
    # h(x) is 1 from 0.5 on, h(x - 0.5) from 1 on.
    close(y, [-1.5, -1.5, -1.5, 0.5, 1.5])
    # 0 <= x <= 1 for the third and the fourth, 0.5 <= x <= 1.5 for the fourth and the fifth.
    close(gx, [0.0, 0, 3 * 1, 4 * 1 + 4 * 0.5, 5 * 0.5])
    assert scalars == [-1 - 2 - 3 + 4 + 5, -1 - 2 - 3 - 4 + 5, 3 + 4, 0.5 * (4 + 5)]
    x = torch.randn(300)
    found = [v.item() for v in solved("abc-3", "activations", x)]
    places = [0.5 - v for v in found[3:]]
    np.testing.assert_allclose(
        places, [x.mean() - u * x.std(correction=0) for u in (-1, 0, 1)], rtol=1e-4, atol=1e-5
    )


def test_rebnet_is_learned_gf():
    """Ghasemzadeh, Samragh, Koushanfar, ReBNet: Residual Binarized Neural Network, 2018: e_i = sign
    of what is left, x^q = sum g_i e_i, g_i learned; the gradient of each sign passes up to 1."""
    quantizer = nn.Quantizer("gf-2", clamp=None, scalars="learned")
    x = torch.tensor([-2.0, -0.4, 0.25, 0.9], requires_grad=True)
    quantizer(x)
    with torch.no_grad():
        quantizer.scalars.copy_(torch.tensor([0.75, 0.5]))
    y = quantizer(x)
    close(y.detach(), [-1.25, -0.25, 0.25, 1.25])  # what is left: -1.25, 0.35, -0.5, 0.15
    y.backward(torch.tensor([1.0, 2, 3, 4]))
    assert quantizer.scalars.grad[1].item() == pytest.approx(-1 + 2 - 3 + 4)
    signs = torch.tensor([-1.0, -1, 1, 1])
    left = torch.tensor([0.0, 1, 1, 1])  # the second sign's slope, through which r_2 = x - g_1 e_1
    expected = (torch.tensor([1.0, 2, 3, 4]) * signs * (1 - 0.5 * left)).sum()
    assert quantizer.scalars.grad[0].item() == pytest.approx(expected.item())


# --- docs/schemes.md ------------------------------------------------------------------------


@pytest.fixture(scope="module")
def normal():
    n = 20001
    places = (torch.arange(n, dtype=torch.float64) + 0.5) / n
    return torch.special.ndtri(places).float()


def relative_error(name, side, x, scalars):
    xq = registry.find(name, side).quantize(x, *scalars)
    return ((xq - x).square().sum() / x.square().sum()).item()


SOLVED_ERRORS = {
    ("adabin", "weights"): 0.4042, ("adabin", "activations"): 0.4042, ("syq", "weights"): 0.3634,
    ("lsq-plus-2", "activations"): 0.1188, ("lsq-plus-3", "activations"): 0.0374,
    ("lsq-plus-4", "activations"): 0.0116, ("abc-2", "weights"): 0.2619,
    ("abc-3", "weights"): 0.1175, ("abc-5", "weights"): 0.0772, ("abc-3", "activations"): 0.1175,
}  # fmt: skip
LEAST_ERRORS = {
    ("pact-2", "activations"): 0.0469, ("pact-3", "activations"): 0.0129,
    ("pact-4", "activations"): 0.0037, ("lsq-2", "activations"): 0.0469,
    ("lsq-3", "activations"): 0.0129, ("lsq-4", "activations"): 0.0037,
    ("lsq-2", "weights"): 0.1494, ("lsq-3", "weights"): 0.0406, ("lsq-4", "weights"): 0.0119,
}  # fmt: skip


def on_page(error):
    page = (Path(__file__).resolve().parents[2] / "docs/schemes.md").read_text()
    return f"{error:.4f}" in page


@pytest.mark.parametrize("case", SOLVED_ERRORS)
def test_errors_of_solved_scalars(case, normal):
    name, side = case
    x = normal[None] if side == "weights" else normal
    error = relative_error(name, side, x, solved(name, side, x))
    assert error == pytest.approx(SOLVED_ERRORS[case], abs=1e-4) and on_page(SOLVED_ERRORS[case])


@pytest.mark.parametrize("case", LEAST_ERRORS)
def test_least_errors_of_learned_scalars(case, normal):
    name, side = case
    x = normal[None] if side == "weights" else normal.clamp(min=0)
    low, high = 0.05, 5.0
    for _ in range(4):
        places = np.linspace(low, high, 33)
        errors = [relative_error(name, side, x, [torch.tensor(float(p))]) for p in places]
        best = int(np.argmin(errors))
        low, high = places[max(best - 1, 0)], places[min(best + 1, 32)]
    assert min(errors) == pytest.approx(LEAST_ERRORS[case], abs=1e-4)
    assert on_page(LEAST_ERRORS[case])


@pytest.mark.parametrize(
    ("name", "side", "expected"),
    [("lq-2", "weights", 0.1175), ("lq-2", "activations", 0.0468), ("lq-3", "activations", 0.0129)],
)
def test_errors_of_a_basis(name, side, expected, normal):
    x, dims = (normal[None], (1,)) if side == "weights" else (normal.clamp(min=0), (0,))
    basis = solved(name, side, x)
    for _ in range(40):
        basis = nn.published.lq_net._BASES[name, side].fit(x, basis, dims)
    error = relative_error(name, side, x, basis)
    assert error == pytest.approx(expected, abs=1e-4) and on_page(expected)


def test_error_of_ttq():
    n = 100001
    x = torch.special.ndtri((torch.arange(n, dtype=torch.float64) + 0.5) / n).float()[None]
    error = relative_error("ttq", "weights", x, solved("ttq", "weights", x))
    assert error == pytest.approx(0.2653, abs=1e-4) and on_page(0.2653)
    for k, expected in ((1, 0.3634), (2, 0.1175), (3, 0.0345), (4, 0.0095)):
        assert bquant.quantize(x, f"lloyd-{k}").error == pytest.approx(expected, abs=1e-4)


# --- all of them ----------------------------------------------------------------------------


def names_of(side):
    return [(name, side) for name in registry.names(side)]


@pytest.mark.parametrize(("name", "side"), [*names_of("weights"), *names_of("activations")])
def test_shapes_on_another_device(name, side):
    """As far as a machine without one goes: all operations have shapes for it."""
    options = {side: name, **({"weights": "fp"} if side == "activations" else {})}
    other = layer(**{"weights": "fp", "activations": "fp", **options}, device="meta")
    assert other(torch.empty(2, 4, 7, 7, device="meta")).shape == (2, 6, 7, 7)
    # As many levels as it says, and values of zeros alone.
    scheme, x = registry.find(name, side), torch.randn(1, 2000)
    y = scheme.quantize(x, *solved(name, side, x))
    count = len(y.unique())
    assert count <= round(2**scheme.bits) and (count > scheme.bits or "plus-8" in name)
    y = scheme.quantize(0 * x, *solved(name, side, 0 * x))
    assert y.isfinite().all()


def mixture():
    """A layer of each system."""
    return torch.nn.Sequential(*(
        nn.BinaryLinear(8, 8, weights=weights, activations=activations)
        for weights, activations in PAIRS.values()
    ))  # fmt: skip


@pytest.mark.parametrize("pair", daily(PAIRS, ["adabin"]))
def test_a_training_step_is_one_graph(pair):
    torch._dynamo.reset()
    weights, activations = PAIRS[pair]
    model = nn.BinaryLinear(8, 8, weights=weights, activations=activations)
    other = copy.deepcopy(model)
    compiled = torch.compile(model, backend="aot_eager", fullgraph=True)
    for _ in range(2):
        x = torch.randn(16, 8)
        for net in (compiled, other):
            net(x).square().sum().backward()
    for (name, a), b in zip(model.named_parameters(), other.parameters(), strict=True):
        torch.testing.assert_close(a.grad, b.grad, msg=name)
    for (name, a), b in zip(model.named_buffers(), other.buffers(), strict=True):
        torch.testing.assert_close(a, b, msg=name)
    if pair == "adabin":  # whose solver looks at the weights in each step
        with torch.no_grad():
            model.weight[1, 2] = float("nan")
        with pytest.raises(ValueError, match=r"expected finite values, but got nan at \[1, 2\]"):
            compiled(x)


def test_copies():
    model = mixture()
    model(torch.randn(16, 8))
    averaged = torch.optim.swa_utils.AveragedModel(model, use_buffers=True)
    averaged.update_parameters(model)
    loaded = mixture()
    loaded.load_state_dict(model.state_dict())
    x = torch.randn(5, 8)
    expected = model.eval()(x)
    for other in (
        copy.deepcopy(model), pickle.loads(pickle.dumps(model)), averaged.module.eval(),
        loaded.eval(),
    ):  # fmt: skip
        assert torch.equal(other(x), expected)
    # A state of float layers has no scalars: those of weights start at what is loaded.
    floats = torch.nn.Sequential(*(torch.nn.Linear(8, 8) for _ in PAIRS))
    for other in (mixture(), mixture().eval(), loaded.train()):
        other.load_state_dict(floats.state_dict())
        start = other.eval()[3].weight_quantizer
        assert start.scalars[0].item() == solved("ttq", "weights", floats[3].weight)[0].item()


def test_averages_are_float32():
    model = mixture()
    model(torch.randn(16, 8))
    before = {name: buffer.clone() for name, buffer in model.named_buffers()}
    model.to(torch.bfloat16)
    for name, buffer in model.named_buffers():
        if buffer.is_floating_point():
            assert buffer.dtype == torch.float32 and torch.equal(buffer, before[name])
    x = torch.randn(16, 8, dtype=torch.bfloat16)
    model(x).float().sum().backward()
    assert model.eval()(x).dtype == torch.bfloat16
    with torch.autocast("cpu", torch.bfloat16):
        other = mixture()
        other(torch.randn(16, 8)).float().sum().backward()
    for name, buffer in other.named_buffers():
        assert not buffer.is_floating_point() or buffer.dtype == torch.float32, name


@pytest.mark.parametrize("pair", daily(PAIRS, ["adabin", "ttq", "lq", "abc"]))
def test_export_equals_eager(pair):
    weights, activations = PAIRS[pair]
    model = nn.BinaryLinear(16, 6, weights=weights, activations=activations)
    x = torch.randn(8, 16)
    with pytest.raises(RuntimeError, match="no batch has been seen"):
        torch.export.export(nn.BinaryLinear(16, 6, weights="fp", activations="adabin").eval(), (x,))
    model(x).sum().backward()
    program = torch.export.export(model.eval(), (x,))
    y = torch.randn_like(x)
    y.view(-1)[:4] = torch.tensor([0.0, -0.0, 100, -100])
    assert torch.equal(program.module()(y), model(y))


@pytest.mark.parametrize("pair", daily(PAIRS, ["abc"]))
def test_compiled(pair):
    compiles(network(*PAIRS[pair]), torch.randn(2, 4, 7, 7), is_float=pair == "syq")


@pytest.mark.parametrize("dim", [1, 2])
def test_floats_by_ttq(dim):
    """The filter is bits and levels where a CPU chooses by masks, and not decoded."""
    if dim == 1:
        layer, x = nn.BinaryLinear(24, 70, weights="ttq", activations="fp"), torch.randn(5, 24)
    else:
        layer = nn.BinaryConv2d(8, 70, 3, padding=1, weights="ttq", activations="fp")
        x = torch.randn(2, 8, 7, 7)
    model = torch.nn.Sequential(torch.nn.ReLU(), layer)
    model(x).sum().backward()
    torch.optim.SGD(model.parameters(), 1e-4).step()
    compiled = compiles(model.eval(), x, is_float=True)
    (row,) = products(compiled)
    if "avx512f" in CPU_FLAGS:
        assert row["arithmetic"] == "float by binary" and row["operands"].endswith("f32, 3 levels")
        assert row["weight_bytes"] == 4 * (2 * (24 if dim == 1 else 72) * 3 + 3 * 70)


ONNX = {
    **PAIRS, "ls": ("ls-2", "ls-T"), "dorefa": ("dorefa-w-2", "dorefa-2"), "twn": ("twn", "twn"),
    "ls-3": ("ls-3", "ls-3"), "ls-4": ("ls-4", "ls-2"), "gf-3": ("gf-3", "gf-2"),
    "abc-5": ("abc-5", "abc-2"), "lsq-4": ("lsq-4", "ls-1"),
    "dorefa-w-3": ("dorefa-w-3", "dorefa-2"),
}  # fmt: skip


@pytest.mark.parametrize("pair", daily(ONNX, ["lsq", "ls-4"]))
def test_by_way_of_onnx(pair):
    """The older exporter of torch writes plain operations, also of bquant's own schemes. Filters
    are numbers there, whose planes are found but for those of SYQ by pixel, of nine scales."""
    pytest.importorskip("onnx")
    model, x, stays_float = network(*ONNX[pair]), torch.randn(2, 4, 7, 7), pair == "syq"
    compiled = bquant.compile(to_onnx(model, x))
    agrees(compiled, model, x, stays_float)
    assert ("stays float" in compiled.report()) == stays_float


def test_converted():
    floats = torch.nn.Sequential(*(torch.nn.Linear(8, 8) for _ in range(3)))
    made = bquant.convert(floats, "ttq", "lsq-2", skip=None, verbose=False)
    assert torch.equal(made[1].weight, floats[1].weight)
    batches = [torch.randn(32, 8) for _ in range(2)]
    for other in (made, bquant.quantize_model(floats, "lq-2", "abc-2", batches, verbose=False)):
        other.train()(batches[0])
        assert other.eval()(batches[1]).isfinite().all()
    table = bquant.summary(made, batches[0])
    assert "1.58" in str(table) and table.layers[0].binary_macs == 4 * 64
