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

/// Of a hundred actions in generated configurations, no more may be left open by their plans: tasks, and what reads
/// their output, are half of what is made up there.
const MAY_CHANGE: usize = 25;

/// The same of the examples.
const MAY_CHANGE_IN_EXAMPLES: usize = 15;

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
