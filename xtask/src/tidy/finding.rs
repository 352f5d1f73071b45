//! A breach of a rule, with its location.

use std::fmt;

/// One breach of a house rule. Line 0 means the file as a whole.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Finding {
    path: String,
    line: usize,
    message: String,
}

impl Finding {
    pub(crate) fn new(path: &str, line: usize, message: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, message: message.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}: {}", self.path, self.message),
        }
    }
}

/// Runs a rule on files given as (path, text) and returns its findings as lines, for the rules' tests.
#[cfg(test)]
pub(crate) fn found(rule: super::Rule, files: &[(&str, &str)]) -> Vec<String> {
    let sources: Vec<super::Source> = files
        .iter()
        .map(|(path, text)| super::Source { path: (*path).to_owned(), text: (*text).to_owned() })
        .collect();
    rule(&sources).iter().map(Finding::to_string).collect()
}
