//! The kind `tar`.

use std::io::Write;

use uphold_kit::checks::is_not_empty;
use uphold_kit::checksum;
use uphold_kit::generated_file::{self, unwritable};
use uphold_kit::parent;
use uphold_resource::{
    AbsolutePath, Act, Claiming, Claims, Desired, EntryKind, Found, Interest, Look, Map, Previous, Problem,
    Reading, Resource, Result, Step, Watching,
};

use super::members::{self, Members};
use super::packed_file::{self, PackedFile};
use crate::archive::PathPattern;
use uphold_kit::archives::{Compression, Packer};

/// The default compression level of gzip.
const LEVEL: u32 = 6;

/// A tar archive made from files and directories.
///
/// The same files always give the same archive: names are sorted, and neither times nor owners are stored. It is
/// compared by its digest, so all files are packed at each check.
///
/// ```hcl
/// tar "/var/backups/site.tar.gz" {
///   inputs  = ["/etc/nginx", "/srv/www"]
///   exclude = ["www/cache"]
///   mode    = "0600"
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "tar", also("tarball"), claims, interests)]
pub struct Tar {
    /// Path of the archive; defaults to the block's label.
    #[also("dest", "destination")]
    #[name]
    pub path: AbsolutePath,
    /// Files, links and directories to pack; directories with their content.
    #[also("sources", "paths")]
    #[required(converge)]
    #[check(is_not_empty, "must have at least one path")]
    pub inputs: Option<Vec<AbsolutePath>>,
    /// Directory to which names in the archive are relative. If it is not set, each of `inputs` is stored under its
    /// last path component.
    #[also("chdir", "cwd")]
    pub base: Option<AbsolutePath>,
    /// Patterns of names in the archive to skip.
    #[default(Vec::new())]
    pub exclude: Vec<PathPattern>,
    /// Compression. Defaults to gzip if the path ends in `.gz` or `.tgz`, otherwise to none.
    #[also("format")]
    pub compression: Option<Compression>,
    /// State of the archive.
    #[flatten(state)]
    pub file: PackedFile,
}

impl Resource for Tar {
    fn validate(&self) -> Result<(), Problem> {
        let inputs = self.inputs.as_deref().unwrap_or_default().iter();
        let unnamed = inputs.filter_map(|input| members::name_of(input, self.base.as_ref()).err());
        Problem::of_members(unnamed.map(|error| Problem::from(error).inside("inputs"))).map_or(Ok(()), Err)
    }

    fn prepare(&self, look: &Look<'_>) -> Result<TarWishes> {
        Ok(TarWishes { file: self.file.prepare(look)? })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let found = self.file.load(&self.path, &|to| self.make(to, look), look)?;
        Ok(found.map(|file| TarState { file }).into())
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        parent::check(&self.path, look)
    }

    fn inputs(&self, desired: Desired, host: &Reading<'_>) -> Map {
        match desired {
            Desired::Present => checksum::input("inputs", generated_file::digest(&|to| self.make(to, host))),
            Desired::Absent => Map::new(),
        }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let put = |goal, change| self.file.apply(&self.path, goal, change, &|to| self.make(to, host), host);
        match step {
            Step::Create { goal } => put(&goal.file, None),
            Step::Update { goal, change, .. } => put(&goal.file, Some(&change.file)),
            Step::Remove { .. } => host.edits().remove_file(&self.path),
        }
    }

    fn previous(&self, step: Step<'_, Self>) -> Previous {
        packed_file::previous(step, |change| &change.file)
    }
}

/// Everything that is packed is read.
impl Claiming for Tar {
    fn add_claims(&self, claims: &mut Claims) {
        self.inputs.iter().flatten().for_each(|path| claims.read(path.to_path_buf()));
    }
}

/// Any change in a packed directory matters.
impl Watching for Tar {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        let is_directory = |path: &&AbsolutePath| {
            let found = host.files().look(path);
            found.is_ok_and(|found| found.is_some_and(|entry| entry.kind == EntryKind::Directory))
        };
        let trees = self.inputs.iter().flatten().filter(is_directory);
        interests.extend(trees.map(|path| Interest::Tree(path.to_path_buf())));
    }
}

impl Tar {
    fn make(&self, to: &mut dyn Write, host: &Reading<'_>) -> Result<()> {
        let mut packer = Packer::new(self.compression(), LEVEL, to);
        let (inputs, base) = (self.inputs.as_deref().unwrap_or_default(), self.base.as_ref());
        Members { inputs, base, exclude: &self.exclude, archive: &self.path }.pack(&mut packer, host)?;
        packer.finish().map(drop).map_err(unwritable)
    }

    fn compression(&self) -> Compression {
        let name = self.path.file_name().unwrap_or_default().to_string_lossy();
        let usual = if name.ends_with(".gz") || name.ends_with(".tgz") {
            Compression::Gzip
        } else {
            Compression::None
        };
        self.compression.unwrap_or(usual)
    }
}
