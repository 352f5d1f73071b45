//! A parsed `known_hosts` file.

use std::collections::HashMap;

use uphold_kit::document::Document;
use uphold_resource::{Parsed, Result};

use super::row::{Row, Search};

/// The lines of the file, parsed once for all resources.
pub(super) struct KnownHosts {
    rows: Vec<Row>,
    /// The lines of each plain name.
    by_name: HashMap<String, Vec<usize>>,
    /// The lines with a hashed name, which must be tried one by one.
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
    /// The first matching line.
    pub(super) fn find(&self, search: Search<'_>) -> Option<&Row> {
        let matches = |number: &&usize| self.rows[**number].is(search);
        let readable = self.by_name.get(search.name).and_then(|numbers| numbers.iter().find(matches));
        let hashed = self
            .hashed
            .iter()
            .take_while(|number| readable.is_none_or(|before| *number < before))
            .find(matches);
        hashed.or(readable).map(|number| &self.rows[*number])
    }
}
