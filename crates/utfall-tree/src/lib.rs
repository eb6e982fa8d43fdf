//! Text files in trees of directories: found, converted, replaced whole or not at all, and put
//! back.
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
//! - [`walk`](mod@walk): the files that arguments stand for.
//! - [`Globs`]: files that settings name; [`read_settings`]: their file.
//! - [`Choose`]: which encoding a file is in; [`is_binary`]: whether it looks as if it were no text.
//! - [`Plan`], [`Conversion`], [`Runner`]: many files, on several threads.
//! - [`Journal`], [`runs`]: what was replaced, and how it is put back; [`expire`]: what is old;
//!   [`state_folder`]: where it is kept.
//! - [`Locks`]: keep runs apart.
//! - [`Replacement`]: a file that takes the place of another, whole or not at all.
//! - [`back_up`]: the old text under another name.
//! - [`Digest`]: whether a text is the one that a report or a journal is about.
//! - [`same_file`]: whether two names are one file.
#![forbid(unsafe_code)]

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
mod settle;
mod state;
mod undo;
mod unfinished;
pub mod walk;

pub use backup::back_up;
pub use binary::{LOOKED_AT, is_binary};
pub use choose::{Basis, ByContent, Choice, Choose, Given, Manifest, ManifestError, Text};
pub use conversion::{Conversion, Converted, Operation, Outcome, bom_of};
pub use digest::{Digest, Digester};
pub use forget::{Expired, Expiry, expire};
pub use globs::{Globs, read_settings, real_path};
pub use journal::{Journal, Kept};
pub use line::Damage;
pub use locks::{Holder, LockError, Locks};
pub use memory::Memory;
pub use plan::{Clash, Item, Plan};
pub use recover::Original;
pub use replace::{Keep, Replacement, behind_links, is_as_it_was, remove_left_behind};
pub use run::{Event, Progress, Runner};
pub use state::{STATE_VARIABLE, state_folder};
pub use undo::{End, Run, Undone, runs};
pub use unfinished::remove_unfinished;
pub use walk::{Found, Trouble, Walk, WalkOptions, walk};
