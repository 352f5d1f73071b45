//! What is in trouble, so that only news is told.

use std::collections::HashMap;

use uphold::model::{Name, ResourceId};
use uphold::{Skip, Verdict};

/// What is wrong with a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Trouble {
    /// It went wrong, with these words.
    Failed(String),
    /// Something that it stands on did.
    Blocked(ResourceId),
    /// These properties differ, and are left so.
    Differs(Vec<Name>),
}

/// How a resource stands, compared with the last time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turn {
    /// In order, as before; or it was changed.
    Fine,
    /// In trouble that was not there before.
    Worse,
    /// In trouble as before.
    Same,
    /// In order again.
    Better,
}

/// The resources that are in trouble. Grows with them, not with time.
#[derive(Debug, Default)]
pub(super) struct Standing(HashMap<ResourceId, Trouble>);

impl Standing {
    /// Notes how a visit went.
    pub(super) fn note(&mut self, resource: &ResourceId, verdict: &Verdict) -> Turn {
        match trouble(verdict) {
            Some(now) if self.0.get(resource) == Some(&now) => Turn::Same,
            Some(now) => {
                self.0.insert(resource.clone(), now);
                Turn::Worse
            }
            None => self.0.remove(resource).map_or(Turn::Fine, |_| Turn::Better),
        }
    }
}

fn trouble(verdict: &Verdict) -> Option<Trouble> {
    match verdict {
        Verdict::Failed(failure) | Verdict::Ignored(failure) => {
            Some(Trouble::Failed(failure.message.clone()))
        }
        Verdict::Skipped(Skip::FailedBefore(root)) => Some(Trouble::Blocked(root.clone())),
        Verdict::Differs(change) => {
            let names = change.differences.iter().map(|difference| difference.property.clone());
            Some(Trouble::Differs(names.collect()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_news_is_news() {
        let (mut standing, file) = (Standing::default(), ResourceId::new("file", "/x"));
        let other = |name| Verdict::Skipped(Skip::FailedBefore(ResourceId::new("file", name)));
        let mut check =
            |verdict: Verdict, expected: Turn| assert_eq!(standing.note(&file, &verdict), expected);
        check(Verdict::Unchanged, Turn::Fine);
        check(other("/a"), Turn::Worse);
        check(other("/a"), Turn::Same);
        check(other("/b"), Turn::Worse);
        check(Verdict::Unchanged, Turn::Better);
        check(Verdict::Unchanged, Turn::Fine);
    }
}
