import { read } from './node.js';

// This module has no SIMD, so that it also runs where there is none.
export default () => read('utf');
