//! An account database as rows of fields.

use std::path::Path;

use uphold_resource::{Access, FileEdits, Files, NewFile};
use uphold_testkit::MemoryHost;

/// The rows of one file.
pub(crate) struct Rows {
    path: &'static str,
    before: Vec<Vec<String>>,
    pub(crate) rows: Vec<Vec<String>>,
}

impl Rows {
    pub(crate) fn of(host: &MemoryHost, path: &'static str) -> Self {
        let text = host.read(Path::new(path), 0).unwrap_or_default();
        let text = String::from_utf8(text).expect("the test wrote text");
        let rows: Vec<Vec<String>> =
            text.lines().map(|line| line.split(':').map(str::to_owned).collect()).collect();
        Self { path, before: rows.clone(), rows }
    }

    /// The row with this name.
    pub(crate) fn named(&mut self, name: &str) -> Option<&mut Vec<String>> {
        self.rows.iter_mut().find(|row| row[0] == name)
    }

    /// The row with this name, or a new one with this many fields.
    pub(crate) fn named_or_new(&mut self, name: &str, fields: usize) -> &mut Vec<String> {
        if self.named(name).is_none() {
            let mut row = vec![String::new(); fields];
            row[0] = name.to_owned();
            self.rows.push(row);
        }
        self.named(name).expect("it was added")
    }

    /// A free id.
    pub(crate) fn free(&self) -> u32 {
        let taken = self.rows.iter().filter_map(|row| row[2].parse::<u32>().ok());
        taken.filter(|number| *number >= 1000).max().unwrap_or(999) + 1
    }

    /// Writes changed rows. False if that fails.
    pub(crate) fn save(self, host: &MemoryHost) -> bool {
        if self.rows == self.before {
            return true;
        }
        let text: String = self.rows.iter().map(|row| row.join(":") + "\n").collect();
        let content = text.as_bytes();
        let file = NewFile::new(content, Access::default());
        host.write(Path::new(self.path), &file).is_ok()
    }
}
