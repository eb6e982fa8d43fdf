// Packages that use iconv-lite, with utfall/iconv-lite in its place.

import assert from 'node:assert/strict';
import { createRequire, Module } from 'node:module';
import { run, test } from './harness.js';

const require = createRequire(import.meta.url);
const original = Module._resolveFilename;
let replaced = 0;
Module._resolveFilename = function (request, ...rest) {
  if (request === 'iconv-lite') {
    replaced++;
    return original.call(this, 'utfall/iconv-lite', ...rest);
  }
  return original.call(this, request, ...rest);
};

const libmime = require('libmime');
const { simpleParser } = require('mailparser');

test('libmime', () => {
  assert.equal(libmime.decodeWords('=?iso-8859-1?Q?J=F8rgen?= =?Shift_JIS?B?k/qWew==?='), 'Jørgen日本');
  assert.equal(libmime.decodeWords('=?koi8-r?Q?=F0=D2=C9=D7=C5=D4?='), 'Привет');
  assert.equal(libmime.parseHeaderValue("attachment; filename*=windows-1251''%CF%F0%E8.txt").params.filename, 'При.txt');
  assert.equal(libmime.decodeWords(libmime.encodeWords('Łódź und 日本', 'Q', 52)), 'Łódź und 日本');
});

const mail = (charset, body) => Buffer.concat([
  Buffer.from(`From: a@example.org\r\nSubject: =?${charset}?B?${body.toString('base64')}?=\r\nMIME-Version: 1.0\r\n` +
    `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: 8bit\r\n\r\n`),
  body,
]);

test('mailparser', async () => {
  const iconv = require('iconv-lite');
  const texts = {
    'windows-1252': '„Größe“ – schön', 'koi8-r': 'Привет, мир', 'shift_jis': '日本語テキスト', 'euc-jp': '日本語テキスト',
    'gb18030': '中文文本', 'big5': '中文文本', 'euc-kr': '한국어 텍스트', 'iso-8859-2': 'Łódź', 'utf-16': 'naïve 日本',
    'iso-2022-jp': '日本語テキスト',
  };
  for (const [charset, text] of Object.entries(texts)) {
    const parsed = await simpleParser(mail(charset, iconv.encode(text, charset)));
    assert.equal(parsed.text.trim(), text, `${charset}, the text`);
    assert.equal(parsed.subject, text, `${charset}, the subject`);
  }
});

test('they really use it', () => {
  assert.ok(replaced >= 2, `${replaced}`);
});

await run();
