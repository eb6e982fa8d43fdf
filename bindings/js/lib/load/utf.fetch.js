import { fetchModule } from './fetch.js';

// This module has no SIMD, so that it also runs where there is none. Written so that bundlers find the file.
const compiled = await fetchModule(new URL('../../wasm/utf.wasm', import.meta.url));

export default () => compiled;
