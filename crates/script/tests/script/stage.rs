//! Bodies of actions and configurations to try.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::{FactError, Reader, Surroundings};
use uphold_engine::Mode;
use uphold_model::{FactSchema, Sources, Value};

use crate::bench::Bench;

/// A kind that is there to run a body: an action that is no default is run as often as it is asked for.
pub(crate) fn show(body: &str) -> String {
    format!("function actions.idle() end\nfunction actions.go()\n{body}\nend\n")
}

/// Runs a body with these kinds; what was said, and how it went.
pub(crate) fn play_with(kinds: &[(&str, &str)], mode: Mode, body: &str) -> String {
    let show = show(body);
    let bench = Bench::new(&[kinds, &[("show", &show)]].concat());
    bench.act(mode, "show", "it", &[], "go")
}

/// Runs a body; what was said, and how it went.
pub(crate) fn play(mode: Mode, body: &str) -> String {
    play_with(&[], mode, body)
}

/// Runs a configuration; what was said, and how it went.
pub(crate) fn site(bench: &Bench, mode: Mode, text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("site.hcl", text);
    let reading = Reader::new(Arc::new(Nowhere)).read(&mut sources, &[id]);
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    bench.statements(mode, &bench.kinds, reading.statements)
}

/// What was said before the resource was done.
pub(crate) fn said(told: &str) -> String {
    let is_end = |line: &&str| [" changed", " unchanged", " failed:"].iter().any(|word| line.contains(word));
    told.lines().take_while(|line| !is_end(line)).collect::<Vec<_>>().join(", ")
}

/// Lines without what is in front of them.
pub(crate) fn same(told: &str, expected: &str) {
    let lines: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let told: Vec<&str> = told.lines().map(str::trim).collect();
    assert_eq!(told, lines, "\n{}", told.join("\n"));
}

struct Nowhere;

impl Surroundings for Nowhere {
    fn read(&self, _: &Path) -> Result<Vec<u8>, String> {
        Err("no such file".to_owned())
    }

    fn list(&self, _: &Path) -> Result<Vec<String>, String> {
        Err("no such directory".to_owned())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn current_directory(&self) -> &Path {
        Path::new("/")
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn facts(&self) -> &'static [FactSchema] {
        &[]
    }

    fn fact(&self, name: &str) -> Result<Value, FactError> {
        Err(FactError(format!("nobody knows {name}")))
    }
}
