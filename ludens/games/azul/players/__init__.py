"""Azul: its own players."""
