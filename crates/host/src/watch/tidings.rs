//! What there is to tell.

use std::collections::HashSet;
use std::path::PathBuf;

use uphold_resource::{Interest, News, Token};

/// What one collection found. Each token is told once that something changed, however much did.
#[derive(Default)]
pub(super) struct Tidings {
    news: Vec<News>,
    changed: HashSet<Token>,
    blind: HashSet<Token>,
    lost: bool,
}

impl Tidings {
    /// Something that `token` is interested in may have changed.
    pub(super) fn changed(&mut self, token: Token, what: impl FnOnce() -> Interest) {
        if self.changed.insert(token) {
            self.news.push(News::Changed { token, what: what() });
        }
    }

    /// The same for many and a path.
    pub(super) fn path_changed(
        &mut self,
        tokens: impl IntoIterator<Item = Token>,
        path: impl Fn() -> PathBuf,
    ) {
        for token in tokens {
            self.changed(token, || Interest::Path(path()));
        }
    }

    /// Something that `token` is interested in cannot be watched any more.
    pub(super) fn blind(&mut self, token: Token, because: &str) {
        if self.blind.insert(token) {
            self.news.push(News::Blind { token, because: because.to_owned() });
        }
    }

    /// Anything may have changed.
    pub(super) fn lost(&mut self) {
        if !std::mem::replace(&mut self.lost, true) {
            self.news.push(News::Lost);
        }
    }

    /// Whether everybody has to look anyway.
    pub(super) fn is_lost(&self) -> bool {
        self.lost
    }

    /// Who became blind.
    pub(super) fn blinded(&self) -> impl Iterator<Item = Token> {
        self.blind.iter().copied()
    }

    /// All of it, in the order in which it was found.
    pub(super) fn into_news(self) -> Vec<News> {
        self.news
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_told_once() {
        let mut tidings = Tidings::default();
        tidings.path_changed([1, 2, 1], || "/a".into());
        tidings.path_changed([1], || "/b".into());
        tidings.blind(1, "because");
        tidings.blind(1, "because");
        tidings.lost();
        tidings.lost();
        assert_eq!(tidings.blinded().collect::<Vec<_>>(), [1]);
        let changed = |token| News::Changed { token, what: Interest::Path("/a".into()) };
        let blind = News::Blind { token: 1, because: "because".to_owned() };
        assert_eq!(tidings.into_news(), [changed(1), changed(2), blind, News::Lost]);
    }
}
