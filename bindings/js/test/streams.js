import assert from 'node:assert/strict';
import { Decoder, DecoderStream, encode, Encoder, EncoderStream, Transcoder, transcode, TranscoderStream } from 'utfall';
import { hex, test } from './harness.js';

const ALL = 'aé€😀 日本語\r\n+-&~\u00a0Ω한';
const ENCODINGS = ['UTF-8', 'UTF-16', 'UTF-16BE', 'UTF-32LE', 'UTF-7', 'UTF-7-IMAP', 'SCSU', 'BOCU-1', 'GB18030', 'CESU-8', 'UTF-EBCDIC'];

const collect = async (readable) => {
  const pieces = [];
  for await (const piece of readable) pieces.push(piece);
  return pieces;
};

test('every split of every encoding', () => {
  for (const encoding of ENCODINGS) {
    const text = encoding === 'UTF-7-IMAP' ? ALL.replaceAll('\r\n', '') : ALL;
    const bytes = encode(text, encoding);
    const decoder = new Decoder(encoding);
    const transcoder = new Transcoder(encoding, 'UTF-16BE');
    const expected = hex(transcode(bytes, encoding, 'UTF-16BE'));
    for (let first = 0; first <= bytes.length; first++) {
      for (let second = first; second <= bytes.length; second++) {
        const parts = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)];
        const decoded = parts.slice(0, 2).map((part) => decoder.push(part)).join('') + decoder.finish(parts[2]);
        assert.equal(decoded, text, `${encoding}, ${first}, ${second}`);
        const output = [...parts.slice(0, 2).map((part) => transcoder.push(part)), transcoder.finish(parts[2])];
        assert.equal(output.map(hex).join(''), expected, `${encoding}, ${first}, ${second}`);
        decoder.reset();
        transcoder.reset();
      }
    }
    const encoder = new Encoder(encoding);
    for (let first = 0; first <= text.length; first++) {
      const output = hex(encoder.push(text.slice(0, first))) + hex(encoder.finish(text.slice(first)));
      assert.equal(output, hex(bytes), `${encoding}, ${first}`);
      encoder.reset();
    }
    for (const it of [decoder, transcoder, encoder]) it.close();
  }
});

test('every split through web streams', async () => {
  const japanese = 'aｱあ亜 日本語\r\n~';
  for (const [encoding, TEXT] of [
    ['UTF-8', ALL], ['UTF-7', ALL], ['GB18030', ALL], ['UTF-16', ALL], ['SCSU', ALL], ['Shift_JIS', japanese], ['EUC-JP', japanese],
    ['ISO-2022-JP', japanese.replace('ｱ', 'ア')], ['EUC-KR', 'a한국어 漢字\n'], ['Big5', 'a中文 繁體\n'], ['windows-1252', 'aé€ Ÿ\n'],
  ]) {
    const bytes = encode(TEXT, encoding);
    for (let first = 0; first <= bytes.length; first++) {
      const parts = () => new Blob([bytes]).stream().pipeThrough(new TransformStream({
        transform(chunk, controller) {
          controller.enqueue(chunk.subarray(0, first));
          controller.enqueue(chunk.subarray(first));
        },
      }));
      assert.equal((await collect(parts().pipeThrough(new DecoderStream(encoding)))).join(''), TEXT);
      const again = parts().pipeThrough(new TranscoderStream(encoding, 'UTF-8')).pipeThrough(new DecoderStream())
        .pipeThrough(new EncoderStream(encoding));
      assert.equal((await collect(again)).map(hex).join(''), hex(bytes));
    }
  }
});

test('errors in streams', async () => {
  const stream = new Blob([Uint8Array.of(0x61, 0x0a), Uint8Array.of(0xff)]).stream().pipeThrough(new DecoderStream('UTF-8'));
  await assert.rejects(collect(stream), { code: 'ERR_UTFALL_INVALID_TEXT', offset: 2, line: 2, column: 1 });
  const decoder = new Decoder('UTF-8', { onError: 'replace' });
  assert.equal(decoder.push(Uint8Array.of(0xff, 0xe2)), '\ufffd');
  assert.equal(decoder.counts.invalid, 1);
  assert.equal(decoder.finish(), '\ufffd');
  assert.deepEqual(decoder.counts, { invalid: 2, unencodable: 0, skipped: 0, tolerated: 0 });
  assert.throws(() => decoder.push(new Uint8Array(1)), { code: 'ERR_UTFALL_CLOSED' });
  decoder.reset();
  assert.equal(decoder.counts.invalid, 0);
  assert.equal(decoder.finish(Uint8Array.of(0x61)), 'a');
});
