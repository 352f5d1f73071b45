//! The commands for each type of file system.

use uphold_kit::tool;
use uphold_resource::{Command, Error, ErrorKind, Result};

/// The options of a `mkfs` program, and the tools for later changes.
struct Maker {
    types: &'static [&'static str],
    /// The option that overwrites existing data.
    force: &'static [&'static str],
    label: &'static [&'static str],
    /// The option for the UUID, with the value in the next or the same argument.
    uuid: Option<Uuid>,
    relabel: Option<Tool>,
    /// The value that removes the label.
    no_label: &'static str,
    renumber: Option<Tool>,
}

#[derive(Clone, Copy)]
enum Uuid {
    Next(&'static str),
    Same(&'static str, &'static str),
}

/// A program with its options; the value comes before the device or after it.
struct Tool {
    program: &'static str,
    flags: &'static [&'static str],
    value_last: bool,
}

const MAKERS: &[Maker] = &[
    Maker {
        types: &["ext2", "ext3", "ext4"],
        force: &["-F"],
        label: &["-L"],
        uuid: Some(Uuid::Next("-U")),
        relabel: Some(Tool { program: "tune2fs", flags: &["-L"], value_last: false }),
        no_label: "",
        renumber: Some(Tool { program: "tune2fs", flags: &["-f", "-U"], value_last: false }),
    },
    Maker {
        types: &["xfs"],
        force: &["-f"],
        label: &["-L"],
        uuid: Some(Uuid::Same("-m", "uuid=")),
        relabel: Some(Tool { program: "xfs_admin", flags: &["-L"], value_last: false }),
        no_label: "--",
        renumber: Some(Tool { program: "xfs_admin", flags: &["-U"], value_last: false }),
    },
    Maker {
        types: &["btrfs"],
        force: &["-f"],
        label: &["-L"],
        uuid: Some(Uuid::Next("-U")),
        relabel: Some(Tool { program: "btrfs", flags: &["filesystem", "label"], value_last: true }),
        no_label: "",
        renumber: Some(Tool { program: "btrfstune", flags: &["-f", "-U"], value_last: false }),
    },
    Maker {
        types: &["vfat", "fat", "msdos"],
        force: &[],
        label: &["-n"],
        uuid: None,
        relabel: Some(Tool { program: "fatlabel", flags: &[], value_last: true }),
        no_label: "",
        renumber: None,
    },
];

/// Assumptions about other types: `mkfs.TYPE` exists, and takes a label with the usual option.
const OTHER: Maker =
    Maker { types: &[], force: &[], label: &["-L"], uuid: None, relabel: None, no_label: "", renumber: None };

fn maker(fstype: &str) -> &'static Maker {
    MAKERS.iter().find(|maker| maker.types.contains(&fstype)).unwrap_or(&OTHER)
}

/// A file system to create.
pub(super) struct Recipe<'a> {
    pub(super) fstype: &'a str,
    pub(super) label: Option<&'a str>,
    pub(super) uuid: Option<&'a str>,
    pub(super) options: &'a [String],
    /// Whether existing data is to be overwritten.
    pub(super) over: bool,
}

impl Recipe<'_> {
    /// The command that creates it on `device`.
    ///
    /// # Errors
    /// If this type cannot be given a UUID.
    pub(super) fn command(&self, device: &str) -> Result<Command> {
        let maker = maker(self.fstype);
        let mut args: Vec<String> = Vec::new();
        args.extend(maker.force.iter().filter(|_| self.over).map(|flag| (*flag).to_owned()));
        if let Some(label) = self.label {
            args.extend(maker.label.iter().map(|flag| (*flag).to_owned()));
            args.push(label.to_owned());
        }
        if let Some(uuid) = self.uuid {
            match maker.uuid {
                Some(Uuid::Next(flag)) => args.extend([flag.to_owned(), uuid.to_owned()]),
                Some(Uuid::Same(flag, key)) => args.extend([flag.to_owned(), format!("{key}{uuid}")]),
                None => return Err(cannot(self.fstype, "be given a `uuid`")),
            }
        }
        args.extend(self.options.iter().cloned());
        args.push(device.to_owned());
        Ok(tool::command(&format!("mkfs.{}", self.fstype), args))
    }
}

/// Whether a file system of this type can have a UUID of this form.
pub(super) fn takes_uuid(fstype: &str, uuid: &str) -> bool {
    const LENGTH: usize = "00000000-0000-0000-0000-000000000000".len();
    maker(fstype).uuid.is_some() && uuid.len() == LENGTH
}

/// The command that changes the label.
pub(super) fn relabel(fstype: &str, device: &str, label: &str) -> Result<Command> {
    let maker = maker(fstype);
    let label = if label.is_empty() { maker.no_label } else { label };
    maker
        .relabel
        .as_ref()
        .map(|tool| tool.command(device, label))
        .ok_or_else(|| cannot(fstype, "get another `label`"))
}

/// The command that changes the UUID.
pub(super) fn renumber(fstype: &str, device: &str, uuid: &str) -> Result<Command> {
    let tool = maker(fstype).renumber.as_ref();
    tool.map(|tool| tool.command(device, uuid)).ok_or_else(|| cannot(fstype, "get another `uuid`"))
}

impl Tool {
    fn command(&self, device: &str, value: &str) -> Command {
        let (first, last) = if self.value_last { (device, value) } else { (value, device) };
        tool::command(self.program, self.flags.iter().copied().chain([first, last]))
    }
}

fn cannot(fstype: &str, what: &str) -> Error {
    Error::new(ErrorKind::Unsupported, format!("a file system of type {fstype} cannot {what}"))
        .hint("remove the property, or use a `task` for it")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(command: &Command) -> String {
        format!("{} {}", command.program, command.args.join(" "))
    }

    #[test]
    fn builds_mkfs_commands() {
        let check = |fstype, uuid, over, expected: Option<&str>| {
            let options = ["-q".to_owned()];
            let recipe = Recipe { fstype, label: Some("data"), uuid, options: &options, over };
            assert_eq!(recipe.command("/dev/x").ok().map(|command| line(&command)).as_deref(), expected);
        };
        check("ext4", None, false, Some("mkfs.ext4 -L data -q /dev/x"));
        check("ext4", Some("1-2"), true, Some("mkfs.ext4 -F -L data -U 1-2 -q /dev/x"));
        check("xfs", Some("1-2"), true, Some("mkfs.xfs -f -L data -m uuid=1-2 -q /dev/x"));
        check("vfat", None, true, Some("mkfs.vfat -n data -q /dev/x"));
        check("vfat", Some("1-2"), false, None);
        check("bcachefs", None, false, Some("mkfs.bcachefs -L data -q /dev/x"));
    }

    #[test]
    fn builds_label_and_uuid_commands() {
        let check = |command: Result<Command>, expected: Option<&str>| {
            assert_eq!(command.ok().map(|command| line(&command)).as_deref(), expected);
        };
        check(relabel("ext3", "/dev/x", "a"), Some("tune2fs -L a /dev/x"));
        check(relabel("btrfs", "/dev/x", "a"), Some("btrfs filesystem label /dev/x a"));
        check(relabel("xfs", "/dev/x", ""), Some("xfs_admin -L -- /dev/x"));
        check(relabel("other", "/dev/x", "a"), None);
        check(renumber("xfs", "/dev/x", "1-2"), Some("xfs_admin -U 1-2 /dev/x"));
        check(renumber("vfat", "/dev/x", "1-2"), None);
    }
}
