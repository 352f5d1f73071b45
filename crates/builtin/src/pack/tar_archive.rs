//! An archive that is made of files.

use std::io::Write;

use uphold_resource::{
    AbsolutePath, Act, Claiming, Claims, Desired, EntryKind, GroupName, Interest, Map, Mode, Place, Reading,
    Resource, Result, Seen, Step, UserName, Want, Watching,
};

use super::members::Members;
use super::product::{self, Make, unwritable};
use crate::archive::PathPattern;
use crate::fetch::{Checksum, Copy, give};
use crate::packing::{Compression, Packer};
use crate::script::is_filled;
use crate::{digesting, ownership, parent};

/// What a new file gets when no mode was asked for.
const NEW: Mode = Mode::new(0o644);

/// How hard gzip tries, as it does by itself.
const LEVEL: u32 = 6;

/// A tar archive that is made of files and directories, and follows them.
///
/// The same files always give the same archive: names are sorted, and neither times nor owners are noted. It is compared
/// by its digest; for that everything is packed at every visit.
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
    /// Where it is; the block's label unless set.
    #[also("dest", "destination")]
    #[name]
    pub path: AbsolutePath,
    /// What is packed: files, links, and directories with all that is inside.
    #[also("sources", "paths")]
    #[required(converge)]
    #[check(is_filled, "must hold a path")]
    pub inputs: Option<Vec<AbsolutePath>>,
    /// The directory that names in the archive start at. Unless set, each of `inputs` has its own name without the way to
    /// it.
    #[also("chdir", "cwd")]
    pub base: Option<AbsolutePath>,
    /// What is left out, by its name in the archive.
    #[default(Vec::new())]
    pub exclude: Vec<PathPattern>,
    /// How it is compressed; unless set, by gzip if its name ends in `.gz` or `.tgz`, else not at all.
    #[also("format")]
    pub compression: Option<Compression>,
    /// What it is, compared with what it is made of. It has to be `"current"`.
    #[one_of("current")]
    pub copy: Want<Copy>,
    /// Permission bits. An existing file keeps its own unless this is set.
    #[on_create(NEW)]
    pub mode: Want<Mode>,
    /// Its owner. An existing file keeps its own unless this is set.
    #[also("user")]
    pub owner: Want<UserName>,
    /// Its group. An existing file keeps its own unless this is set.
    pub group: Want<GroupName>,
    /// Digest of what is there, with its sort.
    pub digest: Seen<Option<Checksum>>,
    /// Size in bytes of what is there.
    pub size: Seen<u64>,
}

impl Resource for Tar {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        ownership::must_exist(&self.owner, &self.group, host)?;
        self.copy = Want::Set(Copy::Current);
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<TarState>> {
        let make: &Make<'_> = &|to| self.make(to, host);
        let Some(found) = product::look(&self.path, self.copy.is_set(), make, host)? else { return Ok(None) };
        Ok(Some(TarState {
            copy: found.copy,
            digest: found.digest,
            mode: Mode::new(found.entry.mode),
            owner: ownership::owner(found.entry.uid, &self.owner, host)?,
            group: ownership::group(found.entry.gid, &self.group, host)?,
            size: found.entry.size,
        }))
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        parent::check(&self.path, host)
    }

    fn inputs(&self, desired: Desired, host: &Reading<'_>) -> Map {
        match desired {
            Desired::Present => digesting::input("inputs", product::digest(&|to| self.make(to, host))),
            Desired::Absent => Map::new(),
        }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let access = |mode: &Mode| ownership::access(Some(mode.bits()), &self.owner, &self.group, host);
        match step {
            Step::Update { goal, change, .. } if change.copy.is_none() => {
                let given_away = change.owner.is_some() || change.group.is_some();
                give(&self.path, &access(&goal.mode)?, given_away, host)
            }
            Step::Create { goal } | Step::Update { goal, .. } => {
                let place = Place { access: access(&goal.mode)?, ..Place::default() };
                product::put(&self.path, &place, &|to| self.make(to, host), host)
            }
            Step::Remove { .. } => host.edits().remove_file(&self.path),
        }
    }
}

/// All that is packed is read.
impl Claiming for Tar {
    fn add_claims(&self, claims: &mut Claims) {
        self.inputs.iter().flatten().for_each(|path| claims.read(path.to_path_buf()));
    }
}

/// Whatever happens in a directory that is packed.
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
        let usual = match name.ends_with(".gz") || name.ends_with(".tgz") {
            true => Compression::Gzip,
            false => Compression::None,
        };
        self.compression.unwrap_or(usual)
    }
}
