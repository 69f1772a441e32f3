//! A program around the recipe for dictation in Docs/Integrating.md: each line of input is what the user says.

// recipe
use audiosession::{Configuration, EventType, Session};

fn dictate(mut record: impl FnMut() -> Option<String>) -> Result<String, audiosession::Error> {
    let session = Session::new(None, &Configuration::dictation())?;
    let events = session.events();
    let _hold = session.hold()?; // others are ducked until it is dropped
    let mut text = String::new();
    while let Some(words) = record() {
        if events.try_iter().any(|event| event.kind == EventType::InterruptionBegan) {
            break; // a call began
        }
        text += &words;
    }
    Ok(text)
}
// end

fn main() -> Result<(), audiosession::Error> {
    let mut lines = std::io::stdin().lines().map_while(Result::ok);
    let text = dictate(|| {
        println!("listening");
        lines.next()
    })?;
    println!("wrote: {text}");
    Ok(())
}
