//! Plays sound files while its session is active, and prints their events.
//!
//!     cargo run --example player NAME FILE...
//!
//! Lines of input: pause, play, stop, or the seconds to move to. The end of the input ends the program.

use audiosession::{
    is_available, problem, Configuration, Error, Manager, PauseReason, Player, PlayerOptions, Session, StreamEvent,
    StreamEventType, StreamState,
};
use std::io::BufRead;
use std::time::Duration;

/// Names come from other programs and from devices, and a terminal executes control characters.
fn clean(name: &str) -> String {
    name.chars().map(|character| if character.is_control() { '?' } else { character }).collect()
}

fn print(event: &StreamEvent) {
    match (event.kind, event.state, event.pause_reason) {
        (StreamEventType::StateChanged, StreamState::Running, _) => println!("plays"),
        (StreamEventType::StateChanged, _, PauseReason::Interrupted) => println!("paused: interrupted"),
        (StreamEventType::StateChanged, StreamState::Paused, _) => println!("paused"),
        (StreamEventType::ItemChanged, _, _) => {
            if let Some(item) = &event.item {
                println!("{}: {} s", clean(&item.name), item.duration.as_secs_f64());
            }
        }
        (StreamEventType::PositionChanged, _, _) => println!("at {} s", event.position.as_secs_f64()),
        (StreamEventType::Finished, _, _) => println!("finished"),
        (StreamEventType::BecameNoisy, _, _) => {
            println!("{} is gone", clean(event.port.as_ref().map_or("the output", |port| &port.name)))
        }
        (StreamEventType::Failed, _, _) => println!("{}", clean(event.message.as_deref().unwrap_or_default())),
        _ => {}
    }
}

fn main() -> Result<(), Error> {
    if !is_available() {
        eprintln!("{}", problem());
    }
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_default();
    let session = Session::new(Some(&Manager::open(&name, Duration::from_secs(5))?), &Configuration::interrupt())?;
    let player = Player::new(&session, &PlayerOptions::default())?;
    let events = player.events();
    std::thread::spawn(move || events.iter().for_each(|event| print(&event)));
    player.load(&arguments.collect::<Vec<_>>())?;
    player.play()?;
    println!("ready");
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        match line.as_str() {
            "pause" => player.pause()?,
            "play" => player.play()?,
            "stop" => player.stop()?,
            seconds => player.seek(Duration::from_secs(seconds.parse().unwrap_or(0)))?,
        }
        println!("done");
    }
    Ok(())
}
