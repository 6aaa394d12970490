"""The version of confide; read by the build and by the command line."""

__version__ = "0.1.0"
