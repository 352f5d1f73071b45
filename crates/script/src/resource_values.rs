//! Reads properties of resources on the machine, without running an action.

use mlua::{Lua, MultiValue, Table};
use uphold_model::{Declaration, Schema, Term, Value, closest};
use uphold_resource::{Context, Error, ErrorKind, Fields, Instance, Look, Observation, Result, home};

use crate::frame::{Frame, argument};
use crate::parent_run::no_run;

impl Frame<'_> {
    /// The current value of one property.
    pub(crate) fn value_of(&self, lua: &Lua, arguments: &MultiValue) -> mlua::Result<MultiValue> {
        let property: String = argument(lua, arguments, 3)?;
        let found = self.load_resource(lua, arguments, |schema, instance, seen| {
            if schema.property(&property).is_none() {
                let names: Vec<&str> = schema.all().iter().map(|property| property.name).collect();
                let hint = match closest(&property, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None => format!("its properties are {}", names.join(", ")),
                };
                let what = format!("`{}` has no property `{property}`", schema.kind);
                return Err(Error::new(ErrorKind::Invalid, what).hint(hint));
            }
            Ok(instance.value(&property, seen).unwrap_or_default())
        })?;
        Ok(MultiValue::from_vec(vec![self.open(lua, &found)?]))
    }

    /// The current values of all properties; nil if the resource does not exist.
    pub(crate) fn read_all(&self, lua: &Lua, arguments: &MultiValue) -> mlua::Result<MultiValue> {
        let found = self.load_resource(lua, arguments, |schema, instance, seen| {
            let all = schema.all().into_iter();
            let all = all.filter_map(|property| Some((property.name, instance.value(property.name, seen)?)));
            Ok(if seen.is_some() { Value::map(all) } else { Value::Null })
        })?;
        Ok(MultiValue::from_vec(vec![self.open(lua, &found)?]))
    }

    fn load_resource(
        &self,
        lua: &Lua,
        arguments: &MultiValue,
        read: impl FnOnce(&Schema, &dyn Instance, Option<&Observation>) -> Result<Value>,
    ) -> mlua::Result<Value> {
        let (kind, name): (String, String) = (argument(lua, arguments, 0)?, argument(lua, arguments, 1)?);
        let table: Table = argument(lua, arguments, 2)?;
        let asked: Option<String> = argument(lua, arguments, 3)?;
        let declared = self.declaration(&kind, &name, &table)?;
        let wants = |name: &str| asked.as_ref().is_none_or(|asked| asked == name);
        self.load_declared(declared, &wants, read).map_err(|error| self.fail(error))
    }

    fn load_declared(
        &self,
        declared: Declaration,
        wants: &(dyn Fn(&str) -> bool + Sync),
        read: impl FnOnce(&Schema, &dyn Instance, Option<&Observation>) -> Result<Value>,
    ) -> Result<Value> {
        let observe = self.observe().map_err(|_| no_run())?;
        let (kind, name) = (declared.id.kind.clone(), declared.id.name.clone());
        let kinds = self.parent_run()?.kinds();
        let kind = kinds
            .get(&kind)
            .ok_or_else(|| Error::new(ErrorKind::Invalid, format!("there is no kind `{kind}`")))?;
        let values = declared.attributes.into_iter().filter_map(|attribute| match attribute.value {
            Term::Known(value) => Some((attribute.name, value)),
            Term::Deferred(_) => None,
        });
        let home = |user: &str| home(observe, user);
        let context = Context { home: &home, base: None };
        let (instance, findings) = kind.decode(Fields::for_reading(&name, values.collect(), context));
        let Some(declared) = instance else {
            let wrong = findings.problems.first().map(ToString::to_string).unwrap_or_default();
            return Err(Error::new(ErrorKind::Invalid, wrong));
        };
        let look = Look::to_read(observe);
        let instance = declared.prepare(&look)?.unwrap_or(declared);
        for interest in instance.interests(observe) {
            self.watch(interest);
        }
        let needs = |property: &str| wants(property) || look.needs(property);
        let seen = instance.look(&look.needing(&needs))?;
        read(kind.schema(), &*instance, seen.exists.then_some(&seen))
    }
}
