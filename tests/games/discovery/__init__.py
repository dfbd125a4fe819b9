"""Tests of Carcassonne: The Discovery."""
