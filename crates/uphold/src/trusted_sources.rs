//! Whose configuration is run.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use uphold_host::{ConfigurationFiles, check_trusted};
use uphold_model::{Code, Diagnostic, Diagnostics};
use uphold_resource::{Error, ErrorKind};

/// An error for each of these files that others than root and we can have written: a run would execute their commands
/// with our rights. One error for all files in a directory that is not trusted itself.
pub(crate) fn untrusted<'a>(files: &ConfigurationFiles, names: impl Iterator<Item = &'a str>) -> Diagnostics {
    let mut errors = Diagnostics::default();
    let (mut checked, mut refused): (BTreeSet<PathBuf>, BTreeSet<PathBuf>) = Default::default();
    for name in names.filter(|name| !files.is_stream(Path::new(name))) {
        let Ok(path) = files.on_disk(Path::new(name)) else { continue };
        // Without the `.` of `./site.hcl`.
        let path: PathBuf = path.components().collect();
        let directory = path.parent().unwrap_or(Path::new("/")).to_owned();
        if checked.insert(directory.clone())
            && let Err(error) = check_trusted(&directory)
        {
            refused.insert(directory.clone());
            errors.extend(refusal(&error));
        }
        if !refused.contains(&directory) && checked.insert(path.clone()) {
            errors.extend(check_trusted(&path).err().and_then(|error| refusal(&error)));
        }
    }
    errors
}

/// What is not there was given as text, and not read from a file.
fn refusal(error: &Error) -> Option<Diagnostic> {
    let diagnostic = Diagnostic::new(Code::ConfigurationNotTrusted, error.chain());
    let fix = error.advice().unwrap_or("keep a copy where only you and root can write");
    (error.kind() != ErrorKind::Missing).then(|| diagnostic.fix(fix))
}
