"""The five papers, their data and figures."""
