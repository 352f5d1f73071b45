//! Pages of diagnostic codes: each wrong example gives its code, each correct one no error, and each code is used.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;
use uphold::model::{Code, Severity};
use uphold_testbed::isolate;

/// The code blocks of a page: the info string of the fence, and the text.
fn examples(code: Code) -> Vec<(&'static str, &'static str)> {
    let fenced = code.page().split("```").skip(1).step_by(2);
    fenced.map(|block| block.split_once('\n').expect("a fence is a line")).collect()
}

/// The name of a file, written as a comment above its text.
fn file_name(line: &str) -> Option<&str> {
    let name = line.strip_prefix("# ")?;
    let ends = [".hcl", ".json", ".luau", ".txt"];
    (!name.contains(' ') && ends.iter().any(|end| name.ends_with(end))).then_some(name)
}

/// Writes an example into a folder and checks it: tests are run, all other configurations validated.
fn check(text: &str) -> (Output, BTreeSet<Code>) {
    let folder = TempDir::new().expect("a folder");
    let mut files = vec![("site.hcl", String::new())];
    for line in text.lines() {
        if let Some(name) = file_name(line) {
            files.push((name, String::new()));
        } else if let Some((_, text)) = files.last_mut() {
            *text += &format!("{line}\n");
        }
    }
    for (name, text) in &files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    }
    let has_tests = files.iter().any(|(name, _)| name.ends_with(".test.hcl"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_uphold"));
    command.arg(if has_tests { "test" } else { "validate" }).arg("--json");
    let ran = isolate(&mut command, folder.path()).output().expect("the command runs");
    let printed = String::from_utf8_lossy(&ran.stdout);
    let ids = printed.split("\"code\":\"").skip(1).filter_map(|rest| rest.split('"').next());
    let codes = ids.map(|id| Code::find(id).expect("a code")).collect();
    (ran, codes)
}

#[test]
fn the_examples_of_every_page_give_their_codes() {
    let mut checked = 0;
    for code in Code::ALL {
        for (fence, text) in examples(*code) {
            let (ran, codes) = match fence {
                "hcl" | "hcl,wrong" => check(text),
                "hcl,unchecked" | "sh" => continue,
                _ => panic!("{code}: unknown fence {fence}"),
            };
            checked += 1;
            if fence == "hcl" {
                assert!(ran.status.success(), "{code}: {text}{ran:?}");
            } else {
                assert!(codes.contains(code), "{code}: {text}{ran:?}");
                assert_eq!(ran.status.success(), code.severity() == Severity::Warning, "{code}: {ran:?}");
            }
        }
    }
    assert!(checked >= 250, "{checked} examples are checked");
}

#[test]
fn every_page_has_a_text_and_two_examples() {
    // Neither can be shown by an example: a defect of a program, and a consequence of many other errors.
    let without = [Code::UnbalancedGroup, Code::TooManyProblems];
    for code in Code::ALL {
        let expected = if without.contains(code) { 0 } else { 2 };
        assert_eq!(examples(*code).len(), expected, "{code}");
        let page = code.page();
        assert!(page.starts_with(char::is_alphanumeric) || page.starts_with('`'), "{code}: {page}");
        assert!(page.lines().all(|line| line.chars().count() <= 140), "{code} has a long line");
    }
}

#[test]
fn ids_and_summaries_are_unique() {
    let ids: Vec<&str> = Code::ALL.iter().map(|code| code.id()).collect();
    let well_formed = |id: &&str| {
        let digits = id.strip_prefix(['E', 'W']).unwrap_or_default();
        digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_digit())
    };
    assert!(ids.iter().all(well_formed), "{ids:?}");
    let summaries: BTreeSet<&str> = Code::ALL.iter().map(|code| code.summary()).collect();
    assert_eq!(summaries.len(), Code::ALL.len());
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
}

/// The sources of all crates but the table of codes itself.
fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).expect("a folder").map(|entry| entry.expect("an entry").path())
    {
        if entry.is_dir() && !entry.ends_with("tests") && !entry.ends_with("target") {
            sources(&entry, found);
        } else if entry.extension().is_some_and(|end| end == "rs") && !entry.ends_with("model/src/code.rs") {
            found.push(entry);
        }
    }
}

#[test]
fn every_code_is_used() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the folder of all crates");
    let mut files = Vec::new();
    sources(crates, &mut files);
    let text: String = files.iter().map(|file| std::fs::read_to_string(file).expect("a source")).collect();
    let used: BTreeSet<&str> = text
        .split("Code::")
        .skip(1)
        .filter_map(|rest| rest.split(|c: char| !c.is_alphanumeric()).next())
        .collect();
    let unused: Vec<&Code> = Code::ALL.iter().filter(|code| !used.contains(&*format!("{code:?}"))).collect();
    assert!(unused.is_empty(), "{unused:?}");
}
