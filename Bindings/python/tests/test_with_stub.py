"""The package over functions of this file in place of the library's: its waits, its locks and what it passes on."""

from __future__ import annotations

import asyncio
import ctypes
import re
import sys
import threading
import time
import unittest
from typing import Any, Callable
from unittest import mock

from audiosession import (
    AudioSessionError, Configuration, Event, EventType, InputStream, Manager, NowPlaying, OutputInfo, OutputStream,
    Player, Recorder, Session, State, Status, UnmanagedAudio)
from audiosession import _events, _native as native
from audiosession._library import library

LIMIT = 10


class Stub:
    """Sessions, outputs and inputs without sound. Functions that are missing here have no effect."""

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
        self._next = 0

    def _make(self, handle: Any) -> int:
        self._next += 1
        self.open.add(self._next)
        handle._obj.value = self._next
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
        self.pieces.append(samples[0])
        count._obj.value = min(frames, 100)
        time.sleep(0.01)
        return Status.OK if frames <= 100 else Status.TIMED_OUT

    def as_output_drain(self, output: Any, limit: int, error: Any) -> int:
        self.called.set()
        return Status.OK if self.is_running else self._wait(limit)

    as_input_get_info = as_output_get_info

    def as_input_read(self, input: Any, samples: Any, frames: int, limit: int, count: Any, error: Any) -> int:
        self.called.set()
        return self._wait(limit)

    def _wait(self, limit: int) -> int:
        time.sleep(limit / 1000)
        return Status.TIMED_OUT if time.monotonic() < self.end else Status.STOPPED


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
    def cancel(self, call: Any, at: Callable[[], None] = lambda: None) -> float:
        """Cancels a call once the stub was called, and returns how long asyncio.run took from then on."""
        async def run() -> None:
            nonlocal begin
            task = asyncio.ensure_future(call())
            await asyncio.get_running_loop().run_in_executor(None, self.stub.called.wait, LIMIT)
            at()
            begin = time.monotonic()
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task
            self.stub.may_return.set()

        begin = 0.0
        asyncio.run(asyncio.wait_for(run(), LIMIT))
        return time.monotonic() - begin

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
        count = 0

        def pieces() -> None:
            nonlocal count
            count = len(self.stub.pieces)

        self.cancel(lambda: output.write_async(bytes(4 * 48_000)), pieces)
        # One piece may be under way, and one may have begun since.
        self.assertLessEqual(len(self.stub.pieces), count + 2)

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

    def test_a_block_may_close_its_output(self) -> None:
        with OutputStream(self.session) as output:
            output.close()


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

    def test_a_stream_whose_session_was_just_released_ends(self) -> None:
        def set_handler(session: Any, handler: Any, data: Any) -> int:
            self.session.close()
            return Status.BAD_HANDLE

        self.stub.as_session_set_handler = set_handler
        self.assertEqual(list(self.session.events()), [])


class Values(WithStub):
    def test_times_are_rounded_up(self) -> None:
        for seconds, milliseconds in (
                (0, 1), (1e-9, 1), (0.0011, 2), (0.07, 70), (5, 5_000), (1e9, 2**32 - 2), (float("inf"), 2**32 - 2)):
            with self.subTest(seconds), Manager(timeout=seconds):
                self.assertEqual(self.stub.arguments["as_manager_open"][0]._obj.timeout, milliseconds)
        self.session.set_resumes_on_replug(True, limit=0.0005)
        self.assertEqual(self.stub.arguments["as_session_set_resumes_on_replug"][2], 1)
        OutputStream(self.session, buffer_duration=0.0201)
        self.assertEqual(self.stub.arguments["as_output_create"][1]._obj.buffer_duration, 21)

    def test_times_that_are_no_times_are_errors(self) -> None:
        output, microphone = OutputStream(self.session), InputStream(self.session)
        unmanaged = UnmanagedAudio(self.session)
        for seconds in (-1, -1e-9, float("nan")):
            for call in (lambda: Manager(timeout=seconds),
                         lambda: OutputStream(self.session, buffer_duration=seconds),
                         lambda: InputStream(self.session, buffer_duration=seconds),
                         lambda: Recorder(self.session, buffer_duration=seconds), lambda: output.drain(seconds),
                         lambda: output.write(bytes(4), seconds), lambda: microphone.read(1, seconds),
                         lambda: self.session.set_resumes_on_replug(True, seconds),
                         lambda: unmanaged.wait_until_restored(seconds)):
                with self.assertRaises(ValueError):
                    call()

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


if __name__ == "__main__":
    unittest.main()
