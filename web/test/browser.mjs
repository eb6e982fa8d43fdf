// A server of the built page, and Chromium with a page of its own for each test.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';
import { chromium } from 'playwright-core';

const FOLDER = process.env.UTFALL_PAGE;
const TYPES = {
  '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml',
  '.txt': 'text/plain', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json',
};

/** What `sw.js` adds to the responses that it keeps; a server can send it from the start. */
const POLICY = `${/Content-Security-Policy" content="([^"]+)"/.exec(await readFile(join(FOLDER, 'index.html'), 'utf8'))[1]}; frame-ancestors 'none'`;

export async function start() {
  const server = createServer(async ({ url }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname));
    try {
      const file = join(FOLDER, path.endsWith('/') ? `${path}index.html` : path);
      const body = await readFile(file);
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-security-policy': POLICY }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${server.address().port}`;
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox'] });

  /** Opens the page. `complaints` has errors, violations of the CSP, and requests to other servers. */
  const open = async ({ path = '/', ...options } = {}) => {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
    const page = await context.newPage();
    const complaints = [];
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
    context.on('request', (request) => {
      const { protocol, origin: from } = new URL(request.url());
      if (protocol !== 'blob:' && protocol !== 'data:' && from !== origin) complaints.push(`foreign request: ${request.url()}`);
    });
    await page.goto(origin + path);
    await page.waitForSelector('html[data-ready]', { state: 'attached', timeout: 60_000 });
    return { page, context, complaints };
  };
  const stop = async () => {
    await browser.close();
    server.close();
  };
  /** The tasks of a page's thread in milliseconds of processor time, which other programs do not affect. */
  const record = async (page) => {
    await browser.startTracing(page, { categories: ['toplevel', 'disabled-by-default-devtools.timeline', 'devtools.timeline'] });
    return async () => {
      const { traceEvents: events } = JSON.parse((await browser.stopTracing()).toString());
      const threads = new Set(events.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(({ pid, tid }) => `${pid}/${tid}`));
      return events.filter(({ name, pid, tid, tdur }) => /RunTask$/.test(name) && tdur !== undefined && threads.has(`${pid}/${tid}`)).map(({ tdur }) => tdur / 1000);
    };
  };
  return { open, stop, origin, record };
}
