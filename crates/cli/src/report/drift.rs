//! What a visit in a watch found, in a few words.

use uphold::model::Action;
use uphold::{Cause, Change, ChangeKind, Occasion, Verdict};

/// What was done.
pub(super) fn word(verdict: &Verdict, change: &Change, cause: &Cause) -> &'static str {
    match (verdict, change.kind) {
        (Verdict::Differs(_), _) => "differs",
        (_, ChangeKind::Run) => "ran",
        _ if cause.is_outside() => "repaired",
        _ => "changed",
    }
}

/// What was different.
pub(super) fn what(change: &Change, action: &Action) -> String {
    match (change.kind, action) {
        (ChangeKind::Create, _) => "was missing".to_owned(),
        (ChangeKind::Remove, _) => "was there".to_owned(),
        (ChangeKind::Run, Action::Verb(verb)) => verb.to_string(),
        (ChangeKind::Run, _) => "was not done".to_owned(),
        (ChangeKind::Update, _) => {
            let names: Vec<&str> =
                change.differences.iter().map(|difference| &*difference.property).collect();
            if names.is_empty() { "it differed".to_owned() } else { names.join(", ") }
        }
    }
}

/// Why it was looked at, after "because". `occasion` is why the configuration was read last.
pub(super) fn reason(cause: &Cause, occasion: Option<&Occasion>) -> String {
    match (cause, occasion) {
        (Cause::Written, Some(Occasion::Changed(what) | Occasion::Live(what))) => format!("{what} changed"),
        (Cause::Written, _) => "the configuration changed".to_owned(),
        (Cause::Notified { by, .. }, _) => format!("{by} changed"),
        (Cause::Woken(wake), _) => wake.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uphold::Wake;
    use uphold::model::{Difference, ResourceId, Side};

    #[test]
    fn words() {
        let properties = ["content", "mode"].map(|name| Difference {
            property: name.into(),
            from: Side::Absent,
            to: Side::Absent,
        });
        let check = |kind: ChangeKind, cause: Cause, expected: &str| {
            let change = Change {
                kind,
                differences: properties.to_vec(),
                unknown: Vec::new(),
                inputs: uphold::model::Map::new(),
            };
            let verdict = Verdict::Changed(change.clone());
            let action = Action::Converge;
            let words = format!("{} {}", word(&verdict, &change, &cause), what(&change, &action));
            assert_eq!(format!("{words} because {}", reason(&cause, None)), expected);
        };
        let woken = |wake: Wake| Cause::Woken(wake);
        check(
            ChangeKind::Update,
            woken(Wake::Rechecked),
            "repaired content, mode because everything is looked at now and then",
        );
        let other = ResourceId::new("file", "/y");
        check(
            ChangeKind::Create,
            woken(Wake::Received(other)),
            "changed was missing because file[\"/y\"] has another value",
        );
        check(ChangeKind::Run, Cause::Written, "ran was not done because the configuration changed");
        let live = Occasion::Live("host.hostname".to_owned());
        assert_eq!(reason(&Cause::Written, Some(&live)), "host.hostname changed");
    }
}
