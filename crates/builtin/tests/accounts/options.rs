//! Command-line options of the fake tools.

/// Options, and the account name that they apply to.
pub(crate) struct Options<'a> {
    arguments: &'a [String],
    pub(crate) name: &'a str,
}

impl<'a> Options<'a> {
    /// Parses arguments whose last one is the name.
    pub(crate) fn of(arguments: &'a [String]) -> Self {
        let (name, arguments) = arguments.split_last().expect("the last argument is a name");
        Self { arguments, name }
    }

    /// The value of an option, if given.
    pub(crate) fn value(&self, option: &str) -> Option<&'a str> {
        let at = self.arguments.iter().position(|argument| argument == option)?;
        self.arguments.get(at + 1).map(String::as_str)
    }

    pub(crate) fn has(&self, flag: &str) -> bool {
        self.arguments.iter().any(|argument| argument == flag)
    }
}
