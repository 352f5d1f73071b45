//! The API for authors of kinds, as an author uses it.

mod smallest;
mod ui;

/// The attributes of fields, besides the roles that they give.
mod attributes {
    mod claims;
    mod embedded_state;
    mod lazy;
    #[expect(unreachable_pub, reason = "the guide shows public items")]
    mod shared_state;
}

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
