// WebAssembly: instances, memory, the structs of utfall.h, conversions.

import { bytesOf, join, putString, stringAt } from './bytes.js';
import { BUG, CLOSED, INVALID_OPTION, INVALID_TEXT, UNENCODABLE, UNKNOWN_ENCODING, UtfallError } from './error.js';

/** The number of UTF-16LE: the form of strings. */
export const UTF_16LE = 11;

// Bytes converted at a time: they fit the second-level cache.
const PIECE = 64 * 1024;
const SPACE = 256 * 1024;
// A call that leaves more memory than this to its instance makes the next call use a new one.
const MOST_KEPT = 32 * 1024 * 1024;

const OK = 0;
const OUTPUT_FULL = 1;
const INVALID = 2;

// Structs of utfall.h on wasm32: sizes, and offsets of fields.
const PROGRESS = { size: 56, read: 0, written: 4, error: 8, status: 48 };
const ERROR = { size: 40, offset: 0, line: 8, column: 16, length: 24, runBit: 28, codePoint: 32, kind: 36, encoding: 38 };
const OPTIONS = { size: 32, transliterate: 12, trackPosition: 13 };
const INFO = { size: 24, specification: 4, bom: 8, bomLength: 12, flags: 16, codeUnit: 20, family: 21 };
const COUNTS = { size: 32 };
const REPORT = {
  size: 72, encoding: 4, all: 6, onlyProblems: 7, jsonEscapes: 8, concealed: 9, force: 10, htmlEntities: 11,
  candidates: 12, utf7: 16, percentEncoding: 20, onlyLayers: 21, begin: 24, end: 32, minConfidence: 40, language: 48, levels: 56, name: 64,
};
const NO_RUN_BIT = 0xffffffff;

const CONVERSION_OPTIONS = {
  onError: 'on-error', onInvalid: 'on-invalid', onUnencodable: 'on-unencodable', granularity: 'granularity', bom: 'bom',
  replacement: 'replacement', substitute: 'substitute', utf7: 'utf7', utf7Allow: 'utf7-allow',
  doubleMappings: 'double-mappings', jisX0212: 'jis-x-0212',
};
// Options of conversions that an instance keeps.
const MOST_OPTIONS = 64;

const ascii = new TextDecoder();
const utf8 = new TextEncoder();

/** An instance of the module. After a trap, its memory may have any content. */
class Instance {
  isBroken = false;
  #bytes;
  #view;
  #options = new Map();
  received = [];

  constructor(module) {
    const write = (receiver, start, length) => {
      this.received[receiver]?.push(this.bytes.slice(start, start + length));
    };
    this.exports = new WebAssembly.Instance(module, { utfall: { write } }).exports;
    this.input = this.allocate(PIECE);
    this.output = this.allocate(SPACE);
    this.progress = this.allocate(PROGRESS.size);
    this.error = this.progress + PROGRESS.error;
    this.writer = this.exports.utfall_js_writer();
  }

  /** The memory. Every call may let it grow, after which another view is needed. */
  get bytes() {
    if (this.#bytes?.buffer !== this.exports.memory.buffer) this.#bytes = new Uint8Array(this.exports.memory.buffer);
    return this.#bytes;
  }

  get view() {
    if (this.#view?.buffer !== this.exports.memory.buffer) this.#view = new DataView(this.exports.memory.buffer);
    return this.#view;
  }

  allocate(size) {
    const start = this.exports.utfall_js_allocate(size);
    if (start === 0) throw new RangeError(`utfall: no memory for ${size} bytes`);
    return start >>> 0;
  }

  free(start, size) {
    this.exports.utfall_js_free(start, size);
  }

  /** Runs `body` with the address and the length of a copy of bytes. */
  with(bytes, body) {
    const size = bytes.length;
    const start = this.allocate(size);
    this.bytes.set(bytes, start);
    return this.holding(start, size, () => body(start, size));
  }

  /** Runs `body`, and then frees memory, unless a trap has broken the instance. */
  holding(start, size, body) {
    let result;
    try {
      result = body();
    } catch (error) {
      if (!isTrap(error)) this.free(start, size);
      throw error;
    }
    this.free(start, size);
    return result;
  }

  /** A text that a function writes as `snprintf` does: with its capacity, and the length as the result. */
  text(write, capacity = 256) {
    const start = this.allocate(capacity);
    const [length, text] = this.holding(start, capacity, () => {
      const length = write(start, capacity);
      return [length, length < capacity ? ascii.decode(this.bytes.slice(start, start + length)) : undefined];
    });
    return text ?? this.text(write, length + 1);
  }

  /** A constant string that ends with NUL. */
  constant(start) {
    return start === 0 ? undefined : ascii.decode(this.bytes.slice(start, this.bytes.indexOf(0, start)));
  }

  /** The address of the options of a conversion; 0 for the defaults. */
  options(options, isTracked = false) {
    if (!isTracked && options === undefined) return 0;
    const key = isTracked ? `tracked ${JSON.stringify(options)}` : JSON.stringify(options);
    if (key === '{}') return 0;
    const known = this.#options.get(key);
    if (known !== undefined) return known[0][0];
    // Conversions copy their options, so the ones kept here can go.
    if (this.#options.size >= MOST_OPTIONS) {
      for (const parts of this.#options.values()) this.#freeAll(parts);
      this.#options.clear();
    }
    const start = this.allocate(OPTIONS.size);
    // The struct, and the texts that it points to.
    const parts = [[start, OPTIONS.size]];
    try {
      this.exports.utfall_options_init(start);
      for (const [name, value] of Object.entries(options ?? {})) this.#set(parts, name, value);
    } catch (error) {
      if (!isTrap(error)) this.#freeAll(parts);
      throw error;
    }
    this.view.setUint8(start + OPTIONS.trackPosition, isTracked ? 1 : 0);
    this.#options.set(key, parts);
    return start;
  }

  #freeAll(parts) {
    for (const [start, size] of parts) this.free(start, size);
  }

  #set(parts, key, value) {
    if (value === undefined) return;
    const [[options]] = parts;
    if (key === 'transliterate') {
      if (value && !this.exports.utfall_repair) {
        throw new UtfallError('transliterate: only the whole package has it: import "utfall"', INVALID_OPTION);
      }
      this.view.setUint8(options + OPTIONS.transliterate, value ? 1 : 0);
      return;
    }
    const name = utf8.encode(CONVERSION_OPTIONS[key] ?? key);
    const word = utf8.encode(Array.isArray(value) ? value.join(',') : String(value));
    const kept = this.allocate(word.length);
    parts.push([kept, word.length]);
    this.bytes.set(word, kept);
    let status = OK;
    const why = this.with(name, (start) =>
      this.text((out, capacity) => {
        this.bytes[out] = 0;
        status = this.exports.utfall_options_set(options, start, name.length, kept, word.length, out, capacity);
        return status === OK ? 0 : this.bytes.indexOf(0, out) - out;
      }, 1024),
    );
    if (status !== OK) throw new UtfallError(why, INVALID_OPTION);
  }

  /** The error at an address. Offsets are divided by the bytes of a unit. */
  errorAt(start, unit = 1) {
    const number = (field) => Number(this.view.getBigUint64(start + field, true));
    const word = (field) => this.view.getUint32(start + field, true);
    const { utfall_error_message: message, utfall_error_clause: clause, utfall_kind_name, utfall_name } = this.exports;
    const line = number(ERROR.line);
    const runBit = word(ERROR.runBit);
    const kind = this.constant(utfall_kind_name(this.view.getUint16(start + ERROR.kind, true)));
    const details = {
      kind,
      encoding: this.constant(utfall_name(this.view.getUint16(start + ERROR.encoding, true))),
      offset: number(ERROR.offset) / unit,
      length: word(ERROR.length) / unit,
      line: line || undefined,
      column: line ? number(ERROR.column) : undefined,
      codePoint: kind === 'unencodable' ? word(ERROR.codePoint) : undefined,
      runBit: runBit === NO_RUN_BIT ? undefined : runBit,
      reason: this.text((out, capacity) => message(start, out, capacity)),
      clause: this.text((out, capacity) => clause(start, out, capacity)),
    };
    const place = line ? ` (line ${details.line}, column ${details.column})` : '';
    const what = unit === 1 ? 'byte' : 'index';
    const text = `${details.reason} at ${what} ${details.offset}${place}`;
    return new UtfallError(text, kind === 'unencodable' ? UNENCODABLE : INVALID_TEXT, details);
  }
}

/** A module of WebAssembly, with an instance that is replaced after a trap. */
export class Engine {
  #compile;
  #module;
  #instance;
  #labels = new Map();
  #names = new Map();
  #registry = new FinalizationRegistry(({ instance, stream }) => {
    if (!instance.isBroken) instance.exports.utfall_stream_free(stream);
  });

  /** @param compile returns the compiled module; called once, when it is first needed. */
  constructor(compile) {
    this.#compile = compile;
  }

  get #current() {
    return (this.#instance ??= new Instance((this.#module ??= this.#compile())));
  }

  /** The size of the linear memory that the next call will use, in bytes. */
  get memory() {
    return this.#instance?.exports.memory.buffer.byteLength ?? 0;
  }

  /** Runs `body` with an instance, and gives it up after a trap or if its memory has grown too large. */
  run(body, instance = this.#current) {
    if (instance.isBroken) throw new UtfallError('this stream was lost because of a bug in utfall', CLOSED);
    try {
      return body(instance);
    } catch (error) {
      if (isTrap(error)) {
        instance.isBroken = true;
        if (instance === this.#instance) this.#instance = undefined;
        const text = `a bug in utfall, please report it with the text and the encoding: ${error.message}`;
        throw new UtfallError(text, BUG, { cause: error });
      }
      throw error;
    } finally {
      if (instance.received.length > 0) instance.received = [];
      const isLarge = instance.exports.memory.buffer.byteLength > MOST_KEPT;
      // Streams keep their instance; the garbage collector frees it after them.
      if (isLarge && instance === this.#instance) this.#instance = undefined;
    }
  }

  /** The number of the encoding with a label. */
  encoding(label) {
    const known = this.#labels.get(label);
    if (known !== undefined) return known;
    const number = this.find(label);
    if (number === 0) {
      const bytes = utf8.encode(String(label));
      const why = this.run((it) => it.with(bytes, (start, size) =>
        it.text((out, capacity) => it.exports.utfall_label_message(start, size, out, capacity))));
      throw new UtfallError(why, UNKNOWN_ENCODING);
    }
    if (this.#labels.size > 1000) this.#labels.clear();
    this.#labels.set(label, number);
    return number;
  }

  /** The same, or 0. */
  find(label, isWeb = false) {
    if (typeof label !== 'string') throw new TypeError(`expected the name of an encoding, got ${typeof label}`);
    const bytes = utf8.encode(label);
    return this.run((it) => it.with(bytes, (start, size) =>
      (isWeb ? it.exports.utfall_js_for_web_label : it.exports.utfall_for_label)(start, size)));
  }

  /** The name of the encoding with a number. */
  name(number) {
    let name = this.#names.get(number);
    if (name === undefined) {
      name = this.run((it) => it.constant(it.exports.utfall_name(number)));
      this.#names.set(number, name);
    }
    return name;
  }

  /** The numbers of all encodings. */
  numbers() {
    return this.run((it) => {
      const all = [];
      for (let number; (number = it.exports.utfall_encoding_at(all.length)) !== 0; ) all.push(number);
      return all;
    });
  }

  /** The properties of an encoding. */
  info(number) {
    return this.run((it) => {
      const start = it.allocate(INFO.size);
      it.exports.utfall_get_info(number, start);
      const word = (field) => it.view.getUint32(start + field, true);
      const flags = word(INFO.flags);
      const aliases = [];
      for (let alias; (alias = it.constant(it.exports.utfall_alias(number, aliases.length))) !== undefined; ) {
        aliases.push(alias);
      }
      const bom = word(INFO.bom);
      const info = {
        name: it.constant(word(0)),
        number,
        aliases,
        specification: it.constant(word(INFO.specification)),
        family: FAMILIES[it.view.getUint8(start + INFO.family)],
        codeUnit: it.view.getUint8(start + INFO.codeUnit),
        bom: it.bytes.slice(bom, bom + word(INFO.bomLength)),
      };
      FLAGS.forEach((flag, bit) => (info[flag] = (flags & (1 << bit)) !== 0));
      it.free(start, INFO.size);
      return info;
    });
  }

  /** The encoding of a BOM and its length; 0 and 0 if there is none. */
  bom(bytes) {
    return this.run((it) => {
      it.bytes.set(bytes.subarray(0, 4), it.input);
      const number = it.exports.utfall_for_bom(it.input, Math.min(bytes.length, 4), it.progress);
      return [number, it.view.getUint32(it.progress, true)];
    });
  }

  /** The first error of a text, if there is one. */
  validate(number, bytes) {
    return this.run((it) => {
      if (bytes.length <= PIECE) {
        it.bytes.set(bytes, it.input);
        return it.exports.utfall_validate(number, it.input, bytes.length, it.error) === OK ? undefined : it.errorAt(it.error);
      }
      return it.with(bytes, (start, size) =>
        it.exports.utfall_validate(number, start, size, it.error) === OK ? undefined : it.errorAt(it.error));
    });
  }

  /** Converts bytes, and passes each piece of the output to `take(instance, start, length)`. */
  convertBytes(from, to, options, bytes, take) {
    const put = (it, at, end) => it.bytes.set(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end), it.input);
    this.#convert(from, to, options, bytes.length, 1, put, take);
  }

  /** The same for a string. */
  convertString(to, options, text, take) {
    const put = (it, at, end) => putString(it.bytes, it.input, text, at >> 1, end >> 1);
    this.#convert(UTF_16LE, to, options, text.length * 2, 2, put, take);
  }

  #convert(from, to, options, length, unit, put, take) {
    this.run((it) => {
      const address = it.options(options);
      if (length <= PIECE) {
        put(it, 0, length);
        it.exports.utfall_transcode(it.progress, from, to, address, it.input, length, it.output, SPACE);
        const status = it.bytes[it.progress + PROGRESS.status];
        if (status === INVALID) throw it.errorAt(it.error, unit);
        if (status === OK) return take(it, it.output, it.view.getUint32(it.progress + PROGRESS.written, true));
      }
      const pieces = (stream, output) => {
        let at = 0;
        do {
          const end = Math.min(at + PIECE, length);
          put(it, at, end);
          pump(it, stream, end - at, end === length, output, () => false);
          at = end;
        } while (at < length);
      };
      const stream = it.exports.utfall_stream_new(from, to, address);
      try {
        pieces(stream, take);
      } catch (error) {
        if (!isTrap(error)) it.exports.utfall_stream_free(stream);
        if (!(error instanceof Stop)) throw error;
        // Again, to count lines and columns.
        const tracked = it.exports.utfall_stream_new(from, to, it.options(options, true));
        try {
          pieces(tracked, () => {});
        } catch (error) {
          if (error instanceof Stop) error = it.errorAt(it.error, unit);
          if (!isTrap(error)) it.exports.utfall_stream_free(tracked);
          throw error;
        }
        throw new Error('unreachable: the second conversion stops where the first did');
      }
      it.exports.utfall_stream_free(stream);
    });
  }

  /** Converts bytes to bytes. */
  transcode(from, to, options, bytes) {
    const pieces = [];
    this.convertBytes(from, to, options, bytes, (it, start, length) => pieces.push(it.bytes.slice(start, start + length)));
    return pieces.length === 0 ? new Uint8Array(0) : join(pieces);
  }

  /** Converts bytes to a string. */
  decode(from, options, bytes) {
    let text = '';
    this.convertBytes(from, UTF_16LE, options, bytes, (it, start, length) => (text += stringAt(it.bytes, start, length)));
    return text;
  }

  /** Converts a string to bytes. */
  encode(to, options, text) {
    const pieces = [];
    this.convertString(to, options, text, (it, start, length) => pieces.push(it.bytes.slice(start, start + length)));
    return pieces.length === 0 ? new Uint8Array(0) : join(pieces);
  }

  /** Begins a conversion in pieces. */
  conversion(from, to, options, isTracked = true) {
    return this.run((it) => {
      const stream = it.exports.utfall_stream_new(from, to, it.options(options, isTracked));
      const conversion = new Conversion(this, it, stream);
      this.#registry.register(conversion, { instance: it, stream }, conversion);
      return conversion;
    });
  }

  /** Forgets a conversion that is freed. */
  unregister(conversion) {
    this.#registry.unregister(conversion);
  }

  /** What a function of reports writes: pieces of text, and lines of JSON. */
  report(name, bytes, options, number = 0) {
    return this.run((it) => {
      const begin = it.allocate(REPORT.size);
      const texts = [];
      const text = [];
      const lines = [];
      const body = () => {
        it.exports.utfall_report_options_init(begin);
        reportOptions(it, begin, options, number, texts);
        it.received = [undefined, text, lines];
        return it.with(bytes, (start, size) => {
          const { exports, writer } = it;
          switch (name) {
            case 'repair': return exports.utfall_repair(start, size, begin, writer, 1, writer, 2, 0);
            case 'check': return exports.utfall_check_json(start, size, begin, writer, 2, 0);
            default: return exports[`utfall_${name}_json`](start, size, begin, writer, 2);
          }
        });
      };
      const free = (error) => {
        if (!isTrap(error)) for (const [start, size] of texts) it.free(start, size);
      };
      let status;
      try {
        status = it.holding(begin, REPORT.size, body);
      } catch (error) {
        free(error);
        throw error;
      }
      free();
      if (status !== OK) {
        throw new UtfallError(`${name}: an option has an unknown value: ${JSON.stringify(options)}`, INVALID_OPTION);
      }
      return { text, lines: lines.map((line) => JSON.parse(ascii.decode(line))) };
    });
  }

  /** The name of a character. */
  characterName(codePoint) {
    return this.run((it) => it.text((out, capacity) => it.exports.utfall_character_name(codePoint, out, capacity)));
  }

  /** Encodes or decodes the name of a mailbox. The result is the bytes, and the first problem. */
  imap(direction, bytes) {
    return this.run((it) => it.with(bytes, (start, size) => {
      // One byte becomes at most four, and runs begin and end with one.
      const capacity = size * 4 + 16;
      const out = it.allocate(capacity);
      return it.holding(out, capacity, () => {
        const status = it.exports[`utfall_imap_${direction}`](start, size, out, capacity, it.progress, it.error);
        const length = it.view.getUint32(it.progress, true);
        const error = status === INVALID ? it.errorAt(it.error) : undefined;
        return { result: it.bytes.slice(out, out + length), error };
      });
    }));
  }

  /** The version of the library. */
  version() {
    return this.run((it) => it.constant(it.exports.utfall_version()));
  }
}

const FAMILIES = [
  undefined, 'UTF-8', 'UTF-16', 'UTF-32', 'UTF-7', 'UTF-1', 'UTF-EBCDIC', 'compression', 'single-byte', 'multi-byte',
];
const FLAGS = ['iana', 'asciiTransparent', 'sevenBit', 'stateful', 'selfSynchronizing'];

/** An error that a conversion must not skip. `Instance.error` has it. */
class Stop {}

/** Converts the piece in `input`. `skip` decides for each error whether to go on. */
function pump(it, stream, length, isLast, take, skip) {
  const { exports, progress } = it;
  const call = isLast ? exports.utfall_stream_finish : exports.utfall_stream_push;
  let read = 0;
  for (;;) {
    call(progress, stream, it.input + read, length - read, it.output, SPACE);
    const view = it.view;
    read += view.getUint32(progress + PROGRESS.read, true);
    const written = view.getUint32(progress + PROGRESS.written, true);
    if (written > 0) take(it, it.output, written);
    const status = view.getUint8(progress + PROGRESS.status);
    if (status === OK) return;
    if (status === INVALID && !skip()) throw new Stop();
    if (status !== INVALID && status !== OUTPUT_FULL) throw new Error(`unexpected status ${status}`);
  }
}

/** A conversion in pieces. */
class Conversion {
  #engine;
  #instance;
  #stream;

  constructor(engine, instance, stream) {
    this.#engine = engine;
    this.#instance = instance;
    this.#stream = stream;
  }

  /**
   * Converts a string or bytes, and passes the output to `take(instance, start, length)`. An error is passed to
   * `report`; without that, it is thrown and ends the conversion.
   */
  write(input, isLast, take, report) {
    if (this.#stream === 0) throw new UtfallError('this stream has ended or was closed', CLOSED);
    const isText = typeof input === 'string';
    const unit = isText ? 2 : 1;
    const length = input.length * unit;
    const run = (it) => {
      let at = 0;
      do {
        const end = Math.min(at + PIECE, length);
        if (isText) putString(it.bytes, it.input, input, at >> 1, end >> 1);
        else it.bytes.set(at === 0 && end === length ? input : input.subarray(at, end), it.input);
        pump(it, this.#stream, end - at, isLast && end === length, take, () => {
          report?.(it.errorAt(it.error, unit));
          return report !== undefined;
        });
        at = end;
      } while (at < length);
    };
    try {
      this.#engine.run(run, this.#instance);
    } catch (error) {
      const why = error instanceof Stop ? this.#instance.errorAt(this.#instance.error, unit) : error;
      this.free();
      throw why;
    }
  }

  /** How many errors there were so far. */
  counts() {
    if (this.#stream === 0) throw new UtfallError('this stream has ended or was closed', CLOSED);
    return this.#engine.run((it) => {
      const start = it.allocate(COUNTS.size);
      it.exports.utfall_stream_counts(this.#stream, start);
      const [invalid, unencodable, skipped, tolerated] = [0, 8, 16, 24].map((field) =>
        Number(it.view.getBigUint64(start + field, true)));
      it.free(start, COUNTS.size);
      return { invalid, unencodable, skipped, tolerated };
    }, this.#instance);
  }

  /** Gives the memory back. */
  free() {
    if (this.#stream === 0) return;
    this.#engine.unregister(this);
    if (!this.#instance.isBroken) this.#instance.exports.utfall_stream_free(this.#stream);
    this.#stream = 0;
  }
}

/** Whether WebAssembly has trapped, or its stack, which is that of JavaScript, is exhausted. */
function isTrap(error) {
  return error instanceof WebAssembly.RuntimeError || (error instanceof RangeError && /stack/i.test(error.message)) || error?.name === 'InternalError';
}

/** Stores options of reports, and adds the memory of their texts to `texts`. */
function reportOptions(it, start, options, number, texts) {
  it.view.setUint16(start + REPORT.encoding, number, true);
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const field = start + REPORT[name];
    switch (name) {
      case 'all': case 'onlyProblems': case 'jsonEscapes': case 'concealed': case 'force': case 'htmlEntities':
      case 'percentEncoding': case 'onlyLayers':
        it.view.setUint8(field, value ? 1 : 0);
        break;
      case 'candidates': it.view.setUint32(field, value, true); break;
      case 'utf7': it.view.setUint32(field, value >>> 0, true); break;
      case 'begin': case 'end': it.view.setBigUint64(field, BigInt(value), true); break;
      case 'minConfidence': it.view.setFloat64(field, value, true); break;
      case 'language': case 'levels': case 'name': {
        const text = utf8.encode(value);
        const copy = it.allocate(text.length);
        it.bytes.set(text, copy);
        texts.push([copy, text.length]);
        it.view.setUint32(field, copy, true);
        it.view.setUint32(field + 4, text.length, true);
        break;
      }
      default: throw new UtfallError(`unknown option "${name}"`, INVALID_OPTION);
    }
  }
}

export { bytesOf };
