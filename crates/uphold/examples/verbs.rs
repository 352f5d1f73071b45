//! Verbs: actions other than `converge` and `remove`. `#[resource(verbs(…))]` requires `impl Verbs`.

use uphold::prelude::*;
use uphold::resource::Level;

/// A bell, which always exists.
#[derive(Resource)]
#[resource(kind = "bell", permanent, verbs(ring = "Ring it."))]
struct Bell {
    /// Its name.
    #[name]
    name: String,
}

impl Resource for Bell {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::This(BellState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

impl Verbs for Bell {
    type Verb = BellVerb;

    fn run(&self, BellVerb::Ring: BellVerb, host: &Act<'_>) -> Result<()> {
        host.report(Level::Info, &format!("the {} bell rings", self.name));
        Ok(())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::on(LocalHost::new()).kind::<Bell>()?.build();
    let bell = Configuration::from_text(&engine, "bell.hcl", "bell \"door\" { action = \"ring\" }")?;
    assert_eq!(bell.check()?.apply(&mut |_| {})?.ran, 1);
    Ok(())
}
