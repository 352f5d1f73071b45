//! Resolving a revision in a remote repository.

use std::fmt;

use uphold_resource::{Context, Error, ErrorKind, Problem, Property, Result, Type, Value};

use super::checkout::BRANCHES;

const TAGS: &str = "refs/tags/";

/// A commit, and the reference that led to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Target {
    pub(crate) commit: Commit,
    /// The full name of the branch or tag; none if the commit itself was named.
    pub(crate) name: Option<String>,
}

impl Target {
    /// The branch to check out, unless it is a tag or commit.
    pub(crate) fn branch(&self) -> Option<&str> {
        self.name.as_deref()?.strip_prefix(BRANCHES)
    }

    /// Finds `revision` in the output of `git ls-remote --symref`.
    ///
    /// # Errors
    /// If it does not exist, or is the name of both a branch and a tag.
    pub(crate) fn find(revision: &str, listing: &str, repository: &str) -> Result<Self> {
        let refs = |name: &str| {
            let named = |line: &str| {
                line.split_once('\t').filter(|(_, own)| *own == name).map(|(id, _)| id.to_owned())
            };
            listing.lines().find_map(|line| Commit::parse(&named(line)?))
        };
        let target = |name: String| {
            let commit = refs(&format!("{name}^{{}}")).or_else(|| refs(&name))?;
            Some(Target { commit, name: Some(name) })
        };
        if revision == "HEAD" {
            let default = listing.lines().find_map(|line| line.strip_prefix("ref: ")?.strip_suffix("\tHEAD"));
            let head = default.and_then(|name| target(name.to_owned()));
            let bare = || refs("HEAD").map(|commit| Target { commit, name: None });
            return head.or_else(bare).ok_or_else(|| missing(revision, repository));
        }
        if revision.starts_with("refs/") {
            return target(revision.to_owned()).ok_or_else(|| missing(revision, repository));
        }
        match (target(format!("{BRANCHES}{revision}")), target(format!("{TAGS}{revision}"))) {
            (Some(found), None) | (None, Some(found)) => Ok(found),
            (None, None) => Err(missing(revision, repository)),
            (Some(_), Some(_)) => {
                let what = format!("`{revision}` is both a branch and a tag of {repository}");
                let hint = format!("write {BRANCHES}{revision} or {TAGS}{revision}");
                Err(Error::new(ErrorKind::Invalid, what).hint(hint))
            }
        }
    }

    /// The patterns for `git ls-remote`.
    pub(crate) fn patterns(revision: &str) -> Vec<String> {
        match revision {
            "HEAD" => vec!["HEAD".to_owned(), "refs/heads/*".to_owned()],
            full if full.starts_with("refs/") => vec![full.to_owned(), format!("{full}^{{}}")],
            short => [BRANCHES, TAGS]
                .iter()
                .flat_map(|top| [format!("{top}{short}"), format!("{top}{short}^{{}}")])
                .collect(),
        }
    }
}

fn missing(revision: &str, repository: &str) -> Error {
    let what = format!("{repository} has no branch and no tag `{revision}`");
    let error = Error::new(ErrorKind::Missing, what);
    if revision.len() >= 4 && revision.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        error.hint("for a commit, write all 40 hexadecimal digits")
    } else {
        error
    }
}

// Commits.

/// A commit ID: 40 hexadecimal digits, or 64 in repositories that use SHA-256.
#[derive(Clone)]
pub struct Commit {
    id: String,
    /// Whether a revision was resolved to it, rather than the user naming it.
    found: bool,
}

impl Commit {
    /// Parses a full ID; none if it is abbreviated or invalid.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let whole = matches!(text.len(), 40 | 64) && text.bytes().all(|digit| digit.is_ascii_hexdigit());
        whole.then(|| Self { id: text.to_ascii_lowercase(), found: false })
    }

    /// Git's ID for no commit: nothing is checked out yet.
    pub(crate) fn none() -> Self {
        Self { id: "0".repeat(40), found: false }
    }

    /// The same commit, resolved from a revision.
    pub(crate) fn found(self) -> Self {
        Self { found: true, ..self }
    }

    /// Whether the user named this commit.
    pub(crate) fn is_chosen(&self) -> bool {
        !self.found
    }

    /// The ID.
    pub fn as_str(&self) -> &str {
        &self.id
    }
}

/// How it was found does not matter for equality.
impl PartialEq for Commit {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

impl Eq for Commit {}

impl Property for Commit {
    const TYPE: &'static Type = &Type::Named {
        name: "commit",
        doc: "a commit ID: 40 hexadecimal digits",
        example: r#""4b825dc642cb6eb9a060e54bf8d69288fbee4904""#,
    };

    fn from_value(value: &Value, _: &Context<'_>) -> Result<Self, Problem> {
        let found = match value {
            Value::Text(text) => Commit::parse(text),
            _ => None,
        };
        found
            .ok_or_else(|| Problem::new(Some(value), "is not a commit ID", "write all 40 hexadecimal digits"))
    }

    fn to_value(&self) -> Value {
        Value::text(self.id.as_str())
    }
}

impl fmt::Display for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)
    }
}

impl fmt::Debug for Commit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    #[test]
    fn resolves_revisions() {
        let listing = format!(
            "ref: refs/heads/main\tHEAD\n{ONE}\tHEAD\n{ONE}\trefs/heads/main\n{TWO}\trefs/heads/both\n\
             {ONE}\trefs/tags/both\n{ONE}\trefs/tags/v1\n{TWO}\trefs/tags/v1^{{}}\n"
        );
        let check = |revision: &str, expected: Result<(&str, Option<&str>), ErrorKind>| {
            let found = Target::find(revision, &listing, "there");
            let found = found.as_ref().map(|target| (target.commit.as_str(), target.name.as_deref()));
            assert_eq!(found.map_err(Error::kind), expected, "{revision}");
        };
        check("HEAD", Ok((ONE, Some("refs/heads/main"))));
        check("main", Ok((ONE, Some("refs/heads/main"))));
        check("v1", Ok((TWO, Some("refs/tags/v1"))));
        check("refs/tags/both", Ok((ONE, Some("refs/tags/both"))));
        check("refs/heads/both", Ok((TWO, Some("refs/heads/both"))));
        check("both", Err(ErrorKind::Invalid));
        check("abcd", Err(ErrorKind::Missing));
        assert_eq!(Target::find("main", &listing, "").expect("it exists").branch(), Some("main"));
    }

    #[test]
    fn detached_head_is_a_commit() {
        let found = Target::find("HEAD", &format!("{ONE}\tHEAD\n"), "there").expect("it exists");
        assert_eq!((found.commit.as_str(), found.name), (ONE, None));
    }
}
