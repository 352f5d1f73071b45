//! A minimal `/bin/sh` for the scripts of tests.
//!
//! Supported: `test` and `[` (`-e -f -d -x -s -L -n -z = !=`), `touch`, `rm`, `mkdir`, `cat`, `echo`, `printf`, `true`, `:`,
//! `false`, `exit`, and the programs of the machine; `!`, `&&`, `||`, `;`, newlines, comments, quotes, variables, `>`, `>>`,
//! `2>` and `2>&1`. Anything else exits with 127.

mod builtin;
mod lexer;
mod script;

pub(crate) use script::run;
