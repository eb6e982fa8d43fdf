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
const MISSING = new Set('808 cp808 ibm808 cp720 macthai'.split(' '));

/** Why answers differ. Each kind of difference has a predicate or a place in `DIFFERENCES`. */
const REASONS = {
  c1: 'bytes that a charset of Windows does not assign are C1 controls, as on the web; iconv-lite has U+FFFD',
  replacement: 'iconv-lite encodes U+FFFD as a byte that the charset does not assign',
  surrogate: 'iconv-lite encodes lone surrogates in CESU-8 and UTF-7',
  invalid: 'how many U+FFFD, and where decoding goes on: the Encoding Standard, RFC 2152, RFC 3501 and UTR 26',
  table: 'the tables of the Encoding Standard, of glibc and, for the euro sign, of Mac OS since 8.5',
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

/** Names with the same encoding on both sides need to be compared once. */
const pairs = new Map();
for (const name of all) {
  // The input for their encoders is digits, not text.
  if (MISSING.has(name) || name === 'base64' || name === 'hex') continue;
  let theirs = name;
  while (typeof real.encodings[theirs] === 'string') theirs = real.encodings[theirs];
  const pair = `${behind(name)}, ${theirs}`;
  if (!pairs.has(pair)) pairs.set(pair, name);
}

const isLone = (text) => /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);

function encodeKind(character, theirs, ours) {
  const point = character.charCodeAt(0);
  if (point >= 0xd800 && point < 0xe000) return 'surrogate';
  if (point === 0xfffd) return 'replacement';
  return point >= 0x80 && point < 0xa0 && theirs.toString() === '?' && ours.equals(Buffer.of(point)) ? 'c1' : 'table';
}

function decodeKind(bytes, theirs, ours) {
  if (theirs === '\ufffd' && ours.charCodeAt(0) === bytes[0] && bytes[0] >= 0x80 && bytes[0] < 0xa0) return 'c1';
  return theirs.includes('\ufffd') && ours.includes('\ufffd') ? 'invalid' : 'table';
}

/** The number of differing characters and sequences of each kind. Pairs of encodings that are not here have none. */
const DIFFERENCES = {
  'ARMSCII-8, armscii8': { 'encode replacement': 1, 'encode table': 5 },
  'Big5, big5hkscs': { 'decode invalid': 5076, 'encode table': 2415 },
  'Big5, cp950': { 'decode invalid': 5076, 'decode table': 5092, 'encode table': 878 },
  'CESU-8, cesu8': { 'decode invalid': 7343, 'decode table': 1, 'encode surrogate': 2048 },
  'EUC-JP, eucjp': { 'decode invalid': 4889, 'encode table': 6068 },
  'EUC-KR, cp949': { 'decode invalid': 2686 },
  'GB18030, gb18030': { 'decode invalid': 1386, 'decode table': 18, 'encode table': 19 },
  'GBK, cp936': { 'decode invalid': 1386, 'decode table': 2149, 'encode table': 2165 },
  'GBK, gbk': { 'decode invalid': 1386, 'decode table': 18, 'encode table': 19 },
  'GB_1988-80, iso646cn': { 'encode replacement': 1 },
  'IBM1046, cp1046': { 'decode table': 10, 'encode replacement': 1, 'encode table': 16 },
  'IBM1133, cp1133': { 'decode table': 3, 'encode replacement': 1, 'encode table': 2 },
  'IBM1161, cp1161': { 'decode table': 3, 'encode replacement': 1, 'encode table': 3 },
  'IBM856, cp856': { 'decode table': 5, 'encode replacement': 1, 'encode table': 7 },
  'IBM857, cp857': { 'encode replacement': 1 },
  'IBM864, cp864': { 'encode replacement': 1 },
  'IBM869, cp869': { 'encode replacement': 1 },
  'IBM874, windows874': { 'encode replacement': 1 },
  'IBM922, cp922': { 'decode table': 1, 'encode table': 2 },
  'ISO-8859-11/glibc, iso885911': { 'encode replacement': 1 },
  'ISO-8859-3, iso88593': { 'encode replacement': 1 },
  'ISO-8859-6, iso88596': { 'encode replacement': 1 },
  'ISO-8859-7, iso88597': { 'encode replacement': 1 },
  'ISO-8859-8, iso88598': { 'encode replacement': 1 },
  'ISO-8859-8-I, iso88598': { 'encode replacement': 1 },
  'JIS_C6220-1969-ro, iso646jp': { 'encode replacement': 1 },
  'KOI8-T, koi8t': { 'encode replacement': 1 },
  'KZ-1048, rk1048': { 'encode replacement': 1 },
  'Shift_JIS, shiftjis': { 'decode invalid': 1364, 'decode table': 187, 'encode table': 1 },
  'TIS-620/glibc, tis620': { 'encode replacement': 1 },
  'US-ASCII, ascii': { 'encode replacement': 1 },
  'UTF-7, utf7': { 'encode surrogate': 2048 },
  'UTF-7-IMAP, utf7imap': { 'encode surrogate': 2048 },
  'hp-roman8, hproman8': { 'encode replacement': 1 },
  'macintosh/glibc, macintosh': { 'decode table': 4, 'encode replacement': 1, 'encode table': 7 },
  'macintosh/glibc, macroman': { 'decode table': 4, 'encode replacement': 1, 'encode table': 7 },
  'windows-1250, windows1250': { 'decode c1': 5, 'encode c1': 5, 'encode replacement': 1 },
  'windows-1251, windows1251': { 'decode c1': 1, 'encode c1': 1, 'encode replacement': 1 },
  'windows-1252, windows1252': { 'decode c1': 5, 'encode c1': 5, 'encode replacement': 1 },
  'windows-1253, windows1253': { 'decode c1': 14, 'encode c1': 14, 'encode replacement': 1 },
  'windows-1254, windows1254': { 'decode c1': 7, 'encode c1': 7, 'encode replacement': 1 },
  'windows-1255, windows1255': { 'decode c1': 12, 'encode c1': 12, 'encode replacement': 1 },
  'windows-1257, windows1257': { 'decode c1': 10, 'encode c1': 10, 'encode replacement': 1 },
  'windows-1258, windows1258': { 'decode c1': 9, 'encode c1': 9, 'encode replacement': 1 },
  'windows-874, cp1162': { 'encode replacement': 1 },
  'windows-874, windows874': { 'decode c1': 23, 'encode c1': 23, 'encode replacement': 1 },
  'x-mac-croatian, maccroatian': { 'decode table': 3, 'encode replacement': 1, 'encode table': 5 },
  'x-mac-cyrillic, maccyrillic': { 'decode table': 3, 'encode table': 6 },
  'x-mac-cyrillic, macukraine': { 'decode table': 1, 'encode table': 2 },
  'x-mac-greek, macgreek': { 'decode table': 3, 'encode replacement': 1, 'encode table': 4 },
  'x-mac-icelandic, maciceland': { 'decode table': 3, 'encode replacement': 1, 'encode table': 5 },
  'x-mac-romanian, macromania': { 'decode table': 7, 'encode replacement': 1, 'encode table': 13 },
  'x-mac-turkish, macturkish': { 'decode table': 3, 'encode replacement': 1, 'encode table': 4 },
};

/** The characters and the sequences of bytes for which both give the same, by the pair of encodings. */
const same = new Map();

test('every character, every byte and every pair of bytes', () => {
  const found = {};
  for (const [pair, name] of pairs) {
    const counts = {};
    const count = (kind) => (counts[kind] = (counts[kind] ?? 0) + 1);
    const [characters, sequences] = [new Set(), []];
    for (let start = 0; start < 0x10000; start += 0x100) {
      const block = Array.from({ length: 0x100 }, (_, at) => String.fromCharCode(start + at));
      const text = block.join('');
      const isSame = real.encode(text, name).equals(ours.encode(text, name));
      for (const character of block) {
        const [theirs, mine] = isSame ? [] : [real.encode(character, name), ours.encode(character, name)];
        if (isSame || theirs.equals(mine)) characters.add(character);
        else count(`encode ${encodeKind(character, theirs, mine)}`);
      }
    }
    const decode = (bytes) => {
      const [theirs, mine] = [real.decode(bytes, name), ours.decode(bytes, name)];
      if (theirs !== mine) count(`decode ${decodeKind(bytes, theirs, mine)}`);
      else if (theirs !== '' && !theirs.includes('\ufffd')) sequences.push(bytes);
    };
    for (let byte = 0; byte < 0x100; byte++) decode(Buffer.of(byte));
    const encoding = behind(name);
    const isSingle = findEncoding(encoding) !== undefined && encodingInfo(encoding).family === 'single-byte';
    for (let pair = 0x8000; pair < 0x10000 && !isSingle; pair++) decode(Buffer.of(pair >> 8, pair & 0xff));
    same.set(pair, { characters, sequences });
    if (Object.keys(counts).length > 0) found[pair] = counts;
  }
  assert.deepEqual(found, DIFFERENCES);
  const kinds = new Set(Object.values(found).flatMap((counts) => Object.keys(counts).map((kind) => kind.split(' ')[1])));
  assert.deepEqual([...kinds].sort(), Object.keys(REASONS).sort());
});

/** For charsets of single bytes, iconv-lite writes `??` for a character above U+FFFF, and utfall `?`. */
const writable = (name, text) =>
  (findEncoding(behind(name)) && encodingInfo(behind(name)).family === 'single-byte' ? text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '☃') : text);

test('encoding: random text, with lone surrogates', () => {
  const next = random(2);
  const point = () => [
    next(128), next(256), next(0x800), 0x400 + next(256), 0x3040 + next(192), 0x4e00 + next(20000), 0xac00 + next(11000),
    0x1f600 + next(60), 0xd800 + next(0x800),
  ][next(9)];
  for (const name of all) {
    if (MISSING.has(name) || name === 'base64' || name === 'hex') continue;
    const { characters } = [...pairs].filter(([, it]) => behind(it) === behind(name)).map(([pair]) => same.get(pair))
      .reduce((one, other) => ({ characters: one.characters.intersection?.(other.characters) ?? new Set([...one.characters].filter((it) => other.characters.has(it))) }));
    for (let count = 0; count < 200; count++) {
      const points = Array.from({ length: next(12) }, point).map((it) => String.fromCodePoint(it));
      const same = points.filter((it) => it.length === 2 || characters.has(it));
      // iconv-lite takes a `+` into the run beside it, instead of writing `+-`.
      const text = writable(name, behind(name) === 'UTF-7' ? same.join('').replaceAll('+', '') : same.join(''));
      const [expected, found] = [real.encode(text, name), ours.encode(text, name)];
      if (!expected.equals(found)) assert.fail(`${name} (${behind(name)}): ${JSON.stringify(text)}: ${expected.toString('hex')}, here ${found.toString('hex')}`);
    }
  }
});

/** Encodings whose invalid text is decoded differently, by the name in utfall. */
const INVALID = new Set(['Shift_JIS', 'EUC-JP', 'EUC-KR', 'Big5', 'GBK', 'GB18030', 'CESU-8', 'UTF-7', 'UTF-7-IMAP']);

test('decoding: random bytes', () => {
  const next = random(1);
  const differing = new Set();
  for (const [pair, name] of pairs) {
    const { sequences } = same.get(pair);
    const inputs = [];
    for (let count = 0; count < 300; count++) {
      // Sequences without a difference; then any bytes, and mostly US-ASCII: whatever has a state should also leave it.
      const valid = Buffer.concat(Array.from({ length: sequences.length && next(12) }, () => sequences[next(sequences.length)]));
      assert.equal(ours.decode(valid, name), real.decode(valid, name), `${name}: ${valid.toString('hex')}`);
      if (DIFFERENCES[pair] && !INVALID.has(behind(name))) continue;
      inputs.push(Buffer.from(Array.from({ length: next(24) }, () => (next(3) ? 0x80 + next(128) : next(128)))));
      inputs.push(Buffer.from(Array.from({ length: next(24) }, () => (next(4) ? 0x20 + next(95) : next(2) ? 0x2b : 0x26))));
    }
    for (const input of inputs) {
      const [expected, found] = [real.decode(input, name), ours.decode(input, name)];
      if (expected === found) continue;
      const isInvalid = [expected, found].some((text) => text.includes('\ufffd') || isLone(text));
      // Any bytes may have a sequence that the tables differ for.
      const isListed = isInvalid || DIFFERENCES[pair]?.['decode table'] > 0;
      if (INVALID.has(behind(name)) && isListed) differing.add(behind(name));
      else assert.fail(`${name} (${behind(name)}): ${input.toString('hex')}: ${JSON.stringify(expected)}, here ${JSON.stringify(found)}`);
    }
  }
  assert.deepEqual([...differing].sort(), [...INVALID].sort());
});

test('every split of text with surrogates', () => {
  const texts = ['aé€😀日', '\ud83d', 'a\ude42\ud83d', '\ud83d\ud83d\ude42'];
  for (const name of ['utf8', 'utf-16le', 'utf-16be', 'utf-32le', 'utf-32be']) {
    for (const text of texts) {
      for (let at = 0; at <= text.length; at++) {
        const write = (iconv) => {
          const encoder = iconv.getEncoder(name);
          return Buffer.concat([encoder.write(text.slice(0, at)), encoder.write(text.slice(at)), encoder.end() ?? Buffer.alloc(0)]);
        };
        assert.deepEqual(write(ours), write(real), `${name}: ${JSON.stringify(text)} at ${at}`);
      }
      const bytes = Buffer.concat([real.encode(text, name), Buffer.of(0x61).subarray(name === 'utf8' ? 1 : 0)]);
      for (let at = 0; at <= bytes.length; at++) {
        const read = (iconv) => {
          const decoder = iconv.getDecoder(name, { stripBOM: false });
          return [decoder.write(bytes.subarray(0, at)), decoder.write(bytes.subarray(at)), decoder.end() || ''];
        };
        const [expected, found] = [read(real), read(ours)];
        assert.equal(found.join(''), expected.join(''), `${name}: ${JSON.stringify(text)} at ${at}`);
        // Pairs stay together. iconv-lite splits those of UTF-16BE, and those of UTF-16LE after their third byte.
        if (!isLone(text) && name !== 'utf8') assert.ok(!found.some(isLone), `${name}: ${JSON.stringify(text)} at ${at}`);
        if (name === 'utf-16le' && at % 2 === 0) assert.equal(found[0], expected[0], `${name}: ${JSON.stringify(text)} at ${at}`);
      }
    }
  }
});

test('one substitute for a character', () => {
  assert.equal(real.encode('😀', 'latin1').toString(), '??');
  assert.equal(ours.encode('😀', 'latin1').toString(), '?');
});

test('Base64 and hexadecimal digits', () => {
  for (const [name, text] of [['base64', 'aGVsbG8gd29ybGQ='], ['hex', '68656c6c6f']]) {
    assert.deepEqual(ours.encode(text, name), real.encode(text, name));
    assert.equal(ours.decode(Buffer.from('hello'), name), real.decode(Buffer.from('hello'), name));
  }
});

test('options', () => {
  for (const name of ['utf8', 'utf16le', 'utf-16be', 'utf-16', 'utf-32', 'utf32le', 'ucs4be', 'cesu8', 'utf7', 'utf7-imap', 'win1251']) {
    for (const options of [undefined, { addBOM: true }, { addBOM: false }, { defaultEncoding: 'utf-16be' }, { defaultEncoding: 'utf-32be' }]) {
      // iconv-lite takes any default encoding for UTF-32.
      if (name === 'utf-32' && options?.defaultEncoding === 'utf-16be') continue;
      const expected = real.encode('aé€', name, options && { ...options });
      assert.deepEqual(ours.encode('aé€', name, options), expected, `${name} ${JSON.stringify(options)}`);
      for (const decoding of [undefined, { stripBOM: false }, { stripBOM: true }, options]) {
        // iconv-lite drops U+FEFF at the start of every run of UTF-7.
        if (name.startsWith('utf7') && decoding?.stripBOM === false && options?.addBOM) continue;
        assert.equal(ours.decode(expected, name, decoding), real.decode(expected, name, decoding), `${name} ${JSON.stringify(decoding)}`);
      }
    }
  }
  assert.equal(ours.encode('a', 'utf7', { addBOM: true }).toString(), '+/v8-a');
  assert.equal(ours.decode(Buffer.from('+/v8-a'), 'utf7', { stripBOM: false }), '\ufeffa');
  assert.equal(ours.decode(Buffer.from('x+/v8-a'), 'utf7'), 'x\ufeffa');
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
    // Runs of UTF-7 end where iconv-lite's chunks do.
    if (name !== 'utf-7') assert.deepEqual(bytes, await encode(real), name);
    const decode = (iconv) => new Promise((resolve, reject) => {
      const pieces = Array.from({ length: Math.ceil(bytes.length / 5) }, (_, at) => bytes.subarray(at * 5, at * 5 + 5));
      Readable.from(pieces).pipe(iconv.decodeStream(name)).collect((error, result) => (error ? reject(error) : resolve(result)));
    });
    assert.equal(await decode(ours), await decode(real), name);
  }
  const wrong = new Promise((resolve) => ours.decodeStream('utf8', { objectMode: true }).on('error', resolve).write({}));
  assert.match((await wrong).message, /needs buffers/);
});
