//! `uphold show`.

use std::path::PathBuf;

use uphold::model::Sources;
use uphold::resource::Registry;
use uphold::saved_plan::SavedPlan;
use uphold::{EventKind, LocalHost, Summary};

use crate::error::CliError;
use crate::exit::Exit;
use crate::paint::clean;
use crate::plan_file;
use crate::plan_json;
use crate::report::{Human, Report, Scene};
use crate::session::Session;

const EXAMPLES: &str = "\
Examples:
  uphold plan --out site.plan && uphold show site.plan
  uphold show site.plan --json | conftest test -        policies of OpenTofu's tools work on it";

/// Show a plan that was saved
///
/// It is shown as `uphold plan` showed it; with -v, also what is as declared. Neither the configuration nor the
/// machine is looked at.
///
/// With --json it is one JSON document in the shape of OpenTofu's plans, for policy tools.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ShowArgs {
    /// What `uphold plan --out` wrote
    file: PathBuf,
}

/// Runs it.
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

/// Tells a reporter what the plan told; returns what that came to.
pub(crate) fn show(
    plan: &SavedPlan,
    kinds: &Registry,
    report: &mut dyn Report,
    session: &mut Session,
) -> Summary {
    let sources = Sources::default();
    let (mut scene, mut summary) = (Scene::saved(plan, &sources), Summary::default());
    for event in plan.events(kinds) {
        report.event(&event, &mut scene, &mut session.ui);
        if let EventKind::RunFinished(told) = event.kind {
            summary = told;
        }
    }
    summary
}

/// What it is a plan of, where it belongs, and how old it is.
fn heading(plan: &SavedPlan) -> String {
    let paths: Vec<String> = plan.paths().iter().map(|path| path.display().to_string()).collect();
    let place = match (plan.hostname(), plan.root()) {
        (_, Some(root)) => format!(" for {}", root.display()),
        (Some(name), None) => format!(" for {name}"),
        (None, None) => String::new(),
    };
    let age = plan_file::age(plan, &LocalHost::new());
    let text = format!("A plan of {}{place}, made {age} by Uphold {}.", paths.join(" "), plan.uphold());
    clean(&text).into_owned()
}
