import assert from 'node:assert/strict';
import { Engine, UTF_16LE } from '../node_modules/utfall/lib/engine.js';
import load from '../node_modules/utfall/lib/load/full.node.js';
import { Decoder, Encoder } from 'utfall';
import { test } from './harness.js';

const engine = new Engine(load);
const number = engine.encoding('Shift_JIS');
const PIECE = Uint8Array.of(0x93, 0xfa, 0x96);

test('the heap does not grow over 100,000 streams', () => {
  const stream = () => {
    const conversion = engine.conversion(number, UTF_16LE, { onError: 'replace' });
    conversion.write(PIECE, false, () => {});
    conversion.write(PIECE, true, () => {});
    conversion.free();
  };
  for (let count = 0; count < 1000; count++) stream();
  const before = engine.memory;
  for (let count = 0; count < 100_000; count++) stream();
  assert.equal(engine.memory, before);
});

test('texts, reports and options do not stay in memory', () => {
  const use = (count) => {
    engine.decode(number, { onError: 'replace' }, PIECE);
    engine.report('repair', PIECE, { minConfidence: 0.9 });
    engine.report('explain', PIECE, {}, number);
    engine.imap('decode', PIECE);
    try {
      engine.decode(number, undefined, PIECE);
    } catch { /* What matters is the memory. */ }
  };
  for (let count = 0; count < 50; count++) use(count);
  const before = engine.memory;
  // A report of invalid text guesses its encoding, which takes milliseconds.
  for (let count = 0; count < 300; count++) use(count);
  assert.equal(engine.memory, before);
});

test('options that fail, and ever new ones, do not stay in memory', () => {
  const use = (count) => {
    assert.throws(() => engine.decode(number, { replacement: 'x'.repeat(20), onError: 'bake' }, PIECE), { code: 'ERR_UTFALL_INVALID_OPTION' });
    assert.throws(() => engine.report('check', PIECE, { levels: 'bom='.padEnd(500, 'x'), what: 1 }), { code: 'ERR_UTFALL_INVALID_OPTION' });
    assert.throws(() => engine.report('check', PIECE, { levels: 'bom='.padEnd(500, 'x') }), { code: 'ERR_UTFALL_INVALID_OPTION' });
    engine.decode(number, { onError: 'replace', replacement: `${count}` }, PIECE);
  };
  for (let count = 0; count < 500; count++) use(count);
  const before = engine.memory;
  for (let count = 0; count < 2000; count++) use(count);
  assert.equal(engine.memory, before);
});

test('neither heap grows over 100,000 streams of the public classes', async () => {
  const use = () => {
    const decoder = new Decoder('Shift_JIS', { onError: 'replace' });
    decoder.push(PIECE);
    decoder.finish(PIECE);
    const encoder = new Encoder('UTF-7');
    encoder.push('日');
    encoder.close();
  };
  const settle = async () => {
    for (let round = 0; round < 3; round++) {
      globalThis.gc?.();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    return process.memoryUsage().heapUsed;
  };
  for (let count = 0; count < 5000; count++) use();
  const before = await settle();
  for (let count = 0; count < 100_000; count++) use();
  const after = await settle();
  if (typeof globalThis.gc !== 'function') return console.log('skipped: heapUsed: this runtime was started without access to gc()');
  assert.ok(after < before + (2 << 20), `heapUsed: ${before} bytes, then ${after}`);
});

test('a large text is given back', () => {
  const large = new Uint8Array(40 << 20).fill(0x61);
  assert.equal(engine.validate(engine.encoding('UTF-8'), large), undefined);
  assert.ok(engine.memory < 8 << 20, `${engine.memory}`);
  // Conversions work in pieces.
  assert.equal(engine.decode(number, undefined, large).length, large.length);
  assert.ok(engine.memory < 8 << 20, `${engine.memory}`);
});

test('forgotten streams are freed', async () => {
  if (typeof globalThis.gc !== 'function') {
    console.log('skipped: forgotten streams are freed: this runtime was started without access to gc()');
    return;
  }
  const forget = async (count) => {
    for (let index = 0; index < count; index++) engine.conversion(number, UTF_16LE, undefined);
    for (let round = 0; round < 5; round++) {
      globalThis.gc();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  await forget(1000);
  await forget(1000);
  const before = engine.memory;
  for (let round = 0; round < 8; round++) await forget(1000);
  assert.ok(engine.memory <= before, `${before}, then ${engine.memory}`);
});
