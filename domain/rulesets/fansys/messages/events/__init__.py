"""Events: what happened, with its outcome. Plain values: a bound that changes must not make an old log unreadable."""

from __future__ import annotations

from domain.rulesets.fansys.messages.events.characters import Character
from domain.rulesets.fansys.messages.events.checks import Check
from domain.rulesets.fansys.messages.events.combat import Combat
from domain.rulesets.fansys.messages.events.mastery import Mastery

Event = Character | Check | Combat | Mastery
