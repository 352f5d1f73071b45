//! Paths and URLs, with home directories and bases.

use uphold_resource::{
    AbsolutePath, AnyPath, Base, Claims, Context, Interest, Property, Role, SourceFile, Url, Value,
};
use uphold_testkit::MemoryHost;

use super::reading::{refuses, takes, takes_below};

#[test]
fn normalises_paths() {
    takes::<AbsolutePath>("/etc/motd", r#""/etc/motd""#);
    takes::<AbsolutePath>("//etc/./motd/", r#""/etc/motd""#);
    takes::<AbsolutePath>("/", r#""/""#);
    takes::<AbsolutePath>("/a b/ä", r#""/a b/ä""#);
}

#[test]
fn resolves_home_directories() {
    takes::<AbsolutePath>("~", r#""/home/me""#);
    takes::<AbsolutePath>("~/x", r#""/home/me/x""#);
    takes::<AbsolutePath>("~ada/x", r#""/home/ada/x""#);
    takes::<AbsolutePath>("/x/~", r#""/x/~""#);
    refuses::<AbsolutePath>(
        "~eve/x",
        r#""~eve/x" begins in an unknown home directory; write the path from `/`"#,
    );
}

#[test]
fn refuses_invalid_absolute_paths() {
    let fix = "must be an absolute path; begin it with `/` or `~/`";
    for text in ["", "x", "./x", "../x"] {
        refuses::<AbsolutePath>(text, &format!("{text:?} {fix}"));
    }
    refuses::<AbsolutePath>("/a/../b", r#""/a/../b" must not contain `..`; write the path without it"#);
    refuses::<AbsolutePath>("/a\0b", "\"/a\\u0000b\" must not contain a NUL character; remove it");
    refuses::<AbsolutePath>(3, "3 must be a path, not a number; put it in quotes");
    refuses::<AbsolutePath>(Value::Null, "null cannot be null; leave it out, or give it a value");
}

#[test]
fn joins_relative_paths_to_the_base() {
    takes_below::<AbsolutePath>(Some("/a/b"), "x/y", r#""/a/b/x/y""#);
    takes_below::<AbsolutePath>(Some("/a/b"), "/x", r#""/x""#);
    takes_below::<AbsolutePath>(Some("/a/b"), "~/x", r#""/home/me/x""#);
    takes_below::<AnyPath>(Some("/a/b/"), "x/", r#""/a/b/x/""#);
    takes_below::<AnyPath>(None, "../x", r#""../x""#);
    let fix = "cannot be empty or contain a NUL character; write a path";
    refuses::<AnyPath>("", &format!("\"\" {fix}"));
    refuses::<AnyPath>("a\0", &format!("\"a\\u0000\" {fix}"));
}

#[test]
fn reads_urls() {
    takes::<Url>("https://example.org/a?b#c", r#""https://example.org/a?b#c""#);
    takes::<Url>("mailto:ada@example.org", r#""mailto:ada@example.org""#);
    takes_below::<Url>(Some("https://h/a/b/"), "../x", r#""https://h/a/x""#);
    let fix = r#"write the full URL, as in "https://example.org/path""#;
    refuses::<Url>("example.org/x", &format!(r#""example.org/x" must be a full URL; {fix}"#));
    refuses::<Url>("https://a b", &format!(r#""https://a b" is not a URL; {fix}"#));
    refuses::<Url>(3, "3 must be a URL, not a number; put it in quotes");
}

#[test]
fn paths_and_urls_are_bases() {
    let path = AbsolutePath::new("/a").expect("absolute");
    assert_eq!(path.base(), Some("/a"));
    assert_eq!(Some(path.clone()).base(), Some("/a"));
    assert_eq!(uphold_resource::Want::Set(path).base(), Some("/a"));
    assert_eq!(None::<AbsolutePath>.base(), None);
}

#[test]
fn claims_depend_on_the_role() {
    let path = AbsolutePath::new("/a/b").expect("absolute");
    let claims = |role| {
        let mut claims = Claims::default();
        path.claim(role, &mut claims);
        format!("{:?} {:?}", claims.holds, claims.needs)
    };
    assert_eq!(claims(Role::Name), r#"[Path("/a/b")] [Path("/a")]"#);
    assert_eq!(claims(Role::Setting), r#"[] [Path("/a/b")]"#);
    assert_eq!(claims(Role::Export), "[] []");
    let mut interests = Vec::new();
    path.watch(Role::State, &MemoryHost::new().act(), &mut interests);
    assert_eq!(interests, [Interest::Path("/a/b".into())]);
}

/// A watch compares values: the same path with another content is another value.
#[test]
fn a_source_file_is_compared_by_its_content() {
    let value = |content: &str| SourceFile::read_beside(&"files/x".into(), content.into());
    let read = |value: &Value| SourceFile::from_value(value, &Context::NOTHING).expect("a file");
    assert_eq!(read(&value("one")).to_value(), value("one"));
    assert_ne!(read(&value("one")).to_value(), value("two"));
    assert_eq!(SourceFile::written(&value("one")), Some(Value::text("files/x")));
    refuses::<SourceFile>(
        "files/x",
        "\"files/x\" must be absolute, because this resource is not declared in a configuration file; write an absolute path",
    );
}
