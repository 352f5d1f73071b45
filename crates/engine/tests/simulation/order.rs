//! The expected order, computed from the scene alone.

use super::scene::{Cluster, Condition, Scene, Step, Text, Thing};

/// Something that a step waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Prior {
    Step(Step),
    /// All members of a group, and the notifications delayed to its end.
    End(Cluster),
}

/// A predecessor, and whether its failure skips the step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Wait {
    pub(crate) prior: Prior,
    pub(crate) stands: bool,
}

/// An action that runs when it is notified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handler {
    pub(crate) thing: Thing,
    pub(crate) action: &'static str,
}

/// The complete order.
pub(crate) struct Orders {
    pub(crate) of_steps: Vec<Vec<Wait>>,
    pub(crate) handlers: Vec<Handler>,
    /// Edges that apply unless they wait for the sender.
    pub(crate) of_handlers: Vec<Vec<Wait>>,
}

impl Orders {
    pub(crate) fn new(scene: &Scene) -> Self {
        let handlers = handlers(scene);
        let of_handlers = handlers.iter().map(|handler| of_handler(scene, handler)).collect();
        let mut of_steps: Vec<Vec<Wait>> = (0..scene.steps.len()).map(|step| of_step(scene, step)).collect();
        let wishes = wishes(scene);
        let reach = reach(scene, &of_steps, &wishes);
        for (before, after) in wishes {
            if !reach[after].contains(&before) {
                of_steps[after].push(Wait { prior: Prior::Step(before), stands: false });
            }
        }
        Self { of_steps, handlers, of_handlers }
    }

    pub(crate) fn handler(&self, thing: Thing, action: &str) -> Option<usize> {
        self.handlers.iter().position(|handler| handler.thing == thing && handler.action == action)
    }
}

fn handlers(scene: &Scene) -> Vec<Handler> {
    let mut all = Vec::new();
    let resources = (0..scene.things.len()).flat_map(|thing| scene.tells_of(thing));
    let groups =
        scene.clusters.iter().flat_map(|group| group.around.notifies.iter().map(|tell| (*tell, tell.other)));
    for (tell, thing) in resources.chain(groups) {
        let handler = Handler { thing, action: tell.action };
        if !all.contains(&handler) {
            all.push(handler);
        }
    }
    all
}

fn stands(step: Step) -> Wait {
    Wait { prior: Prior::Step(step), stands: true }
}

fn last(scene: &Scene, thing: Thing) -> Option<Step> {
    scene.steps_of(thing).next_back()
}

/// The predecessors of an action on a resource, wherever it is declared.
fn of_thing(scene: &Scene, thing: Thing, action: &str) -> Vec<Wait> {
    let prop = &scene.things[thing];
    let mut others = prop.depends_on.clone();
    // A removed resource, or one that is known to be skipped, does not need its folder.
    let wanted = |thing: Thing| scene.things[thing].when != Some(Condition::Bool(false));
    others.extend(prop.folder.filter(|folder| action != "remove" && wanted(thing) && wanted(*folder)));
    if let Text::LengthOf(other) = prop.text {
        others.push(other);
    }
    let conditions = prop.around.guards.iter().map(|(_, condition)| *condition).chain(prop.when);
    others.extend(conditions.filter_map(Condition::thing));
    others.into_iter().filter_map(|other| last(scene, other)).map(stands).collect()
}

/// The guards and subscriptions of outer groups apply to notified actions, too.
fn of_handler(scene: &Scene, handler: &Handler) -> Vec<Wait> {
    let mut waits = of_thing(scene, handler.thing, handler.action);
    for cluster in scene.around(scene.things[handler.thing].cluster) {
        waits.extend(read_by_group(scene, cluster));
        waits.extend(heard_by_group(scene, cluster));
    }
    waits
}

fn heard_by_group(scene: &Scene, cluster: Cluster) -> impl Iterator<Item = Wait> {
    let heard = scene.clusters[cluster].subscribes.iter().filter_map(|thing| last(scene, *thing));
    heard.map(|step| Wait { stands: false, ..stands(step) })
}

fn read_by_group(scene: &Scene, cluster: Cluster) -> impl Iterator<Item = Wait> {
    let read = scene.clusters[cluster].around.guards.iter().filter_map(|(_, condition)| condition.thing());
    read.filter_map(|thing| last(scene, thing)).map(stands)
}

fn of_step(scene: &Scene, step: Step) -> Vec<Wait> {
    let act = scene.steps[step];
    let mut waits = of_thing(scene, act.thing, act.action);
    waits.extend(scene.steps_of(act.thing).rfind(|other| *other < step).map(stands));
    for cluster in scene.around(act.cluster) {
        let group = &scene.clusters[cluster];
        waits.extend(read_by_group(scene, cluster));
        waits.extend(heard_by_group(scene, cluster));
        if group.sequence {
            waits.extend(member_before(scene, cluster, step));
        }
    }
    waits
}

/// All steps of the previous member of a sequence.
fn member_before(scene: &Scene, sequence: Cluster, step: Step) -> Vec<Wait> {
    let member = |step: Step| -> Result<Cluster, Step> {
        let inner = scene
            .around(scene.steps[step].cluster)
            .find(|inner| scene.clusters[*inner].parent == Some(sequence));
        inner.ok_or(step)
    };
    let own = member(step);
    let mut earlier = scene.steps_in(Some(sequence)).take_while(|other| member(*other) != own);
    let Some(before) = earlier.by_ref().last().map(member) else { return Vec::new() };
    let mut waits: Vec<Wait> =
        scene.steps_in(Some(sequence)).filter(|other| member(*other) == before).map(stands).collect();
    if let Ok(group) = before {
        let inside = (0..scene.clusters.len()).filter(|inner| scene.is_in(Some(*inner), Some(group)));
        waits.extend(inside.map(|inner| Wait { prior: Prior::End(inner), stands: false }));
    }
    waits
}

/// A target should come after its sender.
fn wishes(scene: &Scene) -> Vec<(Step, Step)> {
    let mut wishes = Vec::new();
    for by in 0..scene.things.len() {
        for (_, transcript) in scene.tells_of(by).into_iter().filter(|(_, transcript)| *transcript != by) {
            if let Some(before) = last(scene, by) {
                wishes.extend(scene.steps_of(transcript).map(|after| (before, after)));
            }
        }
    }
    wishes
}

/// The successors of each step, by all edges and preferences. To wait for the end of a group is to wait for its steps.
fn reach(scene: &Scene, of_steps: &[Vec<Wait>], wishes: &[(Step, Step)]) -> Vec<Vec<Step>> {
    let steps = of_steps.len();
    let mut reach = vec![vec![false; steps]; steps];
    for (after, waits) in of_steps.iter().enumerate() {
        for wait in waits {
            match wait.prior {
                Prior::Step(before) => reach[before][after] = true,
                Prior::End(cluster) => {
                    scene.steps_in(Some(cluster)).for_each(|before| reach[before][after] = true);
                }
            }
        }
    }
    wishes.iter().for_each(|(before, after)| reach[*before][*after] = true);
    for via in 0..steps {
        let onwards = reach[via].clone();
        for from in reach.iter_mut().filter(|from| from[via]) {
            from.iter_mut().zip(&onwards).for_each(|(to, onwards)| *to |= onwards);
        }
    }
    let list =
        |to: Vec<bool>| to.into_iter().enumerate().filter_map(|(step, to)| to.then_some(step)).collect();
    reach.into_iter().map(list).collect()
}
