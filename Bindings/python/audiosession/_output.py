"""An output: plays what the program renders."""

from __future__ import annotations

import ctypes
import threading
from typing import Any, Callable

from . import _native as native
from ._events import reference
from ._library import AudioSessionError, library, new, number
from ._native import Category, Role, Status
from ._session import Session
from ._stream import Stream, floats
from ._stream_events import OutputInfo, StreamStatistics
from ._values import Route
from ._waiting import deadline, in_pieces, in_thread, milliseconds

#: How much longer than its sound the end of a ``with`` waits for what was written, in seconds.
PATIENCE = 2


class OutputStream(Stream):
    """Plays the samples that are written to it while its session is active; in a ``with`` block it plays::

        with OutputStream(sample_rate=24_000, channels=1) as output:
            output.write(speech)

    It is silent while another session interrupts, is ducked while another one ducks, and is paused before anything is heard
    elsewhere when its device is lost. Samples are interleaved: ``bytes`` of 32-bit floats, or anything with the buffer
    protocol whose items are 32-bit or 64-bit floats or 16-bit integers, such as numpy's arrays. Full scale is 1, or 32,768
    of integers. Without the library nothing is played, and all calls return at once.

    :param session: its category has to play; ``None`` makes one of category playback.
    :param sample_rate: in frames per second; 0 takes the hardware's.
    :param channels: 1 to 8; 0 takes the hardware's.
    :param buffer_duration: how much can be written before it is played, in seconds, 0.001 to 10.
    :param reports_late_callbacks: for debugging a native function.
    :param render: the address of a native function of type ``as_render_function``, which renders the sound on the real-time
        thread instead. Python cannot run there.
    :param context: the address that the native function receives.
    :raises AudioSessionError: ``UNSUPPORTED_FORMAT``; what :class:`Session` raises.
    """

    _DESTROY = "as_output_destroy"
    _SET_HANDLER = "as_output_set_handler"

    def __init__(
        self, session: Session | None = None, *, sample_rate: int = 0, channels: int = 0,
        buffer_duration: float = 0.2, role: Role = Role.MUSIC, title: str | None = None,
        application_name: str | None = None, node_name: str | None = None, reports_late_callbacks: bool = False,
        render: int | None = None, context: int | None = None,
    ) -> None:
        super().__init__(session, lambda: Session(Category.PLAYBACK), native.as_output_handler)
        self._write_lock: Any = threading.RLock()
        self._buffer_duration = buffer_duration
        self._has_callback = render is not None
        options = new(native.as_output_options)
        options.sample_rate, options.channels, options.role = number(sample_rate), number(channels), role
        options.buffer_duration = milliseconds(buffer_duration, zero=1)
        options.reports_late_callbacks = reports_late_callbacks
        options.title, options.application_name = reference(title), reference(application_name)
        options.node_name = reference(node_name)
        if render is None:
            self._create("as_output_create", ctypes.byref(options))
        else:
            self._create(
                "as_output_create_with_callback", ctypes.byref(options), native.as_render_function(render), context,
                native.as_destroy_function())

    def __enter__(self) -> OutputStream:
        self.start()
        return self

    def __exit__(self, kind: object, *error: object) -> None:
        try:
            if kind is None and not self._has_callback:
                self.drain(self._buffer_duration + PATIENCE)
        except AudioSessionError as failure:
            if failure.status not in (Status.STOPPED, Status.CLOSED):
                raise
        finally:
            self.close()

    async def __aenter__(self) -> OutputStream:
        await in_thread(self.start, undo=self.close, drop=self.close)
        return self

    async def __aexit__(self, *error: object) -> None:
        await in_thread(lambda: self.__exit__(*error))

    def start(self) -> None:
        """Starts playing, or continues after a pause, and activates an inactive session first.

        :raises AudioSessionError: what :meth:`Session.activate` raises; ``INCOMPATIBLE_CATEGORY``.
        """
        self._check("as_output_start")

    async def start_async(self) -> None:
        """:meth:`start`, without blocking the event loop. It is carried out even if the task is cancelled."""
        await in_thread(self.start)

    def stop(self) -> None:
        """Stops, and drops what was written and not played."""
        self._end("as_output_stop")

    def write(self, data: Any, timeout: float | None = None) -> int:
        """Writes samples, and waits until all of them can be played soon, also through a pause.

        Writes of several threads are carried out one after the other. That of a signal handler does not wait for a write
        of the thread that it interrupts, which continues afterwards.

        :param timeout: in seconds; ``None`` waits for as long as it takes.
        :returns: how many frames were written: fewer than all only after ``timeout``.
        :raises AudioSessionError: ``STOPPED`` unless it was started; ``CLOSED``.
        """
        if self._opened() is None:
            return 0
        samples, channels = self._frames(data)
        total = 0

        def once(limit: int) -> bool:
            nonlocal total
            rest = ctypes.byref(samples, total * channels * 4)
            count, failure = self._transfer(
                "as_output_write", ctypes.cast(rest, ctypes.POINTER(ctypes.c_float)),
                len(samples) // channels - total, limit)
            total += count
            if failure:
                raise failure
            return total == len(samples) // channels

        end = deadline(timeout)
        self._alone(end, lambda: in_pieces(end, once))
        return total

    def _alone(self, end: float, work: Callable[[], Any]) -> Any:
        """Waits until no other thread writes, and does work during which none writes.

        :param end: the result of :func:`deadline`.
        :returns: the result of the work; ``None`` if the lock was not acquired in time.
        """
        lock = self._write_lock
        # A signal handler must not wait for its own thread. threading.Condition calls this function as well.
        if lock._is_owned():
            return work()
        try:
            is_locked = in_pieces(end, lambda limit: lock.acquire(timeout=limit / 1000))
            return work() if is_locked else None
        finally:
            # Does not test is_locked, because KeyboardInterrupt can be raised before the result of acquire is stored there.
            try:
                lock.release()
            except RuntimeError:
                pass  # This thread does not hold it.

    async def write_async(self, data: Any, timeout: float | None = None) -> int:
        """:meth:`write`, without blocking the event loop.

        A cancelled task ends within 0.2 seconds, and nothing is written afterwards. Call :meth:`flush` then to drop the part
        of the samples that was written.
        """
        count: int = await in_thread(lambda: self.write(data, timeout), is_awaited=True)
        return count

    def write_available(self, data: Any) -> int:
        """Writes the samples that there is room for, without waiting: for game loops.

        :returns: how many frames were written; 0 while :meth:`write` waits on another thread.
        :raises AudioSessionError: ``CLOSED``.
        """
        if self._opened() is None:
            return 0
        samples, channels = self._frames(data)
        count, failure = self._alone(
            deadline(0), lambda: self._transfer("as_output_write_available", samples, len(samples) // channels),
        ) or (0, None)
        if failure:
            raise failure
        return int(count)

    def _frames(self, data: Any) -> tuple[Any, int]:
        samples, channels = floats(data), max(1, self.info.channels)
        if len(samples) % channels:
            raise ValueError(f"{len(samples)} samples are no whole frames of {channels} channels.")
        return samples, channels

    def drain(self, timeout: float | None = None) -> bool:
        """Waits until all that was written has been played, also by writes that wait on other threads.

        :returns: whether it has, in time.
        :raises AudioSessionError: as :meth:`write`.
        """
        if self._opened() is None:
            return True
        end = deadline(timeout)
        has_written = bool(self._alone(end, lambda: True))
        return has_written and in_pieces(end, lambda limit: self._check_within("as_output_drain", limit))

    async def drain_async(self, timeout: float | None = None) -> bool:
        """:meth:`drain`, without blocking the event loop. A cancelled task ends within 0.2 seconds, after its drain."""
        return bool(await in_thread(lambda: self.drain(timeout), is_awaited=True))

    def flush(self) -> None:
        """Drops what was written and not played, so that what is written next is heard next."""
        self._value(None, lambda handle: library.require("as_output_flush", handle))

    def set_volume(self, volume: float) -> None:
        """Sets the output's own volume, 0 to 1 as the desktop's sliders count it; other values are clamped."""
        self._check("as_output_set_volume", volume)

    @property
    def info(self) -> OutputInfo:
        """The values of the output at one moment."""
        return self._info("as_output_get_info", native.as_output_info, OutputInfo)

    @property
    def statistics(self) -> StreamStatistics:
        """The latency, including the frames that were not played yet, and the activity of the real-time thread."""
        return self._statistics("as_output_get_statistics")

    @property
    def route(self) -> Route:
        """The route of the output's sound, also while it is silent."""
        return self._route("as_output_get_route")
