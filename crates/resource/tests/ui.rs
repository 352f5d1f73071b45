//! One file for each mistake that an author can make; `docs/authoring.md` lists them.
//!
//! After a change of a message of the derive: `TRYBUILD=overwrite cargo test -p uphold-resource --test resource ui::`,
//! then read the difference.

#[test]
fn mistakes_do_not_compile() {
    trybuild::TestCases::new().compile_fail("tests/ui/*.rs");
}
