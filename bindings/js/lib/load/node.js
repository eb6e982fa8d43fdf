// Modules of WebAssembly in Node, Bun and Deno: read when they are first used.

import { readFileSync } from 'node:fs';
import { hasSimd } from './simd.js';

/** Reads and compiles a module. */
export function read(name) {
  return new WebAssembly.Module(readFileSync(new URL(`../../wasm/${name}.wasm`, import.meta.url)));
}

/** A function that compiles a module, or the one without SIMD, which has everything. */
export function load(name) {
  return () => read(hasSimd() ? name : 'plain');
}
