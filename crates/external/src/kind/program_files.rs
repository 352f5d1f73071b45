//! The programs of a manifest as files, so that a saved plan notices that one was replaced.

use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};
use uphold_model::{Map, Value};
use uphold_resource::{EntryKind, Error, Reading, Result, Writers, settled_path};

use crate::manifest::{Argument, Manifest, Method};

/// How much is read at once.
const PIECE: usize = 64 * 1024;

/// A digest, kept for as long as the file stays as it is.
struct FileDigest(String);

/// The digest of each program that lies beside the manifest, by its path. One that is looked for in `PATH` is a part of the
/// system, as the programs of the built-in kinds are.
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

/// The path without links, if a file is there.
fn regular_file(path: &Path, host: &Reading<'_>) -> Option<PathBuf> {
    let path = settled_path(path, &Writers::ANY, host).ok()?.ok()?;
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
