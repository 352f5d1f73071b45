//! All examples: scenario pages, documents, the README, the template of `init`, and the folders of `examples`.

use std::fs;
use std::path::{Path, PathBuf};

use super::forecast::Forecast;
use super::sandbox::Sandbox;

const FENCE: &str = "```";

/// One configuration.
pub(crate) struct Example {
    pub(crate) name: String,
    files: Vec<(String, String)>,
    arguments: Vec<String>,
}

impl Example {
    /// None if it is not a complete configuration.
    pub(crate) fn forecast(&self) -> Option<Forecast> {
        let sandbox = Sandbox::new();
        self.files.iter().for_each(|(name, text)| sandbox.write(name, text));
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        sandbox.forecast(&arguments).ok()
    }
}

/// All examples that can be planned and applied on an empty machine.
pub(crate) fn all() -> Vec<Example> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all: Vec<Example> =
        pages(&here.join("tests/scenarios")).iter().flat_map(|page| of_scenario(page)).collect();
    let docs = here.join("../../docs");
    let mut documents = pages(&docs);
    documents.push(here.join("../../README.md"));
    all.extend(documents.iter().flat_map(|page| of_document(page)));
    all.push(folder(&here.join("src/init_template")));
    let examples = fs::read_dir(here.join("../../examples")).expect("a directory");
    let examples = examples.map(|entry| entry.expect("an entry").path());
    all.extend(examples.filter(|path| !needs_host(path)).map(|path| folder(&path)));
    all.push(Example {
        name: "demo.hcl".to_owned(),
        files: vec![("site.hcl".to_owned(), read(&here.join("src/demo.hcl")))],
        arguments: in_root(),
    });
    all.retain(|example| !example.files.iter().any(|(_, text)| cannot_converge(text)));
    all
}

/// Examples that wait for something never converge on an empty machine, and no plan can predict two tasks that change
/// one path without a dependency between them.
fn cannot_converge(text: &str) -> bool {
    let unsupported = ["wait_", "not_until", "retry", "task \"whole path\""];
    unsupported.iter().any(|word| text.contains(word))
}

/// Whether it needs tools that an empty machine does not have; `machine_webserver` tests it.
fn needs_host(folder: &Path) -> bool {
    folder.ends_with("webserver")
}

fn in_root() -> Vec<String> {
    ["--root", "root"].map(str::to_owned).to_vec()
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).expect("a text")
}

fn entries(directory: &Path) -> impl Iterator<Item = PathBuf> {
    fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path())
}

/// All pages below a directory, sorted.
fn pages(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut ahead = vec![directory.to_owned()];
    while let Some(path) = ahead.pop() {
        if path.is_dir() {
            ahead.extend(entries(&path));
        } else if path.extension().is_some_and(|end| end == "md") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// The code blocks of a page: the info string of the fence, and the text.
fn blocks(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split(FENCE).skip(1).step_by(2).filter_map(|part| part.split_once('\n'))
}

fn name(path: &Path) -> String {
    let parts: Vec<_> =
        path.components().rev().take(2).map(|part| part.as_os_str().to_string_lossy()).collect();
    parts.into_iter().rev().collect::<Vec<_>>().join("/")
}

/// For each `console` block: the files so far, and each command line that plans or applies them.
fn of_scenario(path: &Path) -> Vec<Example> {
    let (mut found, mut files) = (Vec::<Example>::new(), Vec::new());
    for (head, body) in blocks(&read(path)) {
        match head.split_once(' ') {
            Some((_, file)) => {
                files.retain(|(other, _)| other != file);
                files.push((file.to_owned(), body.to_owned()));
            }
            None if head == "console" => {
                for arguments in body.lines().filter_map(arguments) {
                    let known = |example: &Example| example.files == files && example.arguments == arguments;
                    if !found.iter().any(known) {
                        let name = format!("{} {}", name(path), found.len() + 1);
                        found.push(Example { name, files: files.clone(), arguments });
                    }
                }
            }
            None => {}
        }
    }
    found
}

/// The arguments of a simple command line that plans or applies.
fn arguments(line: &str) -> Option<Vec<String>> {
    let rest = ["$ uphold plan", "$ uphold apply"].iter().find_map(|verb| line.strip_prefix(verb))?;
    let words: Vec<String> = rest.split_whitespace().map(str::to_owned).collect();
    let others = ["--out", "--json", "--ask", "--jobs", "--stdin"];
    let plain = !rest.contains(|letter: char| "|;&<>$'\"".contains(letter));
    let usual = plain && !words.iter().any(|word| others.iter().any(|other| word.starts_with(other)));
    usual.then_some(words)
}

/// Each block separately; incomplete configurations are refused.
fn of_document(path: &Path) -> Vec<Example> {
    let text = read(path);
    let blocks = blocks(&text).filter(|(head, _)| *head == "hcl").enumerate();
    let example = |(number, (_, body)): (usize, (&str, &str))| Example {
        name: format!("{} {}", name(path), number + 1),
        files: vec![("site.hcl".to_owned(), body.to_owned())],
        arguments: in_root(),
    };
    blocks.map(example).collect()
}

/// All files of a folder as one configuration.
fn folder(directory: &Path) -> Example {
    let mut files = Vec::new();
    let mut ahead = vec![directory.to_owned()];
    while let Some(path) = ahead.pop() {
        if path.is_dir() {
            ahead.extend(entries(&path));
        } else {
            let name = path.strip_prefix(directory).expect("it is below").display().to_string();
            files.push((name, read(&path)));
        }
    }
    Example { name: name(directory), files, arguments: in_root() }
}
