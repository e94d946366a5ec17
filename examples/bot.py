"""A bot that rolls dice on demand. To start it, run `python bot.py SERVER CODE`.

It takes a seat with an invitation's code. When a player narrates "!roll 2d6+1", it rolls in an open
session. It contributes to every draw, and stops if the log does not hold.
"""

import re
import sys
from pathlib import Path

import fairlog

ROLL = re.compile(r"!roll (\S{1,60})")


def main(server: str, code: str) -> None:
    wanted: list[str] = []
    seen = 0

    def on_event(event: fairlog.ReceivedEvent) -> None:
        nonlocal seen
        seen = event.version
        print(event.version, event.text, flush=True)
        if event.kind == "session.Narrated" and (found := ROLL.search(event.text)):
            wanted.append(found[1])

    file = Path("bot.seat")
    if file.exists():
        seat = fairlog.resume(file, on_event=on_event)
    else:
        seat = fairlog.join(server, code, file, name="Rollo", on_event=on_event)
    with_old = seen  # requests from before the bot came are not answered
    wanted.clear()
    print(f"Rollo is at the table, at version {with_old}.", flush=True)
    while True:
        seat.poll()
        while wanted:
            try:
                seat.command({"kind": "open.Roll", "notation": wanted.pop(0)})
            except fairlog.RequestRefusedError as refused:
                seat.narrate(f"I cannot roll that. {refused.detail}")
            except fairlog.DrawPendingError:
                seat.poll()


if __name__ == "__main__":
    main(*sys.argv[1:])
