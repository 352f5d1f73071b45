//! Files relative to the configuration.

pub(crate) mod glob;

use std::path::Component;

use md5::Md5;
use sha1::Sha1;
use sha2::{Sha256, Sha512};
use uphold_model::{Shape, Value};

use super::bounds::LONGEST_TEXT;
use super::call::{Call, Fault};
use super::encoding::base64;
use super::function::Accepts::Text;
use super::function::{Body, Example, Function, Parameter, Topic, example, takes};
use super::hashing;
use super::paths::readable;

// Contents of files.

const PATH: &[Parameter] = &[takes("path", Text)];

const fn of_file(
    name: &'static str,
    doc: &'static str,
    examples: &'static [Example],
    compute: fn(&Call<'_>) -> Result<Value, Fault>,
) -> Function {
    let (gives, body) = (Some(Shape::Text), Body::Whole(compute));
    Function { name, topic: Topic::Files, parameters: PATH, rest: None, gives, doc, examples, body }
}

pub(crate) static FUNCTIONS: &[Function] = &[
    of_file(
        "file",
        "Reads a text file, which must be UTF-8. A relative path starts at the directory of the calling file.",
        &[example("file(\"hello.txt\")", "\"Hello\\n\"")],
        |call| text(call, 0).map(Value::text),
    ),
    of_file(
        "filebase64",
        "Reads a file, and returns its content in base64.",
        &[example("filebase64(\"hello.txt\")", "\"SGVsbG8K\"")],
        |call| base64::encode(&bytes(call, 0)?),
    ),
    of_file(
        "filebase64sha256",
        "Reads a file, and returns its SHA-256 digest in base64.",
        &[example("filebase64sha256(\"hello.txt\")", "\"ZqBFtFIQLFnYQOwJfVnZRn4To/NPZJTlOf/TLBuzXxg=\"")],
        |call| Ok(hashing::base64::<Sha256>(&bytes(call, 0)?)),
    ),
    of_file(
        "filebase64sha512",
        "Reads a file, and returns its SHA-512 digest in base64.",
        &[example("length(filebase64sha512(\"hello.txt\"))", "88")],
        |call| Ok(hashing::base64::<Sha512>(&bytes(call, 0)?)),
    ),
    of_file(
        "filemd5",
        "Reads a file, and returns its MD5 digest in hexadecimal. MD5 is broken: never use it for security.",
        &[example("filemd5(\"hello.txt\")", "\"09f7e02f1290be211da707a266f153b3\"")],
        |call| Ok(hashing::hex::<Md5>(&bytes(call, 0)?)),
    ),
    of_file(
        "filesha1",
        "Reads a file, and returns its SHA-1 digest in hexadecimal. SHA-1 is broken: never use it for \
         security.",
        &[example("filesha1(\"hello.txt\")", "\"1d229271928d3f9e2bb0375bd6ce5db6c6d348d9\"")],
        |call| Ok(hashing::hex::<Sha1>(&bytes(call, 0)?)),
    ),
    of_file(
        "filesha256",
        "Reads a file, and returns its SHA-256 digest in hexadecimal.",
        &[example(
            "filesha256(\"hello.txt\")",
            "\"66a045b452102c59d840ec097d59d9467e13a3f34f6494e539ffd32c1bb35f18\"",
        )],
        |call| Ok(hashing::hex::<Sha256>(&bytes(call, 0)?)),
    ),
    of_file(
        "filesha512",
        "Reads a file, and returns its SHA-512 digest in hexadecimal.",
        &[example("length(filesha512(\"hello.txt\"))", "128")],
        |call| Ok(hashing::hex::<Sha512>(&bytes(call, 0)?)),
    ),
    Function {
        name: "fileexists",
        topic: Topic::Files,
        parameters: PATH,
        rest: None,
        gives: Some(Shape::Bool),
        doc: "Returns whether a file exists relative to the configuration. A directory is an error. Do not use it \
              for files of the managed machine, which may change during the run.",
        examples: &[
            example("fileexists(\"hello.txt\")", "true"),
            example("fileexists(\"missing.txt\")", "false"),
        ],
        body: Body::Whole(exists),
    },
];

/// The content of the file that an argument names.
pub(crate) fn bytes(call: &Call<'_>, argument: usize) -> Result<Vec<u8>, Fault> {
    let path = call.text(argument)?;
    let content = call.surroundings.read(&readable(call, path));
    content.map_err(|reason| {
        Fault::at(argument, format!("cannot read {path:?}: {reason}"))
            .with_fix("create it, or correct the path: a relative one begins at the directory of this file")
    })
}

/// The text of the file that an argument names.
pub(crate) fn text(call: &Call<'_>, argument: usize) -> Result<String, Fault> {
    let (path, content) = (call.text(argument)?, bytes(call, argument)?);
    if content.len() > LONGEST_TEXT {
        return Err(Fault::at(argument, format!("{path:?} is longer than 16 MiB")));
    }
    String::from_utf8(content).map_err(|_| {
        Fault::at(argument, format!("{path:?} is not UTF-8 text")).with_fix(
            "to copy a binary file, write `source = \"…\"` in a `file`; `filebase64` returns it in base64",
        )
    })
}

fn exists(call: &Call<'_>) -> Result<Value, Fault> {
    let path = readable(call, call.text(0)?);
    // `.`, `..` and the empty path have no name to look up in a directory.
    let unnamed =
        matches!(path.components().next_back(), None | Some(Component::CurDir | Component::ParentDir))
            || call.text(0)?.ends_with(['/', '.']) && call.surroundings.list(&path).is_ok();
    if unnamed || call.text(0)?.is_empty() {
        return Err(Fault::at(0, format!("{:?} is a directory", call.text(0)?)));
    }
    let listed = path.parent().zip(path.file_name()).and_then(|(directory, name)| {
        Some((call.surroundings.list(directory).ok()?, name.to_string_lossy().into_owned()))
    });
    match listed {
        Some((names, name)) if names.contains(&format!("{name}/")) => {
            Err(Fault::at(0, format!("{:?} is a directory", call.text(0)?)))
        }
        Some((names, name)) => Ok(Value::Bool(names.contains(&name))),
        // A directory that cannot be listed can contain a readable file.
        None => Ok(Value::Bool(call.surroundings.read(&path).is_ok())),
    }
}
