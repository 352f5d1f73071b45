//! Pages of diagnostic codes.

use uphold::model::Code;

use super::block::{Block, Page};
use super::doc;

/// What a code means, with a wrong and a correct example.
pub(crate) fn code_page(code: Code) -> Page {
    let mut page = vec![Block::Title(format!("{code}: {}", code.summary()))];
    page.extend(doc::blocks(code.page()));
    page
}

/// All codes, whole.
pub(crate) fn codes_page() -> Page {
    let about = "Each error and warning about a configuration has a code, which stays the same when its words change. \
                 `uphold explain CODE` prints its page.";
    let mut page = vec![Block::Title("Diagnostics".to_owned()), Block::Text(about.to_owned())];
    for code in Code::ALL {
        page.push(Block::Heading(code.id()));
        page.push(Block::Text(format!("**{}**", code.summary())));
        page.extend(doc::blocks(code.page()));
    }
    page
}

/// The codes with their summaries.
pub(crate) fn code_list_page() -> Page {
    let term = |code: &Code| (code.id().to_owned(), code.summary().to_owned());
    vec![
        Block::Title("Diagnostics".to_owned()),
        Block::Terms(Code::ALL.iter().map(term).collect()),
        Block::Text("`uphold explain CODE` tells more about each.".to_owned()),
    ]
}
