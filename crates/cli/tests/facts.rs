//! `uphold facts` for people and programs.

use crate::binary::uphold;
use serde_json::Value as Json;

fn json(arguments: &[&str]) -> Json {
    let printed = uphold([&["facts", "--json"], arguments].concat());
    assert_eq!((printed.code, printed.err.as_str()), (0, ""));
    serde_json::from_str(&printed.out).expect("JSON")
}

#[test]
fn all_facts_are_listed_one_a_line() {
    let printed = uphold(["facts"]);
    assert_eq!((printed.code, printed.err.as_str()), (0, ""));
    let names: Vec<&str> = printed.out.lines().filter_map(|line| line.split_whitespace().next()).collect();
    let known = uphold(["explain", "--facts", "--list"]).out;
    let known: Vec<&str> = known.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, known.iter().map(|name| name.trim_start_matches("host.")).collect::<Vec<_>>());
}

#[test]
fn one_fact_is_its_value_and_nothing_else() {
    let check = |name: &str| {
        let whole = uphold(["facts", name]);
        let in_configuration = uphold(["facts", &format!("host.{name}")]);
        assert_eq!((whole.code, &whole.out), (0, &in_configuration.out), "{}", whole.err);
        whole.out
    };
    assert_eq!(check("kernel.name"), "Linux\n");
    assert_eq!(check("users.root.uid"), "0\n");
    assert_eq!(check("network.interfaces.lo.up"), "true\n");
}

#[test]
fn json_has_nested_objects() {
    let all = json(&[]);
    assert_eq!(all["kernel"]["name"], "Linux");
    assert_eq!(all["users"]["root"]["home"], "/root");
    assert_eq!(all["mounts"]["/proc"]["type"], "proc");
    assert!(all["disks"].is_object() && all["uptime"].is_u64(), "{all}");
    assert_eq!(json(&["kernel"])["kernel"]["name"], "Linux");
    assert_eq!(json(&["kernel.name"]), "Linux");
}

/// Any variable may contain a password.
#[test]
fn the_environment_is_never_shown() {
    for arguments in
        [&["facts"][..], &["facts", "environment"], &["facts", "--json"], &["facts", "environment.PATH"]]
    {
        let printed = uphold(arguments.iter().copied());
        let path = std::env::var("PATH").expect("there is one");
        assert!(printed.code == 0 && !printed.out.contains(&path), "{}", printed.out);
        assert!(printed.out.contains("sensitive"), "{}", printed.out);
    }
}

#[test]
fn an_unknown_fact_gets_a_suggestion() {
    let check = |name: &str, message: &str, hint: &str| {
        let printed = uphold(["facts", name]);
        assert_eq!((printed.code, printed.out.as_str()), (1, ""));
        assert!(printed.err.contains(message) && printed.err.contains(hint), "{}", printed.err);
    };
    check("os.famly", "unknown fact `host.os.famly`", "did you mean `host.os.family`?");
    check("moon", "unknown fact `host.moon`", "`uphold facts` lists all");
    check(
        "users.nobody-at-all",
        "`host.users` has no `nobody-at-all` on this machine",
        "`uphold facts users` shows all of it",
    );
}
