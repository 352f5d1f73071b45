//! How well a plan predicts: every example and 200 generated configurations, each on an empty machine, planned and
//! then applied by the real binary. What a plan says for certain has to come; what only may change is counted.
#![expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "the test runs on real files")]

mod example;
mod forecast;
mod garden;
mod ground;
mod outcome;

use forecast::Tally;

/// How many configurations are generated.
const GENERATED: u64 = 200;

/// Of a hundred actions in generated configurations, no more may be left open by their plans. It was 15 when this was
/// written: checks and queries look at what is about to change, and others read what tasks say.
const MAY_CHANGE: usize = 16;

/// The same of the examples: it was less than 4.
const MAY_CHANGE_IN_EXAMPLES: usize = 4;

#[test]
fn plans_of_examples_come_true() {
    let mut tally = Tally::default();
    for example in example::all() {
        example.forecast().into_iter().for_each(|forecast| tally.add(&example.name, forecast));
    }
    tally.check("examples", 50, MAY_CHANGE_IN_EXAMPLES);
}

#[test]
fn plans_of_generated_configurations_come_true() {
    let mut tally = Tally::default();
    for seed in 0..GENERATED {
        let ground = ground::Ground::new();
        ground.write("site.hcl", &garden::grow(seed, &ground.root()));
        let forecast = ground.forecast(&[]);
        let forecast = forecast.unwrap_or_else(|why| panic!("{why}\n{}", garden::grow(seed, "ROOT")));
        tally.add(&format!("generated {seed}"), forecast);
    }
    tally.check("generated", GENERATED as usize, MAY_CHANGE);
}
