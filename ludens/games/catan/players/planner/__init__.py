"""The planner of the thesis: whole turns, an expectimax over them, and the agent that carries them out.

Read segments.py (which sequences of actions are tried), values.py (how they are judged), opponents.py (what others are
expected to do), search.py (the expectimax) and agent.py (the player) in this order.
"""
