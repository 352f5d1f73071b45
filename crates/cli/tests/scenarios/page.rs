//! Scenario pages: text, files, and commands with their output.
//!
//! A code block whose language is followed by a name is a file: "hcl site.hcl". In a `console` block, each line after
//! `$ ` is a shell command, followed by its output. Standard error follows after `[stderr]`, and an exit status other
//! than 0 as `[exit 1]`. The rest is only text. With `UPHOLD_BLESS=1` the output is rewritten: review the difference.

use std::fs;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use super::bench::Bench;

const FENCE: &str = "```";

/// One scenario.
pub(crate) struct Page {
    path: PathBuf,
    text: String,
}

/// The directory of the pages.
pub(crate) fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios")
}

/// The pages of a directory, sorted by name; or a single page.
pub(crate) fn all(path: &str) -> Vec<Page> {
    let path = home().join(path);
    let mut paths: Vec<PathBuf> = if path.is_file() {
        vec![path]
    } else {
        let entries = fs::read_dir(path).expect("the directory exists");
        entries.map(|entry| entry.expect("an entry").path()).collect()
    };
    paths.sort();
    let read = |path: PathBuf| Page { text: fs::read_to_string(&path).expect("a text"), path };
    paths.into_iter().map(read).collect()
}

impl Page {
    /// The difference between the page and the real output, if any.
    pub(crate) fn difference(&self) -> Option<String> {
        let happened = self.with_current_output();
        if std::env::var_os("UPHOLD_BLESS").is_some() {
            fs::write(&self.path, &happened).expect("the page can be written");
        }
        let diff = TextDiff::from_lines(&self.text, &happened);
        let shown = diff.unified_diff().header("expected", "happened").to_string();
        (self.text != happened).then(|| format!("{}\n{shown}", self.path.display()))
    }

    /// The page with the current output of its commands.
    fn with_current_output(&self) -> String {
        let bench = Bench::new();
        let (mut rewritten, mut commands) = (String::new(), 0);
        for (number, part) in self.text.split(FENCE).enumerate() {
            let is_code = number % 2 == 1;
            let (head, body) = part.split_once('\n').unwrap_or((part, ""));
            rewritten += if is_code { FENCE } else { "" };
            match (is_code, head.split_once(' ')) {
                (true, Some((_, name))) => bench.write(name, body),
                (true, None) if head == "console" => {
                    let commands_of_block = body.lines().filter_map(|line| line.strip_prefix("$ "));
                    let outputs = commands_of_block.map(|command| bench.answer(command));
                    let outputs: Vec<String> = outputs.collect();
                    commands += outputs.len();
                    rewritten += &format!("console\n{}{FENCE}", outputs.concat());
                    continue;
                }
                _ => {}
            }
            rewritten += part;
            rewritten += if is_code { FENCE } else { "" };
        }
        assert!(commands > 0, "{} runs nothing", self.path.display());
        rewritten
    }
}
