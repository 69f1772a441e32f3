//! A recorder of what the microphone hears.

use crate::capture::{Capture, CaptureFunctions, InputInfo, Level};
use crate::events::Events;
use crate::library::Error;
use crate::native::{FileType, Library, RawRecorderOptions, RawRecording};
use crate::player::c_path;
use crate::session::Session;
use crate::stream::{
    c_text, milliseconds, number, pointer, seconds, Functions, Stream, StreamEvent, StreamStatistics,
};
use crate::values::{sized, Route};
use std::path::Path;
use std::time::Duration;

/// The options of a recorder. The defaults are the library's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecorderOptions {
    /// The frames per second; 0 for 48,000.
    pub sample_rate: u32,
    /// 1 to 8; 0 for 1.
    pub channels: u32,
    /// The size of a sample in a file, 16 or 24; 0 for 16.
    pub bits_per_sample: u32,
    /// How much waits for [`Recorder::read`] before the oldest is lost, up to 60 s; zero for 1 s.
    pub buffer_duration: Duration,
    /// The permissions of a file, less those of the umask; 0 for 0o600.
    pub file_permissions: u32,
    /// An interruption pauses a recording, and does not end it.
    pub continues_after_interruption: bool,
    /// Records to the file that a link names; otherwise links fail.
    pub follows_symbolic_links: bool,
    /// Removes the session's output from what is captured.
    pub prefers_echo_cancelled_input: bool,
    /// The program's name in mixers; `None` takes the manager's.
    pub application_name: Option<String>,
    /// The name of PipeWire's node.
    pub node_name: Option<String>,
}

/// The result of a recording.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Recording {
    pub sample_rate: u32,
    pub channels: u32,
    /// The size of a sample in the file; 0 without a file.
    pub bits_per_sample: u32,
    pub frames: u64,
    pub duration: Duration,
}

/// Records the session's input to a WAV or FLAC file, for reads, or both. The session's category
/// has to record.
///
/// Without the library nothing is recorded, and all calls return at once.
pub struct Recorder {
    capture: Capture,
}

fn functions(library: &Library) -> Functions {
    Functions {
        destroy: library.recorder_destroy,
        set_handler: library.recorder_set_handler,
        get_statistics: library.recorder_get_statistics,
        get_route: library.recorder_get_route,
    }
}

fn capture_functions(library: &Library) -> CaptureFunctions {
    CaptureFunctions {
        read: library.recorder_read,
        get_level: library.recorder_get_level,
        get_info: library.recorder_get_info,
    }
}

impl Recorder {
    /// A recorder, which records nothing yet.
    ///
    /// # Errors
    /// `UnsupportedRecordingFormat`, and `BadParam` for options that are out of range.
    pub fn new(session: &Session, options: &RecorderOptions) -> Result<Recorder, Error> {
        let application_name = c_text(options.application_name.as_deref())?;
        let node_name = c_text(options.node_name.as_deref())?;
        let raw = RawRecorderOptions {
            size: std::mem::size_of::<RawRecorderOptions>() as u32,
            sample_rate: number(options.sample_rate),
            channels: number(options.channels),
            bits_per_sample: number(options.bits_per_sample),
            buffer_duration: milliseconds(options.buffer_duration),
            file_permissions: options.file_permissions,
            continues_after_interruption: options.continues_after_interruption,
            follows_symbolic_links: options.follows_symbolic_links,
            prefers_echo_cancelled_input: options.prefers_echo_cancelled_input,
            application_name: pointer(&application_name),
            node_name: pointer(&node_name),
        };
        let stream = Stream::new(
            session,
            functions,
            |library| library.recorder_create,
            |create, session, recorder, error| unsafe { create(session, &raw, recorder, error) },
        )?;
        Ok(Recorder { capture: Capture::new(stream, capture_functions) })
    }

    /// Starts a recording to a file, which replaces one that exists, and activates an inactive
    /// session first. `None` records without a file. Frames of an earlier recording that were not
    /// read are dropped.
    ///
    /// # Errors
    /// `CannotWrite`, `NoMicrophone`, `AlreadyRecording`; `IncompatibleCategory`; `SessionNotActive`
    /// while another session interrupts; `EchoCancellerMissing`; `UnsupportedRecordingFormat`; the
    /// errors of [`Session::activate`].
    pub fn record(&self, path: Option<&Path>, file_type: FileType) -> Result<(), Error> {
        let path = path.map(c_path).transpose()?;
        self.capture.stream.call(
            |library| library.recorder_record,
            |call, recorder, error| unsafe { call(recorder, pointer(&path), file_type.raw(), error) },
        )
    }

    /// Pauses the recording, whose file is complete soon after.
    pub fn pause(&self) -> Result<(), Error> {
        self.capture
            .stream
            .call(|library| library.recorder_pause, |call, recorder, error| unsafe { call(recorder, error) })
    }

    /// Continues a paused recording in the same file.
    ///
    /// # Errors
    /// `NotPaused`; the errors of [`Recorder::record`].
    pub fn resume(&self) -> Result<(), Error> {
        self.capture
            .stream
            .call(|library| library.recorder_resume, |call, recorder, error| unsafe { call(recorder, error) })
    }

    /// Ends the recording, waits until its file is complete, and returns the result of the last
    /// recording: what is in the file, also after a failure, or the frames and the duration of a
    /// recording without a file. All members are 0 if there was no recording.
    pub fn stop(&self) -> Result<Recording, Error> {
        // SAFETY: zeros are a value of the struct, which the library fills in.
        let mut raw: RawRecording = unsafe { sized() };
        self.capture.stream.call(
            |library| library.recorder_stop,
            |call, recorder, error| unsafe { call(recorder, &mut raw, error) },
        )?;
        Ok(Recording {
            sample_rate: raw.sample_rate as u32,
            channels: raw.channels as u32,
            bits_per_sample: raw.bits_per_sample as u32,
            frames: raw.frames,
            duration: seconds(raw.duration),
        })
    }

    /// Reads what is recorded, as [`Input::read`](crate::Input::read).
    ///
    /// # Errors
    /// `Stopped` if nothing is recorded and nothing is left; `BadParam` for half a frame.
    pub fn read(&self, samples: &mut [f32], timeout: Option<Duration>) -> Result<usize, Error> {
        self.capture.read(samples, timeout)
    }

    /// How loud a channel is, counted from 0; silence while nothing is captured.
    ///
    /// # Errors
    /// `BadParam` beyond the channels.
    pub fn level(&self, channel: u32) -> Result<Level, Error> {
        self.capture.level(channel)
    }

    /// Every event from now on. The receiver of an earlier call gets no more. Without the library
    /// it ends at once.
    pub fn events(&self) -> Events<StreamEvent> {
        self.capture.stream.events()
    }

    /// A snapshot of the recorder.
    pub fn info(&self) -> InputInfo {
        self.capture.info()
    }

    /// What the real-time thread did.
    pub fn statistics(&self) -> Result<StreamStatistics, Error> {
        self.capture.stream.statistics()
    }

    /// The microphone in use or the last one, as a route with at most one input.
    pub fn route(&self) -> Result<Route, Error> {
        self.capture.stream.route()
    }
}
