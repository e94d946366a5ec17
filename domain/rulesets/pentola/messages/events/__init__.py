"""Events: what happened, with its outcome. Plain values: a bound that changes must not make an old log unreadable."""

from __future__ import annotations

from domain.rulesets.pentola.messages.events.moments import Course, Initiative
from domain.rulesets.pentola.messages.events.play import Action, Character, Mastery, Test, Usage

Event = Character | Action | Test | Usage | Initiative | Course | Mastery
