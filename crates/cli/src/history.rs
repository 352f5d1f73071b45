//! Recorded runs, for people and for programs.

mod page;
mod statistics;
mod wire;

use jiff::tz::TimeZone;
use uphold::LocalHost;
use uphold::journal::{Run, RunState, Time, Who, system_time};
use uphold::resource::Clock;

pub(crate) use page::RunPage;
pub(crate) use statistics::Statistics;
pub(crate) use wire::wire;

use crate::time_text::Now;
use crate::{Paint, clean};

/// A run in one line: `812  17:02:11  apply  ann (sudo)  2 changed, 1 run`. `own_root` is the root of the command.
pub(crate) fn list_line(run: &Run, own_root: &str, paint: Paint) -> String {
    let begin = &run.begin;
    let number = paint.strong(format!("{:>4}", begin.run)).to_string();
    let (clock, who) = (clock(begin.time), who(&begin.who));
    let root = other_root(run, own_root).map(|root| format!(", root {}", clean(root))).unwrap_or_default();
    format!("{number}  {clock:<19}  {:<7} {:<18} {}{root}\n", begin.mode, clean(&who), result(run, paint))
}

/// The root that a run changed, if it is not the one of the command.
fn other_root<'r>(run: &'r Run, own: &str) -> Option<&'r str> {
    run.begin.root.as_deref().filter(|root| *root != own)
}

/// The result of a run in a few words.
fn result(run: &Run, paint: Paint) -> String {
    match (run.state, &run.end) {
        (RunState::Ended, Some(end)) => {
            let count = |word: &str| end.counts.get(word).copied().unwrap_or_default();
            let words = counted([
                (count("created"), "added"),
                (count("updated"), "changed"),
                (count("removed"), "removed"),
                (count("ran"), "run"),
            ]);
            let wrong = counted([(count("failed"), "failed"), (count("skipped"), "skipped")]);
            let words = if words.is_empty() { "no changes".to_owned() } else { words };
            let wrong = if wrong.is_empty() { wrong } else { format!(", {}", paint.error(wrong)) };
            let pending = if end.due == 0 { String::new() } else { format!(", {} pending", end.due) };
            format!("{words}{wrong}{pending}")
        }
        (RunState::Running, _) => "running".to_owned(),
        _ => match run.interrupted_during() {
            Some(address) => paint.error(format!("interrupted during {}", clean(address))).to_string(),
            None => paint.error("interrupted").to_string(),
        },
    }
}

/// `2 changed, 1 run`: the numbers that are not zero.
fn counted<const N: usize>(all: [(u64, &str); N]) -> String {
    let some = all.iter().filter(|(number, _)| *number > 0);
    some.map(|(number, word)| format!("{number} {word}")).collect::<Vec<_>>().join(", ")
}

/// `ann (sudo)`, or the unit.
fn who(who: &Who) -> String {
    match (&who.unit, who.sudo) {
        (Some(unit), _) => unit.clone(),
        (None, true) => format!("{} (sudo)", who.user),
        (None, false) => who.user.clone(),
    }
}

/// The time of day, with the date if it is not today.
fn clock(time: Time) -> String {
    Now::new(LocalHost::new().now(), TimeZone::system()).clock(system_time(time))
}
