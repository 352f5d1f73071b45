//! Malicious archives on the real machine.
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use tar::EntryType;
use tempfile::TempDir;
use uphold_host::LocalHost;
use uphold_model::Action;
use uphold_resource::{Context, Desired, Error, ErrorKind, Fields, Instance, Look, Machine, Registry, Value};

use super::packed::{Member, gzip, tar};

const FILE: EntryType = EntryType::Regular;
const LINK: EntryType = EntryType::Symlink;
const HARD: EntryType = EntryType::Link;
const DIRECTORY: EntryType = EntryType::Directory;

/// A directory to unpack into, and a sibling that must not be changed.
struct Bench {
    host: Machine,
    home: TempDir,
}

impl Bench {
    fn new(archive: &[u8]) -> Self {
        let home = TempDir::new().expect("a folder");
        let bench = Self { host: LocalHost::new().machine(), home };
        std::fs::create_dir(bench.at("inside")).expect("a directory");
        std::fs::create_dir(bench.at("outside")).expect("a directory");
        std::fs::write(bench.at("outside/secret"), "kept").expect("a file");
        std::fs::write(bench.at("archive"), archive).expect("a file");
        bench
    }

    fn at(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn instance(&self, more: &[(&'static str, Value)]) -> Box<dyn Instance> {
        let mut registry = Registry::default();
        uphold_builtin::register(&mut registry).expect("the kinds are sound");
        let text = |path: &str| Value::text(self.at(path).to_str().expect("a plain path"));
        let mut values = vec![("source".into(), text("archive"))];
        values.extend(more.iter().map(|(name, value)| ((*name).into(), value.clone())));
        let label = self.at("inside");
        let fields =
            Fields::new(label.to_str().expect("a plain path"), values, &Action::Converge, Context::NOTHING);
        let (instance, findings) = registry.get("archive").expect("a kind of this crate").decode(fields);
        instance.unwrap_or_else(|| panic!("{:?}", findings.problems))
    }

    /// Loads, applies and loads again: whether it is converged then.
    fn converge(&self, more: &[(&'static str, Value)]) -> Result<bool, Error> {
        let (declared, host) = (self.instance(more), &self.host.act());
        let instance = declared.prepare(&Look::to(Desired::Present, host))?.unwrap_or(declared);
        let seen = instance.observe(Desired::Present, host)?;
        if !seen.converged {
            instance.apply(&seen, host)?;
        }
        Ok(instance.observe(Desired::Present, host)?.converged)
    }

    /// All paths below the home directory.
    fn tree(&self) -> Vec<String> {
        let (mut found, mut ahead) = (Vec::new(), vec![self.home.path().to_owned()]);
        while let Some(directory) = ahead.pop() {
            for entry in std::fs::read_dir(directory).expect("a directory").flatten() {
                let path = entry.path();
                if path.is_dir() && !path.is_symlink() {
                    ahead.push(path.clone());
                }
                found.push(path.strip_prefix(self.home.path()).expect("below it").display().to_string());
            }
        }
        found.sort();
        found
    }
}

const UNTOUCHED: [&str; 4] = ["archive", "inside", "outside", "outside/secret"];

/// Refused as a whole: not even the valid entry before the bad one is unpacked.
#[track_caller]
fn refused(members: &[Member<'_>]) {
    let good = (FILE, "good", 0o644, "good");
    for archive in [tar(&[&[good], members].concat()), gzip(&tar(&[&[good], members].concat()))] {
        let bench = Bench::new(&archive);
        let error = bench.converge(&[]).expect_err("unsafe");
        assert_eq!(error.kind(), ErrorKind::Denied, "{members:?}: {}", error.chain());
        assert_eq!(bench.tree(), UNTOUCHED, "{members:?}");
        assert_eq!(std::fs::read(bench.at("outside/secret")).expect("it exists"), b"kept");
    }
}

#[test]
fn refuses_names_outside_the_directory() {
    refused(&[(FILE, "../outside/secret", 0o644, "evil")]);
    refused(&[(FILE, "a/../../outside/secret", 0o644, "evil")]);
    refused(&[(FILE, "/tmp/uphold-evil", 0o644, "evil")]);
    refused(&[(DIRECTORY, "../made/", 0o755, "")]);
    refused(&[(LINK, "../outside/link", 0o777, "x")]);
}

#[test]
fn does_not_write_through_links() {
    refused(&[(LINK, "a", 0o777, "../outside"), (FILE, "a/secret", 0o644, "evil")]);
    refused(&[(LINK, "a", 0o777, "b"), (DIRECTORY, "b", 0o755, ""), (FILE, "a/secret", 0o644, "evil")]);
    refused(&[
        (DIRECTORY, "a", 0o755, ""),
        (LINK, "a", 0o777, "../outside"),
        (FILE, "a/secret", 0o644, "evil"),
    ]);
    refused(&[(FILE, "a/x", 0o644, ""), (LINK, "a", 0o777, "../outside")]);
    refused(&[(LINK, "a", 0o777, "."), (LINK, "b", 0o777, "a/a/../../outside")]);
    refused(&[(LINK, "a", 0o777, "/etc/passwd")]);
    refused(&[(LINK, "a", 0o777, "../outside/secret"), (FILE, "a", 0o644, "evil")]);
}

#[test]
fn refuses_hard_links_outside_the_directory() {
    refused(&[(HARD, "a", 0o644, "../outside/secret")]);
    refused(&[(HARD, "a", 0o644, "/etc/passwd")]);
    refused(&[(HARD, "a", 0o644, "not/there")]);
    refused(&[(LINK, "l", 0o777, "good"), (HARD, "a", 0o644, "l"), (FILE, "a", 0o644, "evil")]);
}

#[test]
fn refuses_devices() {
    for kind in [EntryType::Block, EntryType::Char, EntryType::Fifo] {
        refused(&[(kind, "dev", 0o666, "")]);
    }
}

/// Existing links on disk are not followed either, even if the archive has a directory there.
#[test]
fn does_not_write_through_existing_links() {
    for members in [
        &[(FILE, "a/secret", 0o644, "evil")][..],
        &[(DIRECTORY, "a/", 0o755, ""), (FILE, "a/secret", 0o644, "evil")],
    ] {
        let bench = Bench::new(&tar(members));
        symlink("../outside", bench.at("inside/a")).expect("a link");
        let error = bench.converge(&[]).expect_err("a link is in the way");
        assert_eq!(error.kind(), ErrorKind::WrongType, "{}", error.chain());
        assert_eq!(std::fs::read(bench.at("outside/secret")).expect("it exists"), b"kept");
    }
    // A link in place of a file is replaced; its target stays.
    let bench = Bench::new(&tar(&[(FILE, "a", 0o644, "good")]));
    symlink("../outside/secret", bench.at("inside/a")).expect("a link");
    assert!(bench.converge(&[]).expect("the link is replaced"));
    assert_eq!(std::fs::read(bench.at("outside/secret")).expect("it exists"), b"kept");
    assert_eq!(std::fs::read(bench.at("inside/a")).expect("it exists"), b"good");
}

#[test]
fn outside_links_can_be_allowed() {
    let bench = Bench::new(&tar(&[(LINK, "a", 0o777, "/etc/passwd")]));
    assert!(bench.converge(&[("outside_links", Value::Bool(true))]).expect("it is allowed"));
    assert_eq!(std::fs::read_link(bench.at("inside/a")).expect("a link"), Path::new("/etc/passwd"));
}

#[test]
fn drops_set_id_bits() {
    use std::os::unix::fs::PermissionsExt;
    let bench = Bench::new(&tar(&[(FILE, "a", 0o6755, "x")]));
    assert!(bench.converge(&[]).expect("safe"));
    let mode = std::fs::metadata(bench.at("inside/a")).expect("it exists").permissions().mode();
    assert_eq!(mode & 0o7777, 0o755);
}

/// A few kilobytes that unpack to far more, or claim to.
#[test]
fn refuses_archive_bombs() {
    let zeros = gzip(&tar(&[(FILE, "zeros", 0o644, &"\0".repeat(3_000_000))]));
    let bench = Bench::new(&zeros);
    let error = bench.converge(&[("max_size", Value::Int(1_000_000))]).expect_err("it is too large");
    assert_eq!((error.kind(), bench.tree()), (ErrorKind::Denied, UNTOUCHED.map(str::to_owned).to_vec()));
    // A sparse file of a terabyte has no content at all in the archive.
    let bench = Bench::new(&sparse(1 << 40));
    let error = bench.converge(&[]).expect_err("it is too large");
    assert_eq!((error.kind(), bench.tree()), (ErrorKind::Denied, UNTOUCHED.map(str::to_owned).to_vec()));
}

/// A GNU sparse file of this size without any data.
fn sparse(size: u64) -> Vec<u8> {
    let mut header = tar::Header::new_gnu();
    header.set_path("sparse").expect("a short name");
    header.set_entry_type(EntryType::GNUSparse);
    header.set_mode(0o644);
    header.set_size(0);
    let gnu = header.as_gnu_mut().expect("a GNU header");
    gnu.set_real_size(size);
    gnu.sparse[0].set_offset(size);
    gnu.sparse[0].set_length(0);
    header.set_cksum();
    let mut builder = tar::Builder::new(Vec::new());
    builder.append(&header, std::io::empty()).expect("writing to memory");
    builder.into_inner().expect("writing to memory")
}

#[test]
fn refuses_too_many_entries() {
    let one = tar(&[(DIRECTORY, "d", 0o755, "")]);
    let mut archive = one[..512].repeat(5000);
    archive.extend([0; 1024]);
    let bench = Bench::new(&gzip(&archive));
    let error = bench.converge(&[("max_entries", Value::Int(4999))]).expect_err("these are too many");
    assert_eq!((error.kind(), bench.tree()), (ErrorKind::Denied, UNTOUCHED.map(str::to_owned).to_vec()));
    assert!(bench.converge(&[("max_entries", Value::Int(5000))]).expect("these are not too many"));
}

#[test]
fn reports_damaged_archives() {
    let whole = crate::fetch::packed::example();
    for archive in [&b""[..], b"no archive at all", &whole[..whole.len() / 2], &whole[..whole.len() - 1]] {
        let bench = Bench::new(archive);
        let error = bench.converge(&[]).expect_err("it is damaged");
        assert_eq!(error.kind(), ErrorKind::Invalid, "{}", error.chain());
        assert_eq!(bench.tree(), UNTOUCHED);
    }
}

/// A zip archive with one stored file whose checksum is wrong, which only reading all of it shows.
fn damaged_zip(name: &str, content: &[u8]) -> Vec<u8> {
    let length = u32::try_from(content.len()).expect("a small file").to_le_bytes();
    let name_length = u16::try_from(name.len()).expect("a short name").to_le_bytes();
    // Version, flags, method, time, date, checksum, sizes and length of the name, as in both headers.
    let common = [
        &[20, 0, 0, 0, 0, 0, 0, 0, 0x21, 0x28, 0xef, 0xbe, 0xad, 0xde][..],
        &length,
        &length,
        &name_length,
        &[0, 0],
    ]
    .concat();
    let local = [b"PK\x03\x04", &common[..], name.as_bytes(), content].concat();
    let central = [
        b"PK\x01\x02\x14\x03",
        &common[..],
        &[0; 6],
        &0x81a4_0000_u32.to_le_bytes(),
        &[0; 4],
        name.as_bytes(),
    ]
    .concat();
    let sizes = [local.len(), central.len()].map(|size| u32::try_from(size).expect("small").to_le_bytes());
    let end = [b"PK\x05\x06\0\0\0\0\x01\0\x01\0", &sizes[1][..], &sizes[0], &[0, 0]].concat();
    [local, central, end].concat()
}

#[test]
fn a_damaged_file_leaves_nothing_behind() {
    let bench = Bench::new(&damaged_zip("big", &[7; 300_000]));
    let error = bench.converge(&[]).expect_err("it is damaged");
    assert_eq!(bench.tree(), UNTOUCHED, "{}", error.chain());
}
