//! `uphold graph` on real configurations, checked with Graphviz.

use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::binary::{Run, uphold};

const SITE: &str = r#"
directory "/srv/www" {}
file "/srv/www/index.html" {
  content = query.host.value
}
query "host" {
  query = "hostname"
}
file "/etc/\"quoted\" <b>&amp;</b> \\N #{x} | `y`" {
  action = "remove"
}
log "done" {
  depends_on = [file["/srv/www/index.html"]]
}
"#;

fn graph(text: &str, format: &str) -> Run {
    let directory = tempfile::tempdir().expect("a directory for the test");
    let file = directory.path().join("site.hcl");
    std::fs::write(&file, text).expect("a file for the test");
    uphold(["graph".as_ref(), file.as_os_str(), "--format".as_ref(), format.as_ref()])
}

/// The output of Graphviz for a drawing; none if it is not installed.
fn graphviz(dot: &str) -> Option<String> {
    let run = Command::new("dot").arg("-Tsvg").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let Ok(mut run) = run else {
        let _ = writeln!(std::io::stderr(), "skipped: `dot` of Graphviz is not installed");
        return None;
    };
    let mut stdin = run.stdin.take().expect("it is piped");
    stdin.write_all(dot.as_bytes()).expect("dot reads it all");
    drop(stdin);
    let output = run.wait_with_output().expect("dot ends");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

#[test]
fn dot_shows_edges_with_their_reasons() {
    let run = graph(SITE, "dot");
    assert_eq!((run.code, run.err.as_str()), (0, ""));
    let edges: Vec<&str> = run.out.lines().map(str::trim).filter(|line| line.contains(" -> ")).collect();
    let expected = [
        r#"n0 -> n1 [label="path /srv/www"];"#,
        r#"n1 -> n4 [label="depends_on"];"#,
        r#"n2 -> n1 [label="refers to it"];"#,
    ];
    assert_eq!(edges, expected);
    assert_eq!(run.out, graph(SITE, "dot").out, "the same configuration, the same drawing");
}

#[test]
fn graphviz_reads_every_name_as_it_is() {
    let Some(picture) = graphviz(&graph(SITE, "dot").out) else { return };
    assert_eq!(picture.matches("class=\"node\"").count(), 5, "{picture}");
    assert_eq!(picture.matches("class=\"edge\"").count(), 3, "{picture}");
    let text = picture.replace("&#45;", "-").replace("&#160;", " ");
    // The id shows the name as in an expression, with escaped quotes and backslashes.
    let name =
        r#"file["/etc/\"quoted\" &lt;b&gt;&amp;amp;&lt;/b&gt; \\N #{x} | `y`"]"#.replace('"', "&quot;");
    assert!(text.contains(&name), "{name} in {text}");
    assert!(text.contains(">remove</text>"), "{text}");
}

#[test]
fn mermaid_escapes_names() {
    let run = graph(SITE, "mermaid");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with("flowchart LR\n  n0[\"directory[#34;/srv/www#34;]\"]\n"), "{}", run.out);
    assert!(run.out.contains("  n2 -->|\"refers to it\"| n1\n"), "{}", run.out);
    let odd = run.out.lines().find(|line| line.contains("quoted")).expect("the odd name");
    let inside = odd.trim_start_matches("  n3[\"").trim_end_matches("\"]").replace("<br/>", "");
    assert!(!inside.contains(['"', '<', '>', '`', '|', '\\', '{']), "{odd}");
}

#[test]
fn svg_shows_edges_with_their_reasons() {
    let run = graph(SITE, "svg");
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.out.starts_with("<svg ") && run.out.ends_with("</svg>\n"), "{}", run.out);
    assert!(
        run.out.contains(": path /srv/www</title>") && run.out.contains(">file · remove</text>"),
        "{}",
        run.out
    );
    assert_eq!(run.out.matches("<rect ").count(), 5);
    assert_eq!(run.out.matches("<path class=\"e\"").count(), 3);
}

#[test]
fn a_broken_configuration_draws_nothing() {
    let run = graph("banana \"x\" {}\n", "dot");
    assert_eq!((run.code, run.out.as_str()), (1, ""));
    assert!(run.err.contains("banana"), "{}", run.err);
}

#[test]
fn two_thousand_nodes_are_drawn_in_seconds() {
    let mut text = String::from("log \"0\" {}\n");
    for node in 1..2000 {
        // A tree, a chain across it, and one node that everything depends on.
        let (half, before) = (node / 2, node - 1);
        let _ = writeln!(
            text,
            "log \"{node}\" {{\n depends_on = [log[\"0\"], log[\"{half}\"], log[\"{before}\"]]\n}}"
        );
    }
    let begin = Instant::now();
    let run = graph(&text, "svg");
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.matches("<rect ").count(), 2000);
    assert!(begin.elapsed() < Duration::from_secs(30), "{:?}", begin.elapsed());
}

/// The edges of a drawing for Graphviz, nodes by their labels.
fn edges(dot: &str) -> Vec<String> {
    let label = |line: &str| line.split('"').nth(1).unwrap_or_default().replace("\\n", " ");
    let nodes: Vec<(&str, String)> = dot
        .lines()
        .map(str::trim)
        .filter(|line| line.contains("fillcolor="))
        .filter_map(|line| Some((line.split_once(' ')?.0, label(&line.replace("\\\"", "'")))))
        .collect();
    let name = |id: &str| nodes.iter().find(|(node, _)| *node == id).map_or("?", |(_, name)| name.as_str());
    let arrows = dot.lines().map(str::trim).filter_map(|line| Some((line.split_once(" -> ")?, line)));
    arrows
        .map(|((before, rest), line)| {
            let after = rest.split_once(' ').map_or(rest, |(after, _)| after);
            format!("{} -> {}: {}", name(before), name(after), label(line))
        })
        .collect()
}

#[test]
fn a_notifier_has_an_edge_to_the_action_that_it_notifies() {
    let check = |site: &str, expected: &[&str]| {
        let run = graph(site, "dot");
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{site}");
        assert_eq!(edges(&run.out), expected, "{site}");
        let svg = graph(site, "svg").out;
        assert_eq!(svg.matches("<path class=\"e\"").count(), expected.len(), "{svg}");
        let mermaid = graph(site, "mermaid").out;
        assert_eq!(mermaid.matches(" -->|").count(), expected.len(), "{mermaid}");
    };
    let task = "task \"t\" {\n  action = \"nothing\"\n  apply  = \"true\"\n";
    let file = "file \"/x\" {\n  content  = \"x\"\n  notifies = [task.t.run]\n}\n";
    check(&format!("{file}{task}}}\n"), &["file['/x'] -> task.t run: is notified by it"]);
    check(
        "service \"x\" {\n  enabled = true\n}\nlog \"a\" {\n  notifies = [service.x.reload]\n}\n",
        &["log.a -> service.x: is notified by it", "log.a -> service.x reload: is notified by it"],
    );
    // A notified action notifies others, too.
    let chain = format!("{file}{task}  notifies = [task.u.run]\n}}\n{}}}\n", task.replace("\"t\"", "\"u\""));
    check(
        &chain,
        &["file['/x'] -> task.t run: is notified by it", "task.t run -> task.u run: is notified by it"],
    );
}

/// An action that only runs when it is notified is a node like any other.
#[test]
fn notified_actions_are_nodes() {
    let site = "package \"x\" {}\nservice \"x\" {\n  enabled = true\n}\nlog \"a\" {\n  notifies = [service.x.reload]\n}\n";
    let run = |format| {
        let run = graph(site, format);
        assert_eq!((run.code, run.err.as_str()), (0, ""), "{format}");
        run.out
    };
    let dot = run("dot");
    assert!(dot.contains(r#"[label="service.x\nreload""#), "{dot}");
    let declared = dot.lines().filter(|line| line.contains("fillcolor=")).count();
    let used =
        dot.split(|c: char| !c.is_alphanumeric()).filter_map(|word| word.strip_prefix('n')?.parse().ok());
    assert!(used.max().is_some_and(|most: usize| most < declared), "{dot}");
    assert!(run("mermaid").contains("<br/>reload"));
    assert!(run("svg").contains("reload"));
}

#[test]
fn the_archive_of_a_tree_depends_on_changes_in_the_tree() {
    let edges = |text: &str| {
        let run = graph(text, "dot");
        assert_eq!((run.code, run.err.as_str()), (0, ""));
        let lines = run.out.lines().map(str::trim).filter(|line| line.contains(" -> "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let inside = |from: usize, to: usize| {
        format!("n{from} -> n{to} [label=\"changes something inside path /srv/www\"];")
    };
    let site = r#"
        tar "/srv/www/site.tar" { inputs = ["/srv/www"] }
        tar "/var/site.tar" { inputs = ["/srv/www"] }
        file "/srv/www/a" { content = "a" }
        line "b" {
          file = "/srv/www/deep/b"
          line = "b"
        }
        file "/srv/www/old" { action = "remove" }
        file "/srv/other" {}
    "#;
    let found = edges(site);
    for to in [0, 1] {
        for from in [2, 3, 4] {
            assert!(found.contains(&inside(from, to)), "{from} {to}: {found:#?}");
        }
    }
    assert_eq!(found.len(), 6, "{found:#?}");
    // A resource that depends on the archive is an exception; the others are not.
    let found = edges(
        r#"
        tar "/srv/www/site.tar" { inputs = ["/srv/www"] }
        file "/srv/www/site.tar.digest" { content = tar["/srv/www/site.tar"].digest }
        file "/srv/www/a" { content = "a" }
    "#,
    );
    assert_eq!(found, [r#"n0 -> n1 [label="refers to it"];"#.to_owned(), inside(2, 0)]);
}
