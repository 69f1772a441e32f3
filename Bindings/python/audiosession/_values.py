"""Values that sessions and managers return. They never change."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, Callable

from . import _native as native
from ._library import library, new, received, text
from ._native import ChoiceReason, Direction, Orientation, PortType, SilenceKind


@dataclass(frozen=True)
class Port:
    """An input or output, such as a speaker, a jack or a headset."""

    type: PortType
    direction: Direction
    #: For display.
    name: str
    #: Identifies the port across unplugging and reboots.
    uid: str
    #: The computer's data does not decide the type.
    is_uncertain: bool = False
    #: The kind of device, for a port whose type names only its bus.
    hint: PortType = PortType.UNKNOWN
    is_through_filter: bool = False
    needs_profile_change: bool = False
    #: The reason for its type, for display.
    type_reason: str = ""
    #: PipeWire's names in their order, such as ``("FL", "FR")``.
    channels: tuple[str, ...] = ()
    node_name: str | None = None
    device_name: str | None = None
    route_name: str | None = None

    @classmethod
    def _from(cls, port: Any) -> Port:
        names = text(port.channels) or ""
        return cls(
            PortType(port.type), Direction(port.direction), text(port.name) or "", text(port.uid) or "",
            port.is_uncertain, PortType(port.hint), port.is_through_filter, port.needs_profile_change,
            text(port.type_reason) or "", tuple(names.split(",")) if names else (), text(port.node_name),
            text(port.device_name), text(port.route_name))


@dataclass(frozen=True)
class Route:
    """A route, or the lists of available ports."""

    outputs: tuple[Port, ...] = ()
    inputs: tuple[Port, ...] = ()

    @classmethod
    def _from(cls, handle: Any) -> Route:
        if not handle:
            return cls()

        def ports(direction: Direction) -> tuple[Port, ...]:
            found = []
            for index in range(library("as_route_count", handle, direction)):
                port = new(native.as_port)
                library.require("as_route_port", handle, direction, index, ctypes.byref(port))
                found.append(Port._from(port))
            return tuple(found)

        return cls(ports(Direction.OUTPUT), ports(Direction.INPUT))

    @classmethod
    def _get(cls, function: str, handle: Any) -> Route:
        return taken(function, handle, "as_route_free", cls._from) or cls()


@dataclass(frozen=True)
class Peer:
    """A session of another program that interrupts or ducks this one."""

    #: The program's name, chosen by itself.
    name: str | None
    #: Its process, as PipeWire reports it; 0 if that is unknown.
    pid: int
    #: The session's uuid.
    session: str | None

    @classmethod
    def _from(cls, struct: Any) -> Peer | None:
        if struct.cause_session is None and struct.cause_name is None and not struct.cause_pid:
            return None
        return cls(text(struct.cause_name), struct.cause_pid, text(struct.cause_session))


@dataclass(frozen=True)
class SilenceReason:
    """A reason why a session is silent or ducked."""

    kind: SilenceKind
    #: The gain of a ducked session; 1 for other kinds.
    gain: float = 1
    peer: Peer | None = None

    @classmethod
    def _list(cls, handle: Any) -> tuple[SilenceReason, ...]:
        found = []
        for index in range(library("as_silence_reasons_count", handle)):
            reason = new(native.as_silence_reason)
            library.require("as_silence_reasons_get", handle, index, ctypes.byref(reason))
            found.append(cls(SilenceKind(reason.kind), reason.gain, Peer._from(reason)))
        return tuple(found)


@dataclass(frozen=True)
class DataSource:
    """One of several microphones, or outputs, that a port can switch between."""

    id: str
    #: For display.
    name: str
    #: Its uid among the available ports.
    port_uid: str
    orientation: Orientation = Orientation.UNKNOWN
    is_selected: bool = False

    @classmethod
    def _list(cls, handle: Any) -> tuple[DataSource, ...]:
        found = []
        for index in range(library("as_data_sources_count", handle)):
            source = new(native.as_data_source)
            library.require("as_data_sources_get", handle, index, ctypes.byref(source))
            found.append(cls(
                text(source.id) or "", text(source.name) or "", text(source.port_uid) or "",
                Orientation(source.orientation), source.is_selected))
        return tuple(found)


@dataclass(frozen=True)
class Choice:
    """The port that was chosen for a session, with the reason."""

    reason: ChoiceReason
    port: Port | None
    #: The port that the program preferred.
    wanted: Port | None
    #: The reason as a sentence.
    description: str

    @classmethod
    def _from(cls, handle: Any) -> Choice:
        info = new(native.as_choice_info)
        library.require("as_choice_get", handle, ctypes.byref(info))
        port, wanted = (Port._from(received(one)) if one else None for one in (info.port, info.wanted))
        return cls(ChoiceReason(info.reason), port, wanted, text(info.description) or "")


def taken(function: str, handle: Any, free: str, read: Callable[[Any], Any], *arguments: Any) -> Any:
    """Reads a value from a handle that a function returns, and releases it; ``None`` without a handle."""
    if not handle:
        return None
    given = ctypes.c_void_p()
    if "as_error" in str(native.FUNCTIONS[function][1][-1]):
        library.check(function, handle, *arguments, ctypes.byref(given))
    else:
        library.require(function, handle, *arguments, ctypes.byref(given))
    if not given:
        return None
    try:
        return read(given)
    finally:
        library.require(free, given)
