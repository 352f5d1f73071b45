//! A process that ends after the run reads on several threads. The result is the same.

use std::num::NonZeroUsize;

use uphold_config::{Reader, Reading};
use uphold_model::{SourceId, Sources};

use crate::print::{diagnostics, statements};
use crate::surroundings::InMemory;

/// The number of blocks that make a text of some MiB.
const MANY: usize = 3_000;

fn block(number: usize) -> String {
    format!("file \"/f{number}\" {{\n  mode    = \"0640\"\n  content = \"{}\\n\"\n}}\n", "x".repeat(1024))
}

/// Reads sources, with the module `m`, in both ways. Returns the diagnostics.
#[track_caller]
fn check(texts: &[String]) -> String {
    let read = |threads: Option<usize>| -> (String, String) {
        let mut sources = Sources::default();
        let ids: Vec<SourceId> = texts.iter().map(|text| sources.add("a.hcl", text)).collect();
        let module = "file \"/m\" {\n  mode = \"0600\"\n}\n";
        let reader = Reader::new(InMemory::with([("m/main.hcl", module)]));
        let reader = threads.and_then(NonZeroUsize::new).into_iter().fold(reader, Reader::until_exit);
        let reading: Reading = reader.read(&mut sources, &ids);
        (statements(&reading), diagnostics(&sources, &reading))
    };
    let expected = read(None);
    for threads in [1, 3] {
        let found = read(Some(threads));
        // Not compared by a macro, which would print some MiB.
        assert!(found.0 == expected.0, "{threads}: other statements");
        assert_eq!(found.1, expected.1, "{threads}");
    }
    expected.1
}

#[test]
fn statements_do_not_depend_on_threads() {
    let all = |other: &dyn Fn(usize) -> String| -> String {
        (0..MANY).map(|number| block(number) + &other(number)).collect()
    };
    assert_eq!(check(&[all(&|_| String::new())]), "");
    let mixed = all(&|number| {
        format!(
            "log \"l{number}\" {{\n  message = <<END\n}}\n{}END\n  after = file[\"/f{number}\"].size\n}}\n",
            block(0)
        )
    });
    assert_eq!(check(&[mixed]), "");
    let calls = "module \"a\" {\n  source = \"./m\"\n}\nmodule \"b\" {\n  source = \"./m\"\n}\n";
    assert_eq!(check(&[calls.to_owned(), all(&|_| String::new()), block(MANY)]), "");
}

#[test]
fn diagnostics_do_not_depend_on_threads() {
    let at = |mistake: &str, places: &[usize]| -> String {
        let other = |number| if places.contains(&number) { mistake } else { "" };
        (0..MANY).map(|number| block(number) + other(number)).collect()
    };
    for mistake in
        ["log \"a\" {\n  a = 1 +\n}\n", "log \"a\" {\n  a = local.b\n}\n", "x\n}\n", "/*\n", "a: b\n"]
    {
        assert_ne!(check(&[at(mistake, &[10, MANY / 2, MANY - 1])]), "");
    }
    let kind = "kind \"file\" {\n  source = \"./m\"\n}\n";
    assert_ne!(check(&[at(kind, &[MANY - 1])]), "");
}
