import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import * as utfall from 'utfall';
import * as iconv from 'utfall/iconv-lite';
import * as web from 'utfall/web';
import { test, testdata } from './harness.js';

const read = (path) => readFileSync(new URL(`../node_modules/utfall/${path}`, import.meta.url));

// The most KiB that the modules may have, gzipped, and where docs/javascript.md has the sizes.
const MOST = { utf: 76, charsets: 262, full: 852, plain: 818 };

const PLACES = {
  utf: /^\| `utfall\/utf` .* (\d+) KiB/m,
  charsets: /^\| `utfall\/charsets` .* (\d+) KiB/m,
  full: /^\| `utfall` .* (\d+) KiB/m,
  plain: /^everything \((\d+) KiB\)/m,
};

test('sizes', () => {
  // A build without the nightly toolchain has messages for panics, and a standard library that is larger.
  if ('UTFALL_LARGE_MODULES' in process.env) return;
  const page = readFileSync(`${testdata}/../docs/javascript.md`, 'utf8');
  for (const [name, most] of Object.entries(MOST)) {
    const size = gzipSync(read(`wasm/${name}.wasm`), { level: 9 }).length / 1024;
    console.log(`${name}.wasm: ${size.toFixed(0)} KiB gzipped`);
    const [, stated] = PLACES[name].exec(page);
    // Runtimes have versions of zlib with different results.
    assert.ok(Math.abs(size - Number(stated)) < 0.06 * size, `docs/javascript.md says ${stated} KiB for ${name}.wasm: it has ${size.toFixed(0)}`);
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

test('without SIMD, utfall/utf stays small', async () => {
  const { validate } = WebAssembly;
  const { fetch } = globalThis;
  const fetched = [];
  WebAssembly.validate = () => false;
  globalThis.fetch = async (address) => {
    fetched.push(`${address}`.replace(/.*\//, ''));
    return new Response(read(`wasm/${fetched.at(-1)}`), { headers: { 'content-type': 'application/wasm' } });
  };
  try {
    const loaded = async (name) => {
      const modules = await Promise.all(['node', 'fetch'].map((how) => import(`../node_modules/utfall/lib/load/${name}.${how}.js?plain`)));
      return modules.map((it) => WebAssembly.Module.exports(it.default()).some((item) => item.name === 'utfall_repair'));
    };
    assert.deepEqual(await loaded('utf'), [false, false]);
    assert.deepEqual(await loaded('charsets'), [true, true]);
    assert.deepEqual(fetched, ['utf.wasm', 'plain.wasm']);
  } finally {
    Object.assign(WebAssembly, { validate });
    Object.assign(globalThis, { fetch });
  }
});
