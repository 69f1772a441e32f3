"""A recorder of the sound of the microphone."""

from __future__ import annotations

import ctypes
import os

from . import _native as native
from ._events import reference
from ._input import Captured
from ._library import new, number
from ._native import Category, FileType
from ._session import Session
from ._stream_events import Recording
from ._waiting import in_thread, milliseconds


class Recorder(Captured):
    """Records to a WAV or FLAC file, for the program to read, or both::

        recorder = Recorder()
        recorder.record("memo.flac")
        ...
        print(recorder.stop().duration)

    The recording ends when another session interrupts, and when the microphone is pulled. What is recorded can be read as
    from an :class:`InputStream`.

    :param session: its category has to record; ``None`` makes one of category record.
    :param bits_per_sample: of a file, 16 or 24.
    :param buffer_duration: how much waits for a slow program before the oldest is lost, in seconds.
    :param file_permissions: less those of the umask.
    :param continues_after_interruption: an interruption pauses a recording, rather than ending it.
    :param follows_symbolic_links: records to the file that a link leads to, rather than failing.
    :raises AudioSessionError: ``UNSUPPORTED_RECORDING_FORMAT``; what :class:`Session` raises.
    """

    _DESTROY = "as_recorder_destroy"
    _SET_HANDLER = "as_recorder_set_handler"
    _READ = "as_recorder_read"
    _GET_INFO = "as_recorder_get_info"
    _GET_LEVEL = "as_recorder_get_level"
    _GET_STATISTICS = "as_recorder_get_statistics"
    _GET_ROUTE = "as_recorder_get_route"

    def __init__(
        self, session: Session | None = None, *, sample_rate: int = 48_000, channels: int = 1, bits_per_sample: int = 16,
        buffer_duration: float = 1, file_permissions: int = 0o600, continues_after_interruption: bool = False,
        follows_symbolic_links: bool = False, prefers_echo_cancelled_input: bool = False,
        application_name: str | None = None, node_name: str | None = None,
    ) -> None:
        super().__init__(session, lambda: Session(Category.RECORD), native.as_recorder_handler)
        options = new(native.as_recorder_options)
        options.sample_rate, options.channels = number(sample_rate), number(channels)
        options.bits_per_sample = number(bits_per_sample)
        options.buffer_duration, options.file_permissions = milliseconds(buffer_duration, zero=1), file_permissions
        options.continues_after_interruption = continues_after_interruption
        options.follows_symbolic_links = follows_symbolic_links
        options.prefers_echo_cancelled_input = prefers_echo_cancelled_input
        options.application_name, options.node_name = reference(application_name), reference(node_name)
        self._create("as_recorder_create", ctypes.byref(options))

    def record(self, path: str | bytes | os.PathLike[str] | None = None, type: FileType = FileType.BY_NAME) -> None:
        """Starts a recording to a file, which it replaces; without a file if there is no path.

        Frames of an earlier recording that were not read are dropped. An inactive session is activated first.

        :raises AudioSessionError: ``CANNOT_WRITE``, ``NO_MICROPHONE``, ``ALREADY_RECORDING``; ``INCOMPATIBLE_CATEGORY``;
            ``SESSION_NOT_ACTIVE`` while another session interrupts; ``ECHO_CANCELLER_MISSING``;
            ``UNSUPPORTED_RECORDING_FORMAT``; what :meth:`Session.activate` raises.
        """
        self._check("as_recorder_record", None if path is None else reference(os.fsencode(path)), type)

    async def record_async(
        self, path: str | bytes | os.PathLike[str] | None = None, type: FileType = FileType.BY_NAME,
    ) -> None:
        """:meth:`record`, without blocking the event loop. It is carried out even if the task is cancelled."""
        await in_thread(lambda: self.record(path, type))

    def pause(self) -> None:
        """Pauses the recording. Its file is complete soon after."""
        self._check("as_recorder_pause")

    def resume(self) -> None:
        """Continues a paused recording in the same file.

        :raises AudioSessionError: ``NOT_PAUSED``; what :meth:`record` raises.
        """
        self._check("as_recorder_resume")

    def stop(self) -> Recording:
        """Ends the recording, waits until its file is complete, and returns the result of the last recording.

        :returns: the format, the frames and the duration of what is in the file, also after a failure. Without a file they
            are those of what was recorded, with 0 bits per sample. All members are 0 if there was no recording.
        """
        return self._read("as_recorder_stop", native.as_recording, Recording)

    async def stop_async(self) -> Recording:
        """:meth:`stop`, without blocking the event loop."""
        recording: Recording = await in_thread(self.stop)
        return recording
