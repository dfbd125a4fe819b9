"""Scotland Yard's own players: `heuristic` (chase, shrink, evade), `oracle` with its `exact_solution` of the visible
grid, and the thesis' (`thesis_players`, their search `thesis_alphabeta`, and `thesis_explicit_trees`, which states it).
"""
