//! What resources are now, without declaring anything.

use mlua::{Lua, MultiValue, Table};
use uphold_model::{Declaration, Schema, Term, Value, closest};
use uphold_resource::{Context, Error, ErrorKind, Fields, Instance, Observation, Result, home};

use crate::frame::{Frame, argument};
use crate::surroundings::outside;

impl Frame<'_> {
    /// What a property of a resource is now.
    pub(crate) fn value_of(&self, lua: &Lua, arguments: &MultiValue) -> mlua::Result<MultiValue> {
        let property: String = argument(lua, arguments, 3)?;
        let found = self.look_at(lua, arguments, |schema, instance, seen| {
            if schema.property(&property).is_none() {
                let names: Vec<&str> = schema.all().iter().map(|property| property.name).collect();
                let hint = match closest(&property, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("it has {}", names.join(", ")),
                };
                let what = format!("a {} has no property `{property}`", schema.kind);
                return Err(Error::new(ErrorKind::Invalid, what).hint(hint));
            }
            Ok(instance.value(&property, seen).unwrap_or_default())
        })?;
        Ok(MultiValue::from_vec(vec![self.open(lua, &found)?]))
    }

    /// All that a look at a resource tells; nil if it is not there.
    pub(crate) fn read_all(&self, lua: &Lua, arguments: &MultiValue) -> mlua::Result<MultiValue> {
        let found = self.look_at(lua, arguments, |schema, instance, seen| {
            let all = schema.all().into_iter();
            let all = all.filter_map(|property| Some((property.name, instance.value(property.name, seen)?)));
            Ok(if seen.is_some() { Value::map(all) } else { Value::Null })
        })?;
        Ok(MultiValue::from_vec(vec![self.open(lua, &found)?]))
    }

    fn look_at(
        &self,
        lua: &Lua,
        arguments: &MultiValue,
        tell: impl FnOnce(&Schema, &dyn Instance, Option<&Observation>) -> Result<Value>,
    ) -> mlua::Result<Value> {
        let (kind, name): (String, String) = (argument(lua, arguments, 0)?, argument(lua, arguments, 1)?);
        let table: Table = argument(lua, arguments, 2)?;
        let asked: Option<String> = argument(lua, arguments, 3)?;
        let declared = self.declaration(&kind, &name, &table)?;
        let wants = |name: &str| asked.as_ref().is_none_or(|asked| asked == name);
        self.look_declared(declared, &wants, tell).map_err(|error| self.fail(error))
    }

    fn look_declared(
        &self,
        declared: Declaration,
        wants: &(dyn Fn(&str) -> bool + Sync),
        tell: impl FnOnce(&Schema, &dyn Instance, Option<&Observation>) -> Result<Value>,
    ) -> Result<Value> {
        let observe = self.observe().map_err(|_| outside())?;
        let (kind, name) = (declared.id.kind.clone(), declared.id.name.clone());
        let kinds = self.around()?.kinds();
        let kind = kinds
            .get(&kind)
            .ok_or_else(|| Error::new(ErrorKind::Invalid, format!("there is no kind `{kind}`")))?;
        let values = declared.attributes.into_iter().filter_map(|attribute| match attribute.value {
            Term::Known(value) => Some((attribute.name, value)),
            Term::Deferred(_) => None,
        });
        let home = |user: &str| home(observe, user);
        let context = Context { home: &home, base: None };
        let (instance, findings) = kind.decode(Fields::to_look(&name, values.collect(), context));
        let Some(mut instance) = instance else {
            let wrong = findings.problems.first().map(ToString::to_string).unwrap_or_default();
            return Err(Error::new(ErrorKind::Invalid, wrong));
        };
        instance.prepare(observe)?;
        for interest in instance.interests(observe) {
            self.watch(interest);
        }
        let wants = |property: &str| wants(property) || observe.needs(property);
        let seen = instance.look(&observe.wanting(&wants))?;
        tell(kind.schema(), &*instance, seen.exists.then_some(&seen))
    }
}
