//! Functions on times.

use jiff::Timestamp;
use uphold_model::{Shape, Value};

use super::moment::Moment;
use super::{date_format, duration};
use crate::call::{Call, Fault};
use crate::function::Accepts::Text;
use crate::function::{Body, Function, Topic, example, takes};

pub(crate) static FUNCTIONS: &[Function] = &[
    Function {
        name: "formatdate",
        topic: Topic::Time,
        parameters: &[takes("format", Text), takes("time", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Formats a time: `YYYY` `YY` year, `MMMM` `MMM` `MM` `M` month, `DD` `D` day, `EEEE` `EEE` \
              weekday, `hh` `h` hour, `HH` `H` hour of 12 with `AA` or `aa`, `mm` `m` minute, `ss` `s` \
              second, `Z` `ZZZ` `ZZZZ` `ZZZZZ` offset. Literal letters need single quotes. The time is shown \
              with its own offset.",
        examples: &[
            example("formatdate(\"DD MMM YYYY hh:mm\", \"2018-01-02T23:12:01Z\")", "\"02 Jan 2018 23:12\""),
            example(
                "formatdate(\"YYYY-MM-DD'T'hh:mm:ssZ\", \"2018-01-02T23:12:01Z\")",
                "\"2018-01-02T23:12:01Z\"",
            ),
        ],
        body: Body::Whole(|call| {
            let text = date_format::write(call.text(0)?, moment(call, 1)?);
            text.map(Value::text).map_err(|message| Fault::at(0, message))
        }),
    },
    Function {
        name: "timeadd",
        topic: Topic::Time,
        parameters: &[takes("time", Text), takes("duration", Text)],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Adds a duration to a time. A duration is a sequence of numbers with units, `h`, `m`, `s`, `ms`, \
              `us` or `ns`, and can be negative: `1h30m`, `-10m`.",
        examples: &[
            example("timeadd(\"2017-11-22T00:00:00Z\", \"10m\")", "\"2017-11-22T00:10:00Z\""),
            example("timeadd(\"2017-11-22T00:00:00+02:00\", \"-1.5h\")", "\"2017-11-21T22:30:00+02:00\""),
        ],
        body: Body::Whole(timeadd),
    },
    Function {
        name: "timecmp",
        topic: Topic::Time,
        parameters: &[takes("a", Text), takes("b", Text)],
        rest: None,
        gives: Some(Shape::Number),
        doc: "Compares two times: -1 if the first is earlier, 0 if they are equal, 1 if it is later.",
        examples: &[
            example("timecmp(\"2017-11-22T00:00:00Z\", \"2017-11-22T01:00:00Z\")", "-1"),
            example("timecmp(\"2017-11-22T01:00:00Z\", \"2017-11-22T00:00:00-01:00\")", "0"),
        ],
        body: Body::Whole(|call| {
            Ok(Value::Int(moment(call, 0)?.instant().cmp(&moment(call, 1)?.instant()) as i64))
        }),
    },
    Function {
        name: "timestamp",
        topic: Topic::Time,
        parameters: &[],
        rest: None,
        gives: Some(Shape::Text),
        doc: "Returns the time when the command was started, in UTC. It is constant during a run, but differs \
              in the next one: a property that uses it changes every time. `uphold watch` evaluates it again \
              at every check.",
        examples: &[example("timestamp()", "\"2024-05-01T12:30:00Z\"")],
        body: Body::Whole(timestamp),
    },
];

fn moment(call: &Call<'_>, index: usize) -> Result<Moment, Fault> {
    Moment::parse(call.text(index)?).map_err(|message| Fault::at(index, message))
}

fn timeadd(call: &Call<'_>) -> Result<Value, Fault> {
    let start = moment(call, 0)?;
    let nanoseconds = duration::parse(call.text(1)?).map_err(|message| Fault::at(1, message))?;
    let end = start
        .plus(nanoseconds)
        .ok_or_else(|| Fault::new("the result is not between the years 0 and 9999"))?;
    Ok(Value::text(end.write()))
}

fn timestamp(call: &Call<'_>) -> Result<Value, Fault> {
    let now = Timestamp::try_from(call.surroundings.now());
    let instant =
        now.map_err(|_| Fault::new("the clock of this machine is not between the years 1 and 9999"))?;
    Ok(Value::text(Moment::utc(instant).write()))
}
