//! Verbs: actions besides `converge` and `remove`. `#[resource(verbs(…))]` makes the compiler demand `impl Verbs`.

use uphold::resource::{Act, Level, Reading, Resource, Result, Step, Verbs};
use uphold::{Configuration, Engine, LocalHost};

/// A bell, which is always there.
#[derive(Resource)]
#[resource(kind = "bell", permanent, verbs(ring = "Ring it."))]
struct Bell {
    /// What it is called.
    #[name]
    name: String,
}

impl Resource for Bell {
    fn load(&self, _: &Reading<'_>) -> Result<Option<BellState>> {
        Ok(Some(BellState {}))
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
    let text = "bell \"door\" { action = \"ring\" }\n";
    let bell = Configuration::from_text(&engine, "bell.hcl", text)?.check()?;
    assert_eq!(bell.apply(&mut |_| {})?.ran, 1);
    Ok(())
}
