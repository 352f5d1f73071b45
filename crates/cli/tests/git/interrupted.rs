//! An interrupted or damaged checkout converges, or ends in an error with a hint.

use super::sandbox::Sandbox;

/// A script that damages a checkout at `v1` before it is declared at `v2` (or still at `v1`), and the message if that
/// must fail.
struct Case {
    broken: &'static str,
    attributes: &'static [&'static str],
    refused: Option<&'static str>,
}

const FORCE: &[&str] = &["force = true"];

/// Creates a stale lock.
const OLD_LOCKS: &str = "cd co/.git; touch -d '2 minutes ago' index.lock config.lock HEAD.lock packed-refs.lock \
                         shallow.lock refs/heads/main.lock refs/tags/v2.lock";

/// The state after a kill during the checkout of `v2`: some files are new, one is half written, one is missing.
const HALF: &str = "cd co; git rev-parse v1 v2 >.git/uphold-pending; git show v2:sub/f1 >sub/f1; \
                    git show v2:sub/f2 | head -c 2 >sub/f2; rm sub/f3; git show v2:only-v2 >only-v2; touch .git/index.lock";

const CASES: &[Case] = &[
    Case { broken: OLD_LOCKS, attributes: &[], refused: None },
    Case { broken: OLD_LOCKS, attributes: FORCE, refused: None },
    Case {
        broken: "touch co/.git/index.lock",
        attributes: &[],
        refused: Some("run Uphold again in a minute"),
    },
    Case { broken: HALF, attributes: &[], refused: None },
    Case {
        broken: "cd co; git checkout -q -b main v1; echo mine >own; git add own; git commit -qm own; \
                 git rev-parse v1 v2 >.git/uphold-pending",
        attributes: &[],
        refused: Some("has local commits"),
    },
    Case { broken: HALF, attributes: FORCE, refused: None },
    Case {
        broken: "cd co; git rev-parse v1 v2 >.git/uphold-pending; echo mine >sub/f4",
        attributes: &[],
        refused: Some("has local changes in sub/f4"),
    },
    Case {
        broken: "cd co; git rev-parse v1 v2 >.git/uphold-pending; echo mine >sub/f4",
        attributes: FORCE,
        refused: None,
    },
    Case {
        broken: "cd co; o=$(git rev-parse v2:sub/f2); rm -f .git/objects/$(echo $o | cut -c1-2)/*",
        attributes: &[],
        refused: None,
    },
    Case {
        broken: "cd co; o=$(git rev-parse v1:sub); rm -f .git/objects/$(echo $o | cut -c1-2)/*",
        attributes: &[],
        refused: None,
    },
    Case { broken: "find co/.git/objects -type f -delete", attributes: &[], refused: None },
    Case { broken: "find co/.git/objects -type f -delete", attributes: FORCE, refused: None },
    Case {
        broken: "chmod -R u+w co/.git; for o in $(find co/.git/objects -type f); do : >$o; done",
        attributes: &[],
        refused: None,
    },
    Case { broken: "rm -r co/.git/objects co/.git/refs", attributes: FORCE, refused: None },
    Case { broken: ": >co/.git/index", attributes: &[], refused: None },
    Case { broken: ": >co/.git/index", attributes: FORCE, refused: None },
    Case { broken: "rm co/.git/index", attributes: &[], refused: None },
    Case { broken: "rm co/.git/index", attributes: FORCE, refused: None },
    Case { broken: ": >co/.git/HEAD", attributes: &[], refused: None },
    Case { broken: "rm co/.git/HEAD", attributes: &[], refused: None },
    Case {
        broken: "git -C co checkout -q -B main; : >co/.git/refs/heads/main",
        attributes: &[],
        refused: None,
    },
    Case {
        broken: "rm -r co/* co/.git; git init -q co; touch -d '2 minutes ago' co/.git/config.lock",
        attributes: &[],
        refused: None,
    },
    Case { broken: "rm -r co/* co/.git/*; mkdir co/.git/objects", attributes: &[], refused: None },
    Case { broken: "rm -r co; mkdir co", attributes: &[], refused: None },
];

/// A checkout at `v1`, to be copied. Its objects are loose files, as after a small fetch.
fn ready() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.declare("co", &["revision = \"v1\""]);
    sandbox.apply();
    sandbox.shell(
        "cd co; git fetch -q --tags; test $(find .git/objects -name '*.pack' | wc -l) = 0; mv ../co ../ready",
    );
    sandbox
}

fn check(case: &Case, revision: &str, sandbox: &Sandbox) {
    sandbox.shell("rm -rf co; cp -a ready co");
    sandbox.shell(case.broken);
    sandbox.declare("co", &[&[format!("revision = {revision:?}").as_str()], case.attributes].concat());
    match case.refused {
        Some(words) => {
            sandbox.refuse("apply", words);
            assert_ne!(sandbox.read("co/sub/f4"), Some("v2 4\n".to_owned()), "{}", case.broken);
        }
        None => {
            let ran = sandbox.run("apply");
            assert_eq!(ran.status, Some(0), "{}: {}", case.broken, ran.printed);
            sandbox.is_at("co", revision);
            let ran = sandbox.run("plan");
            assert!(
                ran.status == Some(0) && ran.printed.contains("No changes"),
                "{}: {}",
                case.broken,
                ran.printed
            );
        }
    }
}

#[test]
fn the_next_revision_is_checked_out_after_each_interruption() {
    let sandbox = ready();
    CASES.iter().filter(|case| case.attributes != FORCE).for_each(|case| check(case, "v2", &sandbox));
}

#[test]
fn the_next_revision_is_forced_after_each_interruption() {
    let sandbox = ready();
    CASES.iter().filter(|case| case.attributes == FORCE).for_each(|case| check(case, "v2", &sandbox));
}

/// The commit is correct, but the files are damaged.
#[test]
fn damage_at_the_same_revision_is_found_and_repaired() {
    let sandbox = ready();
    // Without `force`, files are not compared, and no index is needed.
    let needs_index = |case: &&Case| case.attributes == FORCE || !case.broken.contains(".git/index");
    let is_silent =
        |case: &&Case| case.refused.is_none() && !case.broken.contains("lock") && needs_index(case);
    CASES.iter().filter(is_silent).for_each(|case| check(case, "v1", &sandbox));
}

/// Files that an abandoned checkout of another commit added are removed.
#[test]
fn files_of_an_abandoned_commit_are_removed() {
    let sandbox = Sandbox::new();
    sandbox.declare("co", &["revision = \"v1\""]);
    sandbox.apply();
    sandbox.shell(HALF);
    sandbox.apply();
    sandbox.is_at("co", "v1");
    assert!(!sandbox.exists("co/only-v2"));
}

/// Git is killed once during each of its commands; the next run converges.
#[test]
fn the_next_run_recovers_from_a_killed_git() {
    for verb in ["init", "config", "fetch", "checkout"] {
        for start in ["", "v1"] {
            let sandbox = Sandbox::new();
            if !start.is_empty() {
                sandbox.declare("co", &["revision = \"v1\""]);
                sandbox.apply();
                sandbox.shell("cd repo && for i in 1 2 3 4 5; do echo v3 $i >sub/f$i; done && git commit -qam v3 && git tag v3");
            }
            // Runs the real command, reverts a part of its work, and dies.
            sandbox.shell(&format!(
                "mkdir bin && cat >bin/git <<'E'\n#!/bin/sh\ncase \" $* \" in *' {verb} '*)\n\
                 test -e {0}/killed && exec /usr/bin/git \"$@\"\n/usr/bin/git \"$@\"; touch {0}/killed; cd {0}/co\n\
                 case {verb} in\n\
                 init) rm -rf .git/HEAD .git/refs; touch .git/config.lock;;\n\
                 config) touch .git/config.lock;;\n\
                 fetch) find .git/objects -type f | tail -n 3 | xargs rm -f; rm -f .git/refs/tags/v3; touch .git/shallow.lock;;\n\
                 checkout) rm -f sub/f2; printf v >sub/f3; touch .git/index.lock .git/HEAD.lock;;\n\
                 esac\nkill -9 $$;;\nesac\nexec /usr/bin/git \"$@\"\nE\nchmod +x bin/git",
                sandbox.path().display()
            ));
            let wanted = if start.is_empty() { "v2" } else { "v3" };
            sandbox.declare("co", &[&format!("revision = {wanted:?}")]);
            let path = format!("{}/bin:/usr/bin:/bin", sandbox.path().display());
            let ran = sandbox.run_with("apply", &[("PATH", &path)]);
            let killed = sandbox.exists("killed");
            assert_eq!(ran.status == Some(1), killed, "{verb}: {}", ran.printed);
            let ran = sandbox.run("apply");
            assert_eq!(ran.status, Some(0), "{verb} from {start:?}: {}", ran.printed);
            sandbox.is_at("co", wanted);
        }
    }
}

/// A lock of a running git is not removed, even if it is old.
#[test]
fn a_lock_of_a_running_git_is_respected() {
    let sandbox = Sandbox::new();
    sandbox.declare("co", &["revision = \"v1\""]);
    sandbox.apply();
    sandbox.shell("touch -d '2 minutes ago' co/.git/index.lock");
    sandbox.declare("co", &["revision = \"v2\""]);
    // `cat-file --batch` waits for input until the shell closes the pipe.
    let pid = sandbox.shell(
        "mkfifo pipe; (cd co && exec git cat-file --batch <../pipe >/dev/null 2>&1) & exec 3>pipe; \
                            sh -c 'exec sleep 60 3>&3 >/dev/null 2>&1' & echo $!",
    );
    sandbox.refuse("apply", "git is running");
    assert!(sandbox.exists("co/.git/index.lock"));
    sandbox.shell(&format!("kill {pid}"));
}

/// A checkout that cannot be completed from its repository is reported and left unchanged.
#[test]
fn missing_objects_are_an_error() {
    let sandbox = Sandbox::new();
    sandbox.declare("co", &["revision = \"v1\""]);
    sandbox.apply();
    sandbox.shell(
        "find co/.git/objects -type f -delete; cp -a repo away; find repo/.git/objects -type f -delete",
    );
    let ran = sandbox.run("apply");
    assert_eq!(ran.status, Some(1), "{}", ran.printed);
    assert_eq!(sandbox.read("co/sub/f1").as_deref(), Some("v1 1\n"));
    sandbox.shell("rm -r repo; mv away repo");
    sandbox.apply();
    sandbox.is_at("co", "v1");
}
