"""The web console: what a browser is given, and can check by itself."""
