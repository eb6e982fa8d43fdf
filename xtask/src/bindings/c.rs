//! The C library: its installation, and its tests with C programs.

mod examples;
mod install;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::{PROFILE, abi, musl};
use crate::steps::{self, Outcome, Steps, Stopped};
use crate::tools::{lacking_programs, lacking_target, target_dir};

pub(crate) use install::install;

/// The programs of `bindings/c/tests/c`.
const PROGRAMS: [&str; 3] = ["calls.c", "layout.c", "from_cpp.cpp"];

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"];

/// How programs are built.
struct Build {
    /// What their names end in.
    name: &'static str,
    compilers: [&'static str; 2],
    is_static: bool,
    flags: &'static [&'static str],
}

const SHARED: Build =
    Build { name: "shared", compilers: ["gcc", "g++"], is_static: false, flags: &[] };
const STATIC: Build = Build { name: "static", is_static: true, ..SHARED };
const SANITIZED: Build = Build {
    name: "sanitized",
    flags: &["-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    ..STATIC
};
const CLANG: Build = Build { name: "clang", compilers: ["clang", "clang++"], ..SHARED };

/// The installation that the tests use, and where they put their programs.
struct Prefix {
    root: PathBuf,
    prefix: PathBuf,
    programs: PathBuf,
}

pub(super) fn check(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    if !cfg!(target_os = "linux") {
        return steps
            .run("c", || Ok(Outcome::Skipped("the tests of the library need Linux".into())));
    }
    let folder = target_dir(root).join("bindings/c");
    let here = Prefix {
        root: root.into(),
        prefix: folder.join("prefix"),
        programs: folder.join("programs"),
    };
    steps.run("c: install", || here.install())?;
    steps.run("c: symbols", || here.symbols())?;
    steps.run("c: version", || here.version())?;
    steps.run("c: shared", || here.programs(&SHARED))?;
    steps.run("c: static", || here.programs(&STATIC))?;
    steps.run("c: AddressSanitizer", || here.programs(&SANITIZED))?;
    steps.run("c: clang", || match is_there("clang++") {
        true => here.programs(&CLANG),
        false => Ok(Outcome::Skipped("clang++ is not installed".into())),
    })?;
    steps.run("c: musl", || here.musl())?;
    steps.run("c: valgrind", || here.valgrind())?;
    steps.run("c: cmake", || here.cmake())?;
    steps.run("c: ctypes", || here.ctypes())?;
    steps.run("c: docs/c.md", || here.examples())?;
    steps.run("c: abidiff", || here.abi())
}

impl Prefix {
    fn install(&self) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_compiler()? {
            return Ok(Outcome::Skipped(lacking));
        }
        _ = fs::remove_dir_all(&self.prefix);
        _ = fs::remove_dir_all(&self.programs);
        fs::create_dir_all(&self.programs).map_err(|error| error.to_string())?;
        let prefix = self.prefix.to_string_lossy();
        install(&self.root, &["--prefix", &prefix, "--profile", PROFILE])?;
        Ok(Outcome::Passed)
    }

    fn library(&self) -> PathBuf {
        self.prefix.join("lib/libutfall.so")
    }

    /// The shared library shows the functions of the header, with their versions, and nothing else.
    fn symbols(&self) -> Result<Outcome, String> {
        let mut nm = Command::new("nm");
        nm.args(["-D", "--defined-only", "--with-symbol-versions"]).arg(self.library());
        let listed = String::from_utf8_lossy(&steps::output(&mut nm, b"")?).into_owned();
        let shown: BTreeSet<_> = listed
            .lines()
            .filter_map(|line| line.rsplit(' ').next())
            .filter(|name| *name != "UTFALL_0.1" && *name != "UTFALL_0.1@@UTFALL_0.1")
            .collect();
        let map = read(&self.root.join("bindings/c/utfall.map"))?;
        let names = map.lines().filter_map(|line| line.trim().strip_suffix(';'));
        let names = names.filter(|name| name.starts_with("utfall_"));
        let expected: BTreeSet<_> = names.map(|name| format!("{name}@@UTFALL_0.1")).collect();
        let expected: BTreeSet<_> = expected.iter().map(String::as_str).collect();
        if shown != expected {
            let wrong: Vec<_> = shown.symmetric_difference(&expected).collect();
            return Err(format!("symbols of the library and of utfall.map differ: {wrong:?}"));
        }
        let mut readelf = Command::new("readelf");
        readelf.arg("-d").arg(self.library());
        let dynamic = String::from_utf8_lossy(&steps::output(&mut readelf, b"")?).into_owned();
        match dynamic.contains("soname: [libutfall.so.0]") {
            true => Ok(Outcome::Passed),
            false => Err(format!("no soname libutfall.so.0:\n{dynamic}")),
        }
    }

    fn pkg_config(&self, args: &[&str]) -> Result<Vec<String>, String> {
        let mut command = Command::new("pkg-config");
        command.env("PKG_CONFIG_PATH", self.prefix.join("lib/pkgconfig"));
        let flags = steps::output(command.args(args).arg("utfall"), b"")?;
        let flags = String::from_utf8_lossy(&flags).into_owned();
        Ok(flags.split_whitespace().map(str::to_owned).collect())
    }

    /// The files of an installation have the version of the workspace.
    fn version(&self) -> Result<Outcome, String> {
        let version = env!("CARGO_PKG_VERSION");
        let header = read(&self.prefix.join("include/utfall.h"))?;
        if !header.contains(&format!("#define UTFALL_VERSION \"{version}\"\n")) {
            return Err(format!("utfall.h has not the version {version}"));
        }
        let told = self.pkg_config(&["--modversion"])?;
        match told == [version] && self.library().with_extension(format!("so.{version}")).exists() {
            true => Ok(Outcome::Passed),
            false => Err(format!("{told:?} or the file name of the library is not {version}")),
        }
    }

    /// Compiles a program with the installed library. Returns its path.
    fn compile(&self, source: &Path, build: &Build) -> Result<PathBuf, String> {
        let name = source.file_stem().unwrap_or_default().to_string_lossy();
        let program = self.programs.join(format!("{name}-{}", build.name));
        let is_cpp = source.extension().is_some_and(|extension| extension == "cpp");
        let mut compiler = Command::new(build.compilers[usize::from(is_cpp)]);
        compiler.arg(if is_cpp { "-std=c++17" } else { "-std=c11" }).args(WARNINGS);
        compiler.args(["-g", "-O1"]).args(build.flags).arg(source).arg("-o").arg(&program);
        compiler.args(self.pkg_config(&["--cflags"])?);
        if build.is_static {
            compiler.arg(self.prefix.join("lib/libutfall.a"));
            let libraries = self.pkg_config(&["--static", "--libs-only-l"])?;
            compiler.args(libraries.iter().filter(|flag| *flag != "-lutfall"));
        } else {
            compiler.args(self.pkg_config(&["--libs"])?);
            compiler.arg(format!("-Wl,-rpath,{}", self.prefix.join("lib").display()));
        }
        steps::run(&mut compiler)?;
        Ok(program)
    }

    fn sources(&self) -> impl Iterator<Item = PathBuf> {
        PROGRAMS.iter().map(|name| self.root.join("bindings/c/tests/c").join(name))
    }

    fn programs(&self, build: &Build) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_compiler()? {
            return Ok(Outcome::Skipped(lacking));
        }
        for source in self.sources() {
            let program = self.compile(&source, build)?;
            steps::run(&mut Command::new(program))?;
        }
        Ok(Outcome::Passed)
    }

    fn valgrind(&self) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_programs(&[["valgrind", "--version"]], &["valgrind"])? {
            return Ok(Outcome::Skipped(lacking));
        }
        for source in self.sources() {
            let program = self.compile(&source, &SHARED)?;
            let mut valgrind = Command::new("valgrind");
            valgrind.args(["-q", "--error-exitcode=9", "--leak-check=full"]);
            valgrind.arg("--errors-for-leak-kinds=definite,possible").arg(program);
            steps::run(&mut valgrind)?;
        }
        Ok(Outcome::Passed)
    }

    /// A static program for musl.
    fn musl(&self) -> Result<Outcome, String> {
        if !cfg!(target_arch = "x86_64") {
            return Ok(Outcome::Skipped("the test is for x86-64".into()));
        }
        if let Some(lacking) = lacking_programs(&[["musl-gcc", "--version"]], &["musl-tools"])? {
            return Ok(Outcome::Skipped(lacking));
        }
        if let Some(lacking) = lacking_target(&self.root, musl::TARGET)? {
            return Ok(Outcome::Skipped(lacking));
        }
        let build = ["build", "--package", "utfall-c", "--lib", "--profile", PROFILE, "--target"];
        steps::run(steps::cargo(&self.root, &build).arg(musl::TARGET))?;
        let built = target_dir(&self.root).join(musl::TARGET).join(PROFILE);
        let program = self.programs.join("calls-musl");
        let mut compiler = Command::new("musl-gcc");
        compiler.args(["-std=c11", "-static", "-O1"]).args(WARNINGS).arg("-o").arg(&program);
        compiler.arg("-I").arg(self.prefix.join("include"));
        compiler.arg(self.root.join("bindings/c/tests/c/calls.c"));
        compiler.arg(built.join("libutfall_c.a")).arg(musl::unwinder(&self.root)?);
        steps::run(&mut compiler)?;
        steps::run(&mut Command::new(program))?;
        Ok(Outcome::Passed)
    }

    /// A project that finds the library with CMake.
    fn cmake(&self) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_programs(&[["cmake", "--version"]], &["cmake", "make"])? {
            return Ok(Outcome::Skipped(lacking));
        }
        let build = self.programs.join("cmake");
        let mut configure = Command::new("cmake");
        configure.arg("-S").arg(self.root.join("bindings/c/tests/cmake")).arg("-B").arg(&build);
        configure.arg(format!("-DCMAKE_PREFIX_PATH={}", self.prefix.display()));
        steps::run(&mut configure)?;
        steps::run(Command::new("cmake").arg("--build").arg(&build))?;
        steps::run(&mut Command::new(build.join("shared")))?;
        steps::run(&mut Command::new(build.join("static")))?;
        Ok(Outcome::Passed)
    }

    fn ctypes(&self) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_programs(&[["python3", "--version"]], &["python3"])? {
            return Ok(Outcome::Skipped(lacking));
        }
        let mut python = Command::new("python3");
        python.arg(self.root.join("bindings/c/tests/ctypes_client.py")).arg(self.library());
        python.arg(self.root.join("testdata/bindings/cases.json"));
        steps::run(&mut python)?;
        Ok(Outcome::Passed)
    }

    /// The examples of the page compile, and print what the page says.
    fn examples(&self) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_compiler()? {
            return Ok(Outcome::Skipped(lacking));
        }
        let examples = examples::of(&read(&self.root.join("docs/c.md"))?)?;
        for (number, example) in examples.iter().enumerate() {
            let source = self.programs.join(format!("example{number}.c"));
            fs::write(&source, &example.source).map_err(|error| error.to_string())?;
            let program = self.compile(&source, &SHARED)?;
            let output = steps::output(&mut Command::new(program), b"")?;
            let output = String::from_utf8_lossy(&output);
            if output != example.output {
                let expected = &example.output;
                return Err(format!("example {number} printed\n{output}instead of\n{expected}"));
            }
        }
        println!("   {} examples", examples.len());
        Ok(Outcome::Passed)
    }

    /// The types of C, from a library in C that only has the declarations.
    fn abi(&self) -> Result<Outcome, String> {
        if let Some(lacking) = lacking_compiler()? {
            return Ok(Outcome::Skipped(lacking));
        }
        abi::compare(&self.stub()?, &self.root.join("bindings/c/utfall.abi"))
    }

    /// A library with the functions of the header and their types, but empty. The real one has the debugging
    /// information of Rust, which names types differently with every compiler.
    fn stub(&self) -> Result<PathBuf, String> {
        let header = read(&self.prefix.join("include/utfall.h"))?;
        let source = self.programs.join("stub.c");
        fs::write(&source, install::stub(&header)).map_err(|error| error.to_string())?;
        let library = self.programs.join("libutfall.so.0");
        let mut gcc = Command::new("gcc");
        gcc.args(["-shared", "-fPIC", "-g", "-w", "-nostdlib", "-Wl,-soname,libutfall.so.0"]);
        gcc.arg(format!("-Wl,--version-script={}", self.map().display()));
        gcc.arg("-I").arg(self.prefix.join("include")).args(["stub.c", "-o"]).arg(&library);
        // So that the recorded interface names no folder of this machine.
        gcc.current_dir(&self.programs);
        steps::run(&mut gcc)?;
        Ok(library)
    }

    fn map(&self) -> PathBuf {
        self.root.join("bindings/c/utfall.map")
    }
}

fn is_there(program: &str) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

fn lacking_compiler() -> Result<Option<String>, String> {
    let programs = [
        ["gcc", "--version"],
        ["g++", "--version"],
        ["pkg-config", "--version"],
        ["nm", "--version"],
    ];
    lacking_programs(&programs, &["gcc", "g++", "libc6-dev", "pkg-config", "binutils"])
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}
