import { fetchModule } from './fetch.js';
import { hasSimd } from './simd.js';

// Written so that bundlers find the files.
const simd = () => new URL('../../wasm/charsets.wasm', import.meta.url);
const plain = () => new URL('../../wasm/plain.wasm', import.meta.url);
const compiled = await fetchModule(hasSimd() ? simd() : plain());

export default () => compiled;
