//! Digests of a manifest's programs, so that a saved plan notices when one was replaced.

use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use uphold_model::{Map, Value};
use uphold_resource::{EntryKind, Error, Reading, Result, Writers, trusted_path};

use crate::manifest::{Argument, Manifest, Method};

/// The number of bytes that are read at once.
const PIECE: usize = 64 * 1024;

/// A digest, cached while the file is unchanged.
struct FileDigest(String);

/// The digest of each program beside the manifest, by path. A program found in `PATH` is part of the system, like the
/// programs of built-in kinds.
pub(super) fn digests(manifest: &Manifest, host: &Reading<'_>) -> Map {
    let mut digests = Map::new();
    for path in manifest.methods.all().filter_map(|method| program_file(manifest, method, host)) {
        let name = format!("the program {}", path.display());
        if !digests.contains_key(name.as_str()) {
            let digest = host.noted(&[&path], || digest(&path, host));
            let value = digest.map_or_else(|_| Value::unknown(&*name), |digest| Value::text(&*digest.0));
            digests.insert(name.into(), value);
        }
    }
    digests
}

/// The executable, or the script that an interpreter gets as its first argument.
fn program_file(manifest: &Manifest, method: &Method, host: &Reading<'_>) -> Option<PathBuf> {
    let words = method.args.iter().filter_map(|argument| match argument {
        Argument::Plain(word) => Some(word),
        _ => None,
    });
    let mut files =
        std::iter::once(&method.executable).chain(words).filter(|word| !Path::new(word).is_absolute());
    files.find_map(|word| regular_file(&manifest.directory.join(word), host))
}

/// The path without links, if it is a regular file.
fn regular_file(path: &Path, host: &Reading<'_>) -> Option<PathBuf> {
    let path = trusted_path(path, &Writers::ANY, host).ok()?.ok()?;
    let entry = host.files().look(&path).ok()??;
    (entry.kind == EntryKind::File).then_some(path)
}

fn digest(path: &Path, host: &Reading<'_>) -> Result<FileDigest> {
    let (mut file, mut hasher) = (host.files().open(path)?, Sha256::new());
    let mut piece = vec![0; PIECE];
    loop {
        match file.read(&mut piece).map_err(|error| Error::io("read", path, error))? {
            0 => break,
            read => hasher.update(&piece[..read]),
        }
    }
    let mut text = "sha256:".to_owned();
    for byte in hasher.finalize() {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(FileDigest(text))
}
