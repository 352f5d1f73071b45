//! Audit: check and report, never change.

use uphold_engine::Mode::{Apply, Plan};
use uphold_engine::Request;
use uphold_model::{Handling, Moment};

use super::around::{idle, notifies, tool};
use super::check::SharedHost;
use super::expression::template;
use super::script::{block, declare, handled_group, id, note, same, trigger};

fn audit() -> Handling {
    Handling { audit: true, ..Handling::default() }
}

/// One note exists with other content than declared.
fn host() -> SharedHost {
    let host = SharedHost::with(|host| host.file("/d/a", "old", 0o644));
    host.0.forget();
    host
}

const DIFFERS: &str = r#"d note["/d/a"] text: "old" -> "new""#;

#[test]
fn an_audited_resource_is_not_changed() {
    let host = host();
    for mode in [Plan, Apply] {
        same(
            &note("/d/a", "new").handled(audit()).run(&host, mode),
            &format!("{DIFFERS}\n0 ok, 0 changed, 0 failed, 0 skipped, 1 differ"),
        );
    }
    assert!(host.0.writes().is_empty());
    let transcript = note("/d/a", "old").handled(audit()).run(&host, Apply);
    assert!(transcript.starts_with("= note"), "{transcript}");
}

#[test]
fn an_audited_group_is_not_changed_at_any_depth() {
    let host = host();
    let inner = handled_group(Handling::default(), [note("/d/a", "new")]);
    let transcript = handled_group(audit(), [inner]).and(note("/d/b", "1")).run(&host, Apply);
    same(
        &transcript,
        &format!(
            "{DIFFERS}\n+ note[\"/d/b\"] text: nothing -> \"1\"\n0 ok, 1 changed, 0 failed, 0 skipped, 1 differ"
        ),
    );
    assert_eq!(host.text("/d/a").as_deref(), Some("old"));
}

#[test]
fn an_audited_run_changes_nothing() {
    for mode in [Plan, Apply] {
        let host = host();
        let a = id("note", "/d/a");
        let shout =
            declare(a.clone()).set("text", "new").and(trigger(&a, "converge")).and(trigger(&a, "shout"));
        let transcript = shout.and(note("/d/b", "1")).run(&host, Request { audit: true, ..mode.into() });
        same(
            &transcript,
            &format!(
                "{DIFFERS}\nd note[\"/d/a\"]\nd note[\"/d/b\"] text: nothing -> \"1\"\n0 ok, 0 changed, 0 failed, 0 skipped, 3 differ"
            ),
        );
        assert!(host.0.writes().is_empty());
    }
}

/// Nothing changed, so nothing is notified.
#[test]
fn an_audited_difference_does_not_notify() {
    for moment in Moment::ALL {
        let handling = Handling { audit: true, ..notifies(&[("/d/z", moment)]) };
        let transcript = note("/d/a", "new").handled(handling).and(idle("/d/z")).run(&host(), Apply);
        assert!(!transcript.contains("/d/z"), "{transcript}");
    }
}

/// Readers see the current values, not the declared ones.
#[test]
fn an_audited_resource_has_its_current_values() {
    let b = block(id("note", "/d/b")).with("text", template(&id("note", "/d/a"), "text"));
    let host = host();
    note("/d/a", "new").handled(audit()).and(b).run(&host, Apply);
    assert_eq!(host.text("/d/b").as_deref(), Some("it is \"old\""));
}

#[test]
fn an_audit_can_fail() {
    let transcript = tool("t", "exit 2", "true").handled(audit()).run(&SharedHost::new(), Apply);
    assert!(transcript.contains("x tool.t the tool says failed"), "{transcript}");
}
