//! An example without a value, or with several.

use uphold_resource::Property;

#[derive(Clone, Debug, PartialEq, Property)]
#[example]
struct HostName(String);

#[derive(Clone, Debug, PartialEq, Property)]
#[example()]
struct UserName(String);

#[derive(Clone, Debug, PartialEq, Property)]
#[example("a", "b")]
struct GroupName(String);

fn main() {}
