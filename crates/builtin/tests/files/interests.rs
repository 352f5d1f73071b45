//! The interests of kinds with a path.

use uphold_model::{Action, Value};
use uphold_resource::Interest;
use uphold_testkit::MemoryHost;

use super::driver::Block;

/// Checks the interests of a block with a label and properties.
fn check(kind: &'static str, label: &str, values: &[(&'static str, Value)], expected: &[Interest]) {
    let host = MemoryHost::new().group("www", 33).user("app", 1000);
    let block =
        values.iter().fold(Block::new(kind, label), |block, (name, value)| block.set(name, value.clone()));
    assert_eq!(
        block.decode(&Action::Converge).interests(&host.act()),
        expected,
        "{kind} {label}: {values:?}"
    );
}

fn path(path: &str) -> Interest {
    Interest::Path(path.into())
}

fn tree(path: &str) -> Interest {
    Interest::Tree(path.into())
}

#[test]
fn watches_their_paths() {
    let both = [path("/f"), path("/s")];
    check("file", "/f", &[("content", "x".into()), ("verify", "test -s {}".into())], &[path("/f")]);
    check("file", "/f", &[("source", "/s".into())], &both);
    check("file", "label", &[("path", "/f".into())], &[path("/f")]);
    check("directory", "/d", &[("recursive", true.into())], &[path("/d")]);
    check("directory", "/d", &[("purge", true.into())], &[path("/d"), tree("/d")]);
    check("link", "/f", &[("to", "/s".into())], &[path("/f")]);
    check("link", "/f", &[("to", "/s".into()), ("type", "hard".into())], &both);
    check("link", "/a/f", &[("to", "s".into()), ("type", "hard".into())], &[path("/a/f"), path("/a/s")]);
    check("line", "demo", &[("file", "/f".into()), ("line", "x".into())], &[path("/f")]);
}

/// Thousands of files have an owner, and accounts change for many reasons: only resources with a missing account
/// watch them.
#[test]
fn watches_accounts_until_they_exist() {
    let waits = [path("/f"), Interest::Accounts];
    for kind in ["file", "directory"] {
        check(kind, "/f", &[("owner", "app".into()), ("group", "www".into())], &[path("/f")]);
        check(kind, "/f", &[("owner", Value::Int(77)), ("group", Value::Int(77))], &[path("/f")]);
        check(kind, "/f", &[("owner", "ann".into())], &waits);
        check(kind, "/f", &[("owner", "ann".into()), ("group", "staff".into())], &waits);
    }
}
