//! No notification is lost.

use std::fmt::Write as _;
use std::path::Path;

use uphold_memory::{MemoryHost, Snapshot};

use super::site::Site;
use super::{Dice, seeds};

/// Files that notify handlers. A handler copies the files that notify it.
struct Scene {
    text: String,
    /// For each handler, its notifiers.
    notifiers: Vec<Vec<usize>>,
    differs: Vec<bool>,
    host: MemoryHost,
}

const MOMENTS: [&str; 3] = ["immediately", "delayed", "on_success"];

impl Scene {
    fn new(dice: &mut Dice) -> Self {
        let (files, handlers) = (1 + dice.roll(4) as usize, 1 + dice.roll(3) as usize);
        let mut notifiers = vec![Vec::new(); handlers];
        let (mut text, mut differs) = (String::new(), Vec::new());
        let mut host = MemoryHost::new().directory("/conf", 0o755).directory("/copies", 0o755);
        for file in 0..files {
            let _ =
                writeln!(text, "file \"/conf/{file}\" {{\n  content = \"new {file}\\n\"\n  mode = \"0644\"");
            if file > 0 && dice.roll(3) == 0 {
                let _ = writeln!(text, "  depends_on = [file[\"/conf/{}\"]]", dice.roll(file as u64));
            }
            let mut targets: Vec<String> = Vec::new();
            for (handler, notifiers) in notifiers.iter_mut().enumerate() {
                if dice.roll(2) == 0 {
                    notifiers.push(file);
                    let moment = MOMENTS[dice.roll(3) as usize];
                    targets.push(format!("{moment} = [task.h{handler}.run]"));
                }
            }
            // One list for each moment.
            targets.sort();
            let mut merged: Vec<String> = Vec::new();
            for target in targets {
                let moment = target.split(' ').next().unwrap_or_default().to_owned();
                match merged.last_mut().filter(|last| last.starts_with(&moment)) {
                    Some(last) => {
                        let name = target.split_once('[').map_or("", |(_, rest)| rest);
                        *last = format!("{}, {name}", last.trim_end_matches(']'));
                    }
                    None => merged.push(target),
                }
            }
            let _ = writeln!(text, "  notifies = {{ {} }}\n}}", merged.join(", "));
            let state = dice.roll(3);
            differs.push(state != 0);
            host = match state {
                0 => host.file(format!("/conf/{file}"), format!("new {file}\n"), 0o644),
                1 => host.file(format!("/conf/{file}"), "old\n", 0o644),
                _ => host,
            };
        }
        for handler in 0..handlers {
            let _ = writeln!(
                text,
                "task \"h{handler}\" {{\n  apply = \"handle{handler}\"\n  action = \"nothing\"\n}}"
            );
        }
        for (handler, notifiers) in notifiers.clone().into_iter().enumerate() {
            host = host.program(&format!("handle{handler}"), move |call| {
                let now = call.host.snapshot();
                if now.content(Path::new("/broken")).is_some() {
                    return call.fail(1, "broken");
                }
                let read =
                    |file: &usize| now.content(Path::new(&format!("/conf/{file}"))).map(<[u8]>::to_vec);
                let copy: Vec<u8> = notifiers.iter().filter_map(read).flatten().collect();
                call.host.tamper(format!("/copies/h{handler}"), copy);
                call.succeed("")
            });
        }
        Self { text, notifiers, differs, host }
    }

    /// Every handler whose notifiers changed has run after the last of these changes.
    fn lost(&self, now: &Snapshot) -> Option<String> {
        let mut handlers = self.notifiers.iter().enumerate();
        handlers.find_map(|(handler, notifiers)| {
            let is_notified = notifiers.iter().any(|file| self.differs[*file]);
            let expected: String = notifiers.iter().map(|file| format!("new {file}\n")).collect();
            let copy = now.content(Path::new(&format!("/copies/h{handler}")));
            let is_right = copy.is_some_and(|copy| copy == expected.as_bytes());
            (is_notified && !is_right).then(|| format!("h{handler}: {copy:?} instead of {expected:?}"))
        })
    }
}

#[test]
fn no_notification_is_lost_if_the_power_fails() {
    let (mut crashes, mut failures) = (0, 0);
    for seed in seeds() {
        let mut dice = Dice(seed);
        let mut scene = Scene::new(&mut dice);
        let mut site = Site::new(std::mem::take(&mut scene.host));
        for _ in 0..dice.roll(4) {
            if dice.roll(4) == 0 {
                site.host.tamper("/broken", "");
            }
            let crash = dice.roll(40) as usize;
            match site.apply(&scene.text, Some(crash), &mut dice).summary {
                None => crashes += 1,
                Some(summary) => failures += summary.failed,
            }
            if site.host.snapshot().content(Path::new("/broken")).is_some() {
                site.host.delete("/broken");
            }
        }
        let summary = site.apply(&scene.text, None, &mut dice).summary.expect("it does not crash");
        assert!(summary.is_success(), "seed {seed}: {summary:?}\n{}", scene.text);
        if let Some(lost) = scene.lost(&site.host.snapshot()) {
            panic!("seed {seed}: {lost}\n{}", scene.text);
        }
        let again = site.apply(&scene.text, None, &mut dice).summary.expect("it does not crash");
        assert_eq!((again.changed, again.failed), (0, 0), "seed {seed}: nothing is left\n{}", scene.text);
    }
    assert!(crashes > 0 && failures > 0, "nothing was tried");
}
