//! The derive without `impl Resource`, seen when the kind is registered.

use uphold_resource::{AbsolutePath, Registry, Resource, Want};

#[derive(Resource)]
#[resource(kind = "note")]
struct Note {
    #[name]
    path: AbsolutePath,
    #[required]
    text: Want<String>,
}

fn register(registry: &mut Registry) {
    registry.add::<Note>().unwrap();
}

fn main() {}
