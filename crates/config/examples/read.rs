//! Reads, evaluates and checks a configuration: the subject of `cargo xtask bench language`. Prints the peak memory.

mod peak;

use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::SystemTime;

use uphold_config::{FactError, Reader, Surroundings};
use uphold_model::{FactSchema, Sources, Value};

/// Surroundings that only read modules from the disk.
struct Disk;

#[expect(clippy::disallowed_methods, reason = "a program of its own, without a host")]
impl Surroundings for Disk {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        std::fs::read(path).map_err(|error| error.to_string())
    }

    fn list(&self, directory: &Path) -> Result<Vec<String>, String> {
        let entries = std::fs::read_dir(directory).map_err(|error| error.to_string())?;
        Ok(entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect())
    }

    fn variable(&self, _: &str) -> Option<String> {
        None
    }

    fn current_directory(&self) -> &Path {
        Path::new(".")
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH
    }

    fn facts(&self) -> &'static [FactSchema] {
        &[]
    }

    fn fact(&self, _: &str) -> Result<Value, FactError> {
        Err(FactError("there are none here".into()))
    }
}

#[expect(clippy::disallowed_methods, reason = "a program of its own, without a host")]
fn main() -> ExitCode {
    let Some(path) = std::env::args().nth(1) else { return ExitCode::FAILURE };
    let Ok(text) = std::fs::read_to_string(&path) else { return ExitCode::FAILURE };
    let mut sources = Sources::default();
    let id = sources.add(path, text);
    let reading = Reader::new(Arc::new(Disk)).read(&mut sources, &[id]);
    if reading.diagnostics.is_empty() && !reading.statements.is_empty() && peak::print() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
