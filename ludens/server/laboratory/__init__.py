"""Tournaments of agents on a server of one's own: begun, watched, stopped and continued from the page."""
