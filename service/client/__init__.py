"""Client for one seat: it calls the API, and checks each draw before it reveals a link.

Bots, `fairlog sit` and the demo use it. It imports `domain` and a few modules of
`service.platform`, but no server code.
"""
