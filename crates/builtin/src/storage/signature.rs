//! The signatures on a device.

use std::collections::BTreeMap;
use std::path::Path;

use uphold_kit::tool;
use uphold_resource::{Error, ErrorKind, Exit, Reading, Result};

use crate::system::without_backslashes;

/// The exit status of blkid for a blank device, or if it could not read it.
const NOTHING: i32 = 2;
/// The exit status of blkid for ambiguous signatures.
const SEVERAL: i32 = 8;

/// The signatures of a device, by the names of blkid.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Signature(BTreeMap<String, String>);

impl Signature {
    /// The signatures of the device or image at `path`; none if it is blank. Read from the device itself, not from
    /// a cache.
    ///
    /// # Errors
    /// If blkid is missing, or the signatures are ambiguous.
    pub(super) fn of(path: &Path, host: &Reading<'_>) -> Result<Option<Self>> {
        let device = path.display().to_string();
        let what = format!("cannot read the signatures on {device}");
        let command = tool::command("blkid", ["--probe", "--output", "export", &device]);
        let output = tool::probe(&command, &what, host)?;
        match output.exit {
            Exit::Code(NOTHING) if output.stderr.is_empty() => Ok(None),
            Exit::Code(SEVERAL) => {
                let what = format!("{what}: they are ambiguous");
                Err(Error::new(ErrorKind::Rejected, what).hint(format!("list them with `wipefs {device}`")))
            }
            _ => {
                let output = tool::expect(output, &command, &what)?;
                Ok(Self::parse(&String::from_utf8_lossy(&output.stdout)))
            }
        }
    }

    /// Parses lines such as `TYPE=ext4`. None if there is only information about the partition itself.
    fn parse(text: &str) -> Option<Self> {
        let lines = text.lines().filter_map(|line| line.split_once('='));
        let found = Self(lines.map(|(name, value)| (name.to_owned(), without_backslashes(value))).collect());
        (found.fstype().is_some() || found.value("PTTYPE").is_some()).then_some(found)
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The type of the file system, or `swap` and so on; none for a partition table.
    pub(super) fn fstype(&self) -> Option<&str> {
        self.value("TYPE")
    }

    pub(super) fn label(&self) -> Option<&str> {
        self.value("LABEL")
    }

    pub(super) fn uuid(&self) -> Option<&str> {
        self.value("UUID")
    }

    /// A description with its article, for messages.
    pub(super) fn words(&self) -> String {
        let mut words = match (self.fstype(), self.value("PTTYPE")) {
            (Some("swap"), _) => "swap space".to_owned(),
            (Some(fstype), _) => format!("a file system of type {fstype}"),
            (None, Some(table)) => format!("a partition table ({table})"),
            (None, None) => "unknown data".to_owned(),
        };
        if let Some(label) = self.label() {
            words.push_str(&format!(", labelled {label:?}"));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_signatures() {
        let check = |text: &str, words: Option<&str>| {
            assert_eq!(Signature::parse(text).map(|found| found.words()).as_deref(), words, "{text}");
        };
        check(
            "DEVNAME=/x\nLABEL=data\\ 1\nUUID=1-2\nTYPE=ext4\nUSAGE=filesystem\n",
            Some("a file system of type ext4, labelled \"data 1\""),
        );
        check("DEVNAME=/x\nPTUUID=1\nPTTYPE=dos\n", Some("a partition table (dos)"));
        check("DEVNAME=/x\nTYPE=swap\n", Some("swap space"));
        check("DEVNAME=/x\n", None);
        check("", None);
    }
}
