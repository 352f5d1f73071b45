//! Whether the machine is afterwards as expected.

use uphold_memory::MemoryHost;
use uphold_model::{Code, Diagnostic, Place};
use uphold_resource::{Accounts, Entry, EntryKind, Files};

use super::expectation::{ExpectedEntry, ExpectedKind};
use super::mismatch::Mismatch;

/// What is wrong with something on the machine. `secret` says that what a file holds is not shown.
pub(super) fn check(expected: &ExpectedEntry, secret: bool, host: &MemoryHost) -> Vec<Mismatch> {
    let path = expected.path.display();
    let found = match host.look(&expected.path) {
        Ok(found) => found,
        Err(error) => return vec![wrong(expected.place, error.chain())],
    };
    let wanted = match &expected.what {
        ExpectedKind::Nothing => "nothing",
        ExpectedKind::Directory => "a directory",
        ExpectedKind::Link(_) => "a symbolic link",
        ExpectedKind::File { .. } => "a regular file",
    };
    let words = found.as_ref().map_or("nothing", |entry| entry.kind.words());
    match (&expected.what, &found) {
        (ExpectedKind::Nothing, None) => Vec::new(),
        (ExpectedKind::Directory, Some(entry)) if entry.kind == EntryKind::Directory => {
            access(expected, entry, host)
        }
        (ExpectedKind::Link(target), Some(entry)) => match (&entry.kind, target) {
            (EntryKind::Link(leads), Some((target, place))) if leads != target => {
                let (leads, target) = (leads.display(), target.display());
                vec![wrong(Some(*place), format!("{path} should lead to {target}; it leads to {leads}"))]
            }
            (EntryKind::Link(_), _) => Vec::new(),
            _ => vec![wrong(expected.place, format!("{path} should be {wanted}; it is {words}"))],
        },
        (ExpectedKind::File { .. }, Some(entry)) if entry.kind == EntryKind::File => {
            let mut mismatches = access(expected, entry, host);
            mismatches.extend(content(expected, secret, host));
            mismatches
        }
        _ => vec![wrong(expected.place, format!("at {path} should be {wanted}; there is {words}"))],
    }
}

fn wrong(place: Option<Place>, detail: String) -> Mismatch {
    Diagnostic::new(Code::WrongMachine, detail).at(place).into()
}

fn access(expected: &ExpectedEntry, entry: &Entry, host: &MemoryHost) -> Vec<Mismatch> {
    let path = expected.path.display();
    let mut mismatches = Vec::new();
    if let Some((mode, place)) = expected.mode
        && mode != entry.mode
    {
        let detail = format!("the mode of {path} should be {mode:04o}; it is {:04o}", entry.mode);
        mismatches.push(wrong(Some(place), detail));
    }
    let user = host.user_by_id(entry.uid).ok().flatten().map(|user| user.name);
    let group = host.group_by_id(entry.gid).ok().flatten().map(|group| group.name);
    let sides = [("owner", &expected.owner, user, entry.uid), ("group", &expected.group, group, entry.gid)];
    for (what, wanted, name, id) in sides {
        let Some((wanted, place)) = wanted else { continue };
        let name = name.unwrap_or_else(|| id.to_string());
        if *wanted != name && *wanted != id.to_string() {
            mismatches
                .push(wrong(Some(*place), format!("the {what} of {path} should be {wanted}; it is {name}")));
        }
    }
    mismatches
}

fn content(expected: &ExpectedEntry, hidden: bool, host: &MemoryHost) -> Vec<Mismatch> {
    let ExpectedKind::File { content, contains, secret } = &expected.what else { return Vec::new() };
    let (hidden, path) = (hidden || *secret, expected.path.display());
    let found = match host.read(&expected.path, 0) {
        Ok(found) => String::from_utf8_lossy(&found).into_owned(),
        Err(error) => return vec![wrong(expected.place, error.chain())],
    };
    let mut mismatches = Vec::new();
    if let Some((content, place)) = content
        && *content != found
    {
        let mismatch = wrong(Some(*place), format!("{path} holds something else"));
        mismatches.push(Mismatch { texts: (!hidden).then(|| (content.clone(), found.clone())), ..mismatch });
    }
    for (part, place) in contains.iter().filter(|(part, _)| !found.contains(part)) {
        let part = if hidden { uphold_model::SENSITIVE.to_owned() } else { format!("{part:?}") };
        let mismatch = wrong(Some(*place), format!("{path} does not contain {part}"));
        mismatches.push(Mismatch { texts: (!hidden).then(|| (String::new(), found.clone())), ..mismatch });
    }
    mismatches
}
