//! The page `web`: put together with the modules of the npm package, and tested in Chromium and Firefox.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use super::js::{self, copy, copy_all, write};
use crate::steps::{self, Outcome, Steps, Stopped};
use crate::tools::{lacking_programs, target_dir};

/// What the tests need. npm installs them; the browsers are those of the system. Playwright needs
/// a patched Firefox, so Puppeteer drives the unmodified one.
const TOOLS: [&str; 3] = ["playwright-core@1", "axe-core@4", "puppeteer-core@24"];

/// Files of the repository that are examples on the page.
const EXAMPLES: [&str; 1] = ["testdata/UTF-8-test.txt"];

/// The modules of WebAssembly that the page chooses from.
const MODULES: [&str; 2] = ["full", "plain"];

/// Builds the page in `web` of the target directory.
pub(crate) fn run(root: &Path) -> Result<(), String> {
    if let Some(lacking) = js::lacking(root)? {
        return Err(lacking);
    }
    let folder = build(root)?;
    println!("The page is in {}. Any server for static files can serve it:", folder.display());
    println!("  python3 -m http.server --directory {}", folder.display());
    Ok(())
}

pub(crate) fn check(steps: &mut Steps, root: &Path) -> Result<(), Stopped> {
    let mut lacking = None;
    steps.run("web: tools", || {
        lacking = js::lacking(root)?;
        let browser = [["chromium", "--version"]];
        lacking = match lacking.take() {
            None => lacking_programs(&browser, &["chromium"])?,
            known => known,
        };
        Ok(lacking.clone().map_or(Outcome::Passed, Outcome::Skipped))
    })?;
    if lacking.is_some() {
        return Ok(());
    }
    steps.run("web: page", || build(root).map(|_| Outcome::Passed))?;
    steps.run("web: Chromium", || test(root, "page.test.mjs"))?;
    steps.run("web: Firefox", || {
        match lacking_programs(&[["firefox-esr", "--version"]], &["firefox-esr"])? {
            Some(reason) => Ok(Outcome::Skipped(reason)),
            None => test(root, "firefox.test.mjs"),
        }
    })
}

fn place(root: &Path) -> PathBuf {
    let root = root.canonicalize().unwrap_or_else(|_| root.to_owned());
    target_dir(&root).join("web")
}

/// Puts the page together. Returns its folder.
fn build(root: &Path) -> Result<PathBuf, String> {
    let modules = js::modules(root, &MODULES)?;
    let folder = place(root);
    _ = fs::remove_dir_all(&folder);
    let (web, library) = (root.join("web"), folder.join("utfall"));
    for part in ["index.html", "style.css", "icon.svg", "manifest.webmanifest", "sw.js"] {
        copy(&web.join(part), &folder.join(part))?;
    }
    copy_all(&web.join("js"), &folder.join("js"))?;
    copy_all(&root.join("bindings/js/lib"), &library.join("lib"))?;
    for name in MODULES {
        let module = format!("{name}.wasm");
        copy(&modules.join(&module), &library.join("wasm").join(&module))?;
    }
    for example in EXAMPLES {
        let name = Path::new(example).file_name().unwrap_or_default();
        copy(&root.join(example), &folder.join("examples").join(name))?;
    }
    let mut worker = Command::new("node");
    steps::run(worker.arg(web.join("build/worker.mjs")).arg(&folder))?;
    Ok(folder)
}

/// Runs the tests of a file in its browser.
fn test(root: &Path, file: &str) -> Result<Outcome, String> {
    let page = place(root);
    let project = page.with_file_name("bindings").join("web");
    write(&project.join("package.json"), "{\"private\": true, \"type\": \"module\"}\n")?;
    let mut npm = Command::new("npm");
    npm.args(["install", "--no-audit", "--no-fund", "--silent"]).args(TOOLS);
    if let Err(reason) = steps::run(npm.current_dir(&project)) {
        return Ok(Outcome::Skipped(format!(
            "the packages of the tests cannot be installed: {reason}"
        )));
    }
    _ = fs::remove_dir_all(project.join("test"));
    copy_all(&root.join("web/test"), &project.join("test"))?;
    let mut node = Command::new("node");
    node.args(["--test", "--test-concurrency=1"]).arg(Path::new("test").join(file));
    node.env("UTFALL_PAGE", &page);
    let root = &root.canonicalize().unwrap_or_else(|_| root.to_owned());
    node.env("UTFALL_KEPT_PICTURES", root.join("web/test/pictures"));
    // The tests of CI have built it.
    let program = target_dir(root).join("checked").join("utfall");
    if program.exists() {
        node.env("UTFALL_PROGRAM", root.join(program));
    }
    steps::run(node.env("UTFALL_PICTURES", project.join("pictures")).current_dir(&project))?;
    Ok(Outcome::Passed)
}
