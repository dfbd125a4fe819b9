"""Scotland Yard's own players: `heuristic` (chase, shrink, evade), the `exact_solution` of the visible grid with its
player, and the thesis' (`thesis_players`, their search `thesis_alphabeta`).
"""
