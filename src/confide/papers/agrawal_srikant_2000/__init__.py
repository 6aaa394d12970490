"""`agrawal-srikant-2000`: noise on numbers, reconstructed distributions, and trees on them."""
