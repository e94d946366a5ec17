"""Sessions: everything that does not depend on the ruleset.

This package covers seats and roles, turns, draws and their contributions, secrets, rewinds, forks,
narration, redaction, and descriptions of these events. RULES.md contains its rules.

`messages` defines commands and events, and `state` the state of a session. `decider` and `turns`
decide commands, and `evolve` applies events. The package imports `domain.rulesets` and
`domain.proof`, but never `domain.verify`, which checks recorded sessions.
"""
