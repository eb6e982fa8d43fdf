// Each function of the page, in Chromium.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFile, writeFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { start } from './browser.mjs';
import { compare, difference, kept, otherFonts } from './pictures.mjs';

const PICTURES = process.env.UTFALL_PICTURES;
const TABS = ['read', 'explain', 'mail', 'repair', 'convert', 'hidden'];
const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

let browser;
before(async () => (browser = await start()));
after(() => browser.stop());

/** A test with a page of its own, which must not complain. */
function check(name, body, options) {
  test(name, async () => {
    const opened = await browser.open(options);
    await body(opened.page, opened.context);
    assert.deepEqual(opened.complaints, []);
    await opened.context.close();
  });
}

async function type(page, text, form = 'text') {
  await page.selectOption('#form', form);
  await page.fill('#source', text);
}

async function example(page, name) {
  await page.selectOption('#examples', { label: name });
}

/** Waits until an element has a text. */
async function shows(page, selector, text) {
  try {
    await page.waitForFunction(([selector, text]) => document.querySelector(selector)?.textContent.includes(text), [selector, text], { timeout: 10_000 });
  } catch {
    assert.fail(`${selector} does not show “${text}”, but “${await page.textContent(selector)}”`);
  }
}

async function downloaded(page, button) {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 240_000 }), page.click(button)]);
  return readFile(await download.path());
}

check('a text is read and detected', async (page) => {
  await type(page, 'Grüße aus Köln');
  await shows(page, '#candidates', 'Automatic: UTF-8');
  await shows(page, '#read-status', '✓ Valid UTF-8');
  await shows(page, '#text', 'Grüße aus Köln');
  await shows(page, '#input-status', '17 bytes');
});

check('every form of bytes', async (page) => {
  for (const [form, text] of [
    ['hex', '47 72 C3 BC C3 9F 65'], ['hex', '0x47,0x72,0xc3,0xbc,0xc3,0x9f,0x65'], ['base64', 'R3LDvMOfZQ=='],
    ['escapes', 'Gr\\xC3\\xBC\\u00dfe'], ['escapes', 'Gr\\303\\274\\u{DF}e'], ['quoted', 'Gr=C3=BC=\nße'],
  ]) {
    await type(page, '');
    await type(page, text, form);
    await shows(page, '#text', 'Grüße');
  }
  for (const [form, text, why] of [
    ['hex', 'C3 XY', '“XY” is not hexadecimal'], ['hex', 'C3B', 'an odd number of digits'], ['base64', 'R3L*', 'not a digit of Base64'],
    ['escapes', '\\q', 'not a known escape'], ['escapes', 'a\\N', 'not a known escape'], ['quoted', '=ZZ', 'not quoted-printable'],
  ]) {
    await type(page, text, form);
    await shows(page, '#input-problem', why);
  }
});

check('ill-formed bytes are marked, with their clause', async (page) => {
  await type(page, '41 C3 28 E2 82 42 43', 'hex');
  await shows(page, '#text', 'A');
  await page.fill('#other', 'UTF-8');
  await page.press('#other', 'Enter');
  await shows(page, '#read-status', '✗ Not valid UTF-8');
  await shows(page, '#problems', 'RFC 3629');
  assert.deepEqual(await page.$$eval('#text mark', (all) => all.map((it) => it.textContent)), ['<C3>', '<E2 82>']);
  await page.click('#next-problem');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), '<C3>');
  await page.click('#next-problem');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), '<E2 82>');
});

check('another encoding, and back to the automatic one', async (page) => {
  await type(page, 'E9 74 E9 20 E0 20 6C 61 20 66 EA 74 65', 'hex');
  await page.fill('#other', 'koi8-r');
  await page.press('#other', 'Enter');
  await shows(page, '#text', 'ИtИ Ю la fЙte');
  await page.click('#candidates button:first-child');
  await shows(page, '#text', 'été à la fête');
  await page.fill('#other', 'KOI-9');
  await page.press('#other', 'Enter');
  await shows(page, '#other-problem', 'There is no encoding “KOI-9”');
});

check('UTF-7 is explained digit by digit', async (page) => {
  await example(page, 'The Analects in UTF-7');
  await shows(page, '#candidates', 'Automatic: UTF-7');
  await shows(page, '#units', 'start of a shifted run');
  await shows(page, '#units', 'CJK UNIFIED IDEOGRAPH-5B50');
});

const { UTFALL_PROGRAM } = process.env;
if (UTFALL_PROGRAM === undefined) test('the units are those of the command', { skip: 'UTFALL_PROGRAM does not name it' });
else {
  check('the units are those of the command', async (page) => {
    for (const [encoding, bytes] of [
      ['UTF-8', [0x61, 0xc3, 0xa9, 0xf0, 0x9f, 0x99, 0x82, 0xc3, 0x28, 0xe2, 0x82, 0x0a]], ['UTF-7', [...Buffer.from('a +AOk-b+2D3eQg- +AP!')]],
      ['UTF-16LE', [0x41, 0, 0x3d, 0xd8, 0x42, 0xde, 0, 0xdc]], ['Shift_JIS', [0x82, 0xa2, 0x5c, 0xb1, 0x81]],
    ]) {
      const { stdout } = spawnSync(UTFALL_PROGRAM, ['explain', '-f', encoding, '--format', 'json', '-'], { input: Buffer.from(bytes) });
      const units = stdout.toString().trim().split('\n').map((line) => JSON.parse(line)).filter(({ type }) => type === 'unit');
      const shown = await page.evaluate(async ([encoding, bytes]) => {
        const { call } = await import('./js/library.js');
        await call('load', Uint8Array.from(bytes));
        return (await call('explain', encoding, 0)).units;
      }, [encoding, bytes]);
      assert.ok(units.length >= 3);
      assert.deepEqual(shown, units.map(({ version: _version, type: _type, ...unit }) => unit));
    }
  });

  check('the layers of mail match the command', async (page) => {
    await example(page, 'A mail in UTF-7');
    await shows(page, '#mail-status', '6 texts');
    const { stdout } = spawnSync(UTFALL_PROGRAM, ['explain', '--mail', '--json', '-'], { input: await page.inputValue('#source') });
    const lines = stdout.toString().trim().split('\n').map((line) => JSON.parse(line));
    const of = (kind) => lines.filter(({ type }) => type === kind).map(({ version: _version, type: _type, ...line }) => line);
    const shown = await page.evaluate(async () => {
      const { call } = await import('./js/library.js');
      const { parts, layers } = await call('mail');
      const units = [];
      for (const { offset, length } of layers) units.push(...(await call('mailUnits', offset, length)).units);
      return { parts, layers: layers.map(({ written: _1, isCut: _2, errors: _3, ...layer }) => layer), units };
    });
    assert.ok(of('unit').length > 100);
    assert.deepEqual(shown, { parts: of('part'), layers: of('layer'), units: of('unit') });
  });
}

check('a mail is taken apart', async (page) => {
  await example(page, 'A mail in UTF-7');
  await shows(page, '#mail-status', '4 parts, 6 texts, 2 problems.');
  assert.deepEqual(await page.$$eval('#parts h3 bdi', (all) => all.map((it) => it.textContent)), ['multipart/mixed', 'text/plain', 'text/plain', 'text/plain']);
  // The multipart contains its parts.
  assert.equal(await page.$$eval('#parts > ul > li > ul > li', (all) => all.length), 3);
  const texts = await page.$$eval('#parts .layer', (all) => all.map((it) => [it.querySelector('strong').textContent, it.querySelector('.chain').textContent, it.querySelector('.decoded').textContent.trim()]));
  assert.deepEqual(texts, [
    ['From: encoded word', 'Q → ISO-8859-1', 'Jörg Müller'],
    ['Subject: encoded word', 'Q → UTF-7', 'Rechnung über 20 €'],
    ['body', '7bit → UTF-7', 'Schöne Grüße aus Köln 🙂'],
    ['Content-Type: parameter', 'percent → UTF-8', 'Grüße.txt'],
    ['body', 'base64 → windows-1252', '20 € bis Freitag.'],
    ['body', 'quoted-printable → UTF-8', 'Viele Grüße, J\ufffdrg =XY'],
  ]);
  await shows(page, '#parts .problem', 'RFC 2045 §6.7');
  await shows(page, '#parts .problem:last-of-type', 'RFC 3629');
  const button = page.getByRole('button', { name: 'Characters of the encoded word in Subject' });
  await button.focus();
  await page.keyboard.press('Enter');
  await shows(page, '#parts .units:not([hidden])', 'U+00FC');
  assert.equal(await button.getAttribute('aria-expanded'), 'true');
  // A row selects its bytes in the message.
  await page.click('#parts .units:not([hidden]) tr:has-text("U+00FC")');
  assert.equal(await page.$eval('#source', (area) => area.value.slice(area.selectionStart, area.selectionEnd)), 'APw');
  await button.focus();
  await page.keyboard.press('Enter');
  assert.equal(await page.$('#parts .units:not([hidden])'), null);
});

check('encoded words, bodies and an mbox are taken apart', async (page) => {
  await page.click('#tab-mail');
  await type(page, '=?UTF-8?Q?caf=C3=A9?= =?x-none?B?YQ==?=');
  await shows(page, '#parts .decoded', 'café');
  await shows(page, '#parts .problem', 'unknown charset');
  await type(page, 'Sch=C3=B6n', 'quoted');
  await shows(page, '#parts .decoded', 'Schön');
  await shows(page, '#mail-status', 'There is no header');
  await type(page, 'From a\nSubject: one\n\n1\n\nFrom b\nSubject: =?UTF-8?Q?two=21?=\n\n2\n');
  await shows(page, '#mail-status', '2 messages, 2 parts');
  await type(page, '');
  await shows(page, '#mail-status', 'nothing to take apart');
});

check('a row and the caret follow each other', async (page) => {
  await type(page, 'aé🙂z');
  await page.click('#tab-explain');
  await page.click('#units tr:nth-child(3)');
  assert.deepEqual(await page.$eval('#source', (area) => [area.selectionStart, area.selectionEnd]), [2, 4]);
  await page.focus('#source');
  await page.evaluate(() => document.getElementById('source').setSelectionRange(1, 1));
  await page.waitForSelector('#units tr:nth-child(2)[aria-selected=true]');
});

check('rows and the caret follow each other in every form', async (page) => {
  // The text, the row to click, what it selects; a place of the caret, and the row that it marks.
  for (const [form, text, row, selected, at, marked] of [
    ['hex', '61 C3 A9 F0 9F 99 82', 2, 'C3 A9', 10, 3], ['base64', 'YcOp8J+Zgg==', 2, 'cOp', 6, 3],
    ['escapes', 'a\\u00e9\\ud83d\\ude42', 3, '\\ud83d\\ude42', 3, 2], ['quoted', 'a=C3=A9=\n=F0=9F=99=82', 2, '=C3=A9', 12, 3],
  ]) {
    await page.click('#tab-read');
    await type(page, '');
    await type(page, text, form);
    await shows(page, '#text', 'aé🙂');
    await page.click('#tab-explain');
    await shows(page, '#units', 'U+1F642');
    // The rows may still be those of the form before, which are the same.
    for (let tries = 1; ; tries++) {
      await page.click(`#units tr:nth-child(${row})`);
      const found = await page.$eval('#source', (area) => area.value.slice(area.selectionStart, area.selectionEnd));
      if (found === selected) break;
      assert.ok(tries < 50, `${form}: ${found} instead of ${selected}`);
      await page.waitForTimeout(100);
    }
    await page.focus('#source');
    // Redrawn rows have no mark until the caret moves again.
    for (let tries = 1; ; tries++) {
      await page.evaluate(() => document.getElementById('source').setSelectionRange(0, 0));
      await page.evaluate((at) => document.getElementById('source').setSelectionRange(at, at), at);
      await page.waitForTimeout(100);
      if (await page.$(`#units tr:nth-child(${marked})[aria-selected=true]`)) break;
      assert.ok(tries < 50, `${form}: row ${marked} is not marked`);
    }
  }
});

/** Drops a file that is in a file input of the page, or pastes it. */
async function transfer(page, path, kind, target) {
  const input = await page.evaluateHandle(() => document.body.appendChild(Object.assign(document.createElement('input'), { type: 'file', ariaLabel: 'test' })));
  await input.setInputFiles(path);
  await page.evaluate(([input, kind, target]) => {
    const data = new DataTransfer();
    data.items.add(input.files[0]);
    input.remove();
    const made = kind === 'paste' ? new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true })
      : new DragEvent(kind, { dataTransfer: data, bubbles: true, cancelable: true });
    document.querySelector(target).dispatchEvent(made);
  }, [input, kind, target]);
}

check('files are dropped and pasted', async (page) => {
  const folder = await mkdtemp(join(tmpdir(), 'utfall-'));
  const [first, second] = [join(folder, 'first.txt'), join(folder, 'second.bin')];
  await writeFile(first, 'naïve\n');
  await writeFile(second, Buffer.from([0xff, 0xfe, 0x41, 0x00]));
  await transfer(page, first, 'dragover', 'body');
  assert.equal(await page.isVisible('#drop'), true);
  await transfer(page, first, 'drop', 'body');
  await shows(page, '#text', 'naïve');
  assert.equal(await page.isVisible('#drop'), false);
  await transfer(page, second, 'paste', '#source');
  await shows(page, '#file', 'second.bin: 4 bytes');
  await shows(page, '#candidates', 'Automatic: UTF-16LE');
  await rm(folder, { recursive: true });
});

check('mojibake is repaired, used and saved', async (page) => {
  await example(page, 'Mojibake, three deep');
  await shows(page, '#repaired', 'Les élèves d’été fêtent Noël à l’école.');
  await shows(page, '#changes', 'UTF-8 read as windows-1252, then UTF-8 read as windows-1252, then');
  assert.equal((await downloaded(page, '#repair-save')).toString(), 'Les élèves d’été fêtent Noël à l’école.\n');
  await page.click('#repair-use');
  await shows(page, '#repair-status', 'Nothing to repair');
  assert.equal(await page.inputValue('#source'), 'Les élèves d’été fêtent Noël à l’école.\n');
});

check('places that look intended are skipped, with a reason', async (page) => {
  await type(page, 'The sign “Ã¼” was on the door.');
  await page.click('#tab-repair');
  await shows(page, '#changes', 'it looks like a quoted example');
  await page.check('#force');
  await shows(page, '#repaired', 'The sign “ü” was on the door.');
});

check('a text is converted and saved', async (page) => {
  await example(page, 'A line of Shift_JIS');
  await page.click('#tab-convert');
  await shows(page, '#convert-status', 'Nothing is lost');
  assert.equal((await downloaded(page, '#convert-save')).toString(), 'いろはにほへと ちりぬるを\n');
  await page.fill('#target', 'windows-1252');
  await page.press('#target', 'Enter');
  await shows(page, '#convert-status', '✗');
  await shows(page, '#losses', 'windows-1252');
  await page.selectOption('#on-unencodable', 'escape-xml');
  await page.selectOption('#lines', 'crlf');
  await shows(page, '#convert-status', 'cannot be kept');
  assert.match((await downloaded(page, '#convert-save')).toString(), /^&#12356;.* .*&#12434;\r\n$/);
});

check('hidden text has its reasons', async (page) => {
  await example(page, 'A Trojan Source snippet');
  await shows(page, '#findings', 'U+202E RIGHT-TO-LEFT OVERRIDE');
  await page.click('#tab-read');
  await shows(page, '#text', 'only for administrators');
  assert.ok((await page.$$eval('#text .invisible', (all) => all.map((it) => it.textContent))).includes('U+202E'));
  await type(page, 'plain');
  await page.click('#tab-hidden');
  await shows(page, '#hidden-status', 'Nothing hidden');
});

check('the stress test of UTF-8 is shown to its end', async (page) => {
  await example(page, 'Kuhn’s stress test of UTF-8');
  await shows(page, '#text', 'UTF-8 decoder capability and stress test');
  await page.fill('#other', 'UTF-8');
  await page.press('#other', 'Enter');
  await shows(page, '#problems', 'continuation byte');
  await page.click('#read-on');
  await shows(page, '#text', 'THE END');
});

check('a link holds the input', async (page) => {
  await type(page, 'Größe');
  await page.fill('#other', 'windows-1252');
  await page.press('#other', 'Enter');
  await shows(page, '#text', 'GrÃ¶ÃŸe');
  await page.click('#tab-explain');
  await page.click('#share');
  await shows(page, '#input-status', 'holds the whole input');
  const link = page.url();
  assert.match(link, /#d=[\w-]+&e=windows-1252&t=explain$/);
  await page.goto('about:blank');
  await page.goto(link);
  await shows(page, '#explain-status', 'windows-1252');
  assert.equal(await page.inputValue('#source'), 'Größe');
});

check('a damaged link says so', async (page) => shows(page, '#input-problem', 'The link is damaged'), { path: '/#d=AAAA' });

check('text from an input is never markup', async (page) => {
  await type(page, '<img src=x onerror="document.title=1"><script>document.title=1</script>Ã©lÃ¨ve');
  for (const tab of TABS) {
    await page.click(`#tab-${tab}`);
    await page.waitForTimeout(200);
    assert.equal(await page.$(`#${tab} img, #${tab} script`), null);
  }
  assert.equal(await page.title(), 'utfall: understand bytes');
});

check('everything by keyboard', async (page) => {
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  await page.focus('#source');
  await page.keyboard.type('aé');
  await shows(page, '#read-status', '✓ Valid UTF-8');
  const stops = new Set();
  for (let at = 0; at < 40; at++) {
    await page.keyboard.press('Tab');
    stops.add(await page.evaluate(() => document.activeElement.id));
  }
  for (const id of ['choose', 'clear', 'share', 'other', 'tab-read', 'form', 'examples', 'source']) assert.ok(stops.has(id), id);
  await page.focus('#tab-read');
  await page.keyboard.press('ArrowRight');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'tab-explain');
  await shows(page, '#units', 'LATIN SMALL LETTER E WITH ACUTE');
  await page.focus('#units tr');
  await page.keyboard.press('ArrowDown');
  assert.match(await page.evaluate(() => document.activeElement.textContent), /U\+00E9/);
  await page.focus('#candidates button[tabindex="0"]');
  await page.keyboard.press('ArrowDown');
  await page.waitForSelector('#candidates button:nth-child(2)[aria-checked=true]');
});

/** A text for every view. */
const TEXT = 'Les Ã©lÃ¨ves d’été\u202e and\u200b more <b>é</b>\n';

for (const [name, options] of [
  ['light', { colorScheme: 'light' }], ['dark', { colorScheme: 'dark' }], ['narrow', { viewport: { width: 390, height: 844 } }],
  // 400 % zoom of 1280 pixels.
  ['tiny', { viewport: { width: 320, height: 256 } }],
]) {
  check(`axe finds nothing: ${name}`, async (page, context) => {
    const blank = await context.newPage();
    await page.bringToFront();
    const changes = [];
    const reason = kept && (await otherFonts(page));
    if (reason && name === 'light') console.log(reason);
    await type(page, TEXT);
    for (const tab of TABS) {
      await page.click(`#tab-${tab}`);
      if (tab === 'mail') {
        await example(page, 'A mail in UTF-7');
        await shows(page, '#mail-status', '6 texts');
        await page.getByRole('button', { name: 'Characters of the encoded word in Subject' }).click();
        await shows(page, '#parts .units:not([hidden])', 'U+00FC');
      }
      await page.waitForTimeout(400);
      // Added by the protocol of the tests, which the CSP of the page does not apply to.
      const { violations } = await page.evaluate(`${AXE}; axe.run()`);
      assert.deepEqual(violations.map(({ id, nodes }) => `${tab}: ${id}: ${nodes[0].html}`), []);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${tab} is ${overflow} pixels too wide`);
      const picture = await page.screenshot({ fullPage: true });
      if (PICTURES) {
        await mkdir(PICTURES, { recursive: true });
        await writeFile(join(PICTURES, `${name}-${tab}.png`), picture);
      }
      const change = kept && !reason && name !== 'tiny' ? await difference(blank, `${name}-${tab}`, picture) : undefined;
      if (change !== undefined) changes.push(`${name}-${tab}: ${change}`);
      if (tab === 'mail') await type(page, TEXT);
    }
    const hint = 'look at the pictures in target/bindings/web/pictures; UTFALL_BLESS=1 keeps them';
    assert.deepEqual(changes, [], hint);
  }, options);
}

test('a picture that differs is found', () => {
  const picture = (height, colour) => ({ height, pixels: Array(160 * height * 4).fill(colour) });
  assert.equal(compare(picture(100, 20), picture(102, 50)), undefined);
  assert.match(compare(picture(100, 20), picture(100, 70)), /^100.0 % of its pixels/);
  assert.match(compare(picture(100, 20), picture(110, 20)), /height of 100 is 110/);
});

check('50 MB leave the page responsive: no task takes 100 ms', async (page) => {
  const folder = await mkdtemp(join(tmpdir(), 'utfall-'));
  const file = join(folder, 'large.txt');
  const line = 'Zwölf Boxkämpfer jagen Viktor quer über den großen Sylter Deich. Съешь же ещё этих мягких булок.\n';
  const body = `Ã©lÃ¨ve\n${line.repeat(Math.ceil(50_000_000 / Buffer.byteLength(line)))}`;
  // The only problem is at the end.
  await writeFile(file, Buffer.concat([Buffer.from(body), Buffer.of(0xff)]));
  const stop = await browser.record(page);
  await transfer(page, file, 'drop', 'body');
  await shows(page, '#file', '47.7 MiB');
  await shows(page, '#read-status', '✗ Not valid UTF-8');
  await page.click('#next-problem');
  await shows(page, '#text', '<FF>');
  for (const tab of ['explain', 'mail', 'repair', 'convert', 'hidden']) {
    await page.click(`#tab-${tab}`);
    await page.waitForFunction((tab) => document.getElementById(`${tab}-status`).textContent !== '', tab, { timeout: 240_000 });
  }
  // The end of the part that is checked splits no character.
  assert.doesNotMatch(await page.textContent('#findings'), /ill-formed/);
  const tasks = await stop();
  const longest = Math.max(...tasks);
  await page.click('#tab-repair');
  const repaired = await downloaded(page, '#repair-save');
  assert.ok(repaired.equals(Buffer.concat([Buffer.from(body.replace('Ã©lÃ¨ve', 'élève')), Buffer.of(0xff)])));
  console.log(`longest task of the page with 50 MB: ${longest.toFixed(0)} ms of ${tasks.length}`);
  assert.ok(tasks.length > 100 && longest < 100, `${longest} ms`);
  await rm(folder, { recursive: true });
});

check('the service worker has all files of one version, with the policy', async (page) => {
  await shows(page, '#offline', 'also works offline');
  const [names, policies] = await page.evaluate(async () => {
    const names = await caches.keys();
    const cache = await caches.open(names[0]);
    const all = await Promise.all((await cache.keys()).map((request) => cache.match(request)));
    return [names, all.map((response) => response.headers.get('content-security-policy'))];
  });
  assert.match(names.join(), /^utfall-[0-9a-f]{64}$/);
  assert.ok(policies.length > 30 && policies.every((policy) => policy.startsWith("default-src 'none'")), policies.join('\n'));
});

check('the page works offline', async (page, context) => {
  await shows(page, '#offline', 'also works offline');
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector('html[data-ready]', { state: 'attached' });
  await type(page, 'Gr\\xFC\\xDFe aus K\\xF6ln', 'escapes');
  await shows(page, '#text', 'Grüße aus Köln');
});
