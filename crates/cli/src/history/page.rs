//! One run with all its changes, as `apply` prints them.

use std::fmt;
use std::time::Duration;

use uphold::journal::{Action, Difference as Recorded, Run, Side as RecordedSide};
use uphold::model::{Difference, Side, Value};

use super::{clock, other_root, result};
use crate::diagnostics::count;
use crate::report::PropertyLines;
use crate::time_text::words;
use crate::{Paint, clean};

/// One run with all its changes.
pub(crate) struct RunPage<'a> {
    pub(crate) run: &'a Run,
    /// The root of the command.
    pub(crate) own_root: &'a str,
    pub(crate) paint: Paint,
    pub(crate) verbose: bool,
}

impl fmt::Display for RunPage<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.paint.strong(clean(&self.heading())))?;
        for action in &self.run.actions {
            f.write_str(&self.action(action))?;
        }
        writeln!(f, "{}", result(self.run, self.paint))
    }
}

impl RunPage<'_> {
    /// `Run 812: apply by ann (sudo, pts/3), 17:02:11, 1.40s, /etc/uphold at 4f2c1d9 (clean)`.
    fn heading(&self) -> String {
        let (begin, end) = (&self.run.begin, &self.run.end);
        let who = &begin.who;
        let sudo = who.sudo.then(|| "sudo".to_owned());
        let details: Vec<String> =
            [sudo, who.terminal.clone(), who.remote.clone()].into_iter().flatten().collect();
        let by = match (&who.unit, details.is_empty()) {
            (Some(unit), _) => unit.clone(),
            (None, true) => who.user.clone(),
            (None, false) => format!("{} ({})", who.user, details.join(", ")),
        };
        let mut parts = vec![format!("{} by {by}", begin.mode), clock(begin.time)];
        if let Some(end) = end {
            let took = u64::try_from(end.time.0.saturating_sub(begin.time.0)).unwrap_or_default();
            parts.push(words(Duration::from_millis(took)));
        }
        let clean = match end.as_ref().and_then(|end| end.clean) {
            Some(true) => " (clean)",
            Some(false) => " (with uncommitted changes)",
            None => "",
        };
        let commit = begin.commit.as_ref().map(|id| format!(" at {}{clean}", &id[..id.len().min(12)]));
        if !begin.paths.is_empty() {
            parts.push(begin.paths.join(" ") + &commit.unwrap_or_default());
        }
        if let Some(root) = other_root(self.run, self.own_root) {
            parts.push(format!("root {root}"));
        }
        if let Some(undone) = begin.undoes {
            parts.push(format!("undoes run {undone}"));
        }
        format!("Run {}: {}", begin.run, parts.join(", "))
    }

    fn action(&self, action: &Action) -> String {
        let (begin, end) = (&action.begin, action.end.as_ref());
        let verdict = end.map(|end| &*end.verdict);
        let name = clean(&begin.address);
        let mut about = match (&*begin.action, verdict) {
            (verb, Some("changed")) => past(verb),
            (verb, Some("put_back")) => format!("{}, then put back", past(verb)),
            (verb, Some(verdict)) => format!("{verb} {verdict}"),
            (verb, None) => format!("{verb} interrupted"),
        };
        if let Some(why) = end.and_then(|end| end.why.as_ref()) {
            about += &format!(", because {why}");
        }
        let sign = match (&*begin.action, verdict) {
            (_, Some("failed") | None) => self.paint.error('x').to_string(),
            (_, Some("put_back")) => self.paint.faint('.').to_string(),
            ("create", _) => self.paint.added('+').to_string(),
            ("update", _) => self.paint.changed('~').to_string(),
            ("remove", _) => self.paint.removed('-').to_string(),
            _ => self.paint.run('!').to_string(),
        };
        let about = self.paint.faint(format!("({})", clean(&about)));
        let mut text = format!("  {sign} {}   {about}\n", self.paint.strong(name));
        if let Some(error) = end.and_then(|end| end.error.as_ref()) {
            text += &format!("      {}\n", self.paint.error(clean(error)));
        }
        text + &self.differences(&begin.differences)
    }

    fn differences(&self, recorded: &[Recorded]) -> String {
        let is_long = |one: &Recorded| {
            [&one.from, &one.to].iter().any(|side| matches!(side, RecordedSide::Digest { .. }))
        };
        let (long, short): (Vec<_>, Vec<_>) = recorded.iter().partition(|one| is_long(one));
        let short: Vec<Difference> = short.into_iter().map(difference).collect();
        let mut text = PropertyLines { paint: self.paint, verbose: self.verbose }.differences(&short);
        for Recorded { property, from, to, .. } in long {
            text += &format!("      {}: {} -> {}\n", clean(property), size(from), size(to));
        }
        text
    }
}

fn past(verb: &str) -> String {
    match verb {
        "create" => "created".to_owned(),
        "update" => "updated".to_owned(),
        "remove" => "removed".to_owned(),
        "run" => "ran".to_owned(),
        verb => format!("ran {verb}"),
    }
}

/// The difference as it was reported.
fn difference(recorded: &Recorded) -> Difference {
    let side = |side: &RecordedSide| value(side).map_or(Side::Absent, Side::Value);
    Difference {
        property: recorded.property.as_str().into(),
        from: side(&recorded.from),
        to: side(&recorded.to),
    }
}

/// The value of a side that was short enough to be recorded.
pub(super) fn value(side: &RecordedSide) -> Option<Value> {
    match side {
        RecordedSide::Absent => None,
        RecordedSide::Text(text) => Some(Value::text(text.as_str())),
        RecordedSide::Json(json) => {
            let value = serde_json::from_str::<uphold_wire::Value>(json);
            Some(value.map_or_else(|_| Value::text(json.as_str()), |value| Value::from(&value)))
        }
        RecordedSide::Secret(_) => Some(Value::Null.sensitive()),
        RecordedSide::Digest { .. } => None,
    }
}

/// The size of a side, if at least one of both is too long to be recorded.
fn size(side: &RecordedSide) -> String {
    match side {
        RecordedSide::Absent => "(nothing)".to_owned(),
        RecordedSide::Digest { size, highway } => {
            format!("{} (digest {})", count(*size as usize, "byte"), &highway[..highway.len().min(12)])
        }
        RecordedSide::Text(text) | RecordedSide::Json(text) => count(text.len(), "byte"),
        RecordedSide::Secret(_) => uphold::model::SENSITIVE.to_owned(),
    }
}
