"""The learning players of the thesis (CA-37 … CA-53, CA-61): linear values over 1,653 features.

Read value.py (what a position is worth), turns.py (how a turn is planned with it), table.py (where it is learned),
files.py (how models are kept) and agent.py (the players) in this order. How weights change is `ludens.learn.linear`.
"""
