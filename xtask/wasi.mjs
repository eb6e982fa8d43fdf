// Runs a test binary of the target wasm32-wasip1: `node wasi.mjs <file> <argument>…`. It has
// access to all files, under their real paths, since tests read those of `testdata`.

import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [file, ...args] = process.argv.slice(2);
const preopens = { "/": "/" };
const wasi = new WASI({ version: "preview1", args: [file, ...args], env: process.env, preopens });
const module = await WebAssembly.compile(await readFile(file));
const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
process.exitCode = wasi.start(instance);
