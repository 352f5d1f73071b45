//! Commands in hints, which work where the user gave the present one.

use std::fmt;
use std::path::Path;

use crate::{Flags, Input, clean};

/// A command that repeats the flags that choose the machine and the journal, quoted for a shell.
#[derive(Clone, Debug)]
pub(crate) struct HintCommand {
    text: String,
}

impl Flags {
    /// The command `uphold VERB` with these flags.
    pub(crate) fn command(&self, verb: &str) -> HintCommand {
        let command = HintCommand { text: format!("uphold {verb}") };
        let command = self.root.iter().fold(command, |command, root| command.flag("--root", root));
        self.state.iter().fold(command, |command, state| command.flag("--state", state))
    }

    /// The command `uphold VERB` on the same configuration. The values of params are left out: they may be secret.
    pub(crate) fn command_on(&self, verb: &str, input: &Input) -> HintCommand {
        let command = self.command(verb);
        let command = self.kinds.iter().fold(command, |command, kinds| command.flag("--kinds", kinds));
        let command = input.params.iter().fold(command, |command, file| command.flag("--params", file));
        let params = input.param.iter().map(|(name, _)| name);
        let command =
            params.fold(command, |command, name| command.word("--param").word(&format!("{name}=…")));
        let command = if input.demo { command.word("--demo") } else { command };
        input.files.iter().fold(command, |command, file| command.path(file))
    }
}

impl HintCommand {
    /// Adds an argument.
    pub(crate) fn word(mut self, word: &str) -> Self {
        self.text.push(' ');
        self.text.push_str(&quoted(&clean(word)));
        self
    }

    pub(crate) fn path(self, path: &Path) -> Self {
        self.word(&path.display().to_string())
    }

    fn flag(self, flag: &str, path: &Path) -> Self {
        self.word(flag).path(path)
    }
}

impl fmt::Display for HintCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// An argument for a shell.
fn quoted(text: &str) -> String {
    let is_plain = |character: char| character.is_alphanumeric() || "._-/=:@%+,…".contains(character);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
        #[command(flatten)]
        input: Input,
    }

    #[test]
    fn repeats_the_flags_that_choose_machine_and_journal() {
        let check = |words: &[&str], expected: &str| {
            let line = Line::parse_from(std::iter::once(&"uphold").chain(words));
            assert_eq!(line.flags.command_on("apply", &line.input).to_string(), expected);
        };
        check(&[], "uphold apply");
        check(&["a.hcl", "b c"], "uphold apply a.hcl 'b c'");
        check(&["--state", "s", "--root", "it's"], r"uphold apply --root 'it'\''s' --state s");
        check(&["--kinds", "k", "--demo", "--json", "-q"], "uphold apply --kinds k --demo");
        check(
            &["-p", "token=secret", "--params", "p.yaml", "site"],
            "uphold apply --params p.yaml --param token=… site",
        );
    }

    #[test]
    fn quotes_arguments_for_a_shell() {
        let check = |word: &str, expected: &str| assert_eq!(quoted(word), expected);
        check("service.nginx", "service.nginx");
        check("file[\"/etc/motd\"]", "'file[\"/etc/motd\"]'");
        check("", "''");
        check("~", "'~'");
        check("a\\b", "'a\\b'");
    }
}
