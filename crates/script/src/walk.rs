//! `fs.walk`: everything below a directory.

use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use mlua::{Lua, Table};
use uphold_resource::{Entry, EntryKind, Error, ErrorKind, Files, Interest, Result, wrong_type};

use crate::files::entry_type;
use crate::frame::Frame;
use crate::fuel::Access;
use crate::interpreter::Interpreter;

/// Most entries of one walk.
const MOST: usize = 100_000;

impl Frame<'_> {
    /// Everything below a directory, sorted by path: a directory comes before its contents. Links are not followed.
    pub(crate) fn walk(&self, lua: &Lua, top: &Path) -> mlua::Result<mlua::Value> {
        self.watch(Interest::Tree(top.to_owned()));
        let files = self.observe()?.files();
        check_top(files, top).map_err(|error| self.fail(error))?;
        let interpreter = Interpreter::here()?;
        let mut found: Vec<(PathBuf, Entry)> = Vec::new();
        let mut directories = vec![top.to_owned()];
        while let Some(directory) = directories.pop() {
            for (path, entry) in entries_of(files, &directory).map_err(|error| self.fail(error))? {
                if found.len() == MOST {
                    return Err(self.fail(too_many(top)));
                }
                interpreter.pay(Access::default())?;
                if entry.kind == EntryKind::Directory {
                    directories.push(path.clone());
                }
                found.push((path, entry));
            }
        }
        found.sort_by(|(one, _), (other, _)| one.cmp(other));
        let entries = found.iter().map(|(path, entry)| described(lua, path, entry));
        Ok(mlua::Value::Table(lua.create_sequence_from(entries.collect::<mlua::Result<Vec<_>>>()?)?))
    }
}

fn check_top(files: &dyn Files, top: &Path) -> Result<()> {
    match files.look(top)?.map(|entry| entry.kind) {
        Some(EntryKind::Directory) => Ok(()),
        Some(other) => Err(wrong_type(top, other.words(), "a directory")),
        None => {
            let what = format!("cannot walk {}: it does not exist", top.display());
            Err(Error::new(ErrorKind::Missing, what).hint("test it first: if fs.exists(…) then"))
        }
    }
}

/// The entries of a directory. Those that disappear meanwhile are left out.
fn entries_of(files: &dyn Files, directory: &Path) -> Result<Vec<(PathBuf, Entry)>> {
    let names = match files.list(directory) {
        Err(error) if error.kind() == ErrorKind::Missing => return Ok(Vec::new()),
        names => names?,
    };
    let mut entries = Vec::with_capacity(names.len());
    for name in names {
        let path = directory.join(name);
        if let Some(entry) = files.look(&path)? {
            entries.push((path, entry));
        }
    }
    Ok(entries)
}

fn described(lua: &Lua, path: &Path, entry: &Entry) -> mlua::Result<Table> {
    let table = lua.create_table()?;
    table.raw_set("path", lua.create_string(path.as_os_str().as_bytes())?)?;
    table.raw_set("type", entry_type(&entry.kind))?;
    table.raw_set("size", entry.size)?;
    table.raw_set("mode", format!("{:04o}", entry.mode))?;
    let modified = entry.modified.duration_since(UNIX_EPOCH).unwrap_or_default();
    table.raw_set("modified", modified.as_secs_f64())?;
    Ok(table)
}

fn too_many(top: &Path) -> Error {
    let what = format!("{} has more than {MOST} files and directories", top.display());
    Error::new(ErrorKind::Unsupported, what).hint("walk a directory inside it, or use a command: query")
}
