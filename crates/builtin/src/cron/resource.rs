//! One entry of a crontab.

use std::collections::BTreeMap;

use uphold_resource::{
    Act, Claim, Claiming, Claims, Error, ErrorKind, Interest, OwnedPaths, Property, Reading, Resource,
    Result, Step, UserName, Value, Want, Watching,
};

use super::crontab::Crontab;
use super::entry::{Entry, is_name};
use super::place::Place;
use super::{Schedule, TimeField, time_field};
use crate::one_line::{is_one_line, is_trimmed_line};
use crate::{ownership, parent};

/// Something that `cron` runs again and again.
///
/// It is an entry of the user's crontab, or with `file` of a crontab of the system, below a line `# uphold: NAME` by which
/// it is found again. All other lines are kept.
///
/// ```hcl
/// cron "rotate" {
///   minute  = 30
///   hour    = 4
///   command = "/usr/local/bin/rotate"
/// }
/// ```
///
/// `schedule` says the same in one text, or in a word such as `"@daily"`. In a crontab a `%` of the command is a line
/// break unless a backslash stands before it, which is `"\\%"` here.
///
/// ```hcl
/// cron "report" {
///   file        = "report"
///   user        = "nobody"
///   schedule    = "0 6 * * mon-fri"
///   command     = "date +\\%F"
///   environment = { MAILTO = "ops@example.org" }
/// }
/// ```
#[expect(clippy::duplicated_attributes, reason = "a property can be in several groups")]
#[derive(Clone, Debug, Resource)]
#[resource(
    kind = "cron",
    also("cronjob", "cron_d", "crontab"),
    any_of(schedule, minute, hour, day, month, weekday),
    exclusive(schedule, minute),
    exclusive(schedule, hour),
    exclusive(schedule, day),
    exclusive(schedule, month),
    exclusive(schedule, weekday),
    claims,
    interests
)]
pub struct Cron {
    /// What it is called; the block's label unless set.
    #[name]
    #[check(is_one_line, "must be one line of text")]
    pub name: String,
    /// Who runs it.
    #[identity(loaded)]
    #[default("root")]
    pub user: UserName,
    /// The name of a file in `/etc/cron.d` to put it in, instead of the user's crontab. Several entries can be in one file.
    #[also("cron_file")]
    #[check(is_file_name, "must be a name of letters, digits, `_` and `-`: `cron` passes over others")]
    pub file: Option<String>,
    /// When it runs: minute, hour, day of the month, month and day of the week, or one of `@reboot`, `@hourly`, `@daily`,
    /// `@weekly`, `@monthly` and `@yearly`.
    #[also("special", "special_time", "predefined_value", "time")]
    pub schedule: Want<Schedule>,
    /// The minute, 0 to 59.
    #[check(time_field::is_minute, "must be from 0 to 59, or as in \"*/5\"")]
    pub minute: Option<TimeField>,
    /// The hour, 0 to 23.
    #[check(time_field::is_hour, "must be from 0 to 23, or as in \"8-17\"")]
    pub hour: Option<TimeField>,
    /// The day of the month, 1 to 31. If `weekday` is set, too, either is enough, as everywhere in crontabs.
    #[also("monthday")]
    #[check(time_field::is_day, "must be from 1 to 31, or as in \"1,15\"")]
    pub day: Option<TimeField>,
    /// The month, 1 to 12, or its first three letters.
    #[check(time_field::is_month, "must be from 1 to 12, or as in \"jan\"")]
    pub month: Option<TimeField>,
    /// The day of the week, 0 to 7, where 0 and 7 are Sunday, or its first three letters.
    #[check(time_field::is_weekday, "must be from 0 to 7, or as in \"mon-fri\"")]
    pub weekday: Option<TimeField>,
    /// What is run.
    #[also("job")]
    #[required]
    #[check(is_command, "must be one line of text without spaces at its ends")]
    pub command: Want<String>,
    /// Variables for it. Only with `file`: those of a crontab hold for all that is written below them, and that is
    /// somebody else's in a user's crontab. In a file they hold for the entries below, too.
    #[also("env")]
    #[check(are_variables, "must have names of letters, digits and `_`, and values of one line")]
    pub environment: Want<BTreeMap<String, String>>,
    /// Whether it runs. One that does not is kept as a comment; one that somebody made a comment runs again.
    #[also("disabled")]
    #[enforce(true)]
    pub enabled: Want<bool>,
}

fn is_command(value: &Value) -> bool {
    is_trimmed_line(value) && *value != Value::text("")
}

fn is_file_name(value: &Value) -> bool {
    let fine = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    matches!(value, Value::Text(text) if !text.is_empty() && text.chars().all(fine))
}

fn are_variables(value: &Value) -> bool {
    matches!(value, Value::Map(map) if map.iter().all(|(name, value)| is_name(name) && is_one_line(value)))
}

impl Resource for Cron {
    fn prepare(&mut self, host: &Reading<'_>) -> Result<()> {
        self.check_finer_fields()?;
        let fields = self.fields();
        if fields.iter().any(Option::is_some) {
            let fields = fields.map(|field| field.map_or("*", TimeField::as_str));
            self.schedule = Want::Set(Schedule::of(fields));
        }
        if self.file.is_none() && self.environment.is_set() {
            let what = format!("`{}` cannot have variables of its own in a user's crontab", self.name);
            return Err(
                Error::new(ErrorKind::Invalid, what).hint("set `file`, too, or set them in `command`")
            );
        }
        self.user.id(host).map(drop)
    }

    fn load(&self, host: &Reading<'_>) -> Result<Option<CronState>> {
        let Some(place) = self.place(host)? else { return Ok(None) };
        let text = place.read(host)?;
        let entry = Crontab::new(&text, place.form()).entry(&self.name);
        Ok(entry.map(|entry| CronState {
            user: self.found(entry.user.as_deref(), host),
            schedule: entry.schedule,
            command: entry.command,
            environment: entry.environment,
            enabled: entry.enabled,
        }))
    }

    fn check_create(&self, host: &Reading<'_>) -> Result<()> {
        match &self.file {
            Some(file) => parent::check(Place::shared(file).path(), host),
            None => Ok(()),
        }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let Some(place) = self.place(host)? else { return Ok(()) };
        let entry = match step {
            Step::Create { goal } | Step::Update { goal, .. } => self.entry(goal, host)?,
            Step::Remove { .. } => None,
        };
        let text = place.content(host)?;
        place.write(&Crontab::new(&text, place.form()).with(&self.name, entry.as_ref()), host)
    }
}

impl Claiming for Cron {
    /// It changes a part of a crontab, as others may do, and holds one entry of it alone.
    fn add_claims(&self, claims: &mut Claims) {
        let crontab = match &self.file {
            Some(file) => Claim::Path(Place::shared(file).path().to_owned()),
            None => Claim::Other("crontab of", ownership::written(&self.user).into()),
        };
        claims.hold(Claim::Other("the", format!("entry `{}` in {crontab}", self.name).into()));
        claims.edit(crontab);
    }

    fn owned_paths(&self) -> Option<OwnedPaths> {
        let cron = self.clone();
        let path = move |host: &Reading<'_>| {
            cron.place(host).map(|place| place.map(|place| place.path().to_owned()).into_iter().collect())
        };
        Some(Box::new(path))
    }
}

impl Watching for Cron {
    fn add_interests(&self, host: &Reading<'_>, interests: &mut Vec<Interest>) {
        let place = self.place(host).ok().flatten();
        interests.extend(place.map(|place| Interest::Path(place.path().to_owned())));
    }
}

impl Cron {
    /// Minute, hour, day, month and day of the week.
    fn fields(&self) -> [Option<&TimeField>; 5] {
        [&self.minute, &self.hour, &self.day, &self.month, &self.weekday].map(Option::as_ref)
    }

    /// An hour without a minute would mean each of its minutes, which hardly anybody wants.
    fn check_finer_fields(&self) -> Result<()> {
        let [minute, hour, rest @ ..] = self.fields();
        let coarser = rest.iter().any(Option::is_some);
        let missing = match (minute, hour) {
            (None, Some(_)) => "minute",
            (None, None) if coarser => "minute",
            (Some(_), None) if coarser => "hour",
            _ => return Ok(()),
        };
        let what = format!("it is not said at which {missing} `{}` runs", self.name);
        Err(Error::new(ErrorKind::Invalid, what)
            .hint(format!("set `{missing}`, too; \"*\" is every {missing}")))
    }

    /// None if the user whose crontab it is does not exist.
    fn place(&self, host: &Reading<'_>) -> Result<Option<Place>> {
        match (&self.file, self.login(host)?) {
            (Some(file), _) => Ok(Some(Place::shared(file))),
            (None, Some(user)) => Place::own(user, host).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The user's name, which is what crontabs go by.
    fn login(&self, host: &Reading<'_>) -> Result<Option<String>> {
        match self.user.to_value() {
            Value::Text(name) => Ok(Some(name.to_string())),
            _ => Ok(host.accounts().user_by_id(self.user.id(host)?)?.map(|user| user.name)),
        }
    }

    /// Who runs it, in the form of the wish.
    fn found(&self, user: Option<&str>, host: &Reading<'_>) -> UserName {
        match user {
            Some(user) if self.login(host).ok().flatten().as_deref() != Some(user) => UserName::named(user),
            _ => self.user.clone(),
        }
    }

    fn entry(&self, goal: &CronGoal, host: &Reading<'_>) -> Result<Option<Entry>> {
        let Some(schedule) = goal.schedule.clone() else { return Ok(None) };
        Ok(Some(Entry {
            schedule,
            user: if self.file.is_some() { self.login(host)? } else { None },
            command: goal.command.clone(),
            enabled: goal.enabled,
            environment: goal.environment.clone().unwrap_or_default(),
        }))
    }
}
