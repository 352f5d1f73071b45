//! An example inside a nested struct, or inside a newtype.

use uphold_resource::Property;

#[derive(Clone, Debug, PartialEq, Property)]
struct Listen {
    #[required]
    #[example("localhost")]
    host: String,
}

#[derive(Clone, Debug, PartialEq, Property)]
struct HostName(#[example("localhost")] String);

fn main() {}
