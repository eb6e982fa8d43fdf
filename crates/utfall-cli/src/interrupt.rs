//! Signals that end the program: unfinished output is removed first.

/// Watches for these signals from now on. To be called before the first unfinished file is created;
/// commands without such files do not need the thread.
pub(crate) fn watch() {
    os::watch();
}

#[cfg(unix)]
mod os {
    use std::ffi::c_int;
    use std::sync::{Arc, Once};
    use std::{io, thread};

    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    use signal_hook::flag;
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    /// The thread needs little stack.
    const STACK: usize = 128 * 1024;

    pub(super) fn watch() {
        static STARTED: Once = Once::new();
        // If this fails, a signal ends the program at once, and the next run removes the files.
        STARTED.call_once(|| _ = start());
    }

    fn start() -> io::Result<()> {
        // Then a write beyond `ulimit -f` fails, instead of ending the program.
        flag::register(SIGXFSZ, Arc::default())?;
        let mut signals = Signals::new([0; 0])?;
        let handle = signals.handle();
        let thread = thread::Builder::new().name("signals".into()).stack_size(STACK);
        thread.spawn(move || {
            for signal in signals.forever() {
                utfall_tree::remove_unfinished();
                // The caller must see that a signal ended the program.
                _ = emulate_default_handler(signal);
            }
        })?;
        // Only now is there a thread that acts on them.
        let ignored = ignored();
        let is_ignored = |signal: c_int| match ignored {
            Some(mask) => mask >> (signal - 1) & 1 == 1,
            // `nohup` is the usual reason to ignore one.
            None => signal == SIGHUP,
        };
        for signal in [SIGINT, SIGTERM, SIGHUP] {
            if !is_ignored(signal) {
                handle.add_signal(signal)?;
            }
        }
        Ok(())
    }

    /// The signals that were ignored when the program started, and stay ignored. Known on Linux
    /// only, without unsafe code.
    fn ignored() -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"))?;
        u64::from_str_radix(mask.trim(), 16).ok()
    }
}

/// On other systems, the next run removes unfinished files.
#[cfg(not(unix))]
mod os {
    pub(super) fn watch() {}
}
