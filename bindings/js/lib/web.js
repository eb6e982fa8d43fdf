// TextDecoder, TextEncoder and their streams for every encoding, as the Encoding Standard defines them.

import load from '#charsets';
import { bytesOf, join, stringAt } from './bytes.js';
import { Engine, UTF_16LE } from './engine.js';

const engine = new Engine(load);
const UTF_8 = 1;
const UTF_16BE = 12;
const REPLACEMENT = 135;
// In the Standard, these drop a BOM, and no others.
const WEB_BOMS = new Set([UTF_8, UTF_16LE, UTF_16BE]);
const NOTHING = new Uint8Array(0);

// As in the Standard, a label may have white space around it, but no invisible characters.
const OTHER_LABEL = /^[\t\n\f\r ]*[!-~]([ -~]*[!-~])?[\t\n\f\r ]*$/;

/** The encoding of a label: that of the web or, for a label that the web does not know, that of utfall. */
function find(label) {
  const text = `${label}`;
  const web = engine.find(text, true);
  const number = web || (OTHER_LABEL.test(text) ? engine.find(text) : 0);
  if (number === 0 || number === REPLACEMENT) throw new RangeError(`unknown encoding ${JSON.stringify(text)}`);
  return { number, isWeb: web !== 0, name: engine.name(number).toLowerCase() };
}

const toTypeError = (error) => (error.code?.startsWith('ERR_UTFALL_') ? new TypeError(error.message, { cause: error }) : error);

export class TextDecoder {
  #found;
  #conversion;
  #options;

  constructor(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
    this.#found = find(label);
    this.fatal = Boolean(fatal);
    this.ignoreBOM = Boolean(ignoreBOM);
    const { number, isWeb } = this.#found;
    const dropsBom = !this.ignoreBOM && (!isWeb || WEB_BOMS.has(number));
    this.#options = { onInvalid: this.fatal ? 'strict' : 'replace', onUnencodable: 'replace', bom: dropsBom ? 'strip' : 'keep' };
    for (const name of ['fatal', 'ignoreBOM']) Object.defineProperty(this, name, { writable: false, configurable: false });
  }

  get encoding() {
    return this.#found.name;
  }

  decode(input = NOTHING, { stream = false } = {}) {
    const bytes = bytesOf(input);
    try {
      if (!stream && this.#conversion === undefined) return engine.decode(this.#found.number, this.#options, bytes);
      this.#conversion ??= engine.conversion(this.#found.number, UTF_16LE, this.#options, false);
      let text = '';
      this.#conversion.write(bytes, !stream, (it, start, length) => (text += stringAt(it.bytes, start, length)));
      if (!stream) this.#end();
      return text;
    } catch (error) {
      this.#end();
      throw toTypeError(error);
    }
  }

  #end() {
    this.#conversion?.free();
    this.#conversion = undefined;
  }

  get [Symbol.toStringTag]() {
    return 'TextDecoder';
  }
}

/** Replaces lone surrogates. */
const wellFormed = (text) =>
  text.toWellFormed?.() ?? text.replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd');

const encoderOptions = (fatal) => ({ onInvalid: 'replace', onUnencodable: fatal ? 'strict' : 'escape-xml', bom: 'keep' });

export class TextEncoder {
  #found;
  #options;

  constructor(label = 'utf-8', { fatal = false } = {}) {
    this.#found = find(label);
    this.fatal = Boolean(fatal);
    this.#options = encoderOptions(this.fatal);
    Object.defineProperty(this, 'fatal', { writable: false, configurable: false });
  }

  get encoding() {
    return this.#found.name;
  }

  encode(input = '') {
    try {
      return engine.encode(this.#found.number, this.#options, wellFormed(`${input}`));
    } catch (error) {
      throw toTypeError(error);
    }
  }

  encodeInto(source, destination) {
    if (!(destination instanceof Uint8Array)) throw new TypeError('expected a Uint8Array as the destination');
    // As many characters as fit: found by bisection, since some encodings end with bytes of their own.
    // The first steps are short, so that the rest of a long text is not encoded.
    const text = wellFormed(`${source}`);
    let [fits, most, step] = [0, text.length, Math.max(1, destination.length)];
    let bytes = NOTHING;
    while (fits < most) {
      const middle = Math.min(fits + step, Math.ceil((fits + most) / 2));
      const end = isPair(text, middle) ? middle + 1 : middle;
      const tried = this.encode(text.slice(0, end));
      if (tried.length <= destination.length) {
        [fits, bytes, step] = [end, tried, step * 2];
      } else {
        most = middle - 1;
      }
    }
    destination.set(bytes);
    return { read: fits, written: bytes.length };
  }

  get [Symbol.toStringTag]() {
    return 'TextEncoder';
  }
}

/** Whether an index is inside a surrogate pair. */
function isPair(text, at) {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

export class TextDecoderStream {
  #decoder;
  #stream;

  constructor(label = 'utf-8', options = {}) {
    const decoder = new TextDecoder(label, options);
    this.#decoder = decoder;
    this.#stream = new TransformStream({
      transform(chunk, controller) {
        const text = decoder.decode(chunk, { stream: true });
        if (text !== '') controller.enqueue(text);
      },
      flush(controller) {
        const text = decoder.decode();
        if (text !== '') controller.enqueue(text);
      },
    });
  }

  get encoding() {
    return this.#decoder.encoding;
  }

  get fatal() {
    return this.#decoder.fatal;
  }

  get ignoreBOM() {
    return this.#decoder.ignoreBOM;
  }

  get readable() {
    return this.#stream.readable;
  }

  get writable() {
    return this.#stream.writable;
  }

  get [Symbol.toStringTag]() {
    return 'TextDecoderStream';
  }
}

export class TextEncoderStream {
  #found;
  #stream;

  constructor(label = 'utf-8', { fatal = false } = {}) {
    this.#found = find(label);
    const conversion = engine.conversion(UTF_16LE, this.#found.number, encoderOptions(Boolean(fatal)), false);
    const write = (text, isLast, controller) => {
      const pieces = [];
      try {
        conversion.write(text, isLast, (it, start, length) => pieces.push(it.bytes.slice(start, start + length)));
      } catch (error) {
        throw toTypeError(error);
      }
      if (pieces.length > 0) controller.enqueue(join(pieces));
    };
    // Half a surrogate pair waits for the next chunk.
    let half = '';
    this.#stream = new TransformStream({
      transform(chunk, controller) {
        const text = half + chunk;
        const end = (text.charCodeAt(text.length - 1) & 0xfc00) === 0xd800 ? text.length - 1 : text.length;
        half = text.slice(end);
        write(wellFormed(text.slice(0, end)), false, controller);
      },
      flush(controller) {
        write(wellFormed(half), true, controller);
        conversion.free();
      },
      cancel() {
        conversion.free();
      },
    });
  }

  get encoding() {
    return this.#found.name;
  }

  get readable() {
    return this.#stream.readable;
  }

  get writable() {
    return this.#stream.writable;
  }

  get [Symbol.toStringTag]() {
    return 'TextEncoderStream';
  }
}
