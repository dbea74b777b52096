"""What PyTorch's models take and return: keywords, lists, dicts, kept as they are."""

from collections import OrderedDict

import bquant
import numpy as np
import pytest
import torch
from torch import nn

X, S = torch.randn(2, 4, generator=torch.Generator().manual_seed(1)), torch.rand(2, 4)


class Keywords(nn.Module):
    def forward(self, x, *, scale, more=None):
        y = x * scale
        if more is not None:
            y = y + more
        return {"y": y, "z": [y + 1, (y,)]}


class Lists(nn.Module):
    def forward(self, xs, others):
        return [xs[0] + others["a"], xs[1] * others["b"]]


def test_keywords():
    model = Keywords()
    example_kwargs = {"scale": S, "more": X}
    exported = torch.export.export(model, (X.clone(),), example_kwargs)
    for network in (
        bquant.compile(model, (X,), example_kwargs=example_kwargs),
        bquant.compile(exported),
    ):
        expected, result = model(S, more=X, scale=S), network(S, more=X, scale=S)
        torch.testing.assert_close(result, expected)
        assert torch.equal(network(S, S, X)["y"], result["y"])  # in the signature's order
        message = "expected the keyword inputs scale, more, but got scale, other"
        with pytest.raises(TypeError, match=message):
            network(X, scale=S, other=X)


@pytest.mark.parametrize("dynamic_batch", [False, True])
def test_lists_and_dicts(dynamic_batch):
    model = Lists()
    network = bquant.compile(model, ([X, X], {"a": X, "b": X}), dynamic_batch=dynamic_batch)
    inputs = [S, X], {"a": X, "b": S}
    result = network(*inputs)
    assert isinstance(result, list)
    assert all(map(torch.equal, result, model(*inputs)))
    message = r"expected inputs of the structure that was exported, \[., .\], {'a': ., 'b': .}, but"
    with pytest.raises(TypeError, match=message):
        network([S], {"a": X, "b": S})


def test_where_there_are_no_keywords():
    with pytest.raises(TypeError, match=r"expected the keyword inputs \(none\), but got scale"):
        bquant.compile(nn.ReLU(), (X,))(X, scale=S)
    text = """func.func @net(%x: tensor<2xf32>) -> tensor<2xf32> {
      return %x : tensor<2xf32>
    }"""
    with pytest.raises(TypeError, match="expected inputs in the order of the signature, .* x"):
        bquant.compile(text)(x=X[0])
    with pytest.raises(ValueError, match="expected an nn.Module for example_kwargs"):
        bquant.compile(text, example_kwargs={"x": X})


class Difference(nn.Module):
    def forward(self, a, b):
        return a - b


class Default(nn.Module):
    def forward(self, a, b=None, c=None):
        return a.relu() - (0 if b is None else b) - (0 if c is None else 2 * c)


class OfDict(nn.Module):
    def forward(self, x):
        return x["a"] - x["b"]


class OfKeywords(nn.Module):
    def forward(self, *, a, b):
        return a - b


def test_positional_calls_mean_the_models():
    model = Difference().eval()
    for network in (
        bquant.compile(model, example_kwargs={"b": X, "a": X}),
        bquant.compile(model, (X, X)),
        bquant.compile(model, (X,), example_kwargs={"b": X}),
    ):
        assert torch.equal(network(X, S), X - S)
        assert torch.equal(network(X, b=S), X - S)
        assert torch.equal(network(b=S, a=X), X - S)
    with pytest.raises(TypeError, match="expected one value of the input b, but got two"):
        network(X, S, b=S)
    model = Default().eval()
    network = bquant.compile(model, (X,), example_kwargs={"c": X})
    assert torch.equal(network(X, c=S), model(X, c=S))
    assert torch.equal(network(X, None, S), model(X, c=S))
    with pytest.raises(TypeError, match="expected the keyword inputs c, but got b"):
        network(X, S)


def test_inputs_that_are_none():
    model = Default().eval()
    exported = torch.export.export(model, (X, None))
    for network in (
        bquant.compile(model, (X, None)),
        bquant.compile(model, (X,), example_kwargs={"b": None}),
        bquant.compile(exported),
    ):
        for y in (network(X), network(X, None), network(X, b=None), network(a=X)):
            assert torch.equal(y, X.relu())
        with pytest.raises(TypeError, match="None, but got|b=None, but got"):
            network(X, S)
        assert bquant.verify(network, model).equal
        assert bquant.verify(network, model, (X, None)).equal
    network = bquant.compile(model, (X, None, X))
    assert torch.equal(network(X, None, S), model(X, None, S))
    assert torch.equal(network(X, c=S), model(X, c=S))
    with pytest.raises(TypeError, match="expected inputs .*, ., None, ., but got"):
        network(X, S)  # that is b to the model


def test_none_in_a_list():
    class Some(nn.Module):
        def forward(self, xs):
            return xs[0] - xs[2]

    network = bquant.compile(Some().eval(), ([X, None, X],))
    assert torch.equal(network([X, None, S]), X - S)
    with pytest.raises(TypeError, match=r"\[., None, .\], but got \[., ., .\]"):
        network([X, S, S])


def test_keys_in_another_order():
    for kind in (dict, OrderedDict):
        network = bquant.compile(OfDict().eval(), (kind(a=X, b=X),))
        for given in (dict, OrderedDict):
            assert torch.equal(network(given(b=S, a=X)), X - S)


def test_verify_and_profile(tmp_path):
    inputs = {"b": S, "a": X}
    network = bquant.compile(OfDict().eval(), ({"a": X, "b": X},))
    for given in (None, inputs, (inputs,), [inputs, inputs], (X, S)):
        assert bquant.verify(network, OfDict().eval(), given).equal
    assert network.profile(inputs, calls=1).layers is not None
    network.save(tmp_path / "net.so")
    loaded = bquant.load(tmp_path / "net.so")
    assert bquant.verify(loaded, OfDict().eval(), {"a": X, "b": S}).equal
    message = "expected inputs as the model takes them, which a loaded network does not know, but"
    with pytest.raises(ValueError, match=message):
        bquant.verify(loaded, OfDict().eval())

    lists = bquant.compile(Lists().eval(), ([X, X], {"a": X, "b": X}))
    for given in (None, ([X, S], inputs)):
        assert bquant.verify(lists, Lists().eval(), given).equal

    for model in (OfKeywords().eval(), Difference().eval()):
        exported = torch.export.export(model, (), {"b": S, "a": X})
        compiled = bquant.compile(model, example_kwargs={"b": X, "a": X})
        for network in (compiled, bquant.compile(exported)):
            for given in (None, inputs, (X, S), [inputs]):
                assert bquant.verify(network, model, given).equal
                assert bquant.verify(network, exported, given).equal
            assert network.profile(a=X, b=S, calls=1).layers is not None


def test_messages_are_short():
    network = bquant.compile(nn.ReLU(), (torch.randn(30, 30),))
    for x in (np.zeros((30, 30)).tolist(), None):
        with pytest.raises(TypeError, match="expected inputs of the structure") as error:
            network(x)
        assert len(str(error.value)) < 220
    with pytest.raises(TypeError, match="expected 1 inputs, but got 0"):
        network()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"target": None}, "expected the name of a target, but got None"),
        ({"assume": None}, "expected assume to be a string or strings, but got None"),
        ({"example_inputs": 3}, "expected a tuple of tensors as example_inputs, but got int"),
        ({"example_inputs": {"x": X}}, "expected a tuple of tensors as .*, but got dict"),
        ({"name": 3}, "expected the name of a function, but got 3"),
    ],
)
def test_arguments_of_other_types(arguments, message):
    with pytest.raises(TypeError, match=f"^{message}$"):
        bquant.compile(nn.ReLU(), **{"example_inputs": X, **arguments})
