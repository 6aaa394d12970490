"""What an adversary believes about one answer before the report comes."""

from confide.design.shares import Array, Prior, read_prior, read_shares

__all__ = ["Array", "Prior", "read_prior", "read_shares"]
