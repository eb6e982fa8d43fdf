// Links that hold the input: bytes, encoding and tab in the fragment, which browsers do not send to servers.

import { joined } from './bytes.js';

/** The most characters of a fragment: longer links get cut by programs that pass them on. */
const LONGEST = 8000;
/** The longest input of a link, in bytes. A damaged or hostile link could unpack to gigabytes. */
const UNPACKED = 512 * 1024;

/** A fragment for the input; `undefined` if it would be too long. */
export async function fragment({ bytes, encoding, tab }) {
  if (bytes.length > UNPACKED) return undefined;
  const packed = await through(bytes, new CompressionStream('deflate-raw'));
  const digits = btoa(Array.from(packed, (byte) => String.fromCharCode(byte)).join(''));
  const parts = new URLSearchParams({ d: digits.replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '') });
  if (encoding) parts.set('e', encoding);
  parts.set('t', tab);
  return parts.toString().length > LONGEST ? undefined : `#${parts}`;
}

/** The input of a fragment; `undefined` if it holds none. */
export async function fromFragment(text) {
  const parts = new URLSearchParams(text.replace(/^#/, ''));
  const digits = parts.get('d');
  if (digits === null) return undefined;
  const packed = Uint8Array.from(atob(digits.replace(/-/g, '+').replace(/_/g, '/')), (it) => it.charCodeAt(0));
  const bytes = await through(packed, new DecompressionStream('deflate-raw'));
  return { bytes, encoding: parts.get('e') ?? undefined, tab: parts.get('t') ?? undefined };
}

async function through(bytes, stream) {
  const parts = [];
  let length = 0;
  for await (const part of chunks(new Blob([bytes]).stream().pipeThrough(stream))) {
    length += part.length;
    if (length > UNPACKED) throw new RangeError('the input of the link is too long');
    parts.push(part);
  }
  return joined(parts);
}

async function* chunks(stream) {
  const reader = stream.getReader();
  try {
    for (let next; !(next = await reader.read()).done; ) yield next.value;
  } finally {
    // Stop unpacking when the consumer stops.
    reader.cancel().catch(() => {});
  }
}
