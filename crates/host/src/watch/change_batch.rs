//! The reports of one collection.

use std::collections::HashSet;
use std::path::PathBuf;

use uphold_resource::{Interest, Token, WatchEvent};

/// The reports of one collection. Each token gets one report of a change, however many there are.
#[derive(Default)]
pub(super) struct ChangeBatch {
    reports: Vec<WatchEvent>,
    changed: HashSet<Token>,
    blind: HashSet<Token>,
    lost: bool,
}

impl ChangeBatch {
    /// Reports that an interest of `token` may have changed.
    pub(super) fn changed(&mut self, token: Token, what: impl FnOnce() -> Interest) {
        if self.changed.insert(token) {
            self.reports.push(WatchEvent::Changed { token, what: what() });
        }
    }

    /// Reports a changed path to many tokens.
    pub(super) fn path_changed(
        &mut self,
        tokens: impl IntoIterator<Item = Token>,
        path: impl Fn() -> PathBuf,
    ) {
        for token in tokens {
            self.changed(token, || Interest::Path(path()));
        }
    }

    /// Reports that an interest of `token` cannot be watched any more.
    pub(super) fn blind(&mut self, token: Token, because: &str) {
        if self.blind.insert(token) {
            self.reports.push(WatchEvent::Blind { token, because: because.to_owned() });
        }
    }

    /// Reports that anything may have changed.
    pub(super) fn lost(&mut self) {
        if !std::mem::replace(&mut self.lost, true) {
            self.reports.push(WatchEvent::Lost);
        }
    }

    /// Whether everything has to be checked anyway.
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }

    /// The tokens that became blind.
    pub(super) fn blinded(&self) -> impl Iterator<Item = Token> {
        self.blind.iter().copied()
    }

    /// All reports, in their order.
    pub(super) fn into_reports(self) -> Vec<WatchEvent> {
        self.reports
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_once_to_each_token() {
        let mut batch = ChangeBatch::default();
        batch.path_changed([1, 2, 1], || "/a".into());
        batch.path_changed([1], || "/b".into());
        batch.blind(1, "because");
        batch.blind(1, "because");
        batch.lost();
        batch.lost();
        assert_eq!(batch.blinded().collect::<Vec<_>>(), [1]);
        let changed = |token| WatchEvent::Changed { token, what: Interest::Path("/a".into()) };
        let blind = WatchEvent::Blind { token: 1, because: "because".to_owned() };
        assert_eq!(batch.into_reports(), [changed(1), changed(2), blind, WatchEvent::Lost]);
    }
}
