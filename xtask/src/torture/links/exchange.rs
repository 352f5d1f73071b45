//! An apply during which names are exchanged.

use std::mem::MaybeUninit;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime};

use rustix::fs::{CWD, RenameFlags, inotify, renameat_with};

use super::home::Home;
use super::race::{self, Moments};
use crate::disk;
use crate::failure::{Failure, Result};
use crate::torture::arena::{Arena, finish, succeeded};

/// The number of delays between two exchanges of a repeated attack.
const PAUSE: u32 = 3;
/// The polling interval for files that the apply has opened.
const POLL: Duration = Duration::from_micros(50);

/// When the attacker acts.
#[derive(Clone, Copy)]
pub(super) struct Pace {
    /// The delay of each call of the apply, so that an exchange fits between any two.
    pub(super) delay: Duration,
    /// From the apply's first access to the attacker's directory until the first exchange.
    pub(super) wait: Duration,
    /// Whether more exchanges follow.
    pub(super) is_restless: bool,
}

/// The moments of an apply without an attacker.
pub(super) fn undisturbed(arena: &Arena, home: &Home, delay: Duration) -> Result<Moments> {
    succeeded(&finish(&mut traced(arena, delay)?)?)?;
    moments(arena, home)?.ok_or_else(|| Failure::new("an apply without an attacker writes nothing"))
}

/// Applies `links.hcl` under attack. Also returns whether names were exchanged between its lookup and its write.
pub(super) fn apply(arena: &Arena, home: &Home, entries: &[&str], pace: Pace) -> Result<(Output, bool)> {
    let opened = watch(home).map_err(|errno| Failure::new(format!("cannot watch a directory: {errno}")))?;
    let stop = AtomicBool::new(false);
    let mut command = traced(arena, pace.delay)?;
    let (output, exchanges) = std::thread::scope(|scope| {
        let attacker = scope.spawn(|| {
            wait_for_open(&stop, &opened);
            std::thread::sleep(pace.wait);
            exchange_until(&stop, home, entries, pace)
        });
        let output = finish(&mut command);
        stop.store(true, Ordering::Relaxed);
        (output, attacker.join().unwrap_or_default())
    });
    let is_race = moments(arena, home)?.is_some_and(|moments| moments.include(&exchanges, pace.delay));
    Ok((output?, is_race))
}

fn moments(arena: &Arena, home: &Home) -> Result<Option<Moments>> {
    Ok(Moments::of(&disk::read(&arena.path("trace"))?, &home.target()))
}

/// The apply under strace, which writes to `trace` and delays every call that uses a path.
///
/// It begins without a journal: the calls that list earlier runs would be delayed, too. No other user can reach the state
/// directory, so there is nothing to attack in it.
fn traced(arena: &Arena, delay: Duration) -> Result<Command> {
    disk::remove_tree(&arena.path("state"))?;
    let mut command = Command::new("strace");
    command.args(["-f", "--seccomp-bpf", "-qq", "-ttt", "-o"]).arg(arena.path("trace"));
    // A question mark before a name: not every architecture has every call.
    let calls = race::LOOKUPS.iter().chain(&race::WRITES).map(|call| format!("?{call}"));
    let calls = calls.collect::<Vec<_>>().join(",");
    command.arg(format!("--trace={calls}"));
    command.arg(format!("--inject={calls}:delay_enter={}", delay.as_micros()));
    command.arg(arena.uphold()).args(["apply", "--quiet"]).arg(arena.path("links.hcl"));
    arena.own_state(&mut command).stdin(Stdio::null());
    Ok(command)
}

/// Reports every open in the attacker's directory: any user can time an attack like this.
fn watch(home: &Home) -> rustix::io::Result<OwnedFd> {
    let opened = inotify::init(inotify::CreateFlags::CLOEXEC | inotify::CreateFlags::NONBLOCK)?;
    inotify::add_watch(&opened, home.path(), inotify::WatchFlags::OPEN)?;
    Ok(opened)
}

fn wait_for_open(stop: &AtomicBool, opened: &OwnedFd) {
    let mut buffer = [MaybeUninit::uninit(); 512];
    while !stop.load(Ordering::Relaxed) && inotify::Reader::new(opened, &mut buffer).next().is_err() {
        std::thread::sleep(POLL);
    }
}

/// Exchanges the target with each other entry in turn; returns the times. Retries a name that the run has just removed.
fn exchange_until(stop: &AtomicBool, home: &Home, entries: &[&str], pace: Pace) -> Vec<SystemTime> {
    let target = home.target();
    let others: Vec<PathBuf> = entries.iter().skip(1).map(|other| home.path().join(other)).collect();
    let mut times = Vec::new();
    for other in others.iter().cycle().take_while(|_| !stop.load(Ordering::Relaxed)) {
        if renameat_with(CWD, &target, CWD, other, RenameFlags::EXCHANGE).is_ok() {
            times.push(SystemTime::now());
        }
        if !pace.is_restless && !times.is_empty() {
            break;
        }
        std::thread::sleep(pace.delay * PAUSE);
    }
    times
}
