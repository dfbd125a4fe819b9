"""The planner of the thesis: whole turns, an expectimax over them, and the agent that carries them out.

Read segments.py (which sequences of actions are tried; own_turns.py finds them, compiled, with offers.py for trades and
twins.py for equal positions; steps.py plays them again), values.py (what they are worth), rivals.py
(what others are expected to do, compiled), search.py (the expectimax) and agent.py (the player) in this order.
"""
