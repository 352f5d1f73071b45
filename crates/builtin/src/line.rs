//! The kind `line`.

mod block;

use std::borrow::Cow;

use block::{Block, Insertion};
use uphold_kit::checks::is_one_line;
use uphold_kit::document::Document;
use uphold_kit::edited_file::EditedFile;
use uphold_kit::pattern::Pattern;
use uphold_kit::regular_file;
use uphold_kit::verification::Verification;
use uphold_resource::{
    AbsolutePath, Act, Claim, Claiming, Claims, Error, ErrorKind, Found, Look, Previous, Problem, Resource,
    Result, Step, Want,
};

pub use block::{Anchor, Lines};

/// A line, or a block of lines, in a file.
///
/// The rest of the file is kept: line endings, a missing final one, mode and owner. Several resources can edit one
/// file; they are applied in the order in which they are written. Resources with `auto_edges = false` are not part
/// of that order: order them with `depends_on`, because two edits at the same time would undo each other. A line is
/// identified by its text or by `match`, a block by its markers.
///
/// Without `after` and `before`, new lines are added at the end, in the order of their blocks. A line that fails, for
/// example because several lines match its `match`, does not stop the others: once it is fixed, the next run adds it
/// after them. If the file cannot be written, the remaining lines of that file are skipped in that run, so that their
/// order is kept.
///
/// A file whose whole content is declared, as by `file` with `content`, cannot have a `line`; two `line`s of one
/// file with the same `match` are an error.
///
/// Removing it removes every line that equals `line` or matches `match`; without those, the block with its markers.
///
/// A new line is added at the end, unless `after` or `before` says where. In a file with sections, such as the `Match`
/// blocks of `sshd_config`, it would be in the last one: edit such a file with `ini`.
///
/// ```hcl
/// line "password age" {
///   file  = "/etc/login.defs"
///   match = "^#?PASS_MAX_DAYS"
///   line  = "PASS_MAX_DAYS 90"
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
    /// Name; defaults to the block's label. The markers of a block contain it.
    #[name]
    #[check(is_one_line, "must be a single line")]
    pub name: String,
    /// Path of the file.
    #[also("path", "dest")]
    #[required]
    pub file: AbsolutePath,
    /// Text of the line. It replaces the line that matches `match`; if none matches, and no line has this text, it
    /// is added. A matching line that is not a comment takes precedence over comments. Several matching lines with
    /// different texts are an error, because only the program that reads the file knows which one takes effect.
    #[check(is_one_line, "must be a single line; use `block` for several")]
    pub line: Want<String>,
    /// Several lines, placed between two marker lines.
    pub block: Want<Lines>,
    /// Regular expression for the line to replace. It is searched in the line: `^` and `$` stand for its start and end.
    /// Not for a block.
    #[also("regexp", "regex", "search_string")]
    pub r#match: Option<Pattern>,
    /// Insert a new line or block after the last line that matches this regular expression; `"EOF"` is the end of
    /// the file, `"BOF"` its start. If no line matches, it is added at the end. Existing lines are not moved.
    #[also("insertafter")]
    pub after: Option<Anchor>,
    /// Insert a new line or block before the first line that matches this regular expression; `"BOF"` is the start
    /// of the file, `"EOF"` its end. If no line matches, it is added at the end. Existing lines are not moved.
    #[also("insertbefore")]
    pub before: Option<Anchor>,
    /// Create the file if it does not exist: with mode 0644, or 0600 if the text is a secret. Pending packages are
    /// installed first, because one of them may provide the file.
    #[default(false)]
    pub create: bool,
    /// Check of the new file.
    #[flatten(settings)]
    pub verification: Verification,
    /// Comment prefix. Used to recognise comments that match `match`, and for the markers of a block, `# BEGIN
    /// uphold NAME` and `# END uphold NAME`.
    #[default("#")]
    #[check(is_one_line, "must be a single line")]
    pub comment: String,
}

impl Claiming for Line {
    /// Other lines may be edited in the same file, but only one resource may use each `match`.
    fn add_claims(&self, claims: &mut Claims) {
        self.target().claim(claims);
        if let Some(pattern) = &self.r#match {
            let what = format!("line of {} that matches {:?}", self.file, pattern.as_str());
            claims.hold(Claim::Other("the", what.into()));
        }
    }
}

impl Resource for Line {
    fn validate(&self) -> Result<(), Problem> {
        match self.block.get() {
            Some(text) if self.markers().is_broken_by(text) => {
                let fix = "remove that line, or change `name`";
                Err(Problem::new(None, "contains one of its own markers", fix).inside("block"))
            }
            _ => Ok(()),
        }
    }

    fn prepare(&self, look: &Look<'_>) -> Result<LineWishes> {
        if self.r#match.is_some()
            && let Some((_, content)) = regular_file::read(&self.file, look)?
        {
            let is_one = self.single().must_be_one(&Document::new(&content));
            is_one.map_err(|error| self.target().failed(error))?;
        }
        Ok(LineWishes::default())
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some((_, content)) = regular_file::read(&self.file, look)? else { return Ok(Found::Absent) };
        let document = Document::new(&content);
        if self.is_block() {
            let found = self.markers().find(&document).map_err(|error| self.target().failed(error))?;
            return Ok(found.map(|block| LineState { line: String::new(), block }).into());
        }
        Ok(self.single().find(&document).map(|line| LineState { line, block: Lines::from("") }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        self.target().rewrite(host, |old| {
            let mut document = Document::new(old);
            self.edit(&mut document, step)?;
            Ok(document.content())
        })
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        self.target().previous(false)
    }
}

impl Line {
    /// Without a line and a pattern it is a block.
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

    fn place(&self) -> Insertion<'_> {
        match (&self.after, &self.before) {
            (Some(anchor), _) => Insertion::After(anchor),
            (None, Some(anchor)) => Insertion::Before(anchor),
            (None, None) => Insertion::Last,
        }
    }

    fn target(&self) -> EditedFile<'_> {
        EditedFile::named(&self.file, self.create).verified(&self.verification)
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

// A single line of a file.

/// The maximum number of line numbers shown.
const SHOWN: usize = 5;

/// Identifies a line by its text or by a pattern.
#[derive(Clone, Copy)]
pub(crate) struct Single<'a> {
    pub(crate) line: Option<&'a str>,
    pub(crate) pattern: Option<&'a Pattern>,
    /// The comment prefix.
    pub(crate) comment: &'a str,
}

impl Single<'_> {
    fn matches(&self, text: &[u8]) -> bool {
        self.line.is_some_and(|line| line.as_bytes() == text)
            || self.pattern.is_some_and(|pattern| pattern.matches(text))
    }

    fn is_comment(&self, text: &[u8]) -> bool {
        text.trim_ascii_start().starts_with(self.comment.as_bytes())
    }

    /// The first matching line that is not a comment, otherwise the first matching line. A line that already has
    /// the right text counts as well: otherwise the next run would replace the next match, and so on.
    fn position(&self, document: &Document<'_>) -> Option<usize> {
        let is_active = |text: &[u8]| self.matches(text) && !self.is_comment(text);
        let active = document.lines().position(is_active);
        active.or_else(|| document.lines().position(|text| self.matches(text)))
    }

    /// # Errors
    /// If several lines that are not comments match: only the program that reads the file knows which one takes
    /// effect.
    pub(crate) fn must_be_one(&self, document: &Document<'_>) -> Result<()> {
        let (Some(pattern), Some(line)) = (self.pattern, self.line) else { return Ok(()) };
        let matches = |text: &[u8]| pattern.matches(text) && !self.is_comment(text);
        let found: Vec<usize> =
            document.lines().enumerate().filter(|(_, text)| matches(text)).map(|(at, _)| at).collect();
        let is_right = |at: &usize| document.lines().nth(*at) == Some(line.as_bytes());
        if found.len() < 2 || found.iter().all(is_right) {
            return Ok(());
        }
        let numbers: Vec<String> = found.iter().take(SHOWN).map(|at| (at + 1).to_string()).collect();
        let more = if found.len() > SHOWN { ", …" } else { "" };
        let what = format!("`match` matches several lines: {}{more}", numbers.join(", "));
        Err(Error::new(ErrorKind::Rejected, what)
            .hint("make `match` more specific, so that it matches one of them"))
    }

    /// The current text of the line.
    pub(crate) fn find(&self, document: &Document<'_>) -> Option<String> {
        let at = self.position(document)?;
        document.lines().nth(at).map(|text| String::from_utf8_lossy(text).into_owned())
    }

    /// Sets the text; a new line is added at `place`.
    pub(crate) fn put<'d>(
        &self,
        document: &mut Document<'d>,
        line: &'d str,
        place: Insertion<'_>,
    ) -> Result<()> {
        self.must_be_one(document)?;
        match self.position(document) {
            Some(at) => document.replace(at, line.as_bytes()),
            None => {
                let at = place.index(document);
                document.splice(at, at, [Cow::Borrowed(line.as_bytes())].into_iter());
            }
        }
        Ok(())
    }

    /// Removes every matching line.
    pub(crate) fn remove(&self, document: &mut Document<'_>) {
        document.retain(|text| !self.matches(text));
    }
}
