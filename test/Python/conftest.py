"""Which tests run: those marked `nightly` with BQUANT_NIGHTLY set only, as `./dev test --nightly`
does, and of the rest a share, by `--shard=I/N`."""

import os


def pytest_addoption(parser):
    parser.addoption("--shard", default="0/1", help="I/N: every N-th test, from the I-th on")


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: part of a large set, for BQUANT_NIGHTLY")


def pytest_collection_modifyitems(config, items):
    nightly = bool(os.environ.get("BQUANT_NIGHTLY"))
    wanted = [item for item in items if nightly or "nightly" not in item.keywords]
    first, step = map(int, config.getoption("--shard").split("/"))
    wanted = wanted[first::step]
    others = set(items).difference(wanted)
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = wanted
