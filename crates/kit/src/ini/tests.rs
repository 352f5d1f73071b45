//! Edits of INI files, as text in and text out.

use super::*;
use uphold_resource::Parsed;

fn table(text: &str) -> IniValues {
    IniValues::parse(text.as_bytes()).expect("every text parses")
}

fn text(content: Result<Vec<u8>>) -> String {
    content.map_or_else(|error| error.chain(), |text| String::from_utf8_lossy(&text).into_owned())
}

/// Sets these values, finds them again, and checks that setting them twice changes nothing.
#[track_caller]
fn check_with(place: IniKey<'_>, before: &str, values: &[&str], after: &str) {
    let values: Vec<_> = values.iter().map(|value| Some((*value).to_owned())).collect();
    let edited = text(place.put(before.as_bytes(), &values));
    assert_eq!(edited, after, "{before:?}");
    assert_eq!(place.look(&table(&edited)), values);
    assert_eq!(text(place.put(edited.as_bytes(), &values)), after);
}

fn place<'a>(section: &'a str, key: &'a str) -> IniKey<'a> {
    IniKey {
        section: Some(section).filter(|section| !section.is_empty()),
        key,
        separator: None,
        ignore_case: false,
    }
}

#[track_caller]
fn check(before: &str, section: &str, key: &str, values: &[&str], after: &str) {
    check_with(place(section, key), before, values, after);
}

#[test]
fn replaces_values_in_place() {
    check("[a]\nk=1\nl = 2\n", "a", "k", &["9"], "[a]\nk=9\nl = 2\n");
    check("[a]\r\n  k\t=  1\r\n", "a", "k", &["9"], "[a]\r\n  k\t=  9\r\n");
    check("k = 1\n[a]\nk = 2\n[b]\nk = 3\n", "a", "k", &["9"], "k = 1\n[a]\nk = 9\n[b]\nk = 3\n");
    check("k = 1\n[a]\nk = 2\n", "", "k", &["9"], "k = 9\n[a]\nk = 2\n");
    check("[a]\nk = a=b # c\n", "a", "k", &["x"], "[a]\nk = x\n");
    check("[a]\nk = \"é\"", "a", "k", &["x"], "[a]\nk = x");
    check("[a]\nk =\n", "a", "k", &["x"], "[a]\nk =x\n");
    check("[a]\nk = 1 \\\n  2 \\\n  3\nl = 4\n", "a", "k", &["9"], "[a]\nk = 9\nl = 4\n");
    check("[a]\nk = 1 \\\n  2\n", "a", "k", &["1 2"], "[a]\nk = 1 \\\n  2\n");
    check(
        "[remote \"origin\"]\n\turl = x\n",
        "remote \"origin\"",
        "url",
        &["y"],
        "[remote \"origin\"]\n\turl = y\n",
    );
    check("[a] # the first\nk = 1\n", "a", "k", &["2"], "[a] # the first\nk = 2\n");
    check("[a]\nK = 1\n", "a", "k", &["2"], "[a]\nK = 1\nk = 2\n");
}

#[test]
fn new_keys_look_like_their_siblings() {
    check("", "", "k", &["1"], "k = 1\n");
    check("", "a", "k", &["1"], "[a]\nk = 1\n");
    check("[a]\nx=1\n", "a", "k", &["1"], "[a]\nx=1\nk=1\n");
    check("[a]\n\tx = 1\n\n[b]\ny = 1\n", "a", "k", &["1"], "[a]\n\tx = 1\n\tk = 1\n\n[b]\ny = 1\n");
    check("x=1\n", "b", "k", &["1"], "x=1\n\n[b]\nk=1\n");
    check("x = 1\n\n", "b", "k", &["1"], "x = 1\n\n[b]\nk = 1\n");
    check("# top\n[a]\nx = 1\n", "", "k", &["1"], "# top\nk = 1\n[a]\nx = 1\n");
    check("[a]\n#k = 1\nx = 1\n", "a", "k", &["1"], "[a]\n#k = 1\nk = 1\nx = 1\n");
    check("[a]\n; kk = 1\nx = 1\n", "a", "k", &["1"], "[a]\n; kk = 1\nx = 1\nk = 1\n");
    check("[a]\nx = 1\n[b]\n[a]\ny = 1\n", "a", "k", &["1"], "[a]\nx = 1\n[b]\n[a]\ny = 1\nk = 1\n");
    check("[a]\nlong      = 1", "a", "k", &["1"], "[a]\nlong      = 1\nk = 1");
}

#[test]
fn a_key_can_have_several_lines() {
    check("[a]\nk = 1\nx = 1\nk = 2\n", "a", "k", &["1", "3"], "[a]\nk = 1\nx = 1\nk = 3\n");
    check("[a]\nk = 1\nx = 1\n", "a", "k", &["1", "2", "3"], "[a]\nk = 1\nk = 2\nk = 3\nx = 1\n");
    check("[a]\nk = 1\nx = 1\nk = 2\nk = 3\n", "a", "k", &["9"], "[a]\nk = 9\nx = 1\n");
    check("[a]\nk = 1\nk = 2\n", "a", "k", &[], "[a]\n");
    check("[a]\nk = 1", "a", "k", &[], "[a]");
}

#[test]
fn a_key_can_have_no_value() {
    let bare = |before: &str, after: &str| {
        let mysqld = place("mysqld", "skip-networking");
        assert_eq!(text(mysqld.put(before.as_bytes(), &[None])), after);
        assert_eq!(mysqld.look(&table(after)), [None]);
    };
    bare("[mysqld]\nport = 1\n", "[mysqld]\nport = 1\nskip-networking\n");
    bare("[mysqld]\nskip-networking = 1\n", "[mysqld]\nskip-networking\n");
    bare("[mysqld]\nskip-networking\n", "[mysqld]\nskip-networking\n");
    check("[a]\nk\nx=1\n", "a", "k", &["1"], "[a]\nk=1\nx=1\n");
}

#[test]
fn supports_declared_separators() {
    let with = |separator, before: &str, after: &str| {
        let place = IniKey { separator: Some(separator), ..place("", "key") };
        check_with(place, before, &["v=w"], after);
    };
    with(": ", "key: old\n", "key: v=w\n");
    with(": ", "", "key: v=w\n");
    with(" ", "# x\nkey   old\n", "# x\nkey   v=w\n");
    with(" ", "Key old\n", "Key old\nkey v=w\n");
    with("=", "other = 1\n", "other = 1\nkey=v=w\n");
}

#[test]
fn keys_of_ssh_go_before_the_first_block() {
    let ssh = |section, before: &str, after: &str| {
        let place = IniKey { separator: Some(" "), ..place(section, "X11Forwarding") };
        check_with(place, before, &["no"], after);
    };
    ssh(
        "",
        "Port 22\n\nMatch User ann\n  X11Forwarding yes\n",
        "Port 22\nX11Forwarding no\n\nMatch User ann\n  X11Forwarding yes\n",
    );
    ssh("", "Match all\n\tPort 1\n", "X11Forwarding no\nMatch all\n\tPort 1\n");
    ssh("", "host *\n", "X11Forwarding no\nhost *\n");
    let example =
        "#X11Forwarding yes\nPort 22\n# X11Forwarding is prose\n#Match User x\n#\tX11Forwarding no\n";
    ssh("", example, &example.replacen("yes\n", "yes\nX11Forwarding no\n", 1));
    ssh("Match User ann", "Match User ann\n  X11Forwarding yes\n", "Match User ann\n  X11Forwarding no\n");
    ssh("Match User ann", "Port 22\n", "Port 22\n\nMatch User ann\nX11Forwarding no\n");
    // With another separator these are ordinary keys.
    check("Match = a\nk = 1\n", "", "k", &["2"], "Match = a\nk = 2\n");
}

/// The first line of a key is in force, however it is spelled.
#[test]
fn case_can_be_ignored() {
    let ssh = |before: &str, after: &str| {
        let place = IniKey { separator: Some(" "), ignore_case: true, ..place("", "UsePAM") };
        check_with(place, before, &["no"], after);
    };
    ssh("usepam yes\nPort 22\n", "usepam no\nPort 22\n");
    ssh("USEPAM no\n", "USEPAM no\n");
    ssh("usepam yes\nPort 22\nUsePAM no\n", "usepam no\nPort 22\n");
    ssh("#usepam yes\nPort 22\n", "#usepam yes\nUsePAM no\nPort 22\n");
    ssh("UsePAMs yes\nÜsePAM x\n", "UsePAMs yes\nÜsePAM x\nUsePAM no\n");
}

#[test]
fn blocks_of_ssh_are_found_in_any_case() {
    let ssh = |section: &'static str, before: &str, after: &str| {
        let place = IniKey { separator: Some(" "), ignore_case: true, ..place(section, "UsePAM") };
        check_with(place, before, &["no"], after);
    };
    ssh("Match User ann", "match  user ann\n  usepam yes\n", "match  user ann\n  usepam no\n");
    ssh("Host *", "host *\n  UsePAM yes\n", "host *\n  UsePAM no\n");
    ssh("match ALL User ann", "Match all USER ann\nX 1\n", "Match all USER ann\nX 1\nUsePAM no\n");
    ssh("Match User Ann", "Match User ann\n", "Match User ann\n\nMatch User Ann\nUsePAM no\n"); // a user name
}

#[test]
fn keeps_blocks_of_line_resources() {
    let space = IniKey { separator: Some(" "), ..place("", "Banner") };
    let marked = "Port 22\n# BEGIN uphold x\nMatch User ann\n  Banner none\n# END uphold x\n";
    check_with(space, marked, &["no"], &marked.replacen("22\n", "22\nBanner no\n", 1));
    let inside = "# BEGIN uphold x\nBanner none\n# END uphold x\n";
    let refused = text(space.put(inside.as_bytes(), &[Some("no".to_owned())]));
    assert_eq!(refused, "`Banner` in line 2 is in a block that a `line` resource manages");
    assert_eq!(text(space.put(inside.as_bytes(), &[Some("none".to_owned())])), inside);
}
