"""Lends the games to other people's libraries: PettingZoo, Gymnasium and OpenSpiel (extra `adapters`)."""
