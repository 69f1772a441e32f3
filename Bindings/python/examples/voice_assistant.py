"""A voice assistant that ducks other programs while it answers.

    python3 voice_assistant.py MICROPHONE COMMAND...

MICROPHONE is a pipe whose lines represent the words that a wake-word engine recognizes, such as /dev/stdin. COMMAND speaks
the text in its last argument, as espeak-ng does.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator

from audiosession import EventStream, EventType, Manager, Session, UnmanagedAudio, is_available, problem

WAKE_WORD = "computer"


async def hear(microphone: str) -> AsyncIterator[str]:
    reader = asyncio.StreamReader()
    with open(microphone, "rb", buffering=0) as file:
        loop = asyncio.get_running_loop()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), file)
        while line := await reader.readline():
            yield line.decode(errors="replace").strip()


async def stop(events: EventStream, speech: asyncio.subprocess.Process) -> None:
    """Ends the answer when a call begins, or when the headphones are pulled."""
    async for event in events:
        if event.type in (EventType.INTERRUPTION_BEGAN, EventType.BECAME_NOISY):
            speech.terminate()


async def answer(session: Session, command: list[str], text: str) -> None:
    async with session:
        events = session.events()
        speech = await asyncio.create_subprocess_exec(*command, text)
        stopper = asyncio.create_task(stop(events, speech))
        await speech.wait()
        stopper.cancel()


async def main() -> None:
    if not is_available():
        print(problem(), file=sys.stderr)
    microphone, *command = sys.argv[1:]
    session = Session.duck(manager=Manager("Assistant"))
    with UnmanagedAudio(session):  # also duck programs without sessions
        print("listening", flush=True)
        async for words in hear(microphone):
            if words.startswith(WAKE_WORD):
                await answer(session, command, time.strftime("It is %H:%M."))


asyncio.run(main())
