//! Convert trees of text files. Each file is replaced whole or not at all, and every run can be
//! undone.
//!
//! ```
//! use utfall::Encoding;
//! use utfall_tree::{ByContent, Conversion, Event, Journal, Locks, Memory, Outcome, Plan, Runner};
//! # let folder = tempfile::tempdir()?;
//! # let (tree, state) = (folder.path().join("tree"), folder.path().join("state"));
//! # std::fs::create_dir(&tree)?;
//! std::fs::write(tree.join("a.txt"), b"\xFF\xFEn\0a\0\xEF\0v\0e\0")?;
//! let found = utfall_tree::walk(&[tree.clone()], &Default::default()).unwrap();
//! let plan = Plan::in_place(found, None);
//! let journal = Journal::new(&state, "UTF-8", false);
//! let runner = Runner {
//!     conversion: &Conversion::to(Encoding::Utf8),
//!     choose: &ByContent,
//!     memory: &Memory::read(&state)?,
//!     journal: Some(&journal),
//!     locks: &Locks::take(&[tree.clone()]).unwrap(),
//!     threads: 2,
//! };
//! runner.run(&plan, |event| {
//!     if let Event::File(_, outcome) = event {
//!         assert!(matches!(outcome, Outcome::Converted(_)));
//!     }
//! });
//! assert_eq!(std::fs::read(tree.join("a.txt"))?, "naïve".as_bytes());
//! drop(journal);
//! let (runs, _) = utfall_tree::runs(&state)?;
//! runs[0].undo(&runs, false, |_, _| {})?;
//! assert_eq!(std::fs::read(tree.join("a.txt"))?, b"\xFF\xFEn\0a\0\xEF\0v\0e\0");
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! - Find files: [`walk`](mod@walk). Exclude some of them: [`Globs`].
//! - Convert many files on several threads: [`Plan`], [`Conversion`], [`Runner`].
//! - Determine the encoding of a file: [`Choose`] and its implementations [`Given`], [`ByContent`] and
//!   [`Manifest`]. Recognize binary files: [`is_binary`].
//! - Keep the original files and restore them: [`Journal`], [`runs`]. Remove old ones: [`expire`].
//!   Find the directory that holds them: [`state_folder`].
//! - Keep two runs out of one tree: [`Locks`].
//! - Replace one file atomically: [`Replacement`]. Back it up under another name: [`back_up`].
//! - Check that a file is the one that a report or a journal describes: [`Digest`].
//! - Check whether two names are one file: [`same_file`].
//! - Read a settings file: [`read_settings`].
#![forbid(unsafe_code)]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod backup;
mod binary;
mod choose;
mod conversion;
mod convert;
mod digest;
mod forget;
mod globs;
mod journal;
mod large;
mod line;
mod locks;
mod memory;
mod plan;
mod recover;
mod replace;
mod run;
pub mod same_file;
mod settings;
mod settle;
mod state;
mod task;
mod undo;
mod unfinished;
pub mod walk;

pub use backup::back_up;
pub use binary::{LOOKED_AT, is_binary};
pub use choose::{Basis, ByContent, Choice, Choose, Given, Manifest, ManifestError, Text};
pub use conversion::{Conversion, Converted, Operation, Outcome, bom_of};
pub use digest::{Digest, Digester};
pub use forget::{Expired, Expiry, expire};
pub use globs::{Globs, real_path};
pub use journal::{Journal, Kept};
pub use line::Damage;
pub use locks::{Holder, LockError, Locks};
pub use memory::Memory;
pub use plan::{Clash, Item, Plan};
pub use recover::Original;
pub use replace::{Keep, Replacement, is_as_it_was, remove_left_behind, resolved_links};
pub use run::{Event, Progress, Runner};
pub use settings::read_settings;
pub use state::{STATE_VARIABLE, state_folder};
pub use undo::{End, Run, Undone, runs};
pub use unfinished::remove_unfinished;
pub use walk::{Found, Trouble, Walk, WalkOptions, walk};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
