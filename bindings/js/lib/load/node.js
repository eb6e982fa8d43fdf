// Modules of WebAssembly in Node, Bun and Deno: read when they are first used.

import { readFileSync } from 'node:fs';
import { hasSimd } from './simd.js';

/** A function that compiles a module, or the one without SIMD, which has everything. */
export function load(name) {
  return () => {
    const file = hasSimd() ? `${name}.wasm` : 'plain.wasm';
    return new WebAssembly.Module(readFileSync(new URL(`../../wasm/${file}`, import.meta.url)));
  };
}
