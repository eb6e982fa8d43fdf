// Bytes from what people type, and bytes as people read them.

/** A message for whoever typed something that is not in the form it should have. */
export class InputError extends Error {}

const utf8 = new TextEncoder();

/** How many characters of a problem are quoted. */
const QUOTED = 12;

/**
 * Reads bytes from text in one of the forms of the page, with the place of each byte in the text. `spans` covers the bytes in
 * order: the bytes from `begin` to `end` are the characters from `from` to `to`, or their UTF-8 if the span is literal.
 */
export function parse(text, form) {
  switch (form) {
    case 'hex': return hexadecimal(text);
    case 'base64': return base64(text);
    case 'escapes': return escapes(text);
    case 'quoted': return quotedPrintable(text);
    default: {
      const parts = new Parts(text);
      parts.literal(0, text.length);
      return parts.whole();
    }
  }
}

/** Bytes in pieces, with their places in a text. */
class Parts {
  #pieces = [];
  #spans = [];
  #length = 0;

  constructor(text) {
    this.text = text;
  }

  push(bytes, from, to, isLiteral = false) {
    const begin = this.#length;
    this.#length += bytes.length;
    this.#pieces.push(bytes);
    this.#spans.push({ begin, end: this.#length, from, to, isLiteral });
  }

  literal(from, to) {
    if (from < to) this.push(utf8.encode(this.text.slice(from, to)), from, to, true);
  }

  whole() {
    return { bytes: joined(this.#pieces), spans: this.#spans, text: this.text };
  }
}

/** Where some bytes are in a text that was parsed: two indexes. */
export function placeOf({ spans, text }, begin, end) {
  const index = (span, at, isEnd) => {
    if (!span.isLiteral) return isEnd ? span.to : span.from;
    let from = span.from;
    for (let offset = span.begin; from < span.to && offset < at; from += wide(text, from)) offset += width(text, from);
    return from;
  };
  const first = spans.find((span) => begin < span.end);
  const last = spans.findLast((span) => span.begin < end);
  if (first === undefined || last === undefined) return undefined;
  const from = index(first, begin, false);
  return { from, to: Math.max(from, index(last, end, true)) };
}

/** The byte that the character at an index of such a text belongs to. */
export function byteAt({ spans, text }, index) {
  const span = spans.find((it) => index < it.to) ?? spans.at(-1);
  if (span === undefined || index <= span.from || !span.isLiteral) return span?.begin;
  return span.begin + utf8.encode(text.slice(span.from, index)).length;
}

/** How many code units the character at an index has, and how many bytes in UTF-8. */
const wide = (text, at) => (text.codePointAt(at) > 0xffff ? 2 : 1);
const width = (text, at) => {
  const point = text.codePointAt(at);
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
};

/** The form in which bytes are shown again: as text if they are UTF-8, and otherwise in hexadecimal. */
export function shown(bytes) {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    // A text area turns CR LF and CR into LF.
    if (!text.includes('\r')) return { form: 'text', text };
  } catch {
    // Not UTF-8.
  }
  return { form: 'hex', text: lines(bytes) };
}

/** `C3 A9`: bytes in hexadecimal. */
export function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(' ');
}

/** The same in lines of eight. */
export function lines(bytes) {
  const all = [];
  for (let at = 0; at < bytes.length; at += 8) all.push(hex(bytes.subarray(at, at + 8)));
  return all.join('\n');
}

/** `1.5 MiB`: a number of bytes. */
export function size(count) {
  if (count === 1) return '1 byte';
  if (count < 10_000) return `${count.toLocaleString('en')} bytes`;
  if (count < 1024 * 1024) return `${(count / 1024).toFixed(1)} KiB`;
  return `${(count / 1024 / 1024).toFixed(1)} MiB`;
}

function hexadecimal(text) {
  const parts = new Parts(text);
  // `0xC3`, `\xC3`, `%C3`, `=C3` and groups with separators are common.
  const even = text.replace(/0x|\\x|[%=]/gi, (prefix) => ' '.repeat(prefix.length));
  for (const { 0: group, index } of even.matchAll(/[^\s,;:|_-]+/g)) {
    if (/[^0-9a-f]/i.test(group)) throw new InputError(`“${quote(group)}” is not hexadecimal: expected digits 0 to 9 and A to F.`);
    if (group.length % 2 === 1 && group.length > 1) {
      throw new InputError(`“${quote(group)}” has an odd number of digits: a byte has two.`);
    }
    for (let at = 0; at < group.length; at += 2) {
      const pair = group.slice(at, at + 2);
      parts.push(Uint8Array.of(parseInt(pair, 16)), index + at, index + at + pair.length);
    }
  }
  return parts.whole();
}

function base64(text) {
  const places = [];
  let digits = '';
  for (const { 0: digit, index } of text.trimEnd().replace(/[=\s]+$/, '').matchAll(/\S/gu)) {
    if (!/[0-9A-Za-z+/_-]/.test(digit)) throw new InputError(`“${digit}” is not a digit of Base64.`);
    digits += digit;
    places.push(index);
  }
  if (digits.length % 4 === 1) throw new InputError('The Base64 is cut off: its last group has a single digit.');
  const parts = new Parts(text);
  const decoded = atob(digits.replace(/-/g, '+').replace(/_/g, '/'));
  for (let at = 0; at < decoded.length; at++) {
    // The digits with bits of the byte.
    const [first, last] = [Math.floor((at * 8) / 6), Math.floor((at * 8 + 7) / 6)];
    parts.push(Uint8Array.of(decoded.charCodeAt(at)), places[first], places[last] + 1);
  }
  return parts.whole();
}

const NAMED = { n: 10, r: 13, t: 9, 0: 0, a: 7, b: 8, v: 11, f: 12, e: 27, '\\': 92, '"': 34, "'": 39 };
const HEX = '[0-9a-fA-F]';
const ESCAPE = new RegExp(
  // Two escapes of surrogates are one character, as in JSON.
  `\\\\u([dD][89abAB]${HEX}{2})\\\\u([dD][c-fC-F]${HEX}{2})|` +
  `\\\\(?:x(${HEX}{2})|u(${HEX}{4})|u\\{(${HEX}{1,6})\\}|U(${HEX}{8})|([0-7]{3})|([nrt0abvfe\\\\"']))`, 'g');

function escapes(text) {
  const parts = new Parts(text);
  let at = 0;
  const literal = (to) => {
    const odd = text.slice(at, to).match(/\\.?.?.?/su);
    if (odd) throw new InputError(`“${quote(odd[0])}” is not a known escape: expected \\xE9, \\u00E9, \\u{1F642}, \\351 or \\n.`);
    parts.literal(at, to);
  };
  for (const { 0: escape, 1: high, 2: low, 3: byte, 4: four, 5: braces, 6: eight, 7: octal, 8: name, index } of text.matchAll(ESCAPE)) {
    literal(index);
    at = index + escape.length;
    const point = four ?? braces ?? eight;
    const bytes = high ? utf8.encode(String.fromCharCode(parseInt(high, 16), parseInt(low, 16)))
      : byte ? Uint8Array.of(parseInt(byte, 16))
      : point ? codePoint(parseInt(point, 16))
      : Uint8Array.of(octal ? parseInt(octal, 8) & 0xff : NAMED[name]);
    parts.push(bytes, index, at);
  }
  literal(text.length);
  return parts.whole();
}

/** A code point in UTF-8; a surrogate as its three bytes, so that its error can be seen. */
function codePoint(value) {
  if (value > 0x10ffff) throw new InputError(`U+${value.toString(16).toUpperCase()} is above U+10FFFF, the last code point.`);
  if (value < 0xd800 || value > 0xdfff) return utf8.encode(String.fromCodePoint(value));
  return Uint8Array.of(0xe0 | (value >> 12), 0x80 | ((value >> 6) & 0x3f), 0x80 | (value & 0x3f));
}

function quotedPrintable(text) {
  const parts = new Parts(text);
  let at = 0;
  // RFC 2045 §6.7: white space at the end of a line is not part of the text, and `=` there joins lines.
  for (const { 0: found, 1: digits, 2: dropped, index } of text.matchAll(/=([0-9a-f]{2})|(=?[ \t]+$|=[ \t]*\r?\n|[ \t]+(?=\r?\n))|=/gim)) {
    if (digits === undefined && dropped === undefined) {
      throw new InputError(`“${quote(text.slice(index, index + 3))}” is not quoted-printable: expected two hexadecimal digits after “=”.`);
    }
    parts.literal(at, index);
    at = index + found.length;
    if (digits) parts.push(Uint8Array.of(parseInt(digits, 16)), index, at);
  }
  parts.literal(at, text.length);
  return parts.whole();
}

function quote(text) {
  return text.length > QUOTED ? `${text.slice(0, QUOTED)}…` : text;
}

export function joined(parts) {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
