//! Scenarios as pages: text for people, files, and commands with all that they say.
//!
//! A block of code whose language is followed by a name is a file: "hcl site.hcl". One in `console` is a
//! conversation: what follows `$ ` is handed to a shell, and what stands below it is all that came back. Standard
//! error follows after `[stderr]`, and an exit status other than 0 as `[exit 1]`. Everything else is for people.
//! With `UPHOLD_BLESS=1` the answers are written anew: read the difference before you keep it.

use std::fs;
use std::path::{Path, PathBuf};

use similar::TextDiff;

use crate::bench::Bench;

const FENCE: &str = "```";

/// One scenario.
pub(crate) struct Page {
    path: PathBuf,
    text: String,
}

/// Where the pages are.
pub(crate) fn home() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/scenarios")
}

/// The pages of a directory, by name; or the page itself.
pub(crate) fn all(path: &str) -> Vec<Page> {
    let path = home().join(path);
    let mut paths: Vec<PathBuf> = match path.is_file() {
        true => vec![path],
        false => {
            let entries = fs::read_dir(path).expect("the directory is there");
            entries.map(|entry| entry.expect("an entry").path()).collect()
        }
    };
    paths.sort();
    let read = |path: PathBuf| Page { text: fs::read_to_string(&path).expect("a text"), path };
    paths.into_iter().map(read).collect()
}

impl Page {
    /// How the page differs from what happens, if it does.
    pub(crate) fn mistake(&self) -> Option<String> {
        let happened = self.played();
        if std::env::var_os("UPHOLD_BLESS").is_some() {
            fs::write(&self.path, &happened).expect("the page can be written");
        }
        let diff = TextDiff::from_lines(&self.text, &happened);
        let shown = diff.unified_diff().header("expected", "happened").to_string();
        (self.text != happened).then(|| format!("{}\n{shown}", self.path.display()))
    }

    /// The page with the answers that its commands give now.
    fn played(&self) -> String {
        let bench = Bench::new();
        let (mut anew, mut commands) = (String::new(), 0);
        for (number, part) in self.text.split(FENCE).enumerate() {
            let is_code = number % 2 == 1;
            let (head, body) = part.split_once('\n').unwrap_or((part, ""));
            anew += if is_code { FENCE } else { "" };
            match (is_code, head.split_once(' ')) {
                (true, Some((_, name))) => bench.write(name, body),
                (true, None) if head == "console" => {
                    let asked = body.lines().filter_map(|line| line.strip_prefix("$ "));
                    let said = asked.map(|command| bench.answer(command));
                    let said: Vec<String> = said.collect();
                    commands += said.len();
                    anew += &format!("console\n{}{FENCE}", said.concat());
                    continue;
                }
                _ => {}
            }
            anew += part;
            anew += if is_code { FENCE } else { "" };
        }
        assert!(commands > 0, "{} runs nothing", self.path.display());
        anew
    }
}
