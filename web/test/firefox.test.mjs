// Tests each function of the page in an unmodified Firefox, through WebDriver BiDi.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { after, before, test } from 'node:test';
import { launch } from 'puppeteer-core';
import { serve } from './server.mjs';

const READY = { timeout: 60_000 };

let server, browser, folder;
before(async () => {
  server = await serve();
  folder = await mkdtemp(join(tmpdir(), 'utfall-'));
  browser = await launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    extraPrefsFirefox: { 'browser.download.folderList': 2, 'browser.download.dir': folder, 'browser.download.useDownloadDir': true },
  });
});
after(async () => {
  await browser?.close();
  server.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Runs a test in a new page, and fails on any error or warning in the console. */
function check(name, body) {
  test(name, { timeout: 120_000 }, async () => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    const complaints = [];
    // Violations of the CSP are errors too.
    page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
    page.on('console', (message) => ['error', 'warn'].includes(message.type()) && complaints.push(message.text()));
    page.on('request', (request) => {
      const { protocol, origin } = new URL(request.url());
      if (!['about:', 'blob:', 'data:'].includes(protocol) && origin !== server.origin) complaints.push(`foreign request: ${request.url()}`);
    });
    await page.setViewport({ width: 1280, height: 900 });
    await page.goto(`${server.origin}/`);
    await page.waitForSelector('html[data-ready]', READY);
    await body(page);
    assert.deepEqual(complaints, []);
    await context.close();
  });
}

/** Chooses the form of the input, and types it key by key. */
async function type(page, text, form = 'text') {
  await page.select('#form', form);
  await page.$eval('#source', (area) => area.select());
  await page.keyboard.press('Backspace');
  await page.type('#source', text);
}

async function example(page, name) {
  const value = await page.$$eval('#examples option', (all, name) => all.find((it) => it.label === name)?.value, name);
  assert.ok(value, `there is no example “${name}”`);
  await page.select('#examples', value);
}

/** Types into a field, and confirms the entry. */
async function enter(page, selector, text) {
  await page.$eval(selector, (field) => field.select());
  await page.type(selector, text);
  await page.keyboard.press('Enter');
}

/** Waits until an element has a text. */
async function shows(page, selector, text) {
  try {
    await page.waitForFunction((selector, text) => document.querySelector(selector)?.textContent.includes(text), { timeout: 10_000 }, selector, text);
  } catch {
    assert.fail(`${selector} does not show “${text}”, but “${await page.$eval(selector, (it) => it.textContent)}”`);
  }
}

const texts = (page, selector) => page.$$eval(selector, (all) => all.map((it) => it.textContent.trim()));

/** What a button downloads. */
async function downloaded(page, button) {
  const earlier = new Set(await readdir(folder));
  await page.click(button);
  for (let tries = 0; tries < 100; tries++) {
    await sleep(100);
    const names = await readdir(folder);
    const made = names.find((name) => !earlier.has(name) && !name.endsWith('.part') && !names.includes(`${name}.part`));
    if (made === undefined) continue;
    const content = await readFile(join(folder, made));
    // Firefox reserves the name with an empty file.
    if (content.length > 0) return content.toString();
  }
  assert.fail(`${button} downloads nothing`);
}

test('the browser is Firefox', async () => assert.match(await browser.version(), /^firefox\/\d+/i));

check('detect and read', async (page) => {
  await type(page, 'Grüße aus Köln');
  await shows(page, '#candidates', 'Automatic: UTF-8');
  await shows(page, '#read-status', '✓ Valid UTF-8');
  await shows(page, '#text', 'Grüße aus Köln');
  await type(page, 'Gr\\xFC\\xDFe aus K\\xF6ln', 'escapes');
  await shows(page, '#candidates', 'windows-1252');
  await shows(page, '#text', 'Grüße aus Köln');
  // Another encoding, by the keyboard.
  await enter(page, '#other', 'KOI8-R');
  await shows(page, '#text', 'GrЭъe aus KЖln');
  await enter(page, '#other', 'UTF-8');
  await shows(page, '#read-status', '✗ Not valid UTF-8');
  await page.click('#next-problem');
  await shows(page, '#text', '<FC>');
});

check('a file', async (page) => {
  const path = join(folder, 'file.bin');
  await writeFile(path, Buffer.from('\ufeffnaïve', 'utf16le'));
  const input = await page.$('#chosen');
  await input.uploadFile(path);
  await shows(page, '#file', 'file.bin: 12 bytes');
  await shows(page, '#candidates', 'Automatic: UTF-16LE');
  await shows(page, '#text', 'naïve');
});

check('explain', async (page) => {
  await type(page, '61 C3 A9 FF F0 9F 99 82', 'hex');
  await enter(page, '#other', 'UTF-8');
  await page.click('#tab-explain');
  await shows(page, '#units', 'U+1F642');
  await shows(page, '#units', 'LATIN SMALL LETTER E WITH ACUTE');
  await shows(page, '#units', 'RFC 3629');
  await page.click('#units tr:nth-child(2)');
  assert.equal(await page.$eval('#source', (area) => area.value.slice(area.selectionStart, area.selectionEnd)), 'C3 A9');
});

check('mail', async (page) => {
  await example(page, 'A mail in UTF-7');
  await shows(page, '#mail-status', '4 parts, 6 texts, 2 problems.');
  assert.deepEqual(await texts(page, '#parts .decoded'), [
    'Jörg Müller', 'Rechnung über 20 €', 'Schöne Grüße aus Köln 🙂', 'Grüße.txt', '20 € bis Freitag.', 'Viele Grüße, J\ufffdrg =XY',
  ]);
  assert.deepEqual((await texts(page, '#parts .chain')).slice(0, 3), ['Q → ISO-8859-1', 'Q → UTF-7', '7bit → UTF-7']);
});

check('repair', async (page) => {
  await example(page, 'Mojibake, three deep');
  await shows(page, '#repaired', 'Les élèves d’été fêtent Noël à l’école.');
  await shows(page, '#changes', 'UTF-8 read as windows-1252');
  assert.equal(await downloaded(page, '#repair-save'), 'Les élèves d’été fêtent Noël à l’école.\n');
  await page.click('#repair-use');
  await shows(page, '#repair-status', 'Nothing to repair');
});

check('convert', async (page) => {
  await example(page, 'A line of Shift_JIS');
  await page.click('#tab-convert');
  await shows(page, '#convert-status', 'Nothing is lost');
  assert.equal(await downloaded(page, '#convert-save'), 'いろはにほへと ちりぬるを\n');
  await enter(page, '#target', 'windows-1252');
  await shows(page, '#losses', 'windows-1252');
  await page.select('#on-unencodable', 'escape-xml');
  await shows(page, '#convert-status', 'cannot be kept');
  assert.match(await downloaded(page, '#convert-save'), /^&#12356;.* .*&#12434;\n$/);
});

check('hidden text', async (page) => {
  await example(page, 'A Trojan Source snippet');
  await shows(page, '#findings', 'U+202E RIGHT-TO-LEFT OVERRIDE');
  await page.click('#tab-read');
  await shows(page, '#text', 'only for administrators');
  assert.ok((await texts(page, '#text .invisible')).includes('U+202E'));
});

check('share', async (page) => {
  await type(page, 'Größe');
  await shows(page, '#text', 'Größe');
  await enter(page, '#other', 'windows-1252');
  await shows(page, '#text', 'GrÃ¶ÃŸe');
  await page.click('#tab-explain');
  await page.click('#share');
  await shows(page, '#input-status', 'holds the whole input');
  const link = page.url();
  assert.match(link, /#d=[\w-]+&e=windows-1252&t=explain$/);
  await page.goto('about:blank');
  await page.goto(link);
  await shows(page, '#explain-status', 'windows-1252');
  assert.equal(await page.$eval('#source', (area) => area.value), 'Größe');
});

// Stops the server, so it is the last one.
check('offline', async (page) => {
  await shows(page, '#offline', 'also works offline');
  server.stop();
  await assert.rejects(fetch(`${server.origin}/`));
  await page.reload();
  await page.waitForSelector('html[data-ready]', READY);
  await type(page, 'Gr\\xFC\\xDFe', 'escapes');
  await shows(page, '#text', 'Grüße');
});
