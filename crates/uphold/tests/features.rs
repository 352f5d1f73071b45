//! Messages of a build without features: `cargo test --package uphold --no-default-features --test features`.
#![expect(clippy::disallowed_methods, reason = "a test writes files that are read")]

use std::path::Path;

use uphold::builtin::Download;
use uphold::model::Value;
use uphold::prelude::*;
use uphold::resource::{Context, Url};
use uphold::{Configuration, Engine, LocalHost};

/// The problems of a configuration, with their hints.
fn problems(directory: &Path, files: &[&str]) -> String {
    let engine = Engine::on(LocalHost::new()).build();
    let paths = files.iter().map(|file| directory.join(file));
    let found = match Configuration::read(&engine, paths).expect("it can be read").check() {
        Ok(checked) => checked.into_findings().1,
        Err(rejected) => rejected.diagnostics,
    };
    found.into_iter().map(|problem| format!("{}: {:?}\n", problem.detail, problem.fix)).collect()
}

#[test]
fn missing_features_are_named() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path();
    let write = |name: &str, text: &str| std::fs::write(path.join(name), text).expect("it can be written");
    std::fs::create_dir(path.join("kinds")).expect("it can be made");
    write("kinds/greeting.luau", "return {}");
    write("plain.hcl", "file \"/etc/motd\" {}");
    write("greeting.hcl", "greeting \"hello\" {}");
    write("certificate.hcl", "certificate \"/etc/site.pem\" {\n  common_name = \"site\"\n}");
    write("recipe.luau", "print('hello')");
    let luau = cfg!(feature = "luau");
    let said = |files: &[&str], what: &str, built_in: bool| {
        let problems = problems(path, files);
        let expected = format!("this program was built without {what}");
        assert_eq!(problems.contains(&expected), !built_in, "{files:?}: {problems}");
    };
    // A kind that no block uses is no problem.
    assert!(luau || problems(path, &["plain.hcl"]).is_empty());
    said(&["greeting.hcl"], "Luau", luau);
    said(&["recipe.luau"], "Luau", luau);
    said(&["certificate.hcl"], "certificates", cfg!(feature = "certificate"));
}

#[test]
fn a_request_needs_the_network() {
    let directory = tempfile::tempdir().expect("a directory");
    let target = directory.path().join("page");
    let url = Url::from_value(&Value::text("http://127.0.0.1:1/"), &Context::NOTHING).expect("an address");
    let page = Download { url: Some(url), ..Download::named(&target.to_string_lossy()).expect("a path") };
    let error = uphold::converge(&page).expect_err("no server listens there").chain();
    let refused = error.contains("this program was built without the network");
    assert_eq!(refused, !cfg!(feature = "network"), "{error}");
}
