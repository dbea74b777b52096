"""PyTorch's process: the exported program of the case, without a compiler."""

from __future__ import annotations

from pathlib import Path

import measuring

_GAIN_TURNS, _GAIN_PRODUCTS = 9, 5


def run(job: dict, directory: Path) -> dict:
    import torch
    from torch.utils import _pytree

    torch.set_num_threads(job["threads"])
    program = torch.export.load(directory / "case.pt2")
    model = program.module()
    x = torch.from_numpy(measuring.load(directory, "x"))
    if x.dim() == 4:
        model.to(memory_format=torch.channels_last)
        x = x.to(memory_format=torch.channels_last)
    inputs, keywords = _pytree.tree_unflatten([x], program.call_spec.in_spec)
    with torch.inference_mode():
        return measuring.measure(
            lambda: model(*inputs, **keywords),
            job,
            directory,
            lambda output: _pytree.tree_leaves(output)[0],
        )


class _UnderNumpysNames:
    def __getattr__(self, name):
        import torch

        return getattr(torch, name)

    def sort(self, x, axis):
        return x.sort(dim=axis).values

    def take_along_axis(self, x, indices, axis):
        return x.take_along_dim(indices, axis)


def solve(job: dict, directory: Path) -> dict:
    import torch

    torch.set_num_threads(job["threads"])
    x = torch.from_numpy(measuring.load(directory, "x"))
    scheme, names = job["arguments"]["scheme"], _UnderNumpysNames()
    return measuring.measure(lambda: measuring.solve_by_sort(names, x, scheme), job, directory)


def gain(job: dict, directory: Path) -> dict:
    """How many times as fast a product of floats is on all threads as on one, by turns."""
    import statistics
    import time

    import torch

    a = torch.ones(1024, 1024)
    ratios = []
    for _ in range(_GAIN_TURNS):
        seconds = []
        for threads in (1, job["threads"]):
            torch.set_num_threads(threads)
            a @ a
            start = time.perf_counter()
            for _ in range(_GAIN_PRODUCTS):
                a @ a
            seconds.append(time.perf_counter() - start)
        ratios.append(seconds[0] / seconds[1])
    return {"gain": statistics.median(ratios)}


if __name__ == "__main__":
    measuring.main(run=run, solve=solve, gain=gain)
