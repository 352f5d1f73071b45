//! Repositories, with their keys.

use uphold_testbed::{Package, Story};

use super::sandbox::Sandbox;

/// A host with a signed repository that apt does not know yet.
fn signed(name: &str) -> Option<Sandbox> {
    let sandbox = Sandbox::new(name, &[Package::new("hello", "1.0")])?;
    sandbox.repository.sign(&sandbox.host);
    sandbox.ok("rm /etc/apt/sources.list; apt-get update");
    Some(sandbox)
}

#[test]
fn a_signed_repository() {
    let Some(sandbox) = signed("repository") else { return };
    let with = |more: &str| {
        format!(
            r#"
            apt_key "test" {{ source = "/srv/repo/key.asc" }}
            apt_repository "test" {{
                uris       = ["file:/srv/repo"]
                suites     = ["test"]
                components = ["main"]
                signed_by  = apt_key.test.path
                {more}
            }}
            package "hello" {{}}
            "#
        )
    };
    let file = "/etc/apt/sources.list.d/test.sources";
    let sed = |script: &str| format!("sed -i '{script}' {file}");
    Story::of(&sandbox, "a signed repository, its key and a package of it")
        .configuration(&with("types = [\"deb\"]\nenabled = true\narchitectures = [\"amd64\", \"arm64\"]\nfields = { Languages = \"none\" }\ntrusted = null"))
        .drift("types", &sed("s/^Types: deb$/Types: deb-src/"))
        .drift("uris", &sed("s|file:/srv/repo|file:/srv/other|"))
        .drift("suites", &sed("s/^Suites: test/Suites: stable/"))
        .drift("components", &sed("s/^Components: main/Components: main contrib/"))
        .drift("signed_by", &sed("/^Signed-By/d"))
        .drift("architectures", &sed("s/amd64 arm64/amd64/"))
        .drift("enabled", &format!("echo 'Enabled: no' >>{file}"))
        .drift("trusted", &format!("echo 'Trusted: yes' >>{file}"))
        .drift("fields", &sed("s/none/en/"))
        .drift("mode", "chmod 600 /etc/apt/keyrings/test.asc")
        .drift("content", "echo >>/etc/apt/keyrings/test.asc")
        .missing(&format!("rm {file}"))
        .missing("apt-get purge -y hello")
        .change_to(&with("enabled = false\nfields = { Languages = \"\" }"), &format!("grep -q 'Enabled: no' {file} && ! grep -q Languages {file}"))
        .wrong("apt_repository \"a b\" {\n uris = [\"file:/x\"]\n suites = [\"./\"]\n}", "name")
        .wrong("apt_repository \"x\" {\n suites = [\"./\"]\n}", "uris")
        .wrong("apt_repository \"x\" {\n uris = [\"file:/x\"]\n suites = []\n}", "suites")
        .wrong("apt_repository \"x\" {\n uris = [\"a b\"]\n suites = [\"x\"]\n}", "uris")
        .wrong("apt_repository \"x\" {\n uris = [\"file:/x\"]\n suites = [\"x\"]\n types = [\"rpm\"]\n}", "types")
        .wrong("apt_repository \"x\" {\n uris = [\"file:/x\"]\n suites = [\"x\"]\n fields = { Trusted = \"yes\" }\n}", "property of its own")
        .removed_by(
            "apt_key \"test\" { action = \"remove\" }\napt_repository \"test\" { action = \"remove\" }",
            &format!("! test -e {file} && ! test -e /etc/apt/keyrings/test.asc"),
        )
        .run();
}

#[test]
fn a_repository_is_watched() {
    let Some(sandbox) = signed("watched-repository") else { return };
    Story::of(&sandbox, "a repository that is watched")
        .configuration(
            "apt_repository \"test\" {\n uris = [\"file:/srv/repo\"]\n suites = [\"./\"]\n trusted = true\n}",
        )
        .drift("suites", "sed -i 's|./|other/|' /etc/apt/sources.list.d/test.sources")
        .missing("rm /etc/apt/sources.list.d/test.sources")
        .watch()
        .run();
}

#[test]
fn an_unusable_repository_is_not_installed() {
    let Some(sandbox) = signed("unusable") else { return };
    let check = |configuration: &str, words: &str| {
        let (code, printed) = sandbox.apply(configuration);
        assert_eq!(code, 1, "{printed}");
        assert!(
            printed.contains("cannot use the repository `test`") && printed.contains(words),
            "{words}\n{printed}"
        );
        assert_eq!(
            sandbox.ok("ls /etc/apt/sources.list.d; ls -d /var/lib/apt/uphold* 2>/dev/null || true"),
            "",
            "{printed}"
        );
    };
    check("apt_repository \"test\" {\n uris = [\"file:/srv/none\"]\n suites = [\"./\"]\n}", "/srv/none");
    // Without its key, the repository cannot be verified.
    check("apt_repository \"test\" {\n uris = [\"file:/srv/repo\"]\n suites = [\"./\"]\n}", "NO_PUBKEY");
    let (code, printed) = sandbox.apply(
        "apt_repository \"test\" {\n uris = [\"file:/srv/none\"]\n suites = [\"./\"]\n update = false\n}",
    );
    assert_eq!(code, 0, "{printed}");
}

#[test]
fn many_repositories_are_tried_one_after_the_other() {
    let Some(sandbox) = signed("repositories") else { return };
    let (code, printed) = sandbox.apply(
        r#"
        package "hello" {}
        apt_repository "many" {
            for_each = toset(["a", "b", "c", "d"])
            name     = each.value
            uris     = ["file:/srv/repo"]
            suites   = ["./"]
            trusted  = true
        }
        apt_update "now" { action = "update" }
        "#,
    );
    assert_eq!((code, sandbox.version("hello").as_str()), (0, "1.0"), "{printed}");
}

#[test]
fn other_entries_in_the_file_stay() {
    let Some(sandbox) = signed("kept") else { return };
    let file = "/etc/apt/sources.list.d/test.sources";
    sandbox.write(file, "# ours\nTypes: deb\nURIs: file:/srv/repo\nSuites: ./\nTrusted: yes\nX-Note: keep\n");
    let (code, printed) = sandbox.apply(
        "apt_repository \"test\" {\n uris = [\"file:/srv/repo\"]\n suites = [\"./\"]\n enabled = false\n}",
    );
    assert_eq!(code, 0, "{printed}");
    let expected =
        "# ours\nTypes: deb\nURIs: file:/srv/repo\nSuites: ./\nTrusted: yes\nX-Note: keep\nEnabled: no\n";
    assert_eq!(sandbox.read(file), expected);
    sandbox.write(file, "Types: deb\n\nTypes: deb\n");
    let (code, printed) =
        sandbox.apply("apt_repository \"test\" {\n uris = [\"file:/srv/repo\"]\n suites = [\"./\"]\n}");
    assert_eq!(code, 1, "{printed}");
    assert!(printed.contains("more than one repository"), "{printed}");
}
