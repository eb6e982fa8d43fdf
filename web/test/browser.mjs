// Chromium, with a page of its own for each test.

import { chromium } from 'playwright-core';
import { serve } from './server.mjs';

export async function start() {
  const { origin, stop: stopServer } = await serve();
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
    stopServer();
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
