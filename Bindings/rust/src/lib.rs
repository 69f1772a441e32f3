//! Audio sessions on PipeWire: lower or pause the sound of other programs, and let them resume.
//!
//! ```no_run
//! use audiosession::{Configuration, Session};
//!
//! let session = Session::new(None, &Configuration::duck())?;
//! {
//!     let _hold = session.hold()?;
//!     println!("The door is open.");
//! }
//! # Ok::<(), audiosession::Error>(())
//! ```
//!
//! The crate needs neither a C compiler nor the library to build. The first call loads `libaudiosession.so.1`, or the file that
//! `AUDIOSESSION_LIBRARY` names. Where the library is not installed, [`is_available`] is false,
//! [`problem`] has the reason, and calls have no effect.

mod library;
mod manager;
#[allow(clippy::all)]
#[rustfmt::skip]
mod native;
mod session;
mod values;

pub use library::{is_available, problem, Error};
pub use manager::Manager;
pub use native::{
    Category, Direction, EventType, Mode, Options, Policy, PortType, Priority, RouteChangeReason, SilenceKind, State,
    Status,
};
pub use session::{Configuration, Hold, Info, Session};
pub use values::{Event, Peer, Port, Route, SilenceReason};
