//! Files with kernel settings, as in `sysctl.d`.

use std::collections::BTreeMap;

use uphold_kit::document::Document;
use uphold_resource::{Parsed, Result};

use super::SysctlKey;
use crate::system::KernelValue;

/// The settings of a file. Of several lines with one key, the last counts.
pub(super) struct Entries(BTreeMap<SysctlKey, KernelValue>);

impl Parsed for Entries {
    /// Other lines are skipped.
    fn parse(content: &[u8]) -> Result<Self> {
        Ok(Self(content.split(|byte| *byte == b'\n').filter_map(entry).collect()))
    }
}

impl Entries {
    /// The value of this key in the file.
    pub(super) fn find(&self, key: &SysctlKey) -> Option<&KernelValue> {
        self.0.get(key)
    }
}

/// Parses `key = value`; a leading dash means that failures are ignored.
fn entry(line: &[u8]) -> Option<(SysctlKey, KernelValue)> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    let (key, value) = text.strip_prefix('-').unwrap_or(text).split_once('=')?;
    Some((SysctlKey::parse(key.trim())?, KernelValue::new(value)))
}

/// Sets the key, replacing an existing line.
pub(super) fn put(file: &mut Document<'_>, key: &SysctlKey, value: &KernelValue, may_fail: bool) {
    let dash = if may_fail { "-" } else { "" };
    let line = format!("{dash}{key} = {}", value.as_str());
    file.put(line, |line| entry(line).is_some_and(|(found, _)| found == *key));
}

/// Removes the key.
pub(super) fn remove(file: &mut Document<'_>, key: &SysctlKey) {
    file.retain(|line| entry(line).is_none_or(|(found, _)| found != *key));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key() -> SysctlKey {
        SysctlKey::parse("net.a").expect("a key")
    }

    #[test]
    fn the_last_entry_counts() {
        let check = |text: &str, expected: Option<&str>| {
            let entries = Entries::parse(text.as_bytes()).expect("it parses");
            assert_eq!(entries.find(&key()).map(KernelValue::as_str), expected, "{text:?}");
        };
        check("net.a = 1\n", Some("1"));
        check("net.a=1\nnet/a\t=\t2 3\r\n", Some("2 3"));
        check("-net.a = 1", Some("1"));
        check("# net.a = 1\n; net.a = 1\nnet.ab = 1\nnet.a", None);
    }

    #[test]
    fn sets_and_removes_entries() {
        let check = |before: &str, may_fail, put_: &str, removed: &str| {
            let mut file = Document::new(before.as_bytes());
            put(&mut file, &key(), &KernelValue::new("7"), may_fail);
            assert_eq!(String::from_utf8_lossy(&file.content()), put_);
            let content = file.content();
            let mut file = Document::new(&content);
            remove(&mut file, &key());
            assert_eq!(String::from_utf8_lossy(&file.content()), removed);
        };
        check("", false, "net.a = 7\n", "");
        check("# a\nnet/a=1\nb.c=2\nnet.a=3\n", false, "# a\nnet.a = 7\nb.c=2\n", "# a\nb.c=2\n");
        check("", true, "-net.a = 7\n", "");
    }
}
