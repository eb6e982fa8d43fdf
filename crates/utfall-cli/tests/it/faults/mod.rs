//! What the machine does to a program: calls that fail, that are cut short or interrupted, standard
//! streams that are closed, full or not ready, files that change meanwhile, and limits. Through the
//! real program: the exit status, the message, and no file that is neither old nor new.

#![cfg(unix)]

mod calls;
mod limits;
mod places;
mod shim;
mod streams;
