//! The expectations of a test.

use std::path::PathBuf;

use uphold_config::WrittenTarget;
use uphold_engine::ChangeKind;
use uphold_memory::CommandLine;
use uphold_model::{Map, Place, Value};

use super::section::Section;

/// The expectations of a test.
#[derive(Default)]
pub(super) struct Expectation {
    /// Whether other changes are allowed.
    pub(super) extent: Option<Extent>,
    /// The expected outcomes of resources.
    pub(super) fates: Vec<(Fate, WrittenTarget)>,
    /// The expected differences of changes.
    pub(super) changes: Vec<ExpectedChange>,
    /// Parts of error messages.
    pub(super) failures: Vec<(String, Place)>,
    pub(super) outputs: Option<(Map, Place)>,
    /// Commands that must run.
    pub(super) ran: Vec<(CommandLine, Place)>,
    /// Files, directories and links after the run.
    pub(super) entries: Vec<ExpectedEntry>,
}

/// Whether other changes are allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Extent {
    /// No other changes.
    Exact,
    /// Other changes are allowed.
    AtLeast,
}

/// The expected outcome of a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fate {
    Change(ChangeKind),
    Unchanged,
    Unwanted,
    Fails,
    Skips,
}

/// The differences of a change.
pub(super) struct ExpectedChange {
    pub(super) of: WrittenTarget,
    /// Before and after the change.
    pub(super) sides: [Option<(Map, Place)>; 2],
}

/// A path on the machine.
#[derive(Default)]
pub(super) struct ExpectedEntry {
    pub(super) path: PathBuf,
    pub(super) place: Option<Place>,
    pub(super) what: ExpectedKind,
    pub(super) mode: Option<(u32, Place)>,
    pub(super) owner: Option<(String, Place)>,
    pub(super) group: Option<(String, Place)>,
}

/// The expected kind of a path.
#[derive(Default)]
pub(super) enum ExpectedKind {
    #[default]
    Nothing,
    Directory,
    Link(Option<(PathBuf, Place)>),
    File {
        content: Option<(String, Place)>,
        contains: Vec<(String, Place)>,
        /// Whether the content is a secret.
        secret: bool,
    },
}

/// The attributes that list resources.
const LISTS: &[(&str, Fate)] = &[
    ("creates", Fate::Change(ChangeKind::Create)),
    ("updates", Fate::Change(ChangeKind::Update)),
    ("removes", Fate::Change(ChangeKind::Remove)),
    ("runs", Fate::Change(ChangeKind::Run)),
    ("unchanged", Fate::Unchanged),
    ("unwanted", Fate::Unwanted),
    ("fails", Fate::Fails),
    ("skips", Fate::Skips),
];

impl Expectation {
    /// Adds an `expect` block.
    pub(super) fn add(&mut self, section: Section<'_>) {
        self.add_lists(section);
        self.add_failures(section);
        self.outputs = section.map("outputs").or(self.outputs.take());
        let is_secret = section.is_secret("ran");
        let ran = section.texts("ran").unwrap_or_default().into_iter();
        self.ran.extend(ran.map(|(text, place)| (CommandLine { text, is_secret }, place)));
        self.changes.extend(section.blocks("change").filter_map(change));
        for (path, place) in section.texts("absent").unwrap_or_default() {
            let (path, place) = (path.into(), Some(place));
            self.entries.push(ExpectedEntry { path, place, ..ExpectedEntry::default() });
        }
        let directories =
            section.blocks("directory").filter_map(|block| entry(block, ExpectedKind::Directory));
        self.entries.extend(directories);
        self.entries.extend(section.blocks("file").filter_map(|block| entry(block, file(block))));
        self.entries.extend(section.blocks("link").filter_map(|block| {
            let target = placed(block, "to", Section::text).map(|(path, place)| (path.into(), place));
            entry(block, ExpectedKind::Link(target))
        }));
    }

    /// Adds only the expected failures, for a configuration that cannot be read.
    pub(super) fn add_failures(&mut self, section: Section<'_>) {
        self.failures.extend(section.texts("failure").unwrap_or_default());
    }

    fn add_lists(&mut self, section: Section<'_>) {
        for (name, fate) in LISTS {
            if section.expression(name).is_none() {
                continue;
            }
            if let Fate::Change(_) = fate {
                self.extent.get_or_insert(Extent::Exact);
            }
            self.fates
                .extend(section.targets(name).unwrap_or_default().into_iter().map(|target| (*fate, target)));
        }
        self.set_extent(section);
    }

    fn set_extent(&mut self, section: Section<'_>) {
        let Some((value, place)) = section.value("changes") else { return };
        match &value {
            Value::Text(word) if matches!(&**word, "none" | "exact") => self.extent = Some(Extent::Exact),
            Value::Text(word) if **word == *"at_least" => self.extent = Some(Extent::AtLeast),
            Value::Text(word) => {
                let fix = "write \"none\", \"exact\" or \"at_least\"";
                section.wrong(place, format!("invalid `changes` {word:?}"), fix);
            }
            other => {
                let detail =
                    format!("`changes` says whether others may change; this is {}", other.type_name());
                let fix = match other {
                    Value::List(list) if list.is_empty() => "write `changes = \"none\"`",
                    _ => "list the resources in `creates`, `updates`, `removes` or `runs`",
                };
                section.wrong(place, detail, fix);
            }
        }
    }

    /// Whether a failure is expected.
    pub(super) fn fails(&self) -> bool {
        !self.failures.is_empty() || self.fates.iter().any(|(fate, _)| *fate == Fate::Fails)
    }
}

fn change(section: Section<'_>) -> Option<ExpectedChange> {
    if section.expression("of").is_none() {
        section.wrong(section.block.place, "`of` is missing", "add `of = kind.name`");
    }
    let mut targets = section.targets("of")?;
    let sides = [section.map("before"), section.map("after")];
    (targets.len() == 1).then(|| ExpectedChange { of: targets.remove(0), sides })
}

fn entry(section: Section<'_>, what: ExpectedKind) -> Option<ExpectedEntry> {
    Some(ExpectedEntry {
        path: section.path()?,
        place: section.block.place,
        what,
        mode: placed(section, "mode", Section::mode),
        owner: placed(section, "owner", Section::text),
        group: placed(section, "group", Section::text),
    })
}

fn file(section: Section<'_>) -> ExpectedKind {
    ExpectedKind::File {
        content: placed(section, "content", Section::text),
        contains: section.texts("contains").unwrap_or_default(),
        secret: section.is_secret("content") || section.is_secret("contains"),
    }
}

/// A value and its location.
fn placed<'a, T>(
    section: Section<'a>,
    name: &str,
    read: impl Fn(&Section<'a>, &str) -> Option<T>,
) -> Option<(T, Place)> {
    let place = section.expression(name)?.place;
    Some((read(&section, name)?, place))
}
