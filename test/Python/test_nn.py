"""bquant.nn: values against the solvers, gradients, running averages, export."""

import copy
import pickle

import bquant
import numpy as np
import pytest

torch = pytest.importorskip("torch")
from bquant import nn  # noqa: E402
from bquant.nn import functional as F  # noqa: E402

SCHEMES = ["ls-1", "ls-2", "ls-T", "gf-1", "gf-2", "gf-3"]


@pytest.fixture(autouse=True)
def seed():
    torch.manual_seed(1)


def layers(weights="ls-1", activations="ls-2", **options):
    options |= {"weights": weights, "activations": activations}
    yield nn.BinaryConv2d(4, 6, 3, padding=1, **options), torch.randn(3, 4, 7, 5)
    yield nn.BinaryConv2d(4, 6, (3, 1), 2, (2, 0), 2, 2, False, **options), torch.randn(3, 4, 7, 5)
    yield nn.BinaryLinear(33, 6, **options), torch.randn(3, 33)


def stored(scalars, scheme):
    """What a buffer holds of `QuantizedArray.scalars`: one row for ternary."""
    return scalars[:1] if scheme == "ls-T" else scalars


def decoded(x, scheme, axis=None, scalars=None):
    if scheme == "fp":
        return x.detach()
    given = {} if scalars is None else {"scalars": scalars.detach().numpy()}
    if given:
        scheme = "given-T" if scheme == "ls-T" else "given"
    return torch.from_numpy(bquant.quantize(x.detach().numpy(), scheme, axis, **given).dequantize())


def product(layer, x, w):
    if isinstance(layer, nn.BinaryLinear):
        return torch.nn.functional.linear(x, w, layer.bias)
    return torch.nn.functional.conv2d(
        x, w, layer.bias, layer.stride, layer.padding, layer.dilation, layer.groups
    )


@pytest.mark.parametrize("weights", [*SCHEMES, "fp"])
@pytest.mark.parametrize("activations", [*SCHEMES, "fp"])
def test_forward_is_what_the_solvers_say(weights, activations):
    for layer, x in layers(weights, activations, clamp=1.5):
        clamped = x if activations == "fp" else x.clamp(-1.5, 1.5)
        wq = decoded(layer.weight, weights, axis=0)
        y = layer(x)
        assert torch.equal(y, product(layer, decoded(clamped, activations), wq))
        if weights != "fp":
            scalars = bquant.quantize(layer.weight.detach().numpy(), weights, axis=0).scalars
            assert np.array_equal(layer.weight_scalars.numpy(), stored(scalars, weights))

        # Eval mode keeps the scalars of the first batch, whatever comes.
        layer.eval()
        assert torch.equal(layer(x), y)
        other = torch.randn_like(x)
        clamped = other if activations == "fp" else other.clamp(-1.5, 1.5)
        kept = None if activations == "fp" else layer.quantizer.scalars
        assert torch.equal(
            layer(other), product(layer, decoded(clamped, activations, scalars=kept), wq)
        )


def test_float_layers_are_torchs():
    layer = nn.BinaryConv2d(4, 6, 3, weights="fp", activations="fp")
    plain = torch.nn.Conv2d(4, 6, 3)
    plain.load_state_dict(layer.state_dict())
    x = 5 * torch.randn(2, 4, 8, 8)
    for mode in (True, False):
        assert torch.equal(layer.train(mode)(x), plain(x))


def test_padding_is_zero_after_quantization():
    layer = nn.BinaryConv2d(1, 1, 3, padding=1, bias=False, activations="ls-1", clamp=None)
    with torch.no_grad():
        layer.weight.fill_(0.5)
    y = layer(torch.full((1, 1, 3, 3), 2.0))
    assert y[0, 0].tolist() == [[4, 6, 4], [6, 9, 6], [4, 6, 4]]


def reference_sign(x):
    """A sign whose gradient passes where |x| <= 1, without an autograd function."""
    passes = torch.where(x.abs() <= 1, x, x.detach())
    return torch.where(x >= 0, 1.0, -1.0) + passes - passes.detach()


def reference_quantize(x, scheme, v):
    if scheme == "fp":
        return x
    signs, r = [], x
    for vi in v:
        signs.append(reference_sign(r))
        r = r - vi * signs[-1]
    if scheme == "ls-T":
        return v[0] * (signs[0] + reference_sign(x - v[0] * signs[0]))
    return sum(vi * s for vi, s in zip(v, signs, strict=True))


@pytest.mark.parametrize("scheme", [*SCHEMES, "fp"])
@pytest.mark.parametrize("training", [True, False])
def test_gradients(scheme, training):
    for layer, x in layers(scheme, scheme):
        layer(x)  # stores scalars
        layer.train(training)
        x[0, 0] = torch.tensor([-3.5, -3, -1, -0.0, 1, 1.5, 3])[: x[0, 0].numel()].mean()
        x.view(-1)[:7] = torch.tensor([-3.5, -3, -1, -0.0, 1, 1.5, 3])
        with torch.no_grad():
            layer.weight.view(-1)[:5] = torch.tensor([-1.0, 1.0, 1.25, -1.25, 0.0])
        x.requires_grad_()
        out = layer(x)
        g = torch.randn_like(out)
        gx, gw = torch.autograd.grad(out, (x, layer.weight), g)

        if scheme == "fp":
            expected = product(layer, x, layer.weight)
        else:
            d = layer.quantizer.clamp
            clamped = x.clamp(-d, d)
            v = layer.quantizer.scalars
            if training:
                solved = bquant.quantize(clamped.detach().numpy(), scheme).scalars
                v = torch.from_numpy(stored(solved, scheme))
            vw = layer.weight_scalars.reshape(
                -1, len(layer.weight), *[1] * (layer.weight.dim() - 1)
            )
            xq = reference_quantize(clamped, scheme, v)
            expected = product(layer, xq, reference_quantize(layer.weight, scheme, vw))
        rx, rw = torch.autograd.grad(expected, (x, layer.weight), g)
        torch.testing.assert_close(gx, rx, rtol=1e-4, atol=1e-5)
        torch.testing.assert_close(gw, rw, rtol=1e-4, atol=1e-5)


def test_gradient_of_the_sign():
    x = torch.tensor([-1.5, -1.0000001, -1, -0.5, -0.0, 0, 1, 1.0000001, 3], requires_grad=True)
    s = F.sign(x)
    assert s.tolist() == [-1, -1, -1, -1, 1, 1, 1, 1, 1]
    s.backward(torch.full_like(s, 2))
    assert x.grad.tolist() == [0, 0, 2, 2, 2, 2, 2, 0, 0]
    assert F.sign(torch.tensor([float("nan")])).tolist() == [-1]


@pytest.mark.parametrize("momentum", [0.99, 0.5])
def test_running_averages(momentum):
    q = nn.Quantizer("ls-2", clamp=None, momentum=momentum)
    assert q.scalars.isnan().all()
    running = None
    for _ in range(3):
        x = torch.randn(4, 3, 5, 5)
        batch = torch.from_numpy(bquant.quantize(x.numpy(), "ls-2").scalars)
        assert torch.equal(q(x), decoded(x, "ls-2"))  # the batch's own
        if running is None:
            running = batch
            assert torch.equal(q.scalars, batch)
        else:
            running = momentum * running + (1 - momentum) * batch
            torch.testing.assert_close(q.scalars, running)


def test_eval_changes_nothing():
    for layer, x in layers():
        layer(x)
        layer.eval()
        state = copy.deepcopy(layer.state_dict())
        y = layer(x)
        layer(torch.randn_like(x))
        assert torch.equal(layer(x), y)
        assert torch.equal(layer.quantizer(x[:1]), layer.quantizer(x)[:1])
        assert all(torch.equal(v, state[k]) for k, v in layer.state_dict().items())


def test_eval_without_a_batch_is_an_error():
    with pytest.raises(RuntimeError, match="^expected stored scalars, but no batch has been seen"):
        nn.BinaryLinear(3, 2).eval()(torch.randn(1, 3))


def test_set_scalars():
    q = nn.Quantizer("ls-2", clamp=None).eval()
    q.set_scalars([2.0, 0.5])
    x = torch.tensor([-4, -1, 0.0, 3])
    assert q(x).tolist() == [-2.5, -1.5, 1.5, 2.5]
    with pytest.raises(ValueError, match=r"^expected scalars of shape \(2,\), but got \(1,\)$"):
        q.set_scalars([1.0])
    with pytest.raises(ValueError, match="^expected scalars that are finite and not negative"):
        q.set_scalars([1.0, -1.0])
    for q in (nn.Quantizer("fp"), nn.Quantizer("ls-1", scalars="online")):
        with pytest.raises(ValueError, match="^expected a quantizer that stores scalars, but got"):
            q.set_scalars([1.0])


def test_state_dict():
    for layer, x in layers("ls-2", "gf-3"):
        layer(x)
        layer.eval()
        twin = copy.deepcopy(layer)
        assert torch.equal(twin(x), layer(x))
        for mode in (True, False):
            other = copy.deepcopy(layer).train(mode)
            with torch.no_grad():
                other.weight.normal_()
            other.quantizer.set_scalars([1.0, 1.0, 1.0])
            other.load_state_dict(layer.state_dict())
            assert torch.equal(other.eval()(x), layer(x))

    unseen = nn.Quantizer("ls-1")
    unseen.load_state_dict(unseen.state_dict())
    with pytest.raises(RuntimeError, match="^expected stored scalars"):
        unseen.eval()(x)


def test_changed_weights_are_solved_again():
    for layer, x in layers("ls-2"):
        layer(x)
        layer.eval()
        with torch.no_grad():
            layer.weight.mul_(3)
        y = layer(x)
        scalars = bquant.quantize(layer.weight.detach().numpy(), "ls-2", axis=0).scalars
        assert np.array_equal(layer.weight_scalars.numpy(), scalars)
        assert torch.equal(layer.train().eval()(x), y)


def test_other_weights_in_their_place_are_solved():
    """Of as many changes as those that were solved, so that a number of them says nothing."""
    for layer, x in layers("ls-2"):
        layer(x)
        layer.eval()
        y = layer(x)
        for factor in (3, -0.5):
            other = {name: p.detach() * factor for name, p in layer.named_parameters()}
            expected = copy.deepcopy(layer)
            expected.load_state_dict(other, strict=False)
            assert torch.equal(torch.func.functional_call(layer, other, x), expected(x))
        layer.weight = torch.nn.Parameter(layer.weight.detach().clone())
        assert torch.equal(pickle.loads(pickle.dumps(layer))(x), y) and torch.equal(layer(x), y)


def test_data_of_weights():
    """What no version counts."""
    for layer, x in layers("ls-2", "fp"):
        layer.eval()
        for factor in (3, -0.5, 2):
            layer(x)
            other = copy.deepcopy(layer)
            with torch.no_grad():
                other.weight.mul_(factor).mul_(factor)
            layer.weight.data = layer.weight.data * factor
            layer.weight.data = layer.weight.data * factor  # where the first have been, perhaps
            assert torch.equal(layer(x), other(x))
        flat = torch.nn.utils.parameters_to_vector(layer.parameters()) ** 2
        for net in (layer, other.train()):
            torch.nn.utils.vector_to_parameters(flat.clone(), net.parameters())
        assert torch.equal(layer(x), other.eval()(x))
        # In place they show after eval() only.
        for net in (layer, other):
            net.weight.data.sign_()
        assert torch.equal(layer.eval()(x), other.train()(x))


def test_two_steps_before_a_backward():
    for layer, x in layers():
        first = layer(x)
        with torch.no_grad():
            layer.weight_scalars.zero_()
        (first.sum() + layer(2 * x).sum()).backward()
        assert layer.weight.grad.isfinite().all()


def test_inference_mode():
    for layer, x in layers():
        layer(x)
        layer.eval()
        y = layer(x)
        with torch.inference_mode():
            assert torch.equal(layer(x), y)


def exported_ops(program):
    return [n.target for n in program.graph.nodes if n.op == "call_function"]


@pytest.mark.parametrize("weights", [*SCHEMES, "fp"])
@pytest.mark.parametrize("activations", [*SCHEMES, "fp"])
def test_export_equals_eager(weights, activations):
    for layer, x in layers(weights, activations):
        layer(x)
        layer.eval()
        program = torch.export.export(layer, (x,))
        y = torch.randn_like(x)
        y.view(-1)[:4] = torch.tensor([0.0, -0.0, 100, -100])
        assert torch.equal(program.module()(y), layer(y))


def idiom(scheme, per_filter):
    """The operations of one quantization, in order."""
    aten = torch.ops.aten
    sign = [aten.ge.Scalar, aten.where.Scalar]
    select = [aten.select.int] + ([aten.reshape.default] if per_filter else [])
    if scheme == "fp":
        return []
    if scheme == "ls-T":
        cascade = [*sign, aten.mul.Tensor, aten.sub.Tensor, *sign, aten.add.Tensor, aten.mul.Tensor]
        return [*select, *cascade]
    k = int(scheme[-1])
    plane = [aten.sub.Tensor, *sign, aten.mul.Tensor, aten.add.Tensor]
    return [*select * k, *sign, aten.mul.Tensor, *plane * (k - 1)]


@pytest.mark.parametrize("weights", [*SCHEMES, "fp"])
@pytest.mark.parametrize("activations", [*SCHEMES, "fp"])
def test_exported_operations(weights, activations):
    for layer, x in layers(weights, activations):
        layer(x)
        linear = isinstance(layer, nn.BinaryLinear)
        assert exported_ops(torch.export.export(layer.eval(), (x,))) == [
            *([torch.ops.aten.clamp.default] if activations != "fp" else []),
            *idiom(activations, False),
            *idiom(weights, True),
            torch.ops.aten.linear.default if linear else torch.ops.aten.conv2d.default,
        ]


def test_export_does_not_look_at_fresh_weights():
    layer = nn.BinaryConv2d(2, 3, 1)
    x = torch.randn(1, 2, 4, 4)
    layer(x)
    # Straight from training to a loaded state to an export.
    layer.eval().load_state_dict({k: 2 * v for k, v in layer.state_dict().items()})
    program = torch.export.export(layer, (x,))
    assert torch.equal(program.module()(x), layer(x))


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("training", [True, False])
def test_online_scalars_are_each_samples(scheme, training):
    for layer, x in layers("ls-1", scheme, scalars="online"):
        layer.train(training)
        x[1] *= 10
        d = layer.quantizer.clamp
        clamped = x.clamp(-d, d)
        wq = decoded(layer.weight, "ls-1", axis=0)
        assert torch.equal(layer(x), product(layer, decoded(clamped, scheme, axis=0), wq))
        for i in range(len(x)):
            assert torch.equal(layer.quantizer(x[i : i + 1]), layer.quantizer(x)[i : i + 1])
        assert "quantizer.scalars" not in layer.state_dict()


def test_online_gradients():
    q = nn.Quantizer("ls-2", scalars="online")
    x = torch.randn(3, 5, 2, requires_grad=True)
    g = torch.randn(3, 5, 2)
    v = torch.from_numpy(bquant.quantize(x.detach().clamp(-3, 3).numpy(), "ls-2", axis=0).scalars)
    expected = reference_quantize(x.clamp(-3, 3), "ls-2", v.reshape(2, 3, 1, 1))
    (expected,) = torch.autograd.grad(expected, x, g)
    for mode in (True, False):
        (gradient,) = torch.autograd.grad(q.train(mode)(x), x, g)
        torch.testing.assert_close(gradient, expected)


@pytest.mark.parametrize("scheme", SCHEMES)
def test_online_export(scheme):
    for layer, x in layers("ls-1", scheme, scalars="online"):
        program = torch.export.export(layer.eval(), (x,))
        ops = exported_ops(program)
        assert ops[:2] == [torch.ops.aten.clamp.default, torch.ops.bquant.quantize.default]
        (node,) = [n for n in program.graph.nodes if n.target == ops[1]]
        assert node.args[1] == scheme and node.meta["val"].shape == x.shape
        y = torch.randn_like(x)
        assert torch.equal(program.module()(y), layer(y))


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_online_operation_is_well_formed():
    x = torch.randn(2, 3, 4)
    for sample in (x, x.transpose(0, 2)):
        torch.library.opcheck(torch.ops.bquant.quantize.default, (sample, "ls-2"))


@pytest.mark.parametrize(
    ("schemes", "steps"),
    [([("ls-1", "ls-2")], 200), ([("lq-2", "lsq-2"), ("ttq", "pact-2")], 100)],
    ids=["own", "registered"],
)
def test_it_learns(schemes, steps):
    """The product of two inputs, which no float part can supply, through a layer of each kind."""
    x = torch.randn(512, 16)
    labels = (x[:, 0] * x[:, 1] > 0).long()
    net = torch.nn.Sequential(torch.nn.Linear(16, 64), torch.nn.BatchNorm1d(64))
    for weights, activations in schemes:
        net.append(nn.BinaryLinear(64, 64, weights=weights, activations=activations))
        net.append(torch.nn.BatchNorm1d(64))
    net.append(torch.nn.Linear(64, 2))
    optimizer = torch.optim.Adam(net.parameters(), 0.01)
    for _ in range(steps):
        optimizer.zero_grad()
        torch.nn.functional.cross_entropy(net(x), labels).backward()
        optimizer.step()
    assert (net.eval()(x).argmax(1) == labels).float().mean() > 0.95


def test_bad_data():
    q = nn.Quantizer("ls-2")
    with pytest.raises(ValueError, match=r"^expected finite values, but got nan at \[1, 0\]$"):
        q(torch.tensor([[0.0], [float("nan")]]))
    with pytest.raises(TypeError, match="^expected an input of floats, but got torch.int64"):
        q(torch.zeros(3, dtype=torch.int64))
    with pytest.raises(ValueError, match="^expected an array that is not empty"):
        q(torch.zeros(0, 3))
    with pytest.warns(RuntimeWarning, match="^all values of 1 of 1 groups are zero"):
        assert not q(torch.zeros(2, 3)).any()


def test_bad_weights():
    """A layer says which it is; its path in a network where that is known."""
    layer, x = nn.BinaryLinear(3, 2), torch.ones(1, 3)
    model = torch.nn.Sequential(torch.nn.ReLU(), layer)
    model(x)
    with torch.no_grad():
        layer.weight[1, 2] = float("inf")
    reason = "expected finite values, but got inf at [1, 2]"
    which = "weight of BinaryLinear(in_features=3, out_features=2, bias=True, weights='ls-1')"
    for use in (lambda: model(x), model.eval, lambda: model(x)):
        with pytest.raises(ValueError) as error:
            use()
        assert str(error.value) == f"{which}: {reason}"
    with pytest.raises(ValueError) as error:
        model.load_state_dict(model.state_dict())
    assert str(error.value) == f"'1.weight': {reason}"


CLAMPS = {
    2: ["ls-1", "gf-1", "bwn", "dorefa-1", "hwgq-1"],
    3: ["ls-2", "ls-T", "twn", "gf-2", "hwgq-2"],
    5: ["ls-3", "gf-3", "dorefa-3"],
    8: ["ls-4", "gf-4", "ls-5", "gf-8", "dorefa-8"],
    None: ["fp"],
}


@pytest.mark.parametrize(("clamp", "scheme"), [(c, s) for c in CLAMPS for s in CLAMPS[c]])
def test_default_clamp_is_the_papers(clamp, scheme):
    for layer, x in layers(activations=scheme):
        assert layer.quantizer.clamp == clamp and nn.paper_clamp(scheme) == clamp
        assert nn.Quantizer(scheme).clamp == nn.Quantizer(scheme, clamp="paper").clamp == clamp
        assert nn.Quantizer(scheme, clamp=1.5).clamp == 1.5
        assert nn.Quantizer(scheme, clamp=None).clamp is None
        assert isinstance(layer(x), torch.Tensor)


@pytest.mark.parametrize("k", range(1, 9))
@pytest.mark.parametrize("kind", ["dorefa", "hwgq"])
def test_default_clamp_keeps_uniform_levels(kind, k):
    """Their levels do not depend on the data, so a clamp must not cut any off."""
    x = torch.linspace(-12, 12, 5001)
    scheme = f"{kind}-{k}"
    clamped, free = nn.Quantizer(scheme), nn.Quantizer(scheme, clamp=None)
    assert torch.equal(clamped(x), free(x))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"weights": "ls-9"},
            "expected weights to be one of fp, ls-k, ls-T, gf-k, bwn, twn, dorefa-w",
        ),
        (
            {"activations": "given-1"},
            "expected activations to be one of fp, ls-k, ls-T, gf-k, bwn, tw",
        ),
        ({"clamp": -1}, "expected clamp to be 'paper', None or above 0, but got -1"),
        ({"clamp": float("nan")}, "expected clamp to be 'paper', None or above 0, but got nan"),
        ({"clamp": "big"}, "expected clamp to be 'paper', None or above 0, but got 'big'"),
        ({"scalars": "both"}, "expected scalars to be 'stored', 'online' or 'learned', but got 'b"),
        ({"momentum": 1}, "expected a momentum of at least 0 and below 1, but got 1"),
    ],
)
def test_bad_arguments(options, message):
    with pytest.raises(ValueError) as error:
        nn.BinaryLinear(3, 2, **options)
    assert str(error.value).startswith(message)


def test_repr():
    text = repr(nn.BinaryConv2d(3, 4, 3, activations="ls-T", scalars="online", clamp=None))
    assert "3, 4, kernel_size=(3, 3)" in text and "weights='ls-1'" in text
    assert "ls-T, clamp=None, scalars='online'" in text
