//! A line or a block of lines in a file that something else owns.

use uphold_resource::{
    AbsolutePath, Access, Claim, Claiming, Claims, EntryKind, Error, ErrorKind, Host, NewFile, Observe,
    Resource, Result, Step, Value, Want, wrong_type,
};

use super::block::Block;
use super::document::{Document, Place};
use super::single::Single;
use super::{Anchor, Lines, Pattern};

/// What a file gets that is created here.
const NEW_FILE: u32 = 0o644;

/// A line, or a block of lines, in a file that something else owns.
///
/// The rest of the file stays as it is: line endings, a missing final one, mode and owner. Several
/// of them can stand on one file; they are applied in written order. Those with `auto_edges = false`
/// are left out of that order: put them in one with `depends_on`, or two that are applied at the same
/// time undo each other. They are found again by what they say: a line by its text or by `match`, a
/// block by its markers.
///
/// Removing it removes every line that equals `line` or matches `match`; without those, the block
/// with its markers.
///
/// ```hcl
/// line "no root login" {
///   file  = "/etc/ssh/sshd_config"
///   match = "^#?PermitRootLogin"
///   line  = "PermitRootLogin no"
/// }
/// ```
#[expect(clippy::duplicated_attributes, reason = "a property can be in two groups")]
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "line",
    also("lineinfile", "file_line", "blockinfile"),
    any_of(line, block),
    exclusive(line, block),
    exclusive(block, r#match),
    exclusive(after, before),
    claims
)]
pub struct Line {
    /// What it is called; the block's label unless set. A block's markers carry it.
    #[name]
    #[check(is_one_line, "must be one line of text")]
    pub name: String,
    /// The file that it is in.
    #[also("path", "dest")]
    #[required]
    pub file: AbsolutePath,
    /// One line of text. The first line that matches `match` is replaced by it; if there is none,
    /// and no line says it already, it is added.
    #[check(is_one_line, "must be one line of text: use `block` for several")]
    pub line: Want<String>,
    /// Several lines, kept between two marker lines.
    pub block: Want<Lines>,
    /// A regular expression for the line to replace. Not for a block.
    #[also("regexp", "regex", "search_string")]
    pub r#match: Option<Pattern>,
    /// Something new goes behind the last line that matches this; "EOF" is the end of the file,
    /// "BOF" its begin. At the end if nothing matches. What is there is not moved.
    #[also("insertafter")]
    pub after: Option<Anchor>,
    /// Something new goes before the first line that matches this; "BOF" is the begin of the file,
    /// "EOF" its end. At the end if nothing matches. What is there is not moved.
    #[also("insertbefore")]
    pub before: Option<Anchor>,
    /// Whether the file is created, with mode 0644, if it does not exist.
    #[default(false)]
    pub create: bool,
    /// What a comment begins with, for the markers of a block: `# BEGIN uphold NAME` and
    /// `# END uphold NAME`.
    #[default("#")]
    #[check(is_one_line, "must be one line of text")]
    pub comment: String,
}

fn is_one_line(value: &Value) -> bool {
    matches!(value, Value::Text(text) if !text.contains(['\n', '\r']))
}

impl Claiming for Line {
    /// It changes a part of its file, as other lines may do.
    fn add_claims(&self, claims: &mut Claims) {
        claims.edit(Claim::Path(self.file.to_path_buf()));
    }
}

impl Resource for Line {
    fn prepare(&mut self, _: &dyn Observe) -> Result<()> {
        match self.block.get() {
            Some(text) if self.markers().is_broken_by(text) => {
                let what = format!("the block `{}` holds one of its own markers", self.name);
                Err(Error::new(ErrorKind::Invalid, what).hint("remove that line, or give it another name"))
            }
            _ => Ok(()),
        }
    }

    fn load(&self, host: &dyn Observe) -> Result<Option<LineState>> {
        let Some(content) = self.read(host)? else { return Ok(None) };
        let document = Document::new(&content);
        if self.is_block() {
            let found = self.markers().find(&document).map_err(|error| self.in_file(error))?;
            return Ok(found.map(|block| LineState { line: String::new(), block }));
        }
        Ok(self.single().find(&document).map(|line| LineState { line, block: Lines::from("") }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &dyn Host) -> Result<()> {
        let old = self.content(host)?;
        if old.is_none() && !self.create {
            let what = format!("{} does not exist", self.file);
            let hint = "declare the file, or set `create = true`";
            return Err(Error::new(ErrorKind::Missing, what).hint(hint));
        }
        let mut document = Document::new(old.as_deref().unwrap_or_default());
        self.edit(&mut document, step).map_err(|error| self.in_file(error))?;
        let content = document.content();
        if old.as_ref() == Some(&content) {
            return Ok(());
        }
        let access = Access { mode: old.is_none().then_some(NEW_FILE), ..Access::default() };
        let file = NewFile { content: &content, access, verify: None, replace_other: false };
        host.edits().write(&self.file, &file)
    }
}

impl Line {
    /// Without a line and without a pattern it can only be a block.
    fn is_block(&self) -> bool {
        !self.line.is_set() && self.r#match.is_none()
    }

    fn markers(&self) -> Block {
        Block::new(&self.comment, &self.name)
    }

    fn single(&self) -> Single<'_> {
        Single { line: self.line.get().map(String::as_str), pattern: self.r#match.as_ref() }
    }

    fn place(&self) -> Place<'_> {
        match (&self.after, &self.before) {
            (Some(anchor), _) => Place::After(anchor),
            (None, Some(anchor)) => Place::Before(anchor),
            (None, None) => Place::Last,
        }
    }

    fn read(&self, host: &dyn Observe) -> Result<Option<Vec<u8>>> {
        let Some(entry) = host.files().look(&self.file)? else { return Ok(None) };
        match entry.kind {
            EntryKind::File => host.files().read(&self.file, entry.size).map(Some),
            kind => Err(wrong_type(&*self.file, kind.words(), "a regular file")),
        }
    }

    /// What is there, to be written back. What `load` saw does not count: it may have come through a
    /// link that somebody planted on the way.
    fn content(&self, host: &dyn Host) -> Result<Option<Vec<u8>>> {
        match host.edits().content(&self.file) {
            Err(error) if matches!(error.kind(), ErrorKind::Missing | ErrorKind::ParentMissing) => Ok(None),
            content => content.map(Some),
        }
    }

    fn edit<'d>(&'d self, document: &mut Document<'d>, step: Step<'_, Self>) -> Result<()> {
        match (step, self.line.get(), self.block.get()) {
            (Step::Remove { .. }, _, _) if self.is_block() => self.markers().remove(document),
            (Step::Remove { .. }, _, _) => {
                self.single().remove(document);
                Ok(())
            }
            (_, Some(line), _) => {
                self.single().put(document, line, self.place());
                Ok(())
            }
            (_, None, Some(block)) => self.markers().put(document, block, self.place()),
            (_, None, None) => Ok(()),
        }
    }

    fn in_file(&self, error: Error) -> Error {
        error.while_(format!("cannot edit {}", self.file))
    }
}
