//! An input: captures the sound of the microphone for the program.

use crate::capture::{Capture, CaptureFunctions, InputInfo, Level};
use crate::events::Events;
use crate::library::{library, missing, require, Error};
use crate::native::{Library, RawInputOptions};
use crate::session::Session;
use crate::stream::{
    c_text, destroy_context, milliseconds, number, pointer, without_unwinding, Cycle, Functions, Stream, StreamEvent,
    StreamStatistics,
};
use crate::values::Route;
use std::ffi::c_void;
use std::time::Duration;

/// The options of an input. The defaults are the library's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct InputOptions {
    /// 1 to 768,000 frames per second; 0 takes the hardware's.
    pub sample_rate: u32,
    /// 1 to 8; 0 takes the hardware's.
    pub channels: u32,
    /// How much waits for [`Input::read`] before the oldest is lost, up to 60 s; zero for 1 s.
    pub buffer_duration: Duration,
    /// A lost microphone stops the input; otherwise another one replaces it.
    pub stops_when_lost: bool,
    /// Removes the session's output from what is captured.
    pub prefers_echo_cancelled_input: bool,
    /// The stream's name in mixers.
    pub title: Option<String>,
    /// The program's name in mixers; `None` takes the manager's.
    pub application_name: Option<String>,
    /// The name of PipeWire's node.
    pub node_name: Option<String>,
}

impl InputOptions {
    /// Calls `body` with the struct for the library, whose strings are valid until it returns.
    fn with_raw<Value>(&self, body: impl FnOnce(&RawInputOptions) -> Result<Value, Error>) -> Result<Value, Error> {
        let title = c_text(self.title.as_deref())?;
        let application_name = c_text(self.application_name.as_deref())?;
        let node_name = c_text(self.node_name.as_deref())?;
        body(&RawInputOptions {
            size: std::mem::size_of::<RawInputOptions>() as u32,
            sample_rate: number(self.sample_rate),
            channels: number(self.channels),
            buffer_duration: milliseconds(self.buffer_duration),
            stops_when_lost: self.stops_when_lost,
            prefers_echo_cancelled_input: self.prefers_echo_cancelled_input,
            title: pointer(&title),
            application_name: pointer(&application_name),
            node_name: pointer(&node_name),
        })
    }
}

/// Captures the sound of the microphone while its session is active: for reads, or for a callback.
/// The session's category has to record, as that of [`Configuration::dictation`].
///
/// Samples are interleaved, and full scale is 1. Without the library nothing is captured, and all
/// calls return at once.
///
/// [`Configuration::dictation`]: crate::Configuration::dictation
pub struct Input {
    capture: Capture,
}

fn functions(library: &Library) -> Functions {
    Functions {
        destroy: library.input_destroy,
        set_handler: library.input_set_handler,
        get_statistics: library.input_get_statistics,
        get_route: library.input_get_route,
    }
}

fn capture_functions(library: &Library) -> CaptureFunctions {
    CaptureFunctions {
        read: library.input_read,
        get_level: library.input_get_level,
        get_info: library.input_get_info,
    }
}

unsafe extern "C" fn receive<Receive: FnMut(&[f32], Cycle)>(
    context: *mut c_void,
    samples: *const f32,
    frames: u32,
    channels: u32,
    sample_rate: u32,
    time: u64,
) {
    let channels = channels as usize;
    // One thread calls this function, and drops the context after the last call.
    let receive = &mut *context.cast::<Receive>();
    let samples = std::slice::from_raw_parts(samples, frames as usize * channels);
    without_unwinding(|| receive(samples, Cycle { channels, sample_rate, time }));
}

impl Input {
    /// An input for [`Input::read`]. Starts nothing.
    ///
    /// # Errors
    /// `UnsupportedFormat`, and `BadParam` for options that are out of range.
    pub fn new(session: &Session, options: &InputOptions) -> Result<Input, Error> {
        let stream = options.with_raw(|raw| {
            Stream::new(
                session,
                functions,
                |library| library.input_create,
                |create, session, input, error| unsafe { create(session, raw, input, error) },
            )
        })?;
        Ok(Input { capture: Capture::new(stream, capture_functions) })
    }

    /// An input that passes what it captures to `receive`, to which the rules of
    /// [`Output::with_callback`](crate::Output::with_callback) apply. Starts nothing.
    ///
    /// # Errors
    /// Those of [`Input::new`].
    pub fn with_callback<Receive>(session: &Session, options: &InputOptions, receive: Receive) -> Result<Input, Error>
    where
        Receive: FnMut(&[f32], Cycle) + Send + 'static,
    {
        let stream = options.with_raw(|raw| {
            Stream::with_context(
                session,
                receive,
                functions,
                |library| library.input_create_with_callback,
                |create, session, context, input, error| unsafe {
                    let (receive, destroy) = (self::receive::<Receive>, destroy_context::<Receive>);
                    create(session, raw, Some(receive), context, Some(destroy), input, error)
                },
            )
        })?;
        Ok(Input { capture: Capture::new(stream, capture_functions) })
    }

    /// Whether PipeWire's echo canceller is installed; false without the library. Takes some
    /// milliseconds.
    pub fn is_echo_canceller_available() -> Result<bool, Error> {
        let library = match library() {
            Some(library) => library,
            None => return Ok(false),
        };
        let get = library.input_get_echo_canceller_available.ok_or_else(missing)?;
        let mut is_available = false;
        // SAFETY: the pointer is valid until the call returns.
        require(unsafe { get(&mut is_available) })?;
        Ok(is_available)
    }

    /// Starts capturing, or continues after an interruption, and activates an inactive session
    /// first. The start of a stopped input drops frames that were captured before and not read.
    ///
    /// # Errors
    /// `NoMicrophone`; `IncompatibleCategory`; `SessionNotActive` of a stopped input while another
    /// session interrupts; `EchoCancellerMissing`; the errors of [`Session::activate`].
    pub fn start(&self) -> Result<(), Error> {
        self.capture.stream.call(|library| library.input_start, |call, input, error| unsafe { call(input, error) })
    }

    /// Stops capturing. Frames that were captured before can be read until the next start.
    pub fn stop(&self) -> Result<(), Error> {
        self.capture.stream.call(|library| library.input_stop, |call, input, error| unsafe { call(input, error) })
    }

    /// Fills `samples` with whole frames, and waits until they were captured; `None` has no limit.
    /// Returns how many frames it has read: fewer than all after `timeout`, or when capturing was
    /// stopped, and 0 without the library.
    ///
    /// # Errors
    /// `Stopped` if nothing is captured and nothing is left; `BadParam` for half a frame, and with a
    /// callback.
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

    /// A snapshot of the input.
    pub fn info(&self) -> InputInfo {
        self.capture.info()
    }

    /// The latency, and what the real-time thread did.
    pub fn statistics(&self) -> Result<StreamStatistics, Error> {
        self.capture.stream.statistics()
    }

    /// The microphone in use or the last one, as a route with at most one input.
    pub fn route(&self) -> Result<Route, Error> {
        self.capture.stream.route()
    }
}
