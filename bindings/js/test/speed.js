// The speed beside iconv-lite, @exodus/bytes and the runtime's own TextDecoder: the table of docs/javascript.md.

import { legacyHookDecode } from '@exodus/bytes/encoding.js';
import iconv from 'iconv-lite';
import { decode, encode, transcode, validate } from 'utfall/charsets';

const SIZE = 1 << 20;
const TEXTS = {
  English: 'The quick brown fox jumps over the lazy dog, 13 times. ',
  German: 'Falsches Üben von Xylophonmusik quält jeden größeren Zwerg. ',
  Russian: 'Съешь же ещё этих мягких французских булок, да выпей чаю. ',
  Japanese: '色は匂へど散りぬるを、我が世誰ぞ常ならむ。カタカナ。',
  Chinese: '天地玄黄，宇宙洪荒。日月盈昃，辰宿列张。寒来暑往，秋收冬藏。',
};
const fill = (text) => text.repeat(Math.ceil(SIZE / new TextEncoder().encode(text).length));

/** GB/s of the input: the best of several rounds, since other programs also run. */
function speed(bytes, body) {
  let best = Infinity;
  const end = performance.now() + 400;
  for (let round = 0; round < 5 || performance.now() < end; round++) {
    const start = performance.now();
    body();
    best = Math.min(best, performance.now() - start);
  }
  return bytes / best / 1e6;
}

const attempt = (bytes, body) => {
  try {
    return speed(bytes, body).toFixed(2);
  } catch {
    return '–';
  }
};
const native = (label) => {
  try {
    return new TextDecoder(label);
  } catch {
    return undefined;
  }
};

console.log('| decode to a string, GB/s | utfall | iconv-lite | @exodus/bytes | TextDecoder |\n|---|---|---|---|---|');
const ROWS = [
  ['UTF-8', 'English'], ['UTF-8', 'Russian'], ['UTF-16BE', 'Russian'], ['UTF-32LE', 'Russian'], ['UTF-7', 'German'],
  ['UTF-7', 'Japanese'], ['windows-1252', 'German'], ['windows-1251', 'Russian'], ['KOI8-R', 'Russian'],
  ['Shift_JIS', 'Japanese'], ['EUC-JP', 'Japanese'], ['GB18030', 'Chinese'], ['Big5', 'Japanese'],
];
for (const [encoding, language] of ROWS) {
  const text = fill(TEXTS[language]);
  const bytes = encode(text, encoding, { onError: 'replace' });
  const decoder = native(encoding);
  const cells = [
    attempt(bytes.length, () => decode(bytes, encoding)),
    attempt(bytes.length, () => iconv.decode(bytes, encoding)),
    attempt(bytes.length, () => legacyHookDecode(bytes, encoding)),
    decoder ? attempt(bytes.length, () => decoder.decode(bytes)) : '–',
  ];
  console.log(`| ${encoding}, ${language} | ${cells.join(' | ')} |`);
}

console.log('\n| bytes to bytes, GB/s | utfall | iconv-lite, twice |\n|---|---|---|');
for (const [from, to, language] of [['UTF-8', 'UTF-16LE', 'Russian'], ['UTF-16LE', 'UTF-8', 'Russian'], ['windows-1252', 'UTF-8', 'German'],
  ['UTF-8', 'windows-1251', 'Russian'], ['Shift_JIS', 'UTF-8', 'Japanese'], ['UTF-8', 'GB18030', 'Chinese'], ['UTF-7', 'UTF-8', 'Japanese'], ['UTF-8', 'UTF-7', 'Japanese']]) {
  const bytes = encode(fill(TEXTS[language]), from);
  const cells = [
    attempt(bytes.length, () => transcode(bytes, from, to)),
    attempt(bytes.length, () => iconv.encode(iconv.decode(bytes, from), to)),
  ];
  console.log(`| ${from} → ${to}, ${language} | ${cells.join(' | ')} |`);
}

console.log('\n| encode a string, GB/s of the result | utfall | iconv-lite |\n|---|---|---|');
for (const [encoding, language] of [['UTF-16BE', 'Russian'], ['UTF-7', 'Japanese'], ['windows-1252', 'German'], ['Shift_JIS', 'Japanese'], ['GB18030', 'Chinese']]) {
  const text = fill(TEXTS[language]);
  const { length } = encode(text, encoding);
  console.log(`| ${encoding}, ${language} | ${attempt(length, () => encode(text, encoding))} | ${attempt(length, () => iconv.encode(text, encoding))} |`);
}

console.log('\n| a text of 20 bytes, million texts/s | utfall | iconv-lite | TextDecoder |\n|---|---|---|---|');
const short = encode('Grüße aus Köln, 2026', 'windows-1252');
// 10,000 calls count as 10 MB, so that a unit is a million texts.
const many = (body) => attempt(10_000_000, () => {
  for (let count = 0; count < 10_000; count++) body();
});
const decoder = native('windows-1252');
console.log(`| decode windows-1252 | ${many(() => decode(short, 'windows-1252'))} | ${many(() => iconv.decode(short, 'windows-1252'))} | ${many(() => decoder.decode(short))} |`);
const gb = encode(fill(TEXTS.Russian));
console.log(`\nvalidate UTF-8, Russian: ${attempt(gb.length, () => validate(gb))} GB/s`);
