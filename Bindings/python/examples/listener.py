"""A session that executes lines of input, as Examples/c/listener.c does.

    python3 listener.py NAME

Lines of input: activate, deactivate, silently (deactivates without advice to resume), why.
"""

import sys

from audiosession import AudioSessionError, Category, Event, EventType, Manager, Session, is_available, problem


def clean(name: str) -> str:
    """Names come from other programs and from devices, and a terminal executes control characters."""
    return "".join(character if character.isprintable() else "?" for character in name)


def tell(event: Event) -> None:
    if event.type == EventType.INTERRUPTION_BEGAN:
        print("interrupted by", clean(event.peer.name if event.peer else "another program"), flush=True)
    elif event.type == EventType.INTERRUPTION_ENDED:
        print("may resume" if event.should_resume else "stays silent", flush=True)
    elif event.type == EventType.BECAME_NOISY and event.port:
        print("paused:", clean(event.port.name), "is gone", flush=True)
    elif event.type == EventType.DUCKING:
        print(f"gain {event.gain:.2f}", flush=True)


def execute(session: Session, line: str) -> None:
    if line == "activate":
        session.activate()
    elif line in ("deactivate", "silently"):
        session.deactivate(notify_others=line == "deactivate")
    elif line == "why":
        print("why:", *(f"{reason.kind.name} {clean(reason.peer.name) if reason.peer else ''}"
                        for reason in session.silence_reasons))
    print("done", flush=True)


def main() -> None:
    if not is_available():
        print(problem(), file=sys.stderr)
    session = Session(Category.PLAYBACK, manager=Manager(sys.argv[1]))
    session.observe(tell)
    print("ready", flush=True)
    for line in sys.stdin:
        try:
            execute(session, line.strip())
        except AudioSessionError as error:
            print(clean(str(error)), flush=True)


main()
