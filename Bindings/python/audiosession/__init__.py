"""Audio sessions on PipeWire: lower or pause the sound of other programs, and let them resume.

    from audiosession import Session

    with Session.duck():
        speak("The door is open.")

The package calls libaudiosession, which it loads when it is first needed. Where the library is not installed,
``is_available()`` is ``False``, ``problem()`` has the reason, and calls have no effect.
"""

from ._configuration import Configuration, SessionInfo
from ._events import Event, EventStream
from ._library import AudioSessionError, abi_version, is_available, pipewire_version, problem, status_name
from ._manager import Manager, ManagerInfo
from ._native import (
    Category, ChoiceReason, Direction, EventType, Mode, Option, Orientation, Policy, PortType, Priority,
    RouteChangeReason, SilenceKind, State, Status)
from ._session import Session
from ._values import Choice, DataSource, Peer, Port, Route, SilenceReason

__all__ = [
    "AudioSessionError", "Category", "Choice", "ChoiceReason", "Configuration", "DataSource", "Direction", "Event",
    "EventStream", "EventType", "Manager", "ManagerInfo", "Mode", "Option", "Orientation", "Peer", "Policy", "Port",
    "PortType", "Priority", "Route", "RouteChangeReason", "Session", "SessionInfo", "SilenceKind", "SilenceReason",
    "State", "Status", "abi_version", "is_available", "pipewire_version", "problem", "status_name"]
