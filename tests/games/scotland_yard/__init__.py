"""Tests of Scotland Yard: maps, rules, belief, players."""
