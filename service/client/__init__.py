"""A seat outside the server: its keys, the checks before it reveals a link, and the HTTP connection.

Bots, `fairlog sit` and the demo use it. May import `platform.clock`, `platform.ed25519` and `domain`, and nothing of a server.
"""
