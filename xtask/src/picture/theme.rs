//! Colours, as on GitHub's light and dark pages.

pub(crate) struct Theme {
    pub(crate) name: &'static str,
    pub(crate) background: &'static str,
    pub(crate) border: &'static str,
    pub(crate) text: &'static str,
    pub(crate) dim: &'static str,
    /// The bars of a chart.
    pub(crate) bar: &'static str,
    /// Black, red, green, yellow, blue, magenta, cyan, white.
    pub(crate) ansi: [&'static str; 8],
}

pub(crate) const THEMES: [Theme; 2] = [
    Theme {
        name: "light",
        background: "#f6f8fa",
        border: "#d1d9e0",
        text: "#1f2328",
        dim: "#656d76",
        bar: "#54aeff",
        ansi: [
            "#1f2328", "#cf222e", "#1a7f37", "#9a6700", "#0969da", "#8250df", "#1b7c83", "#59636e",
        ],
    },
    Theme {
        name: "dark",
        background: "#151b23",
        border: "#3d444d",
        text: "#e6edf3",
        dim: "#8b949e",
        bar: "#388bfd",
        ansi: [
            "#8b949e", "#ff7b72", "#3fb950", "#d29922", "#58a6ff", "#bc8cff", "#39c5cf", "#b1bac4",
        ],
    },
];

/// Escapes text for XML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
