//! What is known, in words.

use std::borrow::Cow;
use std::time::SystemTime;

use uphold::ChangeKind;
use uphold::model::{Name, ResourceId};
use uphold_status::{Happening, HappeningKind, Phase, ResourceStatus, State};

use crate::number::{counted, grouped, span, whole};
use crate::theme::Mood;

/// Something in one word, and in more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Told {
    /// The word.
    pub(crate) word: &'static str,
    /// How it looks.
    pub(crate) mood: Mood,
    /// The rest of it.
    pub(crate) text: String,
}

impl Told {
    fn new(word: &'static str, mood: Mood, text: impl Into<String>) -> Self {
        Self { word, mood, text: text.into() }
    }
}

/// What happened and why, without its time and resource.
pub(crate) fn happening(happening: &Happening) -> Told {
    let mut told = happened(&happening.kind);
    // A message says what went wrong: why it was looked at is no cause of that.
    let is_failure = matches!(happening.kind, HappeningKind::Failed { .. });
    if let Some(why) = happening.why.as_ref().filter(|_| !is_failure) {
        told.text += if told.text.is_empty() { "because " } else { ", because " };
        told.text += &reason(&why.text, happening.resource.as_ref());
    }
    told
}

/// Why, in fewer words if it is about the resource itself.
fn reason<'a>(text: &'a str, resource: Option<&ResourceId>) -> Cow<'a, str> {
    let own = resource.and_then(|resource| text.strip_prefix(&**resource.label()));
    match own {
        Some(rest) if rest.starts_with(' ') => Cow::Owned(format!("it{rest}")),
        _ => Cow::Borrowed(text),
    }
}

fn happened(kind: &HappeningKind) -> Told {
    match kind {
        HappeningKind::Repaired { kind, properties } => {
            Told::new("repaired", Mood::Change, change(*kind, properties))
        }
        HappeningKind::Drifted { kind, properties } => {
            Told::new("drifted", Mood::Doubtful, format!("{}, only audited", change(*kind, properties)))
        }
        HappeningKind::Changed { kind, properties } => {
            Told::new("changed", Mood::Change, change(*kind, properties))
        }
        HappeningKind::Failed { message } => Told::new("failed", Mood::Bad, message),
        HappeningKind::Recovered => Told::new("recovered", Mood::Good, ""),
        HappeningKind::Blind { because } => Told::new("blind", Mood::Doubtful, because),
        HappeningKind::Watching { resources } => {
            Told::new("holding", Mood::News, counted(*resources, "resource", "resources"))
        }
        HappeningKind::ReportsLost => {
            Told::new("lost", Mood::Doubtful, "reports of the machine were lost: everything is looked at")
        }
        HappeningKind::Swapped { visited, kept, left, .. } => {
            let [visited, kept, left] = [visited, kept, left].map(|number| grouped(*number));
            let text = format!("another configuration: {visited} visited, {kept} kept, {left} left alone");
            Told::new("reloaded", Mood::News, text)
        }
        HappeningKind::ReloadRefused { message } => Told::new("refused", Mood::Bad, first_line(message)),
    }
}

/// `content, mode`, or what became of the whole.
pub(crate) fn change(kind: ChangeKind, properties: &[Name]) -> String {
    match kind {
        ChangeKind::Create => "created".to_owned(),
        ChangeKind::Remove => "removed".to_owned(),
        ChangeKind::Run => "ran".to_owned(),
        ChangeKind::Update if properties.is_empty() => "updated".to_owned(),
        ChangeKind::Update => properties.join(", "),
    }
}

/// How a resource is.
pub(crate) fn status(status: &ResourceStatus) -> Told {
    let mut told = state(&status.state);
    match (&status.blind, &status.state) {
        (Some(blind), State::Held) => told = Told::new("blind", Mood::Doubtful, &blind.because),
        (_, State::Waiting | State::Held) if status.busy.is_some() => told.word = "busy",
        _ => {}
    }
    told
}

fn state(state: &State) -> Told {
    match state {
        State::Waiting => Told::new("waiting", Mood::Plain, ""),
        State::Held => Told::new("held", Mood::Good, ""),
        State::Failed(trouble) => Told::new("failed", Mood::Bad, &trouble.message),
        State::Ignored(trouble) => Told::new("ignored", Mood::Doubtful, &trouble.message),
        State::Blocked(by) => Told::new("blocked", Mood::Doubtful, format!("{by} failed")),
        State::Differs { kind, properties } => {
            Told::new("drifting", Mood::Doubtful, format!("{}, only audited", wanted(*kind, properties)))
        }
        State::LeftAlone(reason) => Told::new("left alone", Mood::Plain, &**reason),
    }
}

/// What would be done.
fn wanted(kind: ChangeKind, properties: &[Name]) -> String {
    match kind {
        ChangeKind::Create => "is not there".to_owned(),
        ChangeKind::Remove => "is there".to_owned(),
        ChangeKind::Run => "would run".to_owned(),
        ChangeKind::Update if properties.is_empty() => "differs".to_owned(),
        ChangeKind::Update => properties.join(", "),
    }
}

/// When it is looked at again, if that is set: `next try in 12 s`.
pub(crate) fn next(status: &ResourceStatus, now: SystemTime) -> Option<String> {
    let next = status.next.as_ref().map(|next| match next.at.duration_since(now) {
        Ok(left) if left.as_secs() > 0 => format!("next try in {}", whole(left)),
        _ => "next try now".to_owned(),
    });
    next.or_else(|| status.blind.as_ref().map(|blind| format!("every {}", span(blind.every))))
}

/// What the watch is doing, without the bar.
pub(crate) fn phase(phase: Phase, all: usize, now: SystemTime) -> String {
    match phase {
        Phase::Starting => "starting".to_owned(),
        Phase::Converging { done, of } => format!("converging {}/{}", grouped(done), grouped(of)),
        Phase::Watching { since } => {
            let held = counted(all, "resource", "resources");
            format!("holding {held} for {}", whole(now.duration_since(since).unwrap_or_default()))
        }
    }
}

/// The first line that says something.
pub(crate) fn first_line(text: &str) -> &str {
    text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use uphold_status::Why;

    use super::*;

    fn check(kind: HappeningKind, why: &str, expected: &str) {
        let why = (!why.is_empty()).then(|| Why { word: "change_detected".into(), text: why.to_owned() });
        let resource = Some(ResourceId::new("file", "/x"));
        let told = happening(&Happening { at: SystemTime::UNIX_EPOCH, resource, kind, why, took: None });
        assert_eq!(format!("{} {}", told.word, told.text), expected);
    }

    #[test]
    fn what_happened_is_told_with_its_reason() {
        let (update, create) = (ChangeKind::Update, ChangeKind::Create);
        let names = |names: &[&str]| names.iter().copied().map(Name::from).collect();
        let two = names(&["content", "mode"]);
        check(
            HappeningKind::Repaired { kind: update, properties: two },
            "/x changed",
            "repaired content, mode, because it changed",
        );
        let new = HappeningKind::Repaired { kind: create, properties: names(&["content"]) };
        check(new, "/x/y changed", "repaired created, because /x/y changed");
        let failed = HappeningKind::Failed { message: "no route".to_owned() };
        check(failed, "/x changed", "failed no route");
        let audited = HappeningKind::Drifted { kind: update, properties: names(&[]) };
        check(audited, "", "drifted updated, only audited");
        check(HappeningKind::Recovered, "it failed before", "recovered because it failed before");
        check(HappeningKind::Watching { resources: 1 }, "", "holding 1 resource");
        let swapped = HappeningKind::Swapped { generation: 2, kept: 1_230, visited: 4, left: 0 };
        check(swapped, "", "reloaded another configuration: 4 visited, 1,230 kept, 0 left alone");
        let refused =
            HappeningKind::ReloadRefused { message: "\nerror: no such kind\n --> a.hcl".to_owned() };
        check(refused, "", "refused error: no such kind");
    }
}
