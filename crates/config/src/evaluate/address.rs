//! Addresses: the resources that a path denotes, in its own module, in modules that it calls, or in its callers.

use std::sync::Arc;

use uphold_model::{Code, Diagnostic, Name, RESERVED_ROOTS, ResourceId};

use super::evaluator::Evaluator;
use super::frame::Frame;
use super::path::{Step, StepTo};
use super::resource::{a_group, check_key, no_such_module, unknown_name};
use crate::instance::{ExpandedBlock, Instance, Spread};
use crate::module::What;
use crate::tree::{Node, NodeId};

type Result<T> = std::result::Result<T, Box<Diagnostic>>;

/// The target of a path.
pub(crate) struct Target<'f> {
    /// Resources, or calls of modules. Empty if a `when` is false.
    pub(crate) ids: Vec<ResourceId>,
    /// Whether `ids` are calls of modules.
    pub(crate) calls: bool,
    /// The remaining steps.
    pub(crate) rest: Vec<Step<'f>>,
}

/// How a reference to all resources of a block with `for_each` is returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Many {
    /// As one id, that of the block: an edge for each pair would be too many, and the graph can expand it.
    Together,
    /// As one id for each resource.
    Apart,
}

/// The result of following a path, so far.
struct Found {
    many: Many,
    ids: Vec<ResourceId>,
    calls: bool,
    /// The number of remaining steps.
    left: usize,
}

impl Found {
    fn add(&mut self, id: ResourceId, rest: &[Step<'_>]) {
        self.ids.push(id);
        self.end(rest);
    }

    /// If several targets leave different steps, the shortest rest counts.
    fn end(&mut self, rest: &[Step<'_>]) {
        self.left = self.left.min(rest.len());
    }
}

impl Evaluator<'_> {
    /// The target of a path; none if the expression is not a path that starts with a kind, a module or `parent`.
    pub(crate) fn target_of<'f>(
        &self,
        frame: &Frame<'f>,
        node: NodeId,
        many: Many,
    ) -> Result<Option<Target<'f>>> {
        let (root, steps) = frame.steps(node);
        let Node::Name(kind) = frame.code.node(root) else { return Ok(None) };
        let other = matches!(kind, "local" | "param" | "each" | "host" | "path");
        let is_foreign = frame.instance.module.foreign_reference(kind, "").is_some();
        if other || is_foreign || frame.variable(kind).is_some() || steps.is_empty() {
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

    /// Resolves `parent`, perhaps repeated: the calling instance, the kind, and the steps from its name on.
    fn outside<'s, 'f>(
        &self,
        frame: &Frame<'f>,
        root: NodeId,
        steps: &'s [Step<'f>],
    ) -> Result<(Arc<Instance>, &'f str, &'s [Step<'f>])> {
        let (mut instance, mut rest) = (frame.instance.clone(), steps);
        loop {
            let Some(caller) = instance.caller else {
                let detail = "`parent` is used in the configuration itself, which no module calls";
                let fix = "remove `parent.`: a resource of the same module is `kind.name`";
                return Err(frame.error(root, Code::InvalidParent, detail, fix));
            };
            instance = self.universe.instance(caller);
            match rest {
                [Step { what: StepTo::Field("parent"), .. }, more @ ..] => rest = more,
                [Step { what: StepTo::Field(kind), .. }, more @ ..] if !more.is_empty() => {
                    return Ok((instance, kind, more));
                }
                _ => {
                    let detail = "`parent` needs a kind and a name";
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

    /// Follows the steps after a kind; the first step is the resource's name.
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
            let detail = format!("only resources of other modules can be named, and `{kind}` is not a kind");
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
            None | Some(Spread::One(ExpandedBlock::Present { .. })) => {
                self.inside(frame, instance, (number, None), rest, found)
            }
            Some(Spread::One(ExpandedBlock::Absent)) => {
                found.end(rest);
                Ok(())
            }
            Some(Spread::Each(all)) => self.one_or_all(frame, instance, (number, all), rest, found),
        }
    }

    /// The element of a `for_each` that the first step selects, or all of them.
    fn one_or_all(
        &self,
        frame: &Frame<'_>,
        instance: &Arc<Instance>,
        (number, all): (u32, &std::collections::BTreeMap<Name, ExpandedBlock>),
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
                    ExpandedBlock::Present { .. } => {
                        self.inside(frame, instance, (number, Some(&key)), &rest[1..], found)
                    }
                    ExpandedBlock::Absent => {
                        found.end(&rest[1..]);
                        Ok(())
                    }
                };
            }
            // A field may be a verb that applies to all; an index is always a key.
            if let StepTo::Index(_) = step.what {
                return check_key(frame, all, &key, step, &instance.id_for(number, None));
            }
        }
        let mut on =
            all.iter().filter(|(_, one)| matches!(one, ExpandedBlock::Present { .. })).map(|(key, _)| key);
        let call = matches!(instance.module.blocks[number as usize].what, What::Call(_));
        if found.many == Many::Together && !call && on.clone().nth(1).is_some() {
            found.add(instance.id_for(number, None), rest);
            return Ok(());
        }
        found.end(rest);
        on.try_for_each(|key| self.inside(frame, instance, (number, Some(key)), rest, found))
    }

    /// One resource, or a target inside a called module.
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
                let detail = "expected a kind after the name of the module";
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
