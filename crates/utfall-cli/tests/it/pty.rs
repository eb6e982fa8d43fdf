//! A terminal that a command writes to.

#![cfg(unix)]

use std::fs::File;
use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::thread;

use rustix::io::{FdFlags, fcntl_setfd};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, Winsize, tcgetattr, tcsetattr, tcsetwinsize};

use crate::common::Run;

/// Runs a command whose standard output is a terminal that changes nothing. `None`, with a word
/// about it, if there is none to be had.
pub(crate) fn run(command: &mut Command) -> Option<Run> {
    run_sized(command, None)
}

/// The same with so many rows and columns. Standard error is the terminal, too.
pub(crate) fn run_sized(command: &mut Command, size: Option<(u16, u16)>) -> Option<Run> {
    let (mut master, slave) = open(size)?;
    let stderr = match size {
        Some(_) => slave.try_clone().unwrap().into(),
        None => Stdio::piped(),
    };
    let child = command.stdin(Stdio::null()).stdout(slave).stderr(stderr).spawn().unwrap();
    // Its end of the terminal is closed when it ends.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let reader = thread::spawn(move || {
        let mut stdout = Vec::new();
        // Linux ends it with EIO.
        _ = master.read_to_end(&mut stdout);
        stdout
    });
    let output = child.wait_with_output().unwrap();
    Some(Run {
        status: output.status.code().unwrap_or(-1),
        stdout: reader.join().unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    })
}

/// Both ends of a terminal that changes nothing, with so many rows and columns. `None`, with a word about
/// it, if there is none to be had.
pub(crate) fn open(size: Option<(u16, u16)>) -> Option<(File, File)> {
    ends(size).inspect_err(|error| println!("skipped: no terminal: {error}")).ok()
}

fn ends(size: Option<(u16, u16)>) -> io::Result<(File, File)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    // Commands of other tests must not keep it open.
    fcntl_setfd(&master, FdFlags::CLOEXEC)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?.into_string().map_err(io::Error::other)?;
    let slave = File::options().read(true).write(true).open(name)?;
    let mut modes = tcgetattr(&slave)?;
    modes.make_raw();
    tcsetattr(&slave, OptionalActions::Now, &modes)?;
    if let Some((ws_row, ws_col)) = size {
        tcsetwinsize(&slave, Winsize { ws_row, ws_col, ws_xpixel: 0, ws_ypixel: 0 })?;
    }
    Ok((File::from(master), slave))
}
