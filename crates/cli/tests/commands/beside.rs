//! Files beside the configuration, named by relative paths.

use std::fs;

use crate::ground::Ground;

/// No text at all.
const LOGO: &[u8] = b"\x89PNG\x00\xff\xfe";

fn ground(site: &str) -> Ground {
    let ground = Ground::with(site);
    fs::create_dir_all(ground.path("web/files")).expect("a folder");
    fs::create_dir_all(ground.path("files")).expect("a folder");
    fs::create_dir_all(ground.path("root/srv")).expect("a folder");
    ground.write("files/logo", LOGO);
    ground.write("web/files/page", "of the module\n");
    ground
}

#[test]
fn a_relative_source_is_beside_the_file_that_declares_the_block() {
    let ground = ground(
        "file \"/srv/logo\" { source = \"files/logo\" }\nfile \"/srv/named\" { source = \"${path.module}/files/logo\" }\n\
         module \"web\" { source = \"./web\" }\n",
    );
    let module = "file \"/srv/page\" { source = \"files/page\" }\nfile \"/srv/named_page\" { source = \"${path.module}/files/page\" }\n";
    ground.write("web/main.hcl", module);
    let ran = ground.rooted(&["apply", "site.hcl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    for name in ["logo", "named"] {
        assert_eq!(fs::read(ground.path(&format!("root/srv/{name}"))).ok().as_deref(), Some(LOGO), "{name}");
    }
    assert_eq!(ground.read("root/srv/page"), "of the module\n");
    assert_eq!(ground.read("root/srv/named_page"), "of the module\n");
    let again = ground.rooted(&["plan", "site.hcl"]);
    assert_eq!(again.code, Some(0), "{}", again.stdout);
    ground.write("files/logo", "changed");
    assert_eq!(ground.rooted(&["plan", "site.hcl"]).code, Some(2));
}

#[test]
fn the_configuration_may_be_in_another_directory() {
    let ground = ground("");
    ground.write("web/site.hcl", "file \"/srv/page\" { source = \"files/page\" }\n");
    let ran = ground.rooted(&["apply", "web/site.hcl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ground.read("root/srv/page"), "of the module\n");
}

#[test]
fn a_path_that_waits_for_a_resource_is_beside_it_too() {
    let ground = ground(
        "query \"name\" { query = \"printf page\" }\nfile \"page\" {\n  path   = \"${path.cwd}/page\"\n  \
         source = \"web/files/${query.name.value}\"\n}\n",
    );
    let ran = ground.run(&["apply", "site.hcl"]);
    assert_eq!(ran.code, Some(0), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(ground.read("page"), "of the module\n");
}

#[test]
fn what_is_missing_is_reported_before_the_run_with_where_it_was_looked_for() {
    let ground = ground("file \"/srv/logo\" { source = \"files/lgo\" }\n");
    let ran = ground.rooted(&["validate", "site.hcl"]);
    assert_eq!(ran.code, Some(1));
    let looked = "it was looked for in FOLDER (beside site.hcl)";
    assert!(
        ran.stderr.contains("`source` = \"files/lgo\" cannot be read") && ran.stderr.contains(looked),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_saved_plan_refuses_another_content() {
    let ground = ground("file \"/srv/logo\" { source = \"files/logo\" }\n");
    assert_eq!(ground.rooted(&["plan", "site.hcl", "--out", "p.plan"]).code, Some(2));
    ground.write("files/logo", "changed");
    let ran = ground.rooted(&["apply", "p.plan"]);
    assert_eq!(ran.code, Some(1), "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains("files/logo"), "{}", ran.stderr);
    assert!(!ground.path("root/srv/logo").exists());
}
