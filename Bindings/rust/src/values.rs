//! Values that sessions and managers return.

use crate::library::{library, text};
use crate::native::{
    Direction, EventType, PortType, RawEvent, RawPort, RawSilenceReason, RouteChangeReason, SilenceKind, State,
};
use std::ffi::c_void;
use std::os::raw::c_char;

/// An input or output, such as a speaker, a jack or a headset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    pub kind: PortType,
    pub direction: Direction,
    /// For display.
    pub name: String,
    /// Identifies the port across unplugging and reboots.
    pub uid: String,
}

impl Port {
    pub(crate) unsafe fn from_raw(port: &RawPort) -> Port {
        Port {
            kind: PortType::from_raw(port.kind),
            direction: Direction::from_raw(port.direction),
            name: text(port.name).unwrap_or_default(),
            uid: text(port.uid).unwrap_or_default(),
        }
    }
}

/// A route, or the lists of available ports.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Route {
    pub outputs: Vec<Port>,
    pub inputs: Vec<Port>,
}

impl Route {
    /// # Safety
    /// The handle is null, or a route's.
    pub(crate) unsafe fn from_raw(handle: *const c_void) -> Route {
        Route { outputs: ports(handle, Direction::Output), inputs: ports(handle, Direction::Input) }
    }

    /// # Safety
    /// The handle is null, or a route's, which is released.
    pub(crate) unsafe fn take(handle: *mut c_void) -> Route {
        let route = Route::from_raw(handle);
        if let Some(free) = library().and_then(|library| library.route_free) {
            free(handle);
        }
        route
    }
}

unsafe fn ports(handle: *const c_void, direction: Direction) -> Vec<Port> {
    let functions = library().and_then(|library| Some((library.route_count?, library.route_port?)));
    let (count, get) = match functions.filter(|_| !handle.is_null()) {
        Some((count, get)) => (count, get),
        None => return Vec::new(),
    };
    let mut found = Vec::new();
    for index in 0..count(handle, direction.raw()) {
        let mut port: RawPort = sized();
        if get(handle, direction.raw(), index, &mut port) == 0 {
            found.push(Port::from_raw(&port));
        }
    }
    found
}

/// A session of another program that interrupts or ducks this one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peer {
    /// The program's name, chosen by itself.
    pub name: Option<String>,
    /// Its process, as PipeWire reports it; 0 if that is unknown.
    pub pid: i32,
    /// The session's uuid.
    pub session: Option<String>,
}

impl Peer {
    unsafe fn from_raw(name: *const c_char, pid: i32, session: *const c_char) -> Option<Peer> {
        if name.is_null() && session.is_null() && pid == 0 {
            return None;
        }
        Some(Peer { name: text(name), pid, session: text(session) })
    }
}

/// A reason why a session is silent or ducked.
#[derive(Clone, Debug, PartialEq)]
pub struct SilenceReason {
    pub kind: SilenceKind,
    /// The gain of a ducked session; 1 for other kinds.
    pub gain: f32,
    pub peer: Option<Peer>,
}

impl SilenceReason {
    pub(crate) unsafe fn from_raw(reason: &RawSilenceReason) -> SilenceReason {
        SilenceReason {
            kind: SilenceKind::from_raw(reason.kind),
            gain: reason.gain,
            peer: Peer::from_raw(reason.cause_name, reason.cause_pid, reason.cause_session),
        }
    }
}

/// An event of a session. Only the members that its type names have a meaning.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    pub kind: EventType,
    /// When it reached this process, in ns of CLOCK_MONOTONIC; 0 where that is not kept.
    pub time: u64,
    /// How many events before this one were dropped, because the program was slow.
    pub dropped: u32,
    pub state: State,
    pub reason: RouteChangeReason,
    /// The session that interrupts or ducks this one.
    pub peer: Option<Peer>,
    pub gain: f32,
    pub volume: f32,
    pub should_resume: bool,
    pub should_be_silent: bool,
    pub is_muted: bool,
    /// The output that was lost.
    pub port: Option<Port>,
    pub previous_route: Route,
    pub current_route: Route,
}

impl Event {
    /// # Safety
    /// The event is one that the library passed to a handler, which has not returned.
    pub(crate) unsafe fn from_raw(event: *const RawEvent) -> Event {
        let event = received(event);
        Event {
            kind: EventType::from_raw(event.kind),
            time: event.time,
            dropped: event.dropped,
            state: State::from_raw(event.state),
            reason: RouteChangeReason::from_raw(event.reason),
            peer: Peer::from_raw(event.cause_name, event.cause_pid, event.cause_session),
            gain: event.gain,
            volume: event.volume,
            should_resume: event.should_resume,
            should_be_silent: event.should_be_silent,
            is_muted: event.is_muted,
            port: if event.port.is_null() { None } else { Some(Port::from_raw(&received(event.port))) },
            previous_route: Route::from_raw(event.previous_route),
            current_route: Route::from_raw(event.current_route),
        }
    }
}

/// A copy of a struct that the library passes. An older library's is smaller: missing members are
/// 0.
///
/// # Safety
/// The pointer is to a struct of `native`, up to the size at its beginning.
pub(crate) unsafe fn received<Struct>(pointer: *const Struct) -> Struct {
    let mut value: Struct = std::mem::zeroed();
    let size = std::mem::size_of::<Struct>().min(*pointer.cast::<u32>() as usize);
    std::ptr::copy_nonoverlapping(pointer.cast::<u8>(), (&mut value as *mut Struct).cast(), size);
    value
}

/// A struct of the library, which begins with its size; all other members are 0.
///
/// # Safety
/// `Struct` is one of `native`, for which zeros are a value.
pub(crate) unsafe fn sized<Struct>() -> Struct {
    let mut value: Struct = std::mem::zeroed();
    *(&mut value as *mut Struct).cast::<u32>() = std::mem::size_of::<Struct>() as u32;
    value
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The program's struct is larger than the library's, and the bytes behind that are not read.
    #[test]
    fn what_an_older_library_lacks_is_zero() {
        let behind = std::ffi::CString::new("not its own").unwrap();
        // SAFETY: zeros are a value of the struct.
        let event = unsafe {
            let mut event: RawEvent = sized();
            event.size = 80;
            event.kind = EventType::Ducking.raw();
            event.gain = 0.5;
            event.cause_session = behind.as_ptr();
            Event::from_raw(&event)
        };
        assert_eq!((event.kind, event.gain, event.peer), (EventType::Ducking, 0.5, None));
    }
}
