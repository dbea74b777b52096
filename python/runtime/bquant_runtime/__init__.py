"""Calls networks that bquant compiled, where nothing is but Python and NumPy.

    net = bquant_runtime.load("net.so")
    y = net(x)

A network here is called as one of `bquant.load` is, and says what is wrong in the same words.
"""

from ._network import Network, load

__all__ = ["Network", "load"]


def __getattr__(name: str):
    if name == "__version__":  # asked for seldom, and slow to find
        from importlib.metadata import version

        return version("bquant-runtime")
    raise AttributeError(f"module 'bquant_runtime' has no attribute {name!r}")
