// Compiled by `tsc --strict`, not run.

import * as utfall from 'utfall';
import { decode as small } from 'utfall/utf';
import { Transcoder } from 'utfall/charsets';
import iconv, { encode as encodeAsIconv } from 'utfall/iconv-lite';
import { detect as inlineDetect } from 'utfall/inline';
import { TextDecoder as WebDecoder, TextEncoderStream as WebEncoderStream } from 'utfall/web';

const text: string = utfall.decode(new Uint8Array(1), 'latin1', { onError: 'replace', replacement: '?' });
const bytes: Uint8Array<ArrayBuffer> = utfall.encode(text, 'UTF-7', { utf7: 'header', utf7Allow: ['controls'] });
const again: Uint8Array = utfall.transcode(bytes.buffer, 'UTF-7');
const error: utfall.UtfallError | undefined = utfall.validate(again);
if (error?.kind === 'overlong' && error.line !== undefined) console.log(error.clause?.length, error.line + 1);
const found: { encoding: string | null; sure: boolean } = utfall.detect(again, { candidates: 3, language: 'ja' });
const repaired: string = utfall.repair('text', { minConfidence: 0.9 }).text;
for (const unit of utfall.explain(again, { encoding: 'UTF-7' }).units) console.log(unit.hex, unit.problem?.clause);
for (const { place, text, problems = [] } of utfall.explainMail(again, { onlyLayers: true }).layers) console.log(place, text?.length, problems[0]?.clause);
console.log(utfall.check(again).problems.map(({ rule }) => rule), found.encoding, repaired, small(again), inlineDetect(again).sure);
const input: ReadableStream<Uint8Array> = new Blob([bytes]).stream();
const strings: ReadableStream<string> = input.pipeThrough(new utfall.DecoderStream('shift_jis'));
const sjis: ReadableStream<Uint8Array> = strings.pipeThrough(new WebEncoderStream('shift_jis'));
{
  using transcoder = new Transcoder('latin1', 'UTF-8');
  const output: Uint8Array = transcoder.finish(bytes);
  console.log(output, sjis, transcoder.counts.invalid);
}
const buffer: Buffer = iconv.encode('é', 'latin1', { addBOM: false });
console.log(buffer, encodeAsIconv('é', 'latin1'), new WebDecoder('sjis', { fatal: true }).decode(buffer, { stream: true }));

// @ts-expect-error There is no such policy.
utfall.decode(bytes, 'UTF-8', { onError: 'ignore' });
// @ts-expect-error Strings are not bytes.
utfall.decode('text');
// @ts-expect-error Nor the other way.
utfall.encode(bytes);
