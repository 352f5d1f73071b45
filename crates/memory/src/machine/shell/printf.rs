//! `printf`, as far as tests use it.

/// Formats the arguments by the first one, which is repeated while arguments are left.
pub(super) fn format(arguments: &[String]) -> String {
    let mut rest = arguments.iter();
    let format = rest.next().map_or("", String::as_str);
    let mut text = String::new();
    loop {
        let before = rest.len();
        once(format, &mut rest, &mut text);
        if rest.len() == 0 || rest.len() == before {
            return text;
        }
    }
}

fn once(format: &str, arguments: &mut std::slice::Iter<'_, String>, text: &mut String) {
    let mut characters = format.chars();
    while let Some(c) = characters.next() {
        match c {
            '%' => match characters.next() {
                Some('s' | 'd') => text.push_str(arguments.next().map_or("", String::as_str)),
                Some(c) => text.push(c),
                None => text.push('%'),
            },
            '\\' => match characters.next() {
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some(c) => text.push(c),
                None => text.push('\\'),
            },
            c => text.push(c),
        }
    }
}
