"""The pages of the browser: HTML, styles and scripts on top of the JSON API.

May import `http` and everything that `http` may import.
"""
