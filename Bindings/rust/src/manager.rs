//! The connection to PipeWire.

use crate::library::{check, library, missing, require, Error};
use crate::native::RawManagerOptions;
use crate::values::{sized, Route};
use std::ffi::{c_void, CString};
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
    /// # Errors
    /// `MediaServicesFailed` without PipeWire, `TimedOut` if it does not answer in `timeout`.
    pub fn open(application_name: &str, timeout: Duration) -> Result<Manager, Error> {
        let library = match library() {
            Some(library) => library,
            None => return Ok(Manager { handle: None }),
        };
        let open = library.manager_open.ok_or_else(missing)?;
        let name = CString::new(application_name).unwrap_or_default();
        let mut handle = std::ptr::null_mut();
        // SAFETY: the struct follows the header's rules, and its string is valid until the call
        // returns.
        unsafe {
            let mut options: RawManagerOptions = sized();
            options.timeout = timeout.as_millis().min(u32::MAX as u128) as u32;
            options.application_name = if application_name.is_empty() { std::ptr::null() } else { name.as_ptr() };
            check(|error| open(&options, &mut handle, error))?;
        }
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
