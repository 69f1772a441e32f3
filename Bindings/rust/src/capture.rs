//! What inputs and recorders share: what they capture can be read.

use crate::library::Error;
use crate::native::{Library, PauseReason, RawError, RawInputInfo, RawLevel, Status, StreamState};
use crate::stream::{limit, whole_frames, Stream};
use crate::values::sized;
use std::ffi::c_void;
use std::time::Duration;

/// A snapshot of an input or recorder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InputInfo {
    pub state: StreamState,
    pub pause_reason: PauseReason,
    /// The frames per second of what is captured; 0 without the library. Neither it nor `channels`
    /// changes.
    pub sample_rate: u32,
    pub channels: usize,
    /// The frames that can be read without waiting.
    pub waiting_frames: u64,
    /// The frames that were lost, because the program did not read them in time.
    pub dropped_frames: u64,
}

/// How loud a channel is, in decibels relative to full scale: 0 is the loudest, -160 is silence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Level {
    pub average_power: f32,
    pub peak_power: f32,
}

/// The functions that inputs and recorders have.
pub(crate) struct CaptureFunctions {
    pub(crate) read: Option<unsafe extern "C" fn(*mut c_void, *mut f32, u32, u32, *mut u32, *mut RawError) -> u32>,
    pub(crate) get_level: Option<unsafe extern "C" fn(*mut c_void, u32, *mut RawLevel, *mut RawError) -> u32>,
    pub(crate) get_info: Option<unsafe extern "C" fn(*const c_void, *mut RawInputInfo) -> u32>,
}

/// A stream that captures.
pub(crate) struct Capture {
    pub(crate) stream: Stream,
    functions: fn(&Library) -> CaptureFunctions,
    channels: usize,
}

impl Capture {
    pub(crate) fn new(stream: Stream, functions: fn(&Library) -> CaptureFunctions) -> Capture {
        let mut capture = Capture { stream, functions, channels: 0 };
        capture.channels = capture.info().channels;
        capture
    }

    pub(crate) fn read(&self, samples: &mut [f32], timeout: Option<Duration>) -> Result<usize, Error> {
        let frames = whole_frames(samples.len(), self.channels)?;
        let mut count = 0;
        let result = self.stream.call_within_limit(
            |library| (self.functions)(library).read,
            |call, stream, error| unsafe {
                call(stream, samples.as_mut_ptr(), frames, limit(timeout), &mut count, error)
            },
        );
        match result {
            Err(error) if error.status != Status::Stopped || count == 0 => Err(error),
            _ => Ok(count as usize),
        }
    }

    pub(crate) fn level(&self, channel: u32) -> Result<Level, Error> {
        // SAFETY: zeros are a value of the struct, which the library fills in.
        let mut raw: RawLevel = unsafe { sized() };
        raw.average_power = -160.0;
        raw.peak_power = -160.0;
        self.stream.call(
            |library| (self.functions)(library).get_level,
            |call, stream, error| unsafe { call(stream, channel, &mut raw, error) },
        )?;
        Ok(Level { average_power: raw.average_power, peak_power: raw.peak_power })
    }

    pub(crate) fn info(&self) -> InputInfo {
        // SAFETY: zeros are a value of the struct, which the library fills in.
        let mut raw: RawInputInfo = unsafe { sized() };
        if let Some((stream, get)) =
            self.stream.parts().and_then(|(stream, library)| Some((stream, (self.functions)(library).get_info?)))
        {
            unsafe { get(stream, &mut raw) };
        }
        InputInfo {
            state: StreamState::from_raw(raw.state),
            pause_reason: PauseReason::from_raw(raw.pause_reason),
            sample_rate: raw.sample_rate as u32,
            channels: raw.channels as usize,
            waiting_frames: raw.waiting_frames,
            dropped_frames: raw.dropped_frames,
        }
    }
}
