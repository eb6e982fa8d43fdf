// utfall/iconv-lite beside iconv-lite itself, over its names, every byte and random input.

import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import real from 'iconv-lite';
import { encodingInfo, findEncoding } from 'utfall';
import * as names from 'utfall/iconv-lite';
import ours from 'utfall/iconv-lite';
import { random, test } from './harness.js';

// Charsets of Mac OS and a few code pages that utfall does not have.
const MISSING = new Set(('808 cp808 ibm808 cp720 1162 cp1162 ibm1162 csibm1162 10006 macgreek 10081 macturkish ' +
  'maccroatian maciceland macromania macthai').split(' '));

/**
 * Why answers differ for an encoding, by the name of that of utfall. `decode`: bytes that iconv-lite has no
 * character for, or another one.
 */
const REASONS = {
  'windows-': 'C1 controls for unassigned bytes, as the web does, where iconv-lite has U+FFFD',
  'Shift_JIS': 'the table of the Encoding Standard', 'EUC-JP': 'the table of the Encoding Standard, whose encoder has no JIS X 0212',
  'Big5': 'the table of the Encoding Standard', 'GBK': 'the table of the Encoding Standard',
  'GB18030': 'GB 18030-2022, and one U+FFFD for each invalid sequence of the Standard',
  'EUC-KR': 'the table of the Encoding Standard',
  'ARMSCII-8': 'punctuation of US-ASCII is encoded as US-ASCII', 'IBM856': 'the table of glibc', 'IBM922': 'the table of glibc', 'IBM1046': 'the table of glibc',
  'IBM1133': 'the table of glibc', 'IBM1161': 'the table of glibc',
  'macintosh/glibc': 'the euro sign since Mac OS 8.5', 'x-mac-cyrillic': 'the euro sign since Mac OS 9',
  'MAC-IS': 'the table of glibc',
  'CESU-8': 'overlong and incomplete forms are invalid', 'UTF-16BE': 'half a unit at the end is U+FFFD; lone surrogates are invalid',
  'UTF-7': 'bytes above 7F, and runs that end in the middle of a unit', 'UTF-7-IMAP': 'bytes above 7F, and runs that end in the middle of a unit',
};
const SAME = { utf16: 'UTF-16BE', utf32: 'UTF-32', ucs4: 'UTF-32' };

real.getCodec('utf8');
const all = Object.keys(real.encodings).filter((name) => !name.startsWith('_'));

/** The name of utfall's encoding behind a name of iconv-lite. */
function behind(name) {
  let found = name;
  ours.getCodec(name);
  while (typeof ours.encodings[found] === 'string') found = ours.encodings[found];
  return SAME[found] ?? names.encodingName(found) ?? found;
}
const reason = (name) => {
  const encoding = behind(name);
  return Object.entries(REASONS).find(([start]) => encoding.startsWith(start))?.[1];
};

test('the names of iconv-lite', () => {
  for (const name of all) assert.equal(ours.encodingExists(name), !MISSING.has(name), name);
  for (const name of ['UTF-8', 'ISO-8859-1:1987', 'Windows-1252', ' latin1', 'Shift_JIS']) assert.ok(ours.encodingExists(name), name);
  assert.equal(ours.encodingExists('utf-9'), false);
  assert.throws(() => ours.encode('a', 'utf-9'), { message: "Encoding not recognized: 'utf-9' (searched as: 'utf9')" });
  assert.equal(ours._canonicalizeEncoding('ISO_8859-1:1987'), real._canonicalizeEncoding('ISO_8859-1:1987'));
});

test('the functions of iconv-lite', () => {
  const own = new Set(['encodings', '_codecDataCache']);
  for (const key of Object.keys(real)) {
    if (!own.has(key)) assert.equal(typeof ours[key], typeof real[key], key);
  }
  assert.equal(ours.defaultCharUnicode, real.defaultCharUnicode);
  assert.equal(ours.defaultCharSingleByte, real.defaultCharSingleByte);
  const require = createRequire(import.meta.url);
  assert.equal(require('utfall/iconv-lite').encode('é', 'latin1')[0], 0xe9);
});

/** For charsets of single bytes, iconv-lite writes `??` for a character above U+FFFF, and utfall `?`. */
const writable = (name, text) =>
  (findEncoding(behind(name)) && encodingInfo(behind(name)).family === 'single-byte' ? text.replace(/[\ud800-\udfff]{2}/g, '☃') : text);

const differing = new Map();
const differ = (name, what) => {
  if (reason(name) === undefined) return false;
  differing.set(behind(name), (differing.get(behind(name)) ?? new Set()).add(what));
  return true;
};

test('decoding: every byte, and random bytes', () => {
  const next = random(1);
  for (const name of all) {
    if (MISSING.has(name)) continue;
    const inputs = Array.from({ length: 256 }, (_, byte) => Buffer.of(byte));
    for (let count = 0; count < 100; count++) {
      // Sequences as they occur, and mostly US-ASCII: whatever has a state should also leave it.
      inputs.push(Buffer.from(Array.from({ length: next(24) }, () => (next(3) ? 0x80 + next(128) : next(128)))));
      inputs.push(Buffer.from(Array.from({ length: next(24) }, () => (next(4) ? 0x20 + next(95) : 0x2b))));
    }
    for (const input of inputs) {
      const [expected, found] = [real.decode(input, name), ours.decode(input, name)];
      if (expected !== found && !differ(name, 'decode')) {
        assert.fail(`${name} (${behind(name)}): ${input.toString('hex')}: ${JSON.stringify(expected)}, here ${JSON.stringify(found)}`);
      }
    }
  }
});

test('encoding: random text', () => {
  const next = random(2);
  const point = () => [next(128), next(256), next(0x800), 0x400 + next(256), 0x3040 + next(192), 0x4e00 + next(20000), 0xac00 + next(11000), 0x1f600 + next(60)][next(8)];
  for (const name of all) {
    // Their input is digits, not text.
    if (MISSING.has(name) || name === 'base64' || name === 'hex') continue;
    for (let count = 0; count < 200; count++) {
      const text = writable(name, String.fromCodePoint(...Array.from({ length: next(12) }, point)));
      const [expected, found] = [real.encode(text, name), ours.encode(text, name)];
      if (!expected.equals(found) && !differ(name, 'encode')) {
        assert.fail(`${name} (${behind(name)}): ${JSON.stringify(text)}: ${expected.toString('hex')}, here ${found.toString('hex')}`);
      }
    }
  }
});

test('one substitute for a character', () => {
  assert.equal(real.encode('😀', 'latin1').toString(), '??');
  assert.equal(ours.encode('😀', 'latin1').toString(), '?');
});

test('every listed difference exists', () => {
  for (const start of Object.keys(REASONS)) {
    assert.ok([...differing.keys()].some((encoding) => encoding.startsWith(start)), `${start}: there is none`);
  }
});

test('Base64 and hexadecimal digits', () => {
  for (const [name, text] of [['base64', 'aGVsbG8gd29ybGQ='], ['hex', '68656c6c6f']]) {
    assert.deepEqual(ours.encode(text, name), real.encode(text, name));
    assert.equal(ours.decode(Buffer.from('hello'), name), real.decode(Buffer.from('hello'), name));
  }
});

test('options', () => {
  for (const name of ['utf8', 'utf16le', 'utf-16be', 'utf-16', 'utf-32', 'utf32le', 'ucs4be', 'cesu8', 'win1251']) {
    for (const options of [undefined, { addBOM: true }, { addBOM: false }, { defaultEncoding: 'utf-16be' }, { defaultEncoding: 'utf-32be' }]) {
      // iconv-lite takes any default encoding for UTF-32.
      if (name === 'utf-32' && options?.defaultEncoding === 'utf-16be') continue;
      const expected = real.encode('aé€', name, options);
      assert.deepEqual(ours.encode('aé€', name, options), expected, `${name} ${JSON.stringify(options)}`);
      for (const decoding of [undefined, { stripBOM: false }, { stripBOM: true }, options]) {
        assert.equal(ours.decode(expected, name, decoding), real.decode(expected, name, decoding), `${name} ${JSON.stringify(decoding)}`);
      }
    }
  }
  let stripped = 0;
  assert.equal(ours.decode(Buffer.from('\ufeffa'), 'utf8', { stripBOM: () => stripped++ }), 'a');
  assert.equal(stripped, 1);
  ours.skipDecodeWarning = true;
  assert.equal(ours.decode('\xe9', 'latin1'), 'é');
  assert.equal(ours.encode(null, 'utf8').length, 0);
  assert.equal(ours.encode(1.5, 'utf8').toString(), '1.5');
  assert.ok(Buffer.isBuffer(ours.encode('a', 'sjis')));
});

test('substitutes', () => {
  ours.defaultCharSingleByte = '!';
  ours.defaultCharUnicode = '#';
  ours._codecDataCache = { __proto__: null };
  try {
    assert.equal(ours.encode('a☺', 'latin1').toString('latin1'), 'a!');
    assert.equal(ours.decode(Buffer.of(0xff), 'ascii'), '#');
  } finally {
    ours.defaultCharSingleByte = real.defaultCharSingleByte;
    ours.defaultCharUnicode = real.defaultCharUnicode;
    ours._codecDataCache = { __proto__: null };
  }
});

test('low-level converters and codecs of others', () => {
  const decoder = ours.getDecoder('euc-jp');
  assert.equal([0xc6, 0xfc, 0xcb, 0xdc].map((byte) => decoder.write(Buffer.of(byte))).join('') + (decoder.end() ?? ''), '日本');
  const encoder = ours.getEncoder('iso-2022-jp');
  const bytes = Buffer.concat([encoder.write('日'), encoder.write('本'), encoder.end() ?? Buffer.alloc(0)]);
  assert.equal(ours.decode(bytes, 'iso-2022-jp'), '日本');
  ours.encodings.upper = class {
    encoder = class {
      write = (text) => Buffer.from(text.toUpperCase());
      end() {}
    };

    decoder = class {
      write = (input) => input.toString().toLowerCase();
      end() {}
    };
  };
  ours.encodings.loud = 'upper';
  assert.equal(ours.encode('a', 'LOUD').toString(), 'A');
  assert.equal(ours.decode(Buffer.from('A'), 'loud'), 'a');
});

test('streams', async () => {
  const text = 'Привет, 日本 €\n'.repeat(50);
  for (const name of ['utf8', 'utf-16', 'win1251', 'shift_jis', 'gb18030', 'utf-7', 'utf7-imap']) {
    const encode = (iconv) => new Promise((resolve, reject) => {
      const stream = iconv.encodeStream(name).collect((error, result) => (error ? reject(error) : resolve(result)));
      for (let at = 0; at < text.length; at += 7) stream.write(text.slice(at, at + 7));
      stream.end();
    });
    const bytes = await encode(ours);
    if (name !== 'utf-7' && name !== 'utf7-imap') assert.deepEqual(bytes, await encode(real), name);
    const decode = (iconv) => new Promise((resolve, reject) => {
      const pieces = Array.from({ length: Math.ceil(bytes.length / 5) }, (_, at) => bytes.subarray(at * 5, at * 5 + 5));
      Readable.from(pieces).pipe(iconv.decodeStream(name)).collect((error, result) => (error ? reject(error) : resolve(result)));
    });
    assert.equal(await decode(ours), await decode(real), name);
  }
  const wrong = new Promise((resolve) => ours.decodeStream('utf8', { objectMode: true }).on('error', resolve).write({}));
  assert.match((await wrong).message, /needs buffers/);
});
