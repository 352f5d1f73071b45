//! A line or a block of lines in a file that something else owns.

use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Error, ErrorKind, Reading, Resource, Result, Step, Want,
};

use super::block::Block;
use super::document::{Document, Place};
use super::single::Single;
use super::{Anchor, Lines, Pattern};
use crate::edited_file::EditedFile;
use crate::one_line::is_one_line;
use crate::regular_file;

/// A line, or a block of lines, in a file that something else owns.
///
/// The rest of the file stays as it is: line endings, a missing final one, mode and owner. Several
/// of them can stand on one file; they are applied in written order. Those with `auto_edges = false`
/// are left out of that order: put them in one with `depends_on`, or two that are applied at the same
/// time undo each other. They are found again by what they say: a line by its text or by `match`, a
/// block by its markers.
///
/// Without `after` and `before`, the order of lines in the file is that in which they were added: a line that could not
/// be added, because of its own `match`, is added behind the others by a later run. If the file could not be written,
/// the other lines of that file are skipped in that run, so that their order stays the written one.
///
/// A file whose whole content is declared, as by `file` with `content`, can have no `line`; two `line`s of one file with the same
/// `match` are an error.
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
    /// One line of text. The line that matches `match` is replaced by it; if there is none,
    /// and no line says it already, it is added. A line that matches and is no comment comes before those
    /// that are; several of them with different texts are an error, because only the program that reads the file knows
    /// which one counts.
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
    /// Whether the file is created if it does not exist: with mode 0644, or 0600 if a secret is put into it. If packages
    /// are still to be installed, they come first: one of them may bring the file.
    #[default(false)]
    pub create: bool,
    /// What a comment begins with: to tell comments that match `match`, and for the markers of a block,
    /// `# BEGIN uphold NAME` and `# END uphold NAME`.
    #[default("#")]
    #[check(is_one_line, "must be one line of text")]
    pub comment: String,
}

impl Claiming for Line {
    /// It changes a part of its file, as other lines may do, and holds the line that matches alone.
    fn add_claims(&self, claims: &mut Claims) {
        self.target().claim(claims);
        if let Some(pattern) = &self.r#match {
            let what = format!("line of {} that matches {:?}", self.file, pattern.as_str());
            claims.hold(Claim::Other("the", what.into()));
        }
    }
}

impl Resource for Line {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        if self.r#match.is_some()
            && let Some((_, content)) = regular_file::read(&self.file, host)?
        {
            let is_one = self.single().must_be_one(&Document::new(&content));
            is_one.map_err(|error| self.target().failed(error))?;
        }
        match self.block.get() {
            Some(text) if self.markers().is_broken_by(text) => {
                let what = format!("the block `{}` holds one of its own markers", self.name);
                Err(Error::new(ErrorKind::Invalid, what).hint("remove that line, or give it another name"))
            }
            _ => Ok(()),
        }
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<LineState>> {
        let Some((_, content)) = regular_file::read(&self.file, host)? else { return Ok(None) };
        let document = Document::new(&content);
        if self.is_block() {
            let found = self.markers().find(&document).map_err(|error| self.target().failed(error))?;
            return Ok(found.map(|block| LineState { line: String::new(), block }));
        }
        Ok(self.single().find(&document).map(|line| LineState { line, block: Lines::from("") }))
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.target().rewrite(host, |old| {
            let mut document = Document::new(old);
            self.edit(&mut document, step)?;
            Ok(document.content())
        })
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
        let (line, pattern) = (self.line.get().map(String::as_str), self.r#match.as_ref());
        Single { line, pattern, comment: &self.comment }
    }

    fn place(&self) -> Place<'_> {
        match (&self.after, &self.before) {
            (Some(anchor), _) => Place::After(anchor),
            (None, Some(anchor)) => Place::Before(anchor),
            (None, None) => Place::Last,
        }
    }

    fn target(&self) -> EditedFile<'_> {
        EditedFile::named(&self.file, self.create)
    }

    fn edit<'d>(&'d self, document: &mut Document<'d>, step: Step<'_, Self>) -> Result<()> {
        match (step, self.line.get(), self.block.get()) {
            (Step::Remove { .. }, _, _) if self.is_block() => self.markers().remove(document),
            (Step::Remove { .. }, _, _) => {
                self.single().remove(document);
                Ok(())
            }
            (_, Some(line), _) => self.single().put(document, line, self.place()),
            (_, None, Some(block)) => self.markers().put(document, block, self.place()),
            (_, None, None) => Ok(()),
        }
    }
}
