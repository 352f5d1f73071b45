//! The examples of the seed documents in our language, as executable pages.
//!
//! `docs/seeds.md` lists the page of each example and the differences. `page.rs` describes the format of a page.

mod bench;
pub(crate) mod page;
mod table;

/// Runs every page of a directory beside this file.
#[track_caller]
fn check(directory: &str) {
    let pages = page::all(directory);
    assert!(!pages.is_empty(), "there is no page in {directory}");
    let wrong: Vec<String> = pages.iter().filter_map(page::Page::difference).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn set_and_list() {
    check("chef-3694-set-and-list");
}

#[test]
fn load_and_converge() {
    check("chef-load-and-converge");
}

#[test]
fn resources_2_0() {
    check("chef-resources-2.0");
}

#[test]
fn resource_authors_guide() {
    check("converge-resource-authors-guide");
}

#[test]
fn resource_guide() {
    check("mgmt-resource-guide");
}
