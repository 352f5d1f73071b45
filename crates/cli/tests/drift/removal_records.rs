//! Removals that depend on what earlier runs recorded: killed ones, saved plans, other roots.

use super::removal::{KEPT, read, sandbox};
use super::sandbox::Sandbox;

#[test]
fn the_policy_of_the_last_declaration_counts() {
    let file = |policy: &str, rest: &str| {
        format!("{KEPT}file \"/etc/a\" {{\n  content    = \"1\"\n  on_removal = \"{policy}\"\n{rest}}}\n")
    };
    for rest in
        ["  only_if = \"false\"\n", "  audit = true\n", "  verify = \"false {}\"\n  mode = \"0600\"\n"]
    {
        for (first, last, expected) in [("remove", "keep", Some("1")), ("keep", "remove", None)] {
            let sandbox = sandbox(&file(first, ""));
            sandbox.apply();
            sandbox.configure(&file(last, rest));
            sandbox.run(&["apply"]);
            sandbox.configure(KEPT);
            sandbox.apply();
            assert_eq!(read(&sandbox, "root/etc/a").as_deref(), expected, "{first} {last} {rest}");
        }
    }
}
