"""Schemes of published systems, each in torch alone and registered by its name.

The formula and its source stand in each module. What a paper leaves open, or its authors' code does
otherwise, is said there, too.
"""

from . import abc_net, adabin, lq_net, lsq, pact, syq, ttq

__all__ = ["abc_net", "adabin", "lq_net", "lsq", "pact", "syq", "ttq"]
