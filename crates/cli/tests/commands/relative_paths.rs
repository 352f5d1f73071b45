//! Files beside the configuration, named by relative paths.

use std::fs;

use super::sandbox::Sandbox;

/// Bytes that are not valid UTF-8.
const LOGO: &[u8] = b"\x89PNG\x00\xff\xfe";

fn sandbox(site: &str) -> Sandbox {
    let sandbox = Sandbox::with(site);
    fs::create_dir_all(sandbox.path("web/files")).expect("a folder");
    fs::create_dir_all(sandbox.path("files")).expect("a folder");
    fs::create_dir_all(sandbox.path("root/srv")).expect("a folder");
    sandbox.write("files/logo", LOGO);
    sandbox.write("web/files/page", "of the module\n");
    sandbox
}

#[test]
fn a_relative_source_is_beside_the_file_that_declares_the_block() {
    let sandbox = sandbox(
        "file \"/srv/logo\" { source = \"files/logo\" }\nfile \"/srv/named\" { source = \"${path.module}/files/logo\" }\n\
         module \"web\" { source = \"./web\" }\n",
    );
    let module = "file \"/srv/page\" { source = \"files/page\" }\nfile \"/srv/named_page\" { source = \"${path.module}/files/page\" }\n";
    sandbox.write("web/main.hcl", module);
    let ran = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    for name in ["logo", "named"] {
        assert_eq!(fs::read(sandbox.path(&format!("root/srv/{name}"))).ok().as_deref(), Some(LOGO), "{name}");
    }
    assert_eq!(sandbox.read("root/srv/page"), "of the module\n");
    assert_eq!(sandbox.read("root/srv/named_page"), "of the module\n");
    let again = sandbox.rooted(&["plan", "site.hcl"]);
    assert_eq!(again.code, Some(0), "{}", again.stdout);
    sandbox.write("files/logo", "changed");
    assert_eq!(sandbox.rooted(&["plan", "site.hcl"]).code, Some(2));
}

#[test]
fn the_configuration_may_be_in_another_directory() {
    let sandbox = sandbox("");
    sandbox.write("web/site.hcl", "file \"/srv/page\" { source = \"files/page\" }\n");
    let ran = sandbox.rooted(&["apply", "web/site.hcl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(sandbox.read("root/srv/page"), "of the module\n");
}

#[test]
fn a_deferred_relative_path_is_beside_the_file_too() {
    let sandbox = sandbox(
        "query \"name\" { query = \"printf page\" }\nfile \"page\" {\n  path   = \"${path.cwd}/page\"\n  \
         source = \"web/files/${query.name.value}\"\n}\n",
    );
    let ran = sandbox.run(&["apply", "site.hcl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(sandbox.read("page"), "of the module\n");
}

#[test]
fn a_missing_source_is_reported_before_the_run_with_its_full_path() {
    let sandbox = sandbox("file \"/srv/logo\" { source = \"files/lgo\" }\n");
    let ran = sandbox.rooted(&["validate", "site.hcl"]);
    assert_eq!(ran.code, Some(1));
    let looked = "searched in FOLDER (beside site.hcl)";
    assert!(
        ran.stderr.contains("`source` = \"files/lgo\" cannot be read") && ran.stderr.contains(looked),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_saved_plan_refuses_another_content() {
    let sandbox = sandbox("file \"/srv/logo\" { source = \"files/logo\" }\n");
    assert_eq!(sandbox.rooted(&["plan", "site.hcl", "--out", "p.plan"]).code, Some(2));
    sandbox.write("files/logo", "changed");
    let ran = sandbox.rooted(&["apply", "p.plan"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("files/logo"), "{}", ran.stderr);
    assert!(!sandbox.path("root/srv/logo").exists());
}

/// A tar archive with one file, `app/run`, of this content.
fn pack(sandbox: &Sandbox, archive: &str, content: &str) {
    fs::create_dir_all(sandbox.path("app")).expect("a folder");
    sandbox.write("app/run", content);
    let mut tar = std::process::Command::new("tar");
    let status = tar.args(["-cf", archive, "app/run"]).current_dir(sandbox.path("")).status();
    assert!(status.expect("tar runs").success());
}

#[test]
fn an_archive_may_be_beside_the_file_that_declares_the_block() {
    let sandbox = sandbox(
        "archive \"/srv/site\" { source = \"files/a.tar\" }\nmodule \"web\" { source = \"./web\" }\n",
    );
    sandbox.write("web/main.hcl", "archive \"/srv/module\" { source = \"files/a.tar\" }\n");
    pack(&sandbox, "files/a.tar", "of the site");
    pack(&sandbox, "web/files/a.tar", "of the module");
    let ran = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(sandbox.read("root/srv/site/app/run"), "of the site");
    assert_eq!(sandbox.read("root/srv/module/app/run"), "of the module");
    let again = sandbox.rooted(&["plan", "site.hcl"]);
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    pack(&sandbox, "files/a.tar", "of the new site");
    let ran = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(sandbox.read("root/srv/site/app/run"), "of the new site");
}

#[test]
fn an_apt_key_may_be_beside_the_file_that_declares_the_block() {
    let key = include_str!("../../../builtin/tests/packages/key.asc");
    let sandbox =
        sandbox("apt_key \"site\" { source = \"files/key.asc\" }\nmodule \"web\" { source = \"./web\" }\n");
    sandbox.write("web/main.hcl", "apt_key \"module\" { source = \"${path.module}/files/key.asc\" }\n");
    fs::create_dir_all(sandbox.path("root/etc/apt/keyrings")).expect("a folder");
    sandbox.write("files/key.asc", key);
    sandbox.write("web/files/key.asc", key);
    let ran = sandbox.rooted(&["apply", "site.hcl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    for name in ["site", "module"] {
        assert!(sandbox.read(&format!("root/etc/apt/keyrings/{name}.asc")).contains("BEGIN PGP"), "{name}");
    }
    let again = sandbox.rooted(&["plan", "site.hcl"]);
    assert_eq!(again.code, Some(0), "{}{}", again.stdout, again.stderr);
    sandbox.write("files/key.asc", "no key");
    let ran = sandbox.rooted(&["plan", "site.hcl"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_missing_archive_or_key_is_reported_with_its_full_path() {
    for block in ["archive \"/srv/a\"", "apt_key \"a\""] {
        let sandbox = sandbox(&format!("{block} {{ source = \"files/none\" }}\n"));
        let ran = sandbox.rooted(&["validate", "site.hcl"]);
        assert_eq!(ran.code, Some(1), "{block}: {}", ran.stdout);
        let looked = "searched in FOLDER (beside site.hcl)";
        assert!(ran.stderr.contains(looked), "{block}: {}", ran.stderr);
    }
}

/// A path from `path.module` contains the directory of the configuration already, wherever the command is started.
#[test]
fn functions_accept_paths_from_path_module() {
    let sandbox = sandbox("");
    let site = r#"
output "text" { value = file("${path.module}/files/page") }
output "there" { value = fileexists("${path.module}/files/page") }
output "files" { value = fileset(path.module, "files/*") }
output "path" { value = trimprefix(abspath("${path.module}/files"), path.cwd) }
"#;
    sandbox.write("web/main.hcl", site);
    let ran = sandbox.rooted(&["plan", "web"]);
    let outputs =
        ["text = \"of the module\\n\"", "there = true", "files = [\"files/page\"]", "path = \"/web/files\""];
    for expected in outputs {
        let found = ran.stdout.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(found.contains(expected), "{expected} is not in\n{}{}", ran.stdout, ran.stderr);
    }
    // A file of that name beside the calling file comes first.
    fs::create_dir_all(sandbox.path("web/web/files")).expect("a folder");
    sandbox.write("web/web/files/page", "beside");
    let ran = sandbox.rooted(&["plan", "web"]);
    assert!(ran.stdout.contains("text = \"beside\""), "{}{}", ran.stdout, ran.stderr);
}
