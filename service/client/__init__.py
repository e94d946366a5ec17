"""Seat client: calls the API, and checks each draw before it reveals a link.

Bots, `fairlog sit` and the demo use this package. It imports `domain` and a few modules from
`service.platform`, but no server code.
"""
