"""The package where libaudiosession is not installed: AUDIOSESSION_LIBRARY names a file that does not exist."""

import asyncio
import unittest

import audiosession
from audiosession import (
    Category, Configuration, Direction, Manager, ManagerInfo, Option, Priority, Route, Session, SessionInfo, State)


class WithoutLibrary(unittest.TestCase):
    def test_it_says_so(self) -> None:
        self.assertFalse(audiosession.is_available())
        self.assertIn("AUDIOSESSION_LIBRARY", audiosession.problem())
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
            self.assertEqual(manager.data_sources("uid"), ())
            manager.set_silent_mode(True)
            manager.set_input_muted(True)
            manager.set_in_background(True)
            self.assertEqual(list(manager.events()), [])

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


if __name__ == "__main__":
    unittest.main()
