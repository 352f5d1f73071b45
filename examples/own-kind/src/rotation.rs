//! The text of a file in `/etc/logrotate.d`.

use uphold_kit::resource::Property;

/// The first line of each file.
const HEADER: &str = "# Managed by Uphold. Do not edit.";

/// How often log files are rotated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Property)]
pub enum Frequency {
    /// Every day.
    Daily,
    /// Every week.
    #[default]
    Weekly,
    /// Every month.
    Monthly,
}

impl Frequency {
    const ALL: [Frequency; 3] = [Frequency::Daily, Frequency::Weekly, Frequency::Monthly];

    /// The directive of logrotate.
    fn directive(self) -> &'static str {
        match self {
            Frequency::Daily => "daily",
            Frequency::Weekly => "weekly",
            Frequency::Monthly => "monthly",
        }
    }
}

/// An absolute path, or a shell pattern of paths.
#[derive(Clone, Debug, PartialEq, Property)]
#[pattern(r#"^/[^\s{}"'#]+$"#)]
#[example("/var/log/app/*.log")]
pub struct LogFiles(pub String);

/// The settings of one file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Rotation {
    pub(crate) logs: Vec<LogFiles>,
    pub(crate) frequency: Frequency,
    pub(crate) keep: u32,
    pub(crate) compress: bool,
}

impl Rotation {
    /// The settings in `text`. Empty if it has anything else, so that everything differs and the file is written again.
    pub(crate) fn read(text: &str) -> Self {
        Self::parse(text).filter(|rotation| rotation.text() == text).unwrap_or_default()
    }

    /// The content of the file.
    pub(crate) fn text(&self) -> String {
        let logs: Vec<&str> = self.logs.iter().map(|LogFiles(path)| path.as_str()).collect();
        let compress = if self.compress { "compress" } else { "nocompress" };
        format!(
            "{HEADER}\n{} {{\n    {}\n    rotate {}\n    {compress}\n    missingok\n    notifempty\n}}\n",
            logs.join(" "),
            self.frequency.directive(),
            self.keep
        )
    }

    fn parse(text: &str) -> Option<Self> {
        let mut lines = text.lines().skip(1).map(str::trim);
        let logs = lines.next()?.strip_suffix('{')?;
        let logs = logs.split_whitespace().map(|path| LogFiles(path.to_owned())).collect();
        let frequency = lines.next()?;
        let frequency = Frequency::ALL.into_iter().find(|known| known.directive() == frequency)?;
        let keep = lines.next()?.strip_prefix("rotate ")?.parse().ok()?;
        Some(Self { logs, frequency, keep, compress: lines.next()? == "compress" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_round_trip() {
        for frequency in Frequency::ALL {
            for compress in [true, false] {
                let logs = ["/var/log/a", "/var/log/b/*.log"].map(|path| LogFiles(path.to_owned())).to_vec();
                let rotation = Rotation { logs, frequency, keep: 7, compress };
                assert_eq!(Rotation::read(&rotation.text()), rotation);
            }
        }
    }

    #[test]
    fn other_text_has_no_settings() {
        let ours = Rotation { logs: vec![LogFiles("/var/log/a".to_owned())], ..Rotation::default() }.text();
        let changed = ours.replace("missingok", "size 1M");
        for text in ["", "{", "/var/log/a {\n}\n", &changed, &format!("{ours}\n")] {
            assert_eq!(Rotation::read(text), Rotation::default(), "{text}");
        }
    }
}
