"""Client of one seat: its keys, its checks before it reveals a link, and its HTTP connection.

Bots, `fairlog sit` and the demo use it. It imports `domain` and small parts of `service.platform`,
and nothing of the server.
"""
