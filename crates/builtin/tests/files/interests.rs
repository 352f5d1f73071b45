//! What wakes the kinds that have a path.

use uphold_model::{Action, Value};
use uphold_resource::Interest;
use uphold_testkit::MemoryHost;

use crate::driver::Block;

/// A block with a label and what is set.
fn wakes(kind: &'static str, label: &str, values: &[(&'static str, Value)], expected: &[Interest]) {
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
fn what_is_looked_at() {
    let both = [path("/f"), path("/s")];
    wakes("file", "/f", &[("content", "x".into()), ("verify", "test -s {}".into())], &[path("/f")]);
    wakes("file", "/f", &[("source", "/s".into())], &both);
    wakes("file", "label", &[("path", "/f".into())], &[path("/f")]);
    wakes("directory", "/d", &[("recursive", true.into())], &[path("/d")]);
    wakes("directory", "/d", &[("purge", true.into())], &[path("/d"), tree("/d")]);
    wakes("link", "/f", &[("to", "/s".into())], &[path("/f")]);
    wakes("link", "/f", &[("to", "/s".into()), ("type", "hard".into())], &both);
    wakes("link", "/a/f", &[("to", "s".into()), ("type", "hard".into())], &[path("/a/f"), path("/a/s")]);
    wakes("line", "demo", &[("file", "/f".into()), ("line", "x".into())], &[path("/f")]);
}

/// Thousands of files have an owner, and accounts change for many reasons: only who waits for one is woken.
#[test]
fn an_account_is_waited_for_until_it_is_there() {
    let waits = [path("/f"), Interest::Accounts];
    for kind in ["file", "directory"] {
        wakes(kind, "/f", &[("owner", "app".into()), ("group", "www".into())], &[path("/f")]);
        wakes(kind, "/f", &[("owner", Value::Int(77)), ("group", Value::Int(77))], &[path("/f")]);
        wakes(kind, "/f", &[("owner", "ann".into())], &waits);
        wakes(kind, "/f", &[("owner", "ann".into()), ("group", "staff".into())], &waits);
    }
}
