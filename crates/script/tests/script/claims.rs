//! Dependencies that scripts declare by `claims()`.

use uphold_engine::Mode::{Apply, Plan};

use crate::bench::Bench;
use crate::stage::{same, site};

/// A kind with these claims, whose action runs `work`.
fn kind(claims: &str, work: &str) -> String {
    format!("function claims() return {{ {claims} }} end\nfunction actions.create() {work} end")
}

fn write(path: &str) -> String {
    format!("fs.write(\"{path}\", \"x\")")
}

/// The resources `first` and `second`, written in the opposite order, run in this one.
#[track_caller]
fn comes_first(first: &str, second: &str) {
    let (first, second) = (kind(first, &write("/first")), kind(second, &write("/second")));
    let bench = Bench::new(&[("first", &first), ("second", &second)]);
    let output = site(&bench, Apply, "second \"x\" {}\nfirst \"x\" {}");
    let at = |kind: &str| output.find(&format!("{kind}.x changed")).unwrap_or_else(|| panic!("{output}"));
    assert!(at("first") < at("second"), "{output}");
}

#[test]
fn claims_determine_the_order() {
    comes_first("provides = { path = \"/p\" }", "needs = { path = \"/p\" }");
    comes_first("holds = { user = \"u\" }", "needs = { user = \"u\" }");
    comes_first("leads = { package = \"p\" }", "follows = { package = \"p\" }");
    comes_first("holds = { path = \"/etc/in/x\" }", "reads = { path = \"/etc/in\" }");
    comes_first(
        "leads = { other = { [\"package sources\"] = \"of this machine\" } }",
        "follows = { other = { [\"package sources\"] = \"of this machine\" } }",
    );
    comes_first(
        "holds = { other = { address = \"a\" } }",
        "needs = { other = { address = { \"a\", \"b\" } } }",
    );
}

#[test]
fn a_failed_leader_blocks_nothing() {
    let (leads, follows) = ("leads = { unit = \"u\" }", "follows = { unit = \"u\" }");
    let (leader, follower) = (kind(leads, "error(\"no\")"), kind(follows, &write("/x")));
    let bench = Bench::new(&[("leader", &leader), ("follower", &follower)]);
    let output = site(&bench, Apply, "leader \"x\" {}\nfollower \"x\" {}");
    assert!(output.contains("leader.x failed") && output.contains("follower.x changed"), "{output}");
}

#[test]
fn two_resources_cannot_hold_the_same_thing() {
    let text = kind("holds = { other = { address = \"10.0.0.1\" } }", "");
    let bench = Bench::new(&[("endpoint", &text)]);
    let output = site(&bench, Plan, "endpoint \"a\" {}\nendpoint \"b\" {}");
    assert!(output.contains("address 10.0.0.1"), "{output}");
    same(&site(&bench, Plan, "endpoint \"a\" {}"), "endpoint.a unchanged");
}

#[test]
fn misuse_of_claims_is_explained() {
    let check = |claims: &str, expected: &str| {
        let bench = Bench::new(&[("p", &kind(claims, ""))]);
        let output = bench.run(Plan, "p", "x", &[]);
        assert!(output.contains(expected), "{claims}: {output}");
    };
    check("hold = { path = \"/x\" }", "claims() returns an unknown `hold`; did you mean `holds`?");
    check("holds = { pth = \"/x\" }", "claims() returns an unknown `pth`; did you mean `path`?");
    check("holds = \"/x\"", "claims() must return tables: { provides = { path = \"/x\" } }");
    check("holds = { other = \"x\" }", "claims() must name a namespace: other = { address = \"10.0.0.1\" }");
    check("reads = { user = \"u\" }", "claims() reads user u, but this relation is only for paths");
    check("needs = { user = 7 }", "claims() returns a number as a name, but names are strings");
    check("needs = { other = { port = { 80 } } }", "claims() returns a number as a name");
}
