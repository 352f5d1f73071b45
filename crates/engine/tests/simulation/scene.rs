//! A program as plain data: the statements for the engine and the expectations are computed from it.

use uphold_model::Moment;

/// Number of a resource.
pub(crate) type Thing = usize;
/// Number of a group.
pub(crate) type Cluster = usize;
/// Number of a declared action.
pub(crate) type Step = usize;

/// Everything that a seed determines.
#[derive(Clone, Debug, Default)]
pub(crate) struct Scene {
    pub(crate) things: Vec<Prop>,
    pub(crate) clusters: Vec<Group>,
    pub(crate) steps: Vec<Act>,
    /// All statements, in order.
    pub(crate) layout: Vec<Mark>,
    /// The capacity of each lock.
    pub(crate) locks: Vec<u32>,
    /// The write at which the machine fails once.
    pub(crate) fault: Option<usize>,
    /// The seed of the engine's choice among ready nodes.
    pub(crate) seed: Option<u64>,
    pub(crate) jobs: usize,
}

/// One resource.
#[derive(Clone, Debug)]
pub(crate) struct Prop {
    pub(crate) kind: &'static str,
    pub(crate) path: String,
    pub(crate) text: Text,
    pub(crate) how: &'static str,
    pub(crate) ready: u64,
    /// Its state before the first run.
    pub(crate) drift: Drift,
    /// Its folder.
    pub(crate) folder: Option<Thing>,
    pub(crate) depends_on: Vec<Thing>,
    pub(crate) when: Option<Condition>,
    pub(crate) locks: Vec<usize>,
    pub(crate) retry: Option<u32>,
    pub(crate) timeout: Option<u64>,
    pub(crate) subscribes: Vec<Tell>,
    pub(crate) around: Around,
    /// The group that declares it.
    pub(crate) cluster: Option<Cluster>,
}

/// Meta arguments of both resources and groups.
#[derive(Clone, Debug, Default)]
pub(crate) struct Around {
    pub(crate) notifies: Vec<Tell>,
    pub(crate) guards: Vec<(bool, Condition)>,
    pub(crate) audit: bool,
    pub(crate) ignore_failure: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum Text {
    Fixed(String),
    /// A text with the length of another resource.
    LengthOf(Thing),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Drift {
    Absent,
    AsWanted,
    Other,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Condition {
    /// A constant.
    Bool(bool),
    /// A command that reads files that never change; whether it succeeds.
    Command(bool),
    /// Whether the length of a resource is this.
    Length(Thing, usize),
    /// A command that checks whether a resource exists.
    There(Thing),
}

impl Condition {
    /// The resource that it reads.
    pub(crate) fn thing(self) -> Option<Thing> {
        match self {
            Condition::Length(thing, _) => Some(thing),
            _ => None,
        }
    }
}

/// A notification; of a subscription, `other` is the sender.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Tell {
    pub(crate) other: Thing,
    pub(crate) action: &'static str,
    pub(crate) moment: Moment,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Group {
    pub(crate) parent: Option<Cluster>,
    pub(crate) sequence: bool,
    pub(crate) concurrency: Option<u32>,
    pub(crate) subscribes: Vec<Thing>,
    pub(crate) around: Around,
}

/// One statement.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mark {
    Begin(Cluster),
    End,
    Declare(Thing),
    Do(Step),
}

/// A declared action.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Act {
    pub(crate) thing: Thing,
    pub(crate) action: &'static str,
    pub(crate) cluster: Option<Cluster>,
}

impl Scene {
    /// The group and its outer groups, the innermost first.
    pub(crate) fn around(&self, cluster: Option<Cluster>) -> impl Iterator<Item = Cluster> {
        std::iter::successors(cluster, |cluster| self.clusters[*cluster].parent)
    }

    /// Whether a group is, or is inside, another one.
    pub(crate) fn is_in(&self, inner: Option<Cluster>, outer: Option<Cluster>) -> bool {
        outer.is_none_or(|outer| self.around(inner).any(|cluster| cluster == outer))
    }

    /// The innermost group around both; none is the run.
    pub(crate) fn common(&self, a: Option<Cluster>, b: Option<Cluster>) -> Option<Cluster> {
        self.around(a).find(|cluster| self.is_in(b, Some(*cluster)))
    }

    /// The actions on a resource, in the order of the file.
    pub(crate) fn steps_of(&self, thing: Thing) -> impl DoubleEndedIterator<Item = Step> {
        (0..self.steps.len()).filter(move |step| self.steps[*step].thing == thing)
    }

    /// The actions in a group, at any depth.
    pub(crate) fn steps_in(&self, cluster: Option<Cluster>) -> impl Iterator<Item = Step> {
        (0..self.steps.len()).filter(move |step| self.is_in(self.steps[*step].cluster, cluster))
    }

    /// Senders and targets, in the order of delivery.
    pub(crate) fn tells_of(&self, thing: Thing) -> Vec<(Tell, Thing)> {
        let mut all = Vec::new();
        for (by, prop) in self.things.iter().enumerate() {
            if by == thing {
                all.extend(prop.around.notifies.iter().map(|tell| (*tell, tell.other)));
            }
            all.extend(prop.subscribes.iter().filter(|tell| tell.other == thing).map(|tell| (*tell, by)));
        }
        all
    }

    /// The expected content of a file, if everything that it reads is as declared.
    pub(crate) fn text(&self, thing: Thing) -> String {
        match &self.things[thing].text {
            Text::Fixed(text) => text.clone(),
            Text::LengthOf(other) => format!("it is {}", self.text(*other).len()),
        }
    }
}
