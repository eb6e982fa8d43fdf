//! The libraries of `bindings/iconv`: linked, and tested with C programs and real ones.
//!
//! rustc chooses the symbols that a shared library exports, so it makes static ones, which the C
//! compiler links with the names of iconv(3) and libiconv.

mod programs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::musl;
use crate::steps::{self, Outcome, Steps, Stopped, cargo};
use crate::tools::{lacking_programs, lacking_target, target_dir};

const STRICT: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2"];
const ARCHIVE: &str = "libutfall_iconv_c.a";

/// What the libraries export, in the order of `nm`.
const EXPORTS: [(&str, &[&str]); 2] = [
    ("libutfall_iconv.so", &["iconv", "iconv_close", "iconv_open"]),
    (
        "libiconv.so.2",
        &[
            "_libiconv_version",
            "iconv_canonicalize",
            "libiconv",
            "libiconv_close",
            "libiconv_open",
            "libiconv_open_into",
            "libiconvctl",
            "libiconvlist",
        ],
    ),
];

/// Where the sources and the libraries are.
struct Places {
    root: PathBuf,
    source: PathBuf,
    /// `target/iconv`, with the libraries and `iconv.h`.
    made: PathBuf,
}

/// Builds the libraries and runs all their tests.
pub(crate) fn run(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    let source = root.join("bindings/iconv");
    let made = target_dir(&root).join("iconv");
    let places = Places { root, source, made };
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return steps.run("libraries of iconv(3)", || {
            Ok(Outcome::Skipped("this machine has no glibc".to_owned()))
        });
    }
    steps.run("libraries of iconv(3)", || places.build())?;
    steps.run("exported symbols", || places.exports())?;
    steps.run("C programs", || places.programs_in_c())?;
    steps.run("C programs in valgrind", || places.valgrind())?;
    steps.run("a musl program", || places.musl())?;
    for program in &programs::ALL {
        steps.run(&format!("{} beside glibc", program.name), || {
            programs::run(program, &places.source, &places.made.join("libutfall_iconv.so"))
        })?;
    }
    let test = ["test", "-p", "utfall-iconv-c", "--release"];
    steps.command("calls beside glibc's", &mut cargo(&places.root, &test))
}

impl Places {
    fn build(&self) -> Result<Outcome, String> {
        let build = ["build", "--release", "-p", "utfall-iconv-c", "--lib"];
        steps::run(&mut cargo(&self.root, &build))?;
        fs::create_dir_all(&self.made).map_err(|error| error.to_string())?;
        let archive = target_dir(&self.root).join("release").join(ARCHIVE);
        self.link("preload", &archive, "libutfall_iconv.so")?;
        self.link("libiconv", &archive, "libiconv.so.2")?;
        // The names that programs are linked with.
        copy(&self.made.join("libiconv.so.2"), &self.made.join("libiconv.so"))?;
        copy(&self.source.join("include/iconv.h"), &self.made.join("iconv.h"))?;
        self.archive("cc", &[archive], "libiconv.a")?;
        Ok(Outcome::Passed)
    }

    /// Compiles `src/NAME.c` with the compiler `cc`.
    fn object(&self, cc: &str, name: &str) -> Result<PathBuf, String> {
        let object = self.made.join(format!("{name}.{cc}.o"));
        let mut compile = Command::new(cc);
        compile.args(STRICT).args(["-fPIC", "-c", "-o"]).arg(&object);
        steps::run(compile.arg(self.source.join(format!("src/{name}.c"))))?;
        Ok(object)
    }

    fn link(&self, name: &str, archive: &Path, library: &str) -> Result<(), String> {
        let object = self.object("cc", name)?;
        let map = self.source.join(format!("{name}.map"));
        let mut link = Command::new("cc");
        link.args(["-shared", "-o"]).arg(self.made.join(library)).arg(object).arg(archive);
        link.arg(format!("-Wl,--version-script={}", map.display()));
        link.arg(format!("-Wl,-soname,{library}"));
        // Constructors and names that nobody uses are left out; nothing may be missing.
        link.args([
            "-Wl,--gc-sections",
            "-Wl,--strip-debug",
            "-Wl,--no-undefined",
            "-lpthread",
            "-ldl",
            "-lm",
        ]);
        steps::run(&mut link)
    }

    /// A static library that defines the names of libiconv, and no other global ones.
    fn archive(&self, cc: &str, archives: &[PathBuf], library: &str) -> Result<(), String> {
        let (joined, object) = (self.made.join("joined.o"), self.made.join("libiconv.o"));
        let names = EXPORTS[1].1;
        let mut join = Command::new("ld");
        join.args(["-r", "--gc-sections", "-o"]).arg(&joined);
        join.args(names.iter().flat_map(|name| ["-u", name]));
        steps::run(join.arg(self.object(cc, "libiconv")?).args(archives))?;
        let mut hide = Command::new("objcopy");
        // Rust's own bitcode is of no use to other linkers, which warn of it.
        hide.args(["--strip-debug", "--remove-section=.llvmbc", "--remove-section=.llvmcmd"]);
        hide.args(names.iter().map(|name| format!("--keep-global-symbol={name}")));
        steps::run(hide.arg(&joined).arg(&object))?;
        let made = self.made.join(library);
        _ = fs::remove_file(&made);
        steps::run(Command::new("ar").arg("rcs").arg(made).arg(object))
    }

    /// Nothing else is visible to the programs that load a library.
    fn exports(&self) -> Result<Outcome, String> {
        for (library, expected) in EXPORTS {
            let mut nm = Command::new("nm");
            nm.args(["-D", "--defined-only", "--format=just-symbols"]).arg(self.made.join(library));
            let output = String::from_utf8_lossy(&steps::output(&mut nm, b"")?).into_owned();
            let mut names: Vec<&str> = output.lines().collect();
            names.sort_unstable();
            if names != expected {
                return Err(format!("{library} exports {names:?}, expected {expected:?}"));
            }
        }
        Ok(Outcome::Passed)
    }

    /// `tests/c/checks.c` with the look-alike (shared and static) and with the library for
    /// LD_PRELOAD; and the header in C++.
    fn programs_in_c(&self) -> Result<Outcome, String> {
        let checks = self.source.join("tests/c/checks.c");
        let with = |name: &str, args: &[&str]| -> Result<PathBuf, String> {
            let program = self.made.join(name);
            let mut compile = Command::new("cc");
            compile.args(STRICT).arg("-o").arg(&program).arg(&checks).args(args);
            steps::run(compile.current_dir(&self.made))?;
            Ok(program)
        };
        let shared = with("checks-shared", &["-I.", "-L.", "-liconv"])?;
        steps::run(Command::new(shared).env("LD_LIBRARY_PATH", &self.made))?;
        let fixed = ["-I.", "libiconv.a", "-lpthread", "-ldl", "-lm"];
        steps::run(&mut Command::new(with("checks-static", &fixed)?))?;
        let preloaded = with("checks-preloaded", &[])?;
        let library = self.made.join("libutfall_iconv.so");
        steps::run(Command::new(preloaded).env("LD_PRELOAD", library))?;
        let mut header = Command::new("c++");
        header.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"]);
        steps::run(header.arg(self.made.join("iconv.h")))?;
        Ok(Outcome::Passed)
    }

    /// The same program reads and writes only its own memory, and loses none.
    fn valgrind(&self) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_programs(&[["valgrind", "--version"]], &["valgrind"])? {
            return Ok(Outcome::Skipped(lacking));
        }
        let mut valgrind = Command::new("valgrind");
        valgrind.args(["-q", "--error-exitcode=1", "--leak-check=full"]);
        // The tables that live as long as the program count as possibly lost.
        valgrind.args(["--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"]);
        valgrind.arg(self.made.join("checks-shared")).env("LD_LIBRARY_PATH", &self.made);
        steps::run(&mut valgrind)?;
        Ok(Outcome::Passed)
    }

    /// `tests/c/checks.c`, linked with musl and the static look-alike.
    fn musl(&self) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_programs(&[["musl-gcc", "--version"]], &["musl-tools"])? {
            return Ok(Outcome::Skipped(lacking));
        }
        if let Some(lacking) = lacking_target(&self.root, musl::TARGET)? {
            return Ok(Outcome::Skipped(lacking));
        }
        let build =
            ["build", "--release", "-p", "utfall-iconv-c", "--lib", "--target", musl::TARGET];
        steps::run(&mut cargo(&self.root, &build))?;
        let archive = target_dir(&self.root).join(musl::TARGET).join("release").join(ARCHIVE);
        self.archive("musl-gcc", &[archive, musl::unwinder(&self.root)?], "libiconv-musl.a")?;
        let program = self.made.join("checks-musl");
        let mut compile = Command::new("musl-gcc");
        compile.args(STRICT).args(["-static", "-I."]).arg("-o").arg(&program);
        compile.arg(self.source.join("tests/c/checks.c")).arg("libiconv-musl.a");
        steps::run(compile.current_dir(&self.made))?;
        steps::run(&mut Command::new(program))?;
        Ok(Outcome::Passed)
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", to.display()))
}
