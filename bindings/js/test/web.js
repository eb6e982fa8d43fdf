// utfall/web: the Web Platform Tests in testdata/wpt, and behaviour of the Encoding Standard.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { TextDecoder as Decoder, TextDecoderStream as DecoderStream, TextEncoder as Encoder, TextEncoderStream as EncoderStream } from 'utfall/web';
import { test, testdata, unhex } from './harness.js';

const rows = (name) => readFileSync(`${testdata}/wpt/${name}`, 'utf8').trimEnd().split('\n').slice(1).map((line) => line.split('\t'));
const points = (list) => String.fromCodePoint(...list.split(' ').filter(Boolean).map((point) => parseInt(point, 16)));

const RUN = {
  decode: (label, input, expected) => assert.equal(new Decoder(label).decode(unhex(input)), points(expected)),
  encode(label, input, expected) {
    const encode = (fatal) => new Encoder(label, { fatal }).encode(points(input));
    if (expected === '-') {
      assert.throws(() => encode(true), { name: 'TypeError' });
      assert.match(String.fromCharCode(...encode(false)), /&#\d+;/);
    } else {
      assert.deepEqual(encode(true), unhex(expected));
    }
  },
  fatal(label, input) {
    const invalid = new Set(unhex(input === '-' ? '' : input));
    for (let byte = 0; byte < 256; byte++) {
      const decode = () => new Decoder(label, { fatal: true }).decode(Uint8Array.of(byte));
      if (invalid.has(byte)) assert.throws(decode, { name: 'TypeError' }, `${label} ${byte}`);
      else assert.equal(decode().length, 1, `${label} ${byte}`);
    }
  },
  stream(label, input, expected) {
    const parts = input.split('|');
    const wanted = expected.split('|').map(points);
    const decoder = new Decoder(label);
    const found = parts.map((part) => decoder.decode(unhex(part), { stream: true }));
    if (wanted.length > parts.length) found.push(decoder.decode());
    assert.deepEqual(found, wanted);
  },
  // Here these labels are of other encodings than the web's.
  unsupported: (label) => assert.equal(new Decoder(label).encoding, label.toLowerCase()),
};

const cases = rows('cases.tsv');
for (const what of new Set(cases.map(([, what]) => what))) {
  const some = cases.filter((row) => row[1] === what);
  test(`Web Platform Tests: ${what} (${some.length})`, () => {
    for (const [source, , label, input, expected] of some) {
      try {
        RUN[what](label, input, expected);
      } catch (error) {
        error.stack = `${source}: ${label}: ${input}\n${error.stack}`;
        throw error;
      }
    }
  });
}

// The bytes of a pointer: §9, §10.2, §11.1, §12.1, §12.3 and §13.1 of the Standard.
const pair = (row, lead, trail) => (pointer) => [Math.floor(pointer / row) + lead, trail(pointer % row)];
const WIDE = {
  big5: ['big5', pair(157, 0x81, (at) => at + (at < 0x3f ? 0x40 : 0x62))],
  gb18030: ['gb18030', pair(190, 0x81, (at) => at + (at < 0x3f ? 0x40 : 0x41))],
  'euc-kr': ['euc-kr', pair(190, 0x81, (at) => at + 0x41)],
  jis0208: ['euc-jp', pair(94, 0xa1, (at) => at + 0xa1)],
  jis0212: ['euc-jp', (pointer) => [0x8f, ...pair(94, 0xa1, (at) => at + 0xa1)(pointer)]],
};

test('every entry of every index of the Encoding Standard', () => {
  let entries = 0;
  for (const [index, first, list] of rows('indexes.tsv')) {
    if (index === 'gb18030-ranges') continue;
    const wide = WIDE[index];
    const decoder = new Decoder(wide ? wide[0] : index);
    const text = points(list);
    const bytes = [];
    let pointer = Number(first);
    for (const _character of text) {
      const code = wide ? wide[1](pointer) : [pointer + 0x80];
      // The rows of jis0208 after the 94th are only in Shift_JIS.
      if (code.some((byte) => byte > 0xfe) && wide) break;
      bytes.push(...code);
      pointer++;
    }
    const characters = [...text].slice(0, pointer - Number(first)).join('');
    entries += pointer - Number(first);
    assert.equal(decoder.decode(Uint8Array.from(bytes)), characters, `${index} from ${first}`);
  }
  assert.ok(entries > 60_000, `${entries}`);
});

test('labels', () => {
  const named = (label) => new Decoder(label).encoding;
  assert.deepEqual(['latin1', ' UTF8\n', 'utf-16', 'iso-8859-9', 'sjis', 'gb2312'].map(named),
    ['windows-1252', 'utf-8', 'utf-16le', 'windows-1254', 'shift_jis', 'gbk']);
  assert.deepEqual(['UTF-7', 'scsu', 'ibm037', 'utf-32'].map(named), ['utf-7', 'scsu', 'ibm037', 'utf-32']);
  for (const label of ['replacement', 'iso-2022-kr', 'hz-gb-2312', 'utf-9', '', 'utf-8\0']) {
    assert.throws(() => new Decoder(label), { name: 'RangeError' }, label);
  }
  assert.equal(new Decoder().encoding, 'utf-8');
});

test('BOMs', () => {
  const bom = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
  assert.equal(new Decoder().decode(bom), 'a');
  assert.equal(new Decoder('utf-8', { ignoreBOM: true }).decode(bom), '\ufeffa');
  const decoder = new Decoder();
  assert.deepEqual([...bom].map((byte) => decoder.decode(Uint8Array.of(byte), { stream: true })), ['', '', '', 'a']);
  // A decoder does not change its encoding.
  assert.equal(new Decoder('utf-16be').decode(Uint8Array.of(0xfe, 0xff, 0, 0x61)), 'a');
  assert.equal(new Decoder('utf-16le').decode(Uint8Array.of(0xfe, 0xff)), '\ufffe');
  assert.equal(new Decoder('gb18030').decode(Uint8Array.of(0x84, 0x31, 0x95, 0x33)), '\ufeff');
  // After the end, a BOM is one again.
  decoder.decode();
  assert.equal(decoder.decode(bom), 'a');
});

test('fatal decoders begin again after an error', () => {
  const decoder = new Decoder('utf-8', { fatal: true });
  assert.throws(() => decoder.decode(Uint8Array.of(0xff), { stream: true }), { name: 'TypeError' });
  assert.equal(decoder.decode(Uint8Array.of(0xc3, 0xa9)), 'é');
  assert.throws(() => decoder.decode(Uint8Array.of(0xc3)), { name: 'TypeError' });
});

test('the same as the runtime for UTF-8 and UTF-16', () => {
  for (const label of ['utf-8', 'utf-16le', 'utf-16be']) {
    let native;
    try {
      native = new globalThis.TextDecoder(label);
    } catch {
      console.log(`skipped: this runtime has no ${label}`);
      continue;
    }
    for (let high = 0; high < 256; high++) {
      for (const bytes of [[high], [high, 0xbf], [0x61, high, 0x80, 0x80], [0xd8, high, high, 0xd8], [0xf0, high, 0x80, 0x61]]) {
        const input = Uint8Array.from(bytes);
        assert.equal(new Decoder(label).decode(input), native.decode(input), `${label} ${bytes}`);
      }
    }
  }
});

test('encoders', () => {
  const encoder = new Encoder();
  assert.deepEqual(encoder.encode('é\ud800'), Uint8Array.of(0xc3, 0xa9, 0xef, 0xbf, 0xbd));
  assert.deepEqual(encoder.encode(), new Uint8Array(0));
  for (const text of ['a€😀b', '', '\ud83d', 'ab\udc00']) {
    for (let size = 0; size < 12; size++) {
      const [found, native] = [new Uint8Array(size), new Uint8Array(size)];
      const done = encoder.encodeInto(text, found);
      assert.deepEqual(done, { ...new globalThis.TextEncoder().encodeInto(text, native) });
      assert.deepEqual(found, native);
    }
  }
  assert.deepEqual(new Encoder('windows-1252').encode('€☺'), Uint8Array.of(0x80, ...new globalThis.TextEncoder().encode('&#9786;')));
});

test('streams', async () => {
  const all = 'aé€😀日';
  const japanese = 'aあ日本~';
  for (const [label, text] of [
    ['utf-8', all], ['utf-16be', all], ['gb18030', all], ['utf-7', all], ['scsu', all], ['shift_jis', japanese], ['euc-jp', japanese],
    ['iso-2022-jp', japanese], ['euc-kr', 'a한국어'], ['big5', 'a中文'], ['windows-1252', 'aé€'],
  ]) {
    const encoded = [];
    const units = new ReadableStream({
      start(controller) {
        for (let at = 0; at < text.length; at++) controller.enqueue(text[at]);
        controller.close();
      },
    });
    for await (const piece of units.pipeThrough(new EncoderStream(label))) encoded.push(...piece);
    const bytes = new ReadableStream({
      start(controller) {
        for (const byte of encoded) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    let decoded = '';
    for await (const piece of bytes.pipeThrough(new DecoderStream(label))) decoded += piece;
    assert.equal(decoded, text, label);
  }
});
