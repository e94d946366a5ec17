"""Commands: what a seat may wish. Their fields carry the bounds; schemas, forms and the CLI are derived from them."""

from __future__ import annotations

from domain.rulesets.fansys.messages.commands.characters import Character
from domain.rulesets.fansys.messages.commands.checks import Check
from domain.rulesets.fansys.messages.commands.combat import Combat
from domain.rulesets.fansys.messages.commands.mastery import Mastery

Command = Character | Check | Combat | Mastery
