//! Common behaviour: flags, colours, pipes and exit codes.

use std::process::Stdio;

use super::sandbox::Sandbox;

const SITE: &str = "file \"/a\" {\n  content = \"x\"\n}\n\nlog \"b\" {}\n\nfile \"/none/c\" {}\n";

#[test]
fn quiet_leaves_only_errors() {
    let sandbox = Sandbox::with(SITE);
    let ran = sandbox.rooted(&["apply", "--quiet"]);
    assert_eq!((ran.code, &*ran.stdout), (Some(1), ""));
    assert!(ran.stderr.starts_with("error: file[\"/none/c\"]: "), "{}", ran.stderr);
    let fine = Sandbox::with("log \"b\" {\n  level = \"warning\"\n}\n");
    fine.rooted(&["apply", "-q"]).check(0, "", "");
    fine.rooted(&["validate", "-q"]).check(0, "", "");
    fine.rooted(&["apply"]).check(0, "No changes. 1 resource is as declared.\n", "warning: log.b: b\n");
}

#[test]
fn colour_follows_the_flag_and_the_environment() {
    let sandbox = Sandbox::with(SITE);
    let coloured = |arguments: &[&str], variables: &[(&str, &str)]| {
        let mut command = sandbox.command(&[&["plan", "--root", "root"], arguments].concat());
        command.envs(variables.iter().copied());
        let ran = sandbox.ran(&command.output().expect("the command starts"));
        ran.stdout.contains("\u{1b}[32m+\u{1b}[0m")
    };
    assert!(!coloured(&[], &[]), "no terminal");
    assert!(coloured(&["--color", "always"], &[]));
    assert!(coloured(&["--color", "always"], &[("NO_COLOR", "1")]), "the flag wins");
    assert!(coloured(&[], &[("CLICOLOR_FORCE", "1")]));
    assert!(!coloured(&["--color", "never"], &[("CLICOLOR_FORCE", "1")]));
}

#[test]
fn without_colour_the_text_is_the_same() {
    let sandbox = Sandbox::with(SITE);
    let (plain, coloured) = (sandbox.rooted(&["plan"]), sandbox.rooted(&["plan", "--color", "always"]));
    let mut stripped = String::new();
    for part in coloured.stdout.split('\u{1b}') {
        let after =
            part.strip_prefix('[').and_then(|code| code.split_once('m')).map_or(part, |(_, rest)| rest);
        stripped.push_str(after);
    }
    assert_eq!(stripped, plain.stdout);
}

#[test]
fn a_closed_pipe_is_no_error() {
    let files: String = (0..2_000).map(|n| format!("file \"/{n}\" {{\n  content = \"x\"\n}}\n")).collect();
    let sandbox = Sandbox::with(files);
    for (arguments, code) in [(&["plan"][..], 2), (&["plan", "--json"], 2), (&["apply"], 0)] {
        let mut command = sandbox.command(&[arguments, &["--root", "root"]].concat());
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the command starts");
        drop(child.stdout.take());
        let ran = sandbox.ran(&child.wait_with_output().expect("it ends"));
        ran.check(code, "", "");
    }
    assert_eq!(sandbox.machine().len(), 2_000, "apply goes on");
}

#[test]
fn a_full_disk_is_an_error() {
    let sandbox = Sandbox::with("log \"a\" {}\n");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    let output = sandbox.command(&["plan"]).stdout(full).output().expect("the command starts");
    sandbox.ran(&output).check(
        1,
        "",
        "error: cannot write to standard output\n  because: No space left on device (os error 28)\n",
    );
}

#[test]
fn one_job_gives_the_same_order_each_time() {
    let sandbox = Sandbox::with(SITE);
    for arguments in [&["plan"][..], &["plan", "-v"]] {
        let (first, second) = (sandbox.rooted(arguments), sandbox.rooted(arguments));
        assert_eq!((first.code, first.stdout, first.stderr), (second.code, second.stdout, second.stderr));
    }
}

#[test]
fn many_jobs_print_the_same_lines() {
    let files: String = (0..200).map(|n| format!("file \"/{n}\" {{\n  content = \"x\"\n}}\n")).collect();
    let sandbox = Sandbox::with(files);
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let (one, many) = (sandbox.rooted(&["plan"]), sandbox.run(&["plan", "--root", "root", "--jobs", "8"]));
    assert_eq!(sorted(&one.stdout), sorted(&many.stdout));
}

#[test]
fn validate_counts_valid_resources() {
    Sandbox::with(SITE).run(&["validate"]).check(0, "The configuration is valid: 3 resources.\n", "");
}

#[test]
fn configuration_can_come_from_standard_input() {
    let sandbox = Sandbox::with("log \"here\" {}\n");
    let mut command = sandbox.command(&["plan", "-"]);
    let file = std::fs::File::open(sandbox.path("site.hcl")).expect("a file");
    let ran = sandbox.ran(&command.stdin(file).output().expect("the command starts"));
    ran.check(0, "  log.here: here\nNo changes. 1 resource is as declared.\n", "");
}

#[test]
fn help_and_version_succeed_on_standard_output() {
    let sandbox = Sandbox::new();
    sandbox.run(&["--version"]).check(0, concat!("uphold ", env!("CARGO_PKG_VERSION"), "\n"), "");
    let help = sandbox.run(&["--help"]);
    assert_eq!((help.code, &*help.stderr), (Some(0), ""));
    for words in ["Exit codes:", "plan: there are changes", "--root <DIR>", "completions"] {
        assert!(help.stdout.contains(words), "{words}: {}", help.stdout);
    }
    for command in ["plan", "apply", "validate", "graph", "read", "explain", "completions"] {
        assert_eq!(sandbox.run(&[command, "--help"]).code, Some(0), "{command}");
    }
}

#[test]
fn external_text_cannot_control_the_terminal() {
    let sandbox = Sandbox::with(
        "log \"a\" {\n  message = \"\\u001b[2J\"\n}\n\nfile \"/b\" {\n  content = \"\\u001b[2J\\n\"\n}\n",
    );
    let ran = sandbox.rooted(&["plan"]);
    assert!(!ran.stdout.contains('\u{1b}'), "{:?}", ran.stdout);
    assert!(ran.stdout.contains(r"\u{1b}[2J"), "{:?}", ran.stdout);
}
