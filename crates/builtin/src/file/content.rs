//! The content of a file.

use std::fmt;

use uphold_kit::digest::Digest;
use uphold_resource::{
    Bytes, Context, Entry, EntryKind, Found, Lazy, Look, Mode, Name, Other, Problem, Property, READ_LIMIT,
    Result, Type, Value,
};

use super::{File, FileState};

/// The content of a file: a string or bytes, shared when cloned, printed as text if it is UTF-8.
///
/// A current value may also be content that was only measured, which cannot be declared.
#[derive(Clone)]
pub struct Content(Form);

#[derive(Clone)]
enum Form {
    /// This string. It is kept as one, because each check of its encoding and each copy would cost as much as a load.
    Text(Name),
    /// These bytes, which are not UTF-8.
    Bytes(Bytes),
    /// Content of this size, which differs from the declared one. It was not read.
    Sized(u64),
}

impl Content {
    /// Content that differs by its size and is too large to show.
    pub(crate) fn sized(size: u64) -> Self {
        Content(Form::Sized(size))
    }

    /// The bytes, if they were read or declared.
    pub fn bytes(&self) -> Option<&[u8]> {
        match &self.0 {
            Form::Text(text) => Some(text.as_bytes()),
            Form::Bytes(bytes) => Some(&bytes.0),
            Form::Sized(_) => None,
        }
    }
}

/// Bytes that are declared as such may be UTF-8, too.
impl PartialEq for Content {
    fn eq(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (Form::Sized(one), Form::Sized(other)) => one == other,
            (Form::Sized(_), _) | (_, Form::Sized(_)) => false,
            _ => self.bytes() == other.bytes(),
        }
    }
}

impl Property for Content {
    const TYPE: &'static Type = Bytes::TYPE;

    fn from_value(value: &Value, context: &Context<'_>) -> Result<Self, Problem> {
        match value {
            Value::Text(text) => Ok(Content(Form::Text(Name::clone(text)))),
            other => Bytes::from_value(other, context).map(|bytes| Content(Form::Bytes(bytes))),
        }
    }

    fn to_value(&self) -> Value {
        match &self.0 {
            Form::Text(text) => Value::Text(Name::clone(text)),
            Form::Bytes(bytes) => bytes.to_value(),
            Form::Sized(size) => Value::text(format!("({size} bytes)")),
        }
    }
}

impl fmt::Debug for Content {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.to_value())
    }
}

impl From<Vec<u8>> for Content {
    fn from(bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => text.into(),
            Err(error) => Content(Form::Bytes(error.into_bytes().into())),
        }
    }
}

impl From<&str> for Content {
    fn from(text: &str) -> Self {
        Content(Form::Text(text.into()))
    }
}

impl From<String> for Content {
    fn from(text: String) -> Self {
        Content(Form::Text(text.into()))
    }
}

// The current state of a file.

/// The mode of a new file.
pub(crate) const NEW: Mode = Mode::new(0o644);

/// A larger file is not read to show a diff.
const DIFF_LIMIT: u64 = 1 << 20;

/// The current state; none if nothing exists. Costs one `lstat`, and one read if the content is needed.
pub(crate) fn load(file: &File, look: &Look<'_>) -> Result<Found<File>> {
    let Some(entry) = look.files().look(&file.path)? else { return Ok(Found::Absent) };
    match &entry.kind {
        EntryKind::File => regular(file, &entry, look).map(Found::This),
        kind => {
            let other = Other::new(&*file.path, kind.words(), "a regular file");
            Ok(Found::Other(other.hint("move it elsewhere, or choose another path")))
        }
    }
}

fn regular(file: &File, entry: &Entry, look: &Look<'_>) -> Result<FileState> {
    Ok(FileState {
        content: file.matching_content(entry, look)?.map_or(Lazy::UNREAD, Lazy::from),
        mode: Mode::new(entry.mode),
        ownership: file.ownership.load(entry, look)?,
        sha256: Lazy::UNREAD,
        size: entry.size,
    })
}

impl File {
    /// The declared content, if the file has it. It is shared with the declaration, not copied.
    fn matching_content(&self, entry: &Entry, look: &Look<'_>) -> Result<Option<Content>> {
        let declared = self.content.get().filter(|_| self.content.is_set());
        let Some((declared, bytes)) = declared.and_then(|declared| Some((declared, declared.bytes()?)))
        else {
            return Ok(None);
        };
        Ok(look.files().contains(&self.path, entry, bytes)?.then(|| declared.clone()))
    }

    /// The content, if it is needed and differs from the declared one.
    ///
    /// Any user may own the file, so its size is compared first: a large file of another size needs no diff.
    pub(super) fn current_content(&self, state: &FileState, look: &Look<'_>) -> Result<Content> {
        let compared = self.content.get().filter(|_| self.content.is_set());
        let declared = compared.and_then(|declared| Some(declared.bytes()?.len() as u64));
        if let Some(length) = declared
            && length != state.size
            && state.size > DIFF_LIMIT
            && look.desired().is_some()
        {
            return Ok(Content::sized(state.size));
        }
        let limit = declared.map_or(READ_LIMIT, |length| length.max(READ_LIMIT));
        look.files().read_within(&self.path, state.size, limit).map(Content::from)
    }

    /// The digest, if it is needed. Content that was not loaded because it differs has none.
    pub(super) fn current_digest(&self, state: &FileState, look: &Look<'_>) -> Result<Option<Digest>> {
        match state.content.get() {
            Some(content) => Ok(content.bytes().map(Digest::of)),
            None => Digest::of_file(&self.path, look).map(Some),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_bytes_equal_a_loaded_string() {
        let bytes = Content(Form::Bytes("a\n".into()));
        assert_eq!(bytes, "a\n".into());
        assert_eq!(bytes.to_value(), Value::text("a\n"));
        assert_ne!(bytes, Content::sized(2));
    }

    #[test]
    fn text_prints_as_text_and_bytes_as_bytes() {
        let check = |content: Content, expected: &str| assert_eq!(format!("{content:?}"), expected);
        check("a\n".into(), r#""a\n""#);
        check(vec![0xff, 0].into(), "(2 bytes)");
        check(Content::sized(4 << 30), r#""(4294967296 bytes)""#);
    }
}
