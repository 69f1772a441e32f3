//! A session that executes lines of input, as Examples/c/listener.c does.
//!
//!     cargo run --example listener NAME
//!
//! Lines of input: activate, deactivate, silently (deactivates without advice to resume).

use audiosession::{is_available, problem, Configuration, Event, EventType, Manager, Session};
use std::io::BufRead;
use std::time::Duration;

/// Names come from other programs and from devices, and a terminal executes control characters.
fn clean(name: &str) -> String {
    name.chars().map(|character| if character.is_control() { '?' } else { character }).collect()
}

fn tell(event: &Event) {
    match event.kind {
        EventType::InterruptionBegan => {
            let name = event.peer.as_ref().and_then(|peer| peer.name.as_deref());
            println!("interrupted by {}", clean(name.unwrap_or("another program")));
        }
        EventType::InterruptionEnded => {
            println!("{}", if event.should_resume { "may resume" } else { "stays silent" })
        }
        EventType::BecameNoisy => {
            println!("paused: {} is gone", clean(event.port.as_ref().map_or("the output", |port| &port.name)))
        }
        EventType::Ducking => println!("gain {:.2}", event.gain),
        _ => {}
    }
}

fn main() -> Result<(), audiosession::Error> {
    if !is_available() {
        eprintln!("{}", problem());
    }
    let name = std::env::args().nth(1).unwrap_or_default();
    let session = Session::new(Some(&Manager::open(&name, Duration::from_secs(5))?), &Configuration::interrupt())?;
    let events = session.events();
    std::thread::spawn(move || events.iter().for_each(|event| tell(&event)));
    println!("ready");
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let result = match line.as_str() {
            "activate" => session.activate(),
            "deactivate" => session.deactivate(true),
            "silently" => session.deactivate(false),
            _ => Ok(()),
        };
        match result {
            Ok(()) => println!("done"),
            Err(error) => println!("{}", clean(&error.to_string())),
        }
    }
    Ok(())
}
