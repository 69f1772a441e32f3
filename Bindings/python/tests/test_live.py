"""The package with the library, beside a PipeWire and a session manager with a virtual card.

BINDINGS_CARD is the command of that card: `audiosession simulate card`.
"""

import array
import asyncio
import ctypes
import gc
import os
import select
import shlex
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import weakref
from unittest import mock

import audiosession
from audiosession import (
    AttachedStreams, AudioSessionError, Category, ChoiceReason, Configuration, Direction, Event, EventStream, EventType,
    FinishReason, InputStream, Manager, Mode, NowPlaying, Option, OutputStream, PauseReason, Player, PortType, Priority,
    Recorder, Role, Session, SilenceKind, State, Status, StreamEvent, StreamEventType, StreamState, UnmanagedAudio,
    UnmanagedEventType, UnmanagedPolicy)
from audiosession import _native as native
from audiosession._library import library

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "tests"))

from programs import Program  # noqa: E402

LIMIT = 30


def wait(events: EventStream, kind: EventType) -> Event:
    """Skips events until one has this kind."""
    while True:
        event = events.get(LIMIT)
        assert event is not None, f"no {kind.name} in {LIMIT} s"
        if event.type == kind:
            return event


class Turns(unittest.TestCase):
    def setUp(self) -> None:
        self.music, self.film = Manager("Music"), Manager("Film")
        for manager in (self.music, self.film):
            self.addCleanup(manager.close)

    def session(self, options: Option = Option(0), **others: object) -> Session:
        return Session(Category.PLAYBACK, options=options, group="film", manager=self.film, **others)

    def test_an_interruption_has_a_peer_and_advice(self) -> None:
        music = Session.interrupt(group="music", manager=self.music)
        events = music.events()
        music.activate()
        self.assertEqual(wait(events, EventType.STATE_CHANGED).state, State.ACTIVE)
        with self.session() as film:
            began = wait(events, EventType.INTERRUPTION_BEGAN)
            assert began.peer
            self.assertEqual((began.peer.name, began.peer.pid, began.peer.session), ("Film", os.getpid(), film.id))
            self.assertGreater(began.time, 0)
            self.assertEqual(music.state, State.INTERRUPTED)
            self.assertEqual([(r.kind, r.peer) for r in music.silence_reasons],
                             [(SilenceKind.INTERRUPTED, began.peer)])
        self.assertTrue(wait(events, EventType.INTERRUPTION_ENDED).should_resume)
        music.activate()
        film = self.session()
        film.activate()
        film.deactivate(notify_others=False)
        self.assertFalse(wait(events, EventType.INTERRUPTION_ENDED).should_resume)

    def test_a_duck_lasts_as_long_as_its_block(self) -> None:
        music = Session.interrupt(group="music", manager=self.music)
        events = music.events()
        music.activate()
        prompt = Session.duck(group="film", manager=self.film)
        with prompt, prompt:
            self.assertAlmostEqual(wait(events, EventType.DUCKING).gain, 0.2, 2)
            self.assertAlmostEqual(music.gain, 0.2, 2)
        self.assertEqual(wait(events, EventType.DUCKING).gain, 1)
        with self.assertRaises(ValueError), prompt:
            self.assertAlmostEqual(wait(events, EventType.DUCKING).gain, 0.2, 2)
            raise ValueError
        self.assertEqual(wait(events, EventType.DUCKING).gain, 1)

    def test_dictation_ducks(self) -> None:
        music = Session.interrupt(group="music", manager=self.music)
        events = music.events()
        music.activate()
        with Session.dictation(group="film", manager=self.film):
            self.assertAlmostEqual(wait(events, EventType.DUCKING).gain, 0.2, 2)

    def test_events_reach_asyncio(self) -> None:
        music = Session.interrupt(group="music", manager=self.music)

        async def listen() -> list[EventType]:
            seen = []
            async for event in music.events():
                seen.append(event.type)
                if event.type == EventType.INTERRUPTION_BEGAN:
                    music.close()
            return seen

        async def both() -> list[EventType]:
            await music.activate_async()
            task = asyncio.create_task(listen())
            await asyncio.sleep(0)
            async with self.session():
                return await asyncio.wait_for(task, LIMIT)

        self.assertIn(EventType.INTERRUPTION_BEGAN, asyncio.run(both()))

    def test_the_end_of_a_manager_ends_the_events_of_its_sessions(self) -> None:
        with Manager() as manager:
            events = Session.interrupt(group="music", manager=manager).events()
            reader = threading.Thread(target=lambda: list(events), daemon=True)
            reader.start()
        reader.join(LIMIT)
        self.assertFalse(reader.is_alive())

    def test_a_function_is_called_until_it_is_cancelled(self) -> None:
        music = Session.interrupt(group="music", manager=self.music)
        called, seen = threading.Event(), []

        def observe(event: Event) -> None:
            seen.append(event.type)
            called.set()

        cancel = music.observe(observe)
        music.activate()
        self.assertTrue(called.wait(LIMIT))
        events = music.events()
        cancel()
        count = len(seen)
        music.deactivate()
        wait(events, EventType.STATE_CHANGED)
        self.assertEqual(len(seen), count)

    def test_an_observer_that_fails_takes_no_event_from_others(self) -> None:
        music = Session.interrupt(group="music", manager=self.music)
        called = threading.Event()
        music.observe(lambda event: 1 / 0)
        music.observe(lambda event: called.set())
        with mock.patch.object(sys, "unraisablehook") as hook:
            music.activate()
            self.assertTrue(called.wait(LIMIT))
            music.close()
        self.assertIs(hook.call_args.args[0].exc_type, ZeroDivisionError)

    def test_a_block_whose_task_is_cancelled_releases_its_session(self) -> None:
        music = Session.interrupt(group="music", manager=self.music)

        async def enter() -> None:
            async with music:
                self.fail("the activation was not cancelled")

        async def cancel() -> None:
            task = asyncio.ensure_future(enter())
            await asyncio.sleep(0)
            task.cancel()
            with self.assertRaises(asyncio.CancelledError):
                await task

        for _ in range(20):
            # It returns after the last call on another thread.
            asyncio.run(cancel())
            self.assertEqual((music.state, music._holds), (State.INACTIVE, []))

    def test_calls_of_closed_objects_fail(self) -> None:
        first, second = (Session.interrupt(group="music", manager=self.music) for _ in range(2))
        output = OutputStream(second)
        output.close()
        first.close()
        self.music.close()
        for status, call in (
                (Status.EXPIRED_SESSION, first.activate), (Status.EXPIRED_SESSION, first.__enter__),
                (Status.EXPIRED_SESSION, lambda: Player(first)), (Status.CLOSED, lambda: output.write(bytes(8))),
                (Status.CLOSED, lambda: Session(manager=self.music)),
                (Status.MEDIA_SERVICES_FAILED, second.activate)):
            with self.assertRaises(AudioSessionError) as closed:
                call()
            self.assertEqual(closed.exception.status, status)
        self.assertEqual((list(second.events()), list(first.events())), ([], []))

    def test_a_refusal_is_an_error(self) -> None:
        call = Session(Category.PLAY_AND_RECORD, mode=Mode.VOICE_CHAT, group="music", manager=self.music)
        call.activate()
        with self.assertRaises(AudioSessionError) as refused, self.session():
            self.fail("the activation was not refused")
        self.assertEqual(refused.exception.status, Status.INSUFFICIENT_PRIORITY)
        self.assertIn("priority", str(refused.exception))
        self.film.set_in_background(True)
        call.deactivate()
        Session.interrupt(group="music", manager=self.music).activate()
        with self.assertRaises(AudioSessionError) as background:
            self.session().activate()
        self.assertEqual(background.exception.status, Status.CANNOT_INTERRUPT_OTHERS)
        self.film.set_in_background(False)

    def test_configurations_are_checked_and_read_back(self) -> None:
        with self.assertRaises(AudioSessionError) as illegal:
            Configuration(Category.RECORD, options=Option.DEFAULT_TO_SPEAKER).validate()
        self.assertEqual(illegal.exception.status, Status.BAD_PARAM)
        session = self.session()
        wanted = Configuration(Category.AMBIENT, priority=Priority.ALARM, group="another")
        session.configure(wanted)
        self.assertEqual(session.configuration, wanted)
        with self.assertRaises(AudioSessionError) as ambient:
            session.override_output(True)
        self.assertEqual(ambient.exception.status, Status.INCOMPATIBLE_CATEGORY)

    def test_a_session_without_references_gives_up_its_place(self) -> None:
        music = Session.interrupt(group="music", manager=self.music)
        events = music.events()
        music.activate()
        film = self.session()
        film.events()
        film.activate()
        wait(events, EventType.INTERRUPTION_BEGAN)
        gone = weakref.ref(film)
        del film
        gc.collect()
        self.assertIsNone(gone())
        wait(events, EventType.INTERRUPTION_ENDED)

    def test_a_session_may_be_closed_in_its_own_handler(self) -> None:
        music = Session.interrupt(group="music", manager=self.music)
        events = music.events()
        music.activate()
        film = self.session()
        ends = film.events()
        film.observe(lambda event: film.close())
        film.activate()
        # Its events end, and its place is released.
        while ends.get(LIMIT):
            pass
        self.assertFalse(ends._is_open)
        wait(events, EventType.INTERRUPTION_ENDED)

    def test_the_interpreter_ends_while_events_arrive(self) -> None:
        program = ("import audiosession as a\n"
                   "s = [a.Session.interrupt(group=str(i)) for i in range(8)]\n"
                   "for x in s: x.observe(lambda event: None); x.activate()\n")
        subprocess.run([sys.executable, "-c", program], check=True, timeout=60)

    def test_pipewire_that_is_missing_is_an_error(self) -> None:
        with self.assertRaises(AudioSessionError) as missing:
            Manager(remote="/nonexistent/socket", timeout=1)
        self.assertEqual(missing.exception.status, Status.MEDIA_SERVICES_FAILED)


class Ports(unittest.TestCase):
    card: Program
    manager: Manager

    @classmethod
    def setUpClass(cls) -> None:
        cls.card = Program("card", shlex.split(os.environ["BINDINGS_CARD"]))
        cls.addClassCleanup(cls.card.kill)
        cls.card.hear('"event":"ready"')
        cls.manager = Manager("Ports")
        cls.addClassCleanup(cls.manager.close)
        cls.card.send("plug headphones")

    def setUp(self) -> None:
        """Each test begins with the headphones in use."""
        events = self.manager.events()
        while not any(port.type == PortType.HEADPHONES for port in self.manager.route.outputs):
            assert events.get(LIMIT), self.manager.available_ports

    def test_what_is_unplugged_becomes_noisy(self) -> None:
        session = Session.interrupt(manager=self.manager)
        session.set_resumes_on_replug(True, limit=60)
        self.assertEqual((session.info.resumes_on_replug, session.info.replug_limit), (True, 60_000))
        events, changes = session.events(), self.manager.events()
        session.activate()
        self.assertEqual(session.route.outputs[0].type, PortType.HEADPHONES)
        self.card.send("unplug headphones")
        noisy = wait(events, EventType.BECAME_NOISY)
        assert noisy.port
        self.assertEqual((noisy.port.type, noisy.port.direction), (PortType.HEADPHONES, Direction.OUTPUT))
        change = wait(events, EventType.ROUTE_CHANGED)
        assert change.previous_route and change.current_route
        self.assertEqual(change.previous_route.outputs[0].uid, noisy.port.uid)
        self.assertNotEqual(change.current_route.outputs, change.previous_route.outputs)
        wait(changes, EventType.AVAILABLE_PORTS_CHANGED)
        self.card.send("plug headphones")
        wait(events, EventType.RESUME_ADVICE)

    def test_a_preferred_port_is_chosen(self) -> None:
        session = Session.interrupt(manager=self.manager)
        outputs = self.manager.available_ports.outputs
        self.assertGreater(len(outputs), 1)
        for port in outputs:
            self.assertTrue(port.name and port.uid and port.type_reason and port.node_name)
            session.set_preferred_output(port)
            self.assertEqual([p.uid for p in session.preferred_ports.outputs], [port.uid])
            choice = session.choice(Direction.OUTPUT)
            assert choice and choice.port
            self.assertEqual((choice.port.uid, choice.reason), (port.uid, ChoiceReason.PREFERRED))
            self.assertIn(port.name, choice.description)
            self.assertIsInstance(self.manager.data_sources(port.uid), tuple)
        session.set_preferred_output(None)
        self.assertIsNone(session.choice(Direction.INPUT))
        with self.assertRaises(AudioSessionError) as missing:
            session.set_preferred_output("none such")
        self.assertEqual(missing.exception.status, Status.RESOURCE_NOT_AVAILABLE)
        with self.assertRaises(AudioSessionError):
            session.set_preferred_input(outputs[0])
        with self.assertRaises(AudioSessionError):
            self.manager.data_sources("none such")

    def test_preferences_are_read_back(self) -> None:
        session = Session(Category.PLAY_AND_RECORD, manager=self.manager)
        session.set_preferred_sample_rate(44_100)
        session.set_preferred_io_buffer_duration(0.25)
        session.set_preferred_channels(Direction.OUTPUT, 1)
        info = session.info
        self.assertEqual(
            (info.preferred_sample_rate, info.preferred_io_buffer_duration, info.preferred_output_channels),
            (44_100, 0.25, 1))
        self.assertIsInstance(session.data_sources(Direction.INPUT), tuple)
        session.set_data_source(Direction.INPUT, None)
        with self.assertRaises(AudioSessionError):
            session.set_data_source(Direction.OUTPUT, "none such")
        session.activate()
        if info.is_input_gain_settable:
            session.set_input_gain(0.5)
        with self.assertRaises(AudioSessionError) as wrong:
            session.set_input_gain(float("nan"))
        self.assertEqual(wrong.exception.status, Status.BAD_PARAM)
        # An override to the speaker would switch the card during the other tests.
        session.override_output(False)
        self.assertFalse(session.info.is_output_overridden)
        session.deactivate()

    def test_the_computers_silent_mode(self) -> None:
        events = self.manager.events()
        game = Session(Category.AMBIENT, manager=self.manager)
        game.activate()
        self.manager.set_silent_mode(True)
        self.assertTrue(wait(events, EventType.SILENT_MODE_CHANGED).is_silent_mode)
        self.assertEqual(game.silence_reasons[0].kind, SilenceKind.SILENT_MODE)
        self.assertTrue(self.manager.info.is_silent_mode)
        self.manager.set_silent_mode(False)
        self.assertFalse(wait(events, EventType.SILENT_MODE_CHANGED).is_silent_mode)
        self.manager.set_input_muted(True)
        self.assertTrue(self.manager.info.is_input_muted)
        self.manager.set_input_muted(False)


def until(events: EventStream[StreamEvent], kind: StreamEventType, **members: object) -> StreamEvent:
    """Passes over events until one is of this kind, with these members."""
    while True:
        event = events.get(LIMIT)
        assert event is not None, f"no {kind.name} {members} in {LIMIT} s"
        if event.type == kind and all(getattr(event, name) == value for name, value in members.items()):
            return event


class Streams(unittest.TestCase):
    """Sound on a virtual card."""

    card: Program
    manager: Manager

    @classmethod
    def setUpClass(cls) -> None:
        cls.card = Program("card", shlex.split(os.environ["BINDINGS_CARD"]))
        cls.addClassCleanup(cls.card.kill)
        cls.card.hear('"event":"ready"')
        cls.manager = Manager("Streams")
        cls.addClassCleanup(cls.manager.close)
        events = cls.manager.events()
        while not (cls.manager.route.outputs and cls.manager.route.inputs):
            assert events.get(LIMIT), cls.manager.available_ports

    def session(self, category: Category = Category.PLAYBACK) -> Session:
        session = Session(category, group="streams", manager=self.manager)
        self.addCleanup(session.close)
        return session

    def test_what_is_written_is_played(self) -> None:
        with OutputStream(self.session(), sample_rate=24_000, channels=1, role=Role.GAME) as output:
            events = output.events()
            info = output.info
            self.assertEqual((info.state, info.sample_rate, info.channels), (StreamState.RUNNING, 24_000, 1))
            tone = array.array("f", [0.1] * 2_400)
            self.assertEqual(output.write(tone), 2_400)
            self.assertEqual(output.write(tone.tobytes()), 2_400)
            self.assertEqual(output.write(array.array("h", [3_000] * 2_400)), 2_400)
            self.assertEqual(output.write(array.array("d", [0.1] * 2_400)), 2_400)
            self.assertTrue(output.drain(LIMIT))
            self.assertEqual(output.info.position, 9_600)
            # Frames are missing before those that this thread writes too late, on a busy computer. All are reported.
            unreported = output.info.missing_frames
            while unreported > 0:
                unreported -= until(events, StreamEventType.UNDERRUN).frames
            self.assertEqual(unreported, 0)
            self.assertGreater(output.statistics.cycles, 0)
            self.assertEqual(output.write(array.array("f", [0] * 240_000), timeout=0.2) < 240_000, True)
            output.flush()
            output.set_volume(0.5)
            self.assertEqual(output.info.volume, 0.5)
            self.assertTrue(output.route.outputs)
            self.assertIn(output.write_available(tone), range(2_401))
            with self.assertRaises(ValueError):
                output.write(b"123")
            with self.assertRaises(TypeError):
                output.write(array.array("i", [1]))
            film = Session.interrupt(group="film", manager=self.manager)
            with film:
                until(events, StreamEventType.STATE_CHANGED, pause_reason=PauseReason.INTERRUPTED)
                self.assertEqual(output.info.state, StreamState.PAUSED)
            until(events, StreamEventType.STATE_CHANGED, state=StreamState.RUNNING)
            output.stop()
            with self.assertRaises(AudioSessionError) as stopped:
                output.write(tone)
            self.assertEqual(stopped.exception.status, Status.STOPPED)
        self.assertIsNone(output._handle, "the block's end closes it")

    def test_numpy_arrays_are_written_and_read(self) -> None:
        try:
            import numpy
        except ImportError:
            print("SKIPPED numpy is missing")
            self.skipTest("numpy is missing")
        session = self.session(Category.PLAY_AND_RECORD)
        with OutputStream(session, sample_rate=48_000, channels=2) as output:
            for kind in (numpy.float32, numpy.float64):
                self.assertEqual(output.write(numpy.full((4_800, 2), 0.1, kind)), 4_800)
        with InputStream(session, channels=2) as microphone:
            self.assertEqual(numpy.asarray(microphone.read(480, LIMIT)).shape, (480, 2))

    def test_output_and_input_with_asyncio(self) -> None:
        session = self.session(Category.PLAY_AND_RECORD)

        async def talk() -> list[tuple[int, ...]]:
            shapes = []
            async with OutputStream(session, sample_rate=48_000, channels=1) as output:
                self.assertEqual(await output.write_async(bytes(4 * 4_800)), 4_800)
                self.assertTrue(await output.drain_async(LIMIT))
                async with InputStream(session, sample_rate=48_000, channels=1) as microphone:
                    self.assertEqual((await microphone.read_async(480, LIMIT)).shape, (480, 1))
                    async for block in microphone:
                        shapes.append(block.shape)
                        if len(shapes) == 3:
                            microphone.stop()
            return shapes

        self.assertEqual(asyncio.run(asyncio.wait_for(talk(), 3 * LIMIT))[:3], [(960, 1)] * 3)

    def test_a_write_whose_task_is_cancelled_ends(self) -> None:
        output = OutputStream(self.session(), sample_rate=24_000, channels=1)
        self.addCleanup(output.close)
        events = output.events()
        output.start()
        with Session.interrupt(group="film", manager=self.manager):
            until(events, StreamEventType.STATE_CHANGED, pause_reason=PauseReason.INTERRUPTED)
            begin = time.monotonic()
            with self.assertRaises(asyncio.TimeoutError):
                asyncio.run(asyncio.wait_for(output.write_async(bytes(4 * 240_000)), 0.05))
            self.assertLess(time.monotonic() - begin, LIMIT)
        # The ring was filled, and nothing is written any more.
        self.assertTrue(output.drain(LIMIT))
        self.assertLess(output.info.position, 240_000)

    def test_the_echo_is_taken_out(self) -> None:
        self.assertTrue(InputStream.echo_canceller_is_available())
        session = self.session(Category.PLAY_AND_RECORD)
        with InputStream(session, prefers_echo_cancelled_input=True) as microphone:
            self.assertEqual((microphone.info.sample_rate, microphone.info.channels), (48_000, 1))
            for _ in range(100):
                microphone.read(4_800, LIMIT)
                if microphone.statistics.is_echo_cancelled:
                    break
            self.assertTrue(microphone.statistics.is_echo_cancelled)

    def test_what_is_captured_is_read(self) -> None:
        with InputStream(self.session(Category.RECORD), sample_rate=16_000, channels=1) as microphone:
            events = microphone.events()
            self.assertEqual(microphone.read(1_600, LIMIT).shape, (1_600, 1))
            for count, block in enumerate(microphone, 1):
                self.assertEqual((block.format, block.shape), ("f", (320, 1)))
                if count == 3:
                    break
            self.assertEqual(len(microphone.levels), 1)
            self.assertGreater(microphone.statistics.cycles, 0)
            self.assertEqual(microphone.route.inputs[0].direction, Direction.INPUT)
            microphone.stop()
            until(events, StreamEventType.FINISHED, finish_reason=FinishReason.STOPPED)
            self.assertEqual(microphone.info.state, StreamState.STOPPED)
            while microphone.info.waiting_frames:
                microphone.read(100, 0)
            with self.assertRaises(AudioSessionError):
                microphone.read(1, 0)

    def test_native_functions_render_and_receive(self) -> None:
        # A function of C that takes anything and does nothing, in place of a program's own.
        function = ctypes.cast(ctypes.CDLL(None).abs, ctypes.c_void_p).value
        session = self.session(Category.PLAY_AND_RECORD)
        with OutputStream(session, render=function) as output:
            with self.assertRaises(AudioSessionError):
                output.write(bytes(8 * output.info.channels))
            with InputStream(session, receive=function) as microphone:
                for stream in (output, microphone):
                    deadline = time.monotonic() + LIMIT
                    while not stream.statistics.cycles and time.monotonic() < deadline:
                        time.sleep(0.01)
                    self.assertGreater(stream.statistics.cycles, 0)

    def test_a_recording_is_played(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "memo.flac")
            with Recorder(self.session(Category.RECORD), sample_rate=16_000) as recorder:
                events = recorder.events()
                with self.assertRaises(AudioSessionError) as refused:
                    recorder.record(os.path.join(folder, "none", "memo.wav"))
                self.assertEqual(refused.exception.status, Status.CANNOT_WRITE)
                recorder.record(path)
                self.assertEqual(recorder.read(4_000, LIMIT).shape, (4_000, 1))
                self.assertGreater(recorder.statistics.cycles, 0)
                recorder.pause()
                until(events, StreamEventType.STATE_CHANGED, pause_reason=PauseReason.USER)
                recorder.resume()
                self.assertEqual(len(recorder.levels), 1)
                self.assertTrue(recorder.route.inputs)
                recording = recorder.stop()
                self.assertGreaterEqual(recording.frames, 4_000)
                self.assertEqual((recording.sample_rate, recording.bits_per_sample), (16_000, 16))
                self.assertEqual(until(events, StreamEventType.FINISHED).path, path)
            with Player(self.session()) as player:
                events = player.events()
                with self.assertRaises(AudioSessionError) as missing:
                    player.load(path, os.path.join(folder, "none such"))
                self.assertEqual(missing.exception.status, Status.FILE_NOT_FOUND)
                player.load(path)
                player.enqueue(path)
                self.assertEqual([item.encoding for item in player.queue], ["FLAC", "FLAC"])
                self.assertEqual(player.queue[0].frames, recording.frames)
                player.set_volume(0.1)
                player.play()
                until(events, StreamEventType.STATE_CHANGED, state=StreamState.RUNNING)
                player.pause()
                player.seek(0.1)
                self.assertAlmostEqual(until(events, StreamEventType.POSITION_CHANGED).position, 0.1, 2)
                player.skip_to_next()
                self.assertEqual(player.info.current_index, 1)
                player.skip_to_previous()
                player.skip(1)
                self.assertTrue(player.route.outputs)
                asyncio.run(player.play_async())
                until(events, StreamEventType.FINISHED)
                self.assertEqual(player.info.state, StreamState.FINISHED)
                self.assertGreater(player.statistics.cycles, 0)
                player.stop()
                with NowPlaying(player, "Tunes", can_raise=True) as shown:
                    commands = shown.commands()
                    # There is no session bus here, which is noticed on a thread of its own.
                    deadline = time.monotonic() + LIMIT
                    with self.assertRaises(AudioSessionError) as hidden:
                        while time.monotonic() < deadline:
                            shown.check()
                            time.sleep(0.01)
                    self.assertEqual(hidden.exception.status, Status.RESOURCE_NOT_AVAILABLE)
                self.assertEqual(list(commands), [])

    def test_programs_without_sessions_are_watched(self) -> None:
        session = self.session()
        session.set_unmanaged_policy(UnmanagedPolicy.PAUSE)
        session.set_pauses_on_route_loss(False)
        session.set_resumes_after_interruption(False)
        info = session.info
        self.assertEqual(
            (info.unmanaged_policy, info.pauses_on_route_loss, info.resumes_after_interruption),
            (UnmanagedPolicy.PAUSE, False, False))
        with UnmanagedAudio(session, processes=[os.getpid()], names=["mpd"]) as unmanaged:
            events = unmanaged.events()
            with session:
                event = events.get(LIMIT)
                # There is no session bus here.
                assert event and event.type == UnmanagedEventType.UNAVAILABLE and event.reason
                self.assertEqual(unmanaged.programs, ())
                self.assertFalse(unmanaged.wait_until_restored(0.05))
            self.assertTrue(asyncio.run(unmanaged.wait_until_restored_async(LIMIT)))

    def test_sound_of_other_libraries_is_attached_to_one_session(self) -> None:
        session = self.session()
        with AttachedStreams(session), session:
            with self.assertRaises(AudioSessionError) as refused:
                AttachedStreams(session)
            self.assertEqual(refused.exception.status, Status.BAD_PARAM)
        AttachedStreams(session).close()


class Dispatch(unittest.TestCase):
    def test_a_loop_receives_events_on_its_own_thread(self) -> None:
        async def run() -> None:
            loop = asyncio.get_running_loop()
            with Manager(calls_handlers_in_dispatch=True) as manager:
                session = Session(manager=manager)
                threads: list[int] = []
                active = asyncio.Event()

                def receive(event: Event) -> None:
                    threads.append(threading.get_ident())
                    if event.type == EventType.STATE_CHANGED and event.state == State.ACTIVE:
                        active.set()

                session.observe(receive)
                loop.add_reader(manager, manager.dispatch)
                session.activate()
                await asyncio.wait_for(active.wait(), LIMIT)
                self.assertEqual(set(threads), {threading.get_ident()})
                loop.remove_reader(manager)

        asyncio.run(run())

    def test_an_observer_closes_its_session_and_its_manager(self) -> None:
        manager = Manager(calls_handlers_in_dispatch=True)
        session = Session(manager=manager)
        received: list[Event] = []

        def receive(event: Event) -> None:
            received.append(event)
            session.close()
            manager.close()

        session.observe(receive)
        session.activate()
        self.assertTrue(select.select([manager], [], [], LIMIT)[0])
        manager.dispatch()
        self.assertEqual(len(received), 1)
        for function, status in ((session.activate, Status.EXPIRED_SESSION), (manager.dispatch, Status.CLOSED)):
            with self.assertRaises(AudioSessionError) as caught:
                function()
            self.assertEqual(caught.exception.status, status)

    def test_a_manager_with_a_thread_has_no_descriptor(self) -> None:
        with Manager() as manager:
            for function in (manager.fileno, manager.dispatch):
                with self.assertRaises(AudioSessionError) as caught:
                    function()
                self.assertEqual(caught.exception.status, Status.BAD_PARAM)
        self.assertEqual(manager.fileno(), -1)


class Library(unittest.TestCase):
    def test_the_library_says_its_versions(self) -> None:
        self.assertTrue(audiosession.is_available())
        self.assertEqual(audiosession.problem(), "")
        self.assertEqual(
            audiosession.version(), f"{native.VERSION_MAJOR}.{native.VERSION_MINOR}.{native.VERSION_PATCH}")
        self.assertEqual(audiosession.abi_version(), native.ABI_VERSION)
        self.assertRegex(audiosession.pipewire_version(), r"^\d+\.\d+")
        self.assertEqual(audiosession.status_name(Status.TIMED_OUT), "AS_ERROR_TIMED_OUT")

    def test_every_function_refuses_handles_that_are_none_of_its_own(self) -> None:
        """All other arguments are 0 or NULL."""
        # Not the library of setUpModule, because these calls say nothing about what the package calls.
        raw = ctypes.CDLL(os.environ["AUDIOSESSION_LIBRARY"])
        with Manager() as manager:
            # Handles are multiples of 16, so 8 is none.
            for handle in (None, 8, manager._handle.value):
                for name, (result, parameters) in native.FUNCTIONS.items():
                    if name in ("as_abi_version", "as_pipewire_version", "as_status_name", "as_version"):
                        continue
                    if handle == manager._handle.value and name.startswith("as_manager_"):
                        continue
                    arguments = [kind() for kind in parameters]
                    if parameters[0] is ctypes.c_void_p:
                        arguments[0] = ctypes.c_void_p(handle)
                    expected = {Status.BAD_HANDLE, Status.BAD_PARAM}
                    is_release = name == "as_hold_end" or name.endswith(("_close", "_destroy", "_free"))
                    if name.endswith("_count") or is_release and not handle:
                        expected = {Status.OK}
                    function = getattr(raw, name)
                    function.restype, function.argtypes = result, parameters
                    with self.subTest(name, handle=handle):
                        self.assertIn(function(*arguments), expected)
            manager.set_in_background(False)  # It is still open.

    def test_values_of_a_newer_library_are_kept(self) -> None:
        self.assertEqual(EventType(999).name, "UNKNOWN_999")
        self.assertEqual(EventType(999), 999)


def setUpModule() -> None:
    """Records which functions of the library are called."""
    loaded = library.loaded()
    assert loaded

    class Counted:
        def __getattr__(self, name: str) -> object:
            CALLED.add(name)
            return getattr(loaded, name)

    library._library = Counted()  # type: ignore[assignment]


CALLED: set[str] = set()
#: Routes are values here, which need no copy; no port of the virtual card has data sources, and no
#: program without a session plays.
NOT_CALLED = {"as_route_copy", "as_data_sources_get", "as_programs_get"}


def tearDownModule() -> None:
    missed = set(native.FUNCTIONS) - CALLED - NOT_CALLED
    assert not missed, f"no test calls {missed}"


if __name__ == "__main__":
    unittest.main()
