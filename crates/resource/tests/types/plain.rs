//! Strings, booleans, numbers, bytes, accounts, modes, durations, sizes, ports.

use std::time::Duration;

use uphold_resource::{
    Bytes, Context, ErrorKind, GroupName, Mode, Port, Property, Size, UserName, Value, Want,
};
use uphold_testkit::MemoryHost;

use super::reading::{refuses, takes};

#[test]
fn reads_strings() {
    takes::<String>("", r#""""#);
    takes::<String>("ä\n", r#""ä\n""#);
    refuses::<String>(
        3,
        "3 must be a string, not a number; put it in quotes; for a computed value, write `tostring(…)`",
    );
    refuses::<String>(
        true,
        "true must be a string, not a bool; put it in quotes; for a computed value, write `tostring(…)`",
    );
    refuses::<String>(Value::Null, "null cannot be null; leave it out, or give it a value");
}

#[test]
fn a_string_is_not_a_boolean() {
    takes::<bool>(true, "true");
    let fix = "write true or false, without quotes";
    refuses::<bool>("false", &format!(r#""false" must be true or false, not a string; {fix}"#));
    refuses::<bool>(0, &format!("0 must be true or false, not a number; {fix}"));
}

#[test]
fn reads_integers_within_their_range() {
    takes::<u8>(255, "255");
    takes::<u8>("0x10", "16");
    takes::<i8>(-128, "-128");
    takes::<i64>(i64::MIN, &i64::MIN.to_string());
    takes::<u64>(i64::MAX, &i64::MAX.to_string());
    takes::<u32>("0b101", "5");
    let fix = "choose a number in that range";
    refuses::<u8>(256, &format!("256 must be from 0 to 255; {fix}"));
    refuses::<u8>(-1, &format!("-1 must be from 0 to 255; {fix}"));
    refuses::<i16>(40_000, &format!("40000 must be from -32768 to 32767; {fix}"));
    refuses::<u32>(Value::Float(1.5), "1.5 must be a whole number; remove the fraction");
    for text in ["", " 1", "1 ", "0x", "0x-1", "0x+1", "1_000", "99999999999999999999"] {
        refuses::<i64>(text, &format!("{text:?} must be a whole number, not a string; write a number"));
    }
}

#[test]
fn reads_numbers() {
    takes::<f64>(Value::Float(0.5), "0.5");
    takes::<f64>("1e3", "1000");
    let fix = "write a number, without quotes";
    for text in ["", "NaN", "inf", "1,5"] {
        refuses::<f64>(text, &format!("{text:?} must be a number, not a string; {fix}"));
    }
}

#[test]
fn reads_bytes() {
    takes::<Bytes>("hi", r#""hi""#);
    takes::<Bytes>(Value::Bytes([0xff, 0x00].into()), "(2 bytes)");
    assert_eq!(&*Bytes::from("hi").0, b"hi");
    refuses::<Bytes>(
        3,
        "3 must be a string or bytes, not a number; put it in quotes; for a computed value, write `tostring(…)`",
    );
}

#[test]
fn reads_accounts_by_name_or_id() {
    takes::<UserName>("ada", r#""ada""#);
    takes::<UserName>(1000, "1000");
    takes::<UserName>("1000", "1000");
    takes::<GroupName>("wheel", r#""wheel""#);
    let fix = "write the user's name in quotes, or its number";
    for text in ["", "-x", "a:b", "a b", "a/b", "a\n"] {
        refuses::<UserName>(text, &format!("{text:?} is not a user name; {fix}"));
    }
    refuses::<UserName>(-1, &format!("-1 is not a user number; {fix}"));
    refuses::<UserName>(true, &format!("true must be a user, not a bool; {fix}"));
    refuses::<GroupName>(
        5_000_000_000,
        "5000000000 is not a group number; write the group's name in quotes, or its number",
    );
}

#[test]
fn an_account_is_found_in_the_declared_form() {
    let host = MemoryHost::new().user("ada", 1000);
    let found =
        |declared: Option<UserName>| UserName::found(1000, declared.as_ref(), &host.act()).expect("accounts");
    assert_eq!(found(None), UserName::named("ada"));
    assert_eq!(found(Some(UserName::named("eve"))), UserName::named("ada"));
    assert_eq!(found(Some(UserName::numbered(0))), UserName::numbered(1000));
    assert_eq!(
        UserName::found(7, None, &host.act()).expect("accounts"),
        UserName::numbered(7),
        "the id has no account"
    );
    assert_eq!(UserName::named("ada").id(&host.act()).expect("accounts"), 1000);
    let missing = GroupName::named("wheel").id(&host.act()).expect_err("it does not exist");
    assert_eq!(
        (missing.kind(), missing.to_string()),
        (ErrorKind::Missing, "there is no group `wheel`".into())
    );
    assert_eq!(missing.advice(), Some("declare the group, or correct the name"));
}

#[test]
fn reads_modes() {
    takes::<Mode>("0644", r#""0644""#);
    takes::<Mode>("644", r#""0644""#);
    takes::<Mode>("0o4755", r#""4755""#);
    takes::<Mode>("u=rw,go=r", r#""u=rw,go=r""#);
    let fix = r#"write it as an octal string such as "0644", or symbolic such as "u=rw,go=r""#;
    refuses::<Mode>(
        644,
        &format!("644 must be a string in octal, because a mode is never a decimal number; {fix}"),
    );
    refuses::<Mode>("0999", &format!(r#""0999" is not a mode; {fix}"#));
    refuses::<Mode>(true, &format!("true must be a mode, not a bool; {fix}"));
}

#[test]
fn a_symbolic_mode_applies_to_the_current_one() {
    let mode = |text: &str| Mode::from_value(&text.into(), &Context::NOTHING).expect("a mode");
    let goal = |wish: &str, current: Option<u32>| Want::Set(mode(wish)).goal(current.map(Mode::new).as_ref());
    assert_eq!(goal("g+w", Some(0o644)), Some(Mode::new(0o664)));
    assert_eq!(goal("u=rw", None), Some(Mode::new(0o600)));
    assert_eq!(Want::Unset.goal(Some(&Mode::new(0o600))), Some(Mode::new(0o600)));
    assert_eq!(Want::<Mode>::Unset.goal(None), None);
    let new = Want::OnCreate(Mode::new(0o600));
    assert_eq!(new.goal(None), Some(Mode::new(0o600)));
    assert_eq!(new.goal(Some(&Mode::new(0o644))), Some(Mode::new(0o644)));
}

#[test]
fn reads_durations() {
    takes::<Duration>(90, r#""1m30s""#);
    takes::<Duration>("1h30m", r#""1h30m""#);
    takes::<Duration>(Value::Float(0.25), r#""250ms""#);
    takes::<Duration>("0.5ms", r#""500us""#);
    takes::<Duration>("1d", r#""24h""#);
    takes::<Duration>(0, r#""0s""#);
    let fix = r#"write a duration such as "90s", "1h30m" or "250ms", or a number of seconds"#;
    refuses::<Duration>(-1, &format!("-1 is not a duration; {fix}"));
    refuses::<Duration>("5", &format!(r#""5" is not a duration; {fix}"#));
    refuses::<Duration>(true, &format!("true must be a duration, not a bool; {fix}"));
}

#[test]
fn reads_sizes() {
    takes::<Size>(4096, "4096");
    takes::<Size>("10K", "10240");
    takes::<Size>("2GB", "2000000000");
    takes::<Size>("1.5GiB", "1610612736");
    let fix = r#"write a size such as "512", "10K", "1.5GiB" or "2GB""#;
    for text in ["", "ten", "-1", "10KMB", "8192PiB", "99999.5PiB"] {
        refuses::<Size>(text, &format!("{text:?} is not a size; {fix}"));
    }
    refuses::<Size>(-1, &format!("-1 is not a size; {fix}"));
    refuses::<Size>(Value::Bool(true), &format!("true must be a size, not a bool; {fix}"));
}

#[test]
fn reads_ports() {
    takes::<Port>(8080, "8080");
    takes::<Port>("443", "443");
    for wrong in [0, 65_536, -1] {
        refuses::<Port>(wrong, &format!("{wrong} is not a port; write a number from 1 to 65535"));
    }
    refuses::<Port>("http", r#""http" is not a port; write a number from 1 to 65535"#);
}
