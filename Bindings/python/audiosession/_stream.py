"""The common part of outputs, inputs, players and recorders."""

from __future__ import annotations

import array
import ctypes
from dataclasses import fields
from typing import Any, Callable, TypeVar

from . import _native as native
from ._events import EventHub, EventStream, give_back
from ._library import AudioSessionError, LibraryObject, library, new
from ._native import PauseReason, Status, StreamState
from ._session import Session
from ._stream_events import StreamEvent, StreamStatistics
from ._values import Route

Info = TypeVar("Info")


class Stream(LibraryObject):
    """An output, input, player or recorder: it belongs to a session, and has events.

    After :meth:`close` calls raise ``CLOSED``, except those that stop, release or read values.
    """

    _DESTROY = ""
    _SET_HANDLER = ""

    def __init__(self, session: Session | None, make: Callable[[], Session], handler_type: Any) -> None:
        self._hub: EventHub[StreamEvent] = EventHub(
            self._SET_HANDLER, handler_type, StreamEvent._from)
        self._own_session = make() if session is None else None
        self._session = session or self._own_session

    def _create(self, function: str, *arguments: Any) -> None:
        if self._obtain(lambda handle: self.session._check(function, *arguments, handle)):
            self.session._manager._add(self, self.session._manager._streams)

    @property
    def session(self) -> Session:
        """The session that governs the stream."""
        assert self._session
        return self._session

    def close(self) -> None:
        """Closes the stream, and the session that it has made itself. Closing twice has no effect."""
        super().close()
        if self._own_session:
            self._own_session.close()

    def _releaser(self) -> Callable[[], None]:
        destroy, handle, hub = self._DESTROY, self._take_handle(), self._hub
        return lambda: give_back(destroy, handle, hub)

    def events(self) -> EventStream[StreamEvent]:
        """The stream's events from now on, for ``for`` or ``async for``."""
        return self._hub.stream(self._handle)

    def observe(self, function: Callable[[StreamEvent], None]) -> Callable[[], None]:
        """Calls ``function`` for each event, in :meth:`Manager.dispatch` or on the library's thread, which it must not block.

        :returns: a function that ends this.
        """
        return self._hub.call(self._handle, function)

    def _transfer(
        self, function: str, samples: Any, frames: int, *limit: int,
    ) -> tuple[int, AudioSessionError | None]:
        """Writes or reads frames once.

        :returns: the number of frames, and why they are not all, unless a limit has passed.
        """
        count = ctypes.c_uint32()
        try:
            self._check(function, samples, frames, *limit, ctypes.byref(count))
        except AudioSessionError as error:
            return count.value, None if error.status == Status.TIMED_OUT else error
        return count.value, None

    def _info(self, function: str, struct: Any, kind: type[Info]) -> Info:
        def read(handle: Any) -> Info:
            info = new(struct)
            library.require(function, handle, ctypes.byref(info))
            return kind(**{**values(info, kind), "state": StreamState(info.state),
                           "pause_reason": PauseReason(info.pause_reason)})

        return self._value(kind(), read)

    def _read(self, function: str, struct: Any, kind: type[Info], *arguments: Any) -> Info:
        def read(handle: Any) -> Info:
            value = new(struct)
            library.check(function, handle, *arguments, ctypes.byref(value))
            return kind(**values(value, kind))

        return self._value(kind(), read)

    def _statistics(self, function: str) -> StreamStatistics:
        return self._read(function, native.as_stream_statistics, StreamStatistics)

    def _route(self, function: str) -> Route:
        return self._value(Route(), lambda handle: Route._get(function, handle))


def values(struct: Any, kind: type[Any]) -> dict[str, Any]:
    """The members of a struct that a class has too."""
    return {field.name: getattr(struct, field.name) for field in fields(kind)}


def floats(data: Any) -> Any:
    """A copy of samples for the library: of 32-bit floats, 64-bit floats or 16-bit integers; bytes are 32-bit floats."""
    view = memoryview(data)
    raw = view.tobytes()
    if view.format in ("f", "<f", "B", "b", "c"):
        if len(raw) % 4:
            raise ValueError(f"{len(raw)} bytes are no 32-bit floats. Write 4 bytes for each sample.")
        return (ctypes.c_float * (len(raw) // 4)).from_buffer_copy(raw)
    if view.format in ("d", "<d", "h", "<h"):
        source = array.array(view.format[-1])
        source.frombytes(raw)
        scale = 1 / 32768 if source.typecode == "h" else 1
        return (ctypes.c_float * len(source))(*(sample * scale for sample in source))
    raise TypeError(
        f"Samples of format {view.format!r} cannot be written. Convert them to 32-bit floats, such as "
        "numpy.float32.")
