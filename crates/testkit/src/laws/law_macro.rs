//! The list of laws, and the macro that makes tests of them.

use super::subject::Subject;
use super::trial::Broken;

/// A law: passes, or returns its violation.
pub type Law = fn(&Subject) -> Result<(), Broken>;

/// The violations of all laws that the subject breaks, in the order of [`ALL`].
pub fn broken_by(subject: &Subject) -> Vec<Broken> {
    ALL.iter().filter_map(|law| law(subject).err()).collect()
}

/// Declares the list of all laws and the macro that makes a test of each law.
macro_rules! wire {
    ($dollar:tt $($law:ident)*) => {
        /// All laws.
        pub const ALL: &[Law] = &[$(super::$law),*];

        /// All laws with their names.
        pub const NAMED: &[(&str, Law)] = &[$((stringify!($law), super::$law)),*];

        /// Gives a kind its contract tests: a module `laws` with one test for each law.
        ///
        /// ```text
        /// uphold_testkit::laws! {
        ///     File,
        ///     world: |host| host.directory("/etc", 0o755).user("app", 1000),
        ///     wishes: [
        ///         { "/etc/motd", content = "hello", mode = "0644" },
        ///         { "/etc/motd", content = "other", owner = "app" },
        ///     ],
        ///     drift: [|host| host.tamper("/etc/motd", "x")],
        ///     side_effects: ["/var/backups"],
        ///     unreadable: ["target"],
        /// }
        /// ```
        ///
        /// Only the kind and `wishes` are required. A kind that is defined at run time is given as
        /// `defined: EXPRESSION`, an `Arc<dyn Definition>`, in place of the type. See
        /// [`Subject`](crate::Subject) for the meaning of each part.
        #[macro_export]
        macro_rules! laws {
            (@of [$dollar subject:expr]
                $dollar( world: $dollar world:expr, )?
                wishes: [$dollar( {
                    $dollar label:expr $dollar(, $dollar property:ident = $dollar value:expr )* $dollar(,)?
                } ),* $dollar(,)?]
                $dollar(, drift: [$dollar( $dollar drift:expr ),* $dollar(,)?] )?
                $dollar(, side_effects: [$dollar( $dollar path:expr ),* $dollar(,)?] )?
                $dollar(, unreadable: [$dollar( $dollar unreadable:expr ),* $dollar(,)?] )?
                $dollar(,)?
            ) => {
                #[cfg(test)]
                mod laws {
                    use super::*;

                    fn subject() -> $crate::Subject {
                        $dollar subject
                            $dollar( .world($dollar world) )?
                            $dollar( .wish(
                                $crate::Wish::named($dollar label)
                                    $dollar( .set(stringify!($dollar property), $dollar value) )*
                            ) )*
                            $dollar( $dollar( .drift($dollar drift) )* )?
                            $dollar( $dollar( .side_effect($dollar path) )* )?
                            $dollar( $dollar( .unreadable($dollar unreadable) )* )?
                    }

                    $(
                        #[test]
                        fn $law() {
                            $crate::laws::$law(&subject()).unwrap_or_else(|broken| panic!("{broken}"));
                        }
                    )*
                }
            };
            (defined: $dollar definition:expr, $dollar( $dollar rest:tt )*) => {
                $crate::laws! { @of [$crate::Subject::defined($dollar definition)] $dollar( $dollar rest )* }
            };
            ($dollar kind:ty, $dollar( $dollar rest:tt )*) => {
                $crate::laws! { @of [$crate::Subject::of::<$dollar kind>()] $dollar( $dollar rest )* }
            };
        }
    };
}

wire! { $
    check_writes_nothing
    apply_then_check_is_converged
    a_second_apply_changes_nothing
    an_unset_property_survives
    only_changed_properties_are_touched
    load_finds_nothing_after_remove
    exports_are_stable
    check_detects_a_reverted_write
    an_outside_change_wakes_it
    an_unrelated_change_does_not_wake_it
    the_run_after_an_interruption_converges
    values_round_trip
    load_returns_the_applied_values
    a_batch_equals_separate_applies
    a_loaded_value_can_be_declared
    an_inverse_restores_the_state
    two_resources_do_not_disturb_each_other
}
