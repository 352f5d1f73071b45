//! The table `fs` of scripts: files and directories. A write compares first, and writes nothing that is already present.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use mlua::{Lua, MultiValue};
use uphold_model::{Difference, Map, ResourceId, Side, Value};
use uphold_resource::{
    Access, Act, Context, Entry, EntryKind, Error, ErrorKind, GroupName, Interest, Mode, NewFile, Property,
    Result, UserName,
};

use crate::frame::{Frame, argument, options, value};

/// Largest file that a script can read.
const LARGEST: u64 = 64 * 1024 * 1024;

impl Frame<'_> {
    pub(crate) fn call_files(&self, lua: &Lua, op: &str, arguments: &MultiValue) -> mlua::Result<MultiValue> {
        let path = self.path(lua, arguments, op)?;
        let done = match op {
            "fs.exists" => mlua::Value::Boolean(self.look(&path)?.is_some()),
            "fs.is_file" => self.is(&path, |kind| *kind == EntryKind::File)?,
            "fs.is_directory" => self.is(&path, |kind| *kind == EntryKind::Directory)?,
            "fs.is_link" => self.is(&path, |kind| matches!(kind, EntryKind::Link(_)))?,
            "fs.stat" => self.stat(lua, &path)?,
            "fs.read" => self.read(lua, &path)?,
            "fs.list" => self.list(lua, &path)?,
            "fs.walk" => self.walk(lua, &path)?,
            "fs.readlink" => match self.look(&path)?.map(|entry| entry.kind) {
                Some(EntryKind::Link(target)) => {
                    mlua::Value::String(lua.create_string(target.as_os_str().as_bytes())?)
                }
                _ => mlua::Nil,
            },
            _ => {
                let changed = self.edit(lua, op, &path, arguments)?;
                mlua::Value::Boolean(changed)
            }
        };
        Ok(MultiValue::from_vec(vec![done]))
    }

    fn path(&self, lua: &Lua, arguments: &MultiValue, op: &str) -> mlua::Result<PathBuf> {
        if arguments.front().is_none_or(mlua::Value::is_nil) {
            let what = format!("{op} takes an absolute path, not nil");
            return Err(self.fail(Error::new(ErrorKind::Invalid, what)));
        }
        let path = path_at(lua, arguments, 0)?;
        if path.as_os_str().as_bytes().contains(&0) {
            return Err(self.fail(Error::new(
                ErrorKind::Invalid,
                format!("{op} takes a path, which cannot contain a NUL byte"),
            )));
        }
        if !path.is_absolute() {
            let what = format!("{op} takes an absolute path, not {:?}", path.display().to_string());
            return Err(
                self.fail(Error::new(ErrorKind::Invalid, what).hint("write the whole path: \"/etc/…\""))
            );
        }
        Ok(path)
    }

    fn look(&self, path: &Path) -> mlua::Result<Option<Entry>> {
        self.watch(Interest::Path(path.to_owned()));
        self.observe()?.files().look(path).map_err(|error| self.fail(error))
    }

    fn is(&self, path: &Path, holds: impl Fn(&EntryKind) -> bool) -> mlua::Result<mlua::Value> {
        Ok(mlua::Value::Boolean(self.look(path)?.is_some_and(|entry| holds(&entry.kind))))
    }

    /// The metadata of a file, or nil if it does not exist.
    fn stat(&self, lua: &Lua, path: &Path) -> mlua::Result<mlua::Value> {
        let Some(entry) = self.look(path)? else { return Ok(mlua::Nil) };
        let table = lua.create_table()?;
        table.set("type", entry_type(&entry.kind))?;
        table.set("size", entry.size)?;
        table.set("mode", format!("{:04o}", entry.mode))?;
        table.set("uid", entry.uid)?;
        table.set("gid", entry.gid)?;
        let accounts = self.observe()?.accounts();
        let user = accounts.user_by_id(entry.uid).map_err(|error| self.fail(error))?;
        let group = accounts.group_by_id(entry.gid).map_err(|error| self.fail(error))?;
        table.set("owner", user.map_or_else(|| entry.uid.to_string(), |user| user.name))?;
        table.set("group", group.map_or_else(|| entry.gid.to_string(), |group| group.name))?;
        let modified = entry.modified.duration_since(UNIX_EPOCH).unwrap_or_default();
        table.set("modified", modified.as_secs_f64())?;
        Ok(mlua::Value::Table(table))
    }

    fn read(&self, lua: &Lua, path: &Path) -> mlua::Result<mlua::Value> {
        let content = self.content_of(path)?;
        Ok(mlua::Value::String(lua.create_string(content)?))
    }

    /// The content of a file, if it is not too large for a script.
    fn content_of(&self, path: &Path) -> mlua::Result<Vec<u8>> {
        let size = self.look(path)?.map_or(0, |entry| entry.size);
        if size > LARGEST {
            let what = format!("{} is too large for a script: it has {size} bytes", path.display());
            let hint = "scripts can read files of up to 64 MiB; use a command for larger ones: query";
            return Err(self.fail(Error::new(ErrorKind::Unsupported, what).hint(hint)));
        }
        self.observe()?.files().read(path, size).map_err(|error| self.fail(error))
    }

    fn list(&self, lua: &Lua, path: &Path) -> mlua::Result<mlua::Value> {
        self.watch(Interest::Entries(path.to_owned()));
        let names = self.observe()?.files().list(path).map_err(|error| self.fail(error))?;
        let names: Vec<_> =
            names.iter().map(|name| lua.create_string(name.as_bytes())).collect::<mlua::Result<_>>()?;
        Ok(mlua::Value::Table(lua.create_sequence_from(names)?))
    }

    /// Changes a file, unless it already is as wanted. True if it did, or in a dry run, if it would.
    fn edit(&self, lua: &Lua, op: &str, path: &Path, arguments: &MultiValue) -> mlua::Result<bool> {
        let host = self.host(op)?;
        let existing = self.look(path)?;
        let done = match op {
            "fs.write" => {
                let content = content(arguments).map_err(|error| self.fail(error))?;
                let access = self.access(host, existing.as_ref(), &options(lua, arguments, 2)?)?;
                self.write(host, path, existing.as_ref(), &content, access)
            }
            "fs.mkdir" => {
                let access = self.access(host, existing.as_ref(), &options(lua, arguments, 1)?)?;
                self.make_directory(host, path, existing.as_ref(), &access)
            }
            "fs.chmod" => {
                let mode = Map::from([("mode".into(), value(arguments, 1)?)]);
                self.set_access(host, path, existing.as_ref(), self.access(host, existing.as_ref(), &mode)?)
            }
            "fs.chown" => {
                let owner = Map::from([
                    ("owner".into(), value(arguments, 1)?),
                    ("group".into(), value(arguments, 2)?),
                ]);
                self.set_access(host, path, existing.as_ref(), self.access(host, existing.as_ref(), &owner)?)
            }
            "fs.link" => {
                let target = path_at(lua, arguments, 1)?;
                self.make_link(host, path, existing.as_ref(), &target)
            }
            "fs.copy" => {
                let from = path_at(lua, arguments, 1)?;
                let content = self.content_of(&from)?;
                self.write(host, path, existing.as_ref(), &content, Access::default())
            }
            "fs.remove" => self.remove(host, path, existing.as_ref(), false),
            "fs.remove_tree" => self.remove(host, path, existing.as_ref(), true),
            _ => Err(Error::new(ErrorKind::Unsupported, format!("there is no {op}"))),
        };
        done.map_err(|error| self.fail(error))
    }

    fn access(&self, host: &Act<'_>, existing: Option<&Entry>, given: &Map) -> mlua::Result<Access> {
        access(host, existing, given).map_err(|error| self.fail(error))
    }

    fn write(
        &self,
        host: &Act<'_>,
        path: &Path,
        existing: Option<&Entry>,
        content: &[u8],
        access: Access,
    ) -> Result<bool> {
        let old = match existing.map(|entry| &entry.kind) {
            Some(EntryKind::File) => Some(host.files().read(path, content.len() as u64)?),
            _ => None,
        };
        if old.as_deref() == Some(content) {
            return self.set_access(host, path, existing, access);
        }
        let (from, to) = (old.as_deref().map(text), Some(text(content)));
        let mut differences = vec![difference("file", path, "content", from, to)];
        differences.extend(access_differences("file", path, existing, &access));
        let new_mode = if host.is_sensitive() { 0o600 } else { 0o644 };
        let mode = access.mode.or(existing.is_none().then_some(new_mode));
        let file = NewFile::new(content, Access { mode, ..access });
        host.edits().write(path, &file)?;
        self.note_all(differences);
        Ok(true)
    }

    fn make_directory(
        &self,
        host: &Act<'_>,
        path: &Path,
        existing: Option<&Entry>,
        access: &Access,
    ) -> Result<bool> {
        match existing.map(|entry| &entry.kind) {
            Some(EntryKind::Directory) => return self.set_access(host, path, existing, *access),
            Some(kind) => return Err(uphold_resource::wrong_type(path, kind.words(), "a directory")),
            None => {}
        }
        let mode = access.mode.or(Some(0o755));
        host.edits().make_directory(path, &Access { mode, ..*access })?;
        self.note_all(vec![whole("directory", path, "create")]);
        Ok(true)
    }

    fn set_access(
        &self,
        host: &Act<'_>,
        path: &Path,
        existing: Option<&Entry>,
        access: Access,
    ) -> Result<bool> {
        let Some(seen) = existing else {
            let what = format!("cannot set the permissions of {}: it does not exist", path.display());
            return Err(Error::new(ErrorKind::Missing, what));
        };
        let differences = access_differences("file", path, existing, &access);
        if differences.is_empty() {
            return Ok(false);
        }
        host.edits().set_access(path, seen, &access)?;
        self.note_all(differences);
        Ok(true)
    }

    fn make_link(
        &self,
        host: &Act<'_>,
        path: &Path,
        existing: Option<&Entry>,
        target: &Path,
    ) -> Result<bool> {
        let old = match existing.map(|entry| &entry.kind) {
            Some(EntryKind::Link(old)) if old == target => return Ok(false),
            Some(EntryKind::Link(old)) => Some(Value::text(old.to_string_lossy())),
            _ => None,
        };
        host.edits().make_link(path, target)?;
        self.note_all(vec![difference(
            "link",
            path,
            "target",
            old,
            Some(Value::text(target.to_string_lossy())),
        )]);
        Ok(true)
    }

    fn remove(&self, host: &Act<'_>, path: &Path, existing: Option<&Entry>, tree: bool) -> Result<bool> {
        let Some(entry) = existing else { return Ok(false) };
        match (&entry.kind, tree) {
            (EntryKind::Directory, true) => host.edits().remove_tree(path)?,
            (EntryKind::Directory, false) => host.edits().remove_directory(path)?,
            _ => host.edits().remove_file(path)?,
        }
        self.note_all(vec![whole("file", path, "remove")]);
        Ok(true)
    }

    fn note_all(&self, differences: Vec<Difference>) {
        let secret = self.is_secret();
        for difference in differences {
            self.note(if secret { difference.sensitive() } else { difference });
        }
    }
}

/// A path argument; its bytes need not be UTF-8.
fn path_at(lua: &Lua, arguments: &MultiValue, at: usize) -> mlua::Result<PathBuf> {
    let path: Option<mlua::LuaString> = argument(lua, arguments, at)?;
    Ok(PathBuf::from(OsString::from_vec(path.map(|path| path.as_bytes().to_vec()).unwrap_or_default())))
}

pub(crate) fn entry_type(kind: &EntryKind) -> &'static str {
    match kind {
        EntryKind::File => "file",
        EntryKind::Directory => "directory",
        EntryKind::Link(_) => "link",
        EntryKind::Other(_) => "other",
    }
}

fn content(arguments: &MultiValue) -> Result<Vec<u8>> {
    match arguments.get(1) {
        Some(mlua::Value::String(text)) => Ok(text.as_bytes().to_vec()),
        Some(mlua::Value::Number(number)) => Ok(number.to_string().into_bytes()),
        Some(mlua::Value::Integer(number)) => Ok(number.to_string().into_bytes()),
        other => {
            let found = other.map_or("nothing", mlua::Value::type_name);
            Err(Error::new(ErrorKind::Invalid, format!("fs.write takes a string, not {found}")))
        }
    }
}

fn read<T: Property>(given: &Map, name: &str) -> Result<Option<T>> {
    let Some(value) = given.get(name).filter(|value| **value != Value::Null) else { return Ok(None) };
    let read = T::from_value(value, &Context::NOTHING);
    read.map(Some).map_err(|problem| Error::new(ErrorKind::Invalid, problem.inside(name).to_string()))
}

fn access(host: &Act<'_>, existing: Option<&Entry>, given: &Map) -> Result<Access> {
    let old = existing.map(|entry| Mode::new(entry.mode));
    let mode = read::<Mode>(given, "mode")?.map(|mode| mode.settle(old.as_ref()).bits());
    let uid = read::<UserName>(given, "owner")?.map(|owner| owner.id(host)).transpose()?;
    let gid = read::<GroupName>(given, "group")?.map(|group| group.id(host)).transpose()?;
    Ok(Access { mode, uid, gid })
}

fn access_differences(kind: &str, path: &Path, existing: Option<&Entry>, access: &Access) -> Vec<Difference> {
    let mode = |mode: u32| Value::text(format!("{mode:04o}"));
    let id = |id: u32| Value::Int(i64::from(id));
    let parts = [
        ("mode", existing.map(|entry| mode(entry.mode)), access.mode.map(mode)),
        ("owner", existing.map(|entry| id(entry.uid)), access.uid.map(id)),
        ("group", existing.map(|entry| id(entry.gid)), access.gid.map(id)),
    ];
    let differ = parts.into_iter().filter(|(_, old, new)| new.is_some() && old != new);
    differ.map(|(property, old, new)| difference(kind, path, property, old, new)).collect()
}

fn text(content: &[u8]) -> Value {
    match std::str::from_utf8(content) {
        Ok(text) => Value::text(text),
        Err(_) => Value::Bytes(content.into()),
    }
}

fn difference(kind: &str, path: &Path, property: &str, old: Option<Value>, new: Option<Value>) -> Difference {
    let address = ResourceId::new(kind, path.to_string_lossy());
    let side = |value: Option<Value>| value.map_or(Side::Absent, Side::Value);
    Difference { property: format!("{address}.{property}").into(), from: side(old), to: side(new) }
}

/// The difference of a file that is created or removed as a whole.
fn whole(kind: &str, path: &Path, what: &str) -> Difference {
    let address = ResourceId::new(kind, path.to_string_lossy());
    Difference {
        property: address.to_string().into(),
        from: Side::Absent,
        to: Side::Value(Value::text(what)),
    }
}
