// Writes the module of `utfall/inline` into the package of the current folder: the whole module as Base64.

import { readFileSync, writeFileSync } from 'node:fs';

const base64 = readFileSync('wasm/full.wasm').toString('base64');
writeFileSync('lib/load/inline.js', `// Written by build/inline.js.
const base64 = '${base64}';

export default () => {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < bytes.length; at++) bytes[at] = text.charCodeAt(at);
  return new WebAssembly.Module(bytes);
};
`);
