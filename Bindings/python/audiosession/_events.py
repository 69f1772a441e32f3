"""Events of sessions and managers, and how a program receives them."""

from __future__ import annotations

import asyncio
import collections
import ctypes
import threading
import weakref
from dataclasses import dataclass, replace
from typing import Any, Callable, Generic, TypeVar, cast

from . import _native as native
from ._library import AudioSessionError, Releasing, library, received
from ._native import EventType, RouteChangeReason, State
from ._values import Peer, Port, Route
from ._waiting import checked

#: How many events wait for a slow reader before the oldest are dropped.
CAPACITY = 256

#: A function of a program that receives events. ctypes passes its exceptions to ``sys.unraisablehook``.
Observer = ctypes.PYFUNCTYPE(None, ctypes.py_object)


@dataclass(frozen=True)
class Event:
    """An event of a session or manager. Only the members that its type names have a meaning."""

    type: EventType
    #: When it reached this process, in ns of ``time.CLOCK_MONOTONIC``; 0 where that is not kept.
    time: int = 0
    #: How many events before this one were dropped, because the program was slow.
    dropped: int = 0
    state: State = State.INACTIVE
    reason: RouteChangeReason = RouteChangeReason.UNKNOWN
    #: The session that interrupts or ducks this one.
    peer: Peer | None = None
    gain: float = 1
    volume: float = 0
    should_resume: bool = False
    should_be_silent: bool = False
    is_muted: bool = False
    is_silent_mode: bool = False
    #: The output that was lost.
    port: Port | None = None
    previous_route: Route | None = None
    current_route: Route | None = None

    @classmethod
    def _from(cls, pointer: Any) -> Event:
        event = received(pointer)
        previous, current = (
            Route._from(one) if one else None for one in (event.previous_route, event.current_route))
        return cls(
            EventType(event.type), event.time, event.dropped, State(event.state), RouteChangeReason(event.reason),
            Peer._from(event), event.gain, event.volume, event.should_resume, event.should_be_silent, event.is_muted,
            event.is_silent_mode, Port._from(received(event.port)) if event.port else None, previous, current)


Occurrence = TypeVar("Occurrence")


class EventStream(Generic[Occurrence]):
    """The events since the creation of the stream, for one reader.

    Read it with ``for``, which waits for each event, or with ``async for``. Both end when what sends them is closed;
    without the library they end at once.
    """

    def __init__(self, is_open: bool) -> None:
        self._events: collections.deque[Occurrence] = collections.deque()
        self._dropped = 0
        self._changed = threading.Condition()
        self._waiters: list[tuple[asyncio.AbstractEventLoop, asyncio.Future[None]]] = []
        self._is_open = is_open

    def get(self, timeout: float | None = None) -> Occurrence | None:
        """The next event; ``None`` after ``timeout`` seconds without one, and at the end.

        :raises ValueError: if ``timeout`` is negative or NaN.
        """
        limit = None if timeout is None else min(checked(timeout), threading.TIMEOUT_MAX)
        with self._changed:
            self._changed.wait_for(lambda: self._events or not self._is_open, limit)
            return self._pop() if self._events else None

    def close(self) -> None:
        """Ends the stream."""
        with self._changed:
            self._is_open = False
            self._wake()

    def _push(self, event: Occurrence) -> None:
        with self._changed:
            if not self._is_open:
                return
            if len(self._events) == CAPACITY:
                self._dropped += 1 + cast(Any, self._events.popleft()).dropped
            self._events.append(event)
            self._wake()

    def _pop(self) -> Occurrence:
        event: Any = self._events.popleft()
        dropped, self._dropped = self._dropped, 0
        return cast(Occurrence, replace(event, dropped=event.dropped + dropped) if dropped else event)

    def _wake(self) -> None:
        self._changed.notify_all()
        waiters, self._waiters = self._waiters, []
        for loop, waiter in waiters:
            try:
                loop.call_soon_threadsafe(lambda waiter=waiter: waiter.done() or waiter.set_result(None))
            except RuntimeError:
                pass  # The loop of that reader was closed.

    def __iter__(self) -> EventStream[Occurrence]:
        return self

    def __next__(self) -> Occurrence:
        event = self.get()
        if event is None:
            raise StopIteration
        return event

    def __aiter__(self) -> EventStream[Occurrence]:
        return self

    async def __anext__(self) -> Occurrence:
        while True:
            with self._changed:
                if self._events:
                    return self._pop()
                if not self._is_open:
                    raise StopAsyncIteration
                loop = asyncio.get_running_loop()
                waiter = (loop, loop.create_future())
                self._waiters.append(waiter)
            try:
                await waiter[1]
            finally:
                # The waiter of a cancelled task would be kept until the next event.
                with self._changed:
                    if waiter in self._waiters:
                        self._waiters.remove(waiter)


class EventHub(Generic[Occurrence]):
    """Delivers the events of the library's handler to streams and functions.

    It does not refer to its session, which can therefore be collected while the handler is set.

    :param read: makes an event of the struct that the handler receives.
    """

    def __init__(self, setter: str, handler_type: Any, read: Callable[[Any], Occurrence]) -> None:
        self._setter = setter
        self._read = read
        # A signal handler may use the hub on the thread that has locked it.
        self._lock = threading.RLock()
        self._streams: weakref.WeakSet[EventStream[Occurrence]] = weakref.WeakSet()
        self._observers: list[Callable[[Occurrence], None]] = []
        self._is_open = True
        self._handler = handler_type(self._receive)
        self._is_set = False

    @property
    def has_handler(self) -> bool:
        """Whether the library calls the handler."""
        return self._is_set

    def stream(self, handle: Any) -> EventStream[Occurrence]:
        # Under the lock, because close() ends only the streams that it finds.
        with self._lock:
            stream: EventStream[Occurrence] = EventStream(is_open=bool(handle) and self._is_open)
            # A signal handler may close the hub at any moment. One that runs while close() reads the streams must add none.
            if self._is_open:
                self._streams.add(stream)
            if not self._is_open:
                stream.close()
        self._listen(handle)
        return stream

    def call(self, handle: Any, function: Callable[[Occurrence], None]) -> Callable[[], None]:
        observer = Observer(function)
        with self._lock:
            self._observers.append(observer)
        self._listen(handle)

        def cancel() -> None:
            with self._lock:
                if observer in self._observers:
                    self._observers.remove(observer)

        return cancel

    def _listen(self, handle: Any) -> None:
        with self._lock:
            if self._is_set or not handle:
                return
            self._is_set = True
        try:
            library.require(self._setter, handle, self._handler, None)
        except BaseException as error:
            # The object was closed meanwhile, which ends its streams.
            if isinstance(error, AudioSessionError) and error.status == native.Status.BAD_HANDLE:
                return
            # Otherwise the next stream would wait forever.
            self._is_set = False
            raise

    def _receive(self, sender: Any, event: Any, user_data: Any) -> None:
        value = self._read(event)
        with self._lock:
            streams, observers = list(self._streams), list(self._observers)
        for stream in streams:
            stream._push(value)
        for observer in observers:
            observer(value)

    def close(self) -> None:
        """Ends all streams. The library no longer calls the handler, because its handle was released."""
        with self._lock:
            self._is_open = False
            streams, self._observers = list(self._streams), []
        for stream in streams:
            stream.close()


#: Hubs of objects whose release failed, so that the library may still call their handlers.
_kept: list[EventHub[Any]] = []


def give_back(function: str, handle: Any, *hubs: EventHub[Any]) -> None:
    """Releases an object with a handler, unless the handle is none.

    If this thread calls handlers, where that is not allowed, another one does it. The hubs, whose handlers the library may
    still call, are kept until then, and end.
    """
    def end() -> None:
        for hub in hubs:
            hub.close()

    if not handle:
        return
    try:
        status = library(function, handle)
        if status == native.Status.WRONG_THREAD:
            Releasing(lambda: (library(function, handle), end())).start()
        elif status != native.Status.FORKED:
            # A forked child would wait for a lock that another thread of its parent held.
            end()
    except BaseException:
        _kept.extend(hubs)
        end()
        # A KeyboardInterrupt may have come before the release. No handle is used twice, so a second one has no effect.
        library(function, handle)
        raise


def reference(value: str | bytes | None) -> bytes | None:
    """Converts a string, or an encoded path, for the library.

    :raises ValueError: if it has a zero character, where the library would cut it off.
    """
    encoded = value.encode() if isinstance(value, str) else value
    if encoded and b"\0" in encoded:
        raise ValueError(f"{value!r} has a zero character. Remove it.")
    return encoded
