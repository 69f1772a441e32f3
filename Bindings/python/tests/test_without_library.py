"""The package where libaudiosession is not installed: AUDIOSESSION_LIBRARY names a file that does not exist."""

import asyncio
import ctypes
import unittest

import audiosession
from audiosession import (
    AttachedStreams, Category, Configuration, Direction, Event, EventType, InputStream, Manager, ManagerInfo,
    NowPlaying, Option, OutputInfo, OutputStream, Player, PortType, Priority, Recorder, Recording, Route, Session,
    SessionInfo, State, UnmanagedAudio)
from audiosession import _native as native
from audiosession._events import EventStream

# These need no library either. unittest.main() runs what is imported.
from test_with_stub import (  # noqa: F401
    Cancelling, Closed, Collected, Events, Interrupts, Loading, Shared, Values, Writes)


class WithoutLibrary(unittest.TestCase):
    def test_it_says_so(self) -> None:
        self.assertFalse(audiosession.is_available())
        self.assertIn("AUDIOSESSION_LIBRARY", audiosession.problem())
        self.assertEqual(audiosession.version(), "")
        self.assertEqual(audiosession.abi_version(), 0)
        self.assertEqual(audiosession.pipewire_version(), "")
        self.assertEqual(audiosession.status_name(11), "")

    def test_a_session_does_nothing(self) -> None:
        with Session.duck() as session, Session.interrupt(priority=Priority.ALARM), Session.dictation():
            self.assertEqual(session.info, SessionInfo())
            self.assertEqual((session.state, session.gain), (State.INACTIVE, 1))
            self.assertFalse(session.is_other_audio_playing)
            self.assertEqual((session.route, session.preferred_ports), (Route(), Route()))
            self.assertEqual((session.id, session.silence_reasons), ("", ()))
            self.assertEqual(session.configuration, Configuration())
        session.activate()
        session.configure(Configuration(Category.AMBIENT))
        session.set_preferred_output("uid")
        session.set_preferred_input(None)
        session.set_data_source(Direction.INPUT, "front")
        session.set_resumes_on_replug(True)
        session.set_preferred_channels(Direction.OUTPUT, 1)
        session.set_preferred_sample_rate(44_100)
        session.set_preferred_io_buffer_duration(0.01)
        session.override_output(True)
        session.set_input_gain(1)
        self.assertIsNone(session.choice(Direction.OUTPUT))
        self.assertEqual(session.data_sources(Direction.OUTPUT), ())
        session.deactivate(notify_others=False)
        session.close()
        session.close()

    def test_a_manager_does_nothing(self) -> None:
        with Manager("name", timeout=1) as manager:
            self.assertEqual((manager.route, manager.available_ports), (Route(), Route()))
            self.assertEqual(manager.info, ManagerInfo())
            self.assertEqual(manager.fileno(), -1)
            manager.dispatch()
            self.assertEqual(manager.data_sources("uid"), ())
            manager.set_silent_mode(True)
            manager.set_input_muted(True)
            manager.set_in_background(True)
            self.assertEqual(list(manager.events()), [])

    def test_a_slow_reader_reads_how_many_events_were_dropped(self) -> None:
        events: EventStream[Event] = EventStream(is_open=True)
        for time in range(300):
            events._push(Event(EventType.STATE_CHANGED, time=time, dropped=1 if time == 10 else 0))
        first, second = events.get(), events.get()
        assert first and second
        self.assertEqual((first.time, first.dropped), (44, 45))
        self.assertEqual((second.time, second.dropped), (45, 0))

    def test_streams_do_nothing(self) -> None:
        with OutputStream() as output, InputStream() as microphone:
            self.assertEqual((output.write(b"1234"), output.write_available(b"1234")), (0, 0))
            self.assertEqual((output.info, output.route), (OutputInfo(), Route()))
            self.assertTrue(output.drain())
            self.assertFalse(InputStream.echo_canceller_is_available())
            output.flush()
            output.stop()
            self.assertEqual((list(microphone), list(output.events()), microphone.levels), ([], [], ()))
        with Player() as player, NowPlaying(player, "name") as shown, Recorder() as recorder:
            player.load("none")
            player.play()
            shown.check()
            recorder.record("none")
            self.assertEqual((player.queue, recorder.stop(), list(shown.commands())), ((), Recording(), []))
        with UnmanagedAudio(Session.duck(), names=["mpd"]) as unmanaged:
            self.assertEqual((unmanaged.programs, unmanaged.wait_until_restored()), ((), True))
        with AttachedStreams(Session.duck()) as attached:
            attached.close()

    def test_events_end_at_once(self) -> None:
        session = Session.duck()
        self.assertEqual(list(session.events()), [])
        session.observe(lambda event: self.fail(str(event)))()

        async def read() -> list[object]:
            async with session:
                await session.activate_async()
                await session.deactivate_async()
                return [event async for event in session.events()]

        self.assertEqual(asyncio.run(read()), [])

    def test_illegal_configurations_are_not_found(self) -> None:
        Configuration(Category.RECORD, options=Option.DEFAULT_TO_SPEAKER).validate()


class OlderLibrary(unittest.TestCase):
    def test_what_its_events_lack_is_not_read(self) -> None:
        port = native.as_port(size=32, type=4, name=b"Phones", uid=b"uid", type_reason=b"not its own", hint=13)
        event = native.as_event(
            size=80, type=5, port=ctypes.pointer(port), cause_session=b"not its own", is_silent_mode=True)
        read = Event._from(ctypes.pointer(event))
        self.assertEqual((read.type, read.peer, read.is_silent_mode), (EventType.BECAME_NOISY, None, False))
        assert read.port
        self.assertEqual((read.port.name, read.port.type_reason), ("Phones", ""))
        self.assertEqual((read.port.type, read.port.hint), (PortType.HEADPHONES, PortType.UNKNOWN))


if __name__ == "__main__":
    unittest.main()
