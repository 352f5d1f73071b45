//! A whole file of known hosts.

use std::collections::HashMap;

use uphold_resource::{Parsed, Result};

use super::row::{Row, Search};
use crate::line::document::Document;

/// The lines of a file of known hosts, for all who look at it.
pub(super) struct KnownHosts {
    rows: Vec<Row>,
    /// Which lines have a name that can be read.
    by_name: HashMap<String, Vec<usize>>,
    /// Which lines have one that cannot: each has to be tried.
    hashed: Vec<usize>,
}

impl Parsed for KnownHosts {
    fn parse(content: &[u8]) -> Result<Self> {
        let rows: Vec<Row> = Document::new(content).lines().filter_map(Row::of).collect();
        let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
        for (number, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_hashed()) {
            for name in &row.names {
                by_name.entry(name.to_lowercase()).or_default().push(number);
            }
        }
        let hashed = (0..rows.len()).filter(|number| rows[*number].is_hashed()).collect();
        Ok(Self { rows, by_name, hashed })
    }
}

impl KnownHosts {
    /// The first line that is meant.
    pub(super) fn find(&self, search: Search<'_>) -> Option<&Row> {
        let is_it = |number: &&usize| self.rows[**number].is(search);
        let readable = self.by_name.get(search.name).and_then(|numbers| numbers.iter().find(is_it));
        let hashed = self
            .hashed
            .iter()
            .take_while(|number| readable.is_none_or(|before| *number < before))
            .find(is_it);
        hashed.or(readable).map(|number| &self.rows[*number])
    }
}
