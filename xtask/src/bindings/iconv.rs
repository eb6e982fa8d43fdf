//! The libraries of `bindings/iconv`: linked, installed, and tested with C programs and real ones.
//!
//! rustc chooses the symbols that a shared library exports, so it makes static ones, which the C
//! compiler links with the names of iconv(3) and libiconv.

mod php;
mod programs;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{PROFILE, abi, musl};
use crate::steps::{self, Outcome, Steps, Stopped, cargo};
use crate::tools::{lacking_programs, lacking_target, target_dir};

const STRICT: [&str; 5] = ["-std=c11", "-Wall", "-Wextra", "-Werror", "-O2"];
const ARCHIVE: &str = "libutfall_iconv_c.a";

const USAGE: &str = "usage: cargo xtask install-iconv --prefix PATH [--musl]";

/// The sources in C: `src/NAME.c`, and the library that each becomes.
const LIBRARIES: [(&str, &str); 2] =
    [("preload", "libutfall_iconv.so"), ("libiconv", "libiconv.so.2")];

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

/// What links a program in the folder of the libraries with the static one.
const STATIC: [&str; 5] = ["-I.", "libiconv.a", "-lpthread", "-ldl", "-lm"];

/// Where the sources and the libraries are.
struct Places {
    root: PathBuf,
    source: PathBuf,
    /// The folder with the libraries and `iconv.h`.
    made: PathBuf,
    profile: &'static str,
}

/// `cargo xtask install-iconv`: both libraries and the header, in PATH/lib and PATH/include.
pub(crate) fn install(root: &Path, args: &[&str]) -> Result<(), String> {
    let (prefix, has_musl) = match args {
        ["--prefix", prefix] => (Path::new(prefix), false),
        ["--prefix", prefix, "--musl"] | ["--musl", "--prefix", prefix] => {
            (Path::new(prefix), true)
        }
        _ => return Err(USAGE.into()),
    };
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return Err("the libraries are linked on Linux with glibc only".into());
    }
    let places = Places::new(root, "iconv", "release");
    places.build()?;
    let (lib, include) = (prefix.join("lib"), prefix.join("include"));
    for folder in [&lib, &include] {
        fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    }
    let mut files = vec!["libutfall_iconv.so", "libiconv.so.2", "libiconv.so", "libiconv.a"];
    if has_musl {
        if let Outcome::Skipped(reason) = places.build_for_musl()? {
            return Err(reason);
        }
        files.push("libiconv-musl.a");
    }
    for name in files {
        copy(&places.made.join(name), &lib.join(name))?;
    }
    copy(&places.made.join("iconv.h"), &include.join("iconv.h"))
}

/// Builds the libraries, and tests them with programs.
pub(super) fn check(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    let places = Places::new(root, "bindings/iconv", PROFILE);
    if !cfg!(all(target_os = "linux", target_env = "gnu")) {
        return steps.run("libraries of iconv(3)", || {
            Ok(Outcome::Skipped("this machine has no glibc".to_owned()))
        });
    }
    steps.run("iconv: libraries", || places.build().map(|()| Outcome::Passed))?;
    steps.run("iconv: exported symbols", || places.exports())?;
    steps.run("iconv: C programs", || places.programs_in_c())?;
    steps.run("iconv: AddressSanitizer", || places.sanitized())?;
    steps.run("iconv: a panic", || places.panics())?;
    steps.run("iconv: valgrind", || places.valgrind())?;
    steps.run("iconv: abidiff", || places.abi())?;
    let library = places.made.join("libutfall_iconv.so");
    for program in &programs::ALL {
        steps.run(&format!("iconv: {} beside glibc", program.name), || {
            programs::run(program, &places.source, &library)
        })?;
    }
    steps.run("iconv: PHP's own tests", || php::run(&places.root, &library))?;
    steps.run("iconv: a musl program", || places.musl())
}

impl Places {
    /// The libraries are made in the folder `made` of the target directory.
    fn new(root: &Path, made: &str, profile: &'static str) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let source = root.join("bindings/iconv");
        let made = target_dir(&root).join(made);
        Self { root, source, made, profile }
    }

    /// Builds the static library of Rust, for this machine or another target. Returns its path.
    fn rust(&self, target: &[&str]) -> Result<PathBuf, String> {
        let build = ["build", "-p", "utfall-iconv-c", "--lib", "--profile", self.profile];
        let mut cargo = cargo(&self.root, &build);
        cargo.args(target.iter().flat_map(|target| ["--target", target]));
        steps::run(&mut cargo)?;
        let folder = target_dir(&self.root).join(target.first().unwrap_or(&""));
        Ok(folder.join(self.profile).join(ARCHIVE))
    }

    fn build(&self) -> Result<(), String> {
        let archive = self.rust(&[])?;
        fs::create_dir_all(&self.made).map_err(|error| error.to_string())?;
        for (name, library) in LIBRARIES {
            self.link(name, &archive, library)?;
        }
        // The names that programs are linked with.
        copy(&self.made.join("libiconv.so.2"), &self.made.join("libiconv.so"))?;
        copy(&self.source.join("include/iconv.h"), &self.made.join("iconv.h"))?;
        self.archive("cc", &[archive], "libiconv.a")
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

    /// Compiles `tests/c/SOURCE.c`. Returns the program.
    fn compile(
        &self,
        cc: &str,
        source: &str,
        name: &str,
        args: &[&str],
    ) -> Result<PathBuf, String> {
        let program = self.made.join(name);
        let mut compile = Command::new(cc);
        compile.args(STRICT).arg("-o").arg(&program);
        compile.arg(self.source.join(format!("tests/c/{source}.c"))).args(args);
        steps::run(compile.current_dir(&self.made))?;
        Ok(program)
    }

    /// `tests/c/checks.c` with the look-alike (shared and static) and with the library for
    /// LD_PRELOAD; and the header in C++.
    fn programs_in_c(&self) -> Result<Outcome, String> {
        let with = |name: &str, args: &[&str]| self.compile("cc", "checks", name, args);
        let shared = with("checks-shared", &["-I.", "-L.", "-liconv"])?;
        steps::run(Command::new(shared).env("LD_LIBRARY_PATH", &self.made))?;
        steps::run(&mut Command::new(with("checks-static", &STATIC)?))?;
        let preloaded = with("checks-preloaded", &[])?;
        let library = self.made.join("libutfall_iconv.so");
        steps::run(Command::new(preloaded).env("LD_PRELOAD", library))?;
        let mut header = Command::new("c++");
        header.args(["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", "-x", "c++"]);
        steps::run(header.arg(self.made.join("iconv.h")))?;
        Ok(Outcome::Passed)
    }

    /// The same program, watched by the sanitizers of gcc.
    fn sanitized(&self) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_programs(&[["gcc", "--version"]], &["gcc", "libc6-dev"])? {
            return Ok(Outcome::Skipped(lacking));
        }
        let sanitizers = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];
        let args = [&sanitizers[..], &STATIC].concat();
        steps::run(&mut Command::new(self.compile("gcc", "checks", "checks-sanitized", &args)?))?;
        Ok(Outcome::Passed)
    }

    /// `tests/c/panics.c` with the sources of either library. The static library of Rust has a way to cause
    /// a panic, since it has debug assertions.
    fn panics(&self) -> Result<Outcome, String> {
        let archive = target_dir(&self.root).join(self.profile).join(ARCHIVE);
        let archive = archive.to_string_lossy();
        for (name, _) in LIBRARIES {
            let source = self.source.join(format!("src/{name}.c"));
            let source = source.to_string_lossy();
            let libraries = [&*source, &*archive, "-lpthread", "-ldl", "-lm"];
            let header = if name == "libiconv" { &["-I."][..] } else { &[] };
            let args = [header, &libraries].concat();
            let program = self.compile("cc", "panics", &format!("panics-{name}"), &args)?;
            steps::run(&mut Command::new(program))?;
        }
        Ok(Outcome::Passed)
    }

    /// The binary interfaces are those in `NAME.abi`.
    fn abi(&self) -> Result<Outcome, String> {
        for (name, library) in LIBRARIES {
            // With the functions of C only: the types of Rust have other names with every compiler.
            let stub = self.made.join("stub").join(library);
            fs::create_dir_all(self.made.join("stub")).map_err(|error| error.to_string())?;
            let map = self.source.join(format!("{name}.map"));
            let mut gcc = Command::new("gcc");
            gcc.args(["-shared", "-fPIC", "-g"]).arg(format!("-Wl,-soname,{library}"));
            gcc.arg(format!("-Wl,--version-script={}", map.display()));
            gcc.arg("-o").arg(&stub).arg(format!("src/{name}.c"));
            // So that the recorded interface names no folder of this machine.
            steps::run(gcc.current_dir(&self.source))?;
            let recorded = self.source.join(format!("{name}.abi"));
            let compared = abi::compare(&stub, &recorded)?;
            if matches!(compared, Outcome::Skipped(_)) {
                return Ok(compared);
            }
        }
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
        let built = self.build_for_musl()?;
        if matches!(built, Outcome::Skipped(_)) {
            return Ok(built);
        }
        let args = ["-static", "-I.", "libiconv-musl.a"];
        steps::run(&mut Command::new(self.compile("musl-gcc", "checks", "checks-musl", &args)?))?;
        Ok(Outcome::Passed)
    }

    /// `libiconv-musl.a`.
    fn build_for_musl(&self) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_programs(&[["musl-gcc", "--version"]], &["musl-tools"])? {
            return Ok(Outcome::Skipped(lacking));
        }
        if let Some(lacking) = lacking_target(&self.root, musl::TARGET)? {
            return Ok(Outcome::Skipped(lacking));
        }
        let archive = self.rust(&[musl::TARGET])?;
        self.archive("musl-gcc", &[archive, musl::unwinder(&self.root)?], "libiconv-musl.a")?;
        Ok(Outcome::Passed)
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::copy(from, to).map(|_| ()).map_err(|error| format!("{}: {error}", to.display()))
}
