//! The connection to PipeWire.

use crate::library::{check, library, missing, require, Error};
use crate::native::RawManagerOptions;
use crate::stream::{c_text, milliseconds, pointer};
use crate::values::{sized, Route};
use std::ffi::c_void;
use std::os::unix::io::BorrowedFd;
use std::sync::Arc;
use std::time::Duration;

/// The options of a manager. The defaults are the library's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ManagerOptions {
    /// The program's name in mixers; PipeWire chooses it if this is `None`.
    pub application_name: Option<String>,
    /// The limit of each call that waits; zero for 5 s.
    pub timeout: Duration,
    /// Whether all [`Events`](crate::Events) receive their events in [`Manager::dispatch`], instead
    /// of from a thread of the library.
    pub calls_handlers_in_dispatch: bool,
}

/// A connection to PipeWire, which reconnects when PipeWire restarts. Clones are the same
/// connection.
#[derive(Clone)]
pub struct Manager {
    handle: Option<Arc<Handle>>,
}

pub(crate) struct Handle(pub(crate) *mut c_void);

// SAFETY: the library's functions may be called on any thread, with any handle.
unsafe impl Send for Handle {}
unsafe impl Sync for Handle {}

impl Drop for Handle {
    fn drop(&mut self) {
        if let Some(close) = library().and_then(|library| library.manager_close) {
            // SAFETY: the handle is a manager's, and is released once.
            unsafe { close(self.0) };
        }
    }
}

impl Manager {
    /// Connects to PipeWire. Without the library the manager has no effect.
    ///
    /// `timeout` is that of each call that waits; zero for 5 s.
    ///
    /// # Errors
    /// `MediaServicesFailed` without PipeWire, `TimedOut` if it does not answer in `timeout`;
    /// `BadParam` for a name with a zero character.
    pub fn open(application_name: &str, timeout: Duration) -> Result<Manager, Error> {
        let application_name = Some(application_name.to_string());
        Manager::with_options(&ManagerOptions { application_name, timeout, ..ManagerOptions::default() })
    }

    /// Connects to PipeWire with these options. Without the library the manager has no effect.
    ///
    /// # Errors
    /// Those of [`Manager::open`].
    pub fn with_options(options: &ManagerOptions) -> Result<Manager, Error> {
        let library = match library() {
            Some(library) => library,
            None => return Ok(Manager { handle: None }),
        };
        let open = library.manager_open.ok_or_else(missing)?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the struct follows the header's rules.
        options.with_raw(|raw| check(|error| unsafe { open(raw, &mut handle, error) }))?;
        Ok(Manager { handle: Some(Arc::new(Handle(handle))) })
    }

    /// The descriptor that the program's main loop polls for reading. It is readable while events
    /// wait for [`Manager::dispatch`].
    ///
    /// `None` without the library, and unless the manager was opened with
    /// [`ManagerOptions::calls_handlers_in_dispatch`].
    pub fn descriptor(&self) -> Option<BorrowedFd<'_>> {
        let (handle, library) = self.handle.as_ref().zip(library())?;
        let get = library.manager_get_descriptor?;
        let mut descriptor = -1;
        // SAFETY: the handle is a manager's, which keeps the descriptor open while it is borrowed.
        unsafe {
            if get(handle.0, &mut descriptor) != 0 {
                return None;
            }
            Some(BorrowedFd::borrow_raw(descriptor))
        }
    }

    /// Moves the events of all sessions and streams that wait, 256 at most, to their
    /// [`Events`](crate::Events). It does not wait, and calls no code of the program.
    ///
    /// [`Events::recv`](crate::Events::recv) on the thread of the main loop would wait forever; use
    /// [`Events::try_iter`](crate::Events::try_iter) after this.
    ///
    /// # Errors
    /// `WrongThread` while another thread is in this function, or on a thread of the library;
    /// `BadParam` unless the manager was opened with
    /// [`ManagerOptions::calls_handlers_in_dispatch`].
    pub fn dispatch(&self) -> Result<(), Error> {
        let (handle, library) = match self.handle.as_ref().zip(library()) {
            Some((handle, library)) => (handle, library),
            None => return Ok(()),
        };
        let dispatch = library.manager_dispatch.ok_or_else(missing)?;
        // SAFETY: the handle is a manager's. The handlers are those of this crate, which store
        // events, and drop neither sessions nor streams.
        check(|error| unsafe { dispatch(handle.0, error) })
    }

    /// All outputs and inputs that a session can prefer now.
    pub fn available_ports(&self) -> Result<Route, Error> {
        let (handle, library) = match self.handle.as_ref().zip(library()) {
            Some((handle, library)) => (handle, library),
            None => return Ok(Route::default()),
        };
        let get = library.manager_get_available_ports.ok_or_else(missing)?;
        let mut route = std::ptr::null_mut();
        // SAFETY: the handle is a manager's; the route is released.
        unsafe {
            require(get(handle.0, &mut route))?;
            Ok(Route::take(route))
        }
    }

    pub(crate) fn handle(&self) -> Option<Arc<Handle>> {
        self.handle.clone()
    }
}

impl ManagerOptions {
    /// Calls `body` with the options for the library, whose name is valid until it returns.
    fn with_raw<Value>(&self, body: impl FnOnce(&RawManagerOptions) -> Result<Value, Error>) -> Result<Value, Error> {
        let name = c_text(self.application_name.as_deref().filter(|name| !name.is_empty()))?;
        // SAFETY: zeros are a value of the struct.
        let mut raw: RawManagerOptions = unsafe { sized() };
        raw.timeout = milliseconds(self.timeout);
        raw.application_name = pointer(&name);
        raw.calls_handlers_in_dispatch = self.calls_handlers_in_dispatch;
        body(&raw)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::Status;

    #[test]
    fn a_short_timeout_is_not_the_default() {
        let timeout = |timeout: Duration| {
            ManagerOptions { timeout, ..ManagerOptions::default() }.with_raw(|raw| Ok(raw.timeout))
        };
        assert_eq!(timeout(Duration::ZERO), Ok(0));
        assert_eq!(timeout(Duration::from_micros(100)), Ok(1));
        assert_eq!(timeout(Duration::from_secs(5)), Ok(5_000));
    }

    #[test]
    fn a_name_with_a_zero_is_illegal() {
        let has_name = |name: &str| {
            let options = ManagerOptions { application_name: Some(name.to_string()), ..ManagerOptions::default() };
            options.with_raw(|raw| Ok(!raw.application_name.is_null()))
        };
        assert_eq!((has_name(""), has_name("a")), (Ok(false), Ok(true)));
        assert_eq!(has_name("a\0b").unwrap_err().status, Status::BadParam);
    }

    #[test]
    fn handlers_are_called_in_dispatch_on_request() {
        let options = ManagerOptions { calls_handlers_in_dispatch: true, ..ManagerOptions::default() };
        assert_eq!(options.with_raw(|raw| Ok(raw.calls_handlers_in_dispatch)), Ok(true));
        assert_eq!(ManagerOptions::default().with_raw(|raw| Ok(raw.calls_handlers_in_dispatch)), Ok(false));
    }
}
