//! Below another root, scripts cannot reach anything outside.
#![expect(clippy::disallowed_methods, reason = "the test prepares real files")]

use std::fs;

use uphold_engine::{Engine, Event, EventKind, Keep, Mode, Verdict};
use uphold_host::LocalHost;
use uphold_model::{Declaration, Meta, ResourceId, Statement, ThinVec, Trigger};

use crate::bench::Bench;

/// Runs a body below a root, with a secret beside it. The result is the failure, if any.
fn under(directory: &std::path::Path, body: &str) -> String {
    let text = format!("function actions.create()\n{body}\nend");
    let kinds = Bench::new(&[("bad", &text)]).kinds;
    let host = LocalHost::rooted(&directory.join("root")).expect("a directory");
    let engine = Engine::on(host).kinds(kinds);
    let id = ResourceId::new("bad", "x");
    let declaration =
        Declaration { id: id.clone(), place: None, attributes: Box::default(), meta: Meta::default() };
    let action = uphold_model::Action::Converge;
    let trigger = Trigger { id, action, place: None, depends_on: ThinVec::default(), when: None };
    let (program, problems) =
        engine.check(vec![Statement::Declare(declaration), Statement::Trigger(trigger)], Keep::All);
    let mut output = String::new();
    let program = program.unwrap_or_else(|| panic!("{problems:?}"));
    engine.run(&program, Mode::Apply, &mut |event: &Event| {
        if let EventKind::Finished { verdict: Verdict::Failed(failure), .. } = &event.kind {
            output = format!("{}: {}", failure.message, failure.causes.join(": "));
        }
    });
    output
}

#[test]
fn reads_and_writes_nothing_outside_the_root() {
    let ground = tempfile::tempdir().expect("a directory");
    let path = |name: &str| ground.path().join(name);
    fs::create_dir_all(path("root/srv")).expect("a directory");
    fs::write(path("secret"), "hunter2").expect("a file");
    std::os::unix::fs::symlink("../../secret", path("root/srv/link")).expect("a link");
    std::os::unix::fs::symlink(ground.path(), path("root/srv/out")).expect("a link");
    let outside = path("secret").display().to_string();
    for name in
        ["/../secret", "/../../../../secret", "/srv/../../secret", "/srv/link", "/srv/out/secret", &outside]
    {
        let output = under(ground.path(), &format!("fs.write(\"/found\", fs.read(\"{name}\"))"));
        assert!(output.contains("kinds/bad.luau:2"), "{name}: {output}");
        assert!(!output.contains("hunter2"), "{name}: {output}");
        assert!(!path("root/found").exists(), "{name}");
        under(ground.path(), &format!("fs.write(\"{name}\", \"broken\")"));
        under(ground.path(), &format!("fs.remove(\"{name}\")"));
        under(ground.path(), &format!("fs.chmod(\"{name}\", \"0777\")"));
        assert_eq!(fs::read_to_string(path("secret")).expect("the secret"), "hunter2", "{name}");
    }
    assert_eq!(under(ground.path(), "fs.write(\"/srv/x\", \"inside\")"), "");
    assert_eq!(fs::read_to_string(path("root/srv/x")).expect("it was written"), "inside");
}
