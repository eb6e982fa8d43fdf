//! The npm package: its modules of WebAssembly, the package installed as users do, and its tests.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::share::Share;
use crate::steps::{self, Outcome, Steps, Stopped, cargo};
use crate::tools::{lacking_programs, lacking_source, lacking_target, nightly, runs, target_dir};
use crate::trust::platforms::WASI_RUNNER;

const TARGET: &str = "wasm32-unknown-unknown";

/// WebAssembly with WASI, for tests that need system calls.
const TARGET_OF_TESTS: &str = "wasm32-wasip1";

/// A module of the package.
struct Module {
    name: &'static str,
    /// The features of `utfall-js`.
    features: &'static str,
    has_simd: bool,
    /// Whether the crate `utfall` is optimized for size by stable toolchains too. Only nightly ones have the
    /// attribute that optimizes some functions for speed.
    is_small: bool,
}

/// The one without SIMD has everything, and replaces each of those with SIMD.
const MODULES: [Module; 4] = [
    Module { name: "full", features: "reports", has_simd: true, is_small: false },
    Module { name: "charsets", features: "charsets", has_simd: true, is_small: false },
    Module { name: "plain", features: "reports", has_simd: false, is_small: false },
    Module { name: "utf", features: "", has_simd: false, is_small: true },
];

/// The first version of Node that can `require()` modules.
const OLDEST_NODE: &str = "const [major, minor] = process.versions.node.split('.'); process.exit(major > 20 || major == 20 && minor >= 19 ? 0 : 1)";

/// How modules are built.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    /// By the nightly toolchain, with a standard library that is optimized for size and has no messages
    /// for panics.
    Small,
    /// By the toolchain of the workspace, with the standard library of that.
    Stable,
}

impl How {
    fn possible(root: &Path) -> Self {
        if lacking_source(root).is_none() { Self::Small } else { Self::Stable }
    }
}

/// The folders of a run.
struct Places {
    source: PathBuf,
    testdata: PathBuf,
    modules: PathBuf,
    /// The package before it is packed.
    package: PathBuf,
    /// A new project with the packed package, and what the tests need.
    fresh: PathBuf,
}

pub(crate) fn check(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    let here = Places::of(root);
    let mut lacking = None;
    steps.run("js: tools", || {
        lacking = here.lacking(root)?;
        Ok(lacking.clone().map_or(Outcome::Passed, Outcome::Skipped))
    })?;
    if lacking.is_some() {
        return Ok(());
    }
    steps.run("js: lints", || here.lint(root))?;
    steps.run("js: toolchain", || {
        Ok(here.toolchain(root).map_or(Outcome::Passed, Outcome::Skipped))
    })?;
    for module in &MODULES {
        steps.run(&format!("js: module {}", module.name), || here.build(root, module))?;
    }
    steps.run("js: kernels", || here.kernels(root))?;
    steps.run("js: package", || here.pack())?;
    let mut reason = None;
    steps.run("js: install", || {
        reason = here.install()?;
        Ok(reason.clone().map_or(Outcome::Passed, Outcome::Skipped))
    })?;
    if reason.is_some() {
        return Ok(());
    }
    steps.run("js: types", || here.types())?;
    for runtime in RUNTIMES {
        steps.run(&format!("js: tests, {}", runtime[0]), || here.tests(runtime))?;
    }
    steps.run("js: other packages", || here.script("node", "peers.js"))?;
    steps.run("js: bundles", || here.script("node", "bundles.js"))
}

const NODE_24: &str = "node_modules/node/bin/node";

/// The name of a runtime, its program, and the arguments before the script. Those of npm are
/// relative to the project.
const RUNTIMES: [&[&str]; 4] = [
    &["Node", "node", "--expose-gc"],
    &["Node 24", NODE_24, "--expose-gc"],
    &["Bun", "node_modules/.bin/bun"],
    &["Deno", "node_modules/.bin/deno", "run", "--allow-all", "--quiet"],
];

/// Why nothing can be built.
pub(super) fn lacking(root: &Path) -> Result<Option<String>, String> {
    Places::of(root).lacking(root)
}

/// Builds some of the modules. Returns their folder.
pub(super) fn modules(root: &Path, names: &[&str]) -> Result<PathBuf, String> {
    let here = Places::of(root);
    for module in MODULES.iter().filter(|module| names.contains(&module.name)) {
        here.build(root, module)?;
    }
    Ok(here.modules)
}

impl Places {
    fn of(root: &Path) -> Self {
        let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
        let folder = target_dir(&root).join("bindings/js");
        Self {
            source: root.join("bindings/js"),
            testdata: root.join("testdata"),
            modules: folder.join("modules"),
            package: folder.join("package"),
            fresh: folder.join("fresh"),
        }
    }

    /// Why the package cannot be built.
    fn lacking(&self, root: &Path) -> Result<Option<String>, String> {
        let programs = [["node", "--version"], ["npm", "--version"]];
        if let Some(lacking) = lacking_programs(&programs, &["nodejs", "npm"])? {
            return Ok(Some(lacking));
        }
        if !runs(&["node", "-e", OLDEST_NODE]) {
            return Ok(Some("node is older than 20.19".into()));
        }
        lacking_target(root, TARGET)
    }

    /// Other flags in the same folder would rebuild everything.
    fn folder(&self, module: &Module, how: How) -> PathBuf {
        let simd = if module.has_simd { "simd" } else { "plain" };
        self.modules.join(if how == How::Small { format!("small-{simd}") } else { simd.into() })
    }

    /// Cargo on the crate of the modules.
    fn cargo(&self, root: &Path, command: &str, module: &Module, how: How) -> Command {
        let Module { features, has_simd, .. } = *module;
        let what = [command, "--package", "utfall-js", "--profile", "wasm"];
        let mut cargo = match how {
            How::Small => nightly(&what),
            How::Stable => cargo(root, &what),
        };
        cargo.args(["--locked", "--target", TARGET, "--features", features, "--target-dir"]);
        cargo.arg(self.folder(module, how)).current_dir(root);
        if how == How::Stable && !module.is_small {
            cargo.args(["--config", "profile.wasm.package.utfall.opt-level=3"]);
        }
        // Those of CI are for this machine's processor.
        let mut flags = String::from("--cfg utfall_js");
        if has_simd {
            flags += " -C target-feature=+simd128";
        }
        if how == How::Small {
            cargo.args(["-Zbuild-std=std,panic_abort", "-Zbuild-std-features=optimize_for_size"]);
            // Nobody sees the message of a panic: JavaScript learns of a trap, and where it was.
            flags += " --cfg utfall_speed -Zunstable-options -Cpanic=immediate-abort";
        }
        cargo.env("RUSTFLAGS", flags);
        cargo
    }

    /// Why the modules are built by the toolchain of the workspace, and thus larger.
    fn toolchain(&self, root: &Path) -> Option<String> {
        lacking_source(root).map(|reason| format!("{reason}, so the modules are larger"))
    }

    /// In the profile of the modules, so that they need no other build scripts and macros.
    fn lint(&self, root: &Path) -> Result<Outcome, String> {
        let mut clippy = self.cargo(root, "clippy", &MODULES[0], How::Stable);
        steps::run(clippy.args(["--", "-D", "warnings"]))?;
        Ok(Outcome::Passed)
    }

    fn build(&self, root: &Path, module: &Module) -> Result<Outcome, String> {
        let how = How::possible(root);
        steps::run(&mut self.cargo(root, "build", module, how))?;
        let folder = self.folder(module, how).join(TARGET).join("wasm");
        let name = format!("{}.wasm", module.name);
        copy(&folder.join("utfall_js.wasm"), &self.modules.join(name))?;
        Ok(Outcome::Passed)
    }

    /// Tests the shorter kernels of the modules.
    fn kernels(&self, root: &Path) -> Result<Outcome, String> {
        if let Some(reason) = lacking_target(root, TARGET_OF_TESTS)? {
            return Ok(Outcome::Skipped(reason));
        }
        let mut test = cargo(root, &["test", "--package", "utfall-simd", "--test", "it"]);
        test.args(["--locked", "--target", TARGET_OF_TESTS, "--target-dir"]);
        test.arg(self.modules.join("kernels")).current_dir(root);
        test.env("RUSTFLAGS", "--cfg utfall_js -C target-feature=+simd128");
        test.env("CARGO_TARGET_WASM32_WASIP1_RUNNER", WASI_RUNNER);
        Share::Short(8).set(&mut test);
        steps::run(&mut test)?;
        Ok(Outcome::Passed)
    }

    /// Puts the package together, and packs it.
    fn pack(&self) -> Result<Outcome, String> {
        _ = fs::remove_dir_all(&self.package);
        for part in ["bin", "lib"] {
            copy_all(&self.source.join(part), &self.package.join(part))?;
        }
        for file in ["package.json", "README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            copy(&self.source.join(file), &self.package.join(file))?;
        }
        for Module { name, .. } in &MODULES {
            let module = format!("{name}.wasm");
            copy(&self.modules.join(&module), &self.package.join("wasm").join(&module))?;
        }
        let mut inline = Command::new("node");
        inline.arg(self.source.join("build/inline.js")).current_dir(&self.package);
        steps::run(&mut inline)?;
        let mut pack = Command::new("npm");
        pack.args(["pack", "--silent", "--pack-destination", ".."]);
        steps::run(pack.current_dir(&self.package))?;
        Ok(Outcome::Passed)
    }

    /// Installs the packed package in a new project, and then what the tests need. Returns why the
    /// latter is impossible.
    fn install(&self) -> Result<Option<String>, String> {
        // What npm has downloaded stays; the package is always a new one.
        _ = fs::remove_dir_all(self.fresh.join("node_modules/utfall"));
        _ = fs::remove_file(self.fresh.join("package-lock.json"));
        let manifest = fs::read_to_string(self.source.join("package.json"))
            .map_err(|error| format!("package.json: {error}"))?;
        // The versions are in one place: the package's own list.
        let tools = manifest
            .split("\"devDependencies\": ")
            .nth(1)
            .and_then(|rest| rest.split_inclusive('}').next())
            .ok_or("package.json lacks devDependencies")?;
        let version = env!("CARGO_PKG_VERSION");
        let project = format!(
            "{{\"private\": true, \"type\": \"module\", \"devDependencies\": {tools},\n\
             \"dependencies\": {{\"utfall\": \"file:../utfall-{version}.tgz\"}}}}\n"
        );
        write(&self.fresh.join("package.json"), &project)?;
        let mut npm = Command::new("npm");
        npm.args(["install", "--no-audit", "--no-fund", "--silent"]);
        if let Err(reason) = steps::run(npm.current_dir(&self.fresh)) {
            return Ok(Some(format!("the packages of the tests cannot be installed: {reason}")));
        }
        _ = fs::remove_dir_all(self.fresh.join("test"));
        copy_all(&self.source.join("test"), &self.fresh.join("test"))?;
        Ok(None)
    }

    fn types(&self) -> Result<Outcome, String> {
        let bin = self.fresh.join("node_modules/.bin");
        let mut tsc = Command::new(bin.join("tsc"));
        steps::run(tsc.args(["--project", "test/tsconfig.json"]).current_dir(&self.fresh))?;
        let mut publint = Command::new(bin.join("publint"));
        steps::run(publint.arg("--strict").current_dir(&self.package))?;
        let packed = format!("../utfall-{}.tgz", env!("CARGO_PKG_VERSION"));
        let mut attw = Command::new(bin.join("attw"));
        // The package has modules only: `require()` loads them.
        attw.args([&packed, "--profile", "esm-only", "--format", "ascii"]);
        steps::run(attw.current_dir(&self.fresh))?;
        Ok(Outcome::Passed)
    }

    fn tests(&self, runtime: &[&str]) -> Result<Outcome, String> {
        let [_, program, arguments @ ..] = runtime else { return Ok(Outcome::Passed) };
        let path = match program.contains('/') {
            true => self.fresh.join(program),
            false => program.into(),
        };
        if path.is_absolute() && !path.exists() {
            return Ok(Outcome::Skipped(format!("npm did not install {program} here")));
        }
        let mut command = Command::new(path);
        command.args(arguments).arg("test/all.js");
        self.run(&mut command)
    }

    fn script(&self, program: &str, script: &str) -> Result<Outcome, String> {
        self.run(Command::new(program).arg(Path::new("test").join(script)))
    }

    fn run(&self, command: &mut Command) -> Result<Outcome, String> {
        command.env("UTFALL_TESTDATA", &self.testdata).current_dir(&self.fresh);
        if How::possible(&self.source) == How::Stable {
            command.env("UTFALL_LARGE_MODULES", "1");
        }
        steps::run(command)?;
        Ok(Outcome::Passed)
    }
}

/// Prints the speed of the package beside other packages and the runtime's own decoder.
pub(crate) fn compare(root: &Path) -> Result<(), String> {
    let here = Places::of(root);
    if !here.fresh.join("test").exists() {
        return Err("run `cargo xtask bindings js` first, which builds the package".into());
    }
    // The newest Node of the tests, if npm could install it.
    let node = here.fresh.join(NODE_24);
    let node = if node.exists() { node } else { "node".into() };
    here.run(Command::new(node).arg("test/speed.js")).map(|_| ())
}

pub(super) fn write(path: &Path, text: &str) -> Result<(), String> {
    let folder = path.parent().unwrap_or(path);
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| format!("{}: {error}", path.display()))
}

pub(super) fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let folder = to.parent().unwrap_or(to);
    fs::create_dir_all(folder)
        .and_then(|()| fs::copy(from, to))
        .map(|_| ())
        .map_err(|error| format!("{}: {error}", from.display()))
}

/// Copies a folder with its folders.
pub(super) fn copy_all(from: &Path, to: &Path) -> Result<(), String> {
    let entries = fs::read_dir(from).map_err(|error| format!("{}: {error}", from.display()))?;
    for entry in entries.flatten() {
        let target = to.join(entry.file_name());
        match entry.path() {
            path if path.is_dir() => copy_all(&path, &target)?,
            path => copy(&path, &target)?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// There is one version of everything.
    #[test]
    fn the_package_has_the_version_of_the_workspace() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let manifest = fs::read_to_string(root.join("bindings/js/package.json")).unwrap();
        let line = concat!("\n  \"version\": \"", env!("CARGO_PKG_VERSION"), "\",\n");
        assert!(manifest.contains(line), "package.json lacks {line:?}");
    }
}
