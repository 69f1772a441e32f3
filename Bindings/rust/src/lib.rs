//! Audio sessions on PipeWire: duck or pause the sound of other programs, and let them resume.
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
//! [`Output`], [`Input`], [`Player`] and [`Recorder`] play and capture while their session is
//! active.
//!
//! The crate needs neither a C compiler nor the library to build. The first call loads `libaudiosession.so.1`, or the file that
//! `AUDIOSESSION_LIBRARY` names. Where the library is not installed, [`is_available`] is false,
//! [`problem`] has the reason, and calls have no effect.

mod capture;
mod events;
mod input;
mod library;
mod manager;
#[allow(clippy::all)]
#[rustfmt::skip]
mod native;
mod output;
mod player;
mod recorder;
mod session;
mod stream;
mod values;

pub use capture::{InputInfo, Level};
pub use events::Events;
pub use input::{Input, InputOptions};
pub use library::{is_available, problem, Error};
pub use manager::{Manager, ManagerOptions};
pub use native::{
    Category, Direction, EventType, FileType, FinishReason, Mode, Muter, Options, PauseReason, Policy, PortType,
    Priority, Role, RouteChangeReason, SilenceKind, State, Status, StreamEventType, StreamState,
};
pub use output::{Output, OutputInfo, OutputOptions};
pub use player::{Item, Player, PlayerInfo, PlayerOptions};
pub use recorder::{Recorder, RecorderOptions, Recording};
pub use session::{Configuration, Hold, Info, Session};
pub use stream::{Cycle, StreamEvent, StreamStatistics};
pub use values::{Event, Peer, Port, Route, SilenceReason};
