//! A configuration, and its expected result.

use uphold_model::Moment;

/// Number of a resource; its dependencies have lower ones.
pub(crate) type Thing = usize;

/// A configuration: some of all possible resources.
#[derive(Clone, Debug, Default)]
pub(crate) struct Plot {
    pub(crate) props: Vec<Option<Prop>>,
    pub(crate) group: Option<Group>,
    /// The order among ready nodes; the order of the file if none.
    pub(crate) seed: Option<u64>,
}

/// A group of resources.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    /// `sequence` or `parallel`.
    pub(crate) word: &'static str,
    pub(crate) first: Thing,
    /// The number after the last member.
    pub(crate) end: Thing,
    /// Meta arguments, as in the configuration.
    pub(crate) meta: Vec<&'static str>,
}

/// One resource.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Prop {
    pub(crate) kind: Kind,
    pub(crate) depends_on: Vec<Thing>,
    pub(crate) notifies: Vec<(usize, Moment)>,
    /// Condition: whether the content of another resource is the expected one.
    pub(crate) only_if: Option<(Thing, bool)>,
    /// Meta arguments, as in the configuration.
    pub(crate) meta: Vec<&'static str>,
    /// Whether it is changed in a batch.
    pub(crate) packed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Kind {
    Folder,
    Note(Text),
    /// A note that is removed.
    Gone,
    /// A file with the content of another one, on which it depends.
    Copy(Thing),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Text {
    Fixed(u8),
    /// The text of another note.
    Quotes(Thing),
    /// The colour of the lamp.
    Colour,
}

/// The number of possible resources.
pub(crate) const THINGS: usize = 10;
/// Numbers of folders, which can contain others.
pub(crate) const FOLDERS: [Thing; 2] = [0, 1];
/// Numbers of resources that only act when they are notified.
pub(crate) const HANDLERS: [&str; 2] = ["/d/y", "/d/z"];
/// The lamp, whose colour others read.
pub(crate) const LAMP: &str = "x";

impl Plot {
    pub(crate) fn get(&self, thing: Thing) -> Option<&Prop> {
        self.props.get(thing)?.as_ref()
    }

    pub(crate) fn things(&self) -> impl Iterator<Item = (Thing, &Prop)> {
        self.props.iter().enumerate().filter_map(|(thing, prop)| Some((thing, prop.as_ref()?)))
    }

    /// The dependencies of a resource.
    pub(crate) fn needs(&self, thing: Thing) -> Vec<Thing> {
        let Some(prop) = self.get(thing) else { return Vec::new() };
        let quoted = match prop.kind {
            Kind::Note(Text::Quotes(other)) | Kind::Copy(other) => Some(other),
            _ => None,
        };
        let condition = prop.only_if.map(|(other, _)| other);
        // A removed resource does not need its folder.
        let folder = folder_of(thing).filter(|folder| prop.kind != Kind::Gone && self.get(*folder).is_some());
        let all = prop.depends_on.iter().copied().chain(quoted).chain(condition).chain(folder);
        all.filter(|other| self.get(*other).is_some()).collect()
    }

    /// The expected text of a note.
    pub(crate) fn text(&self, thing: Thing, colour: &str) -> Option<String> {
        match &self.get(thing)?.kind {
            Kind::Note(Text::Fixed(number)) => Some(format!("t{number}")),
            Kind::Note(Text::Colour) => Some(format!("it is {colour}")),
            Kind::Note(Text::Quotes(other)) => Some(format!("it says {}", self.text(*other, colour)?)),
            Kind::Copy(other) => self.text(*other, colour),
            Kind::Folder | Kind::Gone => None,
        }
    }

    /// The name of its kind.
    pub(crate) fn word(&self, thing: Thing) -> &'static str {
        match self.get(thing) {
            Some(Prop { kind: Kind::Folder, .. }) => "folder",
            Some(Prop { kind: Kind::Copy(_), .. }) => "copy",
            Some(Prop { packed: true, .. }) => "pack",
            _ => "note",
        }
    }

    /// Whether a resource is skipped.
    pub(crate) fn is_unwanted(&self, thing: Thing) -> bool {
        self.get(thing).is_some_and(|prop| prop.only_if.is_some_and(|(_, holds)| !holds))
    }
}

/// The folder of a resource.
pub(crate) fn folder_of(thing: Thing) -> Option<Thing> {
    match thing {
        _ if FOLDERS.contains(&thing) => None,
        thing if thing % 4 == 3 => Some(FOLDERS[thing / 4 % FOLDERS.len()]),
        _ => None,
    }
}

/// The path of a resource.
pub(crate) fn path_of(thing: Thing) -> String {
    match folder_of(thing) {
        Some(folder) => format!("/d/{folder}/{thing}"),
        None => format!("/d/{thing}"),
    }
}
