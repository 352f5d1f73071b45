//! The parsed page: its sections and their examples.

const PAGE: &str = include_str!("../../../../docs/language.md");

/// A heading and its content, up to the next heading that is not below it.
pub(crate) struct Section {
    /// The fragment of links to it.
    pub(crate) anchor: String,
    /// The level of its heading.
    level: usize,
    pub(crate) examples: Vec<Example>,
}

/// A configuration, and the expectations about it.
#[derive(Default)]
pub(crate) struct Example {
    /// Its first line on the page.
    pub(crate) line: usize,
    pub(crate) what: What,
    /// The configuration itself.
    pub(crate) text: &'static str,
    /// Files beside it, with their contents.
    pub(crate) files: Vec<(&'static str, &'static str)>,
    /// Commands in order, with the output that is shown for each.
    pub(crate) commands: Vec<(&'static str, String)>,
}

/// The expectation about an example, from the word after `hcl`.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub(crate) enum What {
    /// Valid without a diagnostic.
    #[default]
    Valid,
    /// Each line with a comment gets an error with this text.
    Wrong,
    /// Each line with a comment gets a warning with this text.
    Warned,
    /// `# => …` shows the value of a local.
    Values,
}

/// The text of the page.
pub(crate) fn text() -> &'static str {
    PAGE
}

/// The sections of the page in order; each includes the examples of its subsections.
pub(crate) fn sections() -> Vec<Section> {
    let mut sections: Vec<Section> = Vec::new();
    let mut files = Vec::new();
    let mut rest = PAGE;
    while let Some((line, after)) = rest.split_once('\n') {
        let number = 1 + PAGE[..PAGE.len() - rest.len()].matches('\n').count();
        rest = after;
        if let Some(fence) = line.strip_prefix("```") {
            let end = rest.find("```").unwrap_or_else(|| panic!("line {number}: the block does not end"));
            let section = sections.last_mut().unwrap_or_else(|| panic!("line {number}: no heading above"));
            take_block(section, &mut files, number, fence, &rest[..end]);
            rest = &rest[end + 4..];
        } else if let Some(section) = heading(line) {
            if section.level <= 2 {
                files.clear();
            }
            sections.push(section);
        }
    }
    sections
}

fn heading(line: &str) -> Option<Section> {
    let title = line.trim_start_matches('#');
    let level = line.len() - title.len();
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_');
    let anchor = title.trim().to_lowercase().chars().filter(kept).collect::<String>().replace(' ', "-");
    (level > 0 && title.starts_with(' ')).then_some(Section { anchor, level, examples: Vec::new() })
}

/// Handles a block: an example, a file for the examples after it, or commands for the previous example.
fn take_block(
    section: &mut Section,
    files: &mut Vec<(&'static str, &'static str)>,
    line: usize,
    fence: &'static str,
    text: &'static str,
) {
    let what = match fence {
        "hcl" => What::Valid,
        "hcl,wrong" => What::Wrong,
        "hcl,warned" => What::Warned,
        "hcl,values" => What::Values,
        "console" => {
            let Some(example) = section.examples.last_mut() else { panic!("line {line}: no example above") };
            return example.commands = commands(text);
        }
        _ => match fence.split_once(",file=") {
            Some((_, name)) => return files.push((name, text)),
            None => panic!("line {line}: nothing runs `{fence}`"),
        },
    };
    section.examples.push(Example { line, what, text, files: files.clone(), commands: Vec::new() });
}

fn commands(text: &'static str) -> Vec<(&'static str, String)> {
    let mut commands: Vec<(&str, String)> = Vec::new();
    for line in text.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, String::new())),
            (None, Some((_, shown))) => shown.extend([line, "\n"]),
            (None, None) => panic!("a block begins with a command:\n{text}"),
        }
    }
    commands
}

/// All examples of the page with this expectation.
pub(crate) fn examples(what: What) -> Vec<Example> {
    let all = sections().into_iter().flat_map(|section| section.examples);
    all.filter(|example| example.what == what).collect()
}

/// Whether the section with this anchor, or a subsection, has an example.
pub(crate) fn has_example(sections: &[Section], anchor: &str) -> bool {
    let Some(at) = sections.iter().position(|section| section.anchor == anchor) else { return false };
    let below = sections[at + 1..].iter().take_while(|section| section.level > sections[at].level);
    sections[at..=at].iter().chain(below).any(|section| !section.examples.is_empty())
}

/// The cells of each row of the first table of the page.
pub(crate) fn conformance() -> Vec<Vec<&'static str>> {
    let lines = PAGE.lines().skip_while(|line| !line.starts_with("| --- ")).skip(1);
    let rows = lines.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split(" | ").map(str::trim).collect()).collect()
}
