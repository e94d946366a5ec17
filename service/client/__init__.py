"""Client for one seat: it checks each draw before it reveals a link, and calls the API.

Bots, `fairlog sit` and the demo use it. It imports `domain` and a few modules of
`service.platform`, but no server code.
"""
