"""The sound of programs without sessions."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Callable, Iterable

from . import _native as native
from ._events import EventHub, EventStream, give_back, reference
from ._library import LibraryObject, library, new, number, received, text
from ._native import UnmanagedEffect, UnmanagedEventType
from ._session import Session
from ._values import taken
from ._waiting import deadline, in_pieces, in_thread


@dataclass(frozen=True)
class Program:
    """A media player or a stream of a program without sessions."""

    effect: UnmanagedEffect
    name: str
    #: 0 if it is not known.
    pid: int = 0

    @classmethod
    def _list(cls, handle: Any) -> tuple[Program, ...]:
        found = []
        for index in range(library("as_programs_count", handle)):
            program = new(native.as_program)
            library.require("as_programs_get", handle, index, ctypes.byref(program))
            found.append(cls(UnmanagedEffect(program.effect), text(program.name) or "", program.pid))
        return tuple(found)


@dataclass(frozen=True)
class UnmanagedEvent:
    """An event of a program without sessions. Only the members that its type names have a meaning."""

    type: UnmanagedEventType
    #: In ns of ``time.CLOCK_MONOTONIC``.
    time: int = 0
    #: How many events before this one were dropped, because the program was slow.
    dropped: int = 0
    #: The player's or the program's.
    name: str | None = None
    pid: int = 0
    gain: float = 1
    reason: str | None = None

    @classmethod
    def _from(cls, pointer: Any) -> UnmanagedEvent:
        event = received(pointer)
        return cls(
            UnmanagedEventType(event.type), event.time, event.dropped, text(event.name), event.pid, event.gain,
            text(event.reason))


class UnmanagedAudio(LibraryObject):
    """Pauses or ducks programs without sessions while a session is active::

        session = Session.duck()
        with UnmanagedAudio(session), session:
            speak("The door is open.")

    :meth:`Session.set_unmanaged_policy` decides between the two. Make it before the session is activated: a session that
    is active already affects other programs from its next activation on. Without the library it has no effect.

    :param processes: process IDs that are left unchanged, with their descendants.
    :param names: of programs, processes or media players that are left unchanged.
    :raises AudioSessionError: ``RESOURCES_EXHAUSTED`` if the system has no thread left, ``BAD_PARAM`` for more than 4,096
        processes or names.
    """

    def __init__(self, session: Session, *, processes: Iterable[int] = (), names: Iterable[str] = ()) -> None:
        self._hub: EventHub[UnmanagedEvent] = EventHub(
            "as_unmanaged_set_handler", native.as_unmanaged_handler, UnmanagedEvent._from)
        self._session = session
        numbers, words = [number(process) for process in processes], [reference(name) for name in names]
        options = new(native.as_unmanaged_options)
        options.processes, options.process_count = (ctypes.c_int32 * len(numbers))(*numbers), len(numbers)
        options.names, options.name_count = (ctypes.c_char_p * len(words))(*words), len(words)
        if self._obtain(lambda handle: session._check("as_unmanaged_create", ctypes.byref(options), handle)):
            session._manager._add(self, session._manager._streams)

    def close(self) -> None:
        """Restores the programs, as the end of the process does. Closing twice has no effect."""
        super().close()

    def _releaser(self) -> Callable[[], None]:
        handle, hub = self._take_handle(), self._hub
        return lambda: give_back("as_unmanaged_destroy", handle, hub)

    @property
    def programs(self) -> tuple[Program, ...]:
        """The players and streams that are paused or ducked now."""
        return self._value(
            (), lambda handle: taken("as_unmanaged_get_programs", handle, "as_programs_free", Program._list) or ())

    def wait_until_restored(self, timeout: float = 2) -> bool:
        """Waits until the programs are as they were before the session became active.

        :returns: whether they are, in time.
        """
        end = deadline(timeout)
        return self._is_closed or in_pieces(
            end, lambda limit: self._check_within("as_unmanaged_wait_until_restored", limit))

    async def wait_until_restored_async(self, timeout: float = 2) -> bool:
        """:meth:`wait_until_restored`, without blocking the event loop."""
        return bool(await in_thread(lambda: self.wait_until_restored(timeout)))

    def events(self) -> EventStream[UnmanagedEvent]:
        """The events of programs from now on, for ``for`` or ``async for``."""
        return self._hub.stream(self._handle)

    def observe(self, function: Callable[[UnmanagedEvent], None]) -> Callable[[], None]:
        """Calls ``function`` for each event, in :meth:`Manager.dispatch` or on the library's thread, which it must not block.

        :returns: a function that ends this.
        """
        return self._hub.call(self._handle, function)
