//! What is on a device, by the signatures that are found there.

use std::collections::BTreeMap;
use std::path::Path;

use uphold_resource::{Error, ErrorKind, Exit, Reading, Result};

use crate::tool;

/// Found nothing, says blkid; or could not look.
const NOTHING: i32 = 2;
/// Found several that exclude each other.
const SEVERAL: i32 = 8;

/// What was found on a device, by the names that blkid gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Signature(BTreeMap<String, String>);

impl Signature {
    /// What is on the device or in the image at `path`; none if it is blank. The device itself is asked,
    /// not what was once noted about it.
    ///
    /// # Errors
    /// If it cannot be told: blkid is not there, or there are signatures that contradict each other.
    pub(super) fn of(path: &Path, host: &Reading<'_>) -> Result<Option<Self>> {
        let device = path.display().to_string();
        let what = format!("cannot find out what is on {device}");
        let command = tool::command("blkid", ["--probe", "--output", "export", &device]);
        let output = tool::probe(&command, &what, host)?;
        match output.exit {
            Exit::Code(NOTHING) if output.stderr.is_empty() => Ok(None),
            Exit::Code(SEVERAL) => {
                let what = format!("{what}: there are signatures that contradict each other");
                Err(Error::new(ErrorKind::Rejected, what).hint(format!("look at them: wipefs {device}")))
            }
            _ => {
                let output = tool::expect(output, &command, &what)?;
                Ok(Self::parse(&String::from_utf8_lossy(&output.stdout)))
            }
        }
    }

    /// Reads lines such as `TYPE=ext4`. None if nothing is there but a place in a table of partitions.
    fn parse(text: &str) -> Option<Self> {
        let lines = text.lines().filter_map(|line| line.split_once('='));
        let found = Self(lines.map(|(name, value)| (name.to_owned(), unquoted(value))).collect());
        (found.fstype().is_some() || found.value("PTTYPE").is_some()).then_some(found)
    }

    pub(super) fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The type of the file system, or `swap` and the like; none if it is a table of partitions.
    pub(super) fn fstype(&self) -> Option<&str> {
        self.value("TYPE")
    }

    pub(super) fn label(&self) -> Option<&str> {
        self.value("LABEL")
    }

    pub(super) fn uuid(&self) -> Option<&str> {
        self.value("UUID")
    }

    /// With its article, for messages.
    pub(super) fn words(&self) -> String {
        let mut words = match (self.fstype(), self.value("PTTYPE")) {
            (Some("swap"), _) => "swap space".to_owned(),
            (Some(fstype), _) => format!("a file system of type {fstype}"),
            (None, Some(table)) => format!("a table of partitions ({table})"),
            (None, None) => "something".to_owned(),
        };
        if let Some(label) = self.label() {
            words.push_str(&format!(", labelled {label:?}"));
        }
        words
    }
}

/// blkid puts a backslash before what a shell would take otherwise.
fn unquoted(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        plain.extend(if character == '\\' { characters.next() } else { Some(character) });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_read() {
        let check = |text: &str, words: Option<&str>| {
            assert_eq!(Signature::parse(text).map(|found| found.words()).as_deref(), words, "{text}");
        };
        check(
            "DEVNAME=/x\nLABEL=data\\ 1\nUUID=1-2\nTYPE=ext4\nUSAGE=filesystem\n",
            Some("a file system of type ext4, labelled \"data 1\""),
        );
        check("DEVNAME=/x\nPTUUID=1\nPTTYPE=dos\n", Some("a table of partitions (dos)"));
        check("DEVNAME=/x\nTYPE=swap\n", Some("swap space"));
        check("DEVNAME=/x\n", None);
        check("", None);
    }
}
