"""An input: captures the sound of the microphone for the program."""

from __future__ import annotations

import ctypes
from typing import Any

from . import _native as native
from ._events import reference
from ._library import AudioSessionError, library, new, number
from ._native import Category, Status
from ._session import Session
from ._stream import Stream
from ._stream_events import InputInfo, Level, StreamStatistics
from ._values import Route
from ._waiting import deadline, in_pieces, in_thread, milliseconds


class Captured(Stream):
    """The common part of inputs and recorders: the captured frames can be read."""

    _READ = ""
    _GET_INFO = ""
    _GET_LEVEL = ""
    _GET_STATISTICS = ""
    _GET_ROUTE = ""

    def read(self, frames: int, timeout: float | None = None) -> memoryview:
        """Reads frames, and waits until they were captured.

        :param timeout: in seconds; ``None`` waits for as long as it takes.
        :returns: 32-bit floats of shape (frames, channels), which ``numpy.asarray`` takes without a copy; fewer frames
            after ``timeout``, and when capturing was stopped.
        :raises AudioSessionError: ``STOPPED`` if nothing is captured and nothing is left; ``CLOSED``.
        """
        channels = max(1, self.info.channels)
        if self._opened() is None:
            return _block((ctypes.c_float * 0)(), 0, channels)
        samples = (ctypes.c_float * (frames * channels))()
        total = 0
        failure: AudioSessionError | None = None

        def once(limit: int) -> bool:
            nonlocal total, failure
            rest = ctypes.cast(ctypes.byref(samples, total * channels * 4), ctypes.POINTER(ctypes.c_float))
            count, failure = self._transfer(self._READ, rest, frames - total, limit)
            total += count
            return failure is not None or total == frames

        in_pieces(deadline(timeout), once)
        if failure and not (failure.status == Status.STOPPED and total):
            raise failure
        return _block(samples, total, channels)

    async def read_async(self, frames: int, timeout: float | None = None) -> memoryview:
        """:meth:`read`, without blocking the event loop.

        A cancelled task ends within 0.2 seconds, after its read. The frames that it has read are lost.
        """
        block: memoryview = await in_thread(lambda: self.read(frames, timeout), is_awaited=True)
        return block

    def __iter__(self) -> Captured:
        return self

    def __next__(self) -> memoryview:
        block = self._next_block()
        if block is None:
            raise StopIteration
        return block

    def __aiter__(self) -> Captured:
        return self

    async def __anext__(self) -> memoryview:
        block: memoryview | None = await in_thread(self._next_block, is_awaited=True)
        if block is None:
            raise StopAsyncIteration
        return block

    def _next_block(self) -> memoryview | None:
        """The next fiftieth of a second; ``None`` at the end."""
        try:
            block = self.read(max(1, self.info.sample_rate // 50))
        except AudioSessionError as error:
            if error.status in (Status.STOPPED, Status.CLOSED, Status.BAD_HANDLE):
                return None
            raise
        return block if block.shape and block.shape[0] else None

    @property
    def info(self) -> InputInfo:
        """The values of the input or recorder at one moment."""
        return self._info(self._GET_INFO, native.as_input_info, InputInfo)

    @property
    def levels(self) -> tuple[Level, ...]:
        """The level of each channel; silence while nothing is captured."""
        return tuple(
            self._read(self._GET_LEVEL, native.as_level, Level, channel)
            for channel in range(self.info.channels))

    @property
    def statistics(self) -> StreamStatistics:
        """The latency, and the activity of the real-time thread."""
        return self._statistics(self._GET_STATISTICS)

    @property
    def route(self) -> Route:
        """The current or last microphone, as a route with at most one input."""
        return self._route(self._GET_ROUTE)


def _block(samples: Any, frames: int, channels: int) -> memoryview:
    view = memoryview(samples).cast("B")[:frames * channels * 4]
    # A view without items cannot have a shape.
    return view.cast("f", [frames, channels]) if frames else view.cast("f")


class InputStream(Captured):
    """Captures the sound of the microphone while its session is active; in a ``with`` block it captures::

        with InputStream(channels=1) as microphone:
            for block in microphone:
                listen(numpy.asarray(block))

    A block is a fiftieth of a second. ``for`` and ``async for`` end when the input is stopped or closed. While another
    session interrupts, they wait. Without the library they end at once.

    :param session: its category has to record; ``None`` makes one of category record.
    :param sample_rate: in frames per second; 0 takes the hardware's.
    :param channels: 1 to 8; 0 takes the hardware's.
    :param buffer_duration: how much waits for a slow program before the oldest is lost, in seconds.
    :param stops_when_lost: a lost microphone stops it; otherwise another one takes its place.
    :param prefers_echo_cancelled_input: removes the echo of the session's output, at 48,000, 32,000 or 16,000 frames per
        second; see :meth:`echo_canceller_is_available`.
    :param receive: the address of a native function of type ``as_receive_function``, which receives the sound on the real-time
        thread instead. Python cannot run there.
    :param context: the address that the native function receives.
    :raises AudioSessionError: ``UNSUPPORTED_FORMAT``; what :class:`Session` raises.
    """

    _DESTROY = "as_input_destroy"
    _SET_HANDLER = "as_input_set_handler"
    _READ = "as_input_read"
    _GET_INFO = "as_input_get_info"
    _GET_LEVEL = "as_input_get_level"
    _GET_STATISTICS = "as_input_get_statistics"
    _GET_ROUTE = "as_input_get_route"

    def __init__(
        self, session: Session | None = None, *, sample_rate: int = 0, channels: int = 0, buffer_duration: float = 1,
        stops_when_lost: bool = False, prefers_echo_cancelled_input: bool = False, title: str | None = None,
        application_name: str | None = None, node_name: str | None = None, receive: int | None = None,
        context: int | None = None,
    ) -> None:
        super().__init__(session, lambda: Session(Category.RECORD), native.as_input_handler)
        options = new(native.as_input_options)
        options.sample_rate, options.channels = number(sample_rate), number(channels)
        options.buffer_duration, options.stops_when_lost = milliseconds(buffer_duration, zero=1), stops_when_lost
        options.prefers_echo_cancelled_input = prefers_echo_cancelled_input
        options.title, options.application_name = reference(title), reference(application_name)
        options.node_name = reference(node_name)
        if receive is None:
            self._create("as_input_create", ctypes.byref(options))
        else:
            self._create(
                "as_input_create_with_callback", ctypes.byref(options), native.as_receive_function(receive), context,
                native.as_destroy_function())

    def __enter__(self) -> InputStream:
        self.start()
        return self

    async def __aenter__(self) -> InputStream:
        await in_thread(self.start, undo=self.close, drop=self.close)
        return self

    async def __aexit__(self, *error: object) -> None:
        await in_thread(self.close)

    def start(self) -> None:
        """Starts capturing, or continues after an interruption, and activates an inactive session first.

        The start of a stopped input drops frames that were captured before and not read.

        :raises AudioSessionError: ``NO_MICROPHONE``; ``INCOMPATIBLE_CATEGORY``; ``SESSION_NOT_ACTIVE`` of a stopped input
            while another session interrupts; ``ECHO_CANCELLER_MISSING``; what :meth:`Session.activate` raises.
        """
        self._check("as_input_start")

    @staticmethod
    def echo_canceller_is_available() -> bool:
        """Whether PipeWire's echo canceller is installed; ``False`` without the library."""
        available = ctypes.c_bool()
        library.require("as_input_get_echo_canceller_available", ctypes.byref(available))
        return available.value

    async def start_async(self) -> None:
        """:meth:`start`, without blocking the event loop. It is carried out even if the task is cancelled."""
        await in_thread(self.start)

    def stop(self) -> None:
        """Stops capturing. Frames that were captured before can be read until the next start."""
        self._end("as_input_stop")
