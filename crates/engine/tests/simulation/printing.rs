//! Prints a scene, a line for each statement.

use std::fmt;

use super::scene::{Around, Condition, Drift, Group, Mark, Prop, Scene, Tell, Text};

impl fmt::Display for Scene {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {:?}, {} jobs, fault {:?}", self.seed, self.jobs, self.fault)?;
        let mut depth = 0;
        for mark in &self.layout {
            depth -= usize::from(matches!(mark, Mark::End));
            write!(f, "{:1$}", "", 2 * depth)?;
            match mark {
                Mark::Begin(cluster) => writeln!(f, "group {cluster}{} {{", self.clusters[*cluster])?,
                Mark::End => writeln!(f, "}}")?,
                Mark::Declare(thing) => writeln!(f, "{thing}: {}", self.things[*thing])?,
                Mark::Do(step) => {
                    let act = self.steps[*step];
                    writeln!(f, "  step {step}: {} of {}", act.action, act.thing)?;
                }
            }
            depth += usize::from(matches!(mark, Mark::Begin(_)));
        }
        Ok(())
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.sequence { " sequence" } else { " parallel" })?;
        self.concurrency.iter().try_for_each(|most| write!(f, " {most} at a time"))?;
        self.subscribes.iter().try_for_each(|thing| write!(f, ", subscribes to {thing}"))?;
        write!(f, "{}", self.around)
    }
}

impl fmt::Display for Prop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.kind, self.path, self.how)?;
        match &self.text {
            Text::Fixed(text) => write!(f, " {text:?}")?,
            Text::LengthOf(other) => write!(f, " reads {other}")?,
        }
        match self.drift {
            Drift::Absent => {}
            Drift::AsWanted => f.write_str(", is there")?,
            Drift::Other => f.write_str(", differs")?,
        }
        if self.ready > 0 {
            write!(f, ", ready at {}", self.ready)?;
        }
        self.depends_on.iter().try_for_each(|other| write!(f, ", after {other}"))?;
        self.when.iter().try_for_each(|when| write!(f, ", when {when}"))?;
        self.locks.iter().try_for_each(|lock| write!(f, ", lock {lock}"))?;
        self.retry.iter().try_for_each(|times| write!(f, ", retry {times}"))?;
        self.timeout.iter().try_for_each(|seconds| write!(f, ", timeout {seconds}"))?;
        self.subscribes.iter().try_for_each(|tell| write!(f, ", hears {tell}"))?;
        write!(f, "{}", self.around)
    }
}

impl fmt::Display for Around {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.notifies.iter().try_for_each(|tell| write!(f, ", tells {tell}"))?;
        for (expected, condition) in &self.guards {
            write!(f, ", {} {condition}", if *expected { "only_if" } else { "not_if" })?;
        }
        f.write_str(if self.audit { ", audit" } else { "" })?;
        f.write_str(if self.ignore_failure { ", ignore_failure" } else { "" })
    }
}

impl fmt::Display for Tell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} {}", self.other, self.action, self.moment.word())
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Condition::Bool(holds) => write!(f, "{holds}"),
            Condition::Command(holds) => write!(f, "`{holds}`"),
            Condition::Length(thing, length) => write!(f, "length of {thing} is {length}"),
            Condition::There(thing) => write!(f, "`test -e {thing}`"),
        }
    }
}
