"""For each changed rule, the edition that introduced the change.

Sessions of an earlier edition keep the earlier rule, so that their logs still verify.
"""

from __future__ import annotations

GM_ACTS_FOR_SEATS_SINCE = 2  # RULES 1.3
NONSENSE_REFUSED_SINCE = 2  # RULES 1.7 to 1.12, 8.3, 10.4, 11.4
SEATS_MUST_PLAY_SINCE = 2  # RULES 1.13, checked by the session
SPEED_PER_ROUND_SINCE = 2  # RULES 4.6
NO_ACTIONS_SINCE = 2  # RULES 4.9, 8.10
MOTIONLESS_SINCE = 2  # RULES 4.4, 8.10, 8.12
SEVERAL_CHALLENGERS_SINCE = 2  # RULES 9.11
UNABLE_KEEPER_SINCE = 2  # RULES 9.10
UNABLE_CHALLENGER_SINCE = 2  # RULES 9.10
RESTS_TAKE_TIME_SINCE = 2  # RULES 12.4
MODIFIERS_END_SINCE = 2  # RULES 14.9
