"""Ludens: a laboratory for modern board games with chance and hidden information."""

__version__ = "0.1.0"

__all__ = ["__version__"]
