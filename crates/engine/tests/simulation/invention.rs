//! Random scenes.

use uphold_model::Moment;

use super::dice::Dice;
use super::scene::{Act, Around, Cluster, Condition, Drift, Group, Mark, Prop, Scene, Tell, Text, Thing};

/// Most resources of a program.
const MOST: usize = 24;

/// The scene of this seed.
pub(crate) fn invent(seed: u64, jobs: usize) -> Scene {
    let mut dice = Dice::new(seed);
    let size = 3 + if dice.once_in(4) { dice.roll(MOST - 3) } else { dice.roll(8) };
    let mut inventor =
        Inventor { dice, scene: Scene { jobs, ..Scene::default() }, left: size, done: Vec::new() };
    inventor.scene.locks = vec![1, 2];
    inventor.fill(None, 0);
    inventor.tell_resources();
    inventor.tell_groups();
    let Inventor { mut dice, mut scene, .. } = inventor;
    scene.seed = (!dice.once_in(4)).then(|| dice.seed());
    scene.fault = dice.once_in(8).then(|| dice.roll(6));
    scene
}

struct Inventor {
    dice: Dice,
    scene: Scene,
    /// The number of resources that remain to be created.
    left: usize,
    /// Resources that were converged before, so that others can depend on them.
    done: Vec<Thing>,
}

impl Inventor {
    /// Writes the members of a group, or of the top level.
    fn fill(&mut self, cluster: Option<Cluster>, depth: usize) {
        let members = if cluster.is_none() { usize::MAX } else { 1 + self.dice.roll(5) };
        for _ in 0..members {
            if self.left == 0 {
                return;
            }
            if depth < 3 && self.dice.once_in(4) {
                self.group(cluster, depth);
            } else {
                self.left -= 1;
                self.resource(cluster);
            }
        }
    }

    fn group(&mut self, parent: Option<Cluster>, depth: usize) {
        let sequence = self.dice.once_in(2);
        let concurrency = (!sequence && self.dice.once_in(2)).then(|| 1 + self.dice.roll(3) as u32);
        let around = Around {
            guards: if self.dice.once_in(5) { vec![self.guard(&[])] } else { Vec::new() },
            audit: self.dice.once_in(16),
            ignore_failure: self.dice.once_in(12),
            notifies: Vec::new(),
        };
        let subscribed = self.dice.once_in(8) && !self.done.is_empty();
        let subscribes = if subscribed { vec![self.dice.pick(&self.done)] } else { Vec::new() };
        let cluster = self.scene.clusters.len();
        self.scene.clusters.push(Group { parent, sequence, concurrency, subscribes, around });
        self.scene.layout.push(Mark::Begin(cluster));
        self.fill(Some(cluster), depth + 1);
        self.scene.layout.push(Mark::End);
    }

    fn resource(&mut self, cluster: Option<Cluster>) {
        let thing = self.scene.things.len();
        let prop = self.prop(thing, cluster);
        let actions = self.actions(&prop);
        self.scene.things.push(prop);
        self.scene.layout.push(Mark::Declare(thing));
        for action in &actions {
            self.scene.layout.push(Mark::Do(self.scene.steps.len()));
            self.scene.steps.push(Act { thing, action, cluster });
        }
        if actions.last() == Some(&"converge") {
            self.done.push(thing);
        }
    }

    fn actions(&mut self, prop: &Prop) -> Vec<&'static str> {
        match prop.kind {
            "folder" => vec!["converge"],
            "note" if self.dice.once_in(10) => vec!["converge", "stamp"],
            "note" if self.dice.once_in(14) => vec!["remove", "converge"],
            "note" if self.dice.once_in(14) => vec!["ring"],
            _ if prop.folder.is_none() && self.dice.once_in(12) => vec!["remove"],
            _ if self.dice.once_in(6) => Vec::new(),
            _ => vec!["converge"],
        }
    }

    fn prop(&mut self, thing: Thing, cluster: Option<Cluster>) -> Prop {
        let kind = self.dice.pick(&["note", "note", "note", "note", "pack", "folder"]);
        let folder = self.folder().filter(|_| kind != "folder");
        let inside = folder.map_or("/d".to_owned(), |folder| self.scene.things[folder].path.clone());
        let depends_on = self.some_done(3);
        let how = match kind {
            "note" => {
                self.dice.pick(&["plain", "plain", "plain", "plain", "deed", "deed", "load", "apply", "lie"])
            }
            "pack" => self.dice.pick(&["plain", "plain", "plain", "apply"]),
            _ => "",
        };
        let when = self.dice.once_in(12).then(|| self.condition(&[]));
        Prop {
            path: format!("{inside}/{thing}"),
            text: self.text(thing, kind),
            drift: self.drift(kind, folder),
            ready: if kind == "note" && self.dice.once_in(6) { 1 + self.dice.roll(4) as u64 } else { 0 },
            when: when.filter(|when| !matches!(when, Condition::Command(_) | Condition::There(_))),
            locks: (0..2).filter(|_| self.dice.once_in(6)).collect(),
            retry: self.dice.once_in(4).then(|| 1 + self.dice.roll(4) as u32),
            timeout: self.dice.once_in(10).then(|| 1 + self.dice.roll(3) as u64),
            subscribes: Vec::new(),
            around: self.around(&depends_on),
            how: if how.is_empty() { "plain" } else { how },
            kind,
            folder,
            depends_on,
            cluster,
        }
    }

    fn around(&mut self, depends_on: &[Thing]) -> Around {
        let guards = (0..2).filter(|_| self.dice.once_in(8)).count();
        Around {
            guards: (0..guards).map(|_| self.guard(depends_on)).collect(),
            audit: self.dice.once_in(16),
            ignore_failure: self.dice.once_in(10),
            notifies: Vec::new(),
        }
    }

    fn folder(&mut self) -> Option<Thing> {
        let folders = self.done.iter().copied().filter(|thing| self.scene.things[*thing].kind == "folder");
        let folders: Vec<Thing> = folders.collect();
        (!folders.is_empty() && self.dice.once_in(2)).then(|| self.dice.pick(&folders))
    }

    fn drift(&mut self, kind: &str, folder: Option<Thing>) -> Drift {
        let absent = folder.is_some_and(|folder| self.scene.things[folder].drift == Drift::Absent);
        match kind {
            _ if absent => Drift::Absent,
            "folder" => self.dice.pick(&[Drift::Absent, Drift::AsWanted]),
            _ => self.dice.pick(&[Drift::Absent, Drift::AsWanted, Drift::Other]),
        }
    }

    fn text(&mut self, thing: Thing, kind: &str) -> Text {
        let readable = self.readable();
        match kind != "folder" && !readable.is_empty() && self.dice.once_in(4) {
            true => Text::LengthOf(self.dice.pick(&readable)),
            false => Text::Fixed("t".repeat(1 + thing % 5)),
        }
    }

    /// A resource whose length others can read.
    fn readable(&self) -> Vec<Thing> {
        self.done.iter().copied().filter(|thing| self.scene.things[*thing].kind != "folder").collect()
    }

    fn some_done(&mut self, most: usize) -> Vec<Thing> {
        let mut some = Vec::new();
        for _ in 0..most {
            if !self.done.is_empty() && self.dice.once_in(5) {
                some.push(self.dice.pick(&self.done));
            }
        }
        some
    }

    fn guard(&mut self, depends_on: &[Thing]) -> (bool, Condition) {
        let condition = self.condition(depends_on);
        // Most guards hold: otherwise little would run.
        let expected = match condition {
            Condition::Bool(holds) | Condition::Command(holds) => holds != self.dice.once_in(4),
            _ => self.dice.once_in(2),
        };
        (expected, condition)
    }

    /// Commands read files that never change, or a resource that comes before.
    fn condition(&mut self, depends_on: &[Thing]) -> Condition {
        let readable = self.readable();
        match self.dice.roll(4) {
            0 => Condition::Bool(self.dice.once_in(2)),
            1 if !readable.is_empty() => {
                let thing = self.dice.pick(&readable);
                Condition::Length(thing, self.scene.text(thing).len() + self.dice.roll(2))
            }
            2 if !depends_on.is_empty() => Condition::There(self.dice.pick(depends_on)),
            _ => Condition::Command(self.dice.once_in(2)),
        }
    }

    fn tell_resources(&mut self) {
        for thing in 0..self.scene.things.len() {
            for _ in 0..2 {
                if self.dice.once_in(3)
                    && let Some(tell) = self.tell(&Moment::ALL)
                {
                    self.scene.things[thing].around.notifies.push(tell);
                }
            }
            if self.dice.once_in(10)
                && let Some(Tell { action, moment, .. }) = self.tell_to(thing, &Moment::ALL)
            {
                let other = self.dice.roll(self.scene.things.len());
                self.scene.things[thing].subscribes.push(Tell { other, action, moment });
            }
        }
    }

    /// A group cannot notify before a change: it does not know its changes in advance.
    fn tell_groups(&mut self) {
        for cluster in 0..self.scene.clusters.len() {
            if self.dice.once_in(3)
                && let Some(tell) = self.tell(&[Moment::Immediately, Moment::Delayed, Moment::OnSuccess])
            {
                self.scene.clusters[cluster].around.notifies.push(tell);
            }
        }
    }

    fn tell(&mut self, moments: &[Moment]) -> Option<Tell> {
        let other = self.dice.roll(self.scene.things.len());
        self.tell_to(other, moments)
    }

    fn tell_to(&mut self, other: Thing, moments: &[Moment]) -> Option<Tell> {
        let idle = self.scene.steps_of(other).next().is_none();
        let removed = self.scene.steps_of(other).any(|step| self.scene.steps[step].action == "remove");
        let action = match self.scene.things[other].kind {
            "folder" => return None,
            _ if idle && self.dice.once_in(2) => "converge",
            "note" if !removed && self.dice.once_in(5) => "mend",
            "note" => self.dice.pick(&["stamp", "stamp", "stamp", "ring", "slip"]),
            _ => return None,
        };
        Some(Tell { other, action, moment: self.dice.pick(moments) })
    }
}
