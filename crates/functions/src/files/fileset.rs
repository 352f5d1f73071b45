//! Files that match a pattern.

use uphold_model::{Shape, Value};

use super::glob::Glob;
use crate::bounds::{MOST_ELEMENTS, list};
use crate::call::{Call, Fault};
use crate::function::Accepts::Text;
use crate::function::{Body, Function, Topic, example, takes};
use crate::paths::readable;

/// The maximum depth of directories, because loops of links must end.
const DEEPEST_DIRECTORY: usize = 64;

/// The maximum number of names; more suggests the wrong directory.
const MOST_NAMES: usize = MOST_ELEMENTS / 10;

pub(crate) static FUNCTIONS: &[Function] = &[Function {
    name: "fileset",
    topic: Topic::Files,
    parameters: &[takes("directory", Text), takes("pattern", Text)],
    rest: None,
    gives: Some(Shape::List),
    doc: "Returns the files below a directory that match a pattern, sorted, as paths relative to that \
          directory. `*` matches anything but a slash, `**` any number of directories, `?` one character, \
          `[a-z]` one of these characters, `{a,b}` one of these alternatives.",
    examples: &[
        example("fileset(\".\", \"*.txt\")", "[\"hello.txt\"]"),
        example("fileset(\"templates\", \"**\")", "[\"footer.j2\", \"motd.j2\"]"),
    ],
    body: Body::Whole(fileset),
}];

fn fileset(call: &Call<'_>) -> Result<Value, Fault> {
    let directory = call.text(0)?;
    let names = call.surroundings.list(&readable(call, directory));
    let names = names.map_err(|reason| {
        Fault::at(0, format!("cannot list {directory:?}: {reason}"))
            .with_fix("create it, or correct the path: a relative one begins at the directory of this file")
    })?;
    let glob = Glob::parse(call.text(1)?)?;
    let mut walk = Walk { call, glob, seen: 0, found: Vec::new(), path: Vec::new() };
    walk.visit(names)?;
    walk.found.sort_unstable();
    list(walk.found.into_iter().map(|path| Ok(Value::text(path))))
}

struct Walk<'a> {
    call: &'a Call<'a>,
    glob: Glob,
    seen: usize,
    found: Vec<String>,
    path: Vec<String>,
}

impl Walk<'_> {
    fn visit(&mut self, names: Vec<String>) -> Result<(), Fault> {
        self.seen += names.len();
        if self.seen > MOST_NAMES {
            return Err(Fault::at(0, format!("there are more than {MOST_NAMES} names below it")));
        }
        for name in names {
            match name.strip_suffix('/') {
                None => self.file(name),
                Some(directory) => self.directory(directory)?,
            }
        }
        Ok(())
    }

    fn file(&mut self, name: String) {
        self.path.push(name);
        if self.glob.matches(&self.path) {
            self.found.push(self.path.join("/"));
        }
        self.path.pop();
    }

    fn directory(&mut self, name: &str) -> Result<(), Fault> {
        if self.path.len() + 2 > self.glob.depth().unwrap_or(DEEPEST_DIRECTORY) {
            return Ok(());
        }
        self.path.push(name.to_owned());
        let path = readable(self.call, self.call.text(0)?).join(self.path.join("/"));
        let names = self.call.surroundings.list(&path);
        let names =
            names.map_err(|reason| Fault::at(0, format!("cannot list {}: {reason}", path.display())))?;
        self.visit(names)?;
        self.path.pop();
        Ok(())
    }
}
