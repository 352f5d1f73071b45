//! Definitions that a kind inherits, and its own ones.

use mlua::Table;

/// The inherited definitions, each replaced by an own one of the same name, then the other own ones.
pub(crate) fn merged<T: Clone>(
    inherited: Option<&[(String, T)]>,
    own: Vec<(String, T)>,
    replace: impl Fn(&T, T) -> mlua::Result<T>,
) -> mlua::Result<Vec<(String, T)>> {
    let mut all = inherited.map(<[_]>::to_vec).unwrap_or_default();
    for (name, made) in own {
        match all.iter_mut().find(|(other, _)| *other == name) {
            Some(slot) => slot.1 = replace(&slot.1, made)?,
            None => all.push((name, made)),
        }
    }
    Ok(all)
}

/// A property of the parent with the fields that the kind overrides.
pub(crate) fn overridden(lua: &mlua::Lua, old: &Table, new: Table) -> mlua::Result<Table> {
    let both = lua.create_table()?;
    for part in [old.clone(), new] {
        for pair in part.pairs::<mlua::Value, mlua::Value>() {
            let (word, value) = pair?;
            both.raw_set(word, value)?;
        }
    }
    Ok(both)
}
