//! The C library as WebAssembly, for JavaScript: its functions, memory to pass them texts in, and a writer.
//!
//! Empty on other targets, so that the workspace builds everywhere.
#![cfg(target_arch = "wasm32")]

use std::alloc::{Layout, alloc, dealloc};
use std::ffi::{c_char, c_void};

/// Its functions are exported as they are.
pub use utfall_c::*;

#[link(wasm_import_module = "utfall")]
unsafe extern "C" {
    /// Receives output: the number of the receiver, the address of the bytes, and how many there are.
    safe fn write(receiver: usize, bytes: usize, length: usize);
}

/// Enough for every struct of the C library.
const ALIGNMENT: usize = 8;

/// Allocates memory, 0 if there is not enough.
#[unsafe(no_mangle)]
pub extern "C" fn utfall_js_allocate(size: usize) -> *mut u8 {
    match Layout::from_size_align(size.max(1), ALIGNMENT) {
        // SAFETY: the size is not zero.
        Ok(layout) => unsafe { alloc(layout) },
        Err(_) => std::ptr::null_mut(),
    }
}

/// Frees memory of [`utfall_js_allocate`] with the same size.
///
/// # Safety
/// `memory` must be from there, and not be freed yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_js_free(memory: *mut u8, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size.max(1), ALIGNMENT) {
        // SAFETY: the caller passes memory with this layout.
        unsafe { dealloc(memory, layout) };
    }
}

/// A `utfall_writer` that passes its context and the output to JavaScript.
#[unsafe(no_mangle)]
pub extern "C" fn utfall_js_writer() -> extern "C" fn(*mut c_void, *const c_char, usize) -> bool {
    extern "C" fn writer(context: *mut c_void, bytes: *const c_char, length: usize) -> bool {
        write(context.addr(), bytes.addr(), length);
        true
    }
    writer
}

/// `Encoding::for_whatwg_label`: the encoding with this label on the web, 0 if there is none.
///
/// # Safety
/// There must be a label of this length.
#[cfg(feature = "charsets")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn utfall_js_for_web_label(label: *const u8, length: usize) -> u16 {
    // SAFETY: the caller passes a label of this length.
    let label = unsafe { std::slice::from_raw_parts(label, length) };
    utfall::Encoding::for_whatwg_label(label).map_or(0, |encoding| encoding as u16)
}
