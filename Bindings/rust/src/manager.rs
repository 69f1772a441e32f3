//! The connection to PipeWire.

use crate::library::{check, library, missing, require, Error};
use crate::native::RawManagerOptions;
use crate::stream::{c_text, milliseconds, pointer};
use crate::values::{sized, Route};
use std::ffi::c_void;
use std::sync::Arc;
use std::time::Duration;

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
        let library = match library() {
            Some(library) => library,
            None => return Ok(Manager { handle: None }),
        };
        let open = library.manager_open.ok_or_else(missing)?;
        let mut handle = std::ptr::null_mut();
        // SAFETY: the struct follows the header's rules.
        with_raw(application_name, timeout, |raw| check(|error| unsafe { open(raw, &mut handle, error) }))?;
        Ok(Manager { handle: Some(Arc::new(Handle(handle))) })
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

/// Calls `body` with the options for the library, whose name is valid until it returns.
fn with_raw<Value>(
    application_name: &str,
    timeout: Duration,
    body: impl FnOnce(&RawManagerOptions) -> Result<Value, Error>,
) -> Result<Value, Error> {
    let name = c_text(Some(application_name).filter(|name| !name.is_empty()))?;
    // SAFETY: zeros are a value of the struct.
    let mut options: RawManagerOptions = unsafe { sized() };
    options.timeout = milliseconds(timeout);
    options.application_name = pointer(&name);
    body(&options)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::native::Status;

    #[test]
    fn a_short_timeout_is_not_the_default() {
        let timeout = |timeout: Duration| with_raw("", timeout, |raw| Ok(raw.timeout));
        assert_eq!(timeout(Duration::ZERO), Ok(0));
        assert_eq!(timeout(Duration::from_micros(100)), Ok(1));
        assert_eq!(timeout(Duration::from_secs(5)), Ok(5_000));
    }

    #[test]
    fn a_name_with_a_zero_is_illegal() {
        let has_name = |name: &str| with_raw(name, Duration::ZERO, |raw| Ok(!raw.application_name.is_null()));
        assert_eq!((has_name(""), has_name("a")), (Ok(false), Ok(true)));
        assert_eq!(has_name("a\0b").unwrap_err().status, Status::BadParam);
    }
}
