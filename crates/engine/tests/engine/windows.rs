//! Maintenance windows: an apply leaves drift until they open.

use std::sync::Arc;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use uphold_engine::Mode::{Apply, Plan};
use uphold_engine::{
    BeginningChange, Journal, LoadedResource, Mode, PendingNotification, Request, VerifiedChange,
};
use uphold_model::{Action, DifferenceCause, DifferenceCauses, ResourceId};
use uphold_resource::Clock;

use super::check::{SharedHost, engine, print_run};
use super::reading::program;
use super::script::same;

/// Knows only why everything differs.
struct Always(DifferenceCause);

impl Journal for Always {
    fn pending(&self) -> Vec<PendingNotification> {
        Vec::new()
    }

    fn begin(&self, _: &BeginningChange<'_>) {}

    fn converged(&self, _: &LoadedResource<'_>) {}

    fn causes(&self, loaded: &LoadedResource<'_>) -> DifferenceCauses {
        DifferenceCauses { whole: self.0, each: vec![self.0; loaded.seen.differences.len()] }
    }

    fn changed(&self, _: &VerifiedChange<'_>) {}

    fn put_back(&self, _: &ResourceId) {}

    fn flush(&self, _: bool) {}

    fn taken_up(&self, _: &ResourceId, _: &Action) {}

    fn delivered(&self, _: &ResourceId, _: &Action) {}

    fn settle(&self, _: &[(&ResourceId, &Action)]) {}
}

/// The day that is this many days after the current one of the machine.
fn day(host: &SharedHost, later: i8) -> &'static str {
    let now = Timestamp::try_from(host.0.now()).unwrap().to_zoned(TimeZone::UTC);
    let today = now.date().weekday().to_monday_zero_offset();
    ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][(today + later).rem_euclid(7).unsigned_abs() as usize]
}

/// Runs a note that differs, below a window that is open on a later day.
fn run(cause: DifferenceCause, mode: Mode, zone: Option<&TimeZone>, later: i8, more: &str) -> String {
    let host = SharedHost::with(|host| host.file("/d/a", "old", 0o644));
    let text = format!(
        "settings {{\n  window = \"{} UTC\"\n}}\nnote \"/d/a\" {{\n  text = \"new\"\n  {more}\n}}",
        day(&host, later)
    );
    let engine = engine(&host, 1).journal(Arc::new(Always(cause)));
    let program = program(&engine, &text).unwrap_or_else(|problems| panic!("{problems}"));
    print_run(&engine, &program, Request { window_zone: zone, ..mode.into() })
}

const LEFT: &str = "p note[\"/d/a\"] text: \"old\" -> \"new\"
0 ok, 0 changed, 0 failed, 0 skipped, 1 paused";

#[test]
fn drift_is_left_until_the_window_opens() {
    let utc = TimeZone::UTC;
    for mode in [Plan, Apply] {
        same(&run(DifferenceCause::Drift, mode, Some(&utc), 2, ""), LEFT);
    }
    let repaired = [
        run(DifferenceCause::Drift, Apply, Some(&utc), 0, ""),
        run(DifferenceCause::Drift, Apply, None, 2, ""),
        run(DifferenceCause::Drift, Apply, Some(&utc), 2, "always = true"),
    ];
    for transcript in repaired {
        assert!(transcript.starts_with("~ note"), "{transcript}");
    }
}

/// A person started the run, to make the changes of the configuration.
#[test]
fn changes_of_the_configuration_are_made_at_any_time() {
    for cause in [DifferenceCause::New, DifferenceCause::Both, DifferenceCause::Unknown] {
        let transcript = run(cause, Apply, Some(&TimeZone::UTC), 2, "");
        assert!(transcript.starts_with("~ note"), "{cause:?}: {transcript}");
    }
}
