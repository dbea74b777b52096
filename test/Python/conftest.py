"""Tests marked `nightly` run with BQUANT_NIGHTLY set only, as `./dev test --nightly` does."""

import os


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: part of a large set, for BQUANT_NIGHTLY")


def pytest_collection_modifyitems(config, items):
    if os.environ.get("BQUANT_NIGHTLY"):
        return
    large = [item for item in items if "nightly" in item.keywords]
    if large:
        config.hook.pytest_deselected(items=large)
        items[:] = [item for item in items if "nightly" not in item.keywords]
