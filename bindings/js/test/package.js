import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import * as utfall from 'utfall';
import * as iconv from 'utfall/iconv-lite';
import * as web from 'utfall/web';
import { test } from './harness.js';

const read = (path) => readFileSync(new URL(`../node_modules/utfall/${path}`, import.meta.url));

// The most KiB that the modules may have, gzipped. docs/javascript.md has the sizes.
const MOST = { utf: 140, charsets: 460, full: 1400, plain: 1400 };

test('sizes', () => {
  for (const [name, most] of Object.entries(MOST)) {
    const size = gzipSync(read(`wasm/${name}.wasm`), { level: 9 }).length / 1024;
    console.log(`${name}.wasm: ${size.toFixed(0)} KiB gzipped`);
    assert.ok(size <= most, `${name}.wasm has ${size.toFixed(0)} KiB, more than ${most}`);
  }
});

test('every function has its type, and every type its function', () => {
  const declared = (files) => files.flatMap((file) =>
    [...read(`lib/${file}`).toString().matchAll(/^export declare (?:function|class|const) (\w+)/gm)].map(([, name]) => name));
  assert.deepEqual(Object.keys(utfall).sort(), declared(['common.d.ts', 'reports.d.ts']).sort());
  assert.deepEqual(Object.keys(web).sort(), declared(['web.d.ts']).sort());
  const own = Object.keys(iconv).filter((name) => name !== 'default' && name !== 'module.exports');
  assert.deepEqual(own.sort(), declared(['iconv-lite.d.ts']).filter((name) => name !== 'iconv').sort());
});

test('the version', () => {
  assert.equal(utfall.version, JSON.parse(read('package.json')).version);
});
