//! Pages of the guide: sections, each with files and commands.
//!
//! A section begins with a heading of the second level and has a sandbox of its own. A block of code whose language is
//! followed by a name is a file: "hcl site.hcl". A `console` block holds commands, each after `$ `, with their output;
//! an exit status other than 0 and 2 follows as `[exit 1]`. Only root runs a `console root` block. A `rust` block with a path shows that file of the
//! repository. Other blocks are only text, but `hcl` and `lua` must have a name.

use std::fs;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::sandbox::Sandbox;

const FENCE: &str = "```";

/// One page of `docs`.
pub(crate) struct Page {
    path: PathBuf,
    /// The file name.
    pub(crate) name: String,
    pub(crate) text: String,
}

/// A section of a page of how-to guides.
pub(crate) struct HowTo<'a> {
    pub(crate) title: &'a str,
    /// Whether a test runs its configuration or program.
    pub(crate) is_run: bool,
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The pages of a directory of `docs` whose names begin with `prefix`, sorted by name.
pub(crate) fn below(directory: &str, prefix: &str) -> Vec<Page> {
    let entries =
        fs::read_dir(repository().join("docs").join(directory)).expect("the directory can be listed");
    let names =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("a UTF-8 name"));
    let mut names: Vec<String> =
        names.filter(|name| name.starts_with(prefix) && name.ends_with(".md")).collect();
    names.sort();
    names.iter().map(|name| Page::read(&Path::new(directory).join(name).to_string_lossy())).collect()
}

impl Page {
    /// A page by its path below `docs`.
    pub(crate) fn read(name: &str) -> Self {
        let path = repository().join("docs").join(name);
        let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
        let name = path.file_name().expect("a file name").to_string_lossy().into_owned();
        Self { path, name, text }
    }

    /// The difference between the page and the output of its commands, if any.
    pub(crate) fn difference(&self) -> Option<String> {
        let played: String = self.sections().map(play).collect();
        if std::env::var_os("UPHOLD_BLESS").is_some() {
            fs::write(&self.path, &played).expect("the page can be written");
        }
        let diff = TextDiff::from_lines(&self.text, &played);
        let shown = diff.unified_diff().header("the page", "what happens").to_string();
        (self.text != played).then(|| format!("{}\n{shown}", self.path.display()))
    }

    /// Differences from the common format in the `*.hcl` files of the page.
    pub(crate) fn unformatted(&self) -> Vec<String> {
        let files = self.sections().flat_map(blocks).filter_map(|block| block.file());
        let files = files.filter(|(name, _)| name.ends_with(".hcl"));
        files.filter_map(|(name, text)| Sandbox::new().format_difference(name, text)).collect()
    }

    /// The how-to guides of the page.
    pub(crate) fn guides(&self) -> impl Iterator<Item = HowTo<'_>> {
        self.sections().filter_map(|section| {
            let (title, _) = section.strip_prefix("## ")?.split_once('\n')?;
            let is_run = blocks(section).iter().any(|block| block.runs_uphold() || block.source().is_some());
            Some(HowTo { title, is_run })
        })
    }

    /// The text before the first heading of the second level, then each section with its heading.
    fn sections(&self) -> impl Iterator<Item = &str> {
        let mut starts: Vec<usize> = self.text.match_indices("\n## ").map(|(at, _)| at + 1).collect();
        let mut ends = starts.clone();
        starts.insert(0, 0);
        ends.push(self.text.len());
        starts.into_iter().zip(ends).map(|(start, end)| &self.text[start..end])
    }
}

impl HowTo<'_> {
    /// The fragment of a link to the heading.
    pub(crate) fn anchor(&self) -> String {
        let kept = self.title.to_lowercase().replace(' ', "-");
        kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
    }
}

/// A block of code: the words after its fence, and its text.
struct Block<'a> {
    info: &'a str,
    text: &'a str,
}

impl<'a> Block<'a> {
    fn parse(code: &'a str) -> Self {
        let (info, text) = code.split_once('\n').unwrap_or((code, ""));
        assert!(!matches!(info, "hcl" | "lua"), "a block without a file name is not run:\n{text}");
        Self { info, text }
    }

    /// The file of the repository that the block shows.
    fn source(&self) -> Option<&'a str> {
        self.info.strip_prefix("rust ")
    }

    /// The name and the content of the file that the block declares.
    fn file(&self) -> Option<(&'a str, &'a str)> {
        let (language, name) = self.info.split_once(' ')?;
        (!matches!(language, "rust" | "console")).then_some((name, self.text))
    }

    fn is_console(&self) -> bool {
        self.info.split(' ').next() == Some("console")
    }

    fn runs_uphold(&self) -> bool {
        let mut commands = self.text.lines().filter(|line| line.starts_with("$ "));
        self.is_console() && commands.any(|command| command.contains("uphold "))
    }

    /// Whether the commands need root, for a chroot or another owner, and this user is not root.
    fn is_skipped(&self) -> bool {
        self.info == "console root" && !rustix::process::geteuid().is_root()
    }

    /// The block as it should be, with its fences.
    fn played(&self, sandbox: &Sandbox) -> String {
        let mut text = self.text.to_owned();
        if let Some(path) = self.source() {
            text = fs::read_to_string(repository().join(path)).expect("the shown file can be read");
        } else if let Some((name, text)) = self.file() {
            sandbox.write(name, text);
        } else if self.is_console() && !self.is_skipped() {
            let commands = self.text.lines().filter_map(|line| line.strip_prefix("$ "));
            text = commands.map(|command| sandbox.run(command)).collect();
        }
        format!("{FENCE}{}\n{text}{FENCE}", self.info)
    }
}

fn blocks(section: &str) -> Vec<Block<'_>> {
    section.split(FENCE).skip(1).step_by(2).map(Block::parse).collect()
}

/// The section with the output that its commands print now.
fn play(section: &str) -> String {
    let sandbox = Sandbox::new();
    let parts = section.split(FENCE).enumerate();
    let played = parts.map(|(number, part)| match number % 2 {
        0 => part.to_owned(),
        _ => Block::parse(part).played(&sandbox),
    });
    played.collect()
}
