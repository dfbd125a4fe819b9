"""Training: runs the learners of `learn` with configuration, checkpoints, curves and games against named agents.

Read learner.py (what a learner is), algorithms.py (which there are), plan.py (what a training is told), checkpoint.py
(how it is kept) and training.py (how it runs).
"""
