"""Checks of the OpenAPI document by other people's programs, and clients that they generate from it."""
