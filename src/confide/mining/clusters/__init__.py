"""Clusters of people: latent classes fitted to disguised reports."""

from confide.mining.clusters.clusters import Cluster, DisguisedClusters

__all__ = ["Cluster", "DisguisedClusters"]
