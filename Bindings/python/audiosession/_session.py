"""An audio session: its configuration, and its state among all sessions on the computer."""

from __future__ import annotations

import ctypes
from dataclasses import fields
from typing import Any, Callable

from . import _native as native
from ._configuration import Configuration, SessionInfo
from ._events import Event, EventHub, EventStream, give_back, reference
from ._library import LibraryObject, library, new, number, text
from ._manager import Manager
from ._native import Category, Direction, Mode, Option, Policy, Priority, State, Status, UnmanagedPolicy
from ._values import Choice, DataSource, Port, Route, SilenceReason, taken
from ._waiting import checked, in_thread, milliseconds


class Session(LibraryObject):
    """A session. Creating it activates nothing; it is active in a ``with`` block::

        with Session.duck():
            speak("The door is open.")

    :class:`OutputStream` and :class:`Player` obey it. A program that renders by itself stops at ``INTERRUPTION_BEGAN``
    and at ``BECAME_NOISY``, and multiplies its sound with :attr:`gain`. Without the library no call has an effect, and
    the program plays at full gain.

    :param manager: the connection; ``None`` uses :meth:`Manager.shared`.
    :raises AudioSessionError: ``BAD_PARAM`` for an illegal configuration; ``CLOSED`` if the manager was closed; what
        :class:`Manager` raises. After :meth:`close`, activations and setters raise ``EXPIRED_SESSION``.
    """

    _CLOSED = Status.EXPIRED_SESSION

    def __init__(
        self, category: Category = Category.PLAYBACK, *, mode: Mode = Mode.DEFAULT, options: Option = Option(0),
        policy: Policy = Policy.DEFAULT, priority: Priority = Priority.MEDIA, group: str | None = None,
        manager: Manager | None = None,
    ) -> None:
        self._hub = EventHub("as_session_set_handler", native.as_session_handler, Event._from)
        self._holds: list[Any] = []
        self._manager = manager or Manager.shared()
        configuration = Configuration(category, mode, options, policy, priority, group)._struct()
        if self._obtain(
                lambda handle: self._manager._check("as_session_create", ctypes.byref(configuration), handle)):
            self._manager._add(self, self._manager._sessions)

    @classmethod
    def duck(cls, *, group: str | None = None, manager: Manager | None = None) -> Session:
        """A session that ducks others while it is active: for prompts, answers and announcements."""
        return cls(
            Category.PLAYBACK, mode=Mode.VOICE_PROMPT, options=Option.DUCK_OTHERS, group=group, manager=manager)

    @classmethod
    def interrupt(
        cls, *, priority: Priority = Priority.MEDIA, group: str | None = None, manager: Manager | None = None,
    ) -> Session:
        """A session that pauses others while it is active, after which they may resume."""
        return cls(Category.PLAYBACK, priority=priority, group=group, manager=manager)

    @classmethod
    def dictation(cls, *, group: str | None = None, manager: Manager | None = None) -> Session:
        """A session that records, and ducks others meanwhile."""
        # Not category record, so that the program can also play, such as a sound when it listens.
        return cls(Category.PLAY_AND_RECORD, options=Option.DUCK_OTHERS, group=group, manager=manager)

    def close(self) -> None:
        """Releases the session's place, and ends its events. Closing twice has no effect."""
        super().close()

    def _releaser(self) -> Callable[[], None]:
        handle, hub, holds = self._take_handle(), self._hub, self._holds

        def release() -> None:
            try:
                while hold := taken_last(holds):
                    library("as_hold_end", hold)
            finally:
                # Also after a KeyboardInterrupt, because nothing else knows the handle any more.
                give_back("as_session_destroy", handle, hub)

        return release

    # Activation

    def activate(self) -> None:
        """Activates the session, and returns when PipeWire has granted that.

        A program that renders by itself also calls this when it plays again after ``BECAME_NOISY``, because otherwise
        it is not advised to resume after the next interruption.

        :raises AudioSessionError: ``INSUFFICIENT_PRIORITY`` during a call, for example; ``CANNOT_INTERRUPT_OTHERS`` in
            the background; ``MEDIA_SERVICES_FAILED`` without PipeWire; ``TIMED_OUT`` if it does not answer;
            ``EXPIRED_SESSION`` if the session was closed.
        """
        self._check("as_session_activate")

    def deactivate(self, *, notify_others: bool = True) -> None:
        """Deactivates the session, and returns when PipeWire has processed that.

        :param notify_others: whether the sessions that this one interrupted are advised to resume.
        """
        self._end("as_session_deactivate", notify_others)

    async def activate_async(self) -> None:
        """:meth:`activate`, without blocking the event loop. It is carried out even if the task is cancelled."""
        await in_thread(self.activate)

    async def deactivate_async(self, *, notify_others: bool = True) -> None:
        """:meth:`deactivate`, without blocking the event loop."""
        await in_thread(lambda: self.deactivate(notify_others=notify_others))

    def __enter__(self) -> Session:
        hold = ctypes.c_void_p()
        try:
            self._check("as_session_hold", ctypes.byref(hold))
        except BaseException:
            # A KeyboardInterrupt can come after the library has made the hold, which no block would end.
            if hold:
                library("as_hold_end", hold)
            raise
        if hold:
            self._holds.append(hold)
        return self

    def __exit__(self, *error: object) -> None:
        hold = taken_last(self._holds)
        if hold:
            # It fails in a forked child only, which has no part in the hold, and may end by an exception.
            library("as_hold_end", hold)

    async def __aenter__(self) -> Session:
        # An activation that was dropped has no hold that could be ended.
        await in_thread(self.__enter__, undo=self.__exit__)
        return self

    async def __aexit__(self, *error: object) -> None:
        await in_thread(self.__exit__)

    # Events

    def events(self) -> EventStream[Event]:
        """The session's events from now on, for ``for`` or ``async for``."""
        return self._hub.stream(self._handle)

    def observe(self, function: Callable[[Event], None]) -> Callable[[], None]:
        """Calls ``function`` for each event, in :meth:`Manager.dispatch` or on the library's thread, which it must not block.

        :returns: a function that ends this.
        """
        return self._hub.call(self._handle, function)

    # Values that can be read without waiting

    @property
    def id(self) -> str:
        """The session's uuid; empty without the library."""
        def read(handle: Any) -> str:
            buffer = ctypes.create_string_buffer(native.SESSION_ID_SIZE)
            library.require("as_session_get_id", handle, buffer)
            return buffer.value.decode()

        return self._value("", read)

    @property
    def configuration(self) -> Configuration:
        """The configuration of the session."""
        def read(handle: Any) -> Configuration:
            struct = new(native.as_configuration)
            library.require("as_session_get_configuration", handle, ctypes.byref(struct))
            return Configuration(
                Category(struct.category), Mode(struct.mode), Option(struct.options), Policy(struct.policy),
                Priority(struct.priority), text(struct.group))

        return self._value(Configuration(), read)

    @property
    def info(self) -> SessionInfo:
        """A snapshot of the session."""
        def read(handle: Any) -> SessionInfo:
            info = new(native.as_session_info)
            library.require("as_session_get_info", handle, ctypes.byref(info))
            values = {field.name: getattr(info, field.name) for field in fields(SessionInfo)}
            return SessionInfo(**{
                **values, "state": State(info.state), "unmanaged_policy": UnmanagedPolicy(info.unmanaged_policy)})

        return self._value(SessionInfo(), read)

    @property
    def state(self) -> State:
        """Whether the session is active."""
        return self.info.state

    @property
    def gain(self) -> float:
        """The gain from ducking and silent mode, 0 to 1, by which samples are multiplied."""
        return self.info.gain

    @property
    def is_other_audio_playing(self) -> bool:
        """Whether another program plays, with a session or without; false right after the session was made."""
        return self.info.is_other_audio_playing

    @property
    def route(self) -> Route:
        """The route of the session."""
        return self._value(Route(), lambda handle: Route._get("as_session_get_route", handle))

    @property
    def silence_reasons(self) -> tuple[SilenceReason, ...]:
        """The reasons why the session is silent or ducked, the most important one first."""
        return self._value((), lambda handle: taken(
            "as_session_get_silence_reasons", handle, "as_silence_reasons_free", SilenceReason._list) or ())

    # Values that can be set

    def configure(self, configuration: Configuration) -> None:
        """Sets the configuration. An active session is activated with it.

        :raises AudioSessionError: ``BAD_PARAM`` if it is illegal; what :meth:`activate` raises. The old one stays.
        """
        self._check("as_session_configure", ctypes.byref(configuration._struct()))

    def set_preferred_output(self, port: Port | str | None) -> None:
        """Prefers an output of :attr:`Manager.available_ports`, or its uid; ``None`` prefers none.

        :raises AudioSessionError: ``RESOURCE_NOT_AVAILABLE`` if it is not available.
        """
        self._prefer(Direction.OUTPUT, port)

    def set_preferred_input(self, port: Port | str | None) -> None:
        """Prefers an input of :attr:`Manager.available_ports`, or its uid; ``None`` prefers none.

        :raises AudioSessionError: ``RESOURCE_NOT_AVAILABLE`` if it is not available.
        """
        self._prefer(Direction.INPUT, port)

    def _prefer(self, direction: Direction, port: Port | str | None) -> None:
        uid = port.uid if isinstance(port, Port) else port
        self._check("as_session_set_preferred_port", direction, reference(uid))

    @property
    def preferred_ports(self) -> Route:
        """The preferred output and input, also if they are unavailable."""
        return self._value(Route(), lambda handle: Route._get("as_session_get_preferred_ports", handle))

    def choice(self, direction: Direction) -> Choice | None:
        """The chosen port of a direction, with the reason; ``None`` if the category lacks it."""
        return self._value(None, lambda handle: taken(
            "as_session_get_choice", handle, "as_choice_free", Choice._from, direction))

    def data_sources(self, direction: Direction) -> tuple[DataSource, ...]:
        """The data sources of the port in use."""
        return self._value((), lambda handle: taken(
            "as_session_get_data_sources", handle, "as_data_sources_free", DataSource._list, direction) or ())

    def set_data_source(self, direction: Direction, source: DataSource | str | None) -> None:
        """Switches the port in use, for all programs, while the session is active; with ``None`` the system chooses."""
        identifier = source.id if isinstance(source, DataSource) else source
        self._check("as_session_set_data_source", direction, reference(identifier))

    def set_resumes_on_replug(self, resumes: bool, limit: float = 300) -> None:
        """Whether the session is advised to resume when the output whose loss stopped it returns within ``limit`` seconds.

        :param limit: 0 is 300 seconds, the library's default.
        :raises ValueError: if ``limit`` is negative or NaN.
        """
        self._check("as_session_set_resumes_on_replug", resumes, milliseconds(limit))

    def set_pauses_on_route_loss(self, pauses: bool) -> None:
        """Whether the loss of the output pauses what the session's streams and players play. On unless set."""
        self._check("as_session_set_pauses_on_route_loss", pauses)

    def set_resumes_after_interruption(self, resumes: bool) -> None:
        """Whether the session's streams and players continue by themselves when advised to. On unless set."""
        self._check("as_session_set_resumes_after_interruption", resumes)

    def set_unmanaged_policy(self, policy: UnmanagedPolicy) -> None:
        """What an :class:`UnmanagedAudio` does to programs without sessions, from the next activation on."""
        self._check("as_session_set_unmanaged_policy", policy)

    def set_preferred_channels(self, direction: Direction, count: int) -> None:
        """Prefers a number of channels, 1 to the maximum in :attr:`info`; 0 prefers none."""
        self._check("as_session_set_preferred_channels", direction, number(count))

    def set_preferred_sample_rate(self, rate: int) -> None:
        """Prefers a rate in frames per second, 1 to 768,000; 0 prefers none."""
        self._check("as_session_set_preferred_sample_rate", number(rate))

    def set_preferred_io_buffer_duration(self, seconds: float) -> None:
        """Prefers the duration of a cycle in seconds, at most 1; 0 prefers none.

        :raises ValueError: if ``seconds`` is negative or NaN.
        """
        self._check("as_session_set_preferred_io_buffer_duration", checked(seconds))

    def override_output(self, to_speaker: bool) -> None:
        """Overrides the output with the built-in speaker, or ends the override.

        :raises AudioSessionError: ``INCOMPATIBLE_CATEGORY`` unless the category is ``PLAY_AND_RECORD``;
            ``RESOURCE_NOT_AVAILABLE`` if the computer has no speaker.
        """
        self._check("as_session_override_output", to_speaker)

    def set_input_gain(self, gain: float) -> None:
        """Sets the gain of the input in use, 0 to 1 as the desktop's sliders count it, for all programs.

        :raises AudioSessionError: ``RESOURCE_NOT_AVAILABLE`` unless ``info.is_input_gain_settable``;
            ``INCOMPATIBLE_CATEGORY`` if the category does not record.
        """
        self._check("as_session_set_input_gain", gain)


def taken_last(holds: list[Any]) -> Any:
    """Takes the last hold; ``None`` if there is none. It needs no lock, which a forked child might not get."""
    try:
        return holds.pop()
    except IndexError:
        return None
