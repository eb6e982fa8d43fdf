//! Nothing from a file, a name, an argument or the environment reaches a terminal as it is, and no
//! line of a report is a command to whoever keeps the log.

#![cfg(unix)]

mod cases;
mod hostile;
mod matrix;
mod texts;
