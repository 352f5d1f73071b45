//! Limits of the kernel, and the cost of many watches.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use uphold_resource::{ErrorKind, Interest, WatchEvent};

use super::alone::{alone, alone_in_namespaces};
use super::scene::{Scene, none, only, say};

/// The number of watches of this process, as the kernel counts them.
fn watches_of_process() -> usize {
    let handles = fs::read_dir("/proc/self/fdinfo").unwrap();
    let texts = handles.filter_map(|handle| fs::read_to_string(handle.ok()?.path()).ok());
    texts.map(|text| text.lines().filter(|line| line.starts_with("inotify wd:")).count()).sum()
}

/// More changes than the kernel queues: the loss is reported, and everything is still watched, even what was replaced.
#[test]
fn reports_an_overflow() {
    let most: usize =
        fs::read_to_string("/proc/sys/fs/inotify/max_queued_events").unwrap().trim().parse().unwrap();
    let scene = Scene::new();
    let (one, two) = (scene.write("d/one", ""), scene.write("d/two", ""));
    let late = scene.write("d/sub/late", "");
    scene.watch(1, Interest::Path(one.clone()));
    scene.watch(2, Interest::Path(two.clone()));
    scene.watch(3, Interest::Path(late.clone()));
    // Two files in turn, because equal reports in a row are merged.
    let files = [&one, &two].map(|path| fs::File::options().write(true).open(path).unwrap());
    for round in 0..=most {
        files[round % 2].set_len(1).unwrap();
    }
    fs::rename(scene.path("d"), scene.path("old")).unwrap();
    for name in ["d/one", "d/two", "d/sub/late"] {
        scene.write(name, "");
    }
    assert_eq!(scene.reports().last(), Some(&WatchEvent::Lost));
    assert_eq!(scene.reports(), []);
    fs::write(&late, "x").unwrap();
    assert_eq!(scene.tokens(), only(3), "the new directory is watched");
    scene.write("old/one", "x");
    assert_eq!(scene.tokens(), none(), "the old one is not");
}

#[test]
fn frees_unneeded_watches() {
    alone("limits::frees_unneeded_watches", watches_are_freed);
}

fn watches_are_freed() {
    let scene = Scene::new();
    scene.write("t/a/b/f", "");
    scene.write("t/c/f", "");
    std::os::unix::fs::symlink("t/c", scene.path("l")).unwrap();
    let depth = scene.top().components().count();
    assert_eq!(watches_of_process(), 0);
    let check = |interest: Interest, expected: usize| {
        let name = format!("{interest:?}");
        scene.watch(1, interest.clone());
        assert_eq!(watches_of_process(), expected, "{name}");
        scene.watch(2, interest);
        assert_eq!(watches_of_process(), expected, "{name} for another");
        scene.watcher.arm(1, &[]).unwrap();
        assert_eq!(watches_of_process(), expected, "{name} for another alone");
        scene.watcher.arm(2, &[]).unwrap();
        assert_eq!(watches_of_process(), 0, "nothing");
    };
    check(Interest::Path(scene.path("t/a/b/f")), depth + 3);
    check(Interest::Path(scene.path("t")), depth);
    check(Interest::Path(scene.path("nothing/of/this/exists")), depth);
    check(Interest::Entries(scene.path("t")), depth + 1);
    check(Interest::Tree(scene.path("t")), depth + 4);
    check(Interest::Path(scene.path("l")), depth);
    // The link, its directory, and the path to the target, which is watched once.
    check(Interest::Path(scene.path("l/f")), depth + 2);
    scene.watch(1, Interest::Tree(scene.path("t")));
    scene.watch(2, Interest::Path(scene.path("t/a/b/f")));
    fs::remove_dir_all(scene.path("t/a")).unwrap();
    scene.tokens();
    assert_eq!(watches_of_process(), depth + 2, "removed directories");
    scene.watch(1, Interest::Path(scene.path("t/c/f")));
    assert_eq!(watches_of_process(), depth + 2, "other interests");
    scene.watcher.arm(1, &[]).unwrap();
    assert_eq!(watches_of_process(), depth + 1, "only the remaining ones");
    scene.watcher.arm(2, &[]).unwrap();
    assert_eq!(watches_of_process(), 0, "nothing");
}

/// The kernel's limit, which a user namespace can lower for itself.
#[test]
fn out_of_watches() {
    let script = "echo 14 > /proc/sys/user/max_inotify_watches";
    alone_in_namespaces("limits::out_of_watches", &[], script, few_watches);
}

fn few_watches() {
    let scene = Scene::new();
    let files: Vec<PathBuf> = (0..20).map(|number| scene.write(&format!("d{number}/f"), "")).collect();
    let mut results = Vec::new();
    for (token, file) in (0..).zip(&files) {
        results.push(scene.watcher.arm(token, &[Interest::Path(file.clone())]));
    }
    let armed = results.iter().take_while(|result| result.is_ok()).count();
    assert!(armed > 2 && armed < 14, "{armed}");
    let error = results[armed].as_ref().unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Failed);
    assert_eq!(
        error.to_string(),
        format!("cannot watch {}: no watches are left", scene.path(&format!("d{armed}")).display())
    );
    assert!(error.advice().unwrap().contains("fs.inotify.max_user_watches"), "{:?}", error.advice());
    assert!(results[armed..].iter().all(Result::is_err));

    let late = u32::try_from(armed).unwrap();
    let interest = [Interest::Path(files[armed].clone())];
    assert!(scene.watcher.arm(late, &interest).is_err(), "arming the same again is another try");
    fs::write(&files[0], "x").unwrap();
    assert_eq!(scene.tokens(), only(0), "the others are armed");
    scene.watcher.arm(0, &[]).unwrap();
    scene.watcher.arm(late, &interest).unwrap();
    fs::write(&files[armed], "x").unwrap();
    assert_eq!(scene.tokens(), only(late), "a watch was free again");
    becomes_blind(&scene);
    drop(scene);
    watches_a_large_tree();
    link_without_watches();
    changed_without_a_watch();
}

/// An armed path that needs more watches later.
fn becomes_blind(scene: &Scene) {
    let file = scene.path("new/f");
    let interest = [Interest::Path(file.clone())];
    scene.watcher.arm(100, &interest).unwrap();
    scene.write("new/f", "");
    let reports = scene.reports();
    let is_blind = |reports: &WatchEvent| matches!(reports, WatchEvent::Blind { token: 100, because } if because.contains("new"));
    assert!(reports.iter().any(is_blind), "{reports:?}");
    assert!(scene.watcher.arm(100, &interest).is_err(), "arming the same again is another try");
    scene.watcher.arm(1, &[]).unwrap();
    scene.watcher.arm(100, &interest).unwrap();
    fs::write(&file, "x").unwrap();
    assert_eq!(scene.tokens(), only(100));
}

/// Uses up watches.
fn hoard(scene: &Scene, count: u32) -> Vec<u32> {
    let tokens = 1000..1000 + count;
    for token in tokens.clone() {
        let file = scene.write(&format!("hoard/{token}/f"), "");
        scene.watch(token, Interest::Path(file));
    }
    tokens.collect()
}

fn watches_a_large_tree() {
    let scene = Scene::new();
    (0..4).for_each(|number| drop(scene.write(&format!("t/d{number}/f"), "")));
    let tree = [Interest::Tree(scene.path("t"))];
    let hoarded = hoard(&scene, 6);
    scene.watcher.arm(1, &tree).unwrap_err();
    scene.watcher.arm(1, &tree).unwrap_err();
    scene.watcher.arm(2, &tree).unwrap_err();
    hoarded.iter().for_each(|token| scene.watcher.arm(*token, &[]).unwrap());
    scene.watcher.arm(1, &tree).unwrap();
    scene.watcher.arm(2, &tree).unwrap();
    for number in 0..4 {
        scene.write(&format!("t/d{number}/f"), "x");
        assert_eq!(scene.tokens(), [1, 2].into(), "{number}");
    }
}

/// The path to the target of a link has no watch.
fn link_without_watches() {
    for (target, is_end) in [("x/y/real", false), ("x/y/real/f", true)] {
        let scene = Scene::new();
        scene.write("x/y/real/f", "");
        std::os::unix::fs::symlink(target, scene.path("l")).unwrap();
        let interest = match is_end {
            true => [Interest::Entries(scene.path("l"))],
            false => [Interest::Path(scene.path("l/f"))],
        };
        let armed: Vec<bool> = (0..9).rev().map(|count| arms_beside(&scene, &interest, count)).collect();
        assert!(armed.contains(&true) && armed.contains(&false), "{armed:?}");
    }
}

/// Whether it can be armed while others use this many watches. The result must be the same again and for another token, and
/// it must work when the others have none.
fn arms_beside(scene: &Scene, interest: &[Interest], count: u32) -> bool {
    let hoarded = hoard(scene, count);
    let armed = scene.watcher.arm(1, interest).is_ok();
    assert_eq!(scene.watcher.arm(1, interest).is_ok(), armed, "{count}: nothing changed");
    assert_eq!(scene.watcher.arm(2, interest).is_ok(), armed, "{count}: nor for another");
    hoarded.iter().for_each(|token| scene.watcher.arm(*token, &[]).unwrap());
    scene.watcher.arm(1, interest).unwrap();
    for (from, to) in [("x", "away"), ("away", "x")] {
        fs::rename(scene.path(from), scene.path(to)).unwrap();
        assert!(scene.tokens().contains(&1), "{count}: {from} becomes {to}");
    }
    [1, 2].iter().for_each(|token| scene.watcher.arm(*token, &[]).unwrap());
    armed
}

/// A file becomes a link while its directory has no watch; then another token gets one for the directory.
fn changed_without_a_watch() {
    let scene = Scene::new();
    let (file, neighbour) = (scene.write("d/f", ""), scene.write("d/g", ""));
    scene.write("t", "");
    let hoarded = hoard(&scene, 9);
    scene.watcher.arm(1, &[Interest::Entries(file.clone())]).unwrap_err();
    fs::remove_file(&file).unwrap();
    std::os::unix::fs::symlink("../t", &file).unwrap();
    hoarded.iter().for_each(|token| scene.watcher.arm(*token, &[]).unwrap());
    scene.watch(2, Interest::Path(neighbour));
    scene.watch(1, Interest::Entries(file));
    scene.tokens();
    scene.write("t", "x");
    assert_eq!(scene.tokens(), only(1));
}

#[test]
fn ten_thousand_paths() {
    alone("limits::ten_thousand_paths", many_paths);
}

fn memory() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("RssAnon:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<u64>().unwrap() * 1024
}

fn many_paths() {
    let scene = Scene::new();
    let path = |number: u32| format!("d{}/file-number-{number}.conf", number / 100);
    for number in 0..10_000 {
        scene.write(&path(number), "");
    }
    let before = memory();
    let begin = Instant::now();
    for number in 0..10_000 {
        scene.watch(number, Interest::Path(scene.path(&path(number))));
    }
    let (armed, memory) = (begin.elapsed(), (memory() - before) / 10_000);
    let begin = Instant::now();
    for number in 0..10_000 {
        scene.watch(number, Interest::Path(scene.path(&path(number))));
    }
    let again = begin.elapsed();
    say(&format!("MEASURED 10,000 paths: armed in {armed:?}, again in {again:?}, {memory} bytes each"));
    assert!(memory < 600, "{memory} bytes a path");
    fs::write(scene.path(&path(4711)), "x").unwrap();
    assert_eq!(scene.tokens(), only(4711));
    for number in 0..10_000 {
        scene.watcher.arm(number, &[]).unwrap();
    }
    assert_eq!(watches_of_process(), 0);
}

/// Ten times as many entries must not take a hundred times as long.
#[test]
fn arming_is_linear() {
    let time = |count: u32| {
        let scene = Scene::new();
        let begin = Instant::now();
        for number in 0..count {
            scene.watch(number, Interest::Path(scene.path(&number.to_string())));
        }
        fs::rename(scene.write("unrelated", ""), scene.path("other")).unwrap();
        assert_eq!(scene.tokens(), none());
        for number in 0..count {
            scene.watcher.arm(number, &[]).unwrap();
        }
        begin.elapsed()
    };
    let (few, many) = (time(5_000), time(50_000));
    assert!(many < few * 40, "5,000 took {few:?}, 50,000 took {many:?}");
}

/// Also with `..` in the path.
#[test]
fn a_relative_path_starts_at_the_current_directory() {
    let scene = Scene::new();
    let here = std::env::current_dir().unwrap();
    let up: PathBuf = here.components().skip(1).map(|_| Path::new("..")).collect();
    let file = scene.write("f", "");
    scene.watch(1, Interest::Path(up.join(file.strip_prefix("/").unwrap())));
    fs::write(&file, "x").unwrap();
    assert_eq!(scene.tokens(), only(1));
}
