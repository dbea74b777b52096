"""Times the compilation of ResNet-18 from PyTorch, at 224 x 224.

    python tools/dev/bench_compile.py [ACTIVATIONS] [WEIGHTS] [stored|online]

Prints the seconds of a clock and of the processor, the largest resident set of the
process before and after (torch, the model and the compiler), and the seconds of a
call; then checks the network against torch on a random image.
"""

import resource
import sys
import time

import bquant
import torch
from bquant import models

REPETITIONS = 20


def gigabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def main():
    names = ("activations", "weights", "scalars")
    options = dict(zip(names, sys.argv[1:], strict=False))
    torch.manual_seed(0)
    model = models.resnet18(**options)
    models.calibrate(model, [torch.randn(2, *model.input_shape[1:])])
    before = gigabytes()
    clock, processor = time.perf_counter(), time.process_time()
    network = bquant.compile(model, torch.zeros(model.input_shape))
    clock, processor = time.perf_counter() - clock, time.process_time() - processor
    after = gigabytes()
    x = torch.randn(model.input_shape)
    calls = []
    for _ in range(REPETITIONS):
        start = time.perf_counter()
        y = network(x)
        calls.append(time.perf_counter() - start)
    with torch.no_grad():
        expected = model(x)
    difference = ((y - expected).abs().max() / expected.abs().max()).item()
    print(
        f"compiled in {clock:.1f} s, {processor:.1f} s of the processor; at most {after:.2f} GB "
        f"resident, {before:.2f} GB before\n"
        f"a call takes {sorted(calls)[REPETITIONS // 2] * 1e3:.1f} ms, torch differs by "
        f"{difference:.1e} of the largest logit"
    )


if __name__ == "__main__":
    main()
