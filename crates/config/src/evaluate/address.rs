//! Addresses: which resources a path leads to, in its own module, into those that this calls, and out to who calls it.

use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Name, RESERVED_ROOTS, ResourceId};

use super::evaluator::Evaluator;
use super::frame::Frame;
use super::path::{Step, StepTo};
use super::resource::{a_group, no_such_module, placed, unknown_name};
use crate::instance::{Instance, Placed, Spread};
use crate::module::What;
use crate::tree::{Node, NodeId};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// What a path names.
pub(crate) struct Target<'f> {
    /// Resources, or calls of modules. None if all that is meant is switched off.
    pub(crate) ids: Vec<ResourceId>,
    /// Whether they are calls of modules.
    pub(crate) calls: bool,
    /// What comes after.
    pub(crate) rest: Vec<Step<'f>>,
}

/// What the resources of one block with `for_each` are, if none of them is chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Many {
    /// One, by the name of the block: an edge for each pair would be too many, and those who make the graph know
    /// what is meant.
    Together,
    /// So many.
    Apart,
}

/// What was found so far on the way along a path.
struct Found {
    many: Many,
    ids: Vec<ResourceId>,
    calls: bool,
    /// How many steps are left.
    left: usize,
}

impl Found {
    fn add(&mut self, id: ResourceId, rest: &[Step<'_>]) {
        self.ids.push(id);
        self.end(rest);
    }

    /// Of several ways, the one that goes furthest tells what is left.
    fn end(&mut self, rest: &[Step<'_>]) {
        self.left = self.left.min(rest.len());
    }
}

impl Evaluator<'_> {
    /// What a path names; none if the expression is no path from a kind, a module or `parent`.
    pub(crate) fn target_of<'f>(
        &self,
        frame: &Frame<'f>,
        node: NodeId,
        many: Many,
    ) -> Result<Option<Target<'f>>> {
        let (root, steps) = frame.steps(node);
        let Node::Name(kind) = frame.code.node(root) else { return Ok(None) };
        let other = matches!(kind, "local" | "param" | "each" | "host" | "path" | "var");
        if other || frame.variable(kind).is_some() || steps.is_empty() {
            return Ok(None);
        }
        let mut found = Found { many, ids: Vec::new(), calls: false, left: steps.len() };
        if kind == "parent" {
            let (caller, kind, rest) = self.outside(frame, root, &steps)?;
            self.find(frame, &caller, kind, rest, &mut found)?;
        } else {
            self.find(frame, frame.instance, kind, &steps, &mut found)?;
        }
        let rest = steps[steps.len() - found.left..].to_vec();
        Ok(Some(Target { ids: found.ids, calls: found.calls, rest }))
    }

    /// Who calls this module, or who calls that one: the kind that is meant there, and the steps from its name on.
    fn outside<'s, 'f>(
        &self,
        frame: &Frame<'f>,
        root: NodeId,
        steps: &'s [Step<'f>],
    ) -> Result<(Arc<Instance>, &'f str, &'s [Step<'f>])> {
        let (mut instance, mut rest) = (frame.instance.clone(), steps);
        loop {
            let Some(caller) = instance.caller else {
                let detail = "this is the configuration itself, and no module that somebody calls";
                let fix = "leave `parent.` out: what is here is named as `kind.name`";
                return Err(frame.error(root, Code::InvalidParent, detail, fix));
            };
            instance = self.universe.instance(caller);
            match rest {
                [Step { what: StepTo::Field("parent"), .. }, more @ ..] => rest = more,
                [Step { what: StepTo::Field(kind), .. }, more @ ..] if !more.is_empty() => {
                    return Ok((instance, kind, more));
                }
                _ => {
                    let detail = "a kind and a name come after `parent`";
                    return Err(frame.error(
                        root,
                        Code::IncompleteReference,
                        detail,
                        "write `parent.kind.name`",
                    ));
                }
            }
        }
    }

    /// Follows the steps from a kind on, whose name is the first of them.
    fn find(
        &self,
        frame: &Frame<'_>,
        instance: &Arc<Instance>,
        kind: &str,
        steps: &[Step<'_>],
        found: &mut Found,
    ) -> Result<()> {
        let (first, rest) = (&steps[0], &steps[1..]);
        let Some(name) = self.step_name(frame, first)? else { return Err(unknown_name(frame, first.at)) };
        if kind != "module" && RESERVED_ROOTS.contains(&kind) {
            let detail = format!("`{kind}` is no kind of resource, and other modules see nothing else");
            let fix = "pass values in as params, and out as outputs";
            return Err(frame.error(first.at, Code::InvalidReference, detail, fix));
        }
        if matches!(kind, "sequence" | "parallel") {
            return Err(a_group(frame, kind, first.at));
        }
        let Some(number) = instance.module.find(kind, &name) else {
            let is_module = kind == "module" || instance.module.kinds.contains_key(kind);
            if is_module && !rest.is_empty() {
                return Err(no_such_module(frame, &instance.module, kind, &name, first.at));
            }
            let id = ResourceId::new(self.name(kind), self.kept(name)).in_module(instance.path.clone());
            found.add(id, rest);
            return Ok(());
        };
        match self.spread(instance, number)? {
            None | Some(Spread::One(Placed::On { .. })) => {
                self.inside(frame, instance, (number, None), rest, found)
            }
            Some(Spread::One(Placed::Off)) => {
                found.end(rest);
                Ok(())
            }
            Some(Spread::Each(all)) => self.one_or_all(frame, instance, (number, all), rest, found),
        }
    }

    /// The element of a `for_each` that the first step names, or all if it names none.
    fn one_or_all(
        &self,
        frame: &Frame<'_>,
        instance: &Arc<Instance>,
        (number, all): (u32, &std::collections::BTreeMap<Name, Placed>),
        rest: &[Step<'_>],
        found: &mut Found,
    ) -> Result<()> {
        let key = match rest.first() {
            Some(step) => self.step_name(frame, step)?.map(|key| (self.kept(key), step)),
            None => None,
        };
        if let Some((key, step)) = key {
            if let Some(one) = all.get(&key) {
                return match one {
                    Placed::On { .. } => {
                        self.inside(frame, instance, (number, Some(&key)), &rest[1..], found)
                    }
                    Placed::Off => {
                        found.end(&rest[1..]);
                        Ok(())
                    }
                };
            }
            // A field may be a verb of all of them; what stands in brackets is a key.
            if let StepTo::Index(_) = step.what {
                return placed(frame, all, &key, step, &instance.id_for(number, None));
            }
        }
        let mut on = all.iter().filter(|(_, one)| matches!(one, Placed::On { .. })).map(|(key, _)| key);
        let call = matches!(instance.module.blocks[number as usize].what, What::Call(_));
        if found.many == Many::Together && !call && on.clone().nth(1).is_some() {
            found.add(instance.id_for(number, None), rest);
            return Ok(());
        }
        found.end(rest);
        on.try_for_each(|key| self.inside(frame, instance, (number, Some(key)), rest, found))
    }

    /// One resource, or what the steps lead to inside of a module.
    fn inside(
        &self,
        frame: &Frame<'_>,
        instance: &Arc<Instance>,
        (number, key): (u32, Option<&Name>),
        rest: &[Step<'_>],
        found: &mut Found,
    ) -> Result<()> {
        let what = &instance.module.blocks[number as usize].what;
        if let (What::Call(Some(_)), [kind, name @ ..]) = (what, rest)
            && !name.is_empty()
        {
            let StepTo::Field(kind) = kind.what else {
                let detail = "a kind comes after the name of a module";
                let fix = "write `module.name.kind.name`";
                return Err(frame.error(kind.at, Code::IncompleteReference, detail, fix));
            };
            let child = self.child(instance, number, key)?;
            return self.find(frame, &child, kind, name, found);
        }
        found.calls |= matches!(what, What::Call(_));
        found.add(instance.id_for(number, key), rest);
        Ok(())
    }
}
