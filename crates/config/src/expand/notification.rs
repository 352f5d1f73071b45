//! Notifications: `notifies` and `subscribes`.

use uphold_model::{
    Action, Code, Diagnostic, Moment, Notification, Reference, ResourceId, closest, is_identifier,
};

use super::handling::{HandlingReader, Result};
use crate::evaluate::{Many, StepTo};
use crate::excerpt::excerpt;
use crate::tree::{Literal, Node, NodeId};

/// A list of targets and its moment.
struct Timed {
    moment: Moment,
    /// The place of the moment; of the whole list, if it is not written.
    at: NodeId,
    list: NodeId,
}

impl HandlingReader<'_, '_> {
    /// `[service.nginx.reload]`, or a map from moments to such lists.
    pub(super) fn notifies(&self, node: NodeId) -> Result<Vec<Notification>> {
        let mut all = Vec::new();
        for timed in self.timed(node)? {
            self.add_notified(&timed, &mut all)?;
        }
        Ok(all)
    }

    /// The `notifies` of a group, which knows only at its end whether a member changed.
    pub(super) fn notifies_of_group(&self, node: NodeId) -> Result<Vec<Notification>> {
        if let Some(before) = self.timed(node)?.iter().find(|timed| timed.moment == Moment::Before) {
            let detail =
                "a group cannot notify `before`: only at its end is it known whether a member changed";
            let fix = "write `immediately` or `delayed`, or set `notifies` on its members";
            return Err(self.wrong(before.at, detail, fix));
        }
        self.notifies(node)
    }

    /// `{ reload = [file.a, file.b] }`: a map from actions to the resources whose change triggers them. Each list can
    /// be a map from moments to lists.
    pub(super) fn subscribes(&self, node: NodeId) -> Result<Vec<Notification>> {
        let node = self.chosen(node)?;
        let Some(entries) = self.entries(node) else {
            let fix = "write `subscribes = { converge = [file.name] }`";
            return Err(self.wrong(node, "`subscribes` is a map from verbs to resources", fix));
        };
        let mut all = Vec::new();
        for (verb, value) in entries {
            let Some(Literal::Text(word)) = self.literal(verb) else {
                return Err(self.wrong(
                    verb,
                    "the action must be a plain word",
                    "write `converge = [file.name]`",
                ));
            };
            let action = self.action(verb, word)?;
            for timed in self.timed(value)? {
                self.add_notifying(&timed, &action, &mut all)?;
            }
        }
        Ok(all)
    }

    /// `[file.a, file.b]`: the resources whose change makes a group run.
    pub(super) fn subscribes_of_group(&self, node: NodeId) -> Result<Vec<Notification>> {
        if self.entries(node).is_some() {
            let detail = "a group has no actions: its `subscribes` is a list of resources";
            return Err(self.wrong(node, detail, "write `subscribes = [file.name]`"));
        }
        let mut all = Vec::new();
        self.add_notifying(
            &Timed { moment: Moment::Delayed, at: node, list: node },
            &Action::Converge,
            &mut all,
        )?;
        Ok(all)
    }

    /// The lists of a map from moments; anything else is a list for `delayed`.
    fn timed(&self, node: NodeId) -> Result<Vec<Timed>> {
        let node = self.chosen(node)?;
        let Some(entries) = self.entries(node) else {
            return Ok(vec![Timed { moment: Moment::Delayed, at: node, list: node }]);
        };
        entries.into_iter().map(|(at, list)| Ok(Timed { moment: self.moment(at)?, at, list })).collect()
    }

    fn moment(&self, node: NodeId) -> Result<Moment> {
        let Some(Literal::Text(word)) = self.literal(node) else {
            return Err(self.wrong(
                node,
                "the moment must be a plain word",
                "write `immediately = [kind.name.action]`",
            ));
        };
        Moment::named(word).ok_or_else(|| {
            let fix = match closest(word, Moment::ALL.into_iter().map(Moment::word)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "valid moments are `before`, `immediately`, `delayed` and `on_success`".into(),
            };
            let detail = format!("there is no moment {}", excerpt(word));
            self.frame.error(node, Code::UnknownMoment, detail, fix)
        })
    }

    fn add_notified(&self, timed: &Timed, all: &mut Vec<Notification>) -> Result<()> {
        let list = self.chosen(timed.list)?;
        let Some(elements) = self.elements(list) else {
            return Err(self.no_list(list));
        };
        for element in elements {
            let (verb, others) = self.verb(element)?;
            let action = self.action(element, verb)?;
            let moment = timed.moment;
            all.extend(others.into_iter().map(|other| Notification {
                other,
                action: action.clone(),
                moment,
            }));
        }
        Ok(())
    }

    fn add_notifying(&self, timed: &Timed, action: &Action, all: &mut Vec<Notification>) -> Result<()> {
        let list = self.chosen(timed.list)?;
        let others = self.expansion.evaluator.dependencies(self.frame, list, Many::Apart)?;
        let moment = timed.moment;
        all.extend(others.into_iter().map(|other| Notification { other, action: action.clone(), moment }));
        Ok(())
    }

    /// `service.nginx.reload`: resources and an action. The resources can come from any expression:
    /// `param.targets.reload`.
    fn verb(&self, node: NodeId) -> Result<(&str, Vec<Reference>)> {
        let evaluator = &self.expansion.evaluator;
        let Some(target) = evaluator.target_of(self.frame, node, Many::Apart)? else {
            return self.verb_of_given(node);
        };
        // Nothing would run the action, so it need not be valid.
        if target.ids.is_empty() {
            return Ok(("", Vec::new()));
        }
        let [step] = target.rest[..] else { return Err(self.no_verb_of(node, &target.ids)) };
        let StepTo::Field(verb) = step.what else { return Err(self.no_verb_of(node, &target.ids)) };
        if target.calls {
            let detail = "a module has no actions";
            let fix = "name a resource in it: `module.name.kind.name.action`";
            return Err(self.wrong(node, detail, fix));
        }
        let place = Some(self.frame.code.place_of(node));
        let others = target.ids.into_iter().map(|target| Reference { target, path: Vec::new(), place });
        Ok((verb, others.collect()))
    }

    fn verb_of_given(&self, node: NodeId) -> Result<(&str, Vec<Reference>)> {
        let code = self.frame.code;
        match code.node(node) {
            // `param.targets` names no action.
            Node::Field { of, name } if !matches!(code.node(of), Node::Name(_)) => {
                let mut others = Vec::new();
                self.expansion.evaluator.given(self.frame, of, &mut others)?;
                Ok((name, others))
            }
            _ => Err(self.no_verb(node)),
        }
    }

    fn no_list(&self, node: NodeId) -> Box<Diagnostic> {
        match self.frame.code.node(node) {
            Node::For(_) | Node::Call(_) => {
                let detail = "the targets of `notifies` must be a literal list";
                self.wrong(node, detail, "put the resources into a local, and write `[local.name.action]`")
            }
            _ => {
                let detail = "`notifies` is a list, or a map from moments to lists";
                let target = self.written_target(node).unwrap_or_else(|| "kind.name.action".to_owned());
                let fix = format!("write `[{target}]`, or `{{ immediately = [{target}] }}`");
                self.wrong(node, detail, &fix)
            }
        }
    }

    /// A resource and its action, if they are written without a list.
    fn written_target(&self, node: NodeId) -> Option<String> {
        let (verb, others) = self.verb(node).ok()?;
        Some(format!("{}.{verb}", self.name_here(&others.first()?.target)))
    }

    /// The id of a resource, as this module names it.
    fn name_here(&self, target: &ResourceId) -> ResourceId {
        let is_here = target.module() == self.frame.instance.path.as_ref();
        if is_here { target.in_module(None) } else { target.clone() }
    }

    /// Names the action that is meant most often. Every kind has `converge`.
    fn no_verb_of(&self, node: NodeId, targets: &[ResourceId]) -> Box<Diagnostic> {
        let Some(target) = targets.first() else { return self.no_verb(node) };
        let target = self.name_here(target);
        let verb = match &*target.kind {
            "task" => "run",
            "service" => "reload",
            _ => "converge",
        };
        let fix = format!("add the action to the resource, such as `{target}.{verb}`");
        self.wrong(node, "a notification names a resource and an action", &fix)
    }

    fn no_verb(&self, node: NodeId) -> Box<Diagnostic> {
        let quoted = match self.literal(node) {
            Some(Literal::Text(text)) if is_path(text) => Some(text),
            _ => None,
        };
        let fix = quoted.map_or_else(
            || "write `kind.name.action`, such as `service.nginx.reload`".to_owned(),
            |path| format!("write it without quotes: {path}"),
        );
        self.wrong(node, "a notification names a resource and an action", &fix)
    }

    fn action(&self, node: NodeId, word: &str) -> Result<Action> {
        Action::named(word)
            .ok_or_else(|| self.wrong(node, "`nothing` cannot be run", "name an action, such as `converge`"))
    }
}

/// Whether a string reads as the path `kind.name.action`.
fn is_path(text: &str) -> bool {
    text.split('.').count() >= 3 && text.split('.').all(is_identifier)
}
