"""Catan's own players: `weighted` and `value`, the planner of the thesis, and the features it learns with."""
