"""One training by several processes, a part of each batch in each: torch's DistributedDataParallel
averages the gradients, and batch norms are of the whole batch."""

from __future__ import annotations

import contextlib
import datetime
import itertools
import os
from collections.abc import Iterator
from functools import partial
from typing import TypeVar

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.modules.batchnorm import _BatchNorm

from .device import check_device

Value = TypeVar("Value")


@contextlib.contextmanager
def join(device: str | torch.device = "cpu", timeout: float = 600.0) -> Iterator[torch.device]:
    """Within `with`: this process trains together with the others that `torchrun` has started; by
    itself where it was not started so. Yields its device: of "cuda" that of its place on the
    machine.

        with bquant.train.join("cuda") as device:
            bquant.train.train(model, data, recipe, device=device)

    Args:
        timeout: seconds after which a process that waits for the others in vain is an error.

    Raises:
        ValueError: no such device; fewer GPUs than processes.
    """
    if "RANK" not in os.environ:
        yield check_device(device)
        return
    if str(device) == "cuda":
        device = f"cuda:{os.environ.get('LOCAL_RANK', '0')}"
    device = check_device(device)
    backend = "nccl" if device.type == "cuda" else "gloo"
    wait = datetime.timedelta(seconds=timeout)
    store, rank, processes = _meeting(wait)
    dist.init_process_group(backend, store=store, rank=rank, world_size=processes, timeout=wait)
    try:
        if device.type == "cuda":
            torch.cuda.set_device(device)
        yield device
        dist.barrier()  # none leaves while others still talk to it
    finally:
        dist.destroy_process_group()


_place: tuple[dist.Store, int, int] | None = None
_joins = itertools.count()


def _meeting(wait: datetime.timedelta) -> tuple[dist.Store, int, int]:
    """Where the processes find each other, the number of this one, and how many they are. Each
    `join` has keys of its own there: an earlier one's lead to connections that are closed."""
    global _place
    if _place is None:
        _place = next(dist.rendezvous("env://", timeout=wait))
    store, rank, processes = _place
    store.set_timeout(wait)
    return dist.PrefixStore(f"join-{next(_joins)}", store), rank, processes


def count() -> int:
    return dist.get_world_size() if dist.is_available() and dist.is_initialized() else 1


def index() -> int:
    """Of this process, 0 of the first."""
    return dist.get_rank() if count() > 1 else 0


def total(values: torch.Tensor) -> torch.Tensor:
    """The sum over the processes."""
    return _Sum.apply(values) if count() > 1 else values


def of_all(value: Value) -> list[Value]:
    """What each process has, in their order."""
    if count() == 1:
        return [value]
    values: list[Value] = [value] * count()
    dist.all_gather_object(values, value)
    return values


class _Sum(torch.autograd.Function):
    """The sum over the processes; its gradient is the sum of theirs."""

    @staticmethod
    def forward(ctx, values: torch.Tensor) -> torch.Tensor:
        values = values.clone(memory_format=torch.contiguous_format)
        dist.all_reduce(values)
        return values

    @staticmethod
    def backward(ctx, gradient: torch.Tensor) -> torch.Tensor:
        return _Sum.forward(ctx, gradient)


@contextlib.contextmanager
def whole_batch_norms(model: nn.Module) -> Iterator[None]:
    """Within `with`: batch norms in training mode take mean and variance of all processes' parts
    of a batch. (torch's SyncBatchNorm does the same, on GPUs alone.)"""
    norms = [m for m in model.modules() if isinstance(m, _BatchNorm)] if count() > 1 else []
    for norm in norms:
        norm.forward = partial(_normalized, norm)
    try:
        yield
    finally:
        for norm in norms:
            del norm.forward


def _normalized(norm: _BatchNorm, x: torch.Tensor) -> torch.Tensor:
    """Of x (N, C, ...), as `norm` defines it. The processes' parts are of one size."""
    if not norm.training:
        return type(norm).forward(norm, x)
    axes = [0, *range(2, x.dim())]
    shape = (1, -1, *[1] * (x.dim() - 2))
    values = x.float()
    n = count()
    mean = total(values.mean(axes)) / n
    centred = values - mean.view(shape)
    variance = total(centred.square().mean(axes)) / n
    if norm.track_running_stats:
        _update(norm, mean.detach(), variance.detach(), n * x.numel() // x.shape[1])
    y = centred * (variance + norm.eps).rsqrt().view(shape)
    if norm.affine:
        y = y * norm.weight.view(shape) + norm.bias.view(shape)
    return y.to(x.dtype)


@torch.no_grad()
def _update(norm: _BatchNorm, mean: torch.Tensor, variance: torch.Tensor, values: int) -> None:
    norm.num_batches_tracked.add_(1)
    momentum = norm.momentum
    if momentum is None:  # an average of all batches
        momentum = 1 / norm.num_batches_tracked.item()
    norm.running_mean.lerp_(mean, momentum)
    norm.running_var.lerp_(variance * (values / max(values - 1, 1)), momentum)
