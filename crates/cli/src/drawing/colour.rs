//! One colour per kind, the same in every format and in every run.

/// The fill and line of a box. The fill is light and the text dark, so that a box is readable on any background.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Colour {
    pub(super) fill: &'static str,
    pub(super) line: &'static str,
}

/// The colour of text in boxes.
pub(super) const TEXT: &str = "#1f2328";

/// The colour of edges: as far from white as from black.
pub(super) const ARROW: &str = "#8a929b";

const PALETTE: [Colour; 12] = [
    Colour { fill: "#d6e9ff", line: "#2f74c0" },
    Colour { fill: "#ffe7cc", line: "#b86a14" },
    Colour { fill: "#dcf4d9", line: "#2f8a3c" },
    Colour { fill: "#f1e1fb", line: "#8745b5" },
    Colour { fill: "#ffdede", line: "#c43d3d" },
    Colour { fill: "#d3f3f1", line: "#1b857f" },
    Colour { fill: "#fbf1c4", line: "#957b0b" },
    Colour { fill: "#fbdcec", line: "#b83b7d" },
    Colour { fill: "#e1e3fd", line: "#5157c9" },
    Colour { fill: "#ecebdc", line: "#77724b" },
    Colour { fill: "#e4e8ec", line: "#5d6b79" },
    Colour { fill: "#efe0d6", line: "#8d5c3c" },
];

/// The colour of a kind, by its number: up to twelve kinds never share one.
pub(super) fn colour(kind_number: usize) -> Colour {
    PALETTE[kind_number % PALETTE.len()]
}
