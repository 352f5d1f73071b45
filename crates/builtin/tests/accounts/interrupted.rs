//! Accounts whose creation was interrupted.

use std::path::Path;

use uphold_model::Action;
use uphold_resource::{Context, Desired, Fields, Files, Instance, Look, Registry, Value};
use uphold_testkit::MemoryHost;

use super::tools::{GROUP, PASSWD, SHADOW, equipped};

const ANN: &str = "ann:x:1001:1001::/home/ann:/bin/sh\n";
const BROKEN: &str = "$6$a$b";

fn ann(values: &[(&'static str, Value)]) -> Box<dyn Instance> {
    let mut registry = Registry::default();
    uphold_builtin::register(&mut registry).expect("the kinds are sound");
    let values = values.iter().map(|(name, value)| ((*name).into(), value.clone())).collect();
    let fields = Fields::new("ann", values, &Action::Converge, Context::NOTHING);
    let (instance, findings) = registry.get("user").expect("a kind of this crate").decode(fields);
    instance.unwrap_or_else(|| panic!("{:?}", findings.problems))
}

/// Applies once; then it must be converged.
fn converge(host: &MemoryHost, values: &[(&'static str, Value)]) {
    let (declared, host) = (ann(values), &host.act());
    let completed = declared.prepare(&Look::to(Desired::Present, host)).expect("the account can be created");
    let instance = completed.unwrap_or(declared);
    let seen = instance.observe(Desired::Present, host).expect("it can be loaded");
    assert!(!seen.converged, "there is a change");
    instance.apply(&seen, host).expect("the account can be created");
    assert!(instance.observe(Desired::Present, host).expect("it can be loaded").converged);
}

fn line(host: &MemoryHost, path: &str) -> String {
    let text = String::from_utf8(host.read(Path::new(path), 0).expect("the file exists")).expect("text");
    text.lines().find(|line| line.starts_with("ann:")).unwrap_or_default().to_owned()
}

/// The databases after an interrupted creation of `ann`.
fn left(group: bool, shadow: Option<&str>) -> MemoryHost {
    let host = equipped(MemoryHost::new()).directory("/home", 0o755).directory("/etc/skel", 0o755);
    let host = host.file("/etc/skel/.bashrc", "export A=1\n", 0o644);
    let add = |path: &str, line: &str| {
        let text = String::from_utf8(host.read(Path::new(path), 0).expect("the file exists")).expect("text");
        host.tamper(path, format!("{text}{line}"));
    };
    add(PASSWD, ANN);
    if group {
        add(GROUP, "ann:x:1001:\n");
    }
    if let Some(field) = shadow {
        add(SHADOW, &format!("ann:{field}:20000:0:99999:7:::\n"));
    }
    host
}

#[test]
fn creates_an_incomplete_account_again() {
    let check = |group: bool, shadow: Option<&str>, values: &[(&'static str, Value)], field: &str| {
        let host = left(group, shadow);
        converge(&host, values);
        assert_eq!(line(&host, SHADOW).split(':').nth(1), Some(field), "{group} {shadow:?}");
        assert!(line(&host, PASSWD).starts_with("ann:x:1001:"), "it keeps its uid");
        assert_ne!(line(&host, GROUP), "", "it has a group");
    };
    let password = [("password", Value::text(BROKEN))];
    let mark = Some("!uphold-unfinished");
    check(true, mark, &[], "!");
    check(true, mark, &password, BROKEN);
    check(false, mark, &password, BROKEN);
    check(false, None, &password, BROKEN);
    check(true, mark, &[("locked", Value::Bool(false))], "*");
    check(true, mark, &[("locked", Value::Bool(true)), password[0].clone()], "!$6$a$b");
}

#[test]
fn removes_the_home_of_an_incomplete_account_if_unchanged() {
    let check = |name: &str, content: &str, is_kept: bool| {
        let host = left(true, Some("!uphold-unfinished")).directory("/home/ann", 0o700);
        let host = host.file(format!("/home/ann/{name}"), content, 0o644);
        converge(&host, &[]);
        let found = host.look(Path::new("/home/ann")).expect("it can be read");
        assert_eq!(found.is_some(), is_kept, "{name} {content}");
    };
    check(".bashrc", "export", false);
    check(".bashrc", "export A=1\n", false);
    check(".bashrc", "export B=2\n", true);
    check("letter", "", true);
}
