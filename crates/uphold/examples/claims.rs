//! Claims: the order of resources, without `depends_on` in the configuration.

use uphold::prelude::*;

/// A mailbox, which always exists.
#[derive(Resource)]
#[resource(kind = "mailbox", permanent, claims)]
struct Mailbox {
    /// Its address.
    #[name]
    address: String,
    /// The address that mail is forwarded to.
    forward: Option<String>,
}

impl Resource for Mailbox {
    fn load(&self, _: &Look<'_>) -> Result<Found<Self>> {
        Ok(Found::This(MailboxState {}))
    }

    fn apply(&self, _: Step<'_, Self>, _: &Act<'_>) -> Result<()> {
        Ok(())
    }
}

impl Claiming for Mailbox {
    fn add_claims(&self, claims: &mut Claims) {
        claims.provide(Claim::Other("address", self.address.as_str().into()));
        self.forward.iter().for_each(|to| claims.need(Claim::Other("address", to.as_str().into())));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::on(LocalHost::new()).kind::<Mailbox>()?.build();
    let text = "mailbox \"info\" { forward = \"ann\" }\nmailbox \"ann\" {}\n";
    let mail = Configuration::from_text(&engine, "mail.hcl", text)?.check()?;
    assert_eq!(mail.program().graph().edges().len(), 1, "info depends on ann");
    Ok(())
}
