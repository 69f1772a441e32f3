//! Plays a tone while its session is active, and prints its events.
//!
//!     cargo run --example tone NAME
//!
//! Each line of input prints how many frames were played. The end of the input ends the program.

use audiosession::{
    is_available, problem, Configuration, Error, Manager, Output, OutputOptions, PauseReason, Session, Status,
    StreamEvent, StreamEventType, StreamState,
};
use std::io::BufRead;
use std::time::Duration;

const RATE: u32 = 48_000;

/// Names come from other programs and from devices, and a terminal executes control characters.
fn clean(name: &str) -> String {
    name.chars().map(|character| if character.is_control() { '?' } else { character }).collect()
}

fn print(event: &StreamEvent) {
    match (event.kind, event.state, event.pause_reason) {
        (StreamEventType::StateChanged, StreamState::Running, _) => println!("plays"),
        (StreamEventType::StateChanged, _, PauseReason::Interrupted) => println!("paused: interrupted"),
        (StreamEventType::StateChanged, StreamState::Paused, _) => println!("paused"),
        (StreamEventType::StateChanged, _, _) => println!("stopped"),
        (StreamEventType::BecameNoisy, _, _) => {
            println!("{} is gone", clean(event.port.as_ref().map_or("the output", |port| &port.name)))
        }
        (StreamEventType::Failed, _, _) => println!("{}", clean(event.message.as_deref().unwrap_or_default())),
        _ => {}
    }
}

/// Writes blocks of the tone until the output is stopped. A write waits while the ring is full, and
/// while the output is paused.
fn play(output: &Output) -> Result<(), Error> {
    let step = std::f32::consts::TAU * 440.0 / RATE as f32;
    let mut time = (0..RATE).cycle();
    loop {
        let block: Vec<f32> = time.by_ref().take(960).map(|time| 0.1 * (step * time as f32).sin()).collect();
        match output.write(&block, None) {
            // Without the library it writes none.
            Ok(written) if written == block.len() => {}
            Ok(_) => return Ok(()),
            Err(error) if error.status == Status::Stopped => return Ok(()),
            Err(error) => return Err(error),
        }
    }
}

fn main() -> Result<(), Error> {
    if !is_available() {
        eprintln!("{}", problem());
    }
    let name = std::env::args().nth(1).unwrap_or_default();
    let session = Session::new(Some(&Manager::open(&name, Duration::from_secs(5))?), &Configuration::interrupt())?;
    let title = Some("Tone".to_string());
    let output =
        Output::new(&session, &OutputOptions { sample_rate: RATE, channels: 1, title, ..OutputOptions::default() })?;
    let events = output.events();
    std::thread::spawn(move || events.iter().for_each(|event| print(&event)));
    output.start()?;
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| play(&output));
        println!("ready");
        for _ in std::io::stdin().lock().lines().map_while(Result::ok) {
            println!("played {}", output.info().position);
        }
        output.stop()?;
        writer.join().expect("the writer does not panic")
    })
}
