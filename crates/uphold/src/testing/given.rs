//! What a test gives: the machine before the run.

use std::collections::HashSet;
use std::path::PathBuf;

use uphold_memory::{Answer, Furnishing, MemoryHost};
use uphold_resource::{Accounts, Group, User};

use super::section::Section;

/// The paths at which it puts something.
pub(super) fn paths(given: Section<'_>) -> impl Iterator<Item = &str> {
    ["directory", "file", "link"]
        .into_iter()
        .flat_map(move |word| given.blocks(word))
        .map(|block| block.label())
}

/// Sets the machine up as `given` says, but for these paths. What cannot be is reported.
pub(super) fn set_up(given: Section<'_>, except: &HashSet<&str>, host: &MemoryHost) {
    let blocks = |word| given.blocks(word).filter(|block| !except.contains(block.label()));
    given.blocks("group").for_each(|group| set_up_group(group, host));
    given.blocks("user").for_each(|user| set_up_user(user, host));
    blocks("directory").for_each(|directory| put(directory, Furnishing::Directory, 0o755, host));
    for file in blocks("file") {
        let content = file.text("content").unwrap_or_default();
        put(file, Furnishing::File(content.into_bytes()), 0o644, host);
    }
    for link in blocks("link") {
        match link.text("to") {
            Some(target) => put(link, Furnishing::Link(target.into()), 0o777, host),
            None if link.expression("to").is_some() => {}
            None => link.wrong(link.block.place, "it leads nowhere", "set `to`"),
        }
    }
    given.blocks("command").for_each(|command| set_up_command(command, host));
    ports(given, host);
}

fn put(section: Section<'_>, what: Furnishing, usual: u32, host: &MemoryHost) {
    let Some(path) = section.path() else { return };
    let mode = section.mode("mode").unwrap_or(usual);
    let (uid, gid) = (owner(section, host), group(section, host));
    if let Err(error) = host.furnish(&path, what, mode, uid, gid) {
        let fix = error.advice().unwrap_or("give it another path").to_owned();
        section.wrong(section.block.place, error.chain(), &fix);
    }
}

fn owner(section: Section<'_>, host: &MemoryHost) -> u32 {
    let Some(name) = section.text("owner") else { return 0 };
    let found = host.user(&name).ok().flatten().map(|user| user.uid);
    found.or_else(|| name.parse().ok()).unwrap_or_else(|| {
        missing(section, "user", "owner", &name);
        0
    })
}

fn group(section: Section<'_>, host: &MemoryHost) -> u32 {
    let Some(name) = section.text("group") else { return 0 };
    let found = host.group(&name).ok().flatten().map(|group| group.gid);
    found.or_else(|| name.parse().ok()).unwrap_or_else(|| {
        missing(section, "group", "group", &name);
        0
    })
}

fn missing(section: Section<'_>, what: &str, attribute: &str, name: &str) {
    let place = section.expression(attribute).map(|expression| expression.place);
    let detail = format!("the machine of this test has no {what} {name:?}");
    section.wrong(place, detail, &format!("add `{what} \"{name}\" {{}}` to `given`"));
}

/// The first number that people get, and nobody has.
fn free(taken: impl Fn(u32) -> bool) -> u32 {
    (1000..).find(|id| !taken(*id)).unwrap_or_default()
}

fn set_up_group(section: Section<'_>, host: &MemoryHost) {
    let gid =
        section.number("gid").unwrap_or_else(|| free(|gid| matches!(host.group_by_id(gid), Ok(Some(_)))));
    let members = section.texts("members").unwrap_or_default();
    let members = members.into_iter().map(|(name, _)| name).collect();
    host.put_group(Group { name: section.label().to_owned(), gid, members });
}

/// A user has a group of the same name, unless it is given another one.
fn set_up_user(section: Section<'_>, host: &MemoryHost) {
    let name = section.label();
    let taken =
        |id| matches!(host.user_by_id(id), Ok(Some(_))) || matches!(host.group_by_id(id), Ok(Some(_)));
    let uid = section.number("uid").unwrap_or_else(|| free(taken));
    let own = host.group(name).ok().flatten().map(|group| group.gid);
    let gid = section.number("gid").or(own).unwrap_or(uid);
    if !matches!(host.group_by_id(gid), Ok(Some(_))) {
        host.put_group(Group { name: name.to_owned(), gid, members: Vec::new() });
    }
    let home = section.text("home").map_or_else(|| PathBuf::from(format!("/home/{name}")), PathBuf::from);
    let shell = section.text("shell").unwrap_or_else(|| "/bin/sh".to_owned());
    host.put_user(User { name: name.to_owned(), uid, gid, home, shell: shell.into() });
}

fn set_up_command(section: Section<'_>, host: &MemoryHost) {
    let answer = Answer {
        does: section.text("does"),
        status: section.number("status"),
        stdout: section.text("stdout").unwrap_or_default().into_bytes(),
        stderr: section.text("stderr").unwrap_or_default().into_bytes(),
    };
    host.answer(section.label(), answer);
}

/// `"localhost:80"`, or a number for the local machine.
fn ports(section: Section<'_>, host: &MemoryHost) {
    let Some((value, place)) = section.value("ports") else { return };
    let items = match value {
        uphold_model::Value::List(items) => items.to_vec(),
        single => vec![single],
    };
    for item in items {
        let text =
            if let uphold_model::Value::Text(text) = &item { text.to_string() } else { item.to_string() };
        let (name, port) = text.rsplit_once(':').unwrap_or(("localhost", &text));
        match port.parse() {
            Ok(port) => host.open_port(name, port),
            Err(_) => {
                section.wrong(place, format!("{item} is no port"), "write `80` or `\"db.example:5432\"`");
            }
        }
    }
}
