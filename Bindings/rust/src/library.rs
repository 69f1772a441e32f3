//! Loads libaudiosession once, and turns its errors into values.

use crate::native::{Library, RawError, Status};
use std::ffi::{c_void, CStr, CString};
use std::os::raw::{c_char, c_int};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, Once};

#[link(name = "dl")]
extern "C" {
    fn dlopen(name: *const c_char, flags: c_int) -> *mut c_void;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn dlerror() -> *const c_char;
    fn secure_getenv(name: *const c_char) -> *const c_char;
}

const RTLD_NOW: c_int = 2;

static ONCE: Once = Once::new();
static LIBRARY: AtomicPtr<Library> = AtomicPtr::new(std::ptr::null_mut());
static PROBLEM: Mutex<String> = Mutex::new(String::new());

/// The library's functions, which the first call loads; `None` without the library.
pub(crate) fn library() -> Option<&'static Library> {
    ONCE.call_once(load);
    // SAFETY: it is null, or was leaked by `load`.
    unsafe { LIBRARY.load(Ordering::Acquire).as_ref() }
}

/// The file to load: the one that the environment names, or else what the system's loader finds.
fn file(named: Option<&CStr>) -> CString {
    match named.filter(|name| !name.to_bytes().is_empty()) {
        Some(name) => name.to_owned(),
        None => CString::new("libaudiosession.so.1").unwrap_or_default(),
    }
}

fn load() {
    const VARIABLE: &[u8] = b"AUDIOSESSION_LIBRARY\0";
    // SAFETY: the strings end with a zero, and the library's functions have the types that its header declares.
    unsafe {
        // NULL in a program with more privileges than its user, who must not choose its code.
        let named = secure_getenv(VARIABLE.as_ptr().cast());
        let path = file(if named.is_null() { None } else { Some(CStr::from_ptr(named)) });
        let handle = dlopen(path.as_ptr(), RTLD_NOW);
        if handle.is_null() {
            let reason = text(dlerror()).unwrap_or_default();
            let problem = format!(
                "The program runs without audio sessions, because the library is not installed ({reason}). Install \
                 libaudiosession, or set AUDIOSESSION_LIBRARY to its file."
            );
            if let Ok(mut place) = PROBLEM.lock() {
                *place = problem;
            }
            return;
        }
        let library = Library::load(|symbol| dlsym(handle, symbol.as_ptr().cast()));
        LIBRARY.store(Box::into_raw(Box::new(library)), Ordering::Release);
    }
}

/// Whether libaudiosession is installed. Without it no call of this crate has an effect.
pub fn is_available() -> bool {
    library().is_some()
}

/// The reason why the library was not loaded, as a sentence; empty if it was.
pub fn problem() -> String {
    library();
    PROBLEM.lock().map(|problem| problem.clone()).unwrap_or_default()
}

/// The error of a failed call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of the failure.
    pub status: Status,
    /// What happened, why, and what to do.
    pub message: String,
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

/// The result of a function that fills in an error.
pub(crate) fn check(call: impl FnOnce(*mut RawError) -> u32) -> Result<(), Error> {
    let mut error = RawError {
        size: std::mem::size_of::<RawError>() as u32,
        status: 0,
        os_status: 0,
        reserved: 0,
        message: [0; 496],
    };
    let status = call(&mut error);
    if status == 0 {
        return Ok(());
    }
    // SAFETY: the message ends with a zero.
    let message = unsafe { text(error.message.as_ptr()) }.unwrap_or_default();
    Err(Error { status: Status::from_raw(status), message })
}

/// The result of a function without an error to fill in.
pub(crate) fn require(status: u32) -> Result<(), Error> {
    if status == 0 {
        return Ok(());
    }
    let status = Status::from_raw(status);
    Err(Error { status, message: format!("A call failed: {status:?}.") })
}

/// The result of a function that an older library lacks.
pub(crate) fn missing() -> Error {
    Error {
        status: Status::MediaServicesFailed,
        message: "The installed libaudiosession is older than this program. Install a newer one.".to_string(),
    }
}

/// A string or path for the library.
///
/// # Errors
/// `BadParam` if it has a zero character, where the library would cut it off.
pub(crate) fn c_string(value: impl Into<Vec<u8>>) -> Result<CString, Error> {
    CString::new(value).map_err(|error| Error {
        status: Status::BadParam,
        message: format!("{:?} has a zero character. Remove it.", String::from_utf8_lossy(&error.into_vec())),
    })
}

/// # Safety
/// The pointer is null, or points to a string that ends with a zero.
pub(crate) unsafe fn text(pointer: *const c_char) -> Option<String> {
    if pointer.is_null() {
        return None;
    }
    Some(CStr::from_ptr(pointer).to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_names_a_file_by_any_bytes() {
        let named = |name: &[u8]| CString::new(name).map(|name| file(Some(&name)).into_bytes());
        assert_eq!(named(b"/opt/\xff.so"), Ok(b"/opt/\xff.so".to_vec()));
        assert_eq!(named(b""), Ok(b"libaudiosession.so.1".to_vec()));
        assert_eq!(file(None).as_bytes(), b"libaudiosession.so.1");
    }
}
