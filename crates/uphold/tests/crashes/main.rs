//! Runs that lose power at any write of the journal: no notification is lost.

mod crashing_storage;

use std::fmt::Write as _;
use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, LazyLock};

use crashing_storage::CrashingStorage;
use uphold::journal::{MemoryStorage, NewRun, Records, RunJournal};
use uphold::resource::Registry;
use uphold::{Configuration, Engine, Mode, Summary};
use uphold_memory::MemoryHost;

/// The seeds of every test run. `UPHOLD_SEEDS=0..10000` tries others.
const SEEDS: Range<u64> = 0..1_000;

#[expect(clippy::disallowed_methods, reason = "the person who runs the test chooses the seeds")]
fn seeds() -> Range<u64> {
    let Ok(asked) = std::env::var("UPHOLD_SEEDS") else { return SEEDS };
    let (from, to) = asked.split_once("..").expect("UPHOLD_SEEDS is like 0..100");
    from.parse().expect("a number")..to.parse().expect("a number")
}

/// The kinds, which are the same for every seed.
static KINDS: LazyLock<Registry> = LazyLock::new(uphold::kinds);

/// A small generator of choices.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Files that notify handlers. A handler copies the files that notify it.
struct Scene {
    text: String,
    /// For each handler, its notifiers.
    notifiers: Vec<Vec<usize>>,
    differs: Vec<bool>,
    host: Arc<MemoryHost>,
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
        Self { text, notifiers, differs, host: Arc::new(host) }
    }

    /// Applies once. If the power fails at write number `crash` of the journal, machine and journal are those of that moment.
    fn apply(&self, disk: &mut MemoryStorage, crash: Option<usize>, dice: &mut Dice) -> Option<Summary> {
        let storage = CrashingStorage::new(disk.clone(), crash, dice.roll(u64::MAX), self.host.clone());
        let engine = Engine::on(self.host.machine().clone()).kinds(KINDS.clone()).build();
        let checked = Configuration::from_text(&engine, "site.hcl", self.text.clone());
        let checked = checked.expect("it is read").check().unwrap_or_else(|rejected| panic!("{rejected}"));
        let records = Records::on(Arc::new(storage.clone()));
        let new = NewRun { mode: "apply".to_owned(), ..NewRun::default() };
        let clock = self.host.machine().clock.clone();
        let (journal, _) = RunJournal::begin_in(records, clock, "site".to_owned(), new).expect("it begins");
        let journal = Arc::new(journal);
        let summary = checked.run_recorded(journal.clone(), Mode::Apply, &mut |event| journal.event(event));
        journal.end(&summary, || None);
        let Some((machine, left)) = storage.crashed() else { return Some(summary) };
        self.host.restore(&machine);
        *disk = left;
        None
    }

    /// Every handler whose notifiers changed has run after the last of these changes.
    fn lost(&self) -> Option<String> {
        let now = self.host.snapshot();
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
        let scene = Scene::new(&mut dice);
        let mut disk = MemoryStorage::default();
        for _ in 0..dice.roll(4) {
            if dice.roll(4) == 0 {
                scene.host.tamper("/broken", "");
            }
            let crash = dice.roll(40) as usize;
            match scene.apply(&mut disk, Some(crash), &mut dice) {
                None => crashes += 1,
                Some(summary) => failures += summary.failed,
            }
            if scene.host.snapshot().content(Path::new("/broken")).is_some() {
                scene.host.delete("/broken");
            }
        }
        let summary = scene.apply(&mut disk, None, &mut dice).expect("it does not crash");
        assert!(summary.is_success(), "seed {seed}: {summary:?}\n{}", scene.text);
        if let Some(lost) = scene.lost() {
            panic!("seed {seed}: {lost}\n{}", scene.text);
        }
        let again = scene.apply(&mut disk, None, &mut dice).expect("it does not crash");
        assert_eq!((again.changed, again.failed), (0, 0), "seed {seed}: nothing is left\n{}", scene.text);
    }
    assert!(crashes > 0 && failures > 0, "nothing was tried");
}
