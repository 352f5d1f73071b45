//! Concurrent use.
#![expect(clippy::disallowed_methods, reason = "the test is about threads")]

use std::path::{Path, PathBuf};

use uphold_resource::Access;

use super::ground::memory;
use super::{mode, new_file, set_access};

const THREADS: usize = 8;
const FILES: usize = 200;

#[test]
fn many_threads_work_in_one_directory() {
    let base = memory();
    let overlay = base.act().overlay();
    let (overlay, edits) = (&overlay.act(), &*overlay.edits);
    let path = |thread: usize, file: usize| PathBuf::from(format!("/a/b/{thread}-{file:03}"));
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            scope.spawn(move || {
                for file in 0..FILES {
                    let path = path(thread, file);
                    edits.write(&path, &new_file("x")).expect("there is room");
                    set_access(overlay, &path, &mode(0o640)).expect("it exists");
                    if file % 2 == 1 {
                        edits.remove_file(&path).expect("it exists");
                    }
                }
            });
        }
    });
    let names = overlay.files().list(Path::new("/a/b")).expect("it is a directory");
    assert_eq!(names.len(), 2 + THREADS * FILES / 2);
}

/// Whichever thread wins, results are consistent and nothing panics.
#[test]
fn threads_change_the_same_names() {
    let base = memory();
    for _ in 0..20 {
        let overlay = base.act().overlay();
        let (edits, files) = (&*overlay.edits, &*overlay.files);
        std::thread::scope(|scope| {
            scope.spawn(move || (0..FILES).for_each(|_| drop(edits.remove_tree(Path::new("/a/b")))));
            scope.spawn(move || {
                (0..FILES).for_each(|_| drop(edits.make_directory(Path::new("/a/b"), &Access::default())));
            });
            scope.spawn(move || {
                (0..FILES).for_each(|_| drop(edits.make_hard_link(Path::new("/a/b/x"), Path::new("/a/b/a"))));
            });
            scope.spawn(move || {
                (0..FILES).for_each(|_| drop(edits.write(Path::new("/a/b/a"), &new_file("x"))));
            });
            scope.spawn(move || {
                for _ in 0..FILES {
                    files.look(Path::new("/l/b/x")).expect("it can be read");
                    drop(files.list(Path::new("/a/b")));
                    drop(edits.remove_directory(Path::new("/a/b")));
                }
            });
        });
        edits.remove_tree(Path::new("/a")).expect("it still exists");
        assert_eq!(files.look(Path::new("/a/b/x")).expect("it can be read"), None);
    }
}
