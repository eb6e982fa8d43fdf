// Bundles of esbuild and Vite, and an import map: loaded in Node, and started in Chromium if there is one.

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { build as viteBuild } from 'vite';
import { run, test, testdata } from './harness.js';

const folder = join(process.cwd(), 'bundles');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder);
const source = (name, from) => {
  const file = join(folder, name);
  writeFileSync(file, `import { decode } from '${from}';\nconsole.log(decode(Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), 'shift_jis'));\n`);
  return file;
};
const printed = (args) => {
  const done = spawnSync('node', args, { cwd: folder });
  assert.equal(done.status, 0, done.stderr.toString());
  return done.stdout.toString().trim();
};

test('esbuild: utfall/inline, as an ES module, a CommonJS module and a script', async () => {
  const entryPoints = [source('inline.js', 'utfall/inline')];
  for (const [format, extension] of [['esm', 'mjs'], ['cjs', 'cjs'], ['iife', 'cjs']]) {
    const outfile = join(folder, `inline-${format}.${extension}`);
    await build({ entryPoints, bundle: true, format, platform: 'browser', outfile, logLevel: 'error' });
    assert.equal(printed([outfile]), '日本', format);
  }
});

test('esbuild: utfall as an external package of Node', async () => {
  const outfile = join(folder, 'external.mjs');
  await build({ entryPoints: [source('external.js', 'utfall')], bundle: true, format: 'esm', platform: 'node', packages: 'external', outfile });
  assert.equal(printed([outfile]), '日本');
});

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };

/** Serves a folder while `body` runs. */
async function served(root, body) {
  const server = createServer((request, response) => {
    const file = join(root, new URL(request.url, 'http://localhost').pathname);
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await body(`http://127.0.0.1:${server.address().port}`);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

test('Vite: the modules become files of the bundle, and are fetched', async () => {
  const entry = source('vite.js', 'utfall');
  const outDir = join(folder, 'vite');
  await viteBuild({
    configFile: false, root: folder, base: './', logLevel: 'error',
    build: { outDir, target: 'esnext', assetsInlineLimit: 0, modulePreload: false, rollupOptions: { input: entry } },
  });
  const assets = readdirSync(join(outDir, 'assets'));
  assert.ok(assets.some((name) => /^full.*\.wasm$/.test(name)) && assets.some((name) => /^plain.*\.wasm$/.test(name)), assets.join(' '));
  const script = assets.find((name) => name.endsWith('.js'));
  // The script finds its files relative to itself: in Node, they are served under its address.
  await served(join(outDir, 'assets'), async (address) => {
    const text = readFileSync(join(outDir, 'assets', script), 'utf8').replaceAll('import.meta.url', JSON.stringify(`${address}/${script}`));
    const copy = join(folder, 'vite.mjs');
    writeFileSync(copy, text);
    const { log } = console;
    const lines = [];
    console.log = (line) => lines.push(line);
    try {
      await import(copy);
    } finally {
      console.log = log;
    }
    assert.deepEqual(lines, ['日本']);
  });
});

test('without a bundler: the loader of browsers', async () => {
  const root = join(folder, 'site');
  cpSync(join(process.cwd(), 'node_modules/utfall'), root, { recursive: true, dereference: true });
  await served(root, async (address) => {
    const { fetchModule } = await import(join(root, 'lib/load/fetch.js'));
    const { Engine } = await import(join(root, 'lib/engine.js'));
    for (const name of ['utf', 'charsets', 'full', 'plain']) {
      const compiled = await fetchModule(new URL(`${address}/wasm/${name}.wasm`));
      const engine = new Engine(() => compiled);
      assert.equal(engine.decode(engine.encoding('UTF-7'), undefined, new TextEncoder().encode('+Jjo-')), '☺', name);
    }
    await assert.rejects(fetchModule(new URL(`${address}/wasm/none.wasm`)), /404/);
  });
});

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';

/** What a page of a folder prints. */
async function printedIn(root, html) {
  writeFileSync(join(root, 'index.html'), `<!doctype html><meta charset="utf-8"><title>test</title><link rel="icon" href="data:,">${html}`);
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const lines = [];
    await served(root, async (address) => {
      const page = await browser.newPage();
      page.on('pageerror', (error) => lines.push(`error: ${error.message}`));
      const first = page.waitForEvent('console', { timeout: 60_000 });
      await page.goto(`${address}/index.html`);
      lines.push((await first).text());
    });
    return lines;
  } finally {
    await browser.close();
  }
}

if (!existsSync(CHROMIUM)) console.log(`skipped: bundles in Chromium: there is no ${CHROMIUM}`);
else {
  test('Chromium: a bundle of esbuild', async () => {
    const root = join(folder, 'chromium-esbuild');
    mkdirSync(root);
    await build({ entryPoints: [source('chromium.js', 'utfall/inline')], bundle: true, format: 'esm', platform: 'browser', outfile: join(root, 'main.js'), logLevel: 'error' });
    assert.deepEqual(await printedIn(root, '<script type="module" src="main.js"></script>'), ['日本']);
  });

  test('Chromium: a bundle of Vite', async () => {
    const root = join(folder, 'vite');
    const script = readdirSync(join(root, 'assets')).find((name) => name.endsWith('.js'));
    assert.deepEqual(await printedIn(root, `<script type="module" src="assets/${script}"></script>`), ['日本']);
  });

  test('Chromium: no bundler, with the import map of docs/javascript.md', async () => {
    const root = join(folder, 'map');
    cpSync(join(process.cwd(), 'node_modules/utfall'), join(root, 'utfall'), { recursive: true, dereference: true });
    const [map] = /<script type="importmap">[^]*?<\/script>/.exec(readFileSync(`${testdata}/../docs/javascript.md`, 'utf8'));
    const html = `${map}<script type="module">
      import { decode } from 'utfall';
      import { encode } from 'utfall/utf';
      import { TextDecoder } from 'utfall/web';
      console.log(decode(Uint8Array.of(0x93, 0xfa), 'shift_jis') + decode(encode('☺', 'UTF-7')) + new TextDecoder('koi8-r').decode(Uint8Array.of(0xc1)));
    </script>`;
    assert.deepEqual(await printedIn(root, html), ['日+Jjo-\u0430']);
  });
}

await run();
