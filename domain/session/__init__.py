"""The frame around any room: seats, turns, draws, rewinds, narration.

Itself a decider; its rules are in RULES.md.
"""
