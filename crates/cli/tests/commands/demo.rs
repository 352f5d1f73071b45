//! `uphold demo`: the embedded example.

use super::sandbox::Sandbox;

#[test]
fn the_example_converges_and_stays() {
    let sandbox = Sandbox::new();
    let first = sandbox.run(&["apply", "--demo", "--root", "machine"]);
    assert_eq!((first.code, &*first.stderr), (Some(0), ""), "{}", first.stdout);
    assert!(first.stdout.contains("Applied: 7 added"), "{}", first.stdout);
    assert_eq!(sandbox.read("machine/srv/www/robots.txt"), "User-agent: *\nDisallow: /private/\n");
    let again = sandbox.run(&["apply", "--demo", "--root", "machine"]);
    assert!(again.stdout.ends_with("No changes. 8 resources are as declared.\n"), "{}", again.stdout);
    assert_eq!(sandbox.run(&["plan", "--demo", "--root", "machine"]).code, Some(0));
}

#[test]
fn without_a_root_the_demo_uses_a_new_folder() {
    let sandbox = Sandbox::new();
    let in_root = |arguments: &[&str]| {
        let output = sandbox.command(arguments).env("TMPDIR", sandbox.path("root")).output();
        sandbox.ran(&output.expect("the command starts"))
    };
    let planned = in_root(&["plan", "--demo"]);
    assert_eq!((planned.code, &*planned.stderr), (Some(2), ""), "{}", planned.stdout);
    assert!(sandbox.machine().is_empty(), "a plan leaves nothing behind");
    let applied = in_root(&["apply", "--demo"]);
    assert_eq!(applied.code, Some(0), "{}", applied.stderr);
    let printed =
        applied.stderr.strip_prefix("The root of the example is FOLDER/root/").expect("it prints the path");
    let (folder, _) = printed.split_once('.').expect("and how to do it again");
    assert!(sandbox.read(&format!("root/{folder}/srv/www/index.html")).contains("<title>Upheld</title>"));
}

#[test]
fn the_demo_can_be_validated() {
    Sandbox::new().run(&["validate", "--demo"]).check(0, "The configuration is valid: 8 resources.\n", "");
}
