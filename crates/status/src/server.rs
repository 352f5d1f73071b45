//! The private socket of a running watch.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;

use uphold_resource::{Error, Result};

use crate::board::Board;
use crate::broadcast::Broadcast;
use crate::conversation::{Knowledge, turn_away};
use crate::peer;
use crate::reception::Reception;
use crate::socket::Place;
use crate::steering::Steering;

/// How many are answered at a time: people and programs on one machine.
const CONNECTIONS: usize = 32;

/// Answers whoever asks over a unix socket, in threads of its own. Ends, and removes the socket, when it is dropped.
///
/// # Guarantees
/// - Only this user and root are answered.
/// - Nobody slows the watch down: who reads too slowly is told so and cut off; who says nothing is, too.
/// - One server listens at a path; the socket of one that was killed is replaced.
pub struct StatusServer {
    broadcast: Broadcast,
    // Fields are dropped in this order: who is there leaves before the socket does.
    _reception: Reception,
    _place: Place,
}

impl StatusServer {
    /// Listens at `path`, whose directory is made if it is not there.
    ///
    /// # Errors
    /// If another watch listens there; it says which. If the directory cannot be trusted, or the system refuses.
    pub fn start(path: &Path, board: Board, steering: Arc<dyn Steering>) -> Result<Self> {
        let (place, listener) = Place::take(path)?;
        let broadcast = Broadcast::default();
        let knowledge = Knowledge { board, steering, broadcast: broadcast.clone() };
        let serve = move |connection| serve(&knowledge, connection);
        let reception = Reception::open("status", listener, CONNECTIONS, Box::new(serve), Box::new(refuse));
        let reception = reception.map_err(|error| Error::io("listen at", path, error))?;
        Ok(Self { broadcast, _reception: reception, _place: place })
    }

    /// Where those who follow are told what happens.
    pub fn broadcast(&self) -> Broadcast {
        self.broadcast.clone()
    }
}

impl Drop for StatusServer {
    fn drop(&mut self) {
        self.broadcast.end();
    }
}

fn serve(knowledge: &Knowledge, connection: OwnedFd) {
    let stream = UnixStream::from(connection);
    if peer::is_trusted(&stream) {
        knowledge.converse(&stream);
    }
}

/// Too many are there.
fn refuse(connection: OwnedFd) {
    let stream = UnixStream::from(connection);
    if peer::is_trusted(&stream) {
        turn_away(&stream, "busy", &format!("cannot answer: {CONNECTIONS} others ask already; try again"));
    }
}
