"""Sessions: everything that does not depend on the ruleset.

This package covers seats and roles, turns, draws and their contributions, secrets, rewinds, forks,
narration and redaction. It also describes session-level events in words. The rules are in RULES.md.

`messages` defines the commands and events, and `state` defines the state of a session. `decider`
and `turns` decide commands, and `evolve` applies events. The package imports `domain.rulesets` and
`domain.proof`, but never `domain.verify`, which checks recorded sessions.
"""
