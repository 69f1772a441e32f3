"""Calls that wait: their limits, and their threads in programs with asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import math
import threading
import time
from typing import Any, Callable

from . import _native as native

#: The longest call of a wait in milliseconds. Signals and cancellations are handled between calls only.
PIECE = 200

#: Set when the task that waits for the work of this thread is cancelled. Never set on threads without such a task.
_cancelled: contextvars.ContextVar[threading.Event] = contextvars.ContextVar("_cancelled", default=threading.Event())


def checked(seconds: float) -> float:
    """Returns a time that is 0 or more.

    :raises ValueError: if the time is negative or NaN.
    """
    if not seconds >= 0:
        raise ValueError(f"{seconds} seconds are not a time. Pass 0 or more.")
    return seconds


def milliseconds(seconds: float, zero: int = 0) -> int:
    """Converts a time for the library: rounded up to whole milliseconds, and below ``AS_FOREVER``.

    :param zero: the result for 0: 1 where the library's 0, which is its default, has no meaning in Python.
    :raises ValueError: if the time is negative or NaN.
    """
    if not checked(seconds):
        return zero
    # Rounded to nanoseconds first, because 0.07 * 1000 is more than 70.
    return max(1, math.ceil(round(min(seconds * 1000, native.FOREVER - 1), 6)))


def deadline(timeout: float | None) -> float:
    """The end of a wait that begins now, as a time of ``time.monotonic``; infinity for ``None``.

    :raises ValueError: if the timeout is negative or NaN.
    """
    if timeout is None:
        return math.inf
    return time.monotonic() + checked(timeout)


def in_pieces(end: float, call: Callable[[int], bool]) -> bool:
    """Repeats a call until it is done, its time is over, or the task is cancelled.

    :param end: the result of :func:`deadline`.
    :param call: a function that takes a limit in milliseconds, and returns whether it is done.
    :returns: whether it is done.
    """
    cancelled = _cancelled.get()
    while not cancelled.is_set():
        if call(min(PIECE, milliseconds(max(0, end - time.monotonic())))):
            return True
        if time.monotonic() >= end:
            break
    return False


async def in_thread(
    work: Callable[[], Any], undo: Callable[[], object] | None = None, drop: Callable[[], object] = lambda: None, *,
    is_awaited: bool = False,
) -> Any:
    """Runs work that blocks on another thread, and returns its result.

    If the task is cancelled, :func:`in_pieces` ends in the work. Work without ``undo`` is carried out.

    :param undo: called on a thread after the work, if the task was cancelled and therefore has no result.
    :param drop: called on a thread instead of the work, if there is ``undo`` and the task was cancelled before the work
        began.
    :param is_awaited: whether a cancelled task ends only after work that has begun.
    """
    loop, context, lock = asyncio.get_running_loop(), contextvars.copy_context(), threading.Lock()
    cancelled, has_begun, is_done = threading.Event(), False, False
    context.run(_cancelled.set, cancelled)

    def run() -> Any:
        nonlocal has_begun, is_done
        with lock:
            has_begun = True
            is_dropped = undo is not None and cancelled.is_set()
        if is_dropped:
            return drop()
        result = context.run(work)
        with lock:
            is_done = True
            is_lost = cancelled.is_set()
        if is_lost and undo:
            undo()
        return result

    future = loop.run_in_executor(None, run)
    try:
        # Without the shield, work that waits for a thread would be dropped, such as the end of a block.
        return await asyncio.shield(future)
    except asyncio.CancelledError:
        with lock:
            cancelled.set()
            is_lost, is_awaited = is_done, is_awaited and has_begun
        if is_lost and undo:
            loop.run_in_executor(None, undo)
        if is_awaited:
            await _wait_until_done(future)
        raise


async def _wait_until_done(future: asyncio.Future[Any]) -> None:
    """Waits for a future whose result is lost, also if the task is cancelled again."""
    while not future.done():
        with contextlib.suppress(asyncio.CancelledError):
            await asyncio.wait([future])
    if not future.cancelled():
        future.exception()  # asyncio reports an exception that was not retrieved.
