//! The API for authors of kinds, as an author uses it.

mod authoring;
mod guide;
mod smallest;
mod ui;

/// Facts from the tests of Chef, tested with Uphold. Each test has the id of its fact; `docs/facts-chef.md` lists all of them,
/// and the reasons of those that differ.
mod facts {
    mod block;
    mod converge;
    mod coverage;
    mod identity;
    mod load;
    mod property;
    mod prototype;
    mod validation;
}

/// Property types: accepted values, refused values, and messages.
mod types {
    mod collection;
    mod own;
    mod path;
    mod plain;
    mod reading;
    mod secret;
    mod unknown;
}
