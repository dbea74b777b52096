"""What PyTorch's models take and return: keywords, lists, dicts, kept as they are."""

import bquant
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
