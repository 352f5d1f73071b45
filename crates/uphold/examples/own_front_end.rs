//! A front end of your own: statements from another format, events to your own printer.
#![expect(clippy::print_stdout, reason = "an example shows what it does")]

use uphold::model::{Action, Attribute, Declaration, Meta, ResourceId, Statement, ThinVec, Trigger};
use uphold::{Configuration, Engine, EventKind, LocalHost};

/// Parses a line `kind name property=value …` as a declared resource.
fn read(line: &str) -> Option<[Statement; 2]> {
    let mut words = line.split_whitespace();
    let (id, place) = (ResourceId::new(words.next()?, words.next()?), None);
    let values = words.filter_map(|word| word.split_once('='));
    let attributes = values.map(|(name, value)| Attribute::known(name, value)).collect();
    let declaration = Declaration { id: id.clone(), place, attributes, meta: Meta::default() };
    let trigger = Trigger { id, action: Action::Converge, place, depends_on: ThinVec::default(), when: None };
    Some([Statement::Declare(declaration), Statement::Trigger(trigger)])
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let root = tempfile::tempdir()?;
    let engine = Engine::on(LocalHost::rooted(root.path())?).build();
    let lines = "file /srv/a content=hello\ndirectory /srv mode=0755\n";
    let statements = lines.lines().filter_map(read).flatten().collect();
    let site = Configuration::from_statements(&engine, statements)?.check()?;
    let summary = site.apply(&mut |event| {
        if let EventKind::Finished { resource, took, .. } = &event.kind {
            println!("{resource} took {took:?}");
        }
    })?;
    assert_eq!(summary.created, 2);
    Ok(())
}
