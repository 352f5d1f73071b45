//! The problem of a rule over several properties that is broken.

use uphold_model::{Group, GroupRule, Problem, ProblemKind};

/// The problem, at the first property that is set. `set`: all properties of the group that are.
pub(crate) fn group_problem(group: &Group, set: &[&'static str]) -> Problem {
    let all = group.properties.join("`, `");
    let (sort, rule, fix) = match group.rule {
        GroupRule::Exclusive => {
            (ProblemKind::Invalid, format!("excludes `{}`", set[1]), "keep one of them".to_owned())
        }
        GroupRule::AnyOf => {
            let others = group.properties[1..].join("` or `");
            (ProblemKind::Missing, format!("or `{others}` is required"), format!("set one of `{all}`"))
        }
        GroupRule::Together => {
            (ProblemKind::Missing, "cannot be set alone".to_owned(), format!("set all of `{all}`"))
        }
        GroupRule::Requires => {
            let others = group.properties[1..].join("` or `");
            let fix = format!("set `{others}`, or remove `{}`", group.properties[0]);
            (ProblemKind::Missing, format!("has no effect without `{others}`"), fix)
        }
    };
    let fix = group.fix.map_or(fix, str::to_owned);
    Problem::new(None, rule, fix).sort(sort).inside(set.first().unwrap_or(&group.properties[0]))
}
