//! The events of a session or a stream, for one reader.

use std::collections::VecDeque;
use std::sync::mpsc::{RecvError, RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How many events wait for a slow reader before the oldest are dropped.
const CAPACITY: usize = 256;

/// An event that counts how many events before it were dropped.
pub(crate) trait CountsDropped {
    fn dropped(&mut self) -> &mut u32;
}

struct Queue<Event> {
    events: VecDeque<Event>,
    is_open: bool,
}

struct Shared<Event> {
    queue: Mutex<Queue<Event>>,
    changed: Condvar,
}

impl<Event> Shared<Event> {
    fn lock(&self) -> MutexGuard<'_, Queue<Event>> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Every event since its creation, as a [`Receiver`](std::sync::mpsc::Receiver) of a channel. It
/// keeps 256 events for a slow reader. Beyond that the oldest are dropped, and `dropped` of the
/// next event counts them.
pub struct Events<Event> {
    shared: Arc<Shared<Event>>,
}

impl<Event> Events<Event> {
    /// Waits for the next event.
    ///
    /// # Errors
    /// The session or stream was dropped, or another call of its `events` replaced this reader.
    pub fn recv(&self) -> Result<Event, RecvError> {
        let mut queue = self.shared.lock();
        loop {
            match queue.events.pop_front() {
                Some(event) => return Ok(event),
                None if !queue.is_open => return Err(RecvError),
                None => queue = self.shared.changed.wait(queue).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }

    /// Waits for the next event, for at most `timeout`.
    ///
    /// # Errors
    /// `Timeout`; `Disconnected` where [`Events::recv`] fails.
    pub fn recv_timeout(&self, timeout: Duration) -> Result<Event, RecvTimeoutError> {
        let deadline = match Instant::now().checked_add(timeout) {
            Some(deadline) => deadline,
            None => return self.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        let mut queue = self.shared.lock();
        loop {
            match queue.events.pop_front() {
                Some(event) => return Ok(event),
                None if !queue.is_open => return Err(RecvTimeoutError::Disconnected),
                None => (),
            }
            let rest = deadline.saturating_duration_since(Instant::now());
            if rest.is_zero() {
                return Err(RecvTimeoutError::Timeout);
            }
            queue = self.shared.changed.wait_timeout(queue, rest).unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Returns the next event if there is one.
    ///
    /// # Errors
    /// `Empty`; `Disconnected` where [`Events::recv`] fails.
    pub fn try_recv(&self) -> Result<Event, TryRecvError> {
        let mut queue = self.shared.lock();
        match queue.events.pop_front() {
            Some(event) => Ok(event),
            None if queue.is_open => Err(TryRecvError::Empty),
            None => Err(TryRecvError::Disconnected),
        }
    }

    /// The events until the end, which waits for each.
    pub fn iter(&self) -> impl Iterator<Item = Event> + '_ {
        std::iter::from_fn(move || self.recv().ok())
    }

    /// The events that have arrived, without waiting for more.
    pub fn try_iter(&self) -> impl Iterator<Item = Event> + '_ {
        std::iter::from_fn(move || self.try_recv().ok())
    }
}

/// The sending side, which the library's handler uses. Dropping it ends the events.
pub(crate) struct EventSender<Event> {
    shared: Arc<Shared<Event>>,
}

impl<Event: CountsDropped> EventSender<Event> {
    pub(crate) fn send(&self, event: Event) {
        let mut queue = self.shared.lock();
        queue.events.push_back(event);
        if queue.events.len() > CAPACITY {
            let lost = queue.events.pop_front().map_or(0, |mut lost| lost.dropped().saturating_add(1));
            if let Some(next) = queue.events.front_mut() {
                *next.dropped() = next.dropped().saturating_add(lost);
            }
        }
        self.shared.changed.notify_one();
    }
}

impl<Event> Drop for EventSender<Event> {
    fn drop(&mut self) {
        self.shared.lock().is_open = false;
        self.shared.changed.notify_all();
    }
}

pub(crate) fn events<Event>() -> (EventSender<Event>, Events<Event>) {
    let queue = Mutex::new(Queue { events: VecDeque::new(), is_open: true });
    let shared = Arc::new(Shared { queue, changed: Condvar::new() });
    (EventSender { shared: Arc::clone(&shared) }, Events { shared })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    struct Numbered(u32, u32);

    impl CountsDropped for Numbered {
        fn dropped(&mut self) -> &mut u32 {
            &mut self.1
        }
    }

    #[test]
    fn a_slow_reader_reads_how_many_events_were_dropped() {
        let (sender, events) = events();
        (0..300).for_each(|number| sender.send(Numbered(number, u32::from(number == 10))));
        drop(sender);
        assert_eq!(events.recv(), Ok(Numbered(44, 45)));
        assert_eq!(events.try_recv(), Ok(Numbered(45, 0)));
        assert_eq!(events.try_iter().count(), 254);
        assert_eq!(events.iter().count(), 0);
        assert_eq!(events.recv_timeout(Duration::MAX), Err(RecvTimeoutError::Disconnected));
    }

    #[test]
    fn a_reader_waits_for_its_limit() {
        let (sender, events) = events();
        assert_eq!(events.recv_timeout(Duration::from_millis(1)), Err(RecvTimeoutError::Timeout));
        assert_eq!(events.try_recv(), Err(TryRecvError::Empty));
        sender.send(Numbered(1, 0));
        assert_eq!(events.recv_timeout(Duration::ZERO), Ok(Numbered(1, 0)));
    }
}
