"""Learners, one algorithm a file, and what runs them: configuration, checkpoints, curves, games against agents.

Read learner.py (what a learner is), algorithms.py (which there are), plan.py (what a training is told), checkpoint.py
(how it is kept) and training.py (how it runs).
"""
