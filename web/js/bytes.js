// Bytes from what people type, and bytes as people read them.

/** A message for whoever typed something that is not in the form it should have. */
export class InputError extends Error {}

const utf8 = new TextEncoder();

/** How many characters of a problem are quoted. */
const QUOTED = 12;

/** The bytes that a text stands for, in one of the forms of the page. */
export function parse(text, form) {
  switch (form) {
    case 'hex': return hexadecimal(text);
    case 'base64': return base64(text);
    case 'escapes': return escapes(text);
    case 'quoted': return quotedPrintable(text);
    default: return utf8.encode(text);
  }
}

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
  // `0xC3`, `\xC3`, `%C3`, `=C3` and `U+00C3`'s relatives are common; separators are, too.
  const digits = text.replace(/0x|\\x|[%=]/gi, ' ').replace(/[\s,;:|_-]+/g, ' ').trim();
  if (digits === '') return new Uint8Array(0);
  const bytes = [];
  for (const group of digits.split(' ')) {
    const odd = group.match(/[^0-9a-f]/i);
    if (odd) throw new InputError(`“${quote(group)}” is not hexadecimal: expected digits 0 to 9 and A to F.`);
    if (group.length % 2 === 1 && group.length > 1) {
      throw new InputError(`“${quote(group)}” has an odd number of digits: a byte has two.`);
    }
    for (const pair of group.match(/..?/g)) bytes.push(parseInt(pair, 16));
  }
  return Uint8Array.from(bytes);
}

function base64(text) {
  const digits = text.replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/').replace(/=+$/, '');
  const odd = digits.match(/[^0-9A-Za-z+/]/u);
  if (odd) throw new InputError(`“${odd[0]}” is not a digit of Base64.`);
  if (digits.length % 4 === 1) throw new InputError('The Base64 is cut off: its last group has a single digit.');
  return Uint8Array.from(atob(digits), (character) => character.charCodeAt(0));
}

const NAMED = { n: 10, r: 13, t: 9, 0: 0, a: 7, b: 8, v: 11, f: 12, e: 27, '\\': 92, '"': 34, "'": 39 };

function escapes(text) {
  const pattern = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]{1,6})\}|U([0-9a-f]{8})|([0-7]{3})|([nrt0abvfe\\"']))/gi;
  const parts = [];
  let at = 0;
  for (const found of text.matchAll(pattern)) {
    parts.push(literal(text.slice(at, found.index)));
    at = found.index + found[0].length;
    const [, byte, four, braces, eight, octal, name] = found;
    const point = four ?? braces ?? eight;
    if (byte) parts.push(Uint8Array.of(parseInt(byte, 16)));
    else if (point) parts.push(codePoint(parseInt(point, 16)));
    else if (octal) parts.push(Uint8Array.of(parseInt(octal, 8) & 0xff));
    else parts.push(Uint8Array.of(NAMED[name.toLowerCase()]));
  }
  parts.push(literal(text.slice(at)));
  return joined(parts);
}

function literal(text) {
  const odd = text.match(/\\.?.?.?/su);
  if (odd) throw new InputError(`“${quote(odd[0])}” is not a known escape: expected \\xE9, \\u00E9, \\u{1F642}, \\351 or \\n.`);
  return utf8.encode(text);
}

/** A code point in UTF-8; a surrogate as its three bytes, so that its error can be seen. */
function codePoint(value) {
  if (value > 0x10ffff) throw new InputError(`U+${value.toString(16).toUpperCase()} is above U+10FFFF, the last code point.`);
  if (value < 0xd800 || value > 0xdfff) return utf8.encode(String.fromCodePoint(value));
  return Uint8Array.of(0xe0 | (value >> 12), 0x80 | ((value >> 6) & 0x3f), 0x80 | (value & 0x3f));
}

function quotedPrintable(text) {
  const parts = [];
  let at = 0;
  // RFC 2045 §6.7: white space at the end of a line is not part of the text, and `=` there joins lines.
  const body = text.replace(/[ \t]+$/gm, '').replace(/=\r?\n/g, '');
  for (const found of body.matchAll(/=([0-9a-f]{2})?/gi)) {
    if (!found[1]) throw new InputError(`“${quote(body.slice(found.index, found.index + 3))}” is not quoted-printable: expected two hexadecimal digits after “=”.`);
    parts.push(utf8.encode(body.slice(at, found.index)), Uint8Array.of(parseInt(found[1], 16)));
    at = found.index + 3;
  }
  parts.push(utf8.encode(body.slice(at)));
  return joined(parts);
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
