"""The papers' experiments: their data and figures."""
