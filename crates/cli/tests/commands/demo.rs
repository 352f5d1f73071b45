//! `uphold demo`: the embedded example.

use crate::ground::Ground;

#[test]
fn the_example_converges_and_stays() {
    let ground = Ground::new();
    let first = ground.run(&["apply", "--demo", "--root", "machine"]);
    assert_eq!((first.code, &*first.stderr), (Some(0), ""), "{}", first.stdout);
    assert!(first.stdout.contains("Applied: 7 added"), "{}", first.stdout);
    assert_eq!(ground.read("machine/srv/www/robots.txt"), "User-agent: *\nDisallow: /private/\n");
    let again = ground.run(&["apply", "--demo", "--root", "machine"]);
    assert!(again.stdout.ends_with("No changes. 8 resources are as declared.\n"), "{}", again.stdout);
    assert_eq!(ground.run(&["plan", "--demo", "--root", "machine"]).code, Some(0));
}

#[test]
fn without_a_root_the_demo_uses_a_new_folder() {
    let ground = Ground::new();
    let in_root = |arguments: &[&str]| {
        let output = ground.command(arguments).env("TMPDIR", ground.path("root")).output();
        ground.ran(&output.expect("the command starts"))
    };
    let planned = in_root(&["plan", "--demo"]);
    assert_eq!((planned.code, &*planned.stderr), (Some(2), ""), "{}", planned.stdout);
    assert!(ground.machine().is_empty(), "a plan leaves nothing behind");
    let applied = in_root(&["apply", "--demo"]);
    assert_eq!(applied.code, Some(0), "{}", applied.stderr);
    let said =
        applied.stderr.strip_prefix("The root of the example is FOLDER/root/").expect("it prints the path");
    let (folder, _) = said.split_once('.').expect("and how to do it again");
    assert!(ground.read(&format!("root/{folder}/srv/www/index.html")).contains("<title>Upheld</title>"));
}

#[test]
fn the_demo_can_be_validated() {
    Ground::new().run(&["validate", "--demo"]).check(0, "The configuration is valid: 8 resources.\n", "");
}
