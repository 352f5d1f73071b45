//! Delegation for machines that wrap another machine.

/// Writes methods of [`Observe`](crate::Observe) and [`Host`](crate::Host) that call the same method of an inner machine:
/// `delegate!(self => self.inner; files probes clock);`.
#[macro_export]
macro_rules! delegate {
    ($me:ident => $to:expr; $($method:ident)*) => { $($crate::delegate!(@ $method $me $to);)* };
    (@ overlay $me:ident $to:expr) => { fn overlay(&$me) -> Box<dyn $crate::Host + '_> { $to.overlay() } };
    (@ files $me:ident $to:expr) => { fn files(&$me) -> &dyn $crate::Files { $to.files() } };
    (@ probes $me:ident $to:expr) => { fn probes(&$me) -> &dyn $crate::Probes { $to.probes() } };
    (@ accounts $me:ident $to:expr) => { fn accounts(&$me) -> &dyn $crate::Accounts { $to.accounts() } };
    (@ clock $me:ident $to:expr) => { fn clock(&$me) -> &dyn $crate::Clock { $to.clock() } };
    (@ facts $me:ident $to:expr) => { fn facts(&$me) -> &dyn $crate::Facts { $to.facts() } };
    (@ units $me:ident $to:expr) => { fn units(&$me) -> &dyn $crate::Units { $to.units() } };
    (@ notes $me:ident $to:expr) => { fn notes(&$me) -> &$crate::Notes { $to.notes() } };
    (@ say $me:ident $to:expr) => { fn say(&$me, level: $crate::Level, text: &str) { $to.say(level, text); } };
    (@ needs $me:ident $to:expr) => { fn needs(&$me, property: &str) -> bool { $to.needs(property) } };
    (@ holds_secret $me:ident $to:expr) => {
        fn holds_secret(&$me, property: &str) -> bool { $to.holds_secret(property) }
    };
    (@ is_sensitive $me:ident $to:expr) => { fn is_sensitive(&$me) -> bool { $to.is_sensitive() } };
    (@ around $me:ident $to:expr) => { fn around(&$me) -> Option<&dyn $crate::Around> { $to.around() } };
    (@ provides $me:ident $to:expr) => {
        fn provides(&$me, path: &::std::path::Path) -> bool { $to.provides(path) }
        fn is_secret_path(&$me, path: &::std::path::Path) -> bool { $to.is_secret_path(path) }
    };
    (@ manages $me:ident $to:expr) => {
        fn manages(&$me, path: &::std::path::Path) -> bool { $to.manages(path) }
        fn manages_contents(&$me, path: &::std::path::Path) -> bool { $to.manages_contents(path) }
    };
    (@ edits $me:ident $to:expr) => { fn edits(&$me) -> &dyn $crate::FileEdits { $to.edits() } };
    (@ commands $me:ident $to:expr) => { fn commands(&$me) -> &dyn $crate::Commands { $to.commands() } };
    (@ unit_edits $me:ident $to:expr) => {
        fn unit_edits(&$me) -> &dyn $crate::UnitEdits { $to.unit_edits() }
    };
    (@ fill_random $me:ident $to:expr) => {
        fn fill_random(&$me, bytes: &mut [u8]) -> $crate::Result<()> { $to.fill_random(bytes) }
    };
}
