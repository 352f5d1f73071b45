//! The order of actions.

use std::num::NonZeroUsize;

use uphold_engine::Mode::Apply;
use uphold_engine::{Engine, EventKind};

use uphold_resource::Stop;

use super::check::{SharedHost, engine};
use super::kinds::{Folder, Note};
use super::reading::{program, run};

/// The resources in the order of their end.
fn order(transcript: &str) -> Vec<&str> {
    transcript.lines().filter_map(|line| line.split('"').nth(1)).collect()
}

#[test]
fn declared_order_decides_among_ready_resources() {
    let text = "note \"/d/c\" {\n text = \"x\"\n}\nnote \"/d/a\" {\n text = \"x\"\n}\nnote \"/d/b\" {\n text = \"x\"\n}";
    let transcript = run(&SharedHost::new(), Apply, 1, text);
    assert_eq!(order(&transcript), ["/d/c", "/d/a", "/d/b"]);
}

#[test]
fn parents_are_created_first_and_removed_last() {
    let make = r#"
        note "/d/x/y/a" { text = "x" }
        folder "/d/x/y" {}
        folder "/d/x" {}
    "#;
    let host = SharedHost::new();
    let transcript = run(&host, Apply, 1, make);
    assert_eq!(order(&transcript), ["/d/x", "/d/x/y", "/d/x/y/a"], "{transcript}");
    let remove = make.replace("{}", "{ action = \"remove\" }").replace("text = \"x\"", "action = \"remove\"");
    let transcript = run(&host, Apply, 1, &remove);
    assert_eq!(order(&transcript), ["/d/x/y/a", "/d/x/y", "/d/x"], "{transcript}");
    assert!(transcript.contains("3 changed"), "{transcript}");
}

#[test]
fn two_actions_on_one_resource_keep_their_order() {
    let text = "note \"/d/a\" {\n text = \"x\"\n action = [\"converge\", \"shout\", \"remove\"]\n}";
    let transcript = run(&SharedHost::new(), Apply, 4, text);
    let symbols: String =
        transcript.lines().filter_map(|line| line.chars().next()).filter(|c| "+!-".contains(*c)).collect();
    assert_eq!(symbols, "+!-", "{transcript}");
}

#[test]
fn edits_of_one_file_run_in_declared_order_and_fail_alone() {
    let text = "owned \"c\" {}\nowned \"a\" {\n by = \"nobody\"\n}\nowned \"b\" {}";
    for jobs in [1, 8] {
        let transcript = run(&SharedHost::new(), Apply, jobs, text);
        let lines: Vec<&str> = transcript.lines().filter(|line| !line.contains("says")).collect();
        assert!(lines[0].starts_with("= owned.c") && lines[1].starts_with("x owned.a"), "{transcript}");
        assert_eq!(lines[2..], ["= owned.b", "2 ok, 0 changed, 1 failed, 0 skipped"], "{transcript}");
    }
}

#[test]
fn a_reference_by_name_is_an_edge() {
    let text = "note \"/d/a\" {\n text = \"x\"\n after = \"/d/b\"\n}\nnote \"/d/b\" {\n text = \"x\"\n}";
    assert_eq!(order(&run(&SharedHost::new(), Apply, 1, text)), ["/d/b", "/d/a"]);
}

/// A tree of folders with notes, each note reading an earlier one.
fn large(count: usize) -> String {
    let mut text = String::new();
    for i in 0..count {
        text.push_str(&format!("folder \"/d/{i}\" {{}}\n"));
        let said = if i == 0 { "x".to_owned() } else { format!("n${{note[\"/d/{0}/n\"].length}}", i / 2) };
        text.push_str(&format!("note \"/d/{i}/n\" {{\n text = \"{said}\"\n}}\n"));
    }
    text
}

#[test]
fn any_number_of_jobs_and_any_choice_gives_the_same_result() {
    let text = large(60);
    let reference = SharedHost::new();
    run(&reference, Apply, 1, &text);
    for jobs in [2, 8, 64] {
        let host = SharedHost::new();
        let transcript = run(&host, Apply, jobs, &text);
        assert!(transcript.contains("120 changed, 0 failed, 0 skipped"), "{transcript}");
        assert!(texts(&host, 60) == texts(&reference, 60));
    }
    for seed in 0..20 {
        let host = SharedHost::new();
        let engine = seeded(&host, seed);
        let program = program(&engine, &text).expect("it is sound");
        let summary = engine.run(&program, Apply, &mut |_| {});
        assert_eq!((summary.changed, summary.failed), (120, 0), "seed {seed}");
        assert!(texts(&host, 60) == texts(&reference, 60), "seed {seed}");
    }
}

fn texts(host: &SharedHost, count: usize) -> Vec<Option<String>> {
    (0..count).map(|i| host.text(&format!("/d/{i}/n"))).collect()
}

fn seeded(host: &SharedHost, seed: u64) -> Engine {
    Engine::on(host.0.machine())
        .kind::<Note>()
        .and_then(Engine::kind::<Folder>)
        .expect("the kinds are sound")
        .seed(seed)
        .jobs(NonZeroUsize::MIN)
}

#[test]
fn events_are_one_ordered_stream() {
    let host = SharedHost::new();
    let engine = engine(&host, 8);
    let program = program(&engine, &large(40)).expect("it is sound");
    let mut kinds = Vec::new();
    let mut last = std::time::Duration::ZERO;
    engine.run(&program, Apply, &mut |event| {
        assert!(event.at >= last);
        last = event.at;
        kinds.push(match &event.kind {
            EventKind::RunStarted { actions, .. } => format!("begin {actions}"),
            EventKind::Started { resource, .. } => format!("start {resource}"),
            EventKind::Finished { resource, .. } => format!("finish {resource}"),
            EventKind::RunFinished(_) => "end".to_owned(),
            _ => String::new(),
        });
    });
    assert_eq!(
        (kinds.first().map(String::as_str), kinds.last().map(String::as_str)),
        (Some("begin 80"), Some("end"))
    );
    for finish in kinds.iter().filter(|kind| kind.starts_with("finish")) {
        let start = finish.replace("finish", "start");
        let (started, finished) = (position(&kinds, &start), position(&kinds, finish));
        assert!(started < finished, "{finish}");
    }
}

fn position(kinds: &[String], what: &str) -> usize {
    kinds.iter().position(|kind| kind == what).expect("it happened")
}

/// A resource that is only declared, has no edges, or gets its path from another one is managed, too.
#[test]
fn every_declared_path_is_managed() {
    let text = r#"
        note "/d/1" {
          text   = "x"
          action = "nothing"
        }
        note "/d/2" {
          text       = "x"
          auto_edges = false
        }
        note "late" {
          path = "/d/${note["/d/4"].length}"
          text = "x"
        }
        note "/d/4" { text = "123" }
        owned "asks" { depends_on = [note.late] }
    "#;
    let transcript = run(&SharedHost::new(), Apply, 1, text);
    assert!(transcript.contains("owned.asks says managed: /d/1 /d/2 /d/3 /d/4 /d\n"), "{transcript}");
}

#[test]
fn a_stopped_run_starts_nothing_new_and_reports_everything() {
    let text: String = (0..30).map(|i| format!("note \"/d/{i}\" {{\n text = \"x\"\n}}\n")).collect();
    let (host, stop) = (SharedHost::new(), Stop::default());
    let builder = Engine::on(host.0.machine()).kind::<Note>().expect("the kind is sound");
    let engine = builder.stop(stop.clone());
    let program = program(&engine, &text).expect("it is sound");
    let summary = engine.run(&program, Apply, &mut |event| {
        if let EventKind::Finished { resource, .. } = &event.kind
            && &*resource.name == "/d/9"
        {
            stop.request();
        }
    });
    assert_eq!((summary.changed, summary.skipped, summary.is_success()), (10, 20, false));
}
