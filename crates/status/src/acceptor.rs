//! Accepts connections, each in a thread of its own, up to a limit; all are closed together.

use std::os::fd::{AsFd, OwnedFd};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use rustc_hash::FxHashMap;
use rustix::net::{Shutdown, SocketFlags, accept_with, shutdown};

/// The pause after a failed `accept`, which would otherwise be a busy loop.
const PAUSE: Duration = Duration::from_millis(100);

/// How long connections may take to finish their answers when we close. Then they are cut, and have as long again.
const GRACE: Duration = Duration::from_millis(200);

/// How many connections over the limit are accepted, only to be refused: their request is read first, so that the answer
/// arrives. Beyond that, connections wait in the backlog.
const REFUSALS: usize = 8;

/// The handler of a connection; the flag tells whether it is over the limit, and must be refused.
pub(crate) type Serve = dyn Fn(OwnedFd, bool) + Send + Sync;

/// A listening socket and its connections. Closes when it is dropped.
pub(crate) struct Acceptor {
    shared: Arc<Shared>,
    listener: Arc<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    name: &'static str,
    limit: usize,
    open: Mutex<Connections>,
    changed: Condvar,
    serve: Box<Serve>,
}

#[derive(Default)]
struct Connections {
    is_closed: bool,
    last: u64,
    by_number: FxHashMap<u64, OwnedFd>,
}

impl Acceptor {
    /// Serves `limit` connections at a time, and refuses others, each in a thread of its own. `serve` must not wait
    /// forever.
    ///
    /// # Errors
    /// If no thread can be started.
    #[expect(
        clippy::disallowed_methods,
        reason = "a slow reader must not hold up one of the engine's workers"
    )]
    pub(crate) fn start(
        name: &'static str,
        listener: OwnedFd,
        limit: usize,
        serve: Box<Serve>,
    ) -> std::io::Result<Self> {
        let open = Mutex::new(Connections::default());
        let shared = Arc::new(Shared { name, limit, open, changed: Condvar::new(), serve });
        let listener = Arc::new(listener);
        let (accepting, socket) = (shared.clone(), listener.clone());
        let thread = Builder::new().name(name.to_owned()).spawn(move || accepting.accept(&socket))?;
        Ok(Self { shared, listener, thread: Some(thread) })
    }
}

impl Drop for Acceptor {
    fn drop(&mut self) {
        self.shared.close();
        self.shared.cut(Shutdown::Read);
        // Wakes the thread in `accept`.
        let _ = shutdown(self.listener.as_fd(), Shutdown::Both);
        if let Some(thread) = self.thread.take() {
            // A panic was already reported by its thread.
            let _ = thread.join();
        }
        self.shared.await_end();
        self.shared.cut(Shutdown::Both);
        self.shared.await_end();
    }
}

impl Shared {
    fn open(&self) -> MutexGuard<'_, Connections> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn accept(self: &Arc<Self>, listener: &OwnedFd) {
        loop {
            self.await_room();
            match accept_with(listener, SocketFlags::CLOEXEC) {
                Ok(connection) => self.admit(connection),
                Err(_) if self.open().is_closed => return,
                Err(_) => self.pause(),
            }
        }
    }

    /// Waits for a free slot. Only this thread takes slots, so it stays free.
    fn await_room(&self) {
        let is_full =
            |open: &mut Connections| !open.is_closed && open.by_number.len() >= self.limit + REFUSALS;
        drop(self.changed.wait_while(self.open(), is_full));
    }

    fn pause(&self) {
        let open = self.open();
        if !open.is_closed {
            drop(self.changed.wait_timeout(open, PAUSE));
        }
    }

    /// Serves or refuses the connection in a thread of its own.
    #[expect(
        clippy::disallowed_methods,
        reason = "a slow reader must not hold up one of the engine's workers"
    )]
    fn admit(self: &Arc<Self>, connection: OwnedFd) {
        let Some((number, is_refused)) = self.enter(&connection) else { return };
        let connected = Connected { shared: self.clone(), number };
        let serve = move || (connected.shared.serve)(connection, is_refused);
        // Without a thread the connection is closed.
        drop(Builder::new().name(self.name.to_owned()).spawn(serve));
    }

    /// The number of the connection, and whether to refuse it; none if we close, or have no file descriptor.
    fn enter(&self, connection: &OwnedFd) -> Option<(u64, bool)> {
        let mut open = self.open();
        let others = open.by_number.len();
        if open.is_closed {
            return None;
        }
        let handle = connection.try_clone().ok()?;
        open.last += 1;
        let number = open.last;
        open.by_number.insert(number, handle);
        Some((number, others >= self.limit))
    }

    fn close(&self) {
        self.open().is_closed = true;
        self.changed.notify_all();
    }

    fn cut(&self, what: Shutdown) {
        for connection in self.open().by_number.values() {
            // It may be closed already.
            let _ = shutdown(connection, what);
        }
    }

    /// Waits for the end of all connections, at most for the grace period.
    fn await_end(&self) {
        let is_open = |open: &mut Connections| !open.by_number.is_empty();
        drop(self.changed.wait_timeout_while(self.open(), GRACE, is_open));
    }
}

/// A connection that is served; unregistered however that ends.
struct Connected {
    shared: Arc<Shared>,
    number: u64,
}

impl Drop for Connected {
    fn drop(&mut self) {
        self.shared.open().by_number.remove(&self.number);
        self.shared.changed.notify_all();
    }
}
