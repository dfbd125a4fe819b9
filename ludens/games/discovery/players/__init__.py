"""The Discovery's own players: they look one turn ahead with a heuristic (CD-30 … CD-52).

In reading order: settings.py (the records kernels take), potential.py (what a region may still
earn), heuristics.py (the value of a position), one_step.py (the player), greedy_turn.py (its greedy choice, for
searches).
"""
