//! Surroundings for tests: files in memory, a few facts, and a fixed clock.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use uphold_functions::{FactError, Surroundings};
use uphold_model::{FactSchema, Type, Value};

/// Files in memory.
#[derive(Default)]
pub(crate) struct InMemory {
    files: BTreeMap<PathBuf, String>,
}

const FACTS: &[FactSchema] = &[
    FactSchema { name: "hostname", ty: &Type::Text, doc: "", example: "" },
    FactSchema { name: "os.family", ty: &Type::Text, doc: "", example: "" },
    FactSchema { name: "os.version", ty: &Type::Text, doc: "", example: "" },
    FactSchema { name: "cpu.count", ty: &Type::Int(0, 9), doc: "", example: "" },
];

impl InMemory {
    /// Surroundings with these files.
    pub(crate) fn with<'f>(files: impl IntoIterator<Item = (&'f str, &'f str)>) -> Arc<dyn Surroundings> {
        let files = files.into_iter().map(|(path, text)| (path.into(), text.into())).collect();
        Arc::new(Self { files })
    }
}

impl Surroundings for InMemory {
    fn read(&self, path: &Path) -> Result<Vec<u8>, String> {
        self.files.get(path).map(|text| text.clone().into_bytes()).ok_or("no such file".into())
    }

    fn list(&self, directory: &Path) -> Result<Vec<String>, String> {
        let inside = self.files.keys().filter_map(|path| path.strip_prefix(directory).ok());
        let mut names: Vec<String> = inside
            .filter_map(|path| {
                let mut parts = path.iter();
                let first = parts.next()?.to_str()?;
                Some(format!("{first}{}", if parts.next().is_some() { "/" } else { "" }))
            })
            .collect();
        names.dedup();
        if names.is_empty() { Err("no such directory".into()) } else { Ok(names) }
    }

    fn variable(&self, name: &str) -> Option<String> {
        (name == "HOME").then(|| "/root".into())
    }

    fn current_directory(&self) -> &Path {
        Path::new("/here")
    }

    fn now(&self) -> SystemTime {
        SystemTime::UNIX_EPOCH + Duration::from_secs(1_700_000_000)
    }

    fn facts(&self) -> &'static [FactSchema] {
        FACTS
    }

    fn fact(&self, name: &str) -> Result<Value, FactError> {
        match name {
            "hostname" => Ok(Value::text("web1")),
            "os.family" => Ok(Value::text("debian")),
            "cpu.count" => Ok(Value::Int(2)),
            _ => Err(FactError("not available here".into())),
        }
    }
}
