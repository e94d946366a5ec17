"""The headers that a browser sends."""

PEOPLE = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
"""A browser asks for a page."""
OWN_PAGE = {"Sec-Fetch-Site": "same-origin"}
"""A script of our own page sends a request."""
