"""Catan's own players: `weighted`, `value` and the planner of the thesis, and the features the thesis learned with."""
