use std::path::Path;

use uphold_host::read_configuration;
use uphold_resource::ErrorKind;

use crate::ground::{Ground, refused};

#[test]
fn file_keeps_the_name_that_the_user_gave() {
    let ground = Ground::new();
    let path = ground.file("any.name", "text ä", 0o600);
    let read = read_configuration(&path).unwrap();
    assert_eq!(read, [(path.to_str().unwrap().to_owned(), "text ä".to_owned())]);
}

#[test]
fn directory_gives_its_files_in_order() {
    let ground = Ground::new();
    for name in ["b.hcl", "a.hcl", "10.hcl", ".hidden.hcl", "notes.txt", "hcl"] {
        ground.file(name, name, 0o600);
    }
    ground.directory("sub.hcl", 0o700);
    std::os::unix::fs::symlink("nowhere", ground.path(".#a.hcl")).unwrap();
    let read = read_configuration(&ground.path("")).unwrap();
    let texts: Vec<_> = read.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["10.hcl", "a.hcl", "b.hcl"]);
    assert_eq!(Path::new(&read[0].0), ground.path("10.hcl"));
}

#[test]
fn bad_byte_has_a_place() {
    let ground = Ground::new();
    let check = |content: &[u8], place: &str| {
        let path = ground.path("bad.hcl");
        std::fs::write(&path, content).unwrap();
        let error = refused(read_configuration(&path), ErrorKind::Invalid);
        let expected = format!("{}:{place}: this byte is not UTF-8", path.display());
        assert_eq!(error.to_string(), expected);
    };
    check(b"\xff", "1:1");
    check(b"one\ntwo\nth\xc3\xa4\xffree", "3:4");
    check(b"one\n\xe2\x82", "2:1");
}

#[test]
fn nothing_to_read_is_an_error() {
    let ground = Ground::new();
    let error = refused(read_configuration(&ground.path("none.hcl")), ErrorKind::Missing);
    assert!(error.advice().is_some());
    refused(read_configuration(&ground.path("")), ErrorKind::Missing);
}
