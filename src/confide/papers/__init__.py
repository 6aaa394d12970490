"""The papers' experiments: their data and figures, one folder per paper."""
