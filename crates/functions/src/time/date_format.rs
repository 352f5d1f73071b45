//! Formatting dates.

use jiff::civil::Weekday;

use super::moment::Moment;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

/// Formats `moment`: letters are replaced by its parts; text in single quotes and other characters are literal.
pub(super) fn write(format: &str, moment: Moment) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        if first == '\'' {
            rest = quoted(&rest[1..], &mut text)?;
        } else if first.is_ascii_alphabetic() {
            let end = rest.find(|c| c != first).unwrap_or(rest.len());
            text.push_str(&part(&rest[..end], moment)?);
            rest = &rest[end..];
        } else {
            text.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    Ok(text)
}

/// Reads text up to the closing quote; two quotes are an escaped one, also outside of quotes.
fn quoted<'a>(mut rest: &'a str, text: &mut String) -> Result<&'a str, String> {
    if let Some(after) = rest.strip_prefix('\'')
        && !after.starts_with('\'')
    {
        text.push('\'');
        return Ok(after);
    }
    loop {
        let (before, after) = rest.split_once('\'').ok_or("a single quote in the format is not closed")?;
        text.push_str(before);
        match after.strip_prefix('\'') {
            Some(after) => rest = after,
            None => return Ok(after),
        }
        text.push('\'');
    }
}

fn part(letters: &str, moment: Moment) -> Result<String, String> {
    let local = moment.local();
    let month = MONTHS[usize::from(local.month().unsigned_abs()).clamp(1, 12) - 1];
    let weekday = weekday(local.weekday());
    // Noon and midnight are 12.
    let half = (local.hour() + 11) % 12 + 1;
    let (am, pm) = if letters == "AA" { ("AM", "PM") } else { ("am", "pm") };
    Ok(match letters {
        "YYYY" => format!("{:04}", local.year()),
        "YY" => format!("{:02}", local.year().rem_euclid(100)),
        "MMMM" => month.to_owned(),
        "MMM" => month[..3].to_owned(),
        "MM" => format!("{:02}", local.month()),
        "M" => local.month().to_string(),
        "DD" => format!("{:02}", local.day()),
        "D" => local.day().to_string(),
        "EEEE" => weekday.to_owned(),
        "EEE" => weekday[..3].to_owned(),
        "hh" => format!("{:02}", local.hour()),
        "h" => local.hour().to_string(),
        "HH" => format!("{half:02}"),
        "H" => half.to_string(),
        "AA" | "aa" => if local.hour() < 12 { am } else { pm }.to_owned(),
        "mm" => format!("{:02}", local.minute()),
        "m" => local.minute().to_string(),
        "ss" => format!("{:02}", local.second()),
        "s" => local.second().to_string(),
        "ZZZZZ" => moment.offset_text(":"),
        "ZZZZ" => moment.offset_text(""),
        "ZZZ" if moment.offset.seconds() == 0 => "UTC".to_owned(),
        "ZZZ" => moment.offset_text(""),
        "Z" => moment.zone(),
        _ => {
            return Err(format!(
                "`{letters}` in the format is not a known part; write literal letters as `'{letters}'`"
            ));
        }
    })
}

fn weekday(weekday: Weekday) -> &'static str {
    match weekday {
        Weekday::Monday => "Monday",
        Weekday::Tuesday => "Tuesday",
        Weekday::Wednesday => "Wednesday",
        Weekday::Thursday => "Thursday",
        Weekday::Friday => "Friday",
        Weekday::Saturday => "Saturday",
        Weekday::Sunday => "Sunday",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_is_written_as_terraform_does() {
        let check = |format: &str, time: &str, expected: &str| {
            let written = Moment::parse(time).and_then(|moment| write(format, moment));
            assert_eq!(written.unwrap_or_else(|message| message), expected, "{format}");
        };
        let afternoon = "2018-01-02T23:12:01Z";
        check("DD MMM YYYY hh:mm ZZZ", afternoon, "02 Jan 2018 23:12 UTC");
        check("EEEE, DD-MMM-YY hh:mm:ss ZZZ", afternoon, "Tuesday, 02-Jan-18 23:12:01 UTC");
        check(
            "EEE, DD MMM YYYY hh:mm:ss ZZZ",
            "2018-01-02T23:12:01-08:00",
            "Tue, 02 Jan 2018 23:12:01 -0800",
        );
        check("MMM DD, YYYY", afternoon, "Jan 02, 2018");
        check("HH:mmaa", afternoon, "11:12pm");
        check("HHAA H", "2018-01-02T00:12:01Z", "12AM 12");
        check("hh'h' 'it''s'", afternoon, "23h it's");
        check("EEE ''YY", afternoon, "Tue '18");
        check("'''a'", afternoon, "'a");
        check("''''", afternoon, "'");
        check("YYYY-MM-DD'T'hh:mm:ssZ", afternoon, "2018-01-02T23:12:01Z");
        check("Z ZZZZ ZZZZZ", "2018-01-02T23:12:01+05:30", "+05:30 +0530 +05:30");
        check("M/D h:m:s MMMM", afternoon, "1/2 23:12:1 January");
        check("é", afternoon, "é");
        check("'", afternoon, "a single quote in the format is not closed");
        check(
            "YYYYY",
            afternoon,
            "`YYYYY` in the format is not a known part; write literal letters as `'YYYYY'`",
        );
    }
}
