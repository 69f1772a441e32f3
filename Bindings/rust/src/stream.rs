//! What outputs, inputs, players and recorders share.

use crate::events::{events, CountsDropped, EventSender, Events};
use crate::library::{c_string, check, missing, require, text, Error};
use crate::native::{
    FinishReason, Library, Muter, OutputHandler, PauseReason, RawError, RawStreamEvent, RawStreamStatistics,
    RouteChangeReason, Status, StreamEventType, StreamState,
};
use crate::player::Item;
use crate::session::{Open, Session};
use crate::values::{received, sized, Port, Route};
use std::ffi::{c_void, CString};
use std::os::raw::c_char;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// An event of an output, input, player or recorder. Only the members that its type names have a
/// meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct StreamEvent {
    pub kind: StreamEventType,
    /// When it happened, in ns of CLOCK_MONOTONIC.
    pub time: u64,
    /// How many events before this one were dropped, because the program was slow.
    pub dropped: u32,
    pub state: StreamState,
    pub pause_reason: PauseReason,
    pub finish_reason: FinishReason,
    pub muter: Muter,
    pub reason: RouteChangeReason,
    pub frames: u64,
    /// The time from the beginning of the file.
    pub position: Duration,
    pub status: Status,
    /// What happened, why, and what to do.
    pub message: Option<String>,
    pub path: Option<String>,
    /// The output or microphone that was lost, or the microphone that is captured from now on.
    pub port: Option<Port>,
    pub previous_route: Route,
    pub current_route: Route,
    pub item: Option<Item>,
}

impl StreamEvent {
    /// # Safety
    /// The event is one that the library passed to a handler, which has not returned.
    pub(crate) unsafe fn from_raw(event: *const RawStreamEvent) -> StreamEvent {
        let event = received(event);
        StreamEvent {
            kind: StreamEventType::from_raw(event.kind),
            time: event.time,
            dropped: event.dropped,
            state: StreamState::from_raw(event.state),
            pause_reason: PauseReason::from_raw(event.pause_reason),
            finish_reason: FinishReason::from_raw(event.finish_reason),
            muter: Muter::from_raw(event.muter),
            reason: RouteChangeReason::from_raw(event.reason),
            frames: event.frames,
            position: seconds(event.position),
            status: Status::from_raw(event.status),
            message: text(event.message),
            path: text(event.path),
            port: if event.port.is_null() { None } else { Some(Port::from_raw(&received(event.port))) },
            previous_route: Route::from_raw(event.previous_route),
            current_route: Route::from_raw(event.current_route),
            item: if event.item.is_null() { None } else { Some(Item::from_raw(&received(event.item))) },
        }
    }
}

/// What the real-time thread of a stream did. Times are 0 where they are not known.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StreamStatistics {
    /// The frames in a cycle of PipeWire's graph.
    pub quantum: u32,
    /// The frames per second of the graph.
    pub graph_rate: u32,
    /// Whether an input or recorder removes the session's output from what it captures.
    pub is_echo_cancelled: bool,
    /// The cycles in which the stream took or delivered sound.
    pub cycles: u64,
    /// The frames that an input or recorder lost, because the program was slow.
    pub dropped_frames: u64,
    /// The time from the writing or rendering of a frame until it is heard, or from the microphone to
    /// the program; zero for recorders.
    pub latency: Duration,
    /// The time from PipeWire's report of a lost output until the stream was silent.
    pub gate_delay: Duration,
    /// When the stream last became silent in that way, in ns of CLOCK_MONOTONIC.
    pub gate_time: u64,
    /// The start of the last cycle with sound, of outputs and players, in ns of CLOCK_MONOTONIC.
    pub last_sound_time: u64,
}

/// What a callback receives beside the samples of a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cycle {
    /// The samples in a frame.
    pub channels: usize,
    /// The frames per second.
    pub sample_rate: u32,
    /// When the first frame is heard, or was captured, in ns of CLOCK_MONOTONIC.
    pub time: u64,
}

/// The functions that all kinds of streams have.
pub(crate) struct Functions {
    pub(crate) destroy: Option<unsafe extern "C" fn(*mut c_void) -> u32>,
    pub(crate) set_handler: Option<unsafe extern "C" fn(*mut c_void, OutputHandler, *mut c_void) -> u32>,
    pub(crate) get_statistics:
        Option<unsafe extern "C" fn(*mut c_void, *mut RawStreamStatistics, *mut RawError) -> u32>,
    pub(crate) get_route: Option<unsafe extern "C" fn(*const c_void, *mut *mut c_void) -> u32>,
}

/// The handle of a stream; none without the library.
pub(crate) struct Stream {
    open: Option<OpenStream>,
}

struct OpenStream {
    handle: *mut c_void,
    functions: Functions,
    /// The sender that the handler uses, as long as there is one.
    sender: Mutex<Option<*mut EventSender<StreamEvent>>>,
    /// The session is destroyed after the stream.
    session: Arc<Open>,
}

// SAFETY: the library's functions may be called on any thread, with any handle. The sender is used
// by the library's thread for handlers only.
unsafe impl Send for OpenStream {}
unsafe impl Sync for OpenStream {}

impl Drop for OpenStream {
    fn drop(&mut self) {
        let sender = self.sender.get_mut().map(Option::take).unwrap_or_default();
        // SAFETY: the handle is a stream's, and is released once. If that succeeded the handler,
        // which uses the sender, is no longer called; otherwise the sender is leaked.
        unsafe {
            if self.functions.destroy.map(|destroy| destroy(self.handle)) == Some(0) {
                release(sender);
            }
        }
    }
}

/// # Safety
/// The sender is one of `Box::into_raw`, which no handler uses any more.
unsafe fn release(sender: Option<*mut EventSender<StreamEvent>>) {
    if let Some(sender) = sender {
        drop(Box::from_raw(sender));
    }
}

impl CountsDropped for StreamEvent {
    fn dropped(&mut self) -> &mut u32 {
        &mut self.dropped
    }
}

unsafe extern "C" fn receive(_stream: *mut c_void, event: *const RawStreamEvent, sender: *mut c_void) {
    (*sender.cast::<EventSender<StreamEvent>>()).send(StreamEvent::from_raw(event));
}

impl Stream {
    /// A stream of the session, which `call` makes with the function that `create` selects.
    pub(crate) fn new<Create>(
        session: &Session,
        functions: impl FnOnce(&Library) -> Functions,
        create: impl FnOnce(&Library) -> Option<Create>,
        call: impl FnOnce(Create, *mut c_void, *mut *mut c_void, *mut RawError) -> u32,
    ) -> Result<Stream, Error> {
        let session = match session.open() {
            Some(session) => session,
            None => return Ok(Stream { open: None }),
        };
        let create = create(session.library).ok_or_else(missing)?;
        let functions = functions(session.library);
        let mut handle = std::ptr::null_mut();
        check(|error| call(create, session.handle, &mut handle, error))?;
        Ok(Stream { open: Some(OpenStream { handle, functions, sender: Mutex::new(None), session }) })
    }

    /// A stream with a callback, whose context is dropped by the library after the last call, or
    /// here if there is no stream. `call` receives the context and the function that drops it.
    pub(crate) fn with_context<Create, Context>(
        session: &Session,
        context: Context,
        functions: impl FnOnce(&Library) -> Functions,
        create: impl FnOnce(&Library) -> Option<Create>,
        call: impl FnOnce(Create, *mut c_void, *mut c_void, *mut *mut c_void, *mut RawError) -> u32,
    ) -> Result<Stream, Error> {
        let context = Box::into_raw(Box::new(context));
        let stream = Stream::new(session, functions, create, |create, session, handle, error| {
            call(create, session, context.cast(), handle, error)
        });
        if !matches!(&stream, Ok(Stream { open: Some(_) })) {
            // SAFETY: the library has not taken the context.
            drop(unsafe { Box::from_raw(context) });
        }
        stream
    }

    /// The handle and the library.
    pub(crate) fn parts(&self) -> Option<(*mut c_void, &'static Library)> {
        self.open.as_ref().map(|open| (open.handle, open.session.library))
    }

    pub(crate) fn call<Function>(
        &self,
        function: impl FnOnce(&Library) -> Option<Function>,
        call: impl FnOnce(Function, *mut c_void, *mut RawError) -> u32,
    ) -> Result<(), Error> {
        let (handle, library) = match self.parts() {
            Some(parts) => parts,
            None => return Ok(()),
        };
        let function = function(library).ok_or_else(missing)?;
        check(|error| call(function, handle, error))
    }

    /// Calls a function that has a limit, and returns false if that has passed.
    pub(crate) fn call_within_limit<Function>(
        &self,
        function: impl FnOnce(&Library) -> Option<Function>,
        call: impl FnOnce(Function, *mut c_void, *mut RawError) -> u32,
    ) -> Result<bool, Error> {
        match self.call(function, call) {
            Ok(()) => Ok(true),
            Err(error) if error.status == Status::TimedOut => Ok(false),
            Err(error) => Err(error),
        }
    }

    pub(crate) fn events(&self) -> Events<StreamEvent> {
        let (sender, receiver) = events();
        let open = match &self.open {
            Some(open) => open,
            None => return receiver,
        };
        let (set, mut place) = match (open.functions.set_handler, open.sender.lock()) {
            (Some(set), Ok(place)) => (set, place),
            _ => return receiver,
        };
        // SAFETY: a sender is released only after its handler was replaced, or before it was set.
        unsafe {
            if set(open.handle, None, std::ptr::null_mut()) == 0 {
                release(place.take());
            }
            let sender = Box::into_raw(Box::new(sender));
            if set(open.handle, Some(receive), sender.cast()) == 0 {
                *place = Some(sender);
            } else {
                release(Some(sender));
            }
        }
        receiver
    }

    pub(crate) fn statistics(&self) -> Result<StreamStatistics, Error> {
        let get = match &self.open {
            Some(open) => open.functions.get_statistics.ok_or_else(missing)?,
            None => return Ok(StreamStatistics::default()),
        };
        // SAFETY: zeros are a value of the struct, which the library fills in.
        let mut raw: RawStreamStatistics = unsafe { sized() };
        self.call(|_| Some(get), |call, stream, error| unsafe { call(stream, &mut raw, error) })?;
        Ok(StreamStatistics {
            quantum: raw.quantum,
            graph_rate: raw.graph_rate,
            is_echo_cancelled: raw.is_echo_cancelled,
            cycles: raw.cycles,
            dropped_frames: raw.dropped_frames,
            latency: seconds(raw.latency),
            gate_delay: seconds(raw.gate_delay),
            gate_time: raw.gate_time,
            last_sound_time: raw.last_sound_time,
        })
    }

    pub(crate) fn route(&self) -> Result<Route, Error> {
        let open = match &self.open {
            Some(open) => open,
            None => return Ok(Route::default()),
        };
        let get = open.functions.get_route.ok_or_else(missing)?;
        let mut route = std::ptr::null_mut();
        // SAFETY: the handle is a stream's; the route is released.
        unsafe {
            require(get(open.handle, &mut route))?;
            Ok(Route::take(route))
        }
    }
}

/// Calls a function of the program on a thread of the library, through which no panic may pass.
pub(crate) fn without_unwinding(body: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(body)).is_err() {
        std::process::abort();
    }
}

/// Drops the context of a callback.
pub(crate) unsafe extern "C" fn destroy_context<Context>(context: *mut c_void) {
    without_unwinding(|| drop(Box::from_raw(context.cast::<Context>())));
}

/// The frames in so many samples.
pub(crate) fn whole_frames(samples: usize, channels: usize) -> Result<u32, Error> {
    if channels == 0 {
        return Ok(0);
    }
    match (samples % channels, u32::try_from(samples / channels)) {
        (0, Ok(frames)) => Ok(frames),
        _ => Err(Error {
            status: Status::BadParam,
            message: format!("{samples} samples are no whole frames of {channels} channels, or too many."),
        }),
    }
}

/// The limit of a call in milliseconds; `None` has no limit.
pub(crate) fn limit(timeout: Option<Duration>) -> u32 {
    timeout.map_or(u32::MAX, milliseconds)
}

/// A time in milliseconds, rounded up, because 0 does not wait or is the default.
pub(crate) fn milliseconds(duration: Duration) -> u32 {
    ((duration.as_nanos() + 999_999) / 1_000_000).min(u32::MAX as u128 - 1) as u32
}

/// A time of the library, which is not negative.
pub(crate) fn seconds(value: f64) -> Duration {
    Duration::from_secs_f64(if value > 0.0 { value.min(u32::MAX as f64) } else { 0.0 })
}

/// A number for the library. One that is out of range is illegal there too.
pub(crate) fn number(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// A string for the library that may be missing.
///
/// # Errors
/// Those of [`c_string`].
pub(crate) fn c_text(value: Option<&str>) -> Result<Option<CString>, Error> {
    value.map(c_string).transpose()
}

/// The pointer is valid as long as the string.
pub(crate) fn pointer(value: &Option<CString>) -> *const c_char {
    value.as_ref().map_or(std::ptr::null(), |value| value.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_timeout_still_waits() {
        assert_eq!(limit(None), u32::MAX);
        assert_eq!(limit(Some(Duration::ZERO)), 0);
        assert_eq!(limit(Some(Duration::from_nanos(1))), 1);
        assert_eq!(limit(Some(Duration::from_millis(20))), 20);
        assert_eq!(limit(Some(Duration::MAX)), u32::MAX - 1);
    }

    #[test]
    fn a_text_with_a_zero_is_illegal() {
        assert_eq!(c_text(None), Ok(None));
        assert_eq!(c_text(Some("a")), Ok(Some(CString::new("a").unwrap())));
        let error = c_text(Some("a\0b")).unwrap_err();
        assert_eq!(
            (error.status, error.message.as_str()),
            (Status::BadParam, r#""a\0b" has a zero character. Remove it."#)
        );
    }

    #[test]
    fn times_that_are_no_durations_are_in_range() {
        assert_eq!(seconds(0.5), Duration::from_millis(500));
        for value in [f64::NAN, -1.0, f64::NEG_INFINITY] {
            assert_eq!(seconds(value), Duration::ZERO);
        }
        assert_eq!(seconds(f64::INFINITY), Duration::from_secs(u32::MAX.into()));
    }

    #[test]
    fn half_a_frame_is_illegal() {
        assert_eq!(whole_frames(6, 2), Ok(3));
        assert_eq!(whole_frames(6, 0), Ok(0));
        assert_eq!(whole_frames(5, 2).unwrap_err().status, Status::BadParam);
    }

    /// The program's struct is larger than the library's, and the bytes behind that are not read.
    #[test]
    fn what_an_older_library_lacks_in_an_event_is_zero() {
        let behind = CString::new("not its own").unwrap();
        // SAFETY: zeros are a value of the struct.
        let event = unsafe {
            let mut event: RawStreamEvent = sized();
            event.size -= std::mem::size_of::<*const c_char>() as u32;
            event.kind = StreamEventType::PositionChanged.raw();
            event.position = 1.5;
            event.message = behind.as_ptr();
            StreamEvent::from_raw(&event)
        };
        assert_eq!((event.kind, event.message), (StreamEventType::PositionChanged, None));
        assert_eq!(event.position, Duration::from_millis(1_500));
    }
}
