//! Whoever connects is served in a thread of their own: so many at a time, and all of them leave when we close.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use rustc_hash::FxHashMap;
use rustix::net::{Shutdown, SocketFlags, accept_with, shutdown};

/// How long to wait if the system has no descriptor for one more visitor: without a pause that would be a busy loop.
const PAUSE: Duration = Duration::from_millis(100);

/// How long visitors may take to leave when we close: nothing more is heard from them, but what was begun may be said
/// to its end. Then their connections are cut, and they have as long again.
const FAREWELL: Duration = Duration::from_millis(200);

/// How many more are heard to the end, only to be refused: an answer to a question that was not read may never arrive.
/// Beyond that, connections are not accepted until one of these has left; a refusal takes no longer than its timeouts.
const REFUSALS: usize = 8;

/// What is done with a connection.
pub(crate) type Serve = dyn Fn(OwnedFd) + Send + Sync;

/// A listening socket and those who came. Closes when it is dropped.
pub(crate) struct Reception {
    inside: Arc<Inside>,
    listener: Arc<OwnedFd>,
    door: Option<JoinHandle<()>>,
}

struct Inside {
    name: &'static str,
    limit: usize,
    visitors: Mutex<Visitors>,
    changed: Condvar,
    serve: Box<Serve>,
    refuse: Box<Serve>,
}

#[derive(Default)]
struct Visitors {
    is_closed: bool,
    last: u64,
    connections: FxHashMap<u64, OwnedFd>,
}

impl Reception {
    /// Serves whoever connects, `limit` at a time; `refuse` gets the others. Both have a thread of their own, and
    /// must not wait for ever.
    ///
    /// # Errors
    /// If the system gives us no thread.
    #[expect(
        clippy::disallowed_methods,
        reason = "a slow reader must not hold up one of the engine's workers"
    )]
    pub(crate) fn open(
        name: &'static str,
        listener: OwnedFd,
        limit: usize,
        serve: Box<Serve>,
        refuse: Box<Serve>,
    ) -> std::io::Result<Self> {
        let visitors = Mutex::new(Visitors::default());
        let inside = Arc::new(Inside { name, limit, visitors, changed: Condvar::new(), serve, refuse });
        let listener = Arc::new(listener);
        let (receive, heard) = (inside.clone(), listener.clone());
        let door = Builder::new().name(name.to_owned()).spawn(move || receive.receive(&heard))?;
        Ok(Self { inside, listener, door: Some(door) })
    }
}

impl Drop for Reception {
    fn drop(&mut self) {
        self.inside.close();
        self.inside.cut(Shutdown::Read);
        // That wakes whoever waits in `accept`. If it cannot be done, there is nobody to wake.
        let _ = shutdown(self.listener.as_fd(), Shutdown::Both);
        if let Some(door) = self.door.take() {
            // A panic there was already told by its own thread.
            let _ = door.join();
        }
        self.inside.see_off();
        self.inside.cut(Shutdown::Both);
        self.inside.see_off();
    }
}

impl Inside {
    fn visitors(&self) -> MutexGuard<'_, Visitors> {
        self.visitors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn receive(self: &Arc<Self>, listener: &OwnedFd) {
        loop {
            self.await_room();
            match accept_with(listener, SocketFlags::CLOEXEC) {
                Ok(connection) => self.admit(connection),
                Err(_) if self.visitors().is_closed => return,
                Err(_) => self.pause(),
            }
        }
    }

    /// Waits until one more can be heard. Only this thread lets anybody in, so the room stays.
    fn await_room(&self) {
        let is_full = |visitors: &mut Visitors| {
            !visitors.is_closed && visitors.connections.len() >= self.limit + REFUSALS
        };
        drop(self.changed.wait_while(self.visitors(), is_full));
    }

    fn pause(&self) {
        let visitors = self.visitors();
        if !visitors.is_closed {
            drop(self.changed.wait_timeout(visitors, PAUSE));
        }
    }

    /// Gives the connection a thread: to be served, or to be refused.
    #[expect(
        clippy::disallowed_methods,
        reason = "a slow reader must not hold up one of the engine's workers"
    )]
    fn admit(self: &Arc<Self>, connection: OwnedFd) {
        let Some((number, is_served)) = self.enter(&connection) else { return };
        let visit = Visit { inside: self.clone(), number };
        let serve = move || {
            let Inside { serve, refuse, .. } = &*visit.inside;
            if is_served { serve(connection) } else { refuse(connection) }
        };
        // Without a thread the connection is dropped, and with it the visit.
        drop(Builder::new().name(self.name.to_owned()).spawn(serve));
    }

    /// The number of the visit, and whether it is to be served; none if we close, or the system has no descriptor.
    fn enter(&self, connection: &OwnedFd) -> Option<(u64, bool)> {
        let mut visitors = self.visitors();
        let others = visitors.connections.len();
        if visitors.is_closed {
            return None;
        }
        let handle = connection.try_clone().ok()?;
        visitors.last += 1;
        let number = visitors.last;
        visitors.connections.insert(number, handle);
        Some((number, others < self.limit))
    }

    fn close(&self) {
        self.visitors().is_closed = true;
        self.changed.notify_all();
    }

    fn cut(&self, what: Shutdown) {
        for connection in self.visitors().connections.values() {
            // One that cannot be cut is gone already.
            let _ = shutdown(connection, what);
        }
    }

    /// Waits until everybody left.
    fn see_off(&self) {
        let visitors = self.visitors();
        let some_are_there = |visitors: &mut Visitors| !visitors.connections.is_empty();
        drop(self.changed.wait_timeout_while(visitors, FAREWELL, some_are_there));
    }
}

/// Somebody who is served; leaves however that ends.
struct Visit {
    inside: Arc<Inside>,
    number: u64,
}

impl Drop for Visit {
    fn drop(&mut self) {
        self.inside.visitors().connections.remove(&self.number);
        self.inside.changed.notify_all();
    }
}
