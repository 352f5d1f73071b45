//! `/etc/fstab`: the file systems that are mounted at boot.

use std::path::Path;
use std::sync::Arc;

use uphold_kit::document::Document;
use uphold_kit::edited_file::EditedFile;
use uphold_resource::{Act, ErrorKind, Level, Parsed, Reading, Result};

use super::{escaped, unescaped};

/// The path of the table.
pub(super) const FSTAB: &str = "/etc/fstab";

/// The table without comments.
pub(super) struct Fstab {
    entries: Vec<FstabEntry>,
}

/// One line of the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FstabEntry {
    /// The device: a path, `UUID=…`, `host:/path`.
    pub(super) device: String,
    /// The mount point; `none` for swap.
    pub(super) point: String,
    pub(super) fstype: String,
    /// The options as written, separated by commas.
    pub(super) options: String,
    pub(super) dump: u8,
    pub(super) pass: u8,
}

impl Parsed for Fstab {
    /// Invalid lines are skipped, as mount does.
    fn parse(content: &[u8]) -> Result<Self> {
        let entries = content.split(|byte| *byte == b'\n').filter_map(FstabEntry::parse).collect();
        Ok(Self { entries })
    }
}

impl Fstab {
    /// The first entry for which `is_ours` is true, if the table exists.
    pub(super) fn find(
        host: &Reading<'_>,
        is_ours: impl Fn(&FstabEntry) -> bool,
    ) -> Result<Option<FstabEntry>> {
        let table: Option<Arc<Self>> = host.parsed(Path::new(FSTAB))?;
        Ok(table.and_then(|table| table.entries.iter().find(|entry| is_ours(entry)).cloned()))
    }
}

impl FstabEntry {
    fn parse(line: &[u8]) -> Option<Self> {
        let mut fields = line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
        let device = fields.next().filter(|first| !first.starts_with(b"#")).map(unescaped)?;
        let point = fields.next().map(unescaped)?;
        let mut text = |usual: &str| fields.next().map_or(usual.to_owned(), unescaped);
        let (fstype, options) = (text("auto"), text("defaults"));
        let (dump, pass) = (text("0"), text("0"));
        let number = |text: String| text.parse().unwrap_or(0);
        Some(Self { device, point, fstype, options, dump: number(dump), pass: number(pass) })
    }

    fn line(&self) -> String {
        let [device, point, fstype, options] =
            [&self.device, &self.point, &self.fstype, &self.options].map(|field| escaped(field));
        let options = if options.is_empty() { "defaults" } else { &options };
        format!("{device}\t{point}\t{fstype}\t{options}\t{}\t{}", self.dump, self.pass)
    }
}

/// Replaces the first entry for which `is_ours` is true, or adds one at the end. All other lines are kept.
pub(super) fn put(entry: &FstabEntry, is_ours: impl Fn(&FstabEntry) -> bool, host: &Act<'_>) -> Result<()> {
    EditedFile::of_system(Path::new(FSTAB)).rewrite_lines(host, |table| put_line(table, entry, &is_ours))?;
    reload_init(host);
    Ok(())
}

fn put_line(table: &mut Document<'_>, entry: &FstabEntry, is_ours: impl Fn(&FstabEntry) -> bool) {
    table.put(entry.line(), |line| FstabEntry::parse(line).is_some_and(|found| is_ours(&found)));
}

/// Removes all entries for which `is_ours` is true.
pub(super) fn remove(is_ours: impl Fn(&FstabEntry) -> bool, host: &Act<'_>) -> Result<()> {
    let is_other = |line: &[u8]| !FstabEntry::parse(line).is_some_and(|found| is_ours(&found));
    EditedFile::of_system(Path::new(FSTAB)).rewrite_lines(host, |table| table.retain(is_other))?;
    reload_init(host);
    Ok(())
}

/// systemd generates units from the table, and may unmount file systems that its current units do not know. The
/// table is right even if systemd does not reload it, so a failure is only a warning.
fn reload_init(host: &Act<'_>) {
    match host.reload_units() {
        Err(error) if error.kind() != ErrorKind::Unpredictable => {
            let text = format!("systemd could not reload {FSTAB}: {}", error.chain());
            host.report(Level::Warning, &text);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(point: &str) -> FstabEntry {
        let [device, point, fstype, options] =
            ["UUID=1-2", point, "ext4", "noatime,ro"].map(ToOwned::to_owned);
        FstabEntry { device, point, fstype, options, dump: 0, pass: 2 }
    }

    #[test]
    fn parses_lines() {
        let check = |line: &str, expected: Option<FstabEntry>| {
            assert_eq!(FstabEntry::parse(line.as_bytes()), expected, "{line}");
        };
        check("UUID=1-2 /srv ext4 noatime,ro 0 2", Some(entry("/srv")));
        check("  UUID=1-2\t/a\\040b  ext4 noatime,ro\t0 2 # x", Some(entry("/a b")));
        check("# UUID=1-2 /srv ext4 noatime,ro 0 2", None);
        check("", None);
        check("/dev/sda1", None);
        let short = FstabEntry { device: "/dev/sda1".into(), fstype: "auto".into(), ..entry("/x") };
        check("/dev/sda1 /x", Some(FstabEntry { options: "defaults".into(), pass: 0, ..short }));
    }

    #[test]
    fn replaces_an_entry_and_keeps_the_rest() {
        let check = |before: &str, after: &str| {
            let mut table = Document::new(before.as_bytes());
            put_line(&mut table, &entry("/srv"), |found| found.point == "/srv");
            assert_eq!(String::from_utf8_lossy(&table.content()), after);
        };
        let line = "UUID=1-2\t/srv\text4\tnoatime,ro\t0\t2\n";
        check("", line);
        check("# a\n/dev/sda1 / auto\n", &format!("# a\n/dev/sda1 / auto\n{line}"));
        check("# a\n/dev/x /srv xfs\n\n# b\n", &format!("# a\n{line}\n# b\n"));
    }

    #[test]
    fn empty_options_are_written_as_defaults() {
        let line = FstabEntry { options: String::new(), ..entry("/a b") }.line();
        assert_eq!(line, "UUID=1-2\t/a\\040b\text4\tdefaults\t0\t2");
    }
}
