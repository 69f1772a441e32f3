"""The sound that other libraries of the program render."""

from __future__ import annotations

from typing import Callable

from ._events import give_back
from ._library import LibraryObject
from ._session import Session


class _NoEvents:
    """The hub of an object without events."""

    has_handler = False


class AttachedStreams(LibraryObject):
    """Ducks and mutes with a session what other libraries of the program play, such as pygame, GStreamer or Qt::

        session = Session(Category.PLAYBACK)
        with AttachedStreams(session), session:
            pygame.mixer.music.play()

    All playback streams of the process are attached, except those of this package. They are ducked while the session is
    ducked, muted while it is interrupted or has lost its output, and unchanged while it is inactive. The program still
    receives the session's events, and pauses its playback. Without the library it has no effect.

    :raises AudioSessionError: ``BAD_PARAM`` if the streams are attached to a session already, ``RESOURCES_EXHAUSTED`` if
        the system has no thread left.
    """

    _hub = _NoEvents()

    def __init__(self, session: Session) -> None:
        self._session = session
        self._obtain(lambda handle: session._check("as_attached_create", handle))

    def close(self) -> None:
        """Restores the streams. Closing twice has no effect."""
        super().close()

    def _releaser(self) -> Callable[[], None]:
        handle = self._take_handle()
        return lambda: give_back("as_attached_destroy", handle)
