"""The service: use cases, HTTP API, web pages, command line and storage, in ten packages.

- `platform`: what a process takes from its machine (settings, clock, keys, logging, metrics)
- `store`: the event log, on SQLite or PostgreSQL
- `jobs`: background jobs and their queue
- `charts`: statistics as pictures, tables and text
- `client`: a seat outside the server
- `sessions`: use cases, without HTTP
- `http`: the JSON API
- `ops`: start, supervise, migrate, back up, check
- `web`: the pages of the browser
- `cli`: the commands of `fairlog`

A package imports only from packages above it in this list; `lint-imports` checks the exact layers.
A new module goes into one of the ten packages, never beside them.
"""
