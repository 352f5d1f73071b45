//! Lines of JSON that carry a checksum, and the repair of files whose lines do not verify.
//!
//! A line ends with `,"sum":"…"}`: the first 16 bytes of BLAKE3, in hex, over everything before that. In a chained file
//! the sum of the previous line comes first, so that `printf %s%s SUM START | b3sum --length 16` recomputes it.

use std::fmt;
use std::io;

use data_encoding::HEXLOWER;
use serde::Serialize;
use serde::de::DeserializeOwned;

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
    seal_json(&[&json], &mut String::new(), &mut line);
    Ok(line)
}

/// Appends the line of a record that is JSON already, in parts that follow one another. `sum` is the previous sum, and
/// becomes the one of the line.
pub(crate) fn seal_json(json: &[&str], sum: &mut String, lines: &mut String) {
    let start = lines.len();
    lines.extend(json.iter().copied());
    seal_last(lines, start, sum);
}

/// The same for JSON that is appended already: it begins at `start`.
pub(crate) fn seal_last(lines: &mut String, start: usize, sum: &mut String) {
    // A record is an object with at least one field: the sum is added to its fields.
    lines.pop();
    let next = self::sum(sum, &lines[start..]);
    sum.clear();
    sum.push_str(next.as_str());
    for part in [BEFORE_SUM, sum.as_str(), AFTER_SUM, "\n"] {
        lines.push_str(part);
    }
}

fn sum(previous: &str, start: &str) -> Sum {
    let mut digest = blake3::Hasher::new();
    digest.update(previous.as_bytes());
    digest.update(start.as_bytes());
    let mut hex = [0; SUM];
    HEXLOWER.encode_mut(&digest.finalize().as_bytes()[..SUM / 2], &mut hex);
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
    pub(crate) sum: &'c str,
}

impl VerifiedLine<'_> {
    /// The record. `None` if a newer version wrote a record that this version does not know.
    pub(crate) fn record<T: DeserializeOwned>(&self) -> Option<T> {
        let (start, _) = split(self.text)?;
        serde_json::from_str(&format!("{start}}}")).ok()
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
/// In a chained file a changed line makes at most the next one unverifiable, too: its sum covers the previous sum.
pub(crate) fn scan(content: &[u8], chain: Chain) -> Scan<'_> {
    let mut scan = Scan::default();
    let (mut previous, mut offset) = ("", 0);
    for (number, raw) in (1..).zip(content.split_inclusive(|byte| *byte == b'\n')) {
        let is_last = offset + raw.len() == content.len();
        if is_last && is_torn(raw) {
            scan.torn_at = Some(offset);
            break;
        }
        offset += raw.len();
        let text = std::str::from_utf8(raw.strip_suffix(b"\n").unwrap_or(raw)).unwrap_or_default();
        let found = split(text);
        let before = if chain == Chain::None || text.starts_with(CHAIN_START) { "" } else { previous };
        match found.filter(|(start, found)| sum(before, start).as_str() == *found) {
            Some((_, sum)) => scan.lines.push(VerifiedLine { text, sum }),
            None => {
                let (first, count) = scan.broken.unwrap_or((number, 0));
                scan.broken = Some((first, count + 1));
            }
        }
        previous = found.map_or("", |(_, sum)| sum);
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
            if chain == Chain::None {
                previous.clear();
            }
            seal_json(&[&record.to_string()], &mut previous, &mut text);
        }
        text.into_bytes()
    }

    #[test]
    fn a_sealed_line_verifies_and_reads_back() {
        let line = seal(&json!({"due": {"n": 1}})).unwrap();
        // printf %s '{"due":{"n":1}' | b3sum --length 16
        assert_eq!(line, "{\"due\":{\"n\":1},\"sum\":\"ced90fe6a1c78699dca01707eb858f92\"}\n");
        let scan = scan(line.as_bytes(), Chain::None);
        assert_eq!(scan.lines[0].record::<Value>().unwrap(), json!({"due": {"n": 1}}));
        assert_eq!((scan.torn_at, scan.broken), (None, None));
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
