"""Calls that wait: their limits, and their threads in programs with asyncio."""

from __future__ import annotations

import asyncio
import contextvars
import math
import threading
import time
from typing import Any, Callable

from . import _native as native

#: The longest call of a wait in milliseconds, because signals and cancellations are handled between calls only.
PIECE = 200

#: Set when the task was cancelled for which this thread works. Never set on other threads.
_cancelled: contextvars.ContextVar[threading.Event] = contextvars.ContextVar("_cancelled", default=threading.Event())


def milliseconds(seconds: float, least: int = 0) -> int:
    """Converts a time for the library: rounded up to whole milliseconds, and below ``AS_FOREVER``.

    :param least: 1 where the library takes 0 as the default.
    :raises ValueError: if the time is negative or NaN.
    """
    if not seconds >= 0:
        raise ValueError(f"{seconds} seconds are not a time. Pass 0 or more.")
    # Rounded to nanoseconds first, because 0.07 * 1000 is more than 70.
    return max(least, math.ceil(round(min(seconds * 1000, native.FOREVER - 1), 6)))


def deadline(timeout: float | None) -> float:
    """The time of ``time.monotonic`` at which a wait ends that begins now; ``None`` has no limit.

    :raises ValueError: if the timeout is negative or NaN.
    """
    if timeout is None:
        return math.inf
    milliseconds(timeout)
    return time.monotonic() + timeout


def in_pieces(end: float, call: Callable[[int], bool]) -> bool:
    """Makes a call again and again, until it is done, its time is over, or the task was cancelled.

    :param end: of :func:`deadline`.
    :param call: takes a limit in milliseconds, and returns whether it is done.
    :returns: whether it is done.
    """
    cancelled = _cancelled.get()
    while not cancelled.is_set():
        if call(min(PIECE, milliseconds(max(0, end - time.monotonic())))):
            return True
        if time.monotonic() >= end:
            break
    return False


async def in_thread(work: Callable[[], Any], undo: Callable[[], object] = lambda: None) -> Any:
    """The result of work that blocks, which another thread does.

    If the task is cancelled, :func:`in_pieces` ends in the work, and other work is carried out.

    :param undo: called on a thread after work whose result is lost, because the task was cancelled.
    """
    loop, context, lock = asyncio.get_running_loop(), contextvars.copy_context(), threading.Lock()
    cancelled, is_done = threading.Event(), False
    context.run(_cancelled.set, cancelled)

    def run() -> Any:
        nonlocal is_done
        result = context.run(work)
        with lock:
            is_done = True
            is_lost = cancelled.is_set()
        if is_lost:
            undo()
        return result

    try:
        # Without the shield, work that waits for a thread would be dropped, such as the end of a block.
        return await asyncio.shield(loop.run_in_executor(None, run))
    except asyncio.CancelledError:
        with lock:
            cancelled.set()
            is_lost = is_done
        if is_lost:
            loop.run_in_executor(None, undo)
        raise
