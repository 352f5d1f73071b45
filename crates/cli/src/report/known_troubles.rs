//! The known problems of resources, so that a watch reports only new ones.

use std::collections::HashMap;

use uphold::model::ResourceId;
use uphold::{Change, Skip, Verdict};

/// The state of a resource compared with its previous visit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transition {
    /// It has no problem, and had none.
    Fine,
    NewTrouble,
    SameTrouble,
    Recovered,
}

/// The resources with problems, and their descriptions. Its size depends on their number, not on time.
#[derive(Debug, Default)]
pub(super) struct KnownTroubles(HashMap<ResourceId, String>);

impl KnownTroubles {
    pub(super) fn record(&mut self, resource: &ResourceId, verdict: &Verdict) -> Transition {
        match trouble(verdict) {
            Some(now) if self.0.get(resource) == Some(&now) => Transition::SameTrouble,
            Some(now) => {
                self.0.insert(resource.clone(), now);
                Transition::NewTrouble
            }
            None => self.0.remove(resource).map_or(Transition::Fine, |_| Transition::Recovered),
        }
    }
}

/// The problem, for comparison; none if there is none.
fn trouble(verdict: &Verdict) -> Option<String> {
    match verdict {
        Verdict::Failed(failure) | Verdict::Ignored(failure) => Some(format!("failed: {}", failure.message)),
        Verdict::Skipped(Skip::FailedBefore(root)) => Some(format!("blocked: {root}")),
        Verdict::Differs(change) => Some(format!("differs:{}", names(change))),
        Verdict::Paused(change, pause) => Some(format!("{pause:?}:{}", names(change))),
        _ => None,
    }
}

fn names(change: &Change) -> String {
    change.differences.iter().map(|difference| format!(" {}", difference.property)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detects_new_troubles() {
        let (mut troubles, file) = (KnownTroubles::default(), ResourceId::new("file", "/x"));
        let other = |name| Verdict::Skipped(Skip::FailedBefore(ResourceId::new("file", name)));
        let mut check =
            |verdict: Verdict, expected: Transition| assert_eq!(troubles.record(&file, &verdict), expected);
        check(Verdict::Unchanged, Transition::Fine);
        check(other("/a"), Transition::NewTrouble);
        check(other("/a"), Transition::SameTrouble);
        check(other("/b"), Transition::NewTrouble);
        check(Verdict::Unchanged, Transition::Recovered);
        check(Verdict::Unchanged, Transition::Fine);
    }
}
