"""What the reports of compiled networks say of their layers."""

import json


def layers(network):
    return json.loads(network.report("json"))["layers"]


def products(network):
    return [layer for layer in layers(network) if layer["macs"]]


def share_in_codes(network):
    """Of the MACs, in percent, those that are not of floats."""
    return 100 * sum(layer["mac_share"] for layer in products(network) if not layer["float"])


def binary_share(network):
    """Of the MACs, in percent, those of bits; of a network without any 0."""
    return 100 * json.loads(network.report("json"))["totals"].get("binary_share", 0)
