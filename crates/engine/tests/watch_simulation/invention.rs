//! Random plots, and their random changes.

use uphold_model::Moment;

use super::plot::{FOLDERS, Group, HANDLERS, Kind, Plot, Prop, THINGS, Text, Thing, folder_of};
use crate::simulation::dice::Dice;

/// A plot.
pub(crate) fn invent(dice: &mut Dice) -> Plot {
    (0..THINGS).fold(Plot::default(), |mut plot, thing| {
        let prop = (!dice.once_in(4)).then(|| prop(dice, &plot, thing)).flatten();
        plot.props.push(prop);
        plot.group = plot.group.take().or_else(|| dice.once_in(12).then(|| group(dice, thing)));
        plot.seed = plot.seed.or_else(|| dice.once_in(20).then(|| dice.seed()));
        plot
    })
}

/// The plot with some changes.
pub(crate) fn vary(dice: &mut Dice, old: &Plot) -> Plot {
    let group = old.group.clone().filter(|_| !dice.once_in(4));
    (0..THINGS).fold(Plot { group, ..Plot::default() }, |mut plot, thing| {
        let kept = old.get(thing).filter(|prop| !dice.once_in(4) && is_possible(prop, &plot, thing)).cloned();
        let prop = kept.or_else(|| (!dice.once_in(3)).then(|| prop(dice, &plot, thing)).flatten());
        plot.props.push(prop);
        plot
    })
}

fn group(dice: &mut Dice, first: Thing) -> Group {
    let word = dice.pick(&["sequence", "parallel"]);
    let all = [
        "notifies = [note[\"/d/y\"].shout]",
        "only_if = lamp.x.colour != \"never\"",
        "ignore_failure = true",
    ];
    let mut meta: Vec<&str> = all.into_iter().filter(|_| dice.once_in(4)).collect();
    if word == "parallel" && dice.once_in(2) {
        meta.push("concurrency = 1");
    }
    Group { word, first, end: (first + 2 + dice.roll(3)).min(THINGS), meta }
}

/// Whether everything that it depends on exists.
fn is_possible(prop: &Prop, plot: &Plot, thing: Thing) -> bool {
    let readable = readable(plot);
    let quotes = match &prop.kind {
        Kind::Note(Text::Quotes(other)) | Kind::Copy(other) => readable.contains(other),
        _ => true,
    };
    let condition = prop.only_if.is_none_or(|(other, _)| readable.contains(&other));
    let depends = prop.depends_on.iter().all(|other| plot.get(*other).is_some());
    quotes && condition && depends && folder_of(thing).is_none_or(|folder| plot.get(folder).is_some())
}

fn prop(dice: &mut Dice, plot: &Plot, thing: Thing) -> Option<Prop> {
    if folder_of(thing).is_some_and(|folder| plot.get(folder).is_none()) {
        return None;
    }
    let readable = readable(plot);
    let kind = match FOLDERS.contains(&thing) {
        true => Kind::Folder,
        false if dice.once_in(8) => Kind::Gone,
        false if !readable.is_empty() && dice.once_in(6) => Kind::Copy(dice.pick(&readable)),
        false => Kind::Note(text(dice, &readable)),
    };
    // Entries of a folder depend on it.
    let guarded = kind != Kind::Folder && !readable.is_empty() && dice.once_in(8);
    let only_if = guarded.then(|| (dice.pick(&readable), !dice.once_in(3)));
    let others: Vec<Thing> = plot.things().map(|(other, _)| other).collect();
    let depends_on = others.into_iter().filter(|_| dice.once_in(6)).collect();
    let notifies = (0..HANDLERS.len()).filter(|_| dice.once_in(4)).collect::<Vec<_>>();
    let notifies = notifies.into_iter().map(|handler| (handler, dice.pick(&Moment::ALL))).collect();
    let packed = matches!(kind, Kind::Note(_) | Kind::Gone) && dice.once_in(4);
    Some(Prop { kind, depends_on, notifies, only_if, meta: meta(dice), packed })
}

fn text(dice: &mut Dice, readable: &[Thing]) -> Text {
    match dice.roll(5) {
        0 if !readable.is_empty() => Text::Quotes(dice.pick(readable)),
        1 => Text::Colour,
        _ => Text::Fixed(dice.pick(&[1, 2, 3])),
    }
}

/// Notes that certainly exist, so that others can read them.
fn readable(plot: &Plot) -> Vec<Thing> {
    let is_note = |prop: &Prop| matches!(prop.kind, Kind::Note(_)) && prop.only_if.is_none();
    plot.things().filter(|(_, prop)| is_note(prop)).map(|(thing, _)| thing).collect()
}

fn meta(dice: &mut Dice) -> Vec<&'static str> {
    let all = [
        "poll = \"20s\"",
        "limit = { times = 2, per = \"30s\" }",
        "retry = { times = 2, delay = \"3s\" }",
        "lock = \"one\"",
        "timeout = \"10s\"",
        "ignore_failure = true",
    ];
    all.into_iter().filter(|_| dice.once_in(8)).collect()
}
