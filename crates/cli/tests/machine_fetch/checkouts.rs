//! `git`.

use uphold_testbed::{Bed, Host, Story};

use super::servers::block;

/// A host with a repository: a tag `v1`, and a branch `main` that is one commit ahead.
fn hosting(bed: &Bed, name: &str) -> Host {
    let host = bed.plain(name);
    host.ok(
        "useradd -m ann; git config --system user.email a@example.org; git config --system user.name Ann; \
             git config --system init.defaultBranch main; git config --system advice.detachedHead false; \
             git config --system safe.directory '*'",
    );
    host.ok("git init -q /srv/lib && cd /srv/lib && echo lib >lib && git add . && git commit -qm lib");
    host.ok("git init -q /srv/app && cd /srv/app && echo one >app && git add . && git commit -qm one && git tag -am v1 v1 \
             && echo two >app && git commit -qam two");
    host
}

const REPOSITORY: &str = "repository = \"/srv/app\"";

#[test]
fn a_checkout_that_follows_a_branch() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = hosting(&bed, "branch");
    let git = |more: &[&str]| block("git \"/opt/app\"", &[&[REPOSITORY], more].concat());
    let wrong = |attributes: &[&str]| block("git \"/opt/app\"", attributes);
    Story::of(&host, "a checkout that follows a branch")
        .configuration(&git(&["revision = \"main\"", "force = true"]))
        .drift("commit", "cd /srv/app && echo three >app && git commit -qam three")
        .drift("commit", "cd /opt/app && git checkout -q --detach HEAD~1")
        .drift("commit", "cd /opt/app && echo own >app && git commit -qam own")
        .drift("repository", "cd /opt/app && git remote set-url origin /srv/lib")
        .drift("modified", "echo drifted >/opt/app/app")
        .missing("rm -r /opt/app")
        .holds("git -C /opt/app diff --quiet HEAD && test \"$(git -C /opt/app branch --show-current)\" != master")
        .wrong(&git(&["revision = \"none\""]), "no branch")
        .wrong(&git(&["revision = \"--upload-pack=x\""]), "must be a branch")
        .wrong(&git(&["commit = \"4b825dc\""]), "is not a commit ID")
        .wrong(&wrong(&["repository = \"ext::sh -c x\""]), "must be a URL or a path")
        .wrong(&wrong(&["repository = \"/srv/nowhere\""]), "cannot resolve the revision")
        .wrong(&block("git \"/srv\"", &[REPOSITORY]), "not a git checkout")
        .change_to(&git(&["revision = \"v1\""]), "test \"$(cat /opt/app/app)\" = one")
        .removed_by(&git(&["action = \"remove\""]), "! test -e /opt/app")
        .run();
}

#[test]
fn local_changes_are_kept() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = hosting(&bed, "kept");
    let refused = |configuration: &str, words: &str| {
        host.write("/run/uphold-testbed/site/git.hcl", configuration);
        let ran = host.uphold(&["apply", "git.hcl"]);
        assert!(ran.status == 1 && ran.to_string().contains(words), "{words}: {ran}");
    };
    let applied = |configuration: &str| {
        host.write("/run/uphold-testbed/site/git.hcl", configuration);
        let ran = host.uphold(&["apply", "git.hcl"]);
        assert_eq!(ran.status, 0, "{ran}");
    };
    let main = block("git \"/opt/app\"", &[REPOSITORY, "revision = \"main\"", "user = \"ann\""]);
    host.ok("install -d -o ann /opt");
    applied(&main);
    assert_eq!(host.ok("stat -c %U /opt/app /opt/app/app /opt/app/.git/HEAD").trim(), "ann\nann\nann");
    host.ok("echo mine >/opt/app/app; cd /srv/app && echo three >app && git commit -qam three");
    refused(&main, "local changes in app");
    host.ok("cd /opt/app && su ann -c 'git commit -qam mine'");
    refused(&main, "local commits");
    refused(&main.replace("revision", "action = \"remove\"\n revision"), "local commits");
    applied(&main.replace("user", "force = true\n user"));
    assert_eq!(host.read("/opt/app/app"), "three\n");
    // Without `user`, git runs as the owner of the checkout, so that planted code does not run as root.
    host.ok("cd /srv/app && echo four >app && git commit -qam four");
    host.ok("su ann -c 'cd /opt/app && git config filter.x.smudge \"id -u >/tmp/who; cat\" && mkdir -p .git/info && echo \"* filter=x\" >.git/info/attributes && printf \"#!/bin/sh\\ntouch /tmp/hook\\n\" >.git/hooks/post-checkout && chmod +x .git/hooks/post-checkout'");
    applied(&main.replace("user = \"ann\"", ""));
    assert_eq!(
        (host.read("/opt/app/app").as_str(), host.read("/tmp/who").trim()),
        ("four\n", host.ok("id -u ann").trim())
    );
    host.ok("! test -e /tmp/hook");
}

#[test]
fn depth_submodules_and_pinned_commits() {
    let Some(bed) = Bed::open(env!("CARGO_BIN_EXE_uphold")) else { return };
    let host = hosting(&bed, "depth");
    host.ok("cd /srv/app && git -c protocol.file.allow=always submodule add -q /srv/lib lib && git commit -qm sub");
    let first = host.ok("git -C /srv/app rev-parse v1^{commit}");
    let env = "env = { GIT_ALLOW_PROTOCOL = \"file\" }";
    let git =
        |more: &[&str]| block("git \"/opt/app\"", &[&["repository = \"file:///srv/app\""], more].concat());
    Story::of(&host, "submodules")
        .configuration(&git(&["depth = 1", "submodules = true", env]))
        .drift("submodules", "cd /opt/app && git submodule deinit -q --force lib")
        .holds(
            "test \"$(cat /opt/app/lib/lib)\" = lib && test \"$(git -C /opt/app rev-list --count HEAD)\" = 1",
        )
        .removed_by(&git(&["action = \"remove\"", "force = true", env]), "! test -e /opt/app")
        .run();
    let pinned = format!("revision = \"{}\"", first.trim());
    Story::of(&host, "a pinned commit")
        .configuration(&git(&[&pinned, "depth = 1"]))
        .drift("commit", "cd /opt/app && git fetch -q --unshallow && git checkout -q --detach origin/main")
        .holds("test \"$(cat /opt/app/app)\" = one")
        .removed_by(&git(&["action = \"remove\"", "force = true"]), "! test -e /opt/app")
        .run();
    host.write("/run/uphold-testbed/site/once.hcl", &git(&["sync = false", "revision = \"v1\""]));
    host.uphold(&["apply", "once.hcl"]);
    host.ok("cd /srv/app && git tag -f -am again v1 && test \"$(cat /opt/app/app)\" = one");
    let ran = host.uphold(&["plan", "once.hcl"]);
    assert_eq!(ran.status, 0, "what is there once is not asked for again: {ran}");
}
