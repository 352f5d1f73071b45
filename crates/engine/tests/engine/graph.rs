//! The graph as text: each edge with its reason.

use super::check::{SharedHost, engine};
use super::reading::program;
use super::script::{declare, id, note, trigger};

#[test]
fn every_edge_has_its_reason() {
    let host = SharedHost::new();
    let text = r#"
        folder "/d/x" {}
        note "/d/x/a" { text = "x" }
        note "/d/b" {
          text   = note["/d/x/a"].text
          beside = "/d/x/y/z"
        }
        bad "app" { depends_on = [note["/d/b"]] }
        owned "o" { by = "app" }
    "#;
    let program = program(&engine(&host, 1), text).expect("it is sound");
    let id = |node: u32| program.set().id(program.list().get(node as usize).resource).to_string();
    let edges: Vec<String> = program
        .graph()
        .edges()
        .iter()
        .map(|edge| format!("{} < {} ({})", id(edge.before), id(edge.after), edge.reason))
        .collect();
    assert_eq!(
        edges.join("\n"),
        r#"folder["/d/x"] < note["/d/x/a"] (path /d/x)
folder["/d/x"] < note["/d/b"] (path /d/x)
note["/d/x/a"] < note["/d/b"] (refers to it)
note["/d/b"] < bad.app (depends_on)
bad.app < owned.o (user app)"#
    );
}

#[test]
fn auto_edges_can_be_disabled() {
    let host = SharedHost::new();
    let text = "folder \"/d/x\" {}\nnote \"/d/x/a\" {\n text = \"x\"\n auto_edges = false\n}";
    let program = program(&engine(&host, 1), text).expect("it is sound");
    assert!(program.graph().edges().is_empty());
}

#[test]
fn a_chain_of_a_hundred_thousand_is_checked() {
    let host = SharedHost::new();
    let mut text = String::from("bad \"n0\" {}\n");
    for i in 1..100_000 {
        text.push_str(&format!("bad \"n{i}\" {{\n depends_on = [bad.n{}]\n}}\n", i - 1));
    }
    let program = program(&engine(&host, 1), &text).expect("it is sound");
    assert_eq!(program.graph().edges().len(), 99_999);
}

#[test]
fn a_removed_and_recreated_resource_exists_for_its_dependents() {
    let folder = id("folder", "/d/x");
    let twice = declare(folder.clone()).and(trigger(&folder, "remove")).and(trigger(&folder, "converge"));
    let edges = twice.and(note("/d/x/a", "1")).edges();
    assert!(edges.iter().any(|edge| edge.starts_with("/d/x < /d/x/a")), "{edges:?}");
}
