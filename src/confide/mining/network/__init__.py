"""Bayesian networks from disguised reports."""

from confide.mining.network.edges import Edge
from confide.mining.network.network import DisguisedNetwork

__all__ = ["DisguisedNetwork", "Edge"]
