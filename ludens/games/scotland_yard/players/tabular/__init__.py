"""Detectives of the grid that learn by Q-learning (SY-46 … SY-60).

Read decisions.py (which situations are the same, and the game as rows of a table) and agent.py (the player and its
file) in this order. How a table changes is `ludens.learn.tabular`.
"""
