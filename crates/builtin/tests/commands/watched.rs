//! The interests of kinds that run a script or wait.

use uphold_model::{Claim, Value};
use uphold_resource::Interest;
use uphold_testkit::MemoryHost;

use super::block::{Block, block, list};

/// The interests of a block, one line each. Commands are shown with their settings.
fn interests(block: &Block) -> Vec<String> {
    let host = MemoryHost::new().group("web", 33).user("app", 1000);
    let shown = |interest: &Interest| match interest {
        Interest::Lines(command) => {
            let (dir, who) = (&command.dir, command.run_as);
            assert_eq!((&command.stdin, command.timeout), (&None, None), "it has no time limit and no input");
            format!("{} {:?} in {dir:?} as {who:?} with {:?}", command.program, command.args, command.env)
        }
        other => format!("{other:?}"),
    };
    block.decode(&host.act()).expect("sound").interests(&host.act()).iter().map(shown).collect()
}

fn task() -> Block {
    block("task").set("check", "true").set("apply", "true")
}

fn query() -> Block {
    block("query").set("query", "true")
}

#[test]
fn watches_declared_paths_and_commands() {
    let check = |block: Block, expected: &[&str]| assert_eq!(interests(&block), expected);
    for block in [task, query, || block("wait_query").set("query", "true")] {
        check(block(), &[]);
        check(block().set("watch_paths", list(&[])), &[]);
        let paths = block().set("watch_paths", list(&["/etc/app.d/", "/etc/x"]));
        let expected = [
            r#"Path("/etc/app.d")"#,
            r#"Path("/etc/x")"#,
            r#"Entries("/etc/app.d")"#,
            r#"Entries("/etc/x")"#,
        ];
        check(paths, &expected);
        let command = block().set("watch_command", "ip monitor");
        check(command, &[r#"/bin/sh ["-c", "ip monitor"] in None as None with {}"#]);
    }
    check(block("assert").set("command", "true"), &[]);
    check(block("log"), &[]);
}

/// With the same interpreter, directory, variables and user as the script.
#[test]
fn watch_command_runs_like_the_script() {
    let check = |block: Block, expected: &[&str]| assert_eq!(interests(&block), expected);
    let command = || query().set("watch_command", "w").set("stdin", "for the query alone");
    let env = Value::map([("A", Value::text("1"))]);
    check(
        command().set("interpreter", "perl").set("flags", list(&["-e"])).set("env", env),
        &[r#"perl ["-e", "w"] in None as None with {"A": "1"}"#],
    );
    check(
        command().set("dir", "/srv").set("user", "app").set("group", "web"),
        &[r#"Path("/srv")"#, r#"/bin/sh ["-c", "w"] in Some("/srv") as Some((1000, 33)) with {}"#],
    );
    // It never runs as another user: it is not run until the user exists.
    check(command().set("user", "ann"), &["Accounts"]);
}

#[test]
fn depends_on_watched_paths() {
    let check = |block: Block, path: &str, expected: bool| {
        let claims = block.decode(&MemoryHost::new().act()).expect("sound").claims();
        assert_eq!(claims.needs.contains(&Claim::Path(path.into())), expected, "{path}: {claims:?}");
    };
    check(query().set("watch_paths", list(&["/etc/app"])), "/etc/app", true);
    let made = task().set("creates", "/srv/made").set("watch_paths", list(&["/srv/made"]));
    check(made, "/srv/made", false);
}

#[test]
fn a_port_is_checked_every_ten_seconds_or_slower() {
    let check = |every: &str, expected: &str| {
        let wait = block("wait_port").set("port", Value::Int(80)).set("every", every);
        assert_eq!(interests(&wait), [expected]);
    };
    check("200ms", "Interval(10s)");
    check("1m", "Interval(60s)");
}

#[test]
fn refuses_invalid_watch_settings() {
    let check = |property: &str, value: Value, problem: &str| {
        let found = query().set(property, value).decode(&MemoryHost::new().act()).err().expect("a problem");
        assert_eq!(found, problem);
    };
    let paths = "watch_paths";
    check(
        paths,
        list(&["/fine", "etc/app"]),
        "`watch_paths[1]` = \"etc/app\" must be an absolute path; begin it with `/` or `~/`",
    );
    check(
        paths,
        "/etc".into(),
        "`watch_paths` = \"/etc\" must be a list, not a string; put it in brackets: [ … ]",
    );
    check("watch_command", " \n".into(), "`watch_command` = \" \\n\" must not be empty; change the value");
    check(
        "watchcmd",
        "w".into(),
        "`watchcmd` = \"w\" is not a property of `query`; did you mean `watch_command`?",
    );
}
