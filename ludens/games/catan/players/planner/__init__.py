"""The planner of the thesis: whole turns, an expectimax over them, and the agent that carries them out.

Read segments.py (which sequences of actions are tried; twins.py tells equal positions), steps.py (offers, and how a
sequence is played again), values.py (what positions are worth), rivals.py (what others are expected to do), search.py
(the expectimax) and agent.py (the player) in this order.
"""
