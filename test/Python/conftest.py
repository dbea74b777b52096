"""Options of the suite: `pytest --nightly` runs the large sets, too."""

import pytest


def pytest_addoption(parser):
    parser.addoption("--nightly", action="store_true", help="run the large sets of tests, too")


def pytest_configure(config):
    config.addinivalue_line("markers", "nightly: part of a large set, skipped without --nightly")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--nightly"):
        return
    for item in items:
        if "nightly" in item.keywords:
            item.add_marker(pytest.mark.skip(reason="part of a large set: --nightly"))
