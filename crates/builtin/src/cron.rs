//! The kind `cron`.

mod crontab;
mod entry;
mod schedule;

use std::collections::BTreeMap;

use crontab::{Crontab, Place};
use entry::{Entry, is_name};
use uphold_kit::checks::{is_one_line, is_trimmed_line};
use uphold_kit::{ownership, parent};
use uphold_resource::{
    Act, Claim, Claiming, Claims, Found, Interest, Look, OwnedPaths, Previous, Problem, ProblemKind,
    Property, Reading, Resource, Result, Step, UserName, Value, Want, Watching, Wish,
};

pub use schedule::{Schedule, TimeField};

/// A command that `cron` runs on a schedule.
///
/// Manages one entry of the user's crontab, or with `file` of a file in `/etc/cron.d`. The line `# uphold: NAME`
/// above the entry identifies it; all other lines are kept.
///
/// ```hcl
/// cron "rotate" {
///   minute  = 30
///   hour    = 4
///   command = "/usr/local/bin/rotate"
/// }
/// ```
///
/// `schedule` takes all five fields in one string, or a word such as `"@daily"`. As in any crontab, a `%` in the
/// command is a line break unless a backslash precedes it, written `"\\%"` here.
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
    /// Name of the entry; defaults to the block's label.
    #[name]
    #[check(is_one_line, "must be a single line")]
    pub name: String,
    /// User that runs the command.
    #[identity(loaded)]
    #[default("root")]
    pub user: UserName,
    /// File name in `/etc/cron.d` to use instead of the user's crontab. Several entries can share a file.
    #[also("cron_file")]
    #[check(
        is_file_name,
        "must contain only letters, digits, `_` and `-`, because `cron` ignores other files"
    )]
    pub file: Option<String>,
    /// Schedule as minute, hour, day of the month, month and day of the week, as in `"0 6 * * mon-fri"`, or one of
    /// `@reboot`, `@hourly`, `@daily`, `@weekly`, `@monthly` and `@yearly`.
    #[also("special", "special_time", "predefined_value", "time")]
    pub schedule: Want<Schedule>,
    /// Minute, 0 to 59.
    #[check(schedule::is_minute, "must be from 0 to 59, or as in \"*/5\"")]
    pub minute: Option<TimeField>,
    /// Hour, 0 to 23.
    #[check(schedule::is_hour, "must be from 0 to 23, or as in \"8-17\"")]
    pub hour: Option<TimeField>,
    /// Day of the month, 1 to 31. If `weekday` is also set, the command runs on days that match either, as in any
    /// crontab.
    #[also("monthday")]
    #[check(schedule::is_day, "must be from 1 to 31, or as in \"1,15\"")]
    pub day: Option<TimeField>,
    /// Month, 1 to 12, or its first three letters.
    #[check(schedule::is_month, "must be from 1 to 12, or as in \"jan\"")]
    pub month: Option<TimeField>,
    /// Day of the week, 0 to 7, where 0 and 7 are Sunday, or its first three letters.
    #[check(schedule::is_weekday, "must be from 0 to 7, or as in \"mon-fri\"")]
    pub weekday: Option<TimeField>,
    /// Command to run.
    #[also("job")]
    #[required]
    #[check(is_command, "must be a single line without spaces at its ends")]
    pub command: Want<String>,
    /// Environment variables of the command. Only with `file`: variables apply to all later lines of a crontab, and
    /// in a user's crontab those belong to others. In a file they also apply to the entries below.
    #[also("env")]
    #[check(are_variables, "must have names of letters, digits and `_`, and single-line values")]
    pub environment: Want<BTreeMap<String, String>>,
    /// Whether the entry is active. A disabled entry is kept as a comment; an entry that was commented out by hand
    /// is enabled again.
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
    fn validate(&self) -> Result<(), Problem> {
        Problem::of_members([self.missing_field(), self.lone_environment()].into_iter().flatten())
            .map_or(Ok(()), Err)
    }

    fn prepare(&self, look: &Look<'_>) -> Result<CronWishes> {
        self.user.id(look)?;
        let fields = self.fields();
        let schedule = if fields.iter().any(Option::is_some) {
            Wish::Set(Schedule::of(fields.map(|field| field.map_or("*", TimeField::as_str))))
        } else {
            Wish::Declared
        };
        Ok(CronWishes { schedule, ..CronWishes::default() })
    }

    fn load(&self, look: &Look<'_>) -> Result<Found<Self>> {
        let Some(place) = self.place(look)? else { return Ok(Found::Absent) };
        let text = place.read(look)?;
        let entry = Crontab::new(&text, place.form()).entry(&self.name);
        Ok(entry
            .map(|entry| CronState {
                user: self.found(entry.user.as_deref(), look),
                schedule: entry.schedule,
                command: entry.command,
                environment: entry.environment,
                enabled: entry.enabled,
            })
            .into())
    }

    fn check_create(&self, look: &Look<'_>) -> Result<()> {
        match &self.file {
            Some(file) => parent::check(Place::shared(file).path(), look),
            None => Ok(()),
        }
    }

    fn apply(&self, step: Step<'_, Self>, host: &Act<'_>) -> Result<()> {
        let Some(place) = self.place(host)? else { return Ok(()) };
        let entry = step.goal().map(|goal| self.entry(goal, host)).transpose()?.flatten();
        let text = place.content(host)?;
        place.write(&Crontab::new(&text, place.form()).with(&self.name, entry.as_ref()), host)
    }

    fn previous(&self, _: Step<'_, Self>) -> Previous {
        // Only a file of its own has variables.
        if self.file.is_some() { Previous::VALUES } else { Previous::without(&["environment"]) }
    }
}

impl Claiming for Cron {
    /// Other entries may be in the same crontab, but only one resource may manage each entry.
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

    /// An hour without a minute would run the command every minute of that hour, which is rarely intended.
    fn missing_field(&self) -> Option<Problem> {
        let [minute, hour, rest @ ..] = self.fields();
        let coarser = rest.iter().any(Option::is_some);
        let missing = match (minute, hour) {
            (None, Some(_)) => "minute",
            (None, None) if coarser => "minute",
            (Some(_), None) if coarser => "hour",
            _ => return None,
        };
        let fix = format!("set `{missing}`; \"*\" means every {missing}");
        let rule = "is required with a coarser field";
        Some(Problem::new(None, rule, fix).sort(ProblemKind::Missing).inside(missing))
    }

    fn lone_environment(&self) -> Option<Problem> {
        let is_lone = self.file.is_none() && self.environment.is_set();
        let problem = || {
            let fix = "set `file` as well, or set the variables in `command`";
            Problem::new(None, "cannot be set in a user's crontab", fix).inside("environment")
        };
        is_lone.then(problem)
    }

    /// The crontab; none if its user does not exist.
    fn place(&self, host: &Reading<'_>) -> Result<Option<Place>> {
        match (&self.file, self.login(host)?) {
            (Some(file), _) => Ok(Some(Place::shared(file))),
            (None, Some(user)) => Place::own(user, host).map(Some),
            (None, None) => Ok(None),
        }
    }

    /// The user's name, by which crontabs are stored.
    fn login(&self, host: &Reading<'_>) -> Result<Option<String>> {
        match self.user.to_value() {
            Value::Text(name) => Ok(Some(name.to_string())),
            _ => Ok(host.accounts().user_by_id(self.user.id(host)?)?.map(|user| user.name)),
        }
    }

    /// The user of an existing entry, by name or number as declared.
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
