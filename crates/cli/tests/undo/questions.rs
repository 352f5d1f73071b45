//! The question at a terminal.

use std::fs::File;
use std::io::Write;
use std::os::fd::{AsFd, OwnedFd};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

use super::machine::{Machine, Ran};

/// Runs `undo` at a terminal with this typed input.
fn asked(machine: &Machine, typed: &str) -> Ran {
    let keyboard = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&keyboard).expect("it is ours");
    unlockpt(&keyboard).expect("it opens");
    let name = ptsname(keyboard.as_fd(), Vec::new()).expect("it has a name");
    let name = name.to_str().expect("a path").to_owned();
    let screen = File::options().read(true).write(true).open(name).expect("it can be opened");
    let mut keyboard: File = OwnedFd::into(keyboard);
    keyboard.write_all(typed.as_bytes()).expect("the terminal takes input");
    machine.run_with(&["undo"], screen)
}

#[test]
fn only_yes_undoes() {
    let machine = Machine::new();
    machine.apply("file \"/a\" {}\n");
    let ran = asked(&machine, "n\n");
    assert_eq!(ran.code, Some(2), "{ran:#?}");
    assert!(ran.stderr.ends_with("Undo 1 resource? [y/N] Nothing was changed.\n"), "{ran:#?}");
    assert!(machine.at("/a").exists());
    let ran = asked(&machine, "y\n");
    assert_eq!(ran.code, Some(0), "{ran:#?}");
    assert!(ran.stdout.contains("  - file[\"/a\"]   (removed)\n"), "{ran:#?}");
    assert!(!machine.at("/a").exists());
}
