// Writes the service worker of a built page: the files with their hashes, and the policy of index.html.
// Usage: node web/build/worker.mjs FOLDER

import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = process.argv[2];
const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(folder.length).replaceAll('\\', '/').replace(/^\/+/, ''))
  .filter((path) => path !== 'sw.js')
  .sort();
const hashes = Object.fromEntries(files.map((path) => [path, createHash('sha256').update(readFileSync(join(folder, path))).digest('hex')]));
const [, policy] = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(readFileSync(join(folder, 'index.html'), 'utf8'));

const place = join(folder, 'sw.js');
const source = readFileSync(place, 'utf8');
const written = source
  .replace('const FILES = {};', `const FILES = ${JSON.stringify(hashes, null, 2)};`)
  .replace("const POLICY = '';", `const POLICY = ${JSON.stringify(`${policy}; frame-ancestors 'none'`)};`);
if (!written.includes(policy) || !written.includes(hashes['index.html'])) throw new Error('sw.js lacks a place for the files or the policy');
writeFileSync(place, written);
