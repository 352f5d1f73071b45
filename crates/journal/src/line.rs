//! Lines of JSON that carry a checksum, and the repair of files whose lines do not verify.
//!
//! A sealed line ends with `,"sum":"…"}`. In most files each line is sealed, and its sum finds damage: HighwayHash of
//! everything before it. In a chained file the sum finds edits, too: the first 16 bytes of BLAKE3, in hex, over the previous sum
//! and everything since then. One sum covers all lines of a write, so that `printf %s%s SUM LINES | b3sum --length 16`
//! recomputes it.

use std::fmt;
use std::io;

use data_encoding::HEXLOWER;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::digest::value_digest;
use crate::failure::{Attempt, Result};
use crate::storage::{Creation, Durability, Storage};
use crate::time::Time;

/// The characters of a sum.
const SUM: usize = 32;
/// The length of a usual record, at most.
pub(crate) const USUAL: usize = 640;
const BEFORE_SUM: &str = ",\"sum\":\"";
const AFTER_SUM: &str = "\"}";

/// The start of a line that begins a chain.
pub(crate) const CHAIN_START: &str = "{\"begin\":";

/// The JSON of a record.
pub(crate) fn json(record: &impl Serialize) -> io::Result<String> {
    let mut json = Vec::with_capacity(USUAL);
    serde_json::to_writer(&mut json, record)?;
    String::from_utf8(json).map_err(io::Error::other)
}

/// The line of a record in a file without a chain.
pub(crate) fn seal(record: &impl Serialize) -> io::Result<String> {
    let json = json(record)?;
    let mut line = String::with_capacity(json.len() + BEFORE_SUM.len() + SUM + AFTER_SUM.len() + 1);
    line.push_str(&json);
    seal_last(&mut line, 0);
    Ok(line)
}

/// Seals the JSON of a record at the end of `lines`, in a file without a chain: it begins at `start`.
pub(crate) fn seal_last(lines: &mut String, start: usize) {
    // A record is an object with at least one field: the sum is added to its fields.
    lines.pop();
    let sum = sum(None, &lines.as_bytes()[start..]);
    add_sum(lines, sum.as_str());
}

/// Seals lines of a chain together. `previous` is the previous sum, and becomes theirs.
pub(crate) fn seal_chained(lines: &mut String, previous: &mut String) {
    // The last line break and the last brace.
    lines.truncate(lines.len().saturating_sub(2));
    let sum = sum(Some(previous), lines.as_bytes());
    previous.clear();
    previous.push_str(sum.as_str());
    add_sum(lines, sum.as_str());
}

fn add_sum(lines: &mut String, sum: &str) {
    for part in [BEFORE_SUM, sum, AFTER_SUM, "\n"] {
        lines.push_str(part);
    }
}

/// The sum of lines that end before it. In a chain it covers the previous sum, too.
fn sum(previous: Option<&str>, start: &[u8]) -> Sum {
    let digest = match previous {
        None => value_digest(start),
        Some(previous) => {
            let mut digest = blake3::Hasher::new();
            digest.update(previous.as_bytes());
            digest.update(start);
            digest.finalize().as_bytes().first_chunk().copied().unwrap_or_default()
        }
    };
    let mut hex = [0; SUM];
    HEXLOWER.encode_mut(&digest, &mut hex);
    Sum(hex)
}

/// A sum in hex.
struct Sum([u8; SUM]);

impl Sum {
    fn as_str(&self) -> &str {
        std::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// Splits a line into the part that the sum covers, and the sum.
fn split(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_suffix(AFTER_SUM)?;
    let (start, sum) = rest.split_at_checked(rest.len().checked_sub(SUM)?)?;
    Some((start.strip_suffix(BEFORE_SUM)?, sum))
}

/// Whether the sums of a file's lines are chained.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chain {
    None,
    Linked,
}

/// A line that verifies.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct VerifiedLine<'c> {
    /// The line as it is in the file, without the line break.
    pub(crate) text: &'c str,
    /// The sum of the lines that were written with it.
    pub(crate) sum: &'c str,
}

impl VerifiedLine<'_> {
    /// The record. `None` if a newer version wrote a record that this version does not know.
    pub(crate) fn record<T: DeserializeOwned>(&self) -> Option<T> {
        match split(self.text) {
            Some((start, _)) => serde_json::from_str(&format!("{start}}}")).ok(),
            None => serde_json::from_str(self.text).ok(),
        }
    }
}

/// The lines of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Scan<'c> {
    pub(crate) lines: Vec<VerifiedLine<'c>>,
    /// The length without a last line that was not written completely.
    pub(crate) torn_at: Option<usize>,
    /// The number of the first line that does not verify, from 1, and how many do not.
    pub(crate) broken: Option<(usize, usize)>,
}

/// Reads all lines that verify.
///
/// In a chained file a changed line costs those that were written with it, and at most the next ones: their sum covers the
/// previous sum.
pub(crate) fn scan(content: &[u8], chain: Chain) -> Scan<'_> {
    let mut scan = Scan::default();
    let (mut previous, mut number, mut offset) = ("", 1, 0);
    // The lines since the last sum.
    let (mut start, mut lines) = (0, Vec::new());
    for raw in content.split_inclusive(|byte| *byte == b'\n') {
        if offset + raw.len() == content.len() && is_torn(raw) {
            scan.torn_at = Some(start);
            return scan;
        }
        let text = std::str::from_utf8(raw.strip_suffix(b"\n").unwrap_or(raw)).unwrap_or_default();
        let found = split(text);
        let covered = &content[start..offset + found.map_or(0, |(line, _)| line.len())];
        offset += raw.len();
        lines.push(text);
        if found.is_none() && chain == Chain::Linked && offset < content.len() {
            continue;
        }
        let before = if lines[0].starts_with(CHAIN_START) { "" } else { previous };
        let before = (chain == Chain::Linked).then_some(before);
        match found.filter(|(_, found)| sum(before, covered).as_str() == *found) {
            Some((_, sum)) => scan.lines.extend(lines.iter().map(|text| VerifiedLine { text, sum })),
            None => {
                let (first, count) = scan.broken.unwrap_or((number, 0));
                scan.broken = Some((first, count + lines.len()));
            }
        }
        previous = found.map_or("", |(_, sum)| sum);
        number += lines.len();
        start = offset;
        lines.clear();
    }
    scan
}

/// Whether the last line is the start of a line, or zeros that a power loss left.
fn is_torn(raw: &[u8]) -> bool {
    !raw.ends_with(b"\n") || raw.iter().all(|byte| matches!(byte, 0 | b'\n'))
}

/// A file of the journal whose lines did not all verify.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: String,
    /// The number of its first damaged line, from 1.
    pub line: usize,
    /// How many lines were lost.
    pub lost: usize,
    /// The copy of the damaged file, beside it. `None` if the file was only read.
    pub copy: Option<String>,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, lost, copy } = self;
        let lines = if *lost == 1 { "line" } else { "lines" };
        write!(f, "`{file}` of the journal is damaged at line {line}: {lost} {lines} lost")?;
        copy.as_ref().map_or(Ok(()), |copy| write!(f, "; the damaged file is kept as `{copy}`"))
    }
}

/// The damage of a file that is only read.
pub(crate) fn damage(name: &str, scan: &Scan<'_>) -> Option<Damage> {
    let (line, lost) = scan.broken?;
    Some(Damage { file: name.to_owned(), line, lost, copy: None })
}

/// Repairs a file before it is appended to: cuts off a torn line; after other damage, copies the file and keeps the lines
/// that verify.
pub(crate) fn repair(
    storage: &dyn Storage,
    name: &str,
    content: &[u8],
    scan: &Scan<'_>,
    now: Time,
) -> Result<Option<Damage>> {
    let Some(damage) = damage(name, scan) else {
        if let Some(length) = scan.torn_at {
            let file = storage.append_to(name, Creation::IfMissing).attempt("open", name)?;
            file.cut(length as u64).attempt("cut off a torn line of", name)?;
        }
        return Ok(None);
    };
    let copy = format!("{name}.damaged-{}", now.for_file_name());
    storage.replace(&copy, content, Durability::Synced).attempt("write", &copy)?;
    let kept: String = scan.lines.iter().flat_map(|line| [line.text, "\n"]).collect();
    storage.replace(name, kept.as_bytes(), Durability::Synced).attempt("replace", name)?;
    Ok(Some(Damage { copy: Some(copy), ..damage }))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};

    use super::*;
    use crate::storage::{MemoryStorage, Part};

    fn file(chain: Chain, count: usize) -> Vec<u8> {
        let (mut text, mut previous) = (String::new(), String::new());
        for number in 0..count {
            let record =
                if number == 0 { json!({"begin": 0}) } else { json!({"n": number, "text": "a\"b\n"}) };
            let mut line = record.to_string();
            if chain == Chain::None {
                seal_last(&mut line, 0);
            } else {
                line.push('\n');
                seal_chained(&mut line, &mut previous);
            }
            text.push_str(&line);
        }
        text.into_bytes()
    }

    #[test]
    fn a_sealed_line_verifies_and_reads_back() {
        let line = seal(&json!({"due": {"n": 1}})).unwrap();
        assert!(line.starts_with("{\"due\":{\"n\":1},\"sum\":\""));
        let scan = scan(line.as_bytes(), Chain::None);
        assert_eq!(scan.lines[0].record::<Value>().unwrap(), json!({"due": {"n": 1}}));
        assert_eq!((scan.torn_at, scan.broken), (None, None));
    }

    #[test]
    fn lines_of_one_write_have_one_sum() {
        let (mut text, mut previous) = (String::from("{\"begin\":{}}\n"), String::new());
        seal_chained(&mut text, &mut previous);
        // printf %s '{"begin":{}' | b3sum --length 16
        assert_eq!(text, "{\"begin\":{},\"sum\":\"b86bdad579ddb0c2ab242b954f21781c\"}\n");
        let mut lines = String::from("{\"a\":1}\n{\"b\":2}\n{\"c\":3}\n");
        seal_chained(&mut lines, &mut previous);
        assert!(lines.starts_with("{\"a\":1}\n{\"b\":2}\n{\"c\":3,\"sum\":"));
        let content = [text, lines].concat().into_bytes();
        let whole = scan(&content, Chain::Linked);
        let records: Vec<Value> = whole.lines.iter().map(|line| line.record().unwrap()).collect();
        assert_eq!(records, [json!({"begin": {}}), json!({"a": 1}), json!({"b": 2}), json!({"c": 3})]);
        // A write that was cut off or changed is lost as a whole.
        let first = content.iter().position(|byte| *byte == b'\n').unwrap() + 1;
        for length in first + 1..content.len() {
            let scan = scan(&content[..length], Chain::Linked);
            assert_eq!(scan.lines.len(), 1);
            let is_at_line_end = content[length - 1] == b'\n';
            assert_eq!(
                (scan.torn_at, scan.broken.is_some()),
                ((!is_at_line_end).then_some(first), is_at_line_end)
            );
        }
        for at in first..content.len() - 1 {
            let mut changed = content.clone();
            changed[at] ^= 1;
            let scan = scan(&changed, Chain::Linked);
            assert!(scan.lines.len() == 1 && scan.broken.is_some(), "byte {at}");
        }
    }

    #[test]
    fn a_torn_last_line_is_cut_off() {
        let disk = MemoryStorage::default();
        let whole = file(Chain::None, 2);
        for rest in [&b"{\"n\":3,\"su"[..], b"\0\0\0\0", b"\0\0\n"] {
            let content = [&whole, rest].concat();
            disk.replace("f", &content, Durability::Synced).unwrap();
            let scan = scan(&content, Chain::None);
            assert_eq!(scan.torn_at, Some(whole.len()));
            assert_eq!(repair(&disk, "f", &content, &scan, Time(0)).unwrap(), None);
            assert_eq!(disk.read("f", Part::All).unwrap(), whole);
        }
    }

    #[test]
    fn a_damaged_file_is_copied_and_keeps_its_other_lines() {
        let disk = MemoryStorage::default();
        let mut content = file(Chain::None, 3);
        content[2] ^= 1;
        disk.replace("f", &content, Durability::Synced).unwrap();
        let damage = repair(&disk, "f", &content, &scan(&content, Chain::None), Time(0)).unwrap().unwrap();
        let copy = "f.damaged-19700101-000000".to_owned();
        assert_eq!(damage, Damage { file: "f".into(), line: 1, lost: 1, copy: Some(copy.clone()) });
        assert_eq!(disk.read(&copy, Part::All).unwrap(), content);
        let kept = disk.read("f", Part::All).unwrap();
        assert_eq!(scan(&kept, Chain::None).lines.len(), 2);
    }

    #[test]
    fn a_removed_or_swapped_line_breaks_the_chain() {
        let content = file(Chain::Linked, 4);
        let lines: Vec<&[u8]> = content.split_inclusive(|byte| *byte == b'\n').collect();
        assert_eq!(scan(&content, Chain::Linked).broken, None);
        let removed = [lines[0], lines[2], lines[3]].concat();
        assert_eq!(scan(&removed, Chain::Linked).broken, Some((2, 1)));
        let swapped = [lines[0], lines[2], lines[1], lines[3]].concat();
        assert_eq!(scan(&swapped, Chain::Linked).broken, Some((2, 3)));
    }

    proptest! {
        /// Any changed byte or cut is noticed, and costs the line itself and at most the next one.
        #[test]
        fn all_other_lines_survive_any_change(at in 0_usize..600, byte: u8, cut in any::<bool>(), linked in any::<bool>()) {
            let chain = if linked { Chain::Linked } else { Chain::None };
            let original = file(chain, 8);
            let at = at % original.len();
            let mut content = original.clone();
            if cut { content.truncate(at) } else { content[at] = byte }
            let is_same = content == original;
            let scan = scan(&content, chain);
            let whole = original.split_inclusive(|byte| *byte == b'\n').collect::<Vec<_>>();
            for line in &scan.lines {
                let line = [line.text, "\n"].concat();
                prop_assert!(whole.contains(&line.as_bytes()));
            }
            if cut {
                let complete = content.iter().filter(|byte| **byte == b'\n').count();
                prop_assert_eq!(scan.lines.len(), complete);
                prop_assert_eq!(scan.broken, None);
            } else {
                // A changed line break joins two lines, and the line after them is lost with them.
                let least = if is_same { 8 } else { 5 };
                prop_assert!(scan.lines.len() >= least);
                prop_assert_eq!(is_same, scan.broken.is_none() && scan.torn_at.is_none());
            }
        }
    }
}
