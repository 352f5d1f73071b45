//! What a script knows of the run around it, and asks of it.

use mlua::{Lua, MultiValue, Table};
use uphold_model::{Action, Moment, ResourceId, closest};
use uphold_resource::{Around, Error, ErrorKind, NestedNotification, Result};

use crate::declaration::attributes;
use crate::frame::{Frame, argument};

impl Frame<'_> {
    pub(crate) fn answer_around(
        &self,
        lua: &Lua,
        op: &str,
        arguments: &MultiValue,
    ) -> mlua::Result<MultiValue> {
        let text = |at: usize| argument::<String>(lua, arguments, at);
        let bool = |answer: bool| MultiValue::from_vec(vec![mlua::Value::Boolean(answer)]);
        match op {
            "notify" => {
                let id = ResourceId::new(text(0)?, text(1)?);
                let moment = Moment::named(&text(3)?).unwrap_or_default();
                let (action, tries) = (&action(&text(2)?), self.tries());
                let sent = NestedNotification { id: &id, action, moment, tries, counts: true };
                let around = self.around().map_err(|error| self.fail(error))?;
                around.notify(&sent).map(bool).map_err(|error| self.fail(error))
            }
            "is_declared" => {
                let id = ResourceId::new(text(0)?, text(1)?);
                let found = self.around().ok().and_then(|around| around.find(&id));
                Ok(bool(found.is_some()))
            }
            "edit" => {
                let id = ResourceId::new(text(0)?, text(1)?);
                let table: Table = argument(lua, arguments, 2)?;
                let around = self.around().map_err(|error| self.fail(error))?;
                let edits = self.guarded(attributes(around.kinds(), &id.kind, &table)?.0);
                around.edit(&id, edits).map(bool).map_err(|error| self.fail(error))
            }
            "child" => self.child(lua, &text(0)?, &text(1)?),
            "is_kind" => {
                let name = text(0)?;
                Ok(bool(self.around().is_ok_and(|around| around.kinds().get(&name).is_some())))
            }
            "suggest" => {
                let names: Vec<String> = argument(lua, arguments, 1)?;
                let kinds = self.around().into_iter().flat_map(|around| around.kinds().iter());
                let kinds = kinds.map(|kind| kind.schema().kind);
                let near =
                    closest(&text(0)?, names.iter().map(String::as_str).chain(kinds)).map(str::to_owned);
                lua.pack_multi(near.map_or_else(String::new, |near| format!("; did you mean {near}?")))
            }
            "address" => {
                let (kind, name, verb) = parse_address(&text(0)?).ok_or_else(|| {
                    let hint = "write KIND.NAME.ACTION, or KIND[\"NAME\"].ACTION";
                    self.fail(Error::new(ErrorKind::Invalid, "this is no address").hint(hint))
                })?;
                lua.pack_multi((kind, name, verb))
            }
            "address_of" => lua.pack_multi(ResourceId::new(text(0)?, text(1)?).to_string()),
            other => Err(mlua::Error::runtime(format!("there is no `{other}`"))),
        }
    }

    /// The run around.
    pub(crate) fn around(&self) -> Result<&dyn Around> {
        let observe = self.observe().map_err(|_| outside())?;
        observe.around().ok_or_else(outside)
    }

    /// `aws_instance` with a property `aws` is what an `aws` calls its `instance`.
    fn child(&self, lua: &Lua, kind: &str, name: &str) -> mlua::Result<MultiValue> {
        let Ok(around) = self.around() else { return Ok(MultiValue::from_vec(vec![mlua::Nil])) };
        let own = around.kinds().get(kind).is_some_and(|own| own.schema().property(name).is_some());
        let child = format!("{kind}_{name}");
        let found = around.kinds().get(&child).filter(|child| child.schema().property(kind).is_some());
        if own || found.is_none() {
            return Ok(MultiValue::from_vec(vec![mlua::Nil]));
        }
        let table = lua.create_table()?;
        table.set("kind", child)?;
        table.set("property", kind)?;
        lua.pack_multi(table)
    }
}

/// Where there is no run, there are no other resources.
pub(crate) fn outside() -> Error {
    Error::new(ErrorKind::Unsupported, "other resources are known only while a configuration runs")
}

/// The action of this name.
pub(crate) fn action(word: &str) -> Action {
    Action::named(word).unwrap_or(Action::Converge)
}

/// `service.nginx.reload`, `file["/etc/motd"]`, `service["nginx"].reload`.
fn parse_address(text: &str) -> Option<(String, String, Option<String>)> {
    let at = text.find(['.', '['])?;
    let (kind, rest) = text.split_at(at);
    if let Some(quoted) = rest.strip_prefix("[\"") {
        let (name, after) = quoted.split_once("\"]")?;
        let verb = after.strip_prefix('.').map(str::to_owned);
        return Some((kind.to_owned(), name.to_owned(), verb));
    }
    let mut parts = rest[1..].splitn(2, '.');
    Some((kind.to_owned(), parts.next()?.to_owned(), parts.next().map(str::to_owned)))
}

#[cfg(test)]
mod tests {
    use super::parse_address;

    #[test]
    fn addresses_are_read() {
        let check = |text: &str, kind: &str, name: &str, verb: Option<&str>| {
            let expected = Some((kind.to_owned(), name.to_owned(), verb.map(str::to_owned)));
            assert_eq!(parse_address(text), expected, "{text}");
        };
        check("service.nginx.reload", "service", "nginx", Some("reload"));
        check("service.nginx", "service", "nginx", None);
        check("file[\"/etc/a.b\"]", "file", "/etc/a.b", None);
        check("service[\"a.b\"].restart", "service", "a.b", Some("restart"));
        assert_eq!(parse_address("nonsense"), None);
    }
}
