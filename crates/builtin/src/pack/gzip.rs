//! A compressed file.

use std::io::Write;

use uphold_resource::{
    AbsolutePath, Act, Bytes, Desired, Error, ErrorKind, GroupName, Map, Mode, Place, Reading, Resource,
    Result, Seen, Step, UserName, Want,
};

use super::product::{self, Make, unwritable};
use crate::fetch::{Checksum, Copy, Hasher, Sort, give};
use crate::packing::{Compression, Packer};
use crate::{digesting, ownership, parent};

/// What a new file gets when no mode was asked for.
const NEW: Mode = Mode::new(0o644);

/// A file that is another one, or a text, compressed by gzip.
///
/// The same content always gives the same file: neither a name nor a time is noted in it. It is compared by its digest;
/// for that the content is compressed at every visit.
///
/// ```hcl
/// gzip "/srv/www/index.html.gz" {
///   source = "/srv/www/index.html"
///   level  = 9
/// }
/// ```
#[derive(Clone, Debug, Resource)]
#[resource(kind = "gzip", also("compress", "gz"), exclusive(source, content), any_of(source, content))]
pub struct Gzip {
    /// Where it is; the block's label unless set.
    #[also("dest", "destination")]
    #[name]
    pub path: AbsolutePath,
    /// The file that is compressed.
    #[also("input", "src")]
    pub source: Option<AbsolutePath>,
    /// What is compressed, instead of a file.
    pub content: Option<Bytes>,
    /// How much effort is made: 0 is none, 9 the most.
    #[default(6)]
    #[range(0..=9)]
    pub level: u32,
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

impl Resource for Gzip {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        if self.source.as_ref() == Some(&self.path) {
            let what =
                format!("{} cannot be its own `source`: it would be compressed again and again", self.path);
            return Err(Error::new(ErrorKind::Invalid, what)
                .hint("set `path` to another name, such as one that ends in .gz"));
        }
        ownership::must_exist(&self.owner, &self.group, host)?;
        self.copy = Want::Set(Copy::Current);
        Ok(())
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<GzipState>> {
        let make: &Make<'_> = &|to| self.make(to, host);
        let Some(found) = product::look(&self.path, self.copy.is_set(), make, host)? else { return Ok(None) };
        Ok(Some(GzipState {
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
        let Some(source) = self.source.as_ref().filter(|_| desired == Desired::Present) else {
            return Map::new();
        };
        digesting::input("source", digesting::file(source, Hasher::new(Sort::Sha256), host))
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

impl Gzip {
    fn make(&self, to: &mut dyn Write, host: &Reading<'_>) -> Result<()> {
        let mut packer = Packer::new(Compression::Gzip, self.level, to);
        let mut pack = |piece: &[u8]| packer.write_all(piece).map_err(unwritable);
        match &self.source {
            Some(source) => digesting::each(source, host, pack)?,
            None => pack(self.content.as_ref().map_or(&[], |content| &content.0))?,
        }
        packer.finish().map(drop).map_err(unwritable)
    }
}
