//! A front end of one's own: statements from anywhere, events to anywhere.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use uphold::model::{Action, Attribute, Declaration, Few, Meta, ResourceId, Statement, Trigger};
use uphold::{EventKind, Keep, LocalHost, Mode};

/// Lines of `kind name property=value …` as a configuration.
fn read(text: &str) -> Vec<Statement> {
    text.lines().filter_map(read_line).flatten().collect()
}

fn read_line(line: &str) -> Option<[Statement; 2]> {
    let mut words = line.split_whitespace();
    let id = ResourceId::new(words.next()?, words.next()?);
    let attributes =
        words.filter_map(|word| word.split_once('=')).map(|(k, v)| Attribute::known(k, v)).collect();
    let declaration = Declaration { id: id.clone(), place: None, attributes, meta: Meta::default() };
    let trigger =
        Trigger { id, action: Action::Converge, place: None, depends_on: Few::default(), when: None };
    Some([Statement::Declare(declaration), Statement::Trigger(trigger)])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = uphold::builder().host(LocalHost::rooted(root.path())?).build();
    let (program, diagnostics) =
        engine.check(read("file /srv/a content=hello\ndirectory /srv mode=0755\n"), Keep::All);
    let program = program.ok_or_else(|| format!("{diagnostics:?}"))?;
    let summary = engine.run(&program, Mode::Apply, &mut |event| {
        if let EventKind::Finished { resource, took, .. } = &event.kind {
            println!("{resource} took {took:?}");
        }
    });
    assert_eq!((summary.created, summary.failed), (2, 0));
    Ok(())
}
