//! The view on a pseudo terminal: the test program starts itself there.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test starts a real program")]

mod checks;
mod emulator;
mod player;
mod session;

/// The argument before the name of a scenario: this process is the tested program.
const CHILD: &str = "--play";

fn main() {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some(CHILD), Some(play)) => player::play(&play),
        _ => checks::all(),
    }
}
