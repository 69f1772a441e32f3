"""Events and values of outputs, inputs, players and recorders."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from . import _native as native
from ._library import library, new, received, text
from ._native import FinishReason, Muter, PauseReason, RouteChangeReason, Status, StreamEventType, StreamState
from ._values import Port, Route


@dataclass(frozen=True)
class Item:
    """A sound file in a player's queue."""

    #: As it was given.
    path: str
    #: The file's name without its folders, for the user.
    name: str
    #: By the file's tags.
    title: str | None
    artist: str | None
    #: Such as ``FLAC``, for the user.
    encoding: str
    sample_rate: int
    channels: int
    frames: int
    #: In seconds, by the file's header.
    duration: float

    @classmethod
    def _from(cls, item: Any) -> Item:
        return cls(
            text(item.path) or "", text(item.name) or "", text(item.title), text(item.artist),
            text(item.encoding) or "", item.sample_rate, item.channels, item.frames, item.duration)

    @classmethod
    def _list(cls, handle: Any) -> tuple[Item, ...]:
        found = []
        for index in range(library("as_items_count", handle)):
            item = new(native.as_item)
            library.require("as_items_get", handle, index, ctypes.byref(item))
            found.append(cls._from(item))
        return tuple(found)


@dataclass(frozen=True)
class StreamEvent:
    """An event of an output, input, player or recorder. Only the members that its type names have a meaning."""

    type: StreamEventType
    #: In ns of ``time.CLOCK_MONOTONIC``.
    time: int = 0
    #: How many events before this one were dropped, because the program was slow.
    dropped: int = 0
    state: StreamState = StreamState.STOPPED
    pause_reason: PauseReason = PauseReason.NONE
    finish_reason: FinishReason = FinishReason.STOPPED
    muter: Muter = Muter.PROGRAM
    reason: RouteChangeReason = RouteChangeReason.UNKNOWN
    frames: int = 0
    #: In seconds from the beginning of the item.
    position: float = 0
    status: Status = Status.OK
    message: str | None = None
    path: str | None = None
    #: The output or microphone that is lost, or the microphone that is captured from now on.
    port: Port | None = None
    previous_route: Route | None = None
    current_route: Route | None = None
    item: Item | None = None

    @classmethod
    def _from(cls, pointer: Any) -> StreamEvent:
        event = received(pointer)
        previous, current = (
            Route._from(one) if one else None for one in (event.previous_route, event.current_route))
        return cls(
            StreamEventType(event.type), event.time, event.dropped, StreamState(event.state),
            PauseReason(event.pause_reason), FinishReason(event.finish_reason), Muter(event.muter),
            RouteChangeReason(event.reason), event.frames, event.position, Status(event.status), text(event.message),
            text(event.path), Port._from(received(event.port)) if event.port else None, previous, current,
            Item._from(received(event.item)) if event.item else None)


@dataclass(frozen=True)
class StreamStatistics:
    """The activity of the real-time thread for a stream. Times are in seconds, or in ns of ``time.CLOCK_MONOTONIC``."""

    quantum: int = 0
    graph_rate: int = 0
    #: Of inputs and recorders: the echo of the session's output is being removed.
    is_echo_cancelled: bool = False
    cycles: int = 0
    dropped_frames: int = 0
    latency: float = 0
    gate_delay: float = 0
    gate_time: int = 0
    last_sound_time: int = 0


@dataclass(frozen=True)
class OutputInfo:
    """The values of an output at one moment."""

    state: StreamState = StreamState.STOPPED
    pause_reason: PauseReason = PauseReason.NONE
    volume: float = 1
    sample_rate: int = 0
    channels: int = 0
    #: Frames that were played or dropped.
    position: int = 0
    #: Frames that were silent, because nothing was written in time.
    missing_frames: int = 0


@dataclass(frozen=True)
class InputInfo:
    """The values of an input or a recorder at one moment."""

    state: StreamState = StreamState.STOPPED
    pause_reason: PauseReason = PauseReason.NONE
    sample_rate: int = 0
    channels: int = 0
    #: Frames that can be read without waiting.
    waiting_frames: int = 0
    #: Frames that were lost, because the program did not read them in time.
    dropped_frames: int = 0


@dataclass(frozen=True)
class PlayerInfo:
    """The values of a player at one moment. Times are in seconds."""

    state: StreamState = StreamState.STOPPED
    pause_reason: PauseReason = PauseReason.NONE
    volume: float = 1
    #: In the queue; -1 if it is empty.
    current_index: int = -1
    queue_length: int = 0
    position: float = 0
    duration: float = 0
    underruns: int = 0


@dataclass(frozen=True)
class Level:
    """How loud a channel is, in decibels relative to full scale: 0 is the loudest, -160 is silence."""

    average_power: float = -160
    peak_power: float = -160


@dataclass(frozen=True)
class Recording:
    """The result of a recording."""

    sample_rate: int = 0
    channels: int = 0
    #: Of the file; 0 without one.
    bits_per_sample: int = 0
    frames: int = 0
    #: In seconds.
    duration: float = 0
