//! Searches for a secret param in everything that a run prints, writes or shows to other users.

use std::process::{Command, Stdio};
use std::time::Duration;

use super::arena::{Arena, finish};
use super::tally::Tally;
use crate::disk;
use crate::failure::{Failure, Result};

/// A text that occurs nowhere by chance.
const SECRET: &str = "hunter2SECRETxyz";

/// The declared files that contain the secret on purpose are in `DIR/private`.
const CONFIGURATION: &str = r#"
param "token" {
  type      = string
  sensitive = true
}

file "token" {
  path    = "DIR/private/token"
  content = "token=${param.token}\n"
}

line "token" {
  file       = "DIR/private/lines"
  line       = "token ${param.token}"
  create     = true
  depends_on = [file.token]
}

task "login" {
  check   = "test -e DIR/done-${sha256(param.token)}"
  apply   = "env > DIR/environment; sleep 0.4; : ${param.token}; touch DIR/done-${sha256(param.token)}"
  only_if = "sleep 0.2; test -n '${param.token}'"
}

query "echo" {
  query = "sleep 0.2; echo ${param.token}"
}

task "failing" {
  check          = "false"
  apply          = "echo ${param.token}; echo ${param.token} >&2; exit 3"
  ignore_failure = true
}

log "said" {
  message = "the token is ${param.token}, and ${query.echo.value}"
}
"#;

/// All commands that print; each gets the configuration, and the secret through the environment.
const OUTPUTS: [&[&str]; 14] = [
    &["validate", "secrets.hcl"],
    &["plan", "secrets.hcl"],
    &["plan", "-v", "secrets.hcl"],
    &["plan", "--json", "secrets.hcl"],
    &["plan", "--out", "site.plan", "secrets.hcl"],
    &["show", "site.plan"],
    &["show", "--json", "site.plan"],
    &["graph", "secrets.hcl"],
    &["graph", "--format", "dot", "secrets.hcl"],
    &["console", "secrets.hcl", "-e", "param.token"],
    &["apply", "-v", "--report", "report.json", "--report", "report.xml", "secrets.hcl"],
    &["apply", "--json", "secrets.hcl"],
    &["watch", "--plain", "-v", "--socket", "none", "--max-runtime", "1s", "secrets.hcl"],
    &["validate", "--params", "broken.hcl", "secrets.hcl"],
];

/// The files that the commands above write.
const FILES: [&str; 4] = ["site.plan", "report.json", "report.xml", "machine/environment"];

pub(crate) fn run(arena: &Arena) -> Result<Tally> {
    let machine = arena.path("machine");
    disk::remove_tree(&machine)?;
    disk::make_directory(&machine.join("private"))?;
    disk::write(&arena.path("secrets.hcl"), &CONFIGURATION.replace("DIR", &machine.display().to_string()))?;
    disk::write(&arena.path("broken.hcl"), &format!("token = \"{SECRET}\n"))?;
    let mut tally = Tally::default();
    for words in OUTPUTS {
        let output = finish(&mut with_secret(arena, words))?;
        let printed = [output.stdout, output.stderr].concat();
        tally.count(&words.join(" "), leak(&String::from_utf8_lossy(&printed)));
    }
    for file in FILES {
        tally.count(file, leak(&disk::read(&arena.path(file))?));
    }
    tally.count("arguments of processes", process_arguments(arena)?);
    tally.count("state directory", stored(arena)?);
    Ok(tally)
}

/// A file of the journal with the secret. The newest runs are not compressed.
fn stored(arena: &Arena) -> Result<Option<String>> {
    let state = arena.path("state");
    let mut command = Command::new("grep");
    let output = finish(command.args(["--recursive", "--text", "--files-with-matches", SECRET]).arg(&state))?;
    match output.status.code() {
        Some(0) => {
            let files = String::from_utf8_lossy(&output.stdout);
            Ok(Some(format!("it stores the secret in {}", files.trim_end().replace('\n', ", "))))
        }
        Some(1) => Ok(None),
        _ => Err(Failure::new(format!("cannot search `{}`", state.display()))),
    }
}

/// The command with the secret in its environment, as docs/language.md recommends.
fn with_secret(arena: &Arena, words: &[&str]) -> Command {
    let mut command = arena.command(words);
    command.env("UPHOLD_PARAM_TOKEN", SECRET);
    command
}

/// The line around the secret, if `text` has it.
fn leak(text: &str) -> Option<String> {
    text.lines().find(|line| line.contains(SECRET)).map(|line| format!("it shows the secret: {line}"))
}

/// Reads the arguments of all processes during a run, as every user can.
fn process_arguments(arena: &Arena) -> Result<Option<String>> {
    disk::remove_tree(&arena.path("machine"))?;
    disk::make_directory(&arena.path("machine/private"))?;
    let mut command = with_secret(arena, &["apply", "--quiet", "secrets.hcl"]);
    let failed = |error| Failure::new(format!("cannot run `uphold apply`: {error}"));
    let mut run = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().map_err(failed)?;
    let mut found = None;
    while run.try_wait().map_err(failed)?.is_none() {
        for process in disk::names("/proc".as_ref(), "")? {
            // A process may end meanwhile.
            let arguments = disk::read(format!("/proc/{process}/cmdline").as_ref()).unwrap_or_default();
            found = found.or(leak(&arguments.replace('\0', " ")));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(found)
}
