//! Edits of one file: their order, readers of the file, and edits that undo each other.

use uphold_engine::Mode::Apply;
use uphold_resource::{
    AbsolutePath, Access, Act, Claim, Claiming, Claims, Error, Found, Look, NewFile, Reading, Resource,
    Result, Step, Want,
};

use super::check::SharedHost;
use super::reading::run;

/// A word in a file, added at its end.
#[derive(Resource)]
#[resource(kind = "word", claims)]
pub(crate) struct Word {
    #[name]
    name: String,
    #[required]
    file: AbsolutePath,
    /// Fails before it writes.
    #[default(false)]
    fails: bool,
    /// Besides adding the word, removes this one.
    instead_of: Option<String>,
    #[enforce(true)]
    there: Want<bool>,
}

impl Claiming for Word {
    fn add_claims(&self, claims: &mut Claims) {
        claims.put_part(Claim::Path(self.file.to_path_buf()));
    }
}

impl Word {
    fn text(&self, host: &Reading<'_>) -> Result<String> {
        match host.files().look(&self.file)? {
            Some(_) => Ok(String::from_utf8_lossy(&host.files().read(&self.file, 0)?).into_owned()),
            None => Ok(String::new()),
        }
    }
}

impl Resource for Word {
    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let there = self.text(look)?.split_whitespace().any(|word| word == self.name);
        Ok(there.then_some(WordState { there }).into())
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        if self.fails {
            return Err(Error::failed("no such word"));
        }
        let old = self.text(host)?;
        let mut words: Vec<&str> = old.split_whitespace().collect();
        words.retain(|word| *word != self.name && self.instead_of.as_deref() != Some(word));
        if !matches!(step, Step::Remove { .. }) {
            words.push(&self.name);
        }
        let access = Access { mode: Some(0o644), ..Access::default() };
        host.edits().write(&self.file, &NewFile::new(words.join(" ").as_bytes(), access))
    }
}

/// Words of `/d/a`, each with more in its block.
fn words(words: &[(&str, &str)]) -> String {
    let word = |(name, more): &(&str, &str)| format!("word \"{name}\" {{\n file = \"/d/a\"\n{more}\n}}\n");
    words.iter().map(word).collect()
}

#[test]
fn edits_of_a_file_that_could_not_be_written_are_skipped() {
    let host = SharedHost::new();
    let text = words(&[("x", ""), ("y", ""), ("z", "")]) + "word \"o\" { file = \"/d/b\" }\n";
    host.0.fail_after(1);
    let transcript = run(&host, Apply, 1, &text);
    assert!(transcript.contains("2 changed, 1 failed, 1 skipped"), "{transcript}");
    assert_eq!(host.text("/d/a").as_deref(), Some("x"));
    assert_eq!(host.text("/d/b").as_deref(), Some("o"), "another file is no part of it");
    run(&host, Apply, 1, &text);
    assert_eq!(host.text("/d/a").as_deref(), Some("x y z"));
}

#[test]
fn an_edit_that_fails_before_it_writes_blocks_no_other() {
    let host = SharedHost::new();
    let transcript = run(&host, Apply, 1, &words(&[("x", "fails = true"), ("y", "")]));
    assert!(transcript.contains("1 changed, 1 failed, 0 skipped"), "{transcript}");
    assert_eq!(host.text("/d/a").as_deref(), Some("y"));
}

#[test]
fn readers_of_a_file_wait_for_all_its_edits() {
    let copies = "copy \"/d/1\" { from = \"/d/a\" }\ncopy \"/d/2\" { from = \"/d/a\" }\n".to_owned();
    // The last word has to come first, so that the edits are reordered.
    let text = copies + &words(&[("x", "depends_on = [word.z]"), ("y", ""), ("z", "")]);
    for jobs in [1, 8] {
        let host = SharedHost::new();
        let transcript = run(&host, Apply, jobs, &text);
        assert!(transcript.contains("5 changed, 0 failed"), "{transcript}");
        let source = host.text("/d/a");
        assert_eq!([host.text("/d/1"), host.text("/d/2")], [source.clone(), source]);
    }
}

#[test]
fn an_edit_that_another_one_undid_fails() {
    let host = SharedHost::new();
    let text = words(&[("x", ""), ("w", ""), ("y", "instead_of = \"x\"")]);
    let transcript = run(&host, Apply, 1, &text);
    assert!(transcript.contains("it was changed again by word.y"), "{transcript}");
    assert!(transcript.contains("3 changed, 1 failed"), "{transcript}");
    // Without a write, nothing is loaded twice.
    let text = words(&[("w", ""), ("y", "instead_of = \"x\"")]);
    let transcript = run(&host, Apply, 1, &text);
    assert!(transcript.contains("2 ok, 0 changed, 0 failed"), "{transcript}");
}
