"""The connection to PipeWire."""

from __future__ import annotations

import atexit
import ctypes
import os
import threading
import weakref
from dataclasses import dataclass
from typing import Any, Callable

from . import _native as native
from ._events import Event, EventHub, EventStream, give_back, reference
from ._library import LibraryObject, Releasing, library, new
from ._values import DataSource, Route, taken
from ._waiting import milliseconds


@dataclass(frozen=True)
class ManagerInfo:
    """A snapshot of the computer's sound."""

    output_volume: float = 0
    is_output_muted: bool = False
    #: Active sessions of category ambient and solo ambient are silent.
    is_silent_mode: bool = False
    #: The manager's inputs and recorders capture silence.
    is_input_muted: bool = False


class Manager(LibraryObject):
    """A connection to PipeWire, which reconnects when PipeWire restarts.

    Sessions that name no manager share one. Without the library a manager has no effect.

    :param application_name: the program's name in mixers; with ``None`` PipeWire chooses it.
    :param timeout: of each call that waits, in seconds; 0 is 5 seconds, the library's default.
    :param remote: name or absolute path of PipeWire's socket; ``None`` uses the environment's.
    :param waits_for_pipewire: whether this waits until PipeWire runs, for ``timeout`` at most.
    :param keeps_thread_priority: whether the library's thread keeps the program's priority.
    :param calls_handlers_in_dispatch: whether events arrive in :meth:`dispatch`, on its thread, instead of on a thread of
        the library: ``loop.add_reader(manager, manager.dispatch)``. Streams of events that a ``for`` reads on that thread
        would then wait forever.
    :raises AudioSessionError: ``MEDIA_SERVICES_FAILED`` without PipeWire, ``TIMED_OUT`` if it does not answer. After
        :meth:`close`, setters and new sessions raise ``CLOSED``.
    """

    _shared: Manager | None = None
    # A signal handler may need the manager on the thread that connects it.
    _shared_lock = threading.RLock()
    _open: weakref.WeakSet[Manager] = weakref.WeakSet()

    def __init__(
        self, application_name: str | None = None, *, timeout: float = 5, remote: str | None = None,
        waits_for_pipewire: bool = False, keeps_thread_priority: bool = False,
        calls_handlers_in_dispatch: bool = False,
    ) -> None:
        self._hub = EventHub("as_manager_set_handler", native.as_manager_handler, Event._from)
        # By identity, because their copies are atomic. A lock could be held by a thread that a forked child does not have.
        self._sessions: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._streams: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        options = new(native.as_manager_options)
        options.timeout = milliseconds(timeout)
        options.remote, options.application_name = reference(remote), reference(application_name)
        options.waits_for_pipewire, options.keeps_thread_priority = waits_for_pipewire, keeps_thread_priority
        options.calls_handlers_in_dispatch = calls_handlers_in_dispatch
        if self._obtain(lambda handle: library.check("as_manager_open", ctypes.byref(options), handle)):
            Manager._open.add(self)

    @classmethod
    def shared(cls) -> Manager:
        """The manager of all sessions that name none. The first call connects it.

        :raises AudioSessionError: what connecting raises. The next call tries again.
        """
        with cls._shared_lock:
            if cls._shared is None or cls._shared._is_closed:
                manager = cls()
                # A signal handler may have been first.
                if cls._shared is None or cls._shared._is_closed:
                    cls._shared = manager
            return cls._shared

    def close(self) -> None:
        """Closes the connection and all sessions that use it. Closing twice has no effect.

        Events of the manager, its sessions and their streams end.
        """
        super().close()

    def _releaser(self) -> Callable[[], None]:
        handle = self._take_handle()
        hubs = (self._hub, *(member._hub for member in self._members()))
        return lambda: give_back("as_manager_close", handle, *hubs)

    def _add(self, member: Any, members: weakref.WeakValueDictionary[int, Any]) -> None:
        """Adds a session or stream, whose events end with the connection."""
        members[id(member)] = member
        if self._is_closed:
            member._hub.close()

    def _members(self) -> list[Any]:
        """The streams, then the sessions. Another thread or a signal handler may add one meanwhile."""
        members = [reference() for reference in (*self._streams.valuerefs(), *self._sessions.valuerefs())]
        return [member for member in members if member is not None]

    @property
    def route(self) -> Route:
        """The route of the default output and input."""
        return self._value(Route(), lambda handle: Route._get("as_manager_get_route", handle))

    @property
    def available_ports(self) -> Route:
        """All outputs and inputs that a session can prefer now."""
        return self._value(Route(), lambda handle: Route._get("as_manager_get_available_ports", handle))

    def data_sources(self, port_uid: str) -> tuple[DataSource, ...]:
        """The data sources of an available port; empty if it has none.

        :raises AudioSessionError: ``RESOURCE_NOT_AVAILABLE`` if the port is not available.
        """
        return self._value((), lambda handle: taken(
            "as_manager_get_data_sources", handle, "as_data_sources_free", DataSource._list, reference(port_uid)) or ())

    @property
    def info(self) -> ManagerInfo:
        """Volume, mute and silent mode of the computer."""
        def read(handle: Any) -> ManagerInfo:
            info = new(native.as_manager_info)
            library.require("as_manager_get_info", handle, ctypes.byref(info))
            return ManagerInfo(info.output_volume, info.is_output_muted, info.is_silent_mode, info.is_input_muted)

        return self._value(ManagerInfo(), read)

    def set_silent_mode(self, is_on: bool) -> None:
        """Turns silent mode on or off, for all programs.

        :raises AudioSessionError: ``NOT_PERMITTED`` if PipeWire does not let this program change it, as in a sandbox.
        """
        self._check("as_manager_set_silent_mode", is_on)

    def set_input_muted(self, is_muted: bool) -> None:
        """Mutes or unmutes all inputs and recorders of this manager, which then capture zeros."""
        self._check("as_manager_set_input_muted", is_muted)

    def set_in_background(self, is_in_background: bool) -> None:
        """Declares whether the program is in the background.

        There, a session that does not mix may activate only if it is advised to resume, or if its group is now
        playing. A group is now playing from the activation of one of its sessions until a session of another group is
        activated. Only sessions that have priority media and do not mix count. Sessions that end by themselves, such
        as recordings, leave music now playing: it may start again after them.
        """
        self._check("as_manager_set_in_background", is_in_background)

    def fileno(self) -> int:
        """The descriptor that a main loop polls, which is readable while events wait for :meth:`dispatch`.

        -1 without the library and for a closed manager. Remove it from the loop before :meth:`close`.

        :raises AudioSessionError: ``BAD_PARAM`` unless the manager was made with ``calls_handlers_in_dispatch``.
        """
        def read(handle: Any) -> int:
            descriptor = ctypes.c_int32(-1)
            library.require("as_manager_get_descriptor", handle, ctypes.byref(descriptor))
            return descriptor.value

        return self._value(-1, read)

    def dispatch(self) -> None:
        """Delivers the events of the manager, its sessions and their streams that wait, 256 at most.

        :raises AudioSessionError: ``WRONG_THREAD`` while another thread is in this function for the manager, and on a thread
            of the library; ``BAD_PARAM`` unless the manager was made with ``calls_handlers_in_dispatch``.
        """
        self._check("as_manager_dispatch")

    def events(self) -> EventStream[Event]:
        """The events from now on: default route, available ports, silent mode, restarts of PipeWire."""
        return self._hub.stream(self._handle)

    def observe(self, function: Callable[[Event], None]) -> Callable[[], None]:
        """Calls ``function`` for each event, in :meth:`dispatch` or on the library's thread, which it must not block.

        :returns: a function that ends this.
        """
        return self._hub.call(self._handle, function)


def _unlock() -> None:
    # A thread that a forked child does not have may have been connecting.
    Manager._shared_lock = threading.RLock()


os.register_at_fork(after_in_child=_unlock)


@atexit.register
def _close_all() -> None:
    # A handler must not be called while the interpreter ends, and closing a manager sends events to its sessions.
    for manager in list(Manager._open):
        for member in manager._members():
            member.close()
        manager.close()
    for thread in threading.enumerate():
        if isinstance(thread, Releasing):
            thread.join()
