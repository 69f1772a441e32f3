//! A player of sound files.

use crate::events::Events;
use crate::library::{c_string, missing, require, text, Error};
use crate::native::{Library, PauseReason, RawError, RawItem, RawPlayerInfo, RawPlayerOptions, Role, StreamState};
use crate::session::Session;
use crate::stream::{c_text, pointer, seconds, Functions, Stream, StreamEvent, StreamStatistics};
use crate::values::{sized, Route};
use std::ffi::{c_void, CString};
use std::os::raw::c_char;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::time::Duration;

/// The options of a player. The defaults are the library's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerOptions {
    pub role: Role,
    /// The program's name in mixers; `None` takes the manager's.
    pub application_name: Option<String>,
    /// The name of PipeWire's node.
    pub node_name: Option<String>,
}

impl Default for PlayerOptions {
    fn default() -> PlayerOptions {
        PlayerOptions { role: Role::Music, application_name: None, node_name: None }
    }
}

/// A sound file in a player's queue.
#[derive(Clone, Debug, PartialEq)]
pub struct Item {
    /// The path or URL that the program passed.
    pub path: String,
    /// The file's name without its folders, for display.
    pub name: String,
    /// The title from the file's tags, as is the artist.
    pub title: Option<String>,
    pub artist: Option<String>,
    /// The encoding, such as `FLAC`, for display.
    pub encoding: String,
    pub sample_rate: u32,
    pub channels: u32,
    pub frames: u64,
    /// The length from the file's header.
    pub duration: Duration,
}

impl Item {
    /// # Safety
    /// The item's strings are those of the library, and valid.
    pub(crate) unsafe fn from_raw(item: &RawItem) -> Item {
        Item {
            path: text(item.path).unwrap_or_default(),
            name: text(item.name).unwrap_or_default(),
            title: text(item.title),
            artist: text(item.artist),
            encoding: text(item.encoding).unwrap_or_default(),
            sample_rate: item.sample_rate as u32,
            channels: item.channels as u32,
            frames: item.frames,
            duration: seconds(item.duration),
        }
    }
}

/// A snapshot of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayerInfo {
    pub state: StreamState,
    pub pause_reason: PauseReason,
    /// The volume that [`Player::set_volume`] set.
    pub volume: f32,
    /// The index of the current file in the queue; `None` if that is empty.
    pub current_index: Option<u32>,
    pub queue_length: u32,
    /// The time in the current file.
    pub position: Duration,
    /// The length of the current file, from its header.
    pub duration: Duration,
    /// How often a file could not be read in time.
    pub underruns: u64,
}

/// Plays a queue of sound files (WAV, FLAC, Ogg, Opus, MP3 and all others of libsndfile) while its
/// session is active.
///
/// ```no_run
/// use audiosession::{Configuration, Player, PlayerOptions, Session};
///
/// let session = Session::new(None, &Configuration::interrupt())?;
/// let player = Player::new(&session, &PlayerOptions::default())?;
/// player.load(&["first.flac", "second.flac"])?;
/// player.play()?;
/// # Ok::<(), audiosession::Error>(())
/// ```
///
/// Without the library nothing is played, and all calls return at once.
pub struct Player {
    stream: Stream,
}

fn functions(library: &Library) -> Functions {
    Functions {
        destroy: library.player_destroy,
        set_handler: library.player_set_handler,
        get_statistics: library.player_get_statistics,
        get_route: library.player_get_route,
    }
}

/// A path for the library.
///
/// # Errors
/// Those of [`c_string`].
pub(crate) fn c_path(path: &Path) -> Result<CString, Error> {
    c_string(path.as_os_str().as_bytes())
}

type Queue = unsafe extern "C" fn(*mut c_void, *mut *mut c_char, u32, *mut RawError) -> u32;

impl Player {
    /// A player with an empty queue.
    ///
    /// # Errors
    /// `BadParam` for an illegal option.
    pub fn new(session: &Session, options: &PlayerOptions) -> Result<Player, Error> {
        let application_name = c_text(options.application_name.as_deref())?;
        let node_name = c_text(options.node_name.as_deref())?;
        let raw = RawPlayerOptions {
            size: std::mem::size_of::<RawPlayerOptions>() as u32,
            role: options.role.raw(),
            application_name: pointer(&application_name),
            node_name: pointer(&node_name),
        };
        let stream = Stream::new(
            session,
            functions,
            |library| library.player_create,
            |create, session, player, error| unsafe { create(session, &raw, player, error) },
        )?;
        Ok(Player { stream })
    }

    /// Replaces the queue by files, which are paths or file URLs, and stops at the beginning of the
    /// first.
    ///
    /// # Errors
    /// The error of the first file that cannot be played, such as `FileNotFound`; the queue then
    /// stays.
    pub fn load<File: AsRef<Path>>(&self, files: &[File]) -> Result<(), Error> {
        self.set_queue(files, |library| library.player_load)
    }

    /// Appends files to the queue.
    ///
    /// # Errors
    /// Those of [`Player::load`].
    pub fn enqueue<File: AsRef<Path>>(&self, files: &[File]) -> Result<(), Error> {
        self.set_queue(files, |library| library.player_enqueue)
    }

    fn set_queue<File: AsRef<Path>>(
        &self,
        files: &[File],
        function: impl FnOnce(&Library) -> Option<Queue>,
    ) -> Result<(), Error> {
        let paths = files.iter().map(|file| c_path(file.as_ref())).collect::<Result<Vec<_>, _>>()?;
        // The library does not change the strings.
        let mut pointers = paths.iter().map(|path| path.as_ptr() as *mut c_char).collect::<Vec<_>>();
        let count = u32::try_from(pointers.len()).unwrap_or(u32::MAX);
        self.stream.call(function, |call, player, error| unsafe { call(player, pointers.as_mut_ptr(), count, error) })
    }

    /// Plays, or continues, and activates an inactive session first. While the session is
    /// interrupted the request is kept.
    ///
    /// # Errors
    /// `NothingLoaded`; `IncompatibleCategory`; the errors of [`Session::activate`].
    pub fn play(&self) -> Result<(), Error> {
        self.stream.call(|library| library.player_play, |call, player, error| unsafe { call(player, error) })
    }

    /// Pauses at the next frame.
    pub fn pause(&self) -> Result<(), Error> {
        self.stream.call(|library| library.player_pause, |call, player, error| unsafe { call(player, error) })
    }

    /// Stops, and returns to the beginning of the current file.
    pub fn stop(&self) -> Result<(), Error> {
        self.stream.call(|library| library.player_stop, |call, player, error| unsafe { call(player, error) })
    }

    /// Moves to a time in the current file. A format that does not allow it gives an event of kind
    /// `Failed`.
    pub fn seek(&self, position: Duration) -> Result<(), Error> {
        let seconds = position.as_secs_f64();
        self.stream.call(|library| library.player_seek, |call, player, error| unsafe { call(player, seconds, error) })
    }

    /// Moves to the beginning of a file of the queue, counted from 0.
    ///
    /// # Errors
    /// `NoSuchItem`.
    pub fn skip(&self, index: u32) -> Result<(), Error> {
        self.stream.call(|library| library.player_skip, |call, player, error| unsafe { call(player, index, error) })
    }

    /// Moves to the next file.
    ///
    /// # Errors
    /// `NoSuchItem` at the last one.
    pub fn skip_to_next(&self) -> Result<(), Error> {
        self.stream.call(|library| library.player_skip_to_next, |call, player, error| unsafe { call(player, error) })
    }

    /// Moves to the previous file.
    ///
    /// # Errors
    /// `NoSuchItem` at the first one.
    pub fn skip_to_previous(&self) -> Result<(), Error> {
        self.stream
            .call(|library| library.player_skip_to_previous, |call, player, error| unsafe { call(player, error) })
    }

    /// Sets the player's own volume, 0 to 1 as the desktop's sliders count it.
    pub fn set_volume(&self, volume: f32) -> Result<(), Error> {
        self.stream
            .call(|library| library.player_set_volume, |call, player, error| unsafe { call(player, volume, error) })
    }

    /// Every event from now on. The receiver of an earlier call gets no more. Without the library
    /// it ends at once.
    pub fn events(&self) -> Events<StreamEvent> {
        self.stream.events()
    }

    /// A snapshot of the player.
    pub fn info(&self) -> PlayerInfo {
        // SAFETY: zeros are a value of the struct, which the library fills in.
        let mut raw: RawPlayerInfo = unsafe { sized() };
        raw.volume = 1.0;
        raw.current_index = -1;
        if let Some((player, get)) =
            self.stream.parts().and_then(|(player, library)| Some((player, library.player_get_info?)))
        {
            unsafe { get(player, &mut raw) };
        }
        PlayerInfo {
            state: StreamState::from_raw(raw.state),
            pause_reason: PauseReason::from_raw(raw.pause_reason),
            volume: raw.volume,
            current_index: u32::try_from(raw.current_index).ok(),
            queue_length: raw.queue_length,
            position: seconds(raw.position),
            duration: seconds(raw.duration),
            underruns: raw.underruns,
        }
    }

    /// The files of the queue in their order, also those that were played.
    pub fn queue(&self) -> Result<Vec<Item>, Error> {
        let (player, library) = match self.stream.parts() {
            Some(parts) => parts,
            None => return Ok(Vec::new()),
        };
        let get = library.player_get_queue.ok_or_else(missing)?;
        let count = library.items_count.ok_or_else(missing)?;
        let item = library.items_get.ok_or_else(missing)?;
        let free = library.items_free.ok_or_else(missing)?;
        let (mut list, mut found) = (std::ptr::null_mut(), Vec::new());
        // SAFETY: the handle is a player's; the list is released after its strings were copied.
        unsafe {
            require(get(player, &mut list))?;
            for index in 0..count(list) {
                let mut raw: RawItem = sized();
                if item(list, index, &mut raw) == 0 {
                    found.push(Item::from_raw(&raw));
                }
            }
            free(list);
        }
        Ok(found)
    }

    /// The latency, and what the real-time thread did.
    pub fn statistics(&self) -> Result<StreamStatistics, Error> {
        self.stream.statistics()
    }

    /// The route of the player, also before it plays.
    pub fn route(&self) -> Result<Route, Error> {
        self.stream.route()
    }
}
