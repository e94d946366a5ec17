"""The demo: plays the example session of each game on a real server."""
