"""What an adversary believes about one answer before the report comes."""

from confide.arrays import Array
from confide.design.shares import Prior, read_prior, read_shares

__all__ = ["Array", "Prior", "read_prior", "read_shares"]
