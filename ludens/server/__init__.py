"""The game server: tables where people and programs meet, for every registered game."""
