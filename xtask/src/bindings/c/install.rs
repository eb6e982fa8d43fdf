//! `cargo xtask install-c`: the library, shared and static, with its header, for pkg-config and CMake.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::steps;
use crate::tools::target_dir;

const USAGE: &str = "usage: cargo xtask install-c --prefix PATH [--libdir NAME] [--profile NAME]; \
                     DESTDIR is prepended";

/// The version of the binary interface.
const SONAME: &str = "libutfall.so.0";

/// What Rust's standard library needs of a static program, on Linux.
const LIBRARIES: [&str; 6] = ["-lgcc_s", "-lutil", "-lrt", "-lpthread", "-lm", "-ldl"];

/// Where to install what.
struct Plan {
    prefix: PathBuf,
    /// The folder of libraries below the prefix: `lib`, or `lib/x86_64-linux-gnu`.
    libdir: String,
    profile: String,
}

impl Plan {
    fn new(args: &[&str]) -> Result<Self, String> {
        let mut plan =
            Self { prefix: PathBuf::new(), libdir: "lib".into(), profile: "release".into() };
        for pair in args.chunks(2) {
            match pair {
                ["--prefix", path] => plan.prefix = PathBuf::from(path),
                ["--libdir", name] => plan.libdir = (*name).into(),
                ["--profile", name] => plan.profile = (*name).into(),
                _ => return Err(USAGE.into()),
            }
        }
        match plan.prefix.is_absolute() && Path::new(&plan.libdir).is_relative() {
            true => Ok(plan),
            false => Err(format!("{USAGE}; PATH is absolute, and NAME relative to it")),
        }
    }

    /// A path below the prefix, in `DESTDIR`.
    fn place(&self, path: &str) -> PathBuf {
        let mut place = env::var_os("DESTDIR").unwrap_or_default();
        place.push(OsString::from(&self.prefix));
        PathBuf::from(place).join(path)
    }
}

pub(crate) fn install(root: &Path, args: &[&str]) -> Result<(), String> {
    let plan = Plan::new(args)?;
    if !cfg!(target_os = "linux") {
        return Err("the shared library is linked for Linux only; elsewhere use cargo-c".into());
    }
    let mut build = steps::cargo(root, &["build", "--package", "utfall-c", "--profile"]);
    steps::run(build.arg(&plan.profile))?;
    let folder = if plan.profile == "dev" { "debug" } else { &plan.profile };
    let built = target_dir(root).join(folder).join("libutfall_c.a");
    let version = env!("CARGO_PKG_VERSION");

    let lib = plan.place(&plan.libdir);
    let archive = lib.join("libutfall.a");
    write(&archive, &fs::read(&built).map_err(|error| format!("{}: {error}", built.display()))?)?;
    // Debugging information of the standard library is most of it.
    steps::run(Command::new("strip").arg("--strip-debug").arg(&archive))?;
    let shared = lib.join(format!("libutfall.so.{version}"));
    link(root, &archive, &shared)?;
    for (link, target) in
        [(SONAME, format!("libutfall.so.{version}")), ("libutfall.so", SONAME.into())]
    {
        symlink(&target, &lib.join(link))?;
    }
    let header = root.join("bindings/c/include/utfall.h");
    let header = fs::read(&header).map_err(|error| format!("{}: {error}", header.display()))?;
    write(&plan.place("include/utfall.h"), &header)?;
    write(&lib.join("pkgconfig/utfall.pc"), pc(&plan.libdir, version).as_bytes())?;
    let cmake = lib.join("cmake/utfall");
    write(&cmake.join("utfall-config.cmake"), config(&plan.libdir, version).as_bytes())?;
    write(&cmake.join("utfall-config-version.cmake"), config_version(version).as_bytes())
}

/// Links the shared library from the static one: rustc passes a version script of its own, which has no
/// versions.
fn link(root: &Path, archive: &Path, shared: &Path) -> Result<(), String> {
    let mut cc = Command::new("cc");
    cc.args(["-shared", "-Wl,--whole-archive"]).arg(archive).arg("-Wl,--no-whole-archive");
    let map = root.join("bindings/c/utfall.map");
    cc.arg(format!("-Wl,--version-script={}", map.display()));
    cc.arg(format!("-Wl,-soname,{SONAME}")).args(["-Wl,--gc-sections", "-Wl,--no-undefined"]);
    cc.args(["-Wl,-z,relro,-z,now", "-Wl,--as-needed"]).args(LIBRARIES).arg("-lc");
    steps::run(cc.arg("-o").arg(shared))
}

/// The way from the folder of libraries up to the prefix.
fn up(libdir: &str) -> String {
    vec![".."; libdir.split('/').filter(|part| !part.is_empty()).count()].join("/")
}

/// For pkg-config. It follows the library if that is moved.
fn pc(libdir: &str, version: &str) -> String {
    format!(
        "prefix=${{pcfiledir}}/../{}\nlibdir=${{prefix}}/{libdir}\nincludedir=${{prefix}}/include\n\n\
         Name: utfall\n\
         Description: Validate, convert, detect, explain and repair text in any Unicode encoding\n\
         URL: https://github.com/utfall/utfall\nVersion: {version}\n\
         Libs: -L${{libdir}} -lutfall\nLibs.private: {}\nCflags: -I${{includedir}}\n",
        up(libdir),
        LIBRARIES.join(" "),
    )
}

/// For CMake: the targets `utfall::utfall` and `utfall::static`.
fn config(libdir: &str, version: &str) -> String {
    format!(
        "get_filename_component(_utfall_prefix \"${{CMAKE_CURRENT_LIST_DIR}}/../../{}\" ABSOLUTE)\n\
         if(NOT TARGET utfall::utfall)\n\
         \x20 add_library(utfall::utfall SHARED IMPORTED)\n\
         \x20 set_target_properties(utfall::utfall PROPERTIES\n\
         \x20   IMPORTED_LOCATION \"${{_utfall_prefix}}/{libdir}/libutfall.so.{version}\"\n\
         \x20   IMPORTED_SONAME \"{SONAME}\"\n\
         \x20   INTERFACE_INCLUDE_DIRECTORIES \"${{_utfall_prefix}}/include\")\n\
         \x20 add_library(utfall::static STATIC IMPORTED)\n\
         \x20 set_target_properties(utfall::static PROPERTIES\n\
         \x20   IMPORTED_LOCATION \"${{_utfall_prefix}}/{libdir}/libutfall.a\"\n\
         \x20   INTERFACE_INCLUDE_DIRECTORIES \"${{_utfall_prefix}}/include\"\n\
         \x20   INTERFACE_LINK_LIBRARIES \"{}\")\n\
         endif()\nunset(_utfall_prefix)\n",
        up(libdir),
        LIBRARIES.join(";"),
    )
}

/// Before version 1, each minor version may be incompatible.
fn config_version(version: &str) -> String {
    let minor = version.rsplit_once('.').map_or(version, |(minor, _)| minor);
    format!(
        "set(PACKAGE_VERSION \"{version}\")\n\
         if(PACKAGE_FIND_VERSION VERSION_LESS_EQUAL PACKAGE_VERSION AND\n\
         \x20  (PACKAGE_FIND_VERSION STREQUAL \"\" OR PACKAGE_FIND_VERSION MATCHES \"^{minor}([.]|$)\"))\n\
         \x20 set(PACKAGE_VERSION_COMPATIBLE TRUE)\n\
         endif()\n\
         if(PACKAGE_FIND_VERSION STREQUAL PACKAGE_VERSION)\n\
         \x20 set(PACKAGE_VERSION_EXACT TRUE)\nendif()\n",
        minor = minor.replace('.', "[.]"),
    )
}

/// A C file that defines every function of a header, empty.
pub(super) fn stub(header: &str) -> String {
    let mut text = String::from("#include <utfall.h>\n");
    let declarations = header.split("*/").skip(1).filter_map(|part| part.split_once(");"));
    for (declaration, _) in declarations {
        let declaration = declaration.trim();
        if !declaration.contains("utfall_") || declaration.contains(['{', '#', '/']) {
            continue;
        }
        let is_function = declaration.split('(').next().is_some_and(|head| {
            head.rsplit([' ', '*']).next().is_some_and(|name| name.starts_with("utfall_"))
                && !head.starts_with("typedef")
        });
        if is_function {
            text += &format!("{declaration}) {{ __builtin_trap(); }}\n");
        }
    }
    text
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let failed = |error| format!("{}: {error}", path.display());
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed)?;
    fs::write(path, bytes).map_err(failed)
}

#[cfg(unix)]
fn symlink(target: &str, link: &Path) -> Result<(), String> {
    _ = fs::remove_file(link);
    std::os::unix::fs::symlink(target, link).map_err(|error| format!("{}: {error}", link.display()))
}

#[cfg(not(unix))]
fn symlink(_target: &str, link: &Path) -> Result<(), String> {
    Err(format!("{}: no symbolic links here", link.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_follow_their_folder() {
        assert!(pc("lib", "0.1.0").starts_with("prefix=${pcfiledir}/../..\n"));
        let multiarch = pc("lib/x86_64-linux-gnu", "0.1.0");
        assert!(multiarch.starts_with("prefix=${pcfiledir}/../../..\n"), "{multiarch}");
        assert!(config_version("0.1.0").contains("MATCHES \"^0[.]1([.]|$)\""));
    }

    #[test]
    fn arguments() {
        assert!(Plan::new(&["--prefix", "/usr"]).is_ok());
        assert!(Plan::new(&["--prefix", "usr"]).is_err());
        assert!(Plan::new(&["--prefix"]).is_err());
        assert!(Plan::new(&[]).is_err());
    }

    /// The committed header has the version of the workspace, and every function gets a stub.
    #[test]
    fn stubs_of_all_functions() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        let header = fs::read_to_string(root.join("bindings/c/include/utfall.h")).unwrap();
        let map = fs::read_to_string(root.join("bindings/c/utfall.map")).unwrap();
        let text = stub(&header);
        let names = map.lines().filter_map(|line| line.trim().strip_suffix(';'));
        let names: Vec<_> = names.filter(|name| name.starts_with("utfall_")).collect();
        assert!(names.len() > 40);
        for name in &names {
            assert!(text.contains(&format!("{name}(")), "{name}");
        }
        assert_eq!(text.matches("__builtin_trap").count(), names.len());
    }
}
