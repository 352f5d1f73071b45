//! A small, correct file kind, and a macro that replaces one part of it by a wrong one.

use std::path::Path;

use uphold_resource::{Access, Act, EntryKind, Mode, NewFile, Reading, Result, Want, wrong_type};
use uphold_testkit::{Subject, Wish};

/// The state on the machine.
pub(crate) struct FoundNote {
    pub(crate) text: String,
    pub(crate) mode: Mode,
    pub(crate) size: u64,
}

/// The properties that the user set.
pub(crate) struct Wants<'a> {
    pub(crate) path: &'a Path,
    pub(crate) text: &'a Want<String>,
    pub(crate) mode: &'a Want<Mode>,
}

/// A step, without the types that the derive makes for each kind.
pub(crate) enum Move<'a> {
    Create {
        text: &'a str,
        mode: u32,
    },
    /// The changed properties, and the declared text.
    Update {
        text: Option<&'a str>,
        mode: Option<u32>,
        goal: &'a str,
    },
    Remove,
}

pub(crate) fn load(wants: &Wants<'_>, host: &Reading<'_>) -> Result<Option<FoundNote>> {
    let Some(entry) = host.files().look(wants.path)? else { return Ok(None) };
    if entry.kind != EntryKind::File {
        return Err(wrong_type(wants.path, entry.kind.words(), "a regular file"));
    }
    let text = host.files().read(wants.path, entry.size)?;
    Ok(Some(FoundNote {
        text: String::from_utf8_lossy(&text).into_owned(),
        mode: Mode::new(entry.mode),
        size: entry.size,
    }))
}

pub(crate) fn apply(wants: &Wants<'_>, step: &Move<'_>, host: &Act<'_>) -> Result<()> {
    match *step {
        Move::Create { text, mode } => put(wants.path, text, Some(mode), host),
        Move::Update { text: Some(text), mode, .. } => put(wants.path, text, mode, host),
        Move::Update { text: None, mode, .. } => permit(wants.path, mode, host),
        Move::Remove => host.edits().remove_file(wants.path),
    }
}

pub(crate) fn put(path: &Path, text: &str, mode: Option<u32>, host: &Act<'_>) -> Result<()> {
    let access = Access { mode, ..Access::default() };
    let file = NewFile::new(text.as_bytes(), access);
    host.edits().write(path, &file)
}

pub(crate) fn permit(path: &Path, mode: Option<u32>, host: &Act<'_>) -> Result<()> {
    uphold_resource::set_access(path, "a regular file", &Access { mode, ..Access::default() }, host)
}

/// Adds the machine, wishes and drifts that each of the kinds is tested with.
pub(crate) fn tried(subject: Subject) -> Subject {
    subject
        .world(|host| host.directory("/srv", 0o755).file("/srv/seen", "", 0o644))
        .wish(Wish::named("/srv/motd").set("text", "hello").set("mode", "0640"))
        .wish(Wish::named("/srv/motd").set("text", "other"))
        .wish(Wish::named("/srv/motd").set("text", "hello").set("mode", "u=rw,go="))
        .wish(Wish::named("/srv/issue").set("text", "welcome"))
        .drift(|host| host.tamper("/srv/motd", "changed"))
        .drift(|host| host.delete("/srv/motd"))
        .drift(|host| {
            host.change_access("/srv/motd", Access { mode: Some(0o777), ..Access::default() });
        })
}

/// A kind like a note, with the given `load` and `apply`.
macro_rules! note {
    ($name:ident, $state:ident, $load:expr, $apply:expr $(, $capability:ident)?) => {
        /// A file with a text and a mode.
        #[derive(uphold_resource::Resource, Clone)]
        #[resource(kind = "note" $(, $capability)?)]
        pub(crate) struct $name {
            #[name]
            path: uphold_resource::AbsolutePath,
            /// What it contains.
            #[on_create("")]
            text: uphold_resource::Want<String>,
            /// Permission bits.
            #[on_create("0644")]
            mode: uphold_resource::Want<uphold_resource::Mode>,
            /// How many bytes it has.
            size: uphold_resource::Seen<u64>,
        }

        impl $name {
            fn wants(&self) -> $crate::note::Wants<'_> {
                $crate::note::Wants { path: &self.path, text: &self.text, mode: &self.mode }
            }
        }

        impl uphold_resource::Resource for $name {
            fn load(&self, look: &uphold_resource::Look<'_>) -> uphold_resource::Result<uphold_resource::Found<Self>> {
                let found: Option<$crate::note::FoundNote> = ($load)(&self.wants(), look)?;
                Ok(found.map(|found| $state { text: found.text, mode: found.mode, size: found.size }).into())
            }

            fn apply(
                &self,
                step: uphold_resource::Step<'_, Self>,
                host: &uphold_resource::Act<'_>,
            ) -> uphold_resource::Result<()> {
                use uphold_resource::Step;
                use $crate::note::Move;
                let plain = match step {
                    Step::Create { goal } => Move::Create { text: &goal.text, mode: goal.mode.bits() },
                    Step::Update { goal, change, .. } => Move::Update {
                        text: change.text.as_ref().map(|delta| delta.to.as_str()),
                        mode: change.mode.as_ref().map(|delta| delta.to.bits()),
                        goal: &goal.text,
                    },
                    Step::Remove { .. } => Move::Remove,
                };
                ($apply)(&self.wants(), &plain, host)
            }
        }
    };
}

pub(crate) use note;
