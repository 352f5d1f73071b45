//! A setting in a struct of state.

use uphold_resource::{Mode, Properties, Want};

#[derive(Properties)]
struct Permissions {
    mode: Want<Mode>,
    tries: Option<u8>,
}

fn main() {}
