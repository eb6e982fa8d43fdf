// Bytes and strings of JavaScript, and how they get into and out of WebAssembly.

/** The bytes of a buffer or a view, without a copy. */
export function bytesOf(input) {
  if (input instanceof Uint8Array) return input;
  if (ArrayBuffer.isView(input)) return new Uint8Array(input.buffer, input.byteOffset, input.byteLength);
  if (isBuffer(input)) return new Uint8Array(input);
  throw new TypeError(`expected bytes (Uint8Array, ArrayBuffer or a view), got ${describe(input)}`);
}

function isBuffer(input) {
  const name = Object.prototype.toString.call(input);
  return name === '[object ArrayBuffer]' || name === '[object SharedArrayBuffer]';
}

/** The input, if it is a string. */
export function stringOf(input) {
  if (typeof input === 'string') return input;
  throw new TypeError(`expected a string, got ${describe(input)}`);
}

function describe(input) {
  return input === null ? 'null' : Array.isArray(input) ? 'an array' : `${typeof input}`;
}

// Node, Bun and Deno make strings of UTF-16 fastest by their `Buffer`; others by TextDecoder.
const NodeBuffer = globalThis.process?.versions?.node ? globalThis.Buffer : undefined;
// Below this number of code units, a call of the platform takes longer than a loop.
const SHORT = 24;
const utf16 = new TextDecoder('utf-16le', { ignoreBOM: true });

/** A string of valid UTF-16LE. `start` is even. */
export function stringAt(memory, start, length) {
  if (length <= SHORT * 2) {
    const units = new Uint16Array(memory.buffer, start, length >> 1);
    let text = '';
    for (let at = 0; at < units.length; at++) text += String.fromCharCode(units[at]);
    return text;
  }
  if (NodeBuffer) return NodeBuffer.from(memory.buffer, start, length).toString('utf16le');
  return utf16.decode(memory.subarray(start, start + length));
}

/** Writes the code units from `from` to `to` as UTF-16LE at an even address. */
export function putString(memory, start, text, from, to) {
  if (to - from > SHORT && NodeBuffer) {
    const part = from === 0 && to === text.length ? text : text.slice(from, to);
    NodeBuffer.from(memory.buffer, start, (to - from) * 2).write(part, 'utf16le');
    return;
  }
  const units = new Uint16Array(memory.buffer, start, to - from);
  for (let at = from; at < to; at++) units[at - from] = text.charCodeAt(at);
}

/** Joins pieces of bytes. */
export function join(pieces) {
  if (pieces.length === 1) return pieces[0];
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const all = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
