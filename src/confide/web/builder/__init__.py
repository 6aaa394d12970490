"""A page on loopback in which a survey is written by clicking."""
