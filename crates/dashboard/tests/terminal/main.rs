//! The view on a real terminal: a pseudo terminal, with a program on it that is this one.

#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test starts a real program")]

mod checks;
mod emulator;
mod player;
mod session;

/// What makes this the program that is tested, before the name of its play.
const CHILD: &str = "--play";

fn main() {
    let mut arguments = std::env::args().skip(1);
    match (arguments.next().as_deref(), arguments.next()) {
        (Some(CHILD), Some(play)) => player::play(&play),
        _ => checks::all(),
    }
}
