//! Diagnostic codes: one for each kind of mistake that a user can look up.
//!
//! A new code is a line of this table, at the end of its area, and a page `codes/ID.md`. An id is never reused.

use std::fmt;

use crate::diagnostic::Severity;

macro_rules! codes {
    ($($id:ident $name:ident $summary:literal,)*) => {
        /// The code of a diagnostic.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        pub enum Code {
            $(#[doc = concat!("`", stringify!($id), "`: ", $summary, ".")] $name,)*
        }

        impl Code {
            /// All codes, in the order of the table.
            pub const ALL: &[Self] = &[$(Self::$name),*];

            /// The stable id that users see, such as `E0402`. Errors start with `E`, warnings with `W`.
            pub const fn id(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($id),)*
                }
            }

            /// A short, constant summary of the mistake.
            pub const fn summary(self) -> &'static str {
                match self {
                    $(Self::$name => $summary,)*
                }
            }

            /// The page in Markdown: an explanation, a wrong example and a correct one.
            pub const fn page(self) -> &'static str {
                match self {
                    $(Self::$name => include_str!(concat!("codes/", stringify!($id), ".md")),)*
                }
            }
        }
    };
}

codes! {
    // Syntax.
    E0101 UnclosedString "unclosed string",
    E0102 UnclosedHeredoc "unclosed heredoc",
    E0103 MalformedHeredoc "malformed heredoc",
    E0104 UnclosedComment "unclosed comment",
    E0105 UnclosedBracket "unclosed bracket",
    E0106 UnmatchedBracket "unmatched bracket",
    E0107 UnclosedInterpolation "unclosed interpolation",
    E0108 UnknownEscape "unknown escape",
    E0109 WrongQuotes "wrong quotes",
    E0110 UnquotedString "string without quotes",
    E0111 MalformedNumber "malformed number",
    E0112 LeadingZero "number with a leading zero",
    E0113 MissingValue "missing value",
    E0114 MissingLineBreak "missing line break",
    E0115 MultilineExpression "expression over several lines",
    E0116 BraceOnNextLine "`{` on the next line",
    E0117 MissingBrace "missing `{` or `=`",
    E0118 NotAnItem "neither a block nor an attribute",
    E0119 OneLineBlock "invalid one-line block",
    E0120 NotPlain "not a plain string",
    E0121 AmbiguousKey "ambiguous key",
    E0122 MalformedFor "malformed `for`",
    E0123 MalformedConditional "malformed conditional",
    E0124 MalformedIndex "malformed index",
    E0125 MalformedDirective "malformed directive",
    E0126 UnclosedDirective "unclosed directive",
    E0127 UnknownOperator "unknown operator",
    E0128 UnexpectedToken "unexpected token",
    E0129 ForeignText "another language instead of HCL",
    E0130 UnclosedBlock "unclosed block",

    // Names and expressions.
    E0201 InvalidReference "invalid reference",
    E0202 IncompleteReference "incomplete reference",
    E0203 UnknownLocal "unknown local",
    E0204 UnknownParam "unknown param",
    E0205 UnknownModule "unknown module",
    E0206 UnknownOutput "unknown output",
    E0207 UnknownResource "unknown resource",
    E0208 UnknownInstance "unknown key of `for_each`",
    E0209 UnknownMember "unknown member",
    E0210 UnknownField "unknown property in a reference",
    E0211 EachOutside "`each` without `for_each`",
    E0212 UnknownFact "unknown fact",
    E0213 FactUnavailable "fact is not available",
    E0214 UnknownFunction "unknown function",
    E0215 ArgumentCount "wrong number of arguments",
    E0216 FunctionFailed "function failed",
    E0217 MisplacedOptional "`optional` in the wrong place",
    E0218 ReservedName "reserved name",
    E0219 InvalidParent "invalid use of `parent`",
    E0220 OperandType "operand of the wrong type",
    E0221 KeyType "key of the wrong type",
    E0222 IndexRange "index out of range",
    E0223 DuplicateKey "duplicate key",
    E0224 ConditionType "condition is not a bool",
    E0225 NotIterable "value cannot be looped over",
    E0226 NotPrintable "value cannot be part of a string",
    E0227 DivisionByZero "division by zero",
    E0228 NumberTooLarge "number too large",
    E0229 NoFallback "no argument has a value",
    E0230 CircularDefinition "circular definition",
    E0231 SecretName "secret used as a name",
    E0232 NameUnknown "name is not known",

    // Blocks, modules and params.
    E0301 MissingLabel "missing label",
    E0302 UnexpectedLabel "unexpected label",
    E0303 MisplacedBlock "block in the wrong place",
    E0304 MisplacedAttribute "attribute outside a block",
    E0305 UnknownBlock "unknown block",
    E0306 InvalidName "invalid name",
    E0307 DuplicateAttribute "duplicate attribute",
    E0308 DuplicateDefinition "duplicate definition",
    E0309 UnknownAttribute "unknown attribute",
    E0310 AttributeType "attribute of the wrong type",
    E0311 MalformedValidation "malformed validation",
    E0312 RequiredWithDefault "required param with a default",
    E0313 MalformedType "malformed type",
    E0314 ParamType "param of the wrong type",
    E0315 MissingParam "missing param",
    E0316 RejectedParam "param fails its validation",
    E0317 OutputWithoutValue "output without a value",
    E0318 MissingSource "missing source",
    E0319 ModuleCycle "module calls itself",
    E0320 ModuleNotLoaded "module cannot be loaded",
    E0321 ParamsNotRead "params cannot be read",
    E0322 InvalidAddress "invalid address",
    E0323 StillDeclared "still declared",
    E0324 MovedTwice "moved or removed twice",
    E0325 InvalidWindow "invalid maintenance window",

    // Resources and meta arguments.
    E0401 UnknownKind "unknown kind",
    E0402 UnknownProperty "unknown property",
    E0403 MissingProperty "missing property",
    E0404 InvalidProperty "invalid property",
    E0405 UnknownAction "unknown action",
    E0406 InvalidMetaArgument "invalid meta argument",
    E0407 MisplacedMetaArgument "meta argument in the wrong place",
    E0408 UnknownMoment "unknown moment",
    E0409 UnknownFailure "unknown kind of failure",
    E0410 ConstantGuard "guard is constant",
    E0411 InvalidGuard "invalid guard",
    E0412 DuplicateLock "duplicate lock",
    E0413 LockCount "lock with two counts",
    E0414 PropertyInTrigger "property in a trigger",
    E0415 NotAResource "not a resource",
    E0416 UndecidedEdit "edit with an unknown condition",
    E0417 UnknownForEach "`for_each` is not known",
    E0418 SecretForEach "`for_each` over a secret",

    // Dependencies and conflicts.
    E0501 DuplicateResource "duplicate resource",
    E0502 ManagedTwice "managed by two resources",
    E0503 DeclaredAndRemoved "declared and removed",
    E0504 EditedAndWhole "edited and declared as a whole",
    E0505 DependsOnRemoved "depends on a removed resource",
    E0506 DependencyCycle "dependency cycle",
    E0507 GroupCycle "group subscribes to its own member",
    E0508 UnbalancedGroup "unbalanced group",

    // Kinds and trust.
    E0601 UnusableKind "unusable kind",
    E0602 DuplicateKind "duplicate kind",
    E0603 InvalidKind "invalid kind definition",
    E0604 InvalidParentKind "invalid parent of a kind",
    E0605 ScriptSyntax "script cannot be parsed",
    E0606 ScriptFailed "script failed",
    E0607 KindsNotTrusted "kinds are not trusted",
    E0608 KindsNotRead "kinds cannot be read",
    E0609 ConfigurationNotTrusted "configuration is not trusted",
    E0610 ConfigurationNotRead "configuration cannot be read",

    // Values during a run.
    E0701 SkippedValue "value of a skipped resource",
    E0702 RemovedValue "value of a removed resource",
    E0703 NeverKnown "value is never known",
    E0704 ValueUnknown "value is not known",
    E0705 ElementGone "element no longer exists",

    // Limits.
    E0801 NestedTooDeeply "nested too deeply",
    E0802 TooMuchWork "too much to compute",
    E0803 TooDeep "too deep to compute",
    E0804 ValueTooLarge "value too large",
    E0805 SourceTooLarge "source too large",
    E0806 TooManyResources "too many resources",
    E0807 TooManyProblems "too many problems",

    // Tests.
    E0901 MalformedTest "malformed test",
    E0902 TestValue "wrong value in a test",
    E0903 UnexpectedChange "unexpected change",
    E0904 MissingChange "expected change did not happen",
    E0905 WrongValue "unexpected value",
    E0906 WrongOutcome "unexpected outcome",
    E0907 UnexpectedFailure "unexpected failure",
    E0908 MissingFailure "expected failure did not happen",
    E0909 WrongMachine "unexpected state of the machine",
    E0910 NotIdempotent "not idempotent",
    E0911 UnknownCommand "unknown command",
    E0912 CommandNotRun "expected command did not run",
    E0913 NothingRun "nothing was run",

    // Warnings about params and locals.
    W0301 UnusedParam "unused param",
    W0302 UnusedLocal "unused local",
    W0303 IgnoredParam "value for an unknown param",

    // Warnings about properties.
    W0401 DeprecatedProperty "deprecated property",

    // Warnings about kinds.
    W0601 UnusableManifest "unusable manifest",
    W0602 UncheckedProperties "properties are not checked",
    W0603 IgnoredKinds "kinds are ignored",
}

impl Code {
    /// Whether it is an error or a warning.
    pub const fn severity(self) -> Severity {
        match self.id().as_bytes() {
            [b'W', ..] => Severity::Warning,
            _ => Severity::Error,
        }
    }

    /// The code of this id, in upper or lower case.
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.id().eq_ignore_ascii_case(id))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
