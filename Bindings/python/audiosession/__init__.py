"""Audio sessions on PipeWire: duck or pause the sound of other programs, and let them resume.

    from audiosession import Session

    with Session.duck():
        speak("The door is open.")

The package calls libaudiosession, which it loads when it is first needed. Where the library is not installed,
``is_available()`` is ``False``, ``problem()`` has the reason, and calls have no effect.
"""

from ._attached import AttachedStreams
from ._configuration import Configuration, SessionInfo
from ._events import Event, EventStream
from ._input import InputStream
from ._library import (
    AudioSessionError, abi_version, is_available, pipewire_version, problem, status_name, version)
from ._manager import Manager, ManagerInfo
from ._native import (
    Category, ChoiceReason, CommandType, Direction, EventType, FileType, FinishReason, Mode, Muter, Option,
    Orientation, PauseReason, Policy, PortType, Priority, Role, RouteChangeReason, SilenceKind, State, Status,
    StreamEventType, StreamState, UnmanagedEffect, UnmanagedEventType, UnmanagedPolicy)
from ._output import OutputStream
from ._player import Command, NowPlaying, Player
from ._recorder import Recorder
from ._session import Session
from ._stream_events import InputInfo, Item, Level, OutputInfo, PlayerInfo, Recording, StreamEvent, StreamStatistics
from ._unmanaged import Program, UnmanagedAudio, UnmanagedEvent
from ._values import Choice, DataSource, Peer, Port, Route, SilenceReason

__all__ = [
    "AttachedStreams", "AudioSessionError", "Category", "Choice", "ChoiceReason", "Command", "CommandType",
    "Configuration", "DataSource", "Direction", "Event", "EventStream", "EventType", "FileType", "FinishReason",
    "InputInfo", "InputStream", "Item", "Level", "Manager", "ManagerInfo", "Mode", "Muter", "NowPlaying", "Option",
    "Orientation", "OutputInfo", "OutputStream", "PauseReason", "Peer", "Player", "PlayerInfo", "Policy", "Port",
    "PortType", "Priority", "Program", "Recorder", "Recording", "Role", "Route", "RouteChangeReason", "Session",
    "SessionInfo", "SilenceKind", "SilenceReason", "State", "Status", "StreamEvent", "StreamEventType",
    "StreamState", "StreamStatistics", "UnmanagedAudio", "UnmanagedEffect", "UnmanagedEvent",
    "UnmanagedEventType", "UnmanagedPolicy", "abi_version", "is_available", "pipewire_version", "problem",
    "status_name", "version"]
