//! Suggestions for commands and flags that users know from Terraform, Ansible, Chef, Puppet or Salt.

use clap::error::{ContextKind, ContextValue, ErrorKind};

const PLAN: &str = "`uphold plan` shows what apply would change, and changes nothing";
const APPLY: &str = "`uphold apply` changes the machine; `uphold plan` shows the changes first";
const NOT_ASKED: &str = "leave it out: `uphold apply` asks only with --ask";
const PARAM: &str = "set params with --param NAME=VALUE";
const REMOVE: &str =
    "set `action = \"remove\"` in the blocks of the resources to remove, then `uphold apply`";

const COMMANDS: &[(&[&str], &str)] = &[
    (&["converge", "run", "deploy", "up", "provision", "play", "agent"], APPLY),
    (&["preview", "diff", "check", "dry-run", "noop", "why-run"], PLAN),
    (&["refresh"], "every plan reads the machine; `uphold apply --audit` reports what differs"),
    (
        &["import"],
        "nothing has to be imported: declare the resource, and `uphold plan` compares it with the machine; \
         `uphold read KIND NAME` shows its current state",
    ),
    (
        &["state"],
        "there is no state file: `uphold read KIND NAME` shows a resource, `uphold status` a running watch",
    ),
    (&["destroy", "remove", "rm"], REMOVE),
    (&["output"], "`uphold plan` and `uphold apply` print outputs; `uphold console -e EXPR` prints a value"),
    (&["daemon", "serve"], "`uphold watch` applies the configuration and repairs drift"),
    (&["lint", "syntax-check"], "`uphold validate` checks the configuration"),
    (&["doc", "docs", "man"], "`uphold explain NAME` shows documentation"),
    (&["repl", "eval"], "`uphold console` evaluates expressions"),
    (&["setup", "ohai", "facter", "grains"], "`uphold facts` shows facts about the machine"),
];

const FLAGS: &[(&[&str], &str)] = &[
    (&["--dry-run", "--check", "--noop", "--why-run", "-dry-run", "-check"], PLAN),
    (&["--diff", "-D"], "`uphold plan` shows every difference; -v shows them whole"),
    (&["-y", "--yes", "--assume-yes", "-auto-approve", "--auto-approve"], NOT_ASKED),
    (&["-var", "--var", "--extra-vars", "--extra-var", "-e", "--set"], PARAM),
    (&["-var-file", "--var-file"], "read params from a file with --params FILE"),
    (&["-target", "--tags", "--limit", "-l", "-t"], "select resources with --target ADDRESS"),
    (&["-out", "-o", "--output"], "save a plan with `uphold plan --out FILE`"),
    (&["-json"], "write --json"),
    (&["-destroy", "--destroy"], REMOVE),
    (&["-parallelism", "--parallelism", "--forks", "-f"], "limit parallel work with --jobs N"),
    (&["--become", "-b", "--sudo", "-K"], "run uphold as root"),
    (&["-i", "--inventory"], "uphold manages the machine on which it runs; there is no inventory"),
    (&["-refresh-only", "--refresh-only"], "`uphold apply --audit` reports what differs"),
];

/// Replaces clap's guess by a suggestion if a word of the command line belongs to another tool.
pub(crate) fn add_suggestion(error: &mut clap::Error, mut words: impl Iterator<Item = String>) {
    let found = match error.kind() {
        ErrorKind::InvalidSubcommand => match error.get(ContextKind::InvalidSubcommand) {
            Some(ContextValue::String(name)) => find(COMMANDS, name),
            _ => None,
        },
        // The raw words: clap reads `-var` as the short flags -v, -a and -r.
        ErrorKind::UnknownArgument => words.find_map(|word| {
            let flag = word.split('=').next().unwrap_or_default();
            let suggestion = find(FLAGS, flag)?;
            error.insert(ContextKind::InvalidArg, ContextValue::String(flag.to_owned()));
            Some(suggestion)
        }),
        _ => None,
    };
    if let Some(suggestion) = found {
        error.remove(ContextKind::SuggestedSubcommand);
        error.remove(ContextKind::SuggestedArg);
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![suggestion.into()]));
    }
}

fn find(table: &[(&[&str], &'static str)], word: &str) -> Option<&'static str> {
    table.iter().find(|(words, _)| words.contains(&word)).map(|(_, suggestion)| *suggestion)
}
