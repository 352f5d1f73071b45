//! The expected state of the machine: a second, much simpler engine.

use std::collections::{BTreeMap, BTreeSet};

use uphold_engine::{Unwanted, Verdict as Came};

use super::referee::Record;
use super::scene::{Condition, Drift, Scene, Text, Thing};
use super::stage::Stage;
use super::turn::{Verdict, What, ensure};

/// The expected files.
pub(crate) struct Machine<'a> {
    scene: &'a Scene,
    /// The content of each file; for a folder, whether it exists.
    contents: Vec<Option<String>>,
    /// Files whose content is unknown.
    unknown: BTreeSet<Thing>,
    /// The length that each resource has published in this run.
    lengths: BTreeMap<Thing, usize>,
    stamps: Vec<usize>,
    rings: Vec<usize>,
    /// Whether a write can fail for no reason.
    faulty: bool,
}

/// Possible results of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Unchanged,
    Changed,
    Differs,
    Fails,
}

impl<'a> Machine<'a> {
    pub(crate) fn new(scene: &'a Scene) -> Self {
        let first = |thing: Thing| match scene.things[thing].drift {
            Drift::Absent => None,
            Drift::AsWanted if scene.things[thing].kind == "folder" => Some(String::new()),
            Drift::AsWanted => Some(scene.text(thing)),
            Drift::Other => Some("other".to_owned()),
        };
        let count = scene.things.len();
        Self {
            scene,
            contents: (0..count).map(first).collect(),
            unknown: BTreeSet::new(),
            lengths: BTreeMap::new(),
            stamps: vec![0; count],
            rings: vec![0; count],
            faulty: false,
        }
    }

    /// Starts a run.
    pub(crate) fn begin(&mut self, faulty: bool) {
        self.lengths.clear();
        self.faulty = faulty;
    }

    /// Checks the verdict of an action, and updates the expected state.
    pub(crate) fn meet(&mut self, record: &Record) -> Verdict {
        let transcript =
            |why: String| format!("{} {}: {why}", self.scene.things[record.thing].path, record.action);
        let known;
        match &record.came {
            Came::Skipped(_) | Came::NotWanted(Unwanted::RunFailed | Unwanted::NothingChanged) => {
                return Ok(());
            }
            came => {
                let refused = matches!(came, Came::NotWanted(_));
                known = self.wanted(record.thing);
                if let Some(wanted) = known {
                    ensure(wanted != refused, || {
                        transcript(format!("wanted: {wanted}, but it came to {came:?}"))
                    })?;
                }
                if refused {
                    return Ok(());
                }
            }
        }
        let way = self.way(record).map_err(transcript)?;
        let transcript =
            |why: String| format!("{} {}: {why}", self.scene.things[record.thing].path, record.action);
        let expected = known.and_then(|_| self.expected(record));
        let fits =
            expected.as_ref().is_none_or(|ways| ways.contains(&way)) || (self.faulty && way == Way::Fails);
        ensure(fits, || transcript(format!("it should come to one of {expected:?}, not {way:?}")))?;
        self.note(record, way);
        Ok(())
    }

    /// A failure is ignored if and only if `ignore_failure` is set.
    fn way(&self, record: &Record) -> Result<Way, String> {
        let ignores = self.has(record.thing, |around| around.ignore_failure);
        match &record.came {
            Came::Unchanged => Ok(Way::Unchanged),
            Came::Changed(_) => Ok(Way::Changed),
            Came::Differs(_) => Ok(Way::Differs),
            Came::Failed(_) if !ignores => Ok(Way::Fails),
            Came::Ignored(_) if ignores => Ok(Way::Fails),
            other => Err(format!("it came to {other:?}")),
        }
    }

    fn has(&self, thing: Thing, flag: impl Fn(&crate::simulation::scene::Around) -> bool) -> bool {
        let prop = &self.scene.things[thing];
        let mut groups = self.scene.around(prop.cluster).map(|cluster| &self.scene.clusters[cluster].around);
        flag(&prop.around) || groups.any(flag)
    }

    /// Whether its conditions hold; none if that is unknown.
    fn wanted(&self, thing: Thing) -> Option<bool> {
        let prop = &self.scene.things[thing];
        let groups: Vec<_> = self.scene.around(prop.cluster).collect();
        let groups = groups.iter().rev().map(|cluster| &self.scene.clusters[*cluster].around.guards);
        let own = std::iter::once(&prop.around.guards);
        let when = prop.when.map(|when| (true, when));
        let guards = groups.chain(own).flat_map(|guards| {
            let wanted = guards.iter().filter(|(expected, _)| *expected);
            wanted.chain(guards.iter().filter(|(expected, _)| !*expected)).copied()
        });
        for (expected, condition) in when.into_iter().chain(guards) {
            if self.holds(condition)? != expected {
                return Some(false);
            }
        }
        Some(true)
    }

    fn holds(&self, condition: Condition) -> Option<bool> {
        match condition {
            Condition::Bool(holds) | Condition::Command(holds) => Some(holds),
            Condition::Length(thing, length) => self.lengths.get(&thing).map(|known| *known == length),
            Condition::There(thing) if self.unknown.contains(&thing) => None,
            Condition::There(thing) => Some(self.contents[thing].is_some()),
        }
    }

    /// Its expected content, if it is known.
    fn text(&self, thing: Thing) -> Option<String> {
        match &self.scene.things[thing].text {
            _ if self.scene.things[thing].kind == "folder" => Some(String::new()),
            Text::Fixed(text) => Some(text.clone()),
            Text::LengthOf(other) => Some(format!("it is {}", self.lengths.get(other)?)),
        }
    }

    /// The possible results; none if they are unknown.
    fn expected(&self, record: &Record) -> Option<Vec<Way>> {
        let prop = &self.scene.things[record.thing];
        let text = self.text(record.thing)?;
        let audited = self.has(record.thing, |around| around.audit);
        let lost = prop.folder.is_some_and(|folder| self.contents[folder].is_none());
        let patient = prop.how != "plain" || prop.ready == 0 || prop.timeout.is_none();
        let content = self.contents[record.thing].as_ref().filter(|_| !self.unknown.contains(&record.thing));
        if self.unknown.contains(&record.thing) {
            return None;
        }
        let mut ways = vec![match record.action {
            "stamp" | "ring" | "mend" | "slip" if audited => Way::Differs,
            "slip" => Way::Fails,
            "stamp" | "ring" | "mend" if lost => Way::Fails,
            "stamp" | "ring" | "mend" => return Some(vec![Way::Changed]),
            _ if prop.how == "load" => Way::Fails,
            "remove" if content.is_none() => Way::Unchanged,
            "converge" if content == Some(&text) => Way::Unchanged,
            _ if audited => Way::Differs,
            "remove" => Way::Changed,
            _ if lost || matches!(prop.how, "apply" | "lie") => Way::Fails,
            _ => Way::Changed,
        }];
        // It may become ready, or not.
        let late = prop.how == "deed" && prop.ready > 0 && ways == [Way::Changed];
        if late || !patient {
            ways.push(Way::Fails);
        }
        Some(ways)
    }

    fn note(&mut self, record: &Record, way: Way) {
        let thing = record.thing;
        match (record.action, way) {
            ("stamp", Way::Changed) => self.stamps[thing] += 1,
            ("ring", Way::Changed) => self.rings[thing] += 1,
            ("remove", Way::Changed) => self.contents[thing] = None,
            ("converge", Way::Changed | Way::Unchanged) | ("mend", Way::Changed) => match self.text(thing) {
                Some(text) => {
                    let transcript = record.action == "converge" && matches!(record.what, What::Written(_));
                    if transcript && self.scene.things[thing].kind != "folder" {
                        self.lengths.insert(thing, text.len());
                    }
                    self.unknown.remove(&thing);
                    self.contents[thing] = Some(text);
                }
                None => drop(self.unknown.insert(thing)),
            },
            _ => {}
        }
        if record.action == "remove" || way == Way::Differs {
            self.lengths.remove(&thing);
        }
    }

    /// Compares the machine with the expected state.
    pub(crate) fn compare(&self, stage: &Stage) -> Verdict {
        for (thing, prop) in self.scene.things.iter().enumerate() {
            for (suffix, count) in [("stamp", self.stamps[thing]), ("ring", self.rings[thing])] {
                let found = stage.text(&format!("{}.{suffix}", prop.path)).map_or(0, |text| text.len());
                ensure(found == count, || format!("{} has {found} {suffix}s, not {count}", prop.path))?;
            }
            if prop.kind == "folder" || self.unknown.contains(&thing) {
                continue;
            }
            let (found, expected) = (stage.text(&prop.path), &self.contents[thing]);
            ensure(found == *expected, || format!("{} holds {found:?}, not {expected:?}", prop.path))?;
        }
        Ok(())
    }
}
