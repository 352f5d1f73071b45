//! Helpers that run bodies of actions and configurations.

use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::{FactError, Reader, Surroundings};
use uphold_engine::Mode;
use uphold_model::{FactSchema, Sources, Value};

use crate::bench::Bench;

/// A kind whose action `go` runs a body. `go` is not the default action, so it runs whenever it is triggered.
pub(crate) fn show(body: &str) -> String {
    format!("function actions.idle() end\nfunction actions.go()\n{body}\nend\n")
}

/// Runs a body with these kinds. The result has its messages and verdicts.
pub(crate) fn play_with(kinds: &[(&str, &str)], mode: Mode, body: &str) -> String {
    let show = show(body);
    let bench = Bench::new(&[kinds, &[("show", &show)]].concat());
    bench.act(mode, "show", "it", &[], "go")
}

/// Runs a body. The result has its messages and verdicts.
pub(crate) fn play(mode: Mode, body: &str) -> String {
    play_with(&[], mode, body)
}

/// Runs a configuration. The result has its messages and verdicts.
pub(crate) fn site(bench: &Bench, mode: Mode, text: &str) -> String {
    let mut sources = Sources::default();
    let id = sources.add("site.hcl", text);
    let reading = Reader::new(Arc::new(Nowhere)).read(&mut sources, &[id]);
    assert!(reading.diagnostics.is_empty(), "{:?}", reading.diagnostics);
    bench.statements(mode, &bench.kinds, reading.statements)
}

/// The messages before the first verdict.
pub(crate) fn said(output: &str) -> String {
    let is_end = |line: &&str| [" changed", " unchanged", " failed:"].iter().any(|word| line.contains(word));
    output.lines().take_while(|line| !is_end(line)).collect::<Vec<_>>().join(", ")
}

/// Compares lines without their indentation.
pub(crate) fn same(output: &str, expected: &str) {
    let lines: Vec<&str> = expected.trim().lines().map(str::trim).collect();
    let output: Vec<&str> = output.lines().map(str::trim).collect();
    assert_eq!(output, lines, "\n{}", output.join("\n"));
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
        Err(FactError(format!("unknown fact {name}")))
    }
}
