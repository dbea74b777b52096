"""In the peers' environment: the case's exported program as ONNX, which they read."""

from __future__ import annotations

from pathlib import Path

import measuring


def to_onnx(job: dict, directory: Path) -> dict:
    import torch

    program = torch.export.load(directory / "case.pt2")
    torch.onnx.export(
        program, f=directory / "case.onnx", dynamo=True, external_data=False, verbose=False
    )
    return {}


def versions(job: dict, directory: Path) -> dict:
    from importlib import metadata

    return {d.metadata["Name"].lower(): d.version for d in metadata.distributions()}


if __name__ == "__main__":
    measuring.main(to_onnx=to_onnx, versions=versions)
