// The functions that every module has.

import { bytesOf, join, stringAt, stringOf } from './bytes.js';
import { UTF_16LE } from './engine.js';
import { INVALID_OPTION, UtfallError } from './error.js';

/** Makes the functions and classes of a module. */
export function api(engine) {
  const decode = (bytes, encoding = 'UTF-8', options = undefined) => {
    const input = bytesOf(bytes);
    return engine.decode(engine.encoding(encoding), options, input);
  };
  const encode = (text, encoding = 'UTF-8', options = undefined) => {
    const input = stringOf(text);
    return engine.encode(engine.encoding(encoding), options, input);
  };
  const transcode = (bytes, from, to = 'UTF-8', options = undefined) => {
    const input = bytesOf(bytes);
    return engine.transcode(engine.encoding(from), engine.encoding(to), options, input);
  };
  const validate = (bytes, encoding = 'UTF-8') => {
    const input = bytesOf(bytes);
    return engine.validate(engine.encoding(encoding), input);
  };
  const isValid = (bytes, encoding = 'UTF-8') => validate(bytes, encoding) === undefined;
  const problems = (bytes, encoding = 'UTF-8', { to, ...options } = {}) => {
    const input = bytesOf(bytes);
    const found = [];
    const target = to === undefined ? UTF_16LE : engine.encoding(to);
    const conversion = engine.conversion(engine.encoding(encoding), target, options);
    conversion.write(input, true, () => {}, (error) => found.push(error));
    conversion.free();
    return found;
  };

  let all;
  const encodings = () => (all ??= Object.freeze(engine.numbers().map((number) => engine.name(number)))).slice();
  const encodingInfo = (label) => engine.info(engine.encoding(label));
  const findEncoding = (label) => {
    const number = engine.find(label);
    return number === 0 ? undefined : engine.name(number);
  };
  const findBom = (bytes) => {
    const [number, length] = engine.bom(bytesOf(bytes));
    return number === 0 ? undefined : { encoding: engine.name(number), length };
  };

  const utf8 = engine.find('UTF-8');
  const imap = Object.freeze({
    encode(name) {
      const { result, error } = engine.imap('encode', engine.encode(utf8, undefined, stringOf(name)));
      if (error) throw error;
      return engine.decode(utf8, undefined, result);
    },
    decode(name, { onInvalid = 'strict' } = {}) {
      if (onInvalid !== 'strict' && onInvalid !== 'repair') {
        throw new UtfallError(`onInvalid: unknown value "${onInvalid}"; expected strict or repair`, INVALID_OPTION);
      }
      const bytes = typeof name === 'string' ? engine.encode(utf8, { onInvalid: 'replace' }, name) : bytesOf(name);
      const { result, error } = engine.imap('decode', bytes);
      if (error && onInvalid === 'strict') throw error;
      return engine.decode(utf8, undefined, result);
    },
  });

  /** The common part of Transcoder, Decoder and Encoder. */
  class Pieces {
    #conversion;
    #begin;
    #counts;

    constructor(from, to, options) {
      this.#begin = () => engine.conversion(from, to, options);
      this.#conversion = this.#begin();
    }

    get counts() {
      return this.#counts ?? this.#conversion.counts();
    }

    write(input, isLast, take) {
      this.#conversion.write(input, isLast, take);
      if (!isLast) return;
      this.#counts = this.#conversion.counts();
      this.#conversion.free();
    }

    reset() {
      this.#counts = undefined;
      this.#conversion.free();
      this.#conversion = this.#begin();
    }

    close() {
      this.#conversion.free();
    }
  }

  /** Converts pieces to bytes. */
  const toBytes = (pieces, input, isLast) => {
    const found = [];
    pieces.write(input, isLast, (it, start, length) => found.push(it.bytes.slice(start, start + length)));
    return found.length === 0 ? new Uint8Array(0) : join(found);
  };
  /** Converts pieces to strings. */
  const toText = (pieces, input, isLast) => {
    let text = '';
    pieces.write(input, isLast, (it, start, length) => (text += stringAt(it.bytes, start, length)));
    return text;
  };
  const NOTHING = new Uint8Array(0);

  const streaming = (name, convert, check, empty, encodingsOf) => {
    const made = class {
      #pieces;

      constructor(...args) {
        const [from, to, options] = encodingsOf(args);
        this.#pieces = new Pieces(from, to, options);
      }

      get counts() {
        return this.#pieces.counts;
      }

      push(input) {
        return convert(this.#pieces, check(input), false);
      }

      finish(input = empty) {
        return convert(this.#pieces, check(input), true);
      }

      reset() {
        this.#pieces.reset();
      }

      close() {
        this.#pieces.close();
      }
    };
    Object.defineProperty(made, 'name', { value: name });
    // Not in every runtime.
    if (Symbol.dispose) Object.defineProperty(made.prototype, Symbol.dispose, { value: made.prototype.close });
    return made;
  };

  const Transcoder = streaming('Transcoder', toBytes, bytesOf, NOTHING, ([from, to = 'UTF-8', options]) =>
    [engine.encoding(from), engine.encoding(to), options]);
  const Decoder = streaming('Decoder', toText, bytesOf, NOTHING, ([from = 'UTF-8', options]) =>
    [engine.encoding(from), UTF_16LE, options]);
  const Encoder = streaming('Encoder', toBytes, stringOf, '', ([to = 'UTF-8', options]) =>
    [UTF_16LE, engine.encoding(to), options]);

  /** A TransformStream around one of the classes above. */
  const transform = (name, Pieces) => {
    const made = class extends TransformStream {
      constructor(...args) {
        const pieces = new Pieces(...args);
        super({
          transform(chunk, controller) {
            const output = pieces.push(chunk);
            if (output.length > 0) controller.enqueue(output);
          },
          flush(controller) {
            const output = pieces.finish();
            if (output.length > 0) controller.enqueue(output);
          },
          // Where the runtime does not call it, the garbage collector frees the memory.
          cancel() {
            pieces.close();
          },
        });
      }
    };
    Object.defineProperty(made, 'name', { value: name });
    return made;
  };

  return {
    decode, encode, transcode, validate, isValid, problems, encodings, encodingInfo, findEncoding, findBom, imap,
    Transcoder, Decoder, Encoder,
    TranscoderStream: transform('TranscoderStream', Transcoder),
    DecoderStream: transform('DecoderStream', Decoder),
    EncoderStream: transform('EncoderStream', Encoder),
    version: engine.version(),
  };
}

export { UtfallError };
