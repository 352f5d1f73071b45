//! Saved plans: finding, saving and checking them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use uphold::LocalHost;
use uphold::resource::{Clock, EntryKind, Files};
use uphold::saved_plan::{Origin, PlanRecorder, SavedPlan};

use crate::diagnostics::count;
use crate::report::expect_writable;
use crate::run_flags::RunFlags;
use crate::text_files::absolute;
use crate::{CliError, Flags, Input, Session};

/// The number of symbolic links that are followed, as in the kernel.
const MOST_LINKS: usize = 40;

/// The saved plan that the command line names, if it names one. A plan is recognised by its content; files named `*.hcl`
/// or `*.luau` are always configuration.
///
/// # Errors
/// If the plan is invalid.
pub(crate) fn find(input: &Input) -> Result<Option<SavedPlan>, CliError> {
    let [path] = &input.files[..] else { return Ok(None) };
    if path == Path::new("-") || path.extension().is_some_and(|end| end == "hcl" || end == "luau") {
        return Ok(None);
    }
    let host = LocalHost::new();
    let Some((place, size)) = regular_file(absolute(path)?, &host)? else { return Ok(None) };
    if size > SavedPlan::LARGEST {
        return Ok(None);
    }
    // The reader of configurations reports a file that cannot be read.
    match host.read_within(&place, size, SavedPlan::LARGEST) {
        Ok(content) if SavedPlan::is_plan(&content) => Ok(Some(SavedPlan::load_trusted(&absolute(path)?)?)),
        _ => Ok(None),
    }
}

/// Reads the plan at `path`.
pub(crate) fn read(path: &Path) -> Result<SavedPlan, CliError> {
    let host = LocalHost::new();
    let place = absolute(path)?;
    let place = regular_file(place.clone(), &host)?.map_or(place, |(place, _)| place);
    Ok(SavedPlan::load(&place, &host)?)
}

/// The target of the links at `path`, if it is a regular file, and its size.
fn regular_file(mut path: PathBuf, host: &LocalHost) -> Result<Option<(PathBuf, u64)>, CliError> {
    for _ in 0..MOST_LINKS {
        let Some(entry) = host.look(&path)? else { return Ok(None) };
        match entry.kind {
            EntryKind::File => return Ok(Some((path, entry.size))),
            EntryKind::Link(target) => {
                path = path.parent().map_or(target.clone(), |parent| parent.join(target));
            }
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// Checks before a run that its plan can be saved, and that its configuration can be read again.
pub(crate) fn expect_savable(out: &Path, input: &Input) -> Result<(), CliError> {
    if input.files.iter().chain(&input.params).any(|path| path == Path::new("-")) {
        let error =
            CliError::new("cannot save a plan of standard input, because apply could not read it again");
        return Err(error.hint("put the configuration into a file"));
    }
    expect_writable("plan", out)
}

/// Saves a plan, unless something failed or was skipped.
pub(crate) fn save(
    out: &Path,
    recorder: PlanRecorder<'_>,
    origin: &Origin,
    session: &mut Session,
) -> Result<(), CliError> {
    let root = session.flags.root.as_deref().map(absolute).transpose()?;
    let plan = recorder.finish(origin, root);
    let Some(plan) = plan else {
        session.ui.talk("The plan was not saved, because something failed or was skipped.\n");
        return Ok(());
    };
    plan.save(&absolute(out)?, &LocalHost::new())?;
    if !session.flags.quiet {
        // The plan contains its root.
        let apply = Flags { root: None, ..session.flags.clone() }.command("apply").path(out);
        session.ui.talk(format_args!("The plan was saved. Apply it with: {apply}\n"));
    }
    Ok(())
}

/// Checks that a plan is for this machine and that no flag contradicts it, and sets its root and kinds for the session.
pub(crate) fn enter(
    plan: &SavedPlan,
    input: &Input,
    flags: &RunFlags,
    session: &mut Session,
) -> Result<(), CliError> {
    let contradiction = [
        (!input.params.is_empty(), "--params"),
        (!flags.targets.is_empty(), "--target"),
        (!flags.excluded.is_empty(), "--exclude"),
        (!session.flags.kinds.is_empty(), "--kinds"),
    ];
    if let Some((_, flag)) = contradiction.iter().find(|(given, _)| *given) {
        let error = CliError::new(format!("{flag} cannot be used with a saved plan"));
        return Err(error.hint(format!("make a new plan: uphold plan {flag} … --out FILE")));
    }
    let root = session.flags.root.as_deref().map(absolute).transpose()?;
    plan.check_place(root.as_deref())?;
    session.flags.root = plan.root().map(Path::to_owned);
    session.flags.kinds = plan.kinds().iter().map(Into::into).collect();
    if !session.flags.quiet {
        session.ui.talk(format_args!("This plan was made {}.\n", age(plan, &LocalHost::new())));
    }
    Ok(())
}

/// `3 minutes ago`, in the largest unit that fits.
pub(crate) fn age(plan: &SavedPlan, clock: &dyn Clock) -> String {
    match clock.now().duration_since(plan.made_at()) {
        Ok(span) => ago(span),
        Err(_) => "in the future, by the clock of this machine".to_owned(),
    }
}

fn ago(span: Duration) -> String {
    let units = [(86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second")];
    let seconds = span.as_secs();
    match units.iter().find(|(length, _)| seconds >= *length) {
        None => "just now".to_owned(),
        Some((length, unit)) => {
            let number = usize::try_from(seconds / length).unwrap_or(usize::MAX);
            format!("{} ago", count(number, unit))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_an_age_in_one_unit() {
        let check = |seconds: u64, expected: &str| assert_eq!(ago(Duration::from_secs(seconds)), expected);
        check(0, "just now");
        check(1, "1 second ago");
        check(119, "1 minute ago");
        check(7_200, "2 hours ago");
        check(400 * 86_400, "400 days ago");
    }
}
