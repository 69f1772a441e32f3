//! Calls everything that the Rust crate has for outputs, inputs, players, recorders and main loops:
//! with a PipeWire and a card if a folder is passed, which receives a recording, otherwise without
//! the library.

use audiosession::{
    is_available, Category, Configuration, Cycle, Direction, Error, EventType, Events, FileType, FinishReason, Input,
    InputOptions, Manager, ManagerOptions, Output, OutputOptions, PauseReason, Player, PlayerOptions, Recorder,
    RecorderOptions, Role, Session, State, Status, StreamEvent, StreamEventType, StreamState,
};
use std::os::raw::{c_int, c_short, c_ulong};
use std::os::unix::io::{AsRawFd, BorrowedFd};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Of each wait.
const LIMIT: Duration = Duration::from_secs(10);

/// Skips events until one is of the kind and has the state.
fn wait(events: &Events<StreamEvent>, kind: StreamEventType, state: StreamState) -> StreamEvent {
    loop {
        let event = events.recv_timeout(LIMIT).unwrap_or_else(|_| panic!("no {kind:?} {state:?} in {LIMIT:?}"));
        if event.kind == kind && event.state == state {
            return event;
        }
    }
}

/// Skips events until the stream has no more; false if it could have.
fn end(events: &Events<StreamEvent>) -> bool {
    loop {
        if let Err(error) = events.recv_timeout(LIMIT) {
            return error == RecvTimeoutError::Disconnected;
        }
    }
}

/// Waits for what has no event.
fn until(condition: impl Fn() -> bool) {
    let deadline = Instant::now() + LIMIT;
    while !condition() {
        assert!(Instant::now() < deadline, "nothing in {LIMIT:?}");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn status<Value: std::fmt::Debug>(result: Result<Value, Error>) -> Status {
    result.expect_err("the call fails").status
}

fn shared<Value: Send + Sync>(value: Value) -> Value {
    value
}

fn what_is_written_is_played(session: Session) -> Result<(), Error> {
    let options = OutputOptions { sample_rate: 24_000, channels: 1, role: Role::Game, ..OutputOptions::default() };
    let output = shared(Output::new(&session, &options)?);
    // The output keeps its session.
    drop(session);
    let replaced = output.events();
    let events = output.events();
    let tone = [0.1; 2_400];
    assert_eq!(status(output.write(&tone, None)), Status::Stopped);
    output.start()?;
    wait(&events, StreamEventType::StateChanged, StreamState::Running);
    assert!(end(&replaced));
    let info = output.info();
    assert_eq!((info.state, info.sample_rate, info.channels), (StreamState::Running, 24_000, 1));
    assert_eq!(output.write(&tone, None)?, 2_400);
    assert!(output.drain(Some(LIMIT))?);
    assert_eq!((output.info().position, output.info().missing_frames), (2_400, 0));
    assert!(output.statistics()?.cycles > 0);
    assert_eq!(output.route()?.outputs.len(), 1);
    assert!(output.write(&[0.0; 24_000], Some(Duration::from_millis(20)))? < 24_000);
    assert!(!output.drain(Some(Duration::ZERO))?);
    output.flush()?;
    assert!(output.write_available(&tone)? <= 2_400);
    output.set_volume(0.5)?;
    assert_eq!(output.info().volume, 0.5);
    output.stop()?;
    let stopped = wait(&events, StreamEventType::StateChanged, StreamState::Stopped);
    assert_eq!(stopped.pause_reason, PauseReason::None);
    drop(output);
    assert!(end(&events));
    Ok(())
}

/// Is dropped with the callback that owns it.
struct Dropped(Arc<AtomicU32>);

impl Dropped {
    /// A closure owns what it calls.
    fn keep(&self) {}
}

impl Drop for Dropped {
    fn drop(&mut self) {
        self.0.fetch_add(1, Ordering::SeqCst);
    }
}

fn callbacks_render_and_receive(session: &Session) -> Result<(), Error> {
    let counts: [Arc<AtomicU32>; 3] = Default::default();
    let [rendered, received, dropped] = counts.clone();
    let owned = [Dropped(dropped.clone()), Dropped(dropped)];
    let [render_owned, receive_owned] = owned;
    let count = |cycles: &AtomicU32, samples: usize, cycle: Cycle| {
        if samples > 0 && samples % cycle.channels == 0 && cycle.sample_rate > 0 && cycle.time > 0 {
            cycles.fetch_add(1, Ordering::SeqCst);
        }
    };
    let options = OutputOptions { channels: 2, ..OutputOptions::default() };
    let output = Output::with_callback(session, &options, move |samples, cycle| {
        render_owned.keep();
        samples.fill(0.1);
        count(&rendered, samples.len(), cycle);
    })?;
    output.start()?;
    until(|| counts[0].load(Ordering::SeqCst) > 0);
    assert_eq!(status(output.write(&[0.0; 2], Some(LIMIT))), Status::BadParam);
    assert_eq!(status(output.write(&[0.0; 3], Some(LIMIT))), Status::BadParam);
    let options = InputOptions { channels: 1, ..InputOptions::default() };
    let input = Input::with_callback(session, &options, move |samples, cycle| {
        receive_owned.keep();
        count(&received, samples.len(), cycle);
    })?;
    input.start()?;
    until(|| counts[1].load(Ordering::SeqCst) > 0);
    assert_eq!(status(input.read(&mut [0.0], Some(LIMIT))), Status::BadParam);
    assert_eq!(counts[2].load(Ordering::SeqCst), 0);
    drop((output, input));
    until(|| counts[2].load(Ordering::SeqCst) == 2);
    // A refused callback is dropped at once.
    let refused = Dropped(counts[2].clone());
    let options = OutputOptions { channels: 99, ..OutputOptions::default() };
    let result = Output::with_callback(session, &options, move |_, _| refused.keep()).map(|_| ());
    assert!(result.is_err());
    assert_eq!(counts[2].load(Ordering::SeqCst), 3);
    Ok(())
}

fn what_is_captured_is_read(session: &Session) -> Result<(), Error> {
    let options = InputOptions { sample_rate: 16_000, channels: 1, ..InputOptions::default() };
    let input = shared(Input::new(session, &options)?);
    let events = input.events();
    let mut samples = [0.0; 1_600];
    input.start()?;
    wait(&events, StreamEventType::StateChanged, StreamState::Running);
    assert_eq!(input.read(&mut samples, Some(LIMIT))?, 1_600);
    assert!(input.level(0)?.peak_power >= -160.0);
    assert_eq!(status(input.level(7)), Status::BadParam);
    assert!(input.statistics()?.cycles > 0);
    assert_eq!(input.route()?.inputs.len(), 1);
    until(|| input.info().waiting_frames > 0);
    input.stop()?;
    let finished = wait(&events, StreamEventType::Finished, StreamState::Stopped);
    assert_eq!(finished.finish_reason, FinishReason::Stopped);
    // What is left is less than a second.
    let count = input.read(&mut [0.0; 32_000], Some(LIMIT))?;
    assert!(count > 0 && count < 32_000);
    assert_eq!(status(input.read(&mut samples, Some(LIMIT))), Status::Stopped);
    assert!(Input::is_echo_canceller_available()?);
    Ok(())
}

fn a_recording_is_played(session: &Session, folder: &Path) -> Result<(), Error> {
    let path = folder.join("memo.flac");
    let options = RecorderOptions { sample_rate: 16_000, ..RecorderOptions::default() };
    let recorder = shared(Recorder::new(session, &options)?);
    let recorded = recorder.events();
    let none = path.join("none").join("memo.wav");
    assert_eq!(status(recorder.record(Some(&none), FileType::ByName)), Status::CannotWrite);
    assert_eq!(status(recorder.resume()), Status::NotPaused);
    recorder.record(Some(&path), FileType::ByName)?;
    assert_eq!(recorder.read(&mut [0.0; 8_000], Some(LIMIT))?, 8_000);
    recorder.pause()?;
    wait(&recorded, StreamEventType::StateChanged, StreamState::Paused);
    recorder.resume()?;
    assert!(recorder.level(0)?.average_power >= -160.0);
    assert_eq!(recorder.info().state, StreamState::Running);
    assert_eq!(recorder.route()?.inputs.len(), 1);
    recorder.statistics()?;
    let recording = recorder.stop()?;
    assert!(recording.frames >= 8_000 && recording.duration >= Duration::from_millis(500));
    assert_eq!((recording.sample_rate, recording.channels, recording.bits_per_sample), (16_000, 1, 16));
    let finished = wait(&recorded, StreamEventType::Finished, StreamState::Stopped);
    assert_eq!(finished.path.as_deref(), path.to_str());

    let player = shared(Player::new(session, &PlayerOptions { role: Role::Test, ..PlayerOptions::default() })?);
    let played = player.events();
    assert_eq!(status(player.play()), Status::NothingLoaded);
    assert_eq!(status(player.load(&[&path, &none])), Status::FileNotFound);
    assert_eq!(status(player.load(&["a\0b"])), Status::BadParam);
    player.load(&[&path])?;
    player.enqueue(&[&path])?;
    let changed = wait(&played, StreamEventType::ItemChanged, StreamState::Stopped);
    let queue = player.queue()?;
    assert_eq!((queue.len(), changed.item.as_ref()), (2, queue.first()));
    assert_eq!((queue[1].encoding.as_str(), queue[1].frames), ("FLAC", recording.frames));
    assert_eq!((Some(queue[1].path.as_str()), &queue[1].title), (path.to_str(), &None));
    player.set_volume(0.5)?;
    player.play()?;
    wait(&played, StreamEventType::StateChanged, StreamState::Running);
    player.pause()?;
    wait(&played, StreamEventType::StateChanged, StreamState::Paused);
    player.seek(Duration::from_millis(250))?;
    let position = wait(&played, StreamEventType::PositionChanged, StreamState::Stopped).position;
    assert_eq!(position, Duration::from_millis(250));
    let info = player.info();
    assert_eq!((info.pause_reason, info.volume, info.queue_length), (PauseReason::User, 0.5, 2));
    assert_eq!(info.duration, recording.duration);
    player.skip_to_next()?;
    assert_eq!(player.info().current_index, Some(1));
    assert_eq!(status(player.skip_to_next()), Status::NoSuchItem);
    player.skip_to_previous()?;
    assert_eq!(player.info().current_index, Some(0));
    player.skip(1)?;
    assert_eq!(player.route()?.outputs.len(), 1);
    player.play()?;
    wait(&played, StreamEventType::Finished, StreamState::Stopped);
    assert!(player.statistics()?.cycles > 0);
    player.stop()
}

#[repr(C)]
struct PollFd {
    descriptor: c_int,
    events: c_short,
    received: c_short,
}

extern "C" {
    fn poll(descriptors: *mut PollFd, count: c_ulong, timeout: c_int) -> c_int;
}

/// Whether the descriptor is readable within [`LIMIT`].
fn is_readable(descriptor: BorrowedFd<'_>) -> bool {
    const POLLIN: c_short = 1;
    let mut polled = PollFd { descriptor: descriptor.as_raw_fd(), events: POLLIN, received: 0 };
    unsafe { poll(&mut polled, 1, LIMIT.as_millis() as c_int) == 1 }
}

/// Events arrive when the loop dispatches, and not before.
fn a_main_loop_receives_events() -> Result<(), Error> {
    let thread = Manager::open("", Duration::ZERO)?;
    assert!(thread.descriptor().is_none());
    assert_eq!(status(thread.dispatch()), Status::BadParam);
    let application_name = Some("Loop".to_string());
    let options = ManagerOptions { application_name, calls_handlers_in_dispatch: true, ..ManagerOptions::default() };
    let manager = shared(Manager::with_options(&options)?);
    let session = Session::new(Some(&manager), &Configuration::new(Category::Ambient))?;
    let events = session.events();
    session.activate()?;
    let descriptor = manager.descriptor().expect("handlers are called in dispatch");
    loop {
        assert!(is_readable(descriptor), "nothing in {LIMIT:?}");
        assert_eq!(events.try_iter().count(), 0);
        manager.dispatch()?;
        if events.try_iter().any(|event| event.kind == EventType::StateChanged && event.state == State::Active) {
            return Ok(());
        }
    }
}

/// Texts with a zero character are refused, not cut off.
fn illegal_texts_are_errors(manager: &Manager, session: &Session) {
    let text = Some("a\0b".to_string());
    let configuration = Configuration { group: text.clone(), ..Configuration::duck() };
    assert_eq!(status(Session::new(Some(manager), &configuration).map(|_| ())), Status::BadParam);
    assert_eq!(status(session.configure(&configuration)), Status::BadParam);
    assert_eq!(status(session.set_preferred_port(Direction::Output, text.as_deref())), Status::BadParam);
    assert_eq!(status(Manager::open("a\0b", LIMIT).map(|_| ())), Status::BadParam);
    let options = OutputOptions { title: text.clone(), ..OutputOptions::default() };
    assert_eq!(status(Output::new(session, &options).map(|_| ())), Status::BadParam);
    let options = InputOptions { node_name: text.clone(), ..InputOptions::default() };
    assert_eq!(status(Input::new(session, &options).map(|_| ())), Status::BadParam);
    let options = PlayerOptions { application_name: text.clone(), ..PlayerOptions::default() };
    assert_eq!(status(Player::new(session, &options).map(|_| ())), Status::BadParam);
    let options = RecorderOptions { application_name: text, ..RecorderOptions::default() };
    assert_eq!(status(Recorder::new(session, &options).map(|_| ())), Status::BadParam);
}

/// No call has an effect, fails or waits.
fn nothing_happens_without_the_library(manager: &Manager, session: &Session) -> Result<(), Error> {
    manager.dispatch()?;
    assert!(manager.descriptor().is_none());

    let dropped: Arc<AtomicU32> = Arc::default();
    let owned = Dropped(dropped.clone());
    let options = OutputOptions { title: Some("None".to_string()), ..OutputOptions::default() };
    let output = Output::with_callback(session, &options, move |_, _| owned.keep())?;
    assert_eq!(dropped.load(Ordering::SeqCst), 1);
    assert!(end(&output.events()));
    output.start()?;
    assert_eq!((output.write(&[0.0], None)?, output.write_available(&[0.0])?), (0, 0));
    assert!(output.drain(None)?);
    output.flush()?;
    output.set_volume(0.0)?;
    assert_eq!((output.info().volume, output.statistics()?.cycles), (1.0, 0));
    assert!(output.route()?.outputs.is_empty());
    output.stop()?;
    Output::new(session, &options)?.start()?;

    let input = Input::with_callback(session, &InputOptions::default(), |_, _| {})?;
    assert!(end(&input.events()));
    input.start()?;
    assert_eq!((input.read(&mut [0.0], None)?, input.level(0)?.peak_power), (0, -160.0));
    assert_eq!((input.info().channels, input.statistics()?.cycles), (0, 0));
    assert!(input.route()?.inputs.is_empty());
    input.stop()?;
    Input::new(session, &InputOptions::default())?.start()?;
    assert!(!Input::is_echo_canceller_available()?);

    let player = Player::new(session, &PlayerOptions::default())?;
    assert!(end(&player.events()));
    player.load(&["none"])?;
    player.enqueue(&["none"])?;
    player.play()?;
    player.pause()?;
    player.seek(LIMIT)?;
    player.skip(1)?;
    player.skip_to_next()?;
    player.skip_to_previous()?;
    player.set_volume(0.0)?;
    player.stop()?;
    assert_eq!((player.queue()?.len(), player.info().current_index), (0, None));
    assert_eq!(player.statistics()?.cycles, 0);
    assert!(player.route()?.outputs.is_empty());

    let recorder = Recorder::new(session, &RecorderOptions::default())?;
    assert!(end(&recorder.events()));
    recorder.record(Some(Path::new("none.wav")), FileType::Wav)?;
    recorder.record(None, FileType::ByName)?;
    recorder.pause()?;
    recorder.resume()?;
    assert_eq!((recorder.read(&mut [0.0], None)?, recorder.level(1)?.peak_power), (0, -160.0));
    assert_eq!((recorder.stop()?.frames, recorder.info().state), (0, StreamState::Stopped));
    assert_eq!(recorder.statistics()?.cycles, 0);
    assert!(recorder.route()?.inputs.is_empty());
    Ok(())
}

fn main() -> Result<(), Error> {
    let manager = Manager::open("Streams", Duration::from_secs(5))?;
    let session = || Session::new(Some(&manager), &Configuration::new(Category::PlayAndRecord));
    if let Some(folder) = std::env::args().nth(1) {
        assert!(is_available());
        until(|| manager.available_ports().map_or(false, |ports| ports.outputs.len() * ports.inputs.len() > 0));
        a_main_loop_receives_events()?;
        what_is_written_is_played(session()?)?;
        let session = session()?;
        illegal_texts_are_errors(&manager, &session);
        callbacks_render_and_receive(&session)?;
        what_is_captured_is_read(&session)?;
        a_recording_is_played(&session, Path::new(&folder))?;
    } else {
        assert!(!is_available());
        nothing_happens_without_the_library(&manager, &session()?)?;
    }
    println!("passed");
    Ok(())
}
