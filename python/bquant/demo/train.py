"""Training: Adam with a one-cycle schedule, images shifted by up to a pixel."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from .data import Split
from .network import DigitsNet, Variant

BATCH = 64


def shifted(images: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Each batch moved by -1, 0 or 1 pixel in both directions; the background comes in."""
    dy, dx = torch.randint(0, 3, (2,), generator=generator).tolist()
    padded = F.pad(images, (1, 1, 1, 1), value=-1.0)
    return padded[:, :, dy : dy + 8, dx : dx + 8]


def train(variant: Variant, data: Split, epochs: int, seed: int, step=lambda: None) -> DigitsNet:
    """`step` is called after every batch. The same seed gives the same network."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    model = DigitsNet(variant).train()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    batches = len(data.labels) // BATCH
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, 1e-2, total_steps=epochs * batches, pct_start=0.2
    )
    for _ in range(epochs):
        order = torch.randperm(len(data.labels), generator=generator)
        for i in range(batches):
            index = order[i * BATCH : (i + 1) * BATCH]
            loss = F.cross_entropy(
                model(shifted(data.images[index], generator)), data.labels[index]
            )
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            optimizer.step()
            schedule.step()
            step()
    return model.eval()


def steps(data: Split, epochs: int) -> int:
    return epochs * (len(data.labels) // BATCH)
