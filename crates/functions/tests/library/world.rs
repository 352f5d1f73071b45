//! Surroundings for tests.

use std::cell::Cell;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use uphold_functions::{Call, FactError, Fault, Surroundings, find};
use uphold_model::{FactSchema, Value};

/// The directory of a small configuration, below `/srv`.
pub(crate) struct World;

/// Paths from the root, sorted.
const FILES: &[(&str, &[u8])] = &[
    ("/srv/site/binary.bin", b"\xff\xfe\x00"),
    ("/srv/site/hello.txt", b"Hello\n"),
    ("/srv/site/templates/footer.j2", b"-- ops\n"),
    ("/srv/site/templates/motd.j2", b"Welcome to {{ host }}\n{% include 'footer.j2' %}"),
    (
        "/srv/site/wrong/child.j2",
        b"{% extends '../wrong/parent.j2' %}{% block body %}\n{{ a.missing }}{% endblock %}",
    ),
    ("/srv/site/wrong/endless.j2", b"{% include 'endless.j2' %}"),
    ("/srv/site/wrong/greeting.j2", b"Hello {{ host }}\n"),
    ("/srv/site/wrong/lost.j2", b"\n{% include 'nowhere.j2' %}"),
    ("/srv/site/wrong/maybe.j2", b"a{% include 'nowhere.j2' ignore missing %}b"),
    ("/srv/site/wrong/parent.j2", b"<{% block body %}{% endblock %}>"),
];

impl World {
    fn whole(&self, path: &Path) -> PathBuf {
        let joined = self.current_directory().join(path);
        joined.components().filter(|part| part.as_os_str() != ".").collect()
    }
}

impl Surroundings for World {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        let path = self.whole(path);
        let found = FILES.iter().find(|(name, _)| Path::new(name) == path);
        found.map(|(_, content)| content.to_vec()).ok_or_else(|| "no such file".to_owned())
    }

    fn list(&self, directory: &Path) -> Result<Vec<String>, String> {
        let directory = self.whole(directory);
        let below = |(name, _): &(&str, &[u8])| {
            let rest = Path::new(name).strip_prefix(&directory).ok()?.to_str()?.to_owned();
            Some(rest.split_once('/').map_or(rest.clone(), |(first, _)| format!("{first}/")))
        };
        let mut names: Vec<String> = FILES.iter().filter_map(below).collect();
        names.sort_unstable();
        names.dedup();
        if names.is_empty() { Err("no such directory".to_owned()) } else { Ok(names) }
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "HOME").then(|| "/home/ann".to_owned())
    }

    fn current_directory(&self) -> &Path {
        Path::new("/srv")
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_millis(1_714_566_600_999)
    }

    fn facts(&self) -> &'static [FactSchema] {
        &[]
    }

    fn fact(&self, name: &str) -> Result<Value, FactError> {
        Err(FactError(format!("there is no fact {name}")))
    }
}

/// Calls a function from a source in `site`.
pub(crate) fn call(name: &str, arguments: &[Value]) -> Result<Value, Fault> {
    let function = find(name).ok_or_else(|| Fault::new(format!("there is no function `{name}`")))?;
    function.call(&Call {
        arguments,
        directory: Path::new("site"),
        surroundings: &World,
        steps: &Cell::new(0),
    })
}
