use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use tar::{EntryType, Header};
use uphold_host::{ConfigurationFiles, read_configuration};
use uphold_resource::ErrorKind;

use super::ground::{Ground, refused, skipped};

/// Commands that create archives.
const PROGRAMS: &[(&str, &str)] = &[
    ("web.tar", "tar -cf web.tar"),
    ("web.tar.gz", "tar -czf web.tar.gz"),
    ("web.tgz", "tar --format=pax -czf web.tgz"),
    ("web.tar.zst", "tar --zstd -cf web.tar.zst"),
    ("web.tzst", "tar --format=gnu --zstd -cf web.tzst"),
    ("web.zip", "zip -qr web.zip"),
];

/// Runs a shell command in the test directory; returns whether it succeeded.
fn shell(ground: &Ground, command: &str) -> bool {
    let output = Command::new("sh").args(["-c", command]).current_dir(ground.path("")).output().unwrap();
    if !output.status.success() {
        skipped("archives", &format!("{command}: {}", String::from_utf8_lossy(&output.stderr)));
    }
    output.status.success()
}

/// A module with a subdirectory, a link and a long name, below `modules/web`.
fn module() -> Ground {
    let ground = Ground::new();
    ground.directory("modules/web/files", 0o755);
    ground.file("modules/web/main.hcl", "main", 0o600);
    ground.file("modules/web/b.hcl", "b", 0o600);
    ground.file("modules/web/.hidden.hcl", "hidden", 0o600);
    ground.file("modules/web/files/motd", &"hello ".repeat(10_000), 0o644);
    ground.file(&format!("modules/web/files/{}", "long".repeat(50)), "long", 0o644);
    std::fs::hard_link(ground.path("modules/web/main.hcl"), ground.path("modules/web/same")).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", ground.path("modules/web/link")).unwrap();
    ground
}

#[test]
fn reads_archives_as_directories() {
    let ground = module();
    for (name, command) in PROGRAMS {
        if !shell(
            &ground,
            &format!("cd modules && {} web && mv {name} ..", command.replace("zip -qr", "zip -qry")),
        ) {
            continue;
        }
        let files = ConfigurationFiles::new();
        let read = |path: &str| files.read(&ground.path(path));
        let text = |path: &str| String::from_utf8(read(&format!("{name}/{path}")).unwrap()).unwrap();
        assert_eq!(text("web/main.hcl"), "main", "{name}");
        assert_eq!(text("main.hcl"), "main", "{name}: the only top directory may be left out");
        assert_eq!(text("files/motd").len(), 60_000, "{name}");
        assert_eq!(text(&format!("web/files/{}", "long".repeat(50))), "long", "{name}");
        assert_eq!(text("files/../main.hcl"), "main", "{name}");
        assert_eq!(text("same"), "main", "{name}: a hard link");
        assert_eq!(read(&format!("{name}/../modules/web/b.hcl")).unwrap(), b"b");
        let list = |path: &str| files.list(&ground.path(path)).unwrap();
        assert_eq!(
            list(&format!("{name}/web")),
            [".hidden.hcl", "b.hcl", "files/", "main.hcl", "same"],
            "{name}"
        );
        assert_eq!(list(name), list(&format!("{name}/web")), "{name}");
        let link = refused(read(&format!("{name}/link")), ErrorKind::WrongType);
        assert_eq!(link.to_string(), "it is a link, which cannot be read");
        refused(read(&format!("{name}/web/files")), ErrorKind::WrongType);
        refused(files.list(&ground.path(&format!("{name}/main.hcl"))), ErrorKind::WrongType);
        let missing = refused(read(&format!("{name}/none.hcl")), ErrorKind::Missing);
        assert_eq!(missing.to_string(), format!("no such file in {}", ground.path(name).display()));
        refused(files.list(&ground.path(&format!("{name}/none"))), ErrorKind::Missing);
        assert_eq!(
            read(name).unwrap(),
            std::fs::read(ground.path(name)).unwrap(),
            "the archive is a file, too"
        );
    }
}

#[test]
fn reads_configuration_from_archives() {
    let ground = module();
    if !shell(
        &ground,
        "tar -czf one.tar.gz -C modules web && tar -cf all.tar modules/web modules/web/main.hcl",
    ) {
        return;
    }
    let check = |path: &str, expected: &[(&str, &str)]| {
        let expected = expected
            .iter()
            .map(|(name, text)| (ground.path(path).join(name).display().to_string(), (*text).into()));
        assert_eq!(read_configuration(&ground.path(path)).unwrap(), expected.collect::<Vec<_>>(), "{path}");
    };
    check("one.tar.gz", &[("b.hcl", "b"), ("main.hcl", "main")]);
    check("one.tar.gz/web", &[("b.hcl", "b"), ("main.hcl", "main")]);
    check("all.tar/modules/web", &[("b.hcl", "b"), ("main.hcl", "main")]);
    check("all.tar/web", &[("b.hcl", "b"), ("main.hcl", "main")]);
    let file = ground.path("all.tar/web/main.hcl");
    assert_eq!(read_configuration(&file).unwrap(), [(file.display().to_string(), "main".into())]);
    let none = refused(read_configuration(&ground.path("all.tar/web/files")), ErrorKind::Missing);
    assert!(none.to_string().starts_with("there is no *.hcl file in "));
    refused(read_configuration(&ground.path("all.tar/none.hcl")), ErrorKind::Missing);
}

#[test]
fn reads_an_archive_once() {
    let ground = module();
    if !shell(&ground, "tar -cf web.tar -C modules web") {
        return;
    }
    let files = ConfigurationFiles::new();
    let path = ground.path("web.tar/main.hcl");
    assert_eq!(files.read(&path).unwrap(), b"main");
    std::fs::remove_file(ground.path("web.tar")).unwrap();
    assert_eq!(files.read(&path).unwrap(), b"main");
    std::fs::write(ground.path("web.tar"), "broken").unwrap();
    assert_eq!(files.read(&ground.path("web.tar/b.hcl")).unwrap(), b"b");
    refused(ConfigurationFiles::new().read(&path), ErrorKind::Invalid);
}

#[test]
fn a_directory_may_have_the_name_of_an_archive() {
    let ground = Ground::new();
    ground.directory("web.tar.gz", 0o755);
    ground.file("web.tar.gz/main.hcl", "main", 0o600);
    let files = ConfigurationFiles::new();
    assert_eq!(files.read(&ground.path("web.tar.gz/main.hcl")).unwrap(), b"main");
    assert_eq!(files.list(&ground.path("web.tar.gz")).unwrap(), ["main.hcl"]);
}

/// A tar archive with entries of any name and type.
fn hostile(ground: &Ground, entries: &[(&str, EntryType, &[u8])]) -> PathBuf {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, kind, content) in entries {
        let mut header = Header::new_gnu();
        header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
        header.set_entry_type(*kind);
        header.set_size(content.len() as u64);
        header.set_cksum();
        builder.append(&header, *content).unwrap();
    }
    let path = ground.path("hostile.tar");
    std::fs::write(&path, builder.into_inner().unwrap()).unwrap();
    path
}

fn why(archive: &Path) -> String {
    let error = refused(ConfigurationFiles::new().read(&archive.join("x")), ErrorKind::Invalid);
    error.chain().replace(&archive.display().to_string(), "ARCHIVE")
}

#[test]
fn refuses_entries_that_lead_out() {
    let ground = Ground::new();
    let check = |name: &str, expected: &str| {
        let archive = hostile(&ground, &[("x", EntryType::Regular, b"x"), (name, EntryType::Regular, b"")]);
        assert_eq!(why(&archive), format!("cannot unpack ARCHIVE: {expected}"));
    };
    check("../x", "its entry ../x leads out of it");
    check("a/../../x", "its entry a/../../x leads out of it");
    check("/etc/passwd", "its entry /etc/passwd has an absolute name");
    check("x/y", "it contains both a file and a directory at x/y or above");
}

#[test]
fn reads_only_files_and_directories() {
    let ground = Ground::new();
    let check = |kind: EntryType, expected: &str| {
        let archive = hostile(&ground, &[("file", EntryType::Regular, b"text"), ("x", kind, b"")]);
        let files = ConfigurationFiles::new();
        let error = refused(files.read(&archive.join("x")), ErrorKind::WrongType);
        assert_eq!(error.to_string(), expected);
        assert_eq!(files.read(&archive.join("file")).unwrap(), b"text");
        assert_eq!(files.list(&archive).unwrap(), ["file"]);
    };
    check(EntryType::Symlink, "it is a link, which cannot be read");
    check(EntryType::Link, "it is a link, which cannot be read");
    check(EntryType::Fifo, "it is not a regular file, which cannot be read");
    check(EntryType::Char, "it is not a regular file, which cannot be read");
    check(EntryType::Block, "it is not a regular file, which cannot be read");
}

#[test]
fn refuses_damaged_archives() {
    let ground = module();
    if !shell(
        &ground,
        "cd modules && tar -czf ../a.tar.gz web && tar --zstd -cf ../a.tar.zst web && zip -qr ../a.zip web",
    ) {
        return;
    }
    for name in ["a.tar.gz", "a.tar.zst", "a.zip"] {
        let whole = std::fs::read(ground.path(name)).unwrap();
        for length in [0, 1, 10, 100, whole.len() / 2, whole.len() - 1] {
            std::fs::write(ground.path(name), &whole[..length]).unwrap();
            let read = ConfigurationFiles::new().read(&ground.path(name).join("main.hcl"));
            assert!(read.is_err(), "{name} cut to {length} of {}", whole.len());
        }
        for at in (0..whole.len()).step_by(whole.len() / 50) {
            let mut changed = whole.clone();
            changed[at] ^= 0xff;
            std::fs::write(ground.path(name), &changed).unwrap();
            // Checksums detect it, unless the byte does not matter, such as a time.
            if let Ok(content) = ConfigurationFiles::new().read(&ground.path(name).join("main.hcl")) {
                assert_eq!(content, b"main", "{name} with another byte at {at}");
            }
        }
    }
    std::fs::write(ground.path("a.zip"), "this is no archive").unwrap();
    assert!(
        why(&ground.path("a.zip"))
            .starts_with("cannot unpack ARCHIVE: it is damaged, or not an archive of this format: ")
    );
    std::fs::write(ground.path("a.tar"), "this is no archive".repeat(100)).unwrap();
    assert!(
        why(&ground.path("a.tar"))
            .starts_with("cannot unpack ARCHIVE: it is damaged, or not an archive of this format: ")
    );
}

#[test]
fn refuses_archive_bombs() {
    let ground = Ground::new();
    let too_large = "cannot unpack ARCHIVE: it unpacks to more than 64 MiB";
    let zeros = vec![0; 65 * 1024 * 1024];
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(&zeros).unwrap();
    let packed = ground.path("bomb.tar.gz");
    std::fs::write(&packed, gzip.finish().unwrap()).unwrap();
    assert_eq!(why(&packed), too_large);
    std::fs::write(ground.path("zeros"), &zeros).unwrap();
    if shell(&ground, "zip -q bomb.zip zeros && zstd -q zeros -o bomb.tar.zst && rm zeros") {
        assert_eq!(why(&ground.path("bomb.zip")), too_large);
        assert_eq!(why(&ground.path("bomb.tar.zst")), too_large);
    }
    // A sparse file claims much more than the archive contains.
    if shell(&ground, "truncate -s 1T huge && tar --sparse -cf sparse.tar huge && rm huge") {
        refused(ConfigurationFiles::new().read(&ground.path("sparse.tar/huge")), ErrorKind::WrongType);
    }
}

#[test]
fn refuses_too_many_entries() {
    let ground = Ground::new();
    let names: Vec<String> = (0..10_001).map(|i| format!("file{i}")).collect();
    let entries: Vec<_> =
        names.iter().map(|name| (name.as_str(), EntryType::Regular, b"".as_slice())).collect();
    let archive = hostile(&ground, &entries);
    assert_eq!(why(&archive), "cannot unpack ARCHIVE: it contains more than 10000 entries");
    let archive = hostile(&ground, &entries[1..]);
    assert_eq!(ConfigurationFiles::new().list(&archive).unwrap().len(), 10_000);
}

#[test]
fn refuses_encrypted_entries() {
    let ground = module();
    if shell(&ground, "zip -qr -P secret web.zip modules/web/main.hcl") {
        let path = ground.path("web.zip/web/main.hcl");
        let error = refused(ConfigurationFiles::new().read(&path), ErrorKind::WrongType);
        assert_eq!(error.to_string(), "it is encrypted, which cannot be read");
    }
}
