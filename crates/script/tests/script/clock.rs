//! The time in scripts.

use std::time::{Duration, SystemTime};

use uphold_engine::Mode::{Apply, Plan};

use crate::bench::Bench;
use crate::stage::{play, show};

/// The time comes from the machine, so a test of a kind does not depend on the day on which it runs.
#[test]
fn the_time_is_that_of_the_machine() {
    let body = show(
        "fs.write('/x', `{clock.now()} {clock.timestamp()} {hcl.formatdate('YYYY', clock.timestamp())}`)",
    );
    let bench = Bench::new(&[("show", &body)]);
    bench.host.set_now(SystemTime::UNIX_EPOCH + Duration::from_millis(86_400_500));
    let run = || {
        bench.act(Apply, "show", "it", &[], "go");
        bench.content("/x")
    };
    assert_eq!(run(), "86400.5 1970-01-02T00:00:00Z 1970");
    bench.host.advance(Duration::from_secs(1));
    assert_eq!(run(), "86401.5 1970-01-02T00:00:01Z 1970");
}

#[test]
fn a_loader_can_read_the_time() {
    let text = "properties.fresh = { type = \"bool\", enforce = true, default = true }\n\
                function load_current_value(current)\n\
                if not fs.exists(\"/stamp\") then current_value_does_not_exist() end\n\
                current.fresh = clock.now() - tonumber(fs.read(\"/stamp\")) < 60\nend\n\
                function actions.create() converge_if_changed(function() fs.write(\"/stamp\", clock.now()) end) end";
    let bench = Bench::new(&[("stamp", text)]);
    let run = || bench.run(Apply, "stamp", "s", &[]);
    assert!(run().contains("changed"));
    assert!(run().contains("unchanged"));
    bench.host.advance(Duration::from_secs(61));
    assert!(run().contains("fresh: false -> true"));
}

#[test]
fn misuse_of_the_clock_is_explained() {
    let output = play(Apply, "clock.time()");
    assert!(output.contains("there is no clock.time; clock has now, timestamp"), "{output}");
    let output = play(Apply, "os.time()");
    assert!(
        output.contains("there is no os; clock, facts, fs, run and query access the machine"),
        "{output}"
    );
    let text = "function check() return if clock.now() > 0 then \"late\" else nil end\nfunction actions.create() end";
    let output = Bench::new(&[("p", text)]).run(Plan, "p", "p", &[]);
    assert!(
        output.contains("the machine cannot be read here: only declared values are available"),
        "{output}"
    );
}
