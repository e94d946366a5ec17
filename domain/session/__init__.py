"""Sessions: everything that is the same in all rulesets.

What belongs here: seats and roles, turns, draws and their contributions, secrets, rewinds, forks,
narration, redaction, and the lines that describe these events. RULES.md has the rules.

`messages` holds commands and events, `state` what they change, `decider` and `turns` decide, and
`evolve` applies the events. The package imports `domain.rulesets` and `domain.proof`, but never
`domain.verify`, which checks its results.
"""
