//! The README and the guide in `docs`: every configuration on its pages is checked, and every command is run.
//!
//! `page.rs` describes how a page is written. With `UPHOLD_BLESS=1` the output on the pages is rewritten.

mod page;
mod sandbox;

use page::Page;

/// Runs the commands of the pages and reports all differences at once.
#[track_caller]
fn check(pages: &[Page]) {
    assert!(!pages.is_empty(), "no pages were found");
    let differences: Vec<String> = pages.iter().filter_map(Page::difference).collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[test]
fn the_readme_shows_the_real_output() {
    let page = Page::read("../README.md");
    assert!(page.text.lines().count() <= 150, "the README is too long");
    check(&[page]);
}

#[test]
fn the_first_steps_match_their_page() {
    check(&[Page::read("get-started.md")]);
}

#[test]
fn how_to_guides_match_their_pages() {
    check(&page::below("how-to", ""));
}

#[test]
fn comparisons_match_their_pages() {
    let pages = page::below("", "from-");
    assert!(pages.len() >= 4, "only {} pages", pages.len());
    check(&pages);
}

#[test]
fn every_configuration_of_the_guide_is_formatted() {
    let pages = [
        page::below("how-to", ""),
        page::below("", "from-"),
        vec![Page::read("get-started.md"), Page::read("../README.md")],
    ];
    let unformatted: Vec<String> = pages.iter().flatten().flat_map(Page::unformatted).collect();
    assert!(unformatted.is_empty(), "{}", unformatted.join("\n"));
}

#[test]
fn every_how_to_guide_is_run_and_listed() {
    let (index, pages): (Vec<Page>, Vec<Page>) =
        page::below("how-to", "").into_iter().partition(|page| page.name == "README.md");
    let guides: Vec<_> =
        pages.iter().flat_map(|page| page.guides().map(move |guide| (page, guide))).collect();
    assert!(guides.len() >= 25, "only {} guides", guides.len());
    for (page, guide) in guides {
        assert!(guide.title.starts_with("How do I ") && guide.title.ends_with('?'), "{}", guide.title);
        assert!(guide.is_run, "{}: \"{}\" runs nothing", page.name, guide.title);
        let link = format!("]({}#{})", page.name, guide.anchor());
        assert!(index[0].text.contains(&link), "docs/how-to/README.md has no link {link}");
    }
}
