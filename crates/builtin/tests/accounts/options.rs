//! What a tool is told on its command line.

/// Options, and the name that they are about.
pub(crate) struct Options<'a> {
    arguments: &'a [String],
    pub(crate) name: &'a str,
}

impl<'a> Options<'a> {
    /// The name comes last.
    pub(crate) fn of(arguments: &'a [String]) -> Self {
        let (name, arguments) = arguments.split_last().expect("a tool is told whom it is about");
        Self { arguments, name }
    }

    /// The value of an option, if it is given.
    pub(crate) fn value(&self, option: &str) -> Option<&'a str> {
        let at = self.arguments.iter().position(|argument| argument == option)?;
        self.arguments.get(at + 1).map(String::as_str)
    }

    pub(crate) fn has(&self, flag: &str) -> bool {
        self.arguments.iter().any(|argument| argument == flag)
    }
}
