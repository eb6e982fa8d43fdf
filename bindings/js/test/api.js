import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import * as utfall from 'utfall';
import * as charsets from 'utfall/charsets';
import * as inline from 'utfall/inline';
import * as utf from 'utfall/utf';
import { Engine } from '../node_modules/utfall/lib/engine.js';
import load from '../node_modules/utfall/lib/load/full.node.js';
import { test } from './harness.js';

const { decode, encode, transcode, UtfallError } = utfall;

test('strings and bytes', () => {
  assert.equal(decode(Uint8Array.of(0x93, 0xfa, 0x96, 0x7b), 'shift_jis'), '日本');
  assert.equal(decode(encode('Hi Mom -☺-!', 'UTF-7')), 'Hi Mom -+Jjo--!');
  assert.deepEqual(transcode(Uint8Array.of(0xe9), 'latin1'), Uint8Array.of(0xc3, 0xa9));
  const bytes = Uint8Array.of(0x20, 0xe9, 0x20);
  assert.equal(decode(bytes.buffer, 'latin1'), ' é ');
  assert.equal(decode(new DataView(bytes.buffer, 1, 1), 'latin1'), 'é');
  assert.equal(decode(new Uint16Array(bytes.slice(0, 2).buffer), 'latin1'), ' é');
  assert.equal(decode(new Uint8Array(0)), '');
  assert.deepEqual(encode(''), new Uint8Array(0));
});

test('texts of every length around the sizes of buffers', () => {
  for (const length of [1, 23, 24, 25, 32767, 32768, 32769, 65535, 65536, 65537, 262143, 262145]) {
    for (const character of ['a', 'é', '日', '😀']) {
      const text = character.repeat(length);
      for (const encoding of ['UTF-8', 'UTF-16BE', 'UTF-32', 'UTF-7', 'GB18030', 'SCSU']) {
        const bytes = encode(text, encoding);
        assert.equal(decode(bytes, encoding) === text, true, `${length} times ${character} in ${encoding}`);
      }
    }
  }
});

test('errors have a place and a clause', () => {
  const error = utfall.validate(Uint8Array.of(0x61, 0x0a, 0xc0, 0xae));
  assert.ok(error instanceof UtfallError);
  const { kind, offset, length, line, column, clause, code } = error;
  assert.deepEqual({ kind, offset, length, line, column, code }, {
    kind: 'overlong', offset: 2, length: 1, line: 2, column: 1, code: 'ERR_UTFALL_INVALID_TEXT',
  });
  assert.match(clause, /^RFC 3629 §3/);
  // In a string, places are indexes, and the text after many pieces has the right one too.
  const long = `${'a\n'.repeat(100_000)}x€`;
  assert.throws(() => encode(long, 'latin1'), {
    code: 'ERR_UTFALL_UNENCODABLE', offset: 200_001, length: 1, line: 100_001, column: 2, codePoint: 0x20ac,
  });
  assert.throws(() => encode('a\ud800', 'UTF-8'), { code: 'ERR_UTFALL_INVALID_TEXT', offset: 1, length: 1 });
  assert.throws(() => decode('text'), { name: 'TypeError' });
  assert.throws(() => encode(1), { name: 'TypeError' });
  assert.throws(() => decode(new Uint8Array(0), 'utf-9'), { code: 'ERR_UTFALL_UNKNOWN_ENCODING', message: /did you mean "UTF-8"/ });
});

test('every problem', () => {
  const found = utfall.problems(Uint8Array.of(0xff, 0x61, 0x0a, 0xe2, 0x82));
  assert.deepEqual(found.map(({ kind, line, column }) => [kind, line, column]), [['invalid-byte', 1, 1], ['truncated', 2, 1]]);
  const lost = utfall.problems(encode('5 € für Łódź'), 'UTF-8', { to: 'latin1' });
  assert.deepEqual(lost.map(({ codePoint }) => String.fromCodePoint(codePoint)), ['€', 'Ł', 'ź']);
});

test('policies', () => {
  const bytes = Uint8Array.of(0x61, 0xff, 0x62);
  assert.equal(decode(bytes, 'UTF-8', { onError: 'replace' }), 'a\ufffdb');
  assert.equal(decode(bytes, 'UTF-8', { onError: 'replace', replacement: '[?]' }), 'a[?]b');
  assert.equal(decode(bytes, 'UTF-8', { onError: 'escape' }), 'a\\xffb');
  const text = (options) => decode(encode('5 €', 'US-ASCII', options), 'US-ASCII');
  assert.equal(text({ onError: 'replace', substitute: '!' }), '5 !');
  assert.equal(text({ onError: 'escape-xml' }), '5 &#8364;');
  assert.equal(text({ transliterate: true }), '5 EUR');
  assert.throws(() => charsets.encode('€', 'US-ASCII', { transliterate: true }), { code: 'ERR_UTFALL_INVALID_OPTION' });
});

test('detection, repair, explanations, checks, names', () => {
  const guess = utfall.detect(encode('„Größe“ und Maß: über Köln – schön, nicht wahr?\n', 'windows-1252'));
  assert.deepEqual([guess.encoding, guess.sure], ['windows-1252', true]);
  assert.equal(utfall.detect(Uint8Array.of(0x63, 0x61, 0xe9)).sure, false);
  const repaired = utfall.repair('Les Ã©lÃ¨ves franÃ§ais');
  assert.deepEqual([repaired.text, repaired.changes.length], ['Les élèves français', 3]);
  const [unit] = utfall.explain(Uint8Array.of(0xc0, 0xae)).units;
  assert.equal(unit.problem.kind, 'overlong');
  assert.equal(utfall.check(encode('a \u202e b')).problems[0].rule, 'bidi-unbalanced');
  assert.equal(utfall.characterName('€'), 'EURO SIGN');
  assert.equal(utfall.imap.encode('台北'), '&U,BTFw-');
  assert.equal(utfall.imap.decode('&U,BTFw-'), '台北');
  assert.throws(() => utfall.imap.decode('&U,BT'), { kind: 'unterminated' });
});

test('the same functions in each module', () => {
  const common = Object.keys(utf).sort();
  for (const name of common) assert.ok(name in charsets && name in utfall && name in inline, name);
  assert.deepEqual(Object.keys(charsets).sort(), common);
  assert.deepEqual(Object.keys(inline).sort(), Object.keys(utfall).sort());
  assert.equal(inline.decode(inline.encode('日本', 'euc-jp'), 'euc-jp'), '日本');
  assert.equal(utf.decode(utf.encode('日本', 'UTF-7'), 'UTF-7'), '日本');
  assert.throws(() => utf.encode('a', 'Shift_JIS'), { code: 'ERR_UTFALL_UNKNOWN_ENCODING' });
  assert.ok(utf.encodings().every((name) => charsets.encodings().includes(name)));
  assert.deepEqual(charsets.encodings(), utfall.encodings());
});

test('require()', () => {
  const require = createRequire(import.meta.url);
  assert.equal(require('utfall').decode(Uint8Array.of(0xe9), 'latin1'), 'é');
  assert.equal(require('utfall/iconv-lite').decode(Buffer.from([0xe9]), 'latin1'), 'é');
  assert.equal(require('utfall/inline').decode(Uint8Array.of(0xe9), 'latin1'), 'é');
});

test('a trap makes a new instance', () => {
  const engine = new Engine(load);
  const number = engine.encoding('UTF-8');
  const stream = engine.conversion(number, number, undefined);
  // An address outside the memory.
  const trap = () => engine.run((it) => it.exports.utfall_validate(number, -16, 1 << 20, it.error));
  assert.throws(trap, { code: 'ERR_UTFALL_BUG' });
  assert.equal(engine.decode(engine.encoding('latin1'), undefined, Uint8Array.of(0xe9)), 'é');
  assert.throws(() => stream.write(Uint8Array.of(0x61), false, () => {}), { code: 'ERR_UTFALL_CLOSED' });
  stream.free();
});
