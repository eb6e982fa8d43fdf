//! Surfaces, run at growing sizes under callgrind.
//!
//! One process runs many surfaces. Callgrind counts in one function only and writes its count each
//! time that function returns. The counts are in the order in which this process reports the
//! inputs, so no count includes start-up or the making of input.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::str;

use utfall::Encoding;

use crate::surface::{COUNTED, Memory};
use crate::surfaces;

/// The cost of a surface at one size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Sample {
    /// The length of the input, in bytes.
    pub(crate) length: u64,
    pub(crate) instructions: u64,
    /// The most that was allocated at a time, in bytes.
    pub(crate) peak: u64,
}

/// A surface and its costs, the smallest size first.
#[derive(Clone, Debug)]
pub(crate) struct Measured {
    pub(crate) name: String,
    pub(crate) input: String,
    pub(crate) memory: Memory,
    pub(crate) samples: Vec<Sample>,
}

/// How many times more the last bytes may cost than the first ones. Sorting is allowed; quadratic
/// cost comes to 3.3 and more.
pub(crate) const MOST_GROWTH: f64 = 2.0;

/// The cost of a byte that does not count, in instructions: copies of saved text, whose buffer is
/// doubled now and then.
const LITTLE: f64 = 16.0;

impl Measured {
    /// Instructions per byte between the two largest inputs.
    pub(crate) fn per_byte(&self) -> f64 {
        self.slopes().last().copied().unwrap_or(0.0)
    }

    /// The cost per byte in the last step between sizes, divided by the cost per byte in the first
    /// step; the fixed cost cancels out. With three or more steps, the growth between the last two,
    /// extrapolated to the whole range, is an upper limit. If the second size costs less than the
    /// first, for example because the input is rejected, the divisor is its whole cost per byte.
    pub(crate) fn growth(&self) -> f64 {
        let slopes = self.slopes();
        let whole = |sample: &Sample| sample.instructions as f64 / sample.length.max(1) as f64;
        let (first, last) = match (&slopes[..], &self.samples[..]) {
            // With two sizes and nothing to subtract, compare their whole costs.
            ([_], [small, large]) => (whole(small), whole(large)),
            ([first, .., before, last], _) if *first > 0.0 => {
                // Where only the smallest input lies below a threshold, the larger ones show it.
                let steps = slopes.len() as i32 - 1;
                let lately = (last.max(LITTLE) / before.max(LITTLE)).powi(steps);
                return lately.min(last.max(LITTLE) / first.max(LITTLE));
            }
            ([first, last], _) if *first > 0.0 => (*first, *last),
            ([_, .., last], [_, small, ..]) => (whole(small), *last),
            _ => return 1.0,
        };
        last.max(LITTLE) / first.max(LITTLE)
    }

    fn slopes(&self) -> Vec<f64> {
        let slope = |pair: &[Sample]| {
            let more = |value: fn(&Sample) -> u64| value(&pair[1]) as f64 - value(&pair[0]) as f64;
            more(|sample| sample.instructions) / more(|sample| sample.length).max(1.0)
        };
        self.samples.windows(2).map(slope).collect()
    }

    pub(crate) fn peak(&self) -> u64 {
        self.samples.iter().map(|sample| sample.peak).max().unwrap_or(0)
    }

    /// The limits it exceeds.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.growth() > MOST_GROWTH {
            let slopes: Vec<_> = self.slopes().iter().map(|slope| format!("{slope:.0}")).collect();
            problems.push(format!("instructions per byte grow: {}", slopes.join(", ")));
        }
        for Sample { length, peak, .. } in &self.samples {
            if !self.memory.allows(*peak, *length) {
                problems.push(format!(
                    "{peak} bytes of memory for an input of {length}; the limit is {}",
                    self.memory
                ));
            }
        }
        problems
    }
}

/// Runs part `part` of `parts` of the surfaces whose names contain `filter`, and reports each run;
/// callgrind counts the instructions.
pub(crate) fn work(sizes: &[usize], filter: &str, (part, parts): (usize, usize)) {
    let wanted = surfaces::all().into_iter().filter(|surface| surface.title().contains(filter));
    // The first conversion of a process chooses the kernels, and allocates to read UTFALL_ISA.
    assert_eq!(Encoding::Utf16Le.validate(b"a\0"), Ok(()));
    for surface in wanted.skip(part).step_by(parts) {
        for size in sizes {
            let input = surface.make(surface.smallest * size);
            println!("{}\t{}\t{}", surface.title(), input.len(), surface.work(&input));
        }
    }
}

/// How many processes run at once.
const PARTS: usize = 2;

/// Runs [`work`] under callgrind.
pub(crate) fn measure(
    sizes: &[usize],
    filter: &str,
    folder: &Path,
) -> Result<Vec<Measured>, String> {
    let io = |error: io::Error| error.to_string();
    let program = std::env::current_exe().map_err(io)?;
    let sizes_arg = sizes.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
    let counts = |part: usize| folder.join(format!("counts-{part}"));
    let rows = |part: usize| folder.join(format!("rows-{part}"));
    let mut children = Vec::new();
    for part in 0..PARTS {
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["--tool=callgrind", "--combine-dumps=yes", "--dump-line=no", "-q"]);
        valgrind.arg(format!("--callgrind-out-file={}", counts(part).display()));
        valgrind.args([format!("--toggle-collect={COUNTED}"), format!("--dump-after={COUNTED}")]);
        valgrind
            .arg(&program)
            .args(["work", &sizes_arg, filter])
            .args([part.to_string(), PARTS.to_string()]);
        valgrind.env("UTFALL_ISA", "scalar").stdout(File::create(rows(part)).map_err(io)?);
        // Discards its message that no lines were requested.
        valgrind.stderr(Stdio::null());
        children.push(valgrind.spawn().map_err(|error| format!("valgrind: {error}"))?);
    }
    let mut told = Vec::new();
    for (part, mut child) in children.into_iter().enumerate() {
        let status = child.wait().map_err(io)?;
        if !status.success() {
            return Err(format!("valgrind: {status}"));
        }
        let dumps = fs::read(counts(part)).map_err(io)?;
        told.push((
            fs::read_to_string(rows(part)).map_err(io)?,
            instructions(&dumps, "--dump-after"),
        ));
    }
    let mut measured = Vec::new();
    for surface in surfaces::all() {
        let mut samples = Vec::new();
        for (rows, counts) in &told {
            let lines = rows.lines().collect::<Vec<_>>();
            if lines.len() != counts.len() {
                return Err(format!("{} counts for {} inputs", counts.len(), lines.len()));
            }
            for (line, instructions) in lines.iter().zip(counts) {
                let mut cells = line.rsplit('\t');
                let mut number = || cells.next()?.parse().ok();
                if let (Some(peak), Some(length)) = (number(), number())
                    && cells.next() == Some(&surface.title())
                {
                    samples.push(Sample { length, instructions: *instructions, peak });
                }
            }
        }
        if !samples.is_empty() {
            let (name, input, memory) = (surface.name.to_owned(), surface.input, surface.memory);
            measured.push(Measured { name, input, memory, samples });
        }
    }
    Ok(measured)
}

/// The counts of all dumps that were written for this reason.
pub(crate) fn instructions(dumps: &[u8], reason: &str) -> Vec<u64> {
    let mut counts = Vec::new();
    let mut is_counted = false;
    for line in dumps.split(|byte| *byte == b'\n').filter_map(|line| str::from_utf8(line).ok()) {
        if let Some(trigger) = line.strip_prefix("desc: Trigger: ") {
            is_counted = trigger.starts_with(reason);
        } else if let Some(total) = line.strip_prefix("totals: ")
            && is_counted
        {
            counts.extend(total.parse::<u64>().ok());
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(instructions: [u64; 4]) -> Measured {
        let sample = |(at, instructions): (usize, u64)| Sample {
            length: 1000 << at,
            instructions,
            peak: 100_000 << at,
        };
        Measured {
            name: String::new(),
            input: String::new(),
            memory: Memory::PerByte(100),
            samples: instructions.into_iter().enumerate().map(sample).collect(),
        }
    }

    #[test]
    fn what_is_linear_does_not_grow_whatever_it_costs_to_begin() {
        let linear = measured([1_007_000, 1_014_000, 1_028_000, 1_056_000]);
        assert_eq!((linear.growth(), linear.per_byte()), (1.0, 7.0));
        assert!(linear.problems().is_empty());
    }

    #[test]
    fn what_is_quadratic_is_a_problem() {
        let quadratic = measured([1, 2, 4, 8].map(|n| 1_000_000 * n * n));
        assert!(quadratic.growth() > 3.9);
        assert_eq!(quadratic.problems().len(), 1);
    }

    #[test]
    fn a_threshold_above_the_smallest_size_is_no_growth() {
        let with_slopes = |slopes: [u64; 3]| {
            let costs = [1, 2, 4].iter().zip(slopes).scan(78_000, |sum, (size, slope)| {
                *sum += size * 1000 * slope;
                Some(*sum)
            });
            let costs: Vec<u64> = std::iter::once(78_000).chain(costs).collect();
            measured(costs.try_into().unwrap())
        };
        assert!(with_slopes([78, 813, 591]).growth() < 1.0);
        // One above the larger sizes is.
        assert!(with_slopes([78, 78, 813]).growth() > 10.0);
        assert_eq!(with_slopes([78, 78, 813]).problems().len(), 1);
    }

    #[test]
    fn too_much_memory_is_a_problem() {
        let greedy = Measured { memory: Memory::Constant(300_000), ..measured([1, 2, 3, 4]) };
        assert_eq!(greedy.problems().len(), 2);
    }

    #[test]
    fn dumps_are_read_in_order() {
        let dumps = b"part: 1\ndesc: Trigger: --dump-after=f\nsummary: 7\ntotals: 7\n\
            part: 2\ndesc: Trigger: --dump-after=f\ntotals: 9\n\
            part: 3\ndesc: Trigger: Program termination\ntotals: 0\n";
        assert_eq!(instructions(dumps, "--dump-after"), [7, 9]);
        assert_eq!(instructions(dumps, "Program termination"), [0]);
    }
}
