//! From laws to tests.

use super::broken::Broken;
use super::subject::Subject;

/// A law: holds, or is broken in some way.
pub type Law = fn(&Subject) -> Result<(), Broken>;

/// Every law that the subject breaks, in the order of [`ALL`].
pub fn broken_by(subject: &Subject) -> Vec<Broken> {
    ALL.iter().filter_map(|law| law(subject).err()).collect()
}

/// Declares the list of all laws and the macro that makes a test of each.
macro_rules! wire {
    ($dollar:tt $($law:ident)*) => {
        /// All laws.
        pub const ALL: &[Law] = &[$(super::$law),*];

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
        /// Only the kind and `wishes` are needed. A kind that is defined while the program runs is given as
        /// `defined: EXPRESSION`, an `Arc<dyn Definition>`, in place of the type. See
        /// [`Subject`](crate::Subject) for what each of them means.
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
    apply_twice_changes_once
    an_unset_property_survives
    only_changed_properties_are_touched
    remove_then_load_is_none
    equal_exports_twice
    a_reverted_write_is_noticed
    an_outside_change_wakes_it
    a_stranger_does_not_wake_it
    cancelled_midway_the_next_run_converges
    values_round_trip
    what_is_read_is_what_was_asked
    together_equals_one_by_one
}
