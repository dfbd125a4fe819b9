"""The game server: tables where people and programs meet, for every registered game.

`http` receives requests, `tables` holds tables, `thinking` lets agents think, `storage` stores, `streaming` streams;
`services.py` puts the five together for one server.
"""
