//! `uphold show`.

use std::path::PathBuf;

use uphold::model::Sources;
use uphold::resource::Registry;
use uphold::saved_plan::SavedPlan;
use uphold::{EventKind, LocalHost, Summary};

use crate::plan_file;
use crate::plan_json;
use crate::report::{Human, Report, Scene};
use crate::{CliError, Exit, Session, clean};

const EXAMPLES: &str = "\
Examples:
  uphold plan --out site.plan && uphold show site.plan
  uphold show site.plan --json | conftest test -        check it with policies for OpenTofu plans";

/// Show a saved plan
///
/// The output is that of `uphold plan`; -v includes unchanged resources. Neither the configuration nor the machine is
/// read.
///
/// With --json, the plan is one JSON document in the format of OpenTofu's plans, for policy tools.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShowArgs {
    /// Plan written by `uphold plan --out FILE`
    file: PathBuf,
}

pub(crate) fn run(args: &ShowArgs, session: &mut Session) -> Result<Exit, CliError> {
    let plan = plan_file::read(&args.file)?;
    if session.flags.json {
        let document = plan_json::document(&plan, &session.kinds_here(&session.engine()?));
        session.ui.json_line(&document);
        return Ok(Exit::Success);
    }
    if !session.flags.quiet {
        session.ui.talk(format_args!("{}\n", heading(&plan)));
    }
    let mut report = Human::new(&session.flags, false, session.signals.stop());
    let kinds = session.kinds_here(&session.engine()?);
    show(&plan, &kinds, &mut report, session);
    Ok(Exit::Success)
}

/// Replays the events of a plan to a reporter; returns their summary.
pub(crate) fn show(
    plan: &SavedPlan,
    kinds: &Registry,
    report: &mut dyn Report,
    session: &mut Session,
) -> Summary {
    let sources = Sources::default();
    let (mut scene, mut summary) = (Scene::saved(plan, kinds, &sources), Summary::default());
    for event in plan.events(kinds) {
        report.happened(&event, &mut session.ui);
        report.event(&event, &mut scene, &mut session.ui);
        if let EventKind::RunFinished(finished) = event.kind {
            summary = finished;
        }
    }
    summary
}

/// The configuration and the machine of a plan, and its age.
fn heading(plan: &SavedPlan) -> String {
    let place = match (plan.hostname(), plan.root()) {
        (_, Some(root)) => format!(" for {}", root.display()),
        (Some(name), None) => format!(" for {name}"),
        (None, None) => String::new(),
    };
    let age = plan_file::age(plan, &LocalHost::new());
    let text = format!("Plan of {}{place}, made {age} by Uphold {}.", plan.paths().join(" "), plan.uphold());
    clean(&text).into_owned()
}
