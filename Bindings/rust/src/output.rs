//! An output: plays the sound that the program renders.

use crate::events::Events;
use crate::library::{require, Error};
use crate::native::{Library, PauseReason, RawOutputInfo, RawOutputOptions, Role, StreamState};
use crate::session::Session;
use crate::stream::{
    c_text, destroy_context, limit, milliseconds, number, pointer, whole_frames, without_unwinding, Cycle, Functions,
    Stream, StreamEvent, StreamStatistics,
};
use crate::values::{sized, Route};
use std::ffi::c_void;
use std::time::Duration;

/// The options of an output. The defaults are the library's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OutputOptions {
    /// 1 to 768,000 frames per second; 0 takes the hardware's.
    pub sample_rate: u32,
    /// 1 to 8; 0 takes the hardware's.
    pub channels: u32,
    /// The length of the ring, 1 ms to 10 s; zero for 200 ms.
    pub buffer_duration: Duration,
    pub role: Role,
    /// Measures each call of the callback, for debugging.
    pub reports_late_callbacks: bool,
    /// The stream's name in mixers.
    pub title: Option<String>,
    /// The program's name in mixers; `None` takes the manager's.
    pub application_name: Option<String>,
    /// The name of PipeWire's node.
    pub node_name: Option<String>,
}

impl Default for OutputOptions {
    fn default() -> OutputOptions {
        OutputOptions {
            sample_rate: 0,
            channels: 0,
            buffer_duration: Duration::ZERO,
            role: Role::Music,
            reports_late_callbacks: false,
            title: None,
            application_name: None,
            node_name: None,
        }
    }
}

impl OutputOptions {
    /// Calls `body` with the struct for the library, whose strings are valid until it returns.
    fn with_raw<Value>(&self, body: impl FnOnce(&RawOutputOptions) -> Result<Value, Error>) -> Result<Value, Error> {
        let title = c_text(self.title.as_deref())?;
        let application_name = c_text(self.application_name.as_deref())?;
        let node_name = c_text(self.node_name.as_deref())?;
        body(&RawOutputOptions {
            size: std::mem::size_of::<RawOutputOptions>() as u32,
            sample_rate: number(self.sample_rate),
            channels: number(self.channels),
            buffer_duration: milliseconds(self.buffer_duration),
            role: self.role.raw(),
            reports_late_callbacks: self.reports_late_callbacks,
            title: pointer(&title),
            application_name: pointer(&application_name),
            node_name: pointer(&node_name),
        })
    }
}

/// A snapshot of an output.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OutputInfo {
    pub state: StreamState,
    pub pause_reason: PauseReason,
    /// The volume that [`Output::set_volume`] set.
    pub volume: f32,
    /// The frames per second of what is rendered or written; 0 without the library. Neither it nor
    /// `channels` changes.
    pub sample_rate: u32,
    pub channels: usize,
    /// The frames that were played or dropped.
    pub position: u64,
    /// The frames that were silent, because nothing was written in time.
    pub missing_frames: u64,
}

/// Plays the sound that the program renders while its session is active: the samples that it
/// writes to a ring, or those of a callback.
///
/// ```no_run
/// use audiosession::{Configuration, Output, OutputOptions, Session};
///
/// let session = Session::new(None, &Configuration::duck())?;
/// let options = OutputOptions { sample_rate: 24_000, channels: 1, ..OutputOptions::default() };
/// let output = Output::new(&session, &options)?;
/// output.start()?;
/// output.write(&[0.0; 24_000], None)?;
/// output.drain(None)?;
/// # Ok::<(), audiosession::Error>(())
/// ```
///
/// Samples are interleaved, and full scale is 1. `Docs/YourOwnSound.md` describes what an output
/// does by itself. Without the library nothing is played, and all calls return at once.
pub struct Output {
    stream: Stream,
    channels: usize,
}

fn functions(library: &Library) -> Functions {
    Functions {
        destroy: library.output_destroy,
        set_handler: library.output_set_handler,
        get_statistics: library.output_get_statistics,
        get_route: library.output_get_route,
    }
}

unsafe extern "C" fn render<Render: FnMut(&mut [f32], Cycle)>(
    context: *mut c_void,
    samples: *mut f32,
    frames: u32,
    channels: u32,
    sample_rate: u32,
    time: u64,
) {
    let channels = channels as usize;
    // One thread calls this function, and drops the context after the last call.
    let render = &mut *context.cast::<Render>();
    let samples = std::slice::from_raw_parts_mut(samples, frames as usize * channels);
    without_unwinding(|| render(samples, Cycle { channels, sample_rate, time }));
}

impl Output {
    /// An output that plays what is written to it. Starts nothing.
    ///
    /// # Errors
    /// `UnsupportedFormat`, and `BadParam` for options that are out of range.
    pub fn new(session: &Session, options: &OutputOptions) -> Result<Output, Error> {
        let stream = options.with_raw(|raw| {
            Stream::new(
                session,
                functions,
                |library| library.output_create,
                |create, session, output, error| unsafe { create(session, raw, output, error) },
            )
        })?;
        Ok(Output::of(stream))
    }

    /// An output that plays what `render` renders into samples that are 0 at the call. Starts
    /// nothing.
    ///
    /// PipeWire's real-time thread calls `render` once a cycle while the output runs. The sound of
    /// all programs waits for it, so it must not lock, allocate, make system calls or wait. A panic
    /// in it aborts the process. It is dropped on another thread after its last call; do not move a
    /// session or a stream into it.
    ///
    /// # Errors
    /// Those of [`Output::new`].
    pub fn with_callback<Render>(session: &Session, options: &OutputOptions, render: Render) -> Result<Output, Error>
    where
        Render: FnMut(&mut [f32], Cycle) + Send + 'static,
    {
        let stream = options.with_raw(|raw| {
            Stream::with_context(
                session,
                render,
                functions,
                |library| library.output_create_with_callback,
                |create, session, context, output, error| unsafe {
                    let (render, destroy) = (self::render::<Render>, destroy_context::<Render>);
                    create(session, raw, Some(render), context, Some(destroy), output, error)
                },
            )
        })?;
        Ok(Output::of(stream))
    }

    fn of(stream: Stream) -> Output {
        let mut output = Output { stream, channels: 0 };
        output.channels = output.info().channels;
        output
    }

    /// Starts playing, or continues after a pause, and activates an inactive session first. While
    /// the session is interrupted the request is kept.
    ///
    /// # Errors
    /// The errors of [`Session::activate`]; `IncompatibleCategory`.
    pub fn start(&self) -> Result<(), Error> {
        self.stream.call(|library| library.output_start, |call, output, error| unsafe { call(output, error) })
    }

    /// Stops, and drops what was written and not played. A write that waits fails with `Stopped`.
    pub fn stop(&self) -> Result<(), Error> {
        self.stream.call(|library| library.output_stop, |call, output, error| unsafe { call(output, error) })
    }

    /// Writes samples, and waits until all of them are in the ring, also through a pause; `None` has
    /// no limit. Returns how many frames it has written: fewer than all only after `timeout`, and 0
    /// without the library.
    ///
    /// # Errors
    /// `Stopped` unless the output was started; `BadParam` for half a frame, and with a callback.
    pub fn write(&self, samples: &[f32], timeout: Option<Duration>) -> Result<usize, Error> {
        let frames = whole_frames(samples.len(), self.channels)?;
        let mut written = 0;
        self.stream.call_within_limit(
            |library| library.output_write,
            |call, output, error| unsafe {
                call(output, samples.as_ptr(), frames, limit(timeout), &mut written, error)
            },
        )?;
        Ok(written as usize)
    }

    /// Writes the frames for which the ring has room, without waiting, and returns how many: for
    /// game loops.
    ///
    /// # Errors
    /// `BadParam` for half a frame, and with a callback.
    pub fn write_available(&self, samples: &[f32]) -> Result<usize, Error> {
        let frames = whole_frames(samples.len(), self.channels)?;
        let mut written = 0;
        self.stream.call(
            |library| library.output_write_available,
            |call, output, error| unsafe { call(output, samples.as_ptr(), frames, &mut written, error) },
        )?;
        Ok(written as usize)
    }

    /// Waits until all that was written was played; `None` has no limit. Returns false after
    /// `timeout`.
    ///
    /// # Errors
    /// Those of [`Output::write`].
    pub fn drain(&self, timeout: Option<Duration>) -> Result<bool, Error> {
        self.stream.call_within_limit(
            |library| library.output_drain,
            |call, output, error| unsafe { call(output, limit(timeout), error) },
        )
    }

    /// Drops what was written and not played. What is written next is heard next.
    pub fn flush(&self) -> Result<(), Error> {
        match self.stream.parts().and_then(|(output, library)| Some((output, library.output_flush?))) {
            // SAFETY: the handle is an output's.
            Some((output, flush)) => require(unsafe { flush(output) }),
            None => Ok(()),
        }
    }

    /// Sets the output's own volume, 0 to 1 as the desktop's sliders count it.
    pub fn set_volume(&self, volume: f32) -> Result<(), Error> {
        self.stream
            .call(|library| library.output_set_volume, |call, output, error| unsafe { call(output, volume, error) })
    }

    /// Every event from now on. The receiver of an earlier call gets no more. Without the library
    /// it ends at once.
    pub fn events(&self) -> Events<StreamEvent> {
        self.stream.events()
    }

    /// A snapshot of the output.
    pub fn info(&self) -> OutputInfo {
        // SAFETY: zeros are a value of the struct, which the library fills in.
        let mut raw: RawOutputInfo = unsafe { sized() };
        raw.volume = 1.0;
        if let Some((output, get)) =
            self.stream.parts().and_then(|(output, library)| Some((output, library.output_get_info?)))
        {
            unsafe { get(output, &mut raw) };
        }
        OutputInfo {
            state: StreamState::from_raw(raw.state),
            pause_reason: PauseReason::from_raw(raw.pause_reason),
            volume: raw.volume,
            sample_rate: raw.sample_rate as u32,
            channels: raw.channels as usize,
            position: raw.position,
            missing_frames: raw.missing_frames,
        }
    }

    /// The latency, with what waits in the ring, and what the real-time thread did.
    pub fn statistics(&self) -> Result<StreamStatistics, Error> {
        self.stream.statistics()
    }

    /// The route of the output, also before it starts.
    pub fn route(&self) -> Result<Route, Error> {
        self.stream.route()
    }
}
