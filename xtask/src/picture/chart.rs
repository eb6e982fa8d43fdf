//! The speed of utfall compared with simdutf, as bars.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use super::theme::{Theme, escaped};

const RECORDS: &str = "bench/record";
const TABLE: &str = "avx512";
const TABLE_NAME: &str = "AVX-512";
const PEER: &str = "simdutf";

/// The test for a family: every operation that both have is in the first family that accepts its
/// name.
type Belongs = fn(&str) -> bool;
const FAMILIES: [(&str, Belongs); 7] = [
    ("Validate", |op| op.contains("valid")),
    ("Count and measure", |op| op.contains("_len_") || op.contains("count")),
    ("Latin-1 to and from Unicode", |op| op.contains("latin1")),
    ("UTF-8 to UTF-16", |op| op.starts_with("utf8_to_utf16")),
    ("UTF-16 to UTF-8", |op| op.starts_with("utf16") && op.contains("_to_utf8")),
    ("UTF-32 to and from others", |op| op.contains("utf32")),
    ("UTF-16 byte order, repair", |op| op.starts_with("utf16") && op.contains("_to_utf16")),
];

const WIDTH: f64 = 700.0;
const LABELS: f64 = 214.0;
const ROW: f64 = 26.0;
const TOP: f64 = 74.0;

/// Ratios by family.
#[derive(Debug)]
pub(crate) struct Chart {
    bars: Vec<(&'static str, f64)>,
    note: String,
}

impl Chart {
    /// The chart of the newest record; of several of one day, the first by name.
    pub(crate) fn of_newest(root: &Path) -> Result<Self, String> {
        let folder = root.join(RECORDS);
        let entries = fs::read_dir(&folder).map_err(|error| format!("{RECORDS}: {error}"))?;
        let mut names: Vec<String> = entries
            .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
            .filter(|name| name.ends_with(".csv") && name.len() > DATE)
            .collect();
        names.sort();
        let newest = names.iter().map(|name| &name[..DATE]).max().unwrap_or_default().to_owned();
        let name = names
            .iter()
            .find(|name| name.starts_with(&newest))
            .ok_or_else(|| format!("{RECORDS} has no record"))?;
        let text = fs::read_to_string(folder.join(name))
            .map_err(|error| format!("{RECORDS}/{name}: {error}"))?;
        Self::new(&text, &newest).map_err(|error| format!("{RECORDS}/{name}: {error}"))
    }

    fn new(record: &str, date: &str) -> Result<Self, String> {
        let mut times: BTreeMap<(&str, &str), [f64; 2]> = BTreeMap::new();
        let mut processor = "";
        for line in record.lines().skip(1) {
            let cells: Vec<&str> = line.split(',').collect();
            let [cpu, table, peer, op, corpus, _, _, median, _] = cells[..] else {
                return Err(format!("not nine cells: {line}"));
            };
            processor = cpu;
            let side = match peer {
                "utfall" => 0,
                PEER => 1,
                _ => continue,
            };
            if table == TABLE {
                let median = median.parse().map_err(|_| format!("not a time: {line}"))?;
                times.entry((op, corpus)).or_default()[side] = median;
            }
        }
        let mut families: [Vec<f64>; FAMILIES.len()] = Default::default();
        for ((op, _), [ours, theirs]) in times {
            if ours > 0.0 && theirs > 0.0 {
                let family = FAMILIES.iter().position(|(_, belongs)| belongs(op));
                families[family.ok_or_else(|| format!("{op} is in no family"))?]
                    .push(theirs / ours);
            }
        }
        let count: usize = families.iter().map(Vec::len).sum();
        let mut bars = Vec::new();
        for ((name, _), ratios) in FAMILIES.iter().zip(&families) {
            if ratios.is_empty() {
                return Err(format!("nothing of {name}"));
            }
            let mean = ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64;
            bars.push((*name, mean.exp()));
        }
        bars.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let note = format!(
            "{processor}, {TABLE_NAME}, {date}. Geometric means of {count} ratios; longer is faster."
        );
        Ok(Self { bars, note })
    }

    pub(crate) fn svg(&self, theme: &Theme) -> String {
        let most = self.bars.iter().map(|(_, ratio)| *ratio).fold(1.0, f64::max);
        let scale = (WIDTH - LABELS - 64.0) / most;
        let bottom = TOP + ROW * self.bars.len() as f64;
        let height = bottom + 36.0;
        let Theme { text, dim, bar, .. } = theme;
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" \
             viewBox=\"0 0 {WIDTH} {height}\">\n<title>Speed of utfall relative to simdutf</title>\n<style>\n\
             text {{ font: 13px system-ui, -apple-system, 'Segoe UI', 'DejaVu Sans', sans-serif; fill: {text} }}\n\
             .title {{ font-size: 16px; font-weight: 600 }}\n.note {{ font-size: 12px; fill: {dim} }}\n\
             .end {{ text-anchor: end }}\n.middle {{ text-anchor: middle }}\n</style>\n\
             <text class=\"title\" x=\"0\" y=\"20\">Throughput relative to simdutf</text>\n"
        );
        let one = LABELS + scale;
        for (row, (name, ratio)) in self.bars.iter().enumerate() {
            let y = TOP + ROW * row as f64;
            let length = scale * ratio;
            let end = LABELS + length + 8.0;
            let middle = y + 11.5;
            writeln!(
                svg,
                "<text class=\"end\" x=\"{}\" y=\"{middle}\">{}</text>\n<rect x=\"{LABELS}\" y=\"{y}\" \
                 width=\"{length:.1}\" height=\"14\" rx=\"3\" fill=\"{bar}\"/>\n\
                 <text x=\"{end:.1}\" y=\"{middle}\">{ratio:.2}×</text>",
                LABELS - 12.0,
                escaped(name)
            )
            .unwrap();
        }
        writeln!(
            svg,
            "<path d=\"M{one:.1} {}V{bottom}\" stroke=\"{text}\" opacity=\"0.6\" stroke-width=\"1.5\" stroke-dasharray=\"2 3\"/>\n\
             <text class=\"note middle\" x=\"{one:.1}\" y=\"{}\">simdutf = 1</text>\n\
             <text class=\"note\" x=\"0\" y=\"{}\">{}</text>\n</svg>",
            TOP - 8.0,
            TOP - 14.0,
            bottom + 24.0,
            escaped(&self.note)
        )
        .unwrap();
        svg
    }
}

/// The length of a date.
const DATE: usize = "2026-11-21".len();

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_geometric_and_every_operation_counts() {
        let ops = [
            "validate_utf8",
            "utf8_count",
            "latin1_to_utf8",
            "utf8_to_utf16le",
            "utf16be_to_utf8",
            "utf32le_to_utf8",
            "utf16le_to_utf16be",
        ];
        let mut record = String::from("cpu,table,peer,op,corpus,octets,min_ns,median_ns,ratio\n");
        for op in ops {
            record +=
                &format!("X,avx512,utfall,{op},a,1,1,2.0,1\nX,avx512,simdutf,{op},a,1,1,4.0,1\n");
            record +=
                &format!("X,avx512,utfall,{op},b,1,1,1.0,1\nX,avx512,simdutf,{op},b,1,1,8.0,1\n");
            record += &format!("X,avx512,std,{op},b,1,1,9.0,1\nX,avx2,utfall,{op},b,1,1,9.0,1\n");
        }
        let chart = Chart::new(&record, "2026-11-21").unwrap();
        assert!(chart.bars.iter().all(|(_, ratio)| (ratio - 4.0).abs() < 1e-9), "{chart:?}");
        assert!(chart.note.contains("X, AVX-512, 2026-11-21. Geometric means of 14"), "{chart:?}");
        let error = Chart::new(&record.replace("utf8_count", "new_op"), "").unwrap_err();
        assert_eq!(error, "new_op is in no family");
    }
}
