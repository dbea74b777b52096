"""Which tests run: those marked `nightly` with BQUANT_NIGHTLY set only, as `./dev test --nightly`
does, and of several runs with one `--share=FOLDER` each module by the first that comes to it.
bquant_runtime is the one of the source tree."""

import os
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "runtime"))


def pytest_addoption(parser):
    parser.addoption(
        "--share", type=Path, metavar="FOLDER", help="an empty folder, the same for several runs"
    )


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: part of a large set, for BQUANT_NIGHTLY")
    config.stash[OWN] = {}


def pytest_collection_modifyitems(config, items):
    if os.environ.get("BQUANT_NIGHTLY"):
        return
    nightly = [item for item in items if "nightly" in item.keywords]
    config.hook.pytest_deselected(items=nightly)
    items[:] = [item for item in items if "nightly" not in item.keywords]


OWN = pytest.StashKey[dict[str, bool]]()


def _takes(config, module):
    """Whether this run is the first that comes to a module, or came to it before."""
    own = config.stash[OWN]
    if module not in own:
        try:
            (config.getoption("--share") / module).touch(exist_ok=False)
            own[module] = True
        except FileExistsError:
            own[module] = False
    return own[module]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item):
    """True ends the protocol of a test that another run has."""
    if item.config.getoption("--share") and not _takes(item.config, item.path.name):
        return True
