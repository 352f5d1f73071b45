//! Files that are received in pieces.

use std::path::Path;

use uphold_resource::{Access, Error, ErrorKind, FileEdits, Files, Place, Receiver, Result};

use super::ground::{Ground, chmod, fifo, mode, text};

fn all(receiver: &mut dyn Receiver) -> String {
    let mut seen = Vec::new();
    let mut look = |piece: &[u8]| {
        seen.extend_from_slice(piece);
        Ok(())
    };
    receiver.review(&mut look).expect("it can be read");
    String::from_utf8(seen).expect("text")
}

fn place(mode: u32) -> Place<'static> {
    Place { access: Access { mode: Some(mode), ..Access::default() }, ..Place::default() }
}

#[test]
fn resumes_received_content() {
    let ground = Ground::new();
    let host = &ground.host;
    let path = ground.path("file");
    let receive = || host.receive(&path).expect("it can be received");
    let mut receiver = receive();
    assert_eq!(receiver.length(), 0);
    receiver.append(b"one ").expect("there is room");
    drop(receiver);
    assert_eq!(ground.names(), [".file.uphold-partial"]);
    let mut receiver = receive();
    assert_eq!((receiver.length(), all(&mut *receiver)), (4, "one ".to_owned()));
    receiver.append(b"two").expect("there is room");
    receiver.put(&place(0o640)).expect("it is put");
    assert_eq!((text(&path), mode(&path)), ("one two".to_owned(), 0o640));
    assert_eq!(ground.names(), ["file"]);
    let mut receiver = receive();
    receiver.append(b"wrong").expect("there is room");
    receiver.restart().expect("it starts again");
    receiver.append(b"new").expect("there is room");
    assert_eq!((receiver.length(), all(&mut *receiver)), (3, "new".to_owned()));
    receiver.put(&place(0o600)).expect("it is put");
    assert_eq!((text(&ground.path("file")), ground.names()), ("new".to_owned(), vec!["file".to_owned()]));
    let mut receiver = receive();
    receiver.append(b"x").expect("there is room");
    receiver.discard().expect("it goes");
    assert_eq!((text(&ground.path("file")), ground.names()), ("new".to_owned(), vec!["file".to_owned()]));
}

/// Two at once would mix their content.
#[test]
fn one_run_receives_at_a_path() {
    let ground = Ground::new();
    let path = ground.path("file");
    let receive = || ground.host.receive(&path);
    let mut first = receive().expect("it can be received");
    first.append(b"one").expect("there is room");
    let refused = receive().err().expect("it is locked");
    assert!(refused.to_string().contains("another run is receiving"), "{refused}");
    first.put(&place(0o600)).expect("it is put");
    let second = receive().expect("the first has ended");
    assert_eq!((second.length(), text(&path)), (0, "one".to_owned()));
    let long = |last: char| ground.path(&format!("{}{last}", "n".repeat(252)));
    let (one, two) = (long('1'), long('2'));
    let (one, two) = (ground.host.receive(&one), ground.host.receive(&two));
    assert!(one.is_ok() && two.is_ok());
}

/// A file gets its final mode before it is renamed.
#[test]
fn a_file_that_is_being_put_in_place_is_not_removed() {
    let ground = Ground::new();
    let path = ground.path("file");
    let mut first = ground.host.receive(&path).expect("it can be received");
    first.append(b"one").expect("there is room");
    chmod(&ground.path(".file.uphold-partial"), 0o644);
    let refused = ground.host.receive(&path).err().expect("it is locked");
    assert!(refused.to_string().contains("another run is receiving"), "{refused}");
    first.put(&place(0o644)).expect("it is put");
    assert_eq!(text(&path), "one");
}

#[test]
fn the_partial_content_of_another_run_is_not_put_in_place() {
    let ground = Ground::new();
    let (path, partial) = (ground.path("file"), ground.path(".file.uphold-partial"));
    let mut first = ground.host.receive(&path).expect("it can be received");
    first.append(b"one").expect("there is room");
    std::fs::remove_file(&partial).expect("it exists");
    let second = ground.host.receive(&path).expect("there is none");
    let refused = first.put(&place(0o644)).expect_err("it was replaced");
    assert_eq!(refused.kind(), ErrorKind::UnsafeLink);
    assert!(!path.exists() && partial.exists());
    second.put(&place(0o640)).expect("it is put");
    assert_eq!((text(&path), mode(&path)), (String::new(), 0o640));
}

/// A file that others could have written, or that has another hard link, is not resumed.
#[test]
fn does_not_resume_content_of_others() {
    let check = |plant: &dyn Fn(&Ground, &Path)| {
        let ground = Ground::new();
        ground.file("other", "kept", 0o644);
        plant(&ground, &ground.path(".file.uphold-partial"));
        let path = ground.path("file");
        let mut receiver = ground.host.receive(&path).expect("it can be received");
        assert_eq!(receiver.length(), 0);
        receiver.append(b"mine").expect("there is room");
        receiver.put(&place(0o600)).expect("it is put");
        assert_eq!(
            (text(&ground.path("file")), text(&ground.path("other"))),
            ("mine".to_owned(), "kept".to_owned())
        );
    };
    check(&|_, partial| std::fs::write(partial, "planted").expect("a file"));
    check(&|ground, partial| std::os::unix::fs::symlink(ground.path("other"), partial).expect("a link"));
    check(&|ground, partial| {
        chmod(&ground.path("other"), 0o600);
        std::fs::hard_link(ground.path("other"), partial).expect("a name");
    });
    check(&|_, partial| fifo(partial));
}

#[test]
fn keeps_a_rejected_file() {
    let ground = Ground::new();
    let host = &ground.host;
    let path = ground.file("file", "old", 0o644);
    let mut receiver = host.receive(&path).expect("it can be received");
    receiver.append(b"bad").expect("there is room");
    let refuse = |_: &Path| -> Result<()> { Err(Error::new(ErrorKind::Rejected, "no")) };
    let error =
        receiver.put(&Place { verify: Some(&refuse), ..Place::default() }).expect_err("it is rejected");
    assert_eq!(error.kind(), ErrorKind::Rejected);
    assert_eq!(
        (text(&ground.path("file")), ground.names()),
        ("old".to_owned(), vec![".file.uphold-rejected".to_owned(), "file".to_owned()])
    );
}

#[test]
fn reads_an_open_file_in_pieces() {
    use std::io::{Read, Seek, SeekFrom};
    let ground = Ground::new();
    let host = &ground.host;
    let path = ground.file("file", "0123456789", 0o644);
    let mut file = host.open(&path).expect("it can be opened");
    let mut piece = [0; 3];
    file.seek(SeekFrom::Start(4)).and_then(|_| file.read_exact(&mut piece)).expect("it can be read");
    assert_eq!(&piece, b"456");
    std::os::unix::fs::symlink(&path, ground.path("link")).expect("a link");
    assert_eq!(host.open(&ground.path("link")).err().map(|error| error.kind()), Some(ErrorKind::WrongType));
    assert_eq!(host.open(&ground.path("none")).err().map(|error| error.kind()), Some(ErrorKind::Missing));
    assert_eq!(host.open(Path::new("/dev/zero")).err().map(|error| error.kind()), Some(ErrorKind::WrongType));
}
