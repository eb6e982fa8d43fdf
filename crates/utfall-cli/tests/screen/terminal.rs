//! A terminal that a command writes to.

use std::fs::File;
use std::io::{self, Read};
use std::process::{Command, Stdio};
use std::thread;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

use crate::common::Run;

/// Runs a command whose standard output is a terminal that changes nothing. `None`, with a word
/// about it, if there is none to be had.
pub(crate) fn run(command: &mut Command) -> Option<Run> {
    let (mut master, slave) = open()?;
    let child = command.stdin(Stdio::null()).stdout(slave).stderr(Stdio::piped()).spawn().unwrap();
    // Its end of the terminal is closed when it ends.
    command.stdout(Stdio::null());
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

/// Both ends of a terminal that changes nothing. `None`, with a word about it, if there is none to be had.
pub(crate) fn open() -> Option<(File, File)> {
    ends().inspect_err(|error| println!("skipped: no terminal: {error}")).ok()
}

fn ends() -> io::Result<(File, File)> {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY)?;
    grantpt(&master)?;
    unlockpt(&master)?;
    let name = ptsname(&master, Vec::new())?.into_string().map_err(io::Error::other)?;
    let slave = File::options().read(true).write(true).open(name)?;
    let mut modes = tcgetattr(&slave)?;
    modes.make_raw();
    tcsetattr(&slave, OptionalActions::Now, &modes)?;
    Ok((File::from(master), slave))
}
