"""A player of sound files, and its display on the desktop."""

from __future__ import annotations

import ctypes
import os
from dataclasses import dataclass
from typing import Any, Callable, Iterable

from . import _native as native
from ._events import EventHub, EventStream, give_back, reference
from ._library import LibraryObject, new, received
from ._native import Category, CommandType, Role
from ._session import Session
from ._stream import Stream
from ._stream_events import Item, PlayerInfo, StreamStatistics
from ._values import Route, taken
from ._waiting import checked, in_thread


class Player(Stream):
    """Plays a queue of sound files while its session is active::

        player = Player()
        player.load("first.flac", "second.flac")
        player.play()

    :param session: its category has to play; ``None`` makes one of category playback.
    :param role: the role of the sound, for mixers.
    :param application_name: the program's name in mixers; ``None`` takes the manager's.
    :param node_name: of PipeWire's node.
    :raises AudioSessionError: what :class:`Session` raises.
    """

    _DESTROY = "as_player_destroy"
    _SET_HANDLER = "as_player_set_handler"

    def __init__(
        self, session: Session | None = None, *, role: Role = Role.MUSIC, application_name: str | None = None,
        node_name: str | None = None,
    ) -> None:
        super().__init__(session, lambda: Session(Category.PLAYBACK), native.as_player_handler)
        options = new(native.as_player_options)
        options.role, options.application_name = role, reference(application_name)
        options.node_name = reference(node_name)
        self._create("as_player_create", ctypes.byref(options))

    def load(self, *paths: str | bytes | os.PathLike[str]) -> None:
        """Replaces the queue by files, which are paths or file URLs, and stops at the first one's beginning.

        :raises AudioSessionError: that of the first file that cannot be played, such as ``FILE_NOT_FOUND``. The queue stays.
        """
        self._check("as_player_load", *_list(paths))

    def enqueue(self, *paths: str | bytes | os.PathLike[str]) -> None:
        """Appends files to the queue.

        :raises AudioSessionError: as :meth:`load`.
        """
        self._check("as_player_enqueue", *_list(paths))

    def play(self) -> None:
        """Plays, or continues, and activates an inactive session first.

        :raises AudioSessionError: ``NOTHING_LOADED``; ``INCOMPATIBLE_CATEGORY``; what :meth:`Session.activate` raises.
        """
        self._check("as_player_play")

    async def play_async(self) -> None:
        """:meth:`play`, without blocking the event loop. It is carried out even if the task is cancelled."""
        await in_thread(self.play)

    async def load_async(self, *paths: str | bytes | os.PathLike[str]) -> None:
        """:meth:`load`, without blocking the event loop. It is carried out even if the task is cancelled."""
        await in_thread(lambda: self.load(*paths))

    def pause(self) -> None:
        """Pauses; :meth:`play` continues with the next frame."""
        self._check("as_player_pause")

    def stop(self) -> None:
        """Stops, and returns to the beginning of the current file."""
        self._end("as_player_stop")

    def seek(self, seconds: float) -> None:
        """Moves to a time in the current file, in seconds from its beginning.

        :raises ValueError: if ``seconds`` is negative or NaN.
        """
        self._check("as_player_seek", checked(seconds))

    def skip(self, index: int) -> None:
        """Moves to the beginning of a file of the queue.

        :raises AudioSessionError: ``NO_SUCH_ITEM``.
        """
        # ctypes would pass the lower bits of an index that no queue has.
        self._check("as_player_skip", index if 0 <= index <= native.FOREVER else native.FOREVER)

    def skip_to_next(self) -> None:
        """Moves to the next file of the queue.

        :raises AudioSessionError: ``NO_SUCH_ITEM`` at the last one.
        """
        self._check("as_player_skip_to_next")

    def skip_to_previous(self) -> None:
        """Moves to the previous file of the queue.

        :raises AudioSessionError: ``NO_SUCH_ITEM`` at the first one.
        """
        self._check("as_player_skip_to_previous")

    def set_volume(self, volume: float) -> None:
        """Sets the player's own volume, 0 to 1 as the desktop's sliders count it; other values are clamped."""
        self._check("as_player_set_volume", volume)

    @property
    def info(self) -> PlayerInfo:
        """The values of the player at one moment."""
        return self._info("as_player_get_info", native.as_player_info, PlayerInfo)

    @property
    def queue(self) -> tuple[Item, ...]:
        """The files of the queue in order, including those that were played."""
        return self._value(
            (), lambda handle: taken("as_player_get_queue", handle, "as_items_free", Item._list) or ())

    @property
    def statistics(self) -> StreamStatistics:
        """The latency, and the activity of the real-time thread."""
        return self._statistics("as_player_get_statistics")

    @property
    def route(self) -> Route:
        """The route of the player's sound, or the one that it would have if it played."""
        return self._route("as_player_get_route")


def _list(paths: Iterable[str | bytes | os.PathLike[str]]) -> tuple[Any, int]:
    encoded = [reference(os.fsencode(path)) for path in paths]
    return (ctypes.c_char_p * len(encoded))(*encoded), len(encoded)


@dataclass(frozen=True)
class Command:
    """A command of the desktop that only the program can obey."""

    type: CommandType
    #: In ns of ``time.CLOCK_MONOTONIC``.
    time: int = 0
    #: How many commands before this one were dropped, because the program was slow.
    dropped: int = 0

    @classmethod
    def _from(cls, pointer: Any) -> Command:
        command = received(pointer)
        return cls(CommandType(command.type), command.time, command.dropped)


class NowPlaying(LibraryObject):
    """Shows a player on the user's desktop (MPRIS), whose media keys and widgets control it, until it is closed.

    :param name: the name of the program, for the user.
    :param desktop_entry: the name of its ``.desktop`` file without the ending.
    :param can_raise: whether the desktop may ask for the program's window: ``RAISE``.
    :param can_quit: whether the desktop may ask the program to end: ``QUIT``.
    """

    def __init__(
        self, player: Player, name: str, *, desktop_entry: str | None = None, can_raise: bool = False,
        can_quit: bool = False,
    ) -> None:
        self._hub: EventHub[Command] = EventHub(
            "as_now_playing_set_handler", native.as_now_playing_handler, Command._from)
        self._player = player
        options = new(native.as_now_playing_options)
        options.name, options.desktop_entry = reference(name), reference(desktop_entry)
        options.can_raise, options.can_quit = can_raise, can_quit
        if self._obtain(lambda handle: player._check("as_now_playing_create", ctypes.byref(options), handle)):
            player.session._manager._add(self, player.session._manager._streams)

    def close(self) -> None:
        """Removes the player from the desktop. The player plays on."""
        super().close()

    def _releaser(self) -> Callable[[], None]:
        handle, hub = self._take_handle(), self._hub
        return lambda: give_back("as_now_playing_destroy", handle, hub)

    def check(self) -> None:
        """Checks whether the player is shown or is about to be.

        :raises AudioSessionError: ``RESOURCE_NOT_AVAILABLE`` with the reason, such as a missing session bus; ``CLOSED``.
        """
        self._check("as_now_playing_check")

    def commands(self) -> EventStream[Command]:
        """The desktop's commands from now on, for ``for`` or ``async for``."""
        return self._hub.stream(self._handle)

    def observe(self, function: Callable[[Command], None]) -> Callable[[], None]:
        """Calls ``function`` for each command, in :meth:`Manager.dispatch` or on the library's thread, which it must not block.

        :returns: a function that ends this.
        """
        return self._hub.call(self._handle, function)
