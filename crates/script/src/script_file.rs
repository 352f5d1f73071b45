//! The source of a script.

use std::ops::Range;
use std::path::Path;

use mlua::chunk::Compiler;
use uphold_model::{Place, SourceId};

/// The source of a script, and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct ScriptFile<'a> {
    /// Its path, as shown in messages.
    pub name: &'a str,
    /// Its number among the sources of the run.
    pub source: SourceId,
    /// The text.
    pub text: &'a str,
}

impl ScriptFile<'_> {
    /// The place of a line, without leading and trailing white space. After the end of the file, it is the last line
    /// that is not blank: there Luau reports a block that is not closed.
    pub fn line(&self, line: usize) -> Option<Place> {
        let line = match self.text_of(line) {
            Some(_) => line,
            None => {
                1 + self.text.lines().collect::<Vec<_>>().iter().rposition(|line| !line.trim().is_empty())?
            }
        };
        let text = self.text_of(line)?;
        let start = text.len() - text.trim_start().len();
        self.part(line, start..start + text.trim().len())
    }

    /// The place of a word in a line, if the line contains it exactly once.
    pub(crate) fn word(&self, line: usize, word: &str) -> Option<Place> {
        let mut found = self.text_of(line)?.match_indices(word);
        match (found.next(), found.next()) {
            (Some((at, _)), None) => self.part(line, at..at + word.len()),
            _ => None,
        }
    }

    /// The place of the part of a line between the first and the last of these characters.
    pub(crate) fn between(&self, line: usize, mark: char) -> Option<Place> {
        let text = self.text_of(line)?;
        let (first, last) = (text.find(mark)?, text.rfind(mark)?);
        let end = if first == last { text.trim_end().len() } else { last + mark.len_utf8() };
        self.part(line, first..end)
    }

    fn text_of(&self, line: usize) -> Option<&str> {
        self.text.lines().nth(line.checked_sub(1)?)
    }

    /// The place of these bytes of a line.
    fn part(&self, line: usize, bytes: Range<usize>) -> Option<Place> {
        let before: usize = self.text.split_inclusive('\n').take(line - 1).map(str::len).sum();
        let at = |byte: usize| u32::try_from(before + byte).ok();
        Some(Place { source: self.source, start: at(bytes.start)?, end: at(bytes.end)? })
    }
}

// Files that scripts require: shared functions in a folder beside the kinds.

/// The extension of required files, which is not written.
const EXTENSION: &str = ".luau";

/// A required file, compiled once for all threads.
#[derive(Debug)]
pub(crate) struct Library {
    /// The name that scripts require.
    pub(crate) name: String,
    /// Its path, as shown in messages.
    pub(crate) file: String,
    pub(crate) text: String,
    pub(crate) bytecode: Vec<u8>,
}

impl Library {
    /// Compiles a file.
    ///
    /// # Errors
    /// The syntax error that Luau reports, with the line.
    pub(crate) fn compile(name: &str, file: &ScriptFile<'_>) -> Result<Self, mlua::Error> {
        let compiler = Compiler::new().set_optimization_level(1).set_debug_level(1);
        Ok(Self {
            name: name.to_owned(),
            file: file.name.to_owned(),
            text: file.text.to_owned(),
            bytecode: compiler.compile(file.text)?,
        })
    }
}

/// The path of a required file, for a kind that is defined in `kind_file`.
///
/// # Errors
/// If the name leaves the folder of the kind, or names a file beside it, which is a kind.
pub fn library_path(kind_file: &str, name: &str) -> Result<String, String> {
    let plain = plain_name(name);
    let is_part = |part: &str| {
        !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
    };
    if !plain.split('/').all(is_part) {
        return Err(format!(
            "require takes a file below the folder of the kind, without extension: require(\"lib/ports\"), not {name:?}"
        ));
    }
    if !plain.contains('/') {
        return Err(format!(
            "{plain}{EXTENSION} beside the kinds is a kind; move shared code to a folder: require(\"lib/{plain}\")"
        ));
    }
    let folder = Path::new(kind_file).parent().unwrap_or(Path::new(""));
    Ok(folder.join(format!("{plain}{EXTENSION}")).display().to_string())
}

/// The name of a required file: `./lib/ports` is `lib/ports`.
pub(crate) fn plain_name(name: &str) -> &str {
    name.strip_prefix("./").unwrap_or(name)
}

/// Each `require "lib/ports"` or `require("lib/ports")`: the line number and the name.
pub fn required(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().flat_map(|(at, line)| {
        let code = line.split_once("--").map_or(line, |(code, _)| code);
        let is_word =
            |before: &str| !before.ends_with(|end: char| end.is_alphanumeric() || "_.:".contains(end));
        let calls = code.match_indices("require").filter(move |(start, _)| is_word(&code[..*start]));
        calls.filter_map(move |(start, word)| {
            let rest = code[start + word.len()..].trim_start().trim_start_matches('(').trim_start();
            let quote = rest.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
            let (name, _) = rest[1..].split_once(quote)?;
            Some((at + 1, name))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_required_files() {
        let check = |text: &str, expected: &[(usize, &str)]| {
            assert_eq!(required(text).collect::<Vec<_>>(), expected, "{text}");
        };
        check("local p = require(\"lib/ports\")", &[(1, "lib/ports")]);
        check("\nlocal p = require 'lib/ports'.all", &[(2, "lib/ports")]);
        check("f(require(\"a/b\"), require(\"a/c\"))", &[(1, "a/b"), (1, "a/c")]);
        check("-- require(\"lib/ports\")\nmy_require(\"a/b\") x.require(\"a/b\")", &[]);
        check("require(name)\nrequired = true", &[]);
    }

    #[test]
    fn required_files_are_below_the_folder_of_the_kind() {
        let path = |name: &str| library_path("site/kinds/web.luau", name);
        assert_eq!(path("lib/ports").as_deref(), Ok("site/kinds/lib/ports.luau"));
        assert_eq!(path("./lib/ports").as_deref(), Ok("site/kinds/lib/ports.luau"));
        for name in ["../x/y", "/etc/x", "lib//x", "lib/../x", "lib/x.luau", "", "lib/", "lib/a b"] {
            assert!(path(name).is_err_and(|error| error.contains("below the folder")), "{name}");
        }
        assert!(path("ports").is_err_and(|error| error.contains("require(\"lib/ports\")")));
    }
}
