"""The service: use cases, HTTP API, web pages, command line and storage, in eleven packages.

- `platform`: settings, clock, keys, logging and metrics
- `store`: the event log, on SQLite or PostgreSQL
- `jobs`: background jobs and their queue
- `charts`: statistics as charts, tables and text
- `client`: a client that plays one seat over HTTP
- `sessions`: use cases, without HTTP
- `http`: the JSON API
- `ops`: starting, supervising, migrating, backing up and checking the server
- `web`: the web pages
- `cli`: the `fairlog` command line

A package may import only from packages above it in this list. `lint-imports` checks the exact
layers. Every new module belongs in one of the eleven packages.
"""
