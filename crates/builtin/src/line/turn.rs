//! One at a time for each file.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Two `line`s of one file are two resources, and the engine may apply them at the same time. Each
/// reads the whole file and writes it back, so one of them would undo the other. The host offers
/// no such lock, because no other kind shares a file; and it has to hold for the whole process,
/// since two resources know nothing of each other.
///
/// A fixed number of locks instead of one for each path: nothing grows, and two files that share
/// one only wait for each other.
static TURNS: [Mutex<()>; 64] = [const { Mutex::new(()) }; 64];

/// Waits until nobody else in this process edits `path`. Costs nothing if nobody does.
pub(crate) fn wait(path: &Path) -> MutexGuard<'static, ()> {
    let mut hasher = DefaultHasher::new();
    path.hash(&mut hasher);
    let index = hasher.finish() % TURNS.len() as u64;
    // A panic elsewhere leaves the file whole: writes are atomic.
    TURNS[index as usize].lock().unwrap_or_else(PoisonError::into_inner)
}
