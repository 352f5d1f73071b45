//! Root runs no code that another user could have put into a checkout.

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rustix::fs::{CWD, RenameFlags, renameat_with};

use super::sandbox::{Sandbox, is_root};

/// A checkout of root in a folder of `nobody`, and a checkout of `nobody` with a filter that logs its user.
fn hostile() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.shell("mkdir -m 777 loot && mkdir theirs");
    sandbox.declare("theirs/co", &["revision = \"main\"", "force = true"]);
    sandbox.apply();
    let loot = sandbox.at("loot");
    sandbox.shell(&format!(
        "git clone -q repo theirs/evil && cd theirs/evil && echo changed >sub/f1 \
         && git config filter.x.clean 'sh -c \"touch {0}/$(id -u); cat\"' \
         && git config filter.x.smudge 'sh -c \"touch {0}/$(id -u); cat\"' \
         && git config core.fsmonitor 'touch {0}/$(id -u); false' \
         && mkdir -p .git/info && echo '* filter=x' >.git/info/attributes && cd .. && rm -f {0}/* \
         && chown nobody . && chown -R nobody evil",
        loot.display()
    ));
    sandbox
}

#[test]
fn a_checkout_that_another_user_can_exchange_is_refused() {
    if !is_root() {
        return;
    }
    let sandbox = hostile();
    for verb in ["plan", "apply"] {
        sandbox.refuse(verb, "git cannot run as root");
        sandbox.refuse(verb, "theirs belongs to nobody");
    }
    sandbox.shell("rm -r theirs/co");
    sandbox.refuse("plan", "theirs belongs to nobody");
    assert_eq!(sandbox.shell("ls loot"), "");
}

#[test]
fn swapping_checkouts_while_git_runs_gives_no_rights() {
    const RUNS: usize = 12;
    if !is_root() {
        return;
    }
    let sandbox = hostile();
    let (ours, evil) = (sandbox.at("theirs/co"), sandbox.at("theirs/evil"));
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let _ = renameat_with(CWD, &ours, CWD, &evil, RenameFlags::EXCHANGE);
            }
        });
        for _ in 0..RUNS {
            sandbox.run("plan");
            sandbox.run("apply");
        }
        done.store(true, Ordering::Relaxed);
    });
    let loot = sandbox.shell("ls loot");
    assert!(!loot.lines().any(|uid| uid == "0"), "run by: {loot}");
}

#[test]
fn git_runs_as_the_owner_of_the_checkout() {
    if !is_root() {
        return;
    }
    let sandbox = hostile();
    sandbox.declare("theirs/evil", &["revision = \"v1\"", "force = true"]);
    sandbox.shell("chown -R nobody repo && git config --global safe.directory '*'");
    sandbox.run("plan");
    sandbox.run("apply");
    let nobody = sandbox.shell("id -u nobody");
    assert_eq!(sandbox.shell("ls loot"), nobody);
}

#[test]
fn checkouts_that_others_can_write_are_refused() {
    if !is_root() {
        return;
    }
    let check = |script: &str, attributes: &[&str], words: &str| {
        let sandbox = Sandbox::new();
        sandbox.shell("mkdir a");
        sandbox.declare("a/co", &["revision = \"v1\""]);
        sandbox.apply();
        sandbox.shell(script);
        sandbox.declare("a/co", &[&["revision = \"v2\""], attributes].concat());
        sandbox.refuse("plan", words);
        sandbox.refuse("apply", words);
        assert_eq!(sandbox.read("a/co/sub/f1").as_deref(), Some("v1 1\n"), "{script}");
    };
    check("chmod 777 a", &[], "others can write");
    check("chgrp nogroup a; chmod 775 a", &[], "others can write");
    check("chmod 1777 a; chgrp nogroup a/co; chmod 775 a/co", &[], "others can write");
    check("chmod 1777 a/co", &[], "others can write");
    check("chmod 666 a/co/.git/config", &[], "others can write");
    check("chown nobody a/co/.git", &[], "it belongs to nobody");
    check("chown nobody a/co/.git/config", &[], "it belongs to nobody");
    check(
        "mv a b; mkdir -m 1777 a; mv b/co b/real; ln -s ../b/real a/co",
        &[],
        "could have created the link",
    );
    check(":", &["user = \"nobody\""], "it belongs to root");
}

#[test]
fn sticky_directories_and_links_of_root_are_fine() {
    let sandbox = Sandbox::new();
    sandbox.shell("mkdir -m 1777 sticky; mkdir real; ln -s real link");
    for path in ["sticky/co", "link/co"] {
        sandbox.declare(path, &["revision = \"v1\""]);
        sandbox.apply();
        sandbox.declare(path, &["revision = \"v2\""]);
        sandbox.apply();
        sandbox.is_at(path, "v2");
    }
}
