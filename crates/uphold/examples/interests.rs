//! Interests: the changes of the machine that trigger a visit in a watch.

use std::time::Duration;

use uphold::prelude::*;
use uphold::{Control, WatchRequest};

/// A heartbeat, which is visited every 10 milliseconds.
#[derive(Resource)]
#[resource(kind = "heartbeat", permanent, interests)]
struct Heartbeat {
    /// Its name.
    #[name]
    name: String,
}

impl Resource for Heartbeat {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::This(HeartbeatState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

impl Watching for Heartbeat {
    fn add_interests(&self, _: &Reading<'_>, interests: &mut Vec<Interest>) {
        interests.push(Interest::Interval(Duration::from_millis(10)));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::on(LocalHost::new()).kind::<Heartbeat>()?.build();
    let heart = Configuration::from_text(&engine, "heart.hcl", "heartbeat \"own\" {}")?.check()?;
    let request = WatchRequest { max_runtime: Some(Duration::from_millis(500)), ..WatchRequest::default() };
    let summary = heart.watch(&request, &Control::default(), &mut |_| {})?;
    (summary.ok > 1).then_some(()).ok_or_else(|| "it was not visited again".into())
}
