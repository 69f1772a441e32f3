//! An audio session: its configuration, and its state among all sessions on the computer.

use crate::events::{events, CountsDropped, EventSender, Events};
use crate::library::{check, library, missing, require, Error};
use crate::manager::{Handle, Manager};
use crate::native::{
    Category, Direction, Library, Mode, Options, Policy, Priority, RawConfiguration, RawError, RawEvent,
    RawSessionInfo, RawSilenceReason, State,
};
use crate::stream::{c_text, pointer};
use crate::values::{sized, Event, Route, SilenceReason};
use std::ffi::c_void;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// The configuration of a session. `Docs/Configuration.md` lists the legal ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Configuration {
    pub category: Category,
    pub mode: Mode,
    pub options: Options,
    pub policy: Policy,
    pub priority: Priority,
    /// 1 to 64 bytes. Sessions of one group never act on one another. `None`: the group that the
    /// environment variable `AUDIOSESSION_GROUP` names, or else the process.
    pub group: Option<String>,
}

impl Configuration {
    /// A category with all defaults.
    pub fn new(category: Category) -> Configuration {
        Configuration {
            category,
            mode: Mode::Default,
            options: Options::default(),
            policy: Policy::Default,
            priority: Priority::Media,
            group: None,
        }
    }

    /// Ducks others while the session is active: for prompts, answers and announcements.
    pub fn duck() -> Configuration {
        let playback = Configuration::new(Category::Playback);
        Configuration { mode: Mode::VoicePrompt, options: Options::DUCK_OTHERS, ..playback }
    }

    /// Pauses others while the session is active, after which they may resume.
    pub fn interrupt() -> Configuration {
        Configuration::new(Category::Playback)
    }

    /// Records, and ducks others meanwhile.
    pub fn dictation() -> Configuration {
        // Not category record, so that the program can also play, such as a sound when it listens.
        Configuration { options: Options::DUCK_OTHERS, ..Configuration::new(Category::PlayAndRecord) }
    }

    /// Calls `body` with the struct for the library, whose group is valid until it returns.
    fn with_raw<Value>(&self, body: impl FnOnce(&RawConfiguration) -> Result<Value, Error>) -> Result<Value, Error> {
        let group = c_text(self.group.as_deref())?;
        body(&RawConfiguration {
            size: std::mem::size_of::<RawConfiguration>() as u32,
            category: self.category.raw(),
            mode: self.mode.raw(),
            options: self.options.0,
            policy: self.policy.raw(),
            priority: self.priority.raw(),
            group: pointer(&group),
        })
    }
}

/// A snapshot of the session.
#[derive(Clone, Debug, PartialEq)]
pub struct Info {
    pub state: State,
    /// The gain from ducking and silent mode, 0 to 1, by which samples are multiplied.
    pub gain: f32,
    pub output_volume: f32,
    pub is_output_muted: bool,
    /// Whether another program plays, with a session or without; false right after the
    /// session was made.
    pub is_other_audio_playing: bool,
    pub should_secondary_audio_be_silent: bool,
}

/// A session. Creating it activates nothing. It ends when it and all of its streams, such as an
/// [`Output`](crate::Output), are dropped. Without the library its calls have no effect, at full
/// gain.
pub struct Session {
    open: Option<Arc<Open>>,
}

pub(crate) struct Open {
    pub(crate) handle: *mut c_void,
    pub(crate) library: &'static Library,
    sender: Mutex<Option<Box<EventSender<Event>>>>,
    /// The connection is closed after the session.
    _manager: Arc<Handle>,
}

// SAFETY: the library's functions may be called on any thread, with any handle.
unsafe impl Send for Open {}
unsafe impl Sync for Open {}

impl Drop for Open {
    fn drop(&mut self) {
        // SAFETY: the handle is a session's, and is released once.
        let status = self.library.session_destroy.map(|destroy| unsafe { destroy(self.handle) });
        if status != Some(0) {
            // The handler may still be called, and uses the sender.
            std::mem::forget(self.sender.get_mut().map(Option::take));
        }
    }
}

/// Keeps a session active until it is dropped.
pub struct Hold {
    handle: *mut c_void,
    library: Option<&'static Library>,
}

// SAFETY: as for sessions.
unsafe impl Send for Hold {}

impl Drop for Hold {
    fn drop(&mut self) {
        if let Some(end) = self.library.and_then(|library| library.hold_end) {
            // SAFETY: the handle is a hold's, and is released once.
            unsafe { end(self.handle) };
        }
    }
}

impl CountsDropped for Event {
    fn dropped(&mut self) -> &mut u32 {
        &mut self.dropped
    }
}

unsafe extern "C" fn receive(_session: *mut c_void, event: *const RawEvent, sender: *mut c_void) {
    (*sender.cast::<EventSender<Event>>()).send(Event::from_raw(event));
}

impl Session {
    /// A session of the manager, or with its own connection.
    ///
    /// # Errors
    /// `BadParam` for an illegal configuration; the errors of [`Manager::open`].
    pub fn new(manager: Option<&Manager>, configuration: &Configuration) -> Result<Session, Error> {
        let manager = match manager {
            Some(manager) => manager.clone(),
            None => Manager::open("", Duration::from_secs(5))?,
        };
        let (manager, library) = match manager.handle().zip(library()) {
            Some((manager, library)) => (manager, library),
            None => return Ok(Session { open: None }),
        };
        let create = library.session_create.ok_or_else(missing)?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the handle is a manager's, and the struct follows the header's rules.
        configuration.with_raw(|raw| check(|error| unsafe { create(manager.0, raw, &mut handle, error) }))?;
        let open = Open { handle, library, sender: Mutex::new(None), _manager: manager };
        Ok(Session { open: Some(Arc::new(open)) })
    }

    /// Activates the session, and returns when PipeWire has granted that.
    ///
    /// A program that renders by itself also calls this when it plays again after
    /// [`EventType::BecameNoisy`](crate::EventType::BecameNoisy), because otherwise it is not
    /// advised to resume after the next interruption.
    ///
    /// # Errors
    /// `InsufficientPriority` during a call, for example; `MediaServicesFailed` without PipeWire.
    pub fn activate(&self) -> Result<(), Error> {
        self.call(|library| library.session_activate, |call, session, error| unsafe { call(session, error) })
    }

    /// Deactivates the session. With `notify_others` the sessions that it interrupted are advised
    /// to resume.
    pub fn deactivate(&self, notify_others: bool) -> Result<(), Error> {
        self.call(
            |library| library.session_deactivate,
            |call, session, error| unsafe { call(session, notify_others, error) },
        )
    }

    /// Activates the session until the last hold on it is dropped.
    ///
    /// # Errors
    /// The errors of [`Session::activate`].
    pub fn hold(&self) -> Result<Hold, Error> {
        let mut hold = Hold { handle: std::ptr::null_mut(), library: None };
        self.call(
            |library| library.session_hold,
            |call, session, error| unsafe { call(session, &mut hold.handle, error) },
        )?;
        hold.library = self.open.as_ref().map(|open| open.library);
        Ok(hold)
    }

    /// Sets the configuration. An active session is activated with it; if that fails the old one
    /// stays.
    ///
    /// # Errors
    /// `BadParam` for an illegal configuration; the errors of [`Session::activate`].
    pub fn configure(&self, configuration: &Configuration) -> Result<(), Error> {
        configuration.with_raw(|raw| {
            self.call(
                |library| library.session_configure,
                |call, session, error| unsafe { call(session, raw, error) },
            )
        })
    }

    /// Prefers one of [`Manager::available_ports`]; `None` prefers none.
    ///
    /// # Errors
    /// `ResourceNotAvailable` if the port is not available; `BadParam` for a uid with a zero
    /// character.
    pub fn set_preferred_port(&self, direction: Direction, uid: Option<&str>) -> Result<(), Error> {
        let uid = c_text(uid)?;
        self.call(
            |library| library.session_set_preferred_port,
            |call, session, error| unsafe { call(session, direction.raw(), pointer(&uid), error) },
        )
    }

    /// Every event from now on. The receiver of an earlier call gets no more. Without the library
    /// it ends at once.
    pub fn events(&self) -> Events<Event> {
        let (sender, receiver) = events();
        let open = match &self.open {
            Some(open) => open,
            None => return receiver,
        };
        let set = match open.library.session_set_handler {
            Some(set) => set,
            None => return receiver,
        };
        let mut place = match open.sender.lock() {
            Ok(place) => place,
            Err(_) => return receiver,
        };
        // SAFETY: a sender is released only after its handler was replaced, or before it was set.
        unsafe {
            if set(open.handle, None, std::ptr::null_mut()) != 0 {
                return receiver;
            }
            let sender = place.insert(Box::new(sender));
            if set(open.handle, Some(receive), (&mut **sender as *mut EventSender<Event>).cast()) != 0 {
                *place = None;
            }
        }
        receiver
    }

    /// A snapshot of the session.
    pub fn info(&self) -> Info {
        // SAFETY: zeros are a value of the struct, which the library fills in.
        let mut raw: RawSessionInfo = unsafe { sized() };
        raw.gain = 1.0;
        if let Some((open, get)) = self.open.as_ref().and_then(|open| Some((open, open.library.session_get_info?))) {
            unsafe { get(open.handle, &mut raw) };
        }
        Info {
            state: State::from_raw(raw.state),
            gain: raw.gain,
            output_volume: raw.output_volume,
            is_output_muted: raw.is_output_muted,
            is_other_audio_playing: raw.is_other_audio_playing,
            should_secondary_audio_be_silent: raw.should_secondary_audio_be_silent,
        }
    }

    /// The route of the session.
    pub fn route(&self) -> Result<Route, Error> {
        let open = match &self.open {
            Some(open) => open,
            None => return Ok(Route::default()),
        };
        let get = open.library.session_get_route.ok_or_else(missing)?;
        let mut route = std::ptr::null_mut();
        // SAFETY: the handle is a session's; the route is released.
        unsafe {
            require(get(open.handle, &mut route))?;
            Ok(Route::take(route))
        }
    }

    /// The reasons why the session is silent or ducked, the most important one first.
    pub fn silence_reasons(&self) -> Result<Vec<SilenceReason>, Error> {
        let open = match &self.open {
            Some(open) => open,
            None => return Ok(Vec::new()),
        };
        let library = open.library;
        let get = library.session_get_silence_reasons.ok_or_else(missing)?;
        let count = library.silence_reasons_count.ok_or_else(missing)?;
        let item = library.silence_reasons_get.ok_or_else(missing)?;
        let free = library.silence_reasons_free.ok_or_else(missing)?;
        let (mut list, mut found) = (std::ptr::null_mut(), Vec::new());
        // SAFETY: the handle is a session's; the list is released after its strings were copied.
        unsafe {
            require(get(open.handle, &mut list))?;
            for index in 0..count(list) {
                let mut reason: RawSilenceReason = sized();
                if item(list, index, &mut reason) == 0 {
                    found.push(SilenceReason::from_raw(&reason));
                }
            }
            free(list);
        }
        Ok(found)
    }

    pub(crate) fn open(&self) -> Option<Arc<Open>> {
        self.open.clone()
    }

    fn call<Function>(
        &self,
        function: impl FnOnce(&Library) -> Option<Function>,
        call: impl FnOnce(Function, *mut c_void, *mut RawError) -> u32,
    ) -> Result<(), Error> {
        let open = match &self.open {
            Some(open) => open,
            None => return Ok(()),
        };
        let function = function(open.library).ok_or_else(missing)?;
        check(|error| call(function, open.handle, error))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::Status;

    #[test]
    fn a_group_with_a_zero_is_illegal() {
        let group = |group: Option<&str>| Configuration { group: group.map(str::to_string), ..Configuration::duck() };
        let has_group = |configuration: &Configuration| configuration.with_raw(|raw| Ok(!raw.group.is_null()));
        assert_eq!(has_group(&group(None)), Ok(false));
        assert_eq!(has_group(&group(Some("a"))), Ok(true));
        assert_eq!(has_group(&group(Some("a\0b"))).unwrap_err().status, Status::BadParam);
    }
}
