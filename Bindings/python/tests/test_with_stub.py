"""The package over functions of this file in place of the library's: its waits, its locks and what it passes on."""

from __future__ import annotations

import asyncio
import concurrent.futures
import copy
import ctypes
import gc
import itertools
import os
import pickle
import re
import signal
import sys
import threading
import time
import unittest
import warnings
import weakref
from typing import Any, Callable, Iterator
from unittest import mock

from audiosession import (
    AttachedStreams, AudioSessionError, Configuration, Direction, Event, EventType, InputStream, Manager, ManagerInfo,
    NowPlaying, OutputInfo, OutputStream, Player, Recorder, Route, Session, SessionInfo, State, Status, UnmanagedAudio)
from audiosession import _events, _manager, _native as native
from audiosession._library import Library, library

LIMIT = 10


class Stub:
    """Sessions, outputs and inputs without sound. Functions that are missing here have no effect."""

    #: The numbers of handles. No other stub has them, because Python may collect objects of an earlier test.
    _numbers = itertools.count(1)

    def __init__(self) -> None:
        self.called = threading.Event()
        self.may_return = threading.Event()
        self.may_return.set()
        #: Whether writes find room, and reads find frames.
        self.is_running = True
        #: When a call fails that a test does not end.
        self.end = time.monotonic() + LIMIT
        #: The first sample of each piece that was written.
        self.pieces: list[float] = []
        self.holds = 0
        self.arguments: dict[str, tuple[Any, ...]] = {}
        self.open: set[int] = set()

    def _make(self, handle: Any) -> int:
        handle._obj.value = next(Stub._numbers)
        self.open.add(handle._obj.value)
        return Status.OK

    def __getattr__(self, name: str) -> Callable[..., int]:
        if name.endswith(("_create", "_open")):
            def function(*arguments: Any) -> int:
                self.arguments[name] = arguments
                return self._make(arguments[-2])
        elif name.endswith(("_close", "_destroy")):
            def function(*arguments: Any) -> int:
                self.open.discard(arguments[0].value)
                return Status.OK
        elif name.startswith("as_") and not re.search("_get_|_name$", name):
            def function(*arguments: Any) -> int:
                self.arguments[name] = arguments
                return Status.OK
        else:
            raise AttributeError(name)
        return function

    def as_session_hold(self, session: Any, hold: Any, error: Any) -> int:
        self.called.set()
        self.may_return.wait(LIMIT)
        self.holds += 1
        return self._make(hold)

    def as_hold_end(self, hold: Any) -> int:
        self.holds -= 1
        return Status.OK

    def as_output_start(self, output: Any, error: Any) -> int:
        self.called.set()
        self.may_return.wait(LIMIT)
        return Status.OK

    def as_output_get_info(self, output: Any, info: Any) -> int:
        info._obj.channels = 1
        return Status.OK

    def as_output_write(self, output: Any, samples: Any, frames: int, limit: int, count: Any, error: Any) -> int:
        """Writes at most 100 frames."""
        if output is None or output.value not in self.open:
            return Status.BAD_HANDLE
        self.called.set()
        if not self.is_running:
            return self._wait(limit)
        self.may_return.wait(LIMIT)
        self.pieces.append(samples[0])
        count._obj.value = min(frames, 100)
        time.sleep(0.01)
        return Status.OK if frames <= 100 else Status.TIMED_OUT

    def as_output_drain(self, output: Any, limit: int, error: Any) -> int:
        self.called.set()
        return Status.OK if self.is_running else self._wait(limit)

    def as_output_flush(self, output: Any) -> int:
        self.pieces.clear()
        return Status.OK

    as_input_get_info = as_output_get_info

    def as_input_read(self, input: Any, samples: Any, frames: int, limit: int, count: Any, error: Any) -> int:
        self.called.set()
        return self._wait(limit)

    def _wait(self, limit: int) -> int:
        time.sleep(limit / 1000)
        return Status.TIMED_OUT if time.monotonic() < self.end else Status.STOPPED


class Loading(unittest.TestCase):
    def test_an_interrupted_load_is_repeated(self) -> None:
        fresh, stub = Library(), mock.MagicMock()
        with mock.patch.object(ctypes, "CDLL", side_effect=KeyboardInterrupt):
            self.assertRaises(KeyboardInterrupt, fresh.loaded)
        with mock.patch.object(ctypes, "CDLL", return_value=stub):
            self.assertIs(fresh.loaded(), stub)

    def test_a_signal_handler_can_call_the_library_while_it_is_loaded(self) -> None:
        fresh, stub = Library(), mock.MagicMock()
        found: list[object] = []

        def load(name: str) -> object:
            if not found:
                found.append(None)
                found.append(fresh.loaded())  # As a handler does on the same thread.
            return stub

        with mock.patch.object(ctypes, "CDLL", side_effect=load):
            thread = threading.Thread(target=fresh.loaded, daemon=True)
            thread.start()
            thread.join(LIMIT)
            self.assertFalse(thread.is_alive())
        self.assertEqual(found, [None, stub])


class WithStub(unittest.TestCase):
    def setUp(self) -> None:
        library.loaded()
        self.stub = Stub()
        patch = mock.patch.object(library, "_library", self.stub)
        patch.start()
        self.addCleanup(patch.stop)
        self.manager = Manager()
        self.addCleanup(self.manager.close)
        self.session = Session(manager=self.manager)

    def in_background(self, work: Callable[[], object]) -> threading.Thread:
        thread = threading.Thread(target=work, daemon=True)
        thread.start()
        self.addCleanup(thread.join, LIMIT)
        return thread

    def until(self, condition: Callable[[], object]) -> None:
        """Waits for what no event announces."""
        deadline = time.monotonic() + LIMIT
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.001)

    def assert_fails(self, status: Status, call: Callable[[], object]) -> None:
        with self.assertRaises(AudioSessionError) as failure:
            call()
        self.assertEqual(failure.exception.status, status)
        self.assertIn("was closed", str(failure.exception))


class Cancelling(WithStub):
    def cancel(
        self, call: Any, at: Callable[[], None] = lambda: None, after: Callable[[bool], None] = lambda is_done: None,
    ) -> float:
        """Cancels a call once the stub was called, and returns how long asyncio.run took from then on.

        :param at: called before the cancellation.
        :param after: called at the end of the task, with whether it ended before the stub's call could return.
        """
        async def run() -> None:
            nonlocal begin
            task = asyncio.ensure_future(call())
            await asyncio.get_running_loop().run_in_executor(None, self.stub.called.wait, LIMIT)
            at()
            begin = time.monotonic()
            await self.deliver_cancellation(task)
            is_done = task.done()
            self.stub.may_return.set()
            with self.assertRaises(asyncio.CancelledError):
                await task
            after(is_done)

        begin = 0.0
        asyncio.run(asyncio.wait_for(run(), LIMIT))
        return time.monotonic() - begin

    async def deliver_cancellation(self, task: asyncio.Future[Any]) -> None:
        """Cancels a task, and returns when the call in which it waits has received that."""
        task.cancel()
        for _ in range(10):
            await asyncio.sleep(0)

    def cancel_before_work(self, block: Any) -> None:
        """Cancels a task that waits for a thread at the beginning of a block."""
        async def run() -> None:
            loop, is_free = asyncio.get_running_loop(), threading.Event()
            loop.set_default_executor(concurrent.futures.ThreadPoolExecutor(1))
            loop.run_in_executor(None, is_free.wait, LIMIT)
            task = asyncio.ensure_future(self.enter(block))
            await asyncio.sleep(0)
            await self.deliver_cancellation(task)
            is_free.set()
            with self.assertRaises(asyncio.CancelledError):
                await task

        # It returns after all work on other threads.
        asyncio.run(asyncio.wait_for(run(), LIMIT))
        self.assertFalse(self.stub.called.is_set())

    async def enter(self, block: Any) -> None:
        async with block:
            self.fail("the activation was not cancelled")

    def test_a_session_that_activates_late_is_released(self) -> None:
        self.stub.may_return.clear()
        self.cancel(lambda: self.enter(self.session))
        self.assertEqual((self.stub.holds, self.session._holds), (0, []))

    def test_a_session_that_activates_at_the_cancellation_is_released(self) -> None:
        def activate() -> None:
            self.stub.may_return.set()
            self.until(lambda: self.session._holds)

        self.stub.may_return.clear()
        # The event loop does not run meanwhile, so the task does not receive the result.
        self.cancel(lambda: self.enter(self.session), activate)
        self.assertEqual((self.stub.holds, self.session._holds), (0, []))

    def test_an_earlier_block_keeps_the_session_active(self) -> None:
        with self.session:
            self.stub.called.clear()
            self.stub.may_return.clear()
            self.cancel(lambda: self.enter(self.session))
            self.assertEqual((self.stub.holds, len(self.session._holds)), (1, 1))

    def test_a_session_whose_activation_has_not_begun_is_not_activated(self) -> None:
        self.cancel_before_work(self.session)
        self.assertEqual((self.stub.holds, self.session._holds), (0, []))

    def test_a_dropped_activation_keeps_the_hold_of_an_earlier_block(self) -> None:
        with self.session:
            self.stub.called.clear()
            self.cancel_before_work(self.session)
            self.assertEqual((self.stub.holds, len(self.session._holds)), (1, 1))

    def test_streams_whose_start_has_not_begun_are_closed(self) -> None:
        for stream in (OutputStream(self.session), InputStream(self.session)):
            self.cancel_before_work(stream)
            self.assertIsNone(stream._handle)
            self.assertNotIn("as_input_start", self.stub.arguments)

    def test_an_output_that_starts_late_is_closed(self) -> None:
        self.stub.may_return.clear()
        output = OutputStream(self.session)
        self.cancel(lambda: self.enter(output))
        self.assertIsNone(output._handle)

    def test_a_write_ends(self) -> None:
        self.stub.is_running = False
        output = OutputStream(self.session)
        self.assertLess(self.cancel(lambda: output.write_async(bytes(4 * 48_000))), LIMIT / 2)
        self.assertEqual(self.stub.pieces, [])

    def test_a_write_writes_no_more_pieces(self) -> None:
        output = OutputStream(self.session)
        # The first piece returns after the cancellation.
        self.stub.may_return.clear()
        self.cancel(lambda: output.write_async(bytes(4 * 48_000)))
        self.assertEqual(len(self.stub.pieces), 1)

    def test_nothing_is_written_after_the_end_of_a_cancelled_task(self) -> None:
        output = OutputStream(self.session)

        def flush(is_done: bool) -> None:
            self.assertFalse(is_done)
            self.assertEqual(len(self.stub.pieces), 1)
            output.flush()

        self.stub.may_return.clear()
        self.cancel(lambda: output.write_async(bytes(4 * 48_000)), after=flush)
        # All threads of the event loop have ended.
        self.assertEqual(self.stub.pieces, [])

    def test_a_task_that_is_cancelled_twice_waits_for_its_write(self) -> None:
        output = OutputStream(self.session)

        async def run() -> None:
            task = asyncio.ensure_future(output.write_async(bytes(4 * 48_000)))
            await asyncio.get_running_loop().run_in_executor(None, self.stub.called.wait, LIMIT)
            for _ in range(2):
                await self.deliver_cancellation(task)
                self.assertFalse(task.done())
            self.stub.may_return.set()
            with self.assertRaises(asyncio.CancelledError):
                await task

        self.stub.may_return.clear()
        asyncio.run(asyncio.wait_for(run(), LIMIT))

    def test_a_write_that_waits_for_another_ends(self) -> None:
        self.stub.is_running = False
        output = OutputStream(self.session)
        lock = output._write_lock = mock.Mock(wraps=output._write_lock)
        writer = self.in_background(lambda: output.write(bytes(4), LIMIT))
        self.until(lambda: lock.acquire.call_count == 1)
        waits = self.cancel(lambda: output.write_async(bytes(4)), lambda: self.until(lambda: lock.acquire.call_count > 1))
        self.assertLess(waits, LIMIT / 2)
        self.assertTrue(writer.is_alive())
        self.stub.is_running = True

    def test_a_read_and_a_drain_end(self) -> None:
        microphone = InputStream(self.session)
        self.assertLess(self.cancel(lambda: microphone.read_async(48_000)), LIMIT / 2)
        self.stub.is_running = False
        self.stub.called.clear()
        output = OutputStream(self.session)
        self.assertLess(self.cancel(output.drain_async), LIMIT / 2)

    def test_the_end_of_a_block_is_carried_out(self) -> None:
        self.stub.called.set()
        blocked = threading.Event()

        async def leave() -> None:
            loop = asyncio.get_running_loop()
            async with self.session:
                # All threads of the event loop are in use, so the end has to wait for one.
                for _ in range(64):
                    loop.run_in_executor(None, blocked.wait, LIMIT)
                loop.call_soon(asyncio.current_task().cancel)
            self.fail("the task was not cancelled")

        async def run() -> None:
            with self.assertRaises(asyncio.CancelledError):
                await leave()
            blocked.set()

        asyncio.run(run())
        self.assertEqual(self.stub.holds, 0)


class Writes(WithStub):
    def test_writes_of_two_threads_are_not_mixed(self) -> None:
        output = OutputStream(self.session)
        data = [(ctypes.c_float * 1_000)(*[sample] * 1_000) for sample in (1, 2)]
        writers = [self.in_background(lambda data=one: output.write(data)) for one in data]
        for writer in writers:
            writer.join(LIMIT)
        self.assertEqual(len(self.stub.pieces), 20)
        self.assertEqual(self.stub.pieces, sorted(self.stub.pieces, key=lambda piece: piece != self.stub.pieces[0]))

    def test_a_signal_handler_writes_and_drains_during_a_write_of_its_thread(self) -> None:
        output = OutputStream(self.session)
        results: list[Any] = []

        def handle(number: int, frame: Any) -> None:
            signal.signal(signal.SIGUSR1, signal.SIG_IGN)
            results.extend((output.write(bytes(4), LIMIT), output.write_available(bytes(4)), output.drain(LIMIT)))

        def write(*arguments: Any) -> int:
            os.kill(os.getpid(), signal.SIGUSR1)
            return Stub.as_output_write(self.stub, *arguments)

        before = signal.signal(signal.SIGUSR1, handle)
        self.addCleanup(signal.signal, signal.SIGUSR1, before)
        self.stub.as_output_write = write
        self.assertEqual(output.write(bytes(4 * 200), LIMIT), 200)
        self.assertEqual((results[0], results[2], len(results), len(self.stub.pieces)), (1, True, 3, 3))
        self.assert_is_free(output)

    def test_an_interrupt_while_it_waits_for_another_write_leaves_no_lock(self) -> None:
        output = OutputStream(self.session)
        lock = output._write_lock

        def acquire(timeout: float) -> bool:
            lock.acquire(timeout=timeout)
            raise KeyboardInterrupt

        with mock.patch.object(output, "_write_lock", mock.Mock(wraps=lock)) as interrupted:
            interrupted.acquire.side_effect = acquire
            for call in (output.drain, lambda: output.write(bytes(4)), lambda: output.write_available(bytes(4))):
                with self.assertRaises(KeyboardInterrupt):
                    call()
        self.assert_is_free(output)

    def test_an_interrupt_during_a_write_leaves_no_lock(self) -> None:
        output = OutputStream(self.session)
        self.stub.as_output_write = mock.Mock(side_effect=KeyboardInterrupt)
        with self.assertRaises(KeyboardInterrupt):
            output.write(bytes(4))
        del self.stub.as_output_write
        self.assert_is_free(output)

    def assert_is_free(self, output: OutputStream) -> None:
        """Writes on another thread."""
        counts: list[int] = []
        self.in_background(lambda: counts.append(output.write(bytes(4), LIMIT / 2))).join(LIMIT)
        self.assertEqual(counts, [1])

    def test_a_limit_includes_the_wait_for_another_write(self) -> None:
        self.stub.is_running = False
        output = OutputStream(self.session)
        writer = self.in_background(lambda: output.write(bytes(4), LIMIT))
        self.assertTrue(self.stub.called.wait(LIMIT))
        self.assertEqual((output.write(bytes(4), 0), output.write(bytes(4), 0.01)), (0, 0))
        self.assertEqual((output.write_available(bytes(4)), output.drain(0), output.drain(0.01)), (0, False, False))
        self.assertTrue(writer.is_alive())
        self.stub.is_running = True
        self.assertTrue(output.drain(LIMIT))
        self.assertEqual(len(self.stub.pieces), 1)


class Closed(WithStub):
    def test_a_session_is_not_activated(self) -> None:
        self.session.activate()
        self.session.close()
        self.session.close()
        self.session.deactivate()
        for call in (self.session.activate, self.session.__enter__, lambda: self.session.override_output(False),
                     lambda: self.session.configure(Configuration()),
                     lambda: asyncio.run(self.session.activate_async()), lambda: OutputStream(self.session),
                     lambda: UnmanagedAudio(self.session)):
            self.assert_fails(Status.EXPIRED_SESSION, call)
        self.assertEqual((self.session.state, self.session.id, list(self.session.events())), (State.INACTIVE, "", []))

    def test_a_manager_makes_no_sessions(self) -> None:
        self.manager.close()
        self.manager.close()
        for call in (lambda: Session(manager=self.manager), self.manager.__enter__,
                     lambda: self.manager.set_silent_mode(True)):
            self.assert_fails(Status.CLOSED, call)
        self.assertEqual((self.manager.route.outputs, list(self.manager.events())), ((), []))

    def test_streams_neither_play_nor_capture(self) -> None:
        output, microphone = OutputStream(self.session), InputStream(self.session)
        player, recorder = Player(self.session), Recorder(self.session)
        for stream in (output, microphone, player, recorder):
            stream.close()
            stream.close()
            stream.stop()
        output.flush()
        for call in (output.start, output.__enter__, lambda: output.write(bytes(4)), output.drain,
                     lambda: output.write_available(bytes(4)), lambda: asyncio.run(output.write_async(bytes(4))),
                     microphone.start, lambda: microphone.read(1), player.play, player.__enter__, player.pause,
                     lambda: NowPlaying(player, "name"), recorder.record, lambda: recorder.read(1)):
            self.assert_fails(Status.CLOSED, call)
        self.assertEqual(
            (output.info, player.queue, list(microphone), list(output.events())), (OutputInfo(), (), [], []))

    def test_a_write_that_waits_fails(self) -> None:
        self.stub.is_running = False
        output = OutputStream(self.session)

        def close() -> None:
            self.stub.called.wait(LIMIT)
            output.close()

        self.in_background(close)
        self.assert_fails(Status.CLOSED, lambda: output.write(bytes(4), LIMIT))

    def test_values_of_a_session_that_another_thread_closes_are_the_defaults(self) -> None:
        calls: tuple[tuple[str, Callable[[Session], object], object], ...] = (
            ("as_session_get_id", lambda session: session.id, ""),
            ("as_session_get_info", lambda session: session.info, SessionInfo()),
            ("as_session_get_configuration", lambda session: session.configuration, Configuration()),
            ("as_session_get_route", lambda session: session.route, Route()),
            ("as_session_get_preferred_ports", lambda session: session.preferred_ports, Route()),
            ("as_session_get_silence_reasons", lambda session: session.silence_reasons, ()),
            ("as_session_get_choice", lambda session: session.choice(Direction.INPUT), None),
            ("as_session_get_data_sources", lambda session: session.data_sources(Direction.INPUT), ()),
            ("as_session_deactivate", Session.deactivate, None))
        for function, call, default in calls:
            with self.subTest(function):
                session = Session(manager=self.manager)
                self.close_in(function, session)
                self.assertEqual(call(session), default)
                self.assertTrue(session._is_closed)
        self.close_in("as_manager_get_info", self.manager)
        self.assertEqual(self.manager.info, ManagerInfo())

    def test_an_output_that_another_thread_closes_neither_flushes_nor_stops(self) -> None:
        for function, call in (
                ("as_output_flush", OutputStream.flush), ("as_output_stop", OutputStream.stop),
                ("as_output_get_info", lambda output: output.info), ("as_output_get_route", lambda output: output.route),
                ("as_output_get_statistics", lambda output: output.statistics)):
            with self.subTest(function):
                output = OutputStream(self.session)
                self.close_in(function, output)
                call(output)
                self.assertTrue(output._is_closed)
                delattr(self.stub, function)

    def test_a_forked_child_waits_for_no_thread_of_its_parent(self) -> None:
        hub, is_locked, may_end = self.session._hub, threading.Event(), threading.Event()

        def hold() -> None:
            with hub._lock:
                is_locked.set()
                may_end.wait(LIMIT)

        self.stub.as_session_destroy = lambda session: Status.FORKED
        self.in_background(hold)
        self.assertTrue(is_locked.wait(LIMIT))
        closing = self.in_background(self.session.close)
        closing.join(LIMIT / 2)
        self.assertFalse(closing.is_alive())
        may_end.set()

    def test_a_forked_child_ends_in_a_block_of_its_parent(self) -> None:
        self.stub.as_hold_end = lambda hold: Status.FORKED
        with self.assertRaises(SystemExit), self.session:
            sys.exit(3)

    def test_a_handle_that_is_not_closed_is_an_error(self) -> None:
        self.stub.as_session_get_info = lambda *arguments: Status.BAD_HANDLE
        with self.assertRaises(AudioSessionError):
            self.session.info

    def close_in(self, function: str, closed: Any) -> None:
        """Lets a function of the stub find that another thread has closed the object meanwhile."""
        def call(handle: Any, *arguments: Any) -> int:
            self.assertTrue(handle)
            closed.close()
            return Status.BAD_HANDLE

        setattr(self.stub, function, call)

    def test_a_block_may_close_its_output(self) -> None:
        with OutputStream(self.session) as output:
            output.close()


class Collected(WithStub):
    """Objects without references, which Python collects while any code runs."""

    def test_an_object_with_a_handler_is_not_awaited(self) -> None:
        for function, make in (
                ("as_manager_close", Manager), ("as_session_destroy", lambda: Session(manager=self.manager)),
                ("as_output_destroy", lambda: OutputStream(self.session)),
                ("as_unmanaged_destroy", lambda: UnmanagedAudio(self.session))):
            with self.subTest(function):
                may_return, is_released = threading.Event(), threading.Event()

                def release(handle: Any) -> int:
                    may_return.wait(LIMIT)  # As for an observer that waits for a lock of this thread.
                    is_released.set()
                    return Status.OK

                setattr(self.stub, function, release)
                made = make()
                reference, events = weakref.ref(made), made.events()
                del made
                self.assertIsNone(reference())
                self.assertFalse(is_released.is_set())
                may_return.set()
                self.assertTrue(is_released.wait(LIMIT))
                self.assertIsNone(events.get(LIMIT))
                delattr(self.stub, function)

    def test_an_object_is_collected_while_a_thread_begins(self) -> None:
        may_collect, is_collected = threading.Event(), threading.Event()
        sessions = [Session(manager=self.manager)]
        events = sessions[0].events()
        # No daemon, as most threads, because new ones are like it.
        collecting = threading.Thread(
            target=lambda: (may_collect.wait(LIMIT), sessions.clear(), is_collected.set()))
        collecting.start()
        # Python 3.13 has no such lock.
        with getattr(threading, "_shutdown_locks_lock", threading.Lock()):
            may_collect.set()
            self.assertTrue(is_collected.wait(LIMIT / 2))
        collecting.join(LIMIT)
        self.assertIsNone(events.get(LIMIT))

    def test_the_end_of_the_interpreter_waits_for_a_release(self) -> None:
        may_return = threading.Event()
        self.stub.as_session_destroy = lambda handle: may_return.wait(LIMIT) and Status.OK
        sessions = [Session(manager=self.manager)]
        events = sessions[0].events()
        sessions.clear()
        with mock.patch.object(Manager, "_open", weakref.WeakSet()):
            ending = self.in_background(_manager._close_all)
            ending.join(0.1)
            self.assertTrue(ending.is_alive())
            may_return.set()
            ending.join(LIMIT)
        self.assertFalse(ending.is_alive() or events._is_open)

    def test_an_object_is_released_when_no_thread_begins(self) -> None:
        session = Session(manager=self.manager)
        handle = session._handle.value
        session.events()
        with mock.patch.object(threading.Thread, "start", side_effect=RuntimeError):
            del session
        self.assertNotIn(handle, self.stub.open)

    def test_the_handler_of_an_object_that_cannot_be_released_is_kept(self) -> None:
        self.addCleanup(_events._kept.clear)
        events = self.session.events()
        self.stub.as_session_destroy = lambda session: Status.WRONG_THREAD
        with mock.patch.object(threading.Thread, "start", side_effect=RuntimeError):
            with self.assertRaises(RuntimeError):
                self.session.close()
        self.assertFalse(events._is_open)
        self.assertIn(self.session._hub, _events._kept)

    def test_an_object_without_a_handler_is_released_at_once(self) -> None:
        before = set(self.stub.open)
        for make in (Manager, lambda: Session(manager=self.manager), lambda: OutputStream(self.session)):
            make()
            self.assertEqual(self.stub.open, before)


class Shared(WithStub):
    def test_a_signal_handler_can_use_the_manager_while_it_connects(self) -> None:
        found: list[Manager] = []
        opened: list[Any] = []

        def connect(*arguments: Any) -> int:
            opened.append(arguments)
            if len(opened) == 1:
                found.append(Manager.shared())  # As a handler does on the same thread.
            return self.stub._make(arguments[-2])

        self.stub.as_manager_open = connect
        before = set(self.stub.open)
        with mock.patch.object(Manager, "_shared", None):
            self.in_background(lambda: found.append(Manager.shared())).join(LIMIT)
            self.assertEqual(len(found), 2)
            self.assertIs(found[0], found[1])
            found[0].close()
        gc.collect()
        self.assertEqual(self.stub.open, before)


    def test_a_child_that_is_forked_while_the_manager_connects_does_not_wait(self) -> None:
        def connect(*arguments: Any) -> int:
            self.stub.called.set()
            self.stub.may_return.wait(LIMIT)
            return self.stub._make(arguments[-2])

        self.stub.as_manager_open = connect
        self.stub.may_return.clear()
        with mock.patch.object(Manager, "_shared", None):
            connecting = self.in_background(Manager.shared)
            self.assertTrue(self.stub.called.wait(LIMIT))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", DeprecationWarning)  # Of a fork beside other threads.
                child = os.fork()
            if child == 0:
                os._exit(0 if Manager._shared_lock.acquire(blocking=False) else 1)
            self.assertEqual(os.waitpid(child, 0)[1], 0)
            self.stub.may_return.set()
            connecting.join(LIMIT)
            Manager.shared().close()


class Interrupts(WithStub):
    """A KeyboardInterrupt is raised when a call of the library has returned, before its result is known."""

    def test_a_block_that_does_not_begin_leaves_no_hold(self) -> None:
        def hold(*arguments: Any) -> int:
            Stub.as_session_hold(self.stub, *arguments)
            raise KeyboardInterrupt

        self.stub.as_session_hold = hold
        with self.assertRaises(KeyboardInterrupt):
            self.session.__enter__()
        self.assertEqual((self.stub.holds, self.session._holds), (0, []))

    def test_a_session_whose_hold_ends_is_released(self) -> None:
        events, handle = self.session.events(), self.session._handle.value
        self.session.__enter__()
        self.stub.as_hold_end = mock.Mock(side_effect=KeyboardInterrupt)
        with self.assertRaises(KeyboardInterrupt):
            self.session.close()
        self.assertNotIn(handle, self.stub.open)
        self.assertFalse(events._is_open)

    def test_a_session_whose_release_is_interrupted_is_released(self) -> None:
        def interrupt(handle: Any) -> int:
            del self.stub.as_session_destroy
            raise KeyboardInterrupt

        self.addCleanup(_events._kept.clear)
        events, handle = self.session.events(), self.session._handle.value
        self.stub.as_session_destroy = interrupt
        with self.assertRaises(KeyboardInterrupt):
            self.session.close()
        self.assertNotIn(handle, self.stub.open)
        self.assertFalse(events._is_open)

    def test_an_object_that_is_not_returned_is_released(self) -> None:
        def create(*arguments: Any) -> int:
            self.stub._make(arguments[-2])
            raise KeyboardInterrupt

        player = Player(self.session)
        for function, make in (
                ("as_manager_open", Manager), ("as_session_create", lambda: Session(manager=self.manager)),
                ("as_output_create", lambda: OutputStream(self.session)),
                ("as_unmanaged_create", lambda: UnmanagedAudio(self.session)),
                ("as_now_playing_create", lambda: NowPlaying(player, "name"))):
            with self.subTest(function):
                before = set(self.stub.open)
                setattr(self.stub, function, create)
                with self.assertRaises(KeyboardInterrupt):
                    make()
                gc.collect()
                self.assertEqual(self.stub.open, before)


class Events(WithStub):
    def test_an_observer_that_fails_takes_no_event_from_others(self) -> None:
        hub: _events.EventHub[Event] = _events.EventHub("none", native.as_session_handler, Event._from)
        seen: list[EventType] = []
        failure = ValueError("of a test")

        def fail(event: Event) -> None:
            raise failure

        with mock.patch.object(sys, "unraisablehook") as hook:
            hub.call(None, lambda event: seen.append(event.type))
            cancel = hub.call(None, fail)
            hub.call(None, lambda event: seen.append(event.type))
            event = native.as_event(size=ctypes.sizeof(native.as_event), type=EventType.DUCKING)
            hub._receive(None, ctypes.pointer(event), None)
            self.assertEqual([call.args[0].exc_value for call in hook.mock_calls], [failure])
            cancel()
            hub._receive(None, ctypes.pointer(event), None)
            self.assertEqual((hook.call_count, seen), (1, [EventType.DUCKING] * 4))

    def test_a_stream_that_is_made_while_its_session_closes_ends(self) -> None:
        test = self

        class Made(_events.EventStream[Event]):
            def __init__(self, is_open: bool) -> None:
                super().__init__(is_open)
                # A stream that is made under the lock delays this end.
                test.in_background(test.session._hub.close).join(0.1)

        with mock.patch.object(_events, "EventStream", Made):
            events = self.session.events()
        self.assertIsNone(events.get(LIMIT))
        self.assertFalse(events._is_open)

    def test_a_session_that_is_made_while_its_manager_closes_ends(self) -> None:
        test, late = self, Session(manager=self.manager)
        del self.manager._sessions[id(late)]
        events, earlier = late.events(), self.session.events()

        class Members(weakref.WeakValueDictionary[int, Session]):
            def valuerefs(self) -> list[Any]:
                found = super().valuerefs()
                # As another thread or a signal handler does now.
                test.manager._add(late, test.manager._sessions)
                return found

        with mock.patch.object(self.manager, "_sessions", Members({id(self.session): self.session})):
            self.manager.close()
        for stream in (events, earlier):
            self.assertIsNone(stream.get(LIMIT))
            self.assertFalse(stream._is_open)

    def test_a_signal_handler_can_close_a_session_while_a_stream_is_made(self) -> None:
        test = self
        found: list[_events.EventStream[Event]] = []

        class Made(_events.EventStream[Event]):
            def __init__(self, is_open: bool) -> None:
                super().__init__(is_open)
                test.session.close()  # As a handler does on the same thread.

        with mock.patch.object(_events, "EventStream", Made):
            self.in_background(lambda: found.append(self.session.events())).join(LIMIT)
        self.assertEqual([stream._is_open for stream in found], [False])

    def test_a_signal_handler_can_make_a_stream_while_its_session_closes(self) -> None:
        test = self
        found: list[_events.EventStream[Event]] = []

        class Streams(weakref.WeakSet[_events.EventStream[Event]]):
            def __iter__(self) -> Iterator[_events.EventStream[Event]]:
                for stream in super().__iter__():
                    found.append(test.session.events())  # As a handler does on the same thread.
                    yield stream

        events = self.session.events()
        with mock.patch.object(self.session._hub, "_streams", Streams([events])):
            self.session.close()
        self.assertEqual([stream._is_open for stream in (events, *found)], [False, False])

    def test_a_reader_that_is_cancelled_keeps_no_memory(self) -> None:
        async def run() -> None:
            events = self.session.events()
            reader = asyncio.ensure_future(events.__anext__())
            await asyncio.sleep(0)
            self.assertEqual(len(events._waiters), 1)
            reader.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await reader
            self.assertEqual(events._waiters, [])
            events._push(Event(EventType.DUCKING))
            self.assertEqual((await events.__anext__()).type, EventType.DUCKING)

        asyncio.run(asyncio.wait_for(run(), LIMIT))

    def test_a_handler_that_was_not_set_is_set_for_the_next_stream(self) -> None:
        for failure, error in ((KeyboardInterrupt, KeyboardInterrupt), (None, AudioSessionError)):
            session = Session(manager=self.manager)
            setter = self.stub.as_session_set_handler = mock.Mock(side_effect=failure, return_value=Status.FORKED)
            with self.assertRaises(error):
                session.events()
            setter.side_effect, setter.return_value = None, Status.OK
            session.events()
            self.assertEqual(setter.call_count, 2)

    def test_a_stream_whose_session_was_just_released_ends(self) -> None:
        def set_handler(session: Any, handler: Any, data: Any) -> int:
            self.session.close()
            return Status.BAD_HANDLE

        self.stub.as_session_set_handler = set_handler
        self.assertEqual(list(self.session.events()), [])


class Values(WithStub):
    def test_times_are_rounded_up(self) -> None:
        for seconds, milliseconds in (
                (0, 0), (1e-9, 1), (1e-12, 1), (0.0011, 2), (0.07, 70), (5, 5_000), (1e9, 2**32 - 2),
                (float("inf"), 2**32 - 2)):
            with self.subTest(seconds), Manager(timeout=seconds):
                self.assertEqual(self.stub.arguments["as_manager_open"][0]._obj.timeout, milliseconds)
        for limit, milliseconds in ((0, 0), (0.0005, 1)):
            self.session.set_resumes_on_replug(True, limit)
            self.assertEqual(self.stub.arguments["as_session_set_resumes_on_replug"][2], milliseconds)
        for duration, milliseconds in ((0, 1), (0.0201, 21)):
            OutputStream(self.session, buffer_duration=duration)
            self.assertEqual(self.stub.arguments["as_output_create"][1]._obj.buffer_duration, milliseconds)

    def test_times_that_are_no_times_are_errors(self) -> None:
        output, microphone = OutputStream(self.session), InputStream(self.session)
        unmanaged, player, events = UnmanagedAudio(self.session), Player(self.session), self.session.events()
        for seconds in (-1, -1e-9, float("nan")):
            for call in (lambda: Manager(timeout=seconds),
                         lambda: OutputStream(self.session, buffer_duration=seconds),
                         lambda: InputStream(self.session, buffer_duration=seconds),
                         lambda: Recorder(self.session, buffer_duration=seconds), lambda: output.drain(seconds),
                         lambda: output.write(bytes(4), seconds), lambda: microphone.read(1, seconds),
                         lambda: self.session.set_resumes_on_replug(True, seconds),
                         lambda: self.session.set_preferred_io_buffer_duration(seconds),
                         lambda: player.seek(seconds), lambda: events.get(seconds),
                         lambda: unmanaged.wait_until_restored(seconds)):
                with self.assertRaises(ValueError):
                    call()

    def test_numbers_that_are_too_large_stay_so(self) -> None:
        large, least, greatest = 2**32 + 2, -2**31, 2**31 - 1
        for function, make in (
                ("as_output_create", OutputStream), ("as_input_create", InputStream), ("as_recorder_create", Recorder)):
            for value, passed in ((large, greatest), (-large, least), (2, 2)):
                make(self.session, sample_rate=value, channels=value)
                options = self.stub.arguments[function][1]._obj
                self.assertEqual((options.sample_rate, options.channels), (passed, passed))
        Recorder(self.session, bits_per_sample=2**32 + 16)
        self.assertEqual(self.stub.arguments["as_recorder_create"][1]._obj.bits_per_sample, greatest)
        self.session.set_preferred_sample_rate(large)
        self.assertEqual(self.stub.arguments["as_session_set_preferred_sample_rate"][1], greatest)
        self.session.set_preferred_channels(Direction.OUTPUT, -large)
        self.assertEqual(self.stub.arguments["as_session_set_preferred_channels"][2], least)
        player = Player(self.session)
        for index, passed in ((2**32, 2**32 - 1), (-2**32, 2**32 - 1), (-1, 2**32 - 1), (1, 1)):
            player.skip(index)
            self.assertEqual(self.stub.arguments["as_player_skip"][1], passed)
        UnmanagedAudio(self.session, processes=[2**32 + 5, 5])
        options = self.stub.arguments["as_unmanaged_create"][1]._obj
        self.assertEqual(options.processes[:options.process_count], [greatest, 5])

    def test_a_zero_character_is_an_error(self) -> None:
        player, recorder = Player(self.session), Recorder(self.session)
        for call in (lambda: Session(group="a\0b", manager=self.manager), lambda: Manager("a\0b"),
                     lambda: Configuration(group="\0").validate(), lambda: self.session.set_preferred_output("a\0"),
                     lambda: OutputStream(self.session, title="a\0b"),
                     lambda: InputStream(self.session, node_name="\0"), lambda: player.load("a", "a\0b"),
                     lambda: player.enqueue(b"a\0b"), lambda: recorder.record("a\0b"),
                     lambda: NowPlaying(player, "a\0b"), lambda: UnmanagedAudio(self.session, names=["a\0b"])):
            with self.assertRaises(ValueError):
                call()

    def test_an_error_keeps_its_status_in_another_process(self) -> None:
        for message in ("a call is active", ""):
            error = AudioSessionError(Status.INSUFFICIENT_PRIORITY, message)
            for received in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
                self.assertIsInstance(received, AudioSessionError)
                self.assertEqual((received.status, str(received)), (error.status, str(error)))

    def test_objects_of_the_library_are_not_copied(self) -> None:
        """A copy that is collected would release the object."""
        player = Player(self.session)
        for made in (self.manager, self.session, OutputStream(self.session), InputStream(self.session), player,
                     Recorder(self.session), NowPlaying(player, "name"), UnmanagedAudio(self.session),
                     AttachedStreams(self.session)):
            for function in (copy.copy, copy.deepcopy, pickle.dumps):
                with self.assertRaisesRegex(TypeError, f"The {type(made).__name__} cannot be copied"):
                    function(made)


if __name__ == "__main__":
    unittest.main()
