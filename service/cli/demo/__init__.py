"""Demo that plays an example session with each ruleset on a real server."""
