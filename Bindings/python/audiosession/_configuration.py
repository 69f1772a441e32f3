"""The configuration of a session, and a snapshot of a session."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any

from . import _native as native
from ._events import reference
from ._library import library, new
from ._native import Category, Mode, Option, Policy, Priority, State, UnmanagedPolicy


@dataclass(frozen=True)
class Configuration:
    """The configuration of a session. ``Docs/Configuration.md`` lists the legal ones."""

    category: Category = Category.SOLO_AMBIENT
    mode: Mode = Mode.DEFAULT
    options: Option = Option(0)
    policy: Policy = Policy.DEFAULT
    priority: Priority = Priority.MEDIA
    #: 1 to 64 bytes. Sessions of one group never act on one another. ``None``: the group that the environment variable
    #: ``AUDIOSESSION_GROUP`` names, or else the process.
    group: str | None = None

    def validate(self) -> None:
        """Checks whether the configuration is legal.

        :raises AudioSessionError: ``BAD_PARAM`` with the violated rule, and the fix.
        """
        library.check("as_configuration_validate", ctypes.byref(self._struct()))

    def _struct(self) -> Any:
        struct = new(native.as_configuration)
        struct.category, struct.mode, struct.options = self.category, self.mode, int(self.options)
        struct.policy, struct.priority, struct.group = self.policy, self.priority, reference(self.group)
        return struct


@dataclass(frozen=True)
class SessionInfo:
    """A snapshot of a session. Rates are in frames per second, durations in seconds."""

    state: State = State.INACTIVE
    gain: float = 1
    output_volume: float = 0
    input_gain: float = 1
    is_output_muted: bool = False
    is_input_gain_settable: bool = False
    is_other_audio_playing: bool = False
    should_secondary_audio_be_silent: bool = False
    sample_rate: int = 0
    output_channels: int = 0
    input_channels: int = 0
    preferred_sample_rate: int = 0
    preferred_io_buffer_duration: float = 0
    io_buffer_duration: float = 0
    output_latency: float = 0
    input_latency: float = 0
    maximum_output_channels: int = 0
    maximum_input_channels: int = 0
    preferred_output_channels: int = 0
    preferred_input_channels: int = 0
    #: In milliseconds.
    replug_limit: int = 300_000
    resumes_on_replug: bool = False
    is_output_overridden: bool = False
    unmanaged_policy: UnmanagedPolicy = UnmanagedPolicy.DEFAULT
    pauses_on_route_loss: bool = True
    resumes_after_interruption: bool = True
