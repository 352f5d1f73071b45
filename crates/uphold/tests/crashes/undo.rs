//! The undo of any run restores the state before it exactly, or refuses with a reason.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use uphold::Configuration;
use uphold::journal::{ActionBegin, Records, Run, Undo, UndoRequest};
use uphold_memory::Snapshot;

use super::site::{KINDS, Site};
use super::undo_scene::{EDITED, LONG, World, configuration, host, tamper, world};
use super::{Dice, seeds};

/// A run that was made: the machine before and after it.
struct Made {
    before: Snapshot,
    after: Snapshot,
}

/// Runs and changes by hand, one after another.
struct Story {
    site: Site,
    made: BTreeMap<u64, Made>,
    crashes: usize,
    log: String,
}

/// An undo that was carried out.
struct Undone {
    run: Run,
    now: Snapshot,
    after: Snapshot,
    /// The addresses of the resources that were refused or failed.
    refused: BTreeSet<String>,
    /// Whether a power loss may have lost previous contents, which are not synced.
    may_lack: bool,
}

impl Story {
    fn new() -> Self {
        Self { site: Site::new(host()), made: BTreeMap::new(), crashes: 0, log: String::new() }
    }

    fn records(&self) -> Records {
        Records::on(Arc::new(self.site.disk.clone()))
    }

    /// One run in three loses power.
    fn crash(dice: &mut Dice) -> Option<usize> {
        (dice.roll(3) == 0).then(|| dice.roll(40) as usize)
    }

    fn apply(&mut self, dice: &mut Dice) {
        let (text, crash) = (configuration(dice), Self::crash(dice));
        let before = self.site.host.snapshot();
        let ran = self.site.apply(&text, crash, dice);
        self.note(ran.number, before, ran.summary.is_none(), &text);
    }

    fn note(&mut self, number: u64, before: Snapshot, crashed: bool, text: &str) {
        self.crashes += usize::from(crashed);
        let end = if crashed { "loses power" } else { "ends" };
        let after = self.site.host.snapshot();
        let changes = before.diff(&after).join("\n");
        self.log += &format!("--- run {number} {end}\n{text}{changes}\n").replace(&*LONG, "(long)");
        self.made.insert(number, Made { before, after });
    }

    /// Undoes one of the runs that are recorded, which may lose power, too. None if there is none, or it is damaged.
    fn undo(&mut self, dice: &mut Dice) -> Option<Undone> {
        let runs = self.records().runs().newest_first().expect("they are listed");
        let mut runs: Vec<Run> = runs.map(|run| run.expect("it is read")).collect();
        let chosen = dice.roll(runs.len().max(1) as u64) as usize;
        let later: Vec<Run> = runs.drain(..chosen.min(runs.len())).collect();
        let run = runs.into_iter().next().filter(|run| run.damage.is_none())?;
        let run = [run];
        let selects = |_: &ActionBegin| true;
        let request = UndoRequest {
            runs: &run,
            later: &later,
            selects: &selects,
            skips_changes_between: false,
            only_values: false,
        };
        let undo = Undo::new(&request, &self.records(), &KINDS, &self.site.host.reading());
        let now = self.site.host.snapshot();
        let [run] = run;
        self.log += &format!("--- undo of run {}: {:?}\n", run.begin.run, undo.left);
        assert!(undo.left.iter().all(|left| !left.reason.is_empty()), "each refusal has a reason");
        let mut refused: BTreeSet<String> = undo.left.into_iter().map(|left| left.address).collect();
        if !undo.statements.is_empty() {
            let inverse = Configuration::from_statements(&self.site.engine(), undo.statements);
            let inverse = inverse.expect("there is a directory");
            let crash = Self::crash(dice);
            let ran = self.site.run("undo", inverse, crash, dice);
            self.note(ran.number, now.clone(), ran.summary.is_none(), "");
            ran.summary?;
            for address in ran.failed {
                let edited = EDITED.iter().find(|(path, _)| address == format!("file[{path:?}]"));
                refused.extend(edited.into_iter().flat_map(|(_, edits)| edits.map(str::to_owned)));
                refused.insert(address);
            }
        }
        let after = self.site.host.snapshot();
        Some(Undone { run, now, after, refused, may_lack: self.crashes > 0 })
    }
}

impl Undone {
    /// The first thing that is wrong.
    fn wrong(&self, made: &Made) -> Option<String> {
        let [before, after, now, undone] = [&made.before, &made.after, &self.now, &self.after].map(world);
        let all = [&before, &after, &now, &undone];
        let addresses: BTreeSet<&String> =
            all.into_iter().flat_map(World::keys).map(|(address, _)| address).collect();
        let addresses = addresses.into_iter().filter(|address| self.is_checked(address));
        let mut wrong = addresses.filter_map(|address| {
            let reason = self.wrong_resource(address, [&before, &after, &now, &undone])?;
            Some(format!("{address}: {reason}"))
        });
        wrong.next().or_else(|| EDITED.iter().find_map(|(path, edits)| self.wrong_file(path, edits, made)))
    }

    /// An undo acts on an edited file, any other run on its edits.
    fn is_checked(&self, address: &str) -> bool {
        EDITED.iter().all(|(path, edits)| {
            let file = format!("file[{path:?}]");
            let is_whole = self.run.actions.iter().any(|action| action.begin.address == file);
            if is_whole { !edits.contains(&address) } else { address != file }
        })
    }

    fn wrong_resource(&self, address: &str, worlds: [&World; 4]) -> Option<String> {
        let action = self.run.actions.iter().find(|action| action.begin.address == *address);
        let is_finished = action.is_some_and(|action| {
            action.end.as_ref().is_some_and(|end| end.verdict == "changed" && end.after.is_some())
        });
        let (mut is_as_left, mut has_changed) = (true, false);
        for property in ["content", "mode", "to", "value"] {
            let key = (address.to_owned(), property);
            let [before, after, now, undone] = worlds.map(|world| world.get(&key));
            is_as_left &= now == after;
            has_changed |= before != after;
            let is_changed_since = now != after && now != before;
            let is_declared = action.is_some_and(|action| {
                action.begin.differences.iter().any(|one| one.property == property || property == "value")
            });
            if self.refused.contains(address) || action.is_none() {
                if undone != now {
                    return Some(format!("{property} was refused, and is {undone:?} instead of {now:?}"));
                }
            } else if before != after && is_finished {
                if is_changed_since && is_declared {
                    return Some(format!("{property} was changed since, and is {undone:?}"));
                }
                if undone != before {
                    return Some(format!("{property} is {undone:?} instead of {before:?}"));
                }
            } else if undone != now && undone != before {
                return Some(format!("{property} is {undone:?}, neither {now:?} nor {before:?}"));
            } else if undone != now && is_finished {
                return Some(format!("{property} did not change, and is {undone:?} instead of {now:?}"));
            }
        }
        let is_edit = EDITED.iter().any(|(_, edits)| edits.contains(&address));
        // The directory is not empty if the file in it was refused, or a later run removed it.
        let may_fail = self.may_lack || address.contains("/d/sub");
        let is_refused = self.refused.contains(address) && !may_fail;
        (is_finished && has_changed && is_as_left && is_refused && !is_edit)
            .then(|| "is as the run left it, and was refused".to_owned())
    }

    /// A file that is as the run left it is restored exactly.
    fn wrong_file(&self, path: &str, edits: &[&str], made: &Made) -> Option<String> {
        let path = Path::new(path);
        let content = |snapshot: &Snapshot| snapshot.content(path).map(<[u8]>::to_vec);
        let mut ends = self.run.actions.iter().filter(|action| edits.contains(&&*action.begin.address));
        let is_finished = ends.all(|action| action.end.as_ref().is_some_and(|end| end.after.is_some()));
        let has_ended = self.run.end.is_some();
        if !has_ended || !is_finished || content(&self.now) != content(&made.after) {
            return None;
        }
        let is_refused = edits.iter().any(|edit| self.refused.contains(*edit));
        let is_exact = content(&self.after) == content(&made.before);
        let is_wrong = if is_refused { !self.may_lack } else { !is_exact };
        is_wrong.then(|| format!("{} is not restored exactly", path.display()))
    }
}

#[test]
fn an_undo_restores_exactly_or_refuses() {
    let (mut crashes, mut restored, mut refused) = (0, 0, 0);
    for seed in seeds() {
        let mut dice = Dice(seed);
        let mut story = Story::new();
        let steps = 2 + dice.roll(4);
        for step in 1..=steps {
            if step == steps || dice.roll(4) == 0 {
                let Some(undone) = story.undo(&mut dice) else { continue };
                let made = &story.made[&undone.run.begin.run];
                if let Some(wrong) = undone.wrong(made) {
                    panic!("seed {seed}: {wrong}\n{}", story.log);
                }
                refused += undone.refused.len();
                restored += undone.now.changed_paths(&undone.after).len();
            } else {
                story.apply(&mut dice);
            }
            tamper(&story.site.host, &mut dice);
        }
        crashes += story.crashes;
        if story.crashes == 0 {
            let broken = story.records().runs().verify().expect("the runs are read");
            assert_eq!(broken, None, "seed {seed}: the chain verifies");
        }
    }
    assert!(crashes > 0 && restored > 0 && refused > 0, "{crashes} crashes, {restored}, {refused}");
}
