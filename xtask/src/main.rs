//! Developer tasks: `cargo xtask test|ci|tidy|bench|torture|generate|book`.
#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "xtask is a developer's tool: it runs programs, reads the source tree, measures times and prints"
)]

use std::process::ExitCode;

mod bench;
mod book;
mod ci;
mod commit_message;
mod disk;
mod failure;
mod generate;
mod program;
mod requirement;
mod test;
mod tidy;
mod torture;
mod workspace;

use failure::{Failure, Result};

const USAGE: &str = "\
usage: cargo xtask <verb>

  test                      run all checks that a change must pass; stop at the first failure
  ci                        the same, for the build machine
  tidy                      check the house rules: layers, sizes, names, banned words, links, licences
  bench [NAME..] [--strict] [--quick]
                            compare with the floor; --strict fails when over a limit, --quick waits less
                            names: durable, files, journal, language, linear, run, script, start, watch
  compare PROGRAM           compare this build with another build of uphold
  torture [NAME..] [--sample]
                            test crashes, failing system calls, planted links, hostile input, leaked secrets;
                            --sample tries a few of each, as `test` does
                            names: kills, errors, links, parallel-runs, hostile, secrets
  generate [--check]        write docs/reference from the built binary, and its list in
                            docs/SUMMARY.md; --check only compares
  book                      build the guide from docs with mdbook into target/book
  commit-message FILE       check the subject of a commit (run by `.githooks/commit-msg`)";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match dispatch(&words) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("error: {failure}");
            ExitCode::FAILURE
        }
    }
}

fn dispatch(words: &[&str]) -> Result {
    match words {
        ["test"] => test::run(),
        ["ci"] => ci::run(),
        ["tidy"] => tidy::run(),
        ["bench", rest @ ..] => bench::run(rest),
        ["compare", program] => bench::compare::run(program),
        ["floor", rest @ ..] => bench::floor::run(rest),
        ["torture", rest @ ..] => torture::run(rest),
        ["generate"] => generate::run(generate::Mode::Write),
        ["generate", "--check"] => generate::run(generate::Mode::Check),
        ["book"] => book::run(),
        ["commit-message", file] => commit_message::run(file),
        ["help" | "--help" | "-h"] => {
            println!("{USAGE}");
            Ok(())
        }
        [] => Err(Failure::new(format!("no verb given\n\n{USAGE}"))),
        _ => Err(Failure::new(format!("cannot run `{}`\n\n{USAGE}", words.join(" ")))),
    }
}
