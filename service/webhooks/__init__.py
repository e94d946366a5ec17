"""Webhooks: messages about events that are sent to another server.

Messages follow the Standard Webhooks specification 1.0. `fairlog relay` and the job that delivers
the server's own webhooks use this package. It imports `domain`, `service.client` and a few modules
of `service.platform`, but no server code.
"""
