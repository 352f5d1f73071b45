//! A colon-separated account database.

use std::collections::HashMap;

use uphold_resource::{Parsed, Result};

/// A line of a database.
pub(crate) trait Record: Sized + Send + Sync + 'static {
    /// Parses one line; none for a comment, a NIS `+` line or a malformed line.
    fn parse(line: &str) -> Option<Self>;
    /// The account's name.
    fn name(&self) -> &str;
    /// The account's numeric id, if the database has one.
    fn id(&self) -> Option<u32>;
}

/// All records of a database. Of two records with the same name or id the first one counts, as in the C library.
pub(crate) struct Table<R> {
    records: Vec<R>,
    by_name: HashMap<String, usize>,
    by_id: HashMap<u32, usize>,
}

impl<R> Default for Table<R> {
    fn default() -> Self {
        Self { records: Vec::new(), by_name: HashMap::new(), by_id: HashMap::new() }
    }
}

impl<R: Record> Table<R> {
    /// The record with this name.
    pub(crate) fn named(&self, name: &str) -> Option<&R> {
        self.by_name.get(name).and_then(|at| self.records.get(*at))
    }

    /// The record with this id.
    pub(crate) fn numbered(&self, id: u32) -> Option<&R> {
        self.by_id.get(&id).and_then(|at| self.records.get(*at))
    }

    /// All records, in file order.
    pub(crate) fn all(&self) -> &[R] {
        &self.records
    }
}

impl<R: Record> FromIterator<R> for Table<R> {
    fn from_iter<I: IntoIterator<Item = R>>(records: I) -> Self {
        let mut table = Self::default();
        for record in records {
            let at = table.records.len();
            table.by_name.entry(record.name().to_owned()).or_insert(at);
            if let Some(id) = record.id() {
                table.by_id.entry(id).or_insert(at);
            }
            table.records.push(record);
        }
        table
    }
}

impl<R: Record> Parsed for Table<R> {
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(records(content).collect())
    }
}

/// The records of a file. Malformed lines are skipped, and invalid UTF-8 in one line does not affect the others.
pub(crate) fn records<R: Record>(content: &[u8]) -> impl Iterator<Item = R> {
    content.split(|byte| *byte == b'\n').filter_map(|line| R::parse(&String::from_utf8_lossy(line)))
}

/// Returns the name unless the line is a comment or a NIS entry.
pub(super) fn proper_name(name: &str) -> Option<String> {
    let usable = !name.is_empty() && !name.starts_with(['+', '-', '#']);
    usable.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::groups::GroupRecord;
    use super::*;

    #[test]
    fn first_of_two_counts_and_invalid_utf8_is_skipped() {
        let table =
            Table::<GroupRecord>::parse(b"a:x:1:\n\xff\xfe:x:9:\nb:x:1:\na:x:2:").expect("the table parses");
        assert_eq!(table.named("a").map(|group| group.gid), Some(1));
        assert_eq!(table.numbered(1).map(|group| group.name.as_str()), Some("a"));
        assert_eq!(table.named("b").map(|group| group.gid), Some(1));
        assert!(table.named("c").is_none());
        assert_eq!(table.all().len(), 4);
    }
}
