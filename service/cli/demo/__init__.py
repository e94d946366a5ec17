"""A demo that plays the example session of every ruleset on a real server."""
