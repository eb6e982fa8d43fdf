// The API of the npm package iconv-lite.

import load from '#charsets';
import { bytesOf, join, stringAt } from './bytes.js';
import { Engine, UTF_16LE } from './engine.js';

const engine = new Engine(load);

/** A Buffer where the runtime has it, as callers of iconv-lite expect. */
const NodeBuffer = globalThis.Buffer;
const buffer = NodeBuffer
  ? (bytes) => NodeBuffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  : (bytes) => bytes;

// Names of iconv-lite that utfall does not have as labels, or has as labels of another encoding.
const NAMES = {
  utf8: 'UTF-8', unicode11utf8: 'UTF-8', utf16be: 'UTF-16BE', utf32le: 'UTF-32LE', utf32be: 'UTF-32BE',
  ucs4le: 'UTF-32LE', ucs4be: 'UTF-32BE', utf7: 'UTF-7', unicode11utf7: 'UTF-7', utf7imap: 'UTF-7-IMAP',
  ansix34: 'US-ASCII', ascii8bit: 'US-ASCII', latin1: 'ISO-8859-1', iso88591: 'ISO-8859-1',
  iso88599: 'ISO-8859-9/glibc', latin5: 'ISO-8859-9/glibc', l5: 'ISO-8859-9/glibc', turkish: 'ISO-8859-9/glibc',
  turkish8: 'ISO-8859-9/glibc', csisolatin5: 'ISO-8859-9/glibc', isoir148: 'ISO-8859-9/glibc',
  cp28599: 'ISO-8859-9/glibc', 28599: 'ISO-8859-9/glibc',
  iso885911: 'ISO-8859-11/glibc', thai: 'ISO-8859-11/glibc', thai8: 'ISO-8859-11/glibc', tis620: 'TIS-620/glibc',
  tis6200: 'TIS-620/glibc', tis62025291: 'TIS-620/glibc', tis62025330: 'TIS-620/glibc',
  cp28601: 'ISO-8859-11/glibc', 28601: 'ISO-8859-11/glibc',
  koi8u: 'KOI8-U/glibc', koi8ru: 'KOI8-U', cp21866: 'KOI8-U/glibc', 21866: 'KOI8-U/glibc', ibm1168: 'KOI8-U/glibc',
  20866: 'KOI8-R', cp20866: 'KOI8-R', ibm878: 'KOI8-R',
  10000: 'macintosh/glibc', macroman: 'macintosh/glibc', macintosh: 'macintosh/glibc', mac: 'macintosh/glibc',
  csmacintosh: 'macintosh/glibc', 10007: 'x-mac-cyrillic', maccyrillic: 'x-mac-cyrillic',
  10006: 'x-mac-greek', macgreek: 'x-mac-greek', 10079: 'x-mac-icelandic', maciceland: 'x-mac-icelandic',
  10081: 'x-mac-turkish', macturkish: 'x-mac-turkish', maccroatian: 'x-mac-croatian', macromania: 'x-mac-romanian',
  10029: 'MAC-CENTRALEUROPE', maccenteuro: 'MAC-CENTRALEUROPE', macukraine: 'x-mac-cyrillic',
  gb2312: 'GBK', gb231280: 'GBK', gb23121980: 'GBK', csgb2312: 'GBK', csiso58gb231280: 'GBK', euccn: 'GBK',
  windows936: 'GBK', ms936: 'GBK', 936: 'GBK', cp936: 'GBK', xgbk: 'GBK', isoir58: 'GBK', chinese: 'GB18030',
  windows949: 'EUC-KR', ms949: 'EUC-KR', 949: 'EUC-KR', cp949: 'EUC-KR', korean: 'EUC-KR', isoir149: 'EUC-KR',
  cseuckr: 'EUC-KR', csksc56011987: 'EUC-KR', ksc56011987: 'EUC-KR', ksc56011989: 'EUC-KR', ksc5601: 'EUC-KR',
  932: 'Shift_JIS', cp932: 'Shift_JIS', windows932: 'Shift_JIS', ms932: 'Shift_JIS', ms31j: 'Shift_JIS',
  xsjis: 'Shift_JIS', mskanji: 'Shift_JIS', 950: 'Big5', cp950: 'Big5', windows950: 'Big5', ms950: 'Big5',
  big5hkscs: 'Big5', cnbig5: 'Big5', xxbig5: 'Big5',
  cpgr: 'IBM869', msee: 'windows-1250', mscyrl: 'windows-1251', msansi: 'windows-1252', msgreek: 'windows-1253',
  msturk: 'windows-1254', mshebr: 'windows-1255', msarab: 'windows-1256', winbaltrim: 'windows-1257',
  strk10482002: 'KZ-1048', rk1048: 'KZ-1048', tcvn: 'TCVN5712-1', tcvn5712: 'TCVN5712-1', tcvn57121: 'TCVN5712-1',
  pt154: 'PTCP154', georgianacademy: 'GEORGIAN-ACADEMY', georgianps: 'GEORGIAN-PS', mik: 'MIK',
  hproman8: 'hp-roman8', cshproman8: 'hp-roman8', r8: 'hp-roman8', roman8: 'hp-roman8', xroman8: 'hp-roman8',
  latin7: 'ISO-8859-13', l7: 'ISO-8859-13', isoir179: 'ISO-8859-13', latin8: 'ISO-8859-14', l8: 'ISO-8859-14',
  isoir199: 'ISO-8859-14', isoceltic: 'ISO-8859-14', celtic: 'ISO-8859-14', celtic8: 'ISO-8859-14',
  latin9: 'ISO-8859-15', l9: 'ISO-8859-15', isoir203: 'ISO-8859-15', latin10: 'ISO-8859-16', l10: 'ISO-8859-16',
  isoir226: 'ISO-8859-16', arabic8: 'ISO-8859-6', hebrew8: 'ISO-8859-8', isoir166: 'TIS-620/glibc',
  ibm1051: 'hp-roman8', iso88598i: 'ISO-8859-8-I', iso88598e: 'ISO-8859-8',
};
for (const [number, name] of [[28591, 'ISO-8859-1'], [28592, 'ISO-8859-2'], [28593, 'ISO-8859-3'], [28594, 'ISO-8859-4'],
  [28595, 'ISO-8859-5'], [28596, 'ISO-8859-6'], [28597, 'ISO-8859-7'], [28598, 'ISO-8859-8'], [28600, 'ISO-8859-10'],
  [28603, 'ISO-8859-13'], [28604, 'ISO-8859-14'], [28605, 'ISO-8859-15'], [28606, 'ISO-8859-16']]) {
  NAMES[number] = NAMES[`cp${number}`] = name;
}
const BOM_AWARE = new Set(['UTF-8', 'CESU-8', 'UTF-7', 'UTF-7-IMAP', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE']);
// iconv-lite accepts these deviations from RFC 2152 and RFC 3501.
const LENIENT = {
  'UTF-7': ['empty-shift-dropped', 'non-zero-padding', 'dangling-digits', 'lone-surrogates', 'split-pairs', 'controls', 'backslash-tilde', 'end-shift-dropped'],
  'UTF-7-IMAP': ['slash-digit', 'encoded-ascii', 'null-shift', 'unterminated', 'non-zero-padding', 'dangling-digits', 'lone-surrogates', 'controls', 'end-shift-dropped', 'empty-shift-dropped'],
};
// It encodes the optional direct characters of RFC 2152, and ends each run with `-`.
const UTF7_STYLE = 'header,explicit';

/** Whether a name is a spelling of a code page: `cp437`, `ibm437`, `csibm437`, `windows1252`, `win1252`, `437`. */
function codePage(name) {
  const [, digits] = /^(?:cp|ibm|csibm|windows|win)?(\d{3,4})$/.exec(name) ?? [];
  if (digits === undefined) return 0;
  return engine.find(`windows-${digits}`) || engine.find(`IBM${digits}`) || engine.find(`CP${digits}`);
}

let known;
/** The encodings of utfall by the names of iconv-lite: labels without punctuation. */
function knownNames() {
  if (known === undefined) {
    known = new Map();
    for (const number of engine.numbers()) {
      const { name, aliases } = engine.info(number);
      for (const label of [name, ...aliases]) {
        const short = iconv._canonicalizeEncoding(label);
        if (!known.has(short)) known.set(short, number);
      }
    }
    for (const [short, name] of Object.entries(NAMES)) known.set(short, engine.encoding(name));
  }
  return known;
}

const find = (name) => knownNames().get(name) ?? codePage(name);

const write = (convert, input, isLast) => {
  const pieces = [];
  convert.write(input, isLast, (it, start, length) => pieces.push(it.bytes.slice(start, start + length)));
  return buffer(pieces.length === 0 ? new Uint8Array(0) : join(pieces));
};

/** A codec of an encoding of utfall. */
function UtfallCodec({ encodingName }, iconv) {
  const number = find(encodingName);
  const name = engine.name(number);
  const substitute = iconv.defaultCharSingleByte;
  const replacement = iconv.defaultCharUnicode;
  this.enc = encodingName;
  this.bomAware = BOM_AWARE.has(name);
  const utf7Allow = LENIENT[name];
  const decoding = { onInvalid: 'replace', onUnencodable: 'replace', replacement, bom: 'keep', utf7Allow };
  // A lone surrogate becomes the same as a character that the encoding lacks.
  const isUnicode = /^(UTF|CESU|UCS)/.test(name);
  const encoding = {
    onInvalid: 'replace', onUnencodable: 'replace', substitute, bom: 'keep', utf7Allow, utf7: UTF7_STYLE,
    replacement: isUnicode ? '\ufffd' : substitute,
  };

  this.encoder = class {
    #conversion;

    write(text) {
      this.#conversion ??= engine.conversion(UTF_16LE, number, encoding, false);
      return write(this.#conversion, text, false);
    }

    end() {
      if (this.#conversion === undefined) return undefined;
      const rest = write(this.#conversion, '', true);
      this.#conversion.free();
      this.#conversion = undefined;
      return rest.length > 0 ? rest : undefined;
    }
  };
  this.decoder = class {
    #conversion;

    #write(input, isLast) {
      this.#conversion ??= engine.conversion(number, UTF_16LE, decoding, false);
      let text = '';
      this.#conversion.write(input, isLast, (it, start, length) => (text += stringAt(it.bytes, start, length)));
      return text;
    }

    write(input) {
      return this.#write(bytesOf(input), false);
    }

    end() {
      if (this.#conversion === undefined) return undefined;
      const rest = this.#write(new Uint8Array(0), true);
      this.#conversion.free();
      this.#conversion = undefined;
      return rest === '' ? undefined : rest;
    }
  };
  this.encodeAll = (text) => buffer(engine.encode(number, encoding, text));
  this.decodeAll = (bytes) => engine.decode(number, decoding, bytes);
}

/** Bytes as a string: chunks, since a function has a limited number of arguments. */
function fromUnits(units) {
  let text = '';
  for (let at = 0; at < units.length; at += 8192) text += String.fromCharCode(...units.subarray(at, at + 8192));
  return text;
}

const NOTHING = new Uint8Array(0);
const isHigh = (unit) => unit >> 10 === 0x36;

/** Code units of 16 bits as a string. */
function textOfUnits(bytes, isBig) {
  if (NodeBuffer !== undefined) {
    const units = isBig ? NodeBuffer.from(bytes).swap16() : buffer(bytes);
    return units.toString('utf16le');
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  return fromUnits(Uint16Array.from({ length: bytes.length >> 1 }, (_, at) => view.getUint16(at * 2, !isBig)));
}

/** UTF-16 with lone surrogates, which names of files may have on Windows. */
function Utf16Codec({ encodingName, isBig = false }) {
  this.enc = encodingName;
  this.bomAware = true;
  this.encoder = class {
    write(text) {
      if (NodeBuffer !== undefined) {
        const bytes = NodeBuffer.from(text, 'utf16le');
        return isBig ? bytes.swap16() : bytes;
      }
      const bytes = new Uint8Array(text.length * 2);
      const view = new DataView(bytes.buffer);
      for (let at = 0; at < text.length; at++) view.setUint16(at * 2, text.charCodeAt(at), !isBig);
      return bytes;
    }

    end() {}
  };
  this.decoder = class {
    #rest = NOTHING;

    write(input) {
      const bytes = bytesOf(input);
      const all = this.#rest.length === 0 ? bytes : join([this.#rest, bytes]);
      let end = all.length - (all.length % 2);
      // The first half of a pair waits for the second one.
      if (end > 0 && isHigh((all[end - (isBig ? 2 : 1)] << 8) | all[end - (isBig ? 1 : 2)])) end -= 2;
      this.#rest = all.slice(end);
      return textOfUnits(all.subarray(0, end), isBig);
    }

    end() {
      const rest = this.#rest.subarray(0, this.#rest.length & 2);
      this.#rest = NOTHING;
      return rest.length > 0 ? textOfUnits(rest, isBig) : undefined;
    }
  };
}

/** UTF-32 with lone surrogates. */
function Utf32Codec({ encodingName, isBig = false }, iconv) {
  const number = engine.encoding(isBig ? 'UTF-32BE' : 'UTF-32LE');
  const invalid = iconv.defaultCharUnicode.codePointAt(0);
  this.enc = encodingName;
  this.bomAware = true;
  const Encoder = class {
    #high = '';

    write(text) {
      const all = this.#high + text;
      const end = all.length - (isHigh(all.charCodeAt(all.length - 1)) ? 1 : 0);
      this.#high = all.slice(end);
      return this.#encode(all.slice(0, end));
    }

    #encode(text) {
      const bytes = new Uint8Array(text.length * 4);
      const view = new DataView(bytes.buffer);
      let length = 0;
      for (const character of text) {
        view.setUint32(length, character.codePointAt(0), !isBig);
        length += 4;
      }
      return buffer(bytes.subarray(0, length));
    }

    end() {
      if (this.#high === '') return undefined;
      const bytes = this.#encode(this.#high);
      this.#high = '';
      return bytes;
    }
  };
  const Decoder = class {
    #rest = NOTHING;

    write(input) {
      const bytes = bytesOf(input);
      const all = this.#rest.length === 0 ? bytes : join([this.#rest, bytes]);
      const view = new DataView(all.buffer, all.byteOffset, all.length);
      const units = new Uint16Array(all.length >> 1);
      let length = 0;
      let at = 0;
      for (; at + 4 <= all.length; at += 4) {
        let point = view.getUint32(at, !isBig);
        if (point > 0x10ffff) point = invalid;
        if (point > 0xffff) {
          units[length++] = 0xd7c0 + (point >> 10);
          units[length++] = 0xdc00 | (point & 0x3ff);
        } else {
          units[length++] = point;
        }
      }
      this.#rest = all.slice(at);
      return fromUnits(units.subarray(0, length));
    }

    end() {
      if (this.#rest.length === 0) return undefined;
      this.#rest = NOTHING;
      return String.fromCodePoint(invalid);
    }
  };
  this.encoder = Encoder;
  this.decoder = Decoder;
  // Valid text is converted by WebAssembly, which is faster.
  const whole = (fast, converter, input) => {
    try {
      return fast();
    } catch (error) {
      if (error.kind === undefined) throw error;
    }
    const start = converter.write(input);
    const end = converter.end();
    return typeof start === 'string' ? start + (end ?? '') : end === undefined ? start : buffer(join([start, end]));
  };
  this.encodeAll = (text) => whole(() => buffer(engine.encode(number, { bom: 'keep' }, text)), new Encoder(), text);
  this.decodeAll = (bytes) => whole(() => engine.decode(number, { bom: 'keep' }, bytes), new Decoder(), bytes);
}

/** The low byte of each code unit, and back. */
function BinaryCodec() {
  this.enc = 'binary';
  this.encoder = class {
    write(text) {
      const bytes = new Uint8Array(text.length);
      for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
      return buffer(bytes);
    }

    end() {}
  };
  this.decoder = class {
    write(input) {
      return fromUnits(bytesOf(input));
    }

    end() {}
  };
}

/** Base64 and hexadecimal digits, where text is encoded to what its digits mean. */
function DigitsCodec({ encodingName }) {
  if (NodeBuffer === undefined) throw new Error(`${encodingName} needs Buffer, which this runtime lacks`);
  this.enc = encodingName;
  const isBase64 = encodingName === 'base64';
  this.encoder = class {
    #rest = '';

    write(text) {
      if (!isBase64) return NodeBuffer.from(text, 'hex');
      const all = this.#rest + text;
      const whole = all.length - (all.length % 4);
      this.#rest = all.slice(whole);
      return NodeBuffer.from(all.slice(0, whole), 'base64');
    }

    end() {
      return isBase64 ? NodeBuffer.from(this.#rest, 'base64') : undefined;
    }
  };
  this.decoder = class {
    #rest = new Uint8Array(0);

    write(input) {
      const all = join([this.#rest, bytesOf(input)]);
      const whole = isBase64 ? all.length - (all.length % 3) : all.length;
      this.#rest = all.slice(whole);
      return buffer(all.subarray(0, whole)).toString(encodingName);
    }

    end() {
      return this.#rest.length > 0 ? buffer(this.#rest).toString(encodingName) : undefined;
    }
  };
}

/** UTF-16 and UTF-32: by the BOM, or by how often each byte order would have common characters. */
function ByBomCodec({ encodingName }, iconv) {
  const width = encodingName === 'utf16' ? 2 : 4;
  const [little, big] = width === 2 ? ['utf-16le', 'utf-16be'] : ['utf-32le', 'utf-32be'];
  this.enc = encodingName;
  this.encoder = class {
    #encoder;

    constructor(options) {
      const given = options?.defaultEncoding;
      const addBOM = options?.addBOM ?? true;
      this.#encoder = iconv.getEncoder(width === 2 ? little : given || little, { ...options, addBOM });
    }

    write(text) {
      return this.#encoder.write(text);
    }

    end() {
      return this.#encoder.end();
    }
  };
  this.decoder = class {
    #decoder;
    #pieces = [];
    #length = 0;
    #options;

    constructor(options) {
      this.#options = options || {};
    }

    write(input) {
      if (this.#decoder !== undefined) return this.#decoder.write(input);
      const bytes = bytesOf(input);
      this.#pieces.push(bytes);
      this.#length += bytes.length;
      return this.#length < (width === 2 ? 16 : 32) ? '' : this.#start();
    }

    #start() {
      const bytes = join(this.#pieces);
      const found = byteOrder(bytes, width) ?? (this.#options.defaultEncoding || little);
      this.#decoder = iconv.getDecoder(found === 'big' ? big : found === 'little' ? little : found, this.#options);
      this.#pieces = [];
      return this.#decoder.write(bytes);
    }

    end() {
      if (this.#decoder !== undefined) return this.#decoder.end();
      if (this.#pieces.length === 0) return undefined;
      const text = this.#start();
      return text + (this.#decoder.end() ?? '');
    }
  };
}

/** The byte order of UTF-16 or UTF-32, if a BOM or the numbers of Latin-1 or BMP characters determine it. */
function byteOrder(bytes, width) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const unit = (at, isLittle) => (width === 2 ? view.getUint16(at, isLittle) : view.getUint32(at, isLittle));
  const common = width === 2 ? 0xff : 0xffff;
  let [little, big] = [0, 0];
  for (let at = 0; at + width <= bytes.length && at < 100 * width; at += width) {
    const [low, high] = [unit(at, true), unit(at, false)];
    if (at === 0 && low === 0xfeff) return 'little';
    if (at === 0 && high === 0xfeff) return 'big';
    if (width === 4) {
      if (low > 0x10ffff) little--;
      if (high > 0x10ffff) big--;
    }
    if (low > 0 && low <= common) little++;
    if (high > 0 && high <= common) big++;
  }
  return little > big ? 'little' : big > little ? 'big' : undefined;
}

const CODECS = { _utfall: UtfallCodec, _utf16: Utf16Codec, _utf32: Utf32Codec, _binary: BinaryCodec, _digits: DigitsCodec, _byBom: ByBomCodec };

/** The names of iconv-lite: encodings of utfall come with the first access. */
function allEncodings() {
  const all = { __proto__: null, ...CODECS };
  for (const name of knownNames().keys()) all[name] = { type: '_utfall' };
  return Object.assign(all, {
    ucs2: { type: '_utf16' }, utf16le: 'ucs2', utf16be: { type: '_utf16', isBig: true },
    utf32le: { type: '_utf32' }, ucs4le: 'utf32le', utf32be: { type: '_utf32', isBig: true }, ucs4be: 'utf32be',
    binary: { type: '_binary' }, base64: { type: '_digits' }, hex: { type: '_digits' },
    utf16: { type: '_byBom' }, utf32: { type: '_byBom' }, ucs4: 'utf32',
  });
}

class BomAdder {
  #encoder;
  #isFirst = true;

  constructor(encoder) {
    this.#encoder = encoder;
  }

  write(text) {
    const all = this.#isFirst ? `\ufeff${text}` : text;
    this.#isFirst = false;
    return this.#encoder.write(all);
  }

  end() {
    return this.#encoder.end();
  }
}

class BomStripper {
  #decoder;
  #options;
  #isDone = false;

  constructor(decoder, options) {
    this.#decoder = decoder;
    this.#options = options;
  }

  write(input) {
    return this.#strip(this.#decoder.write(input));
  }

  end() {
    const rest = this.#decoder.end();
    return rest === undefined ? rest : this.#strip(rest);
  }

  #strip(text) {
    if (this.#isDone || !text) return text;
    this.#isDone = true;
    return withoutBom(text, this.#options);
  }
}

function withoutBom(text, options) {
  if (text[0] !== '\ufeff') return text;
  if (typeof options?.stripBOM === 'function') options.stripBOM();
  return text.slice(1);
}

const iconv = {
  defaultCharUnicode: '\ufffd',
  defaultCharSingleByte: '?',
  skipDecodeWarning: false,
  supportsStreams: false,
  encodings: null,
  _codecDataCache: { __proto__: null },

  encode(text, encoding, options) {
    const string = `${text || ''}`;
    const codec = iconv.getCodec(encoding);
    if (codec.encodeAll) return codec.encodeAll(codec.bomAware && options?.addBOM ? `\ufeff${string}` : string);
    const encoder = iconv.getEncoder(encoding, options);
    const start = encoder.write(string);
    const end = encoder.end();
    return end && end.length > 0 ? buffer(join([start, end])) : start;
  },

  decode(input, encoding, options) {
    let bytes = input;
    if (typeof bytes === 'string') {
      if (!iconv.skipDecodeWarning) {
        console.error('utfall/iconv-lite: decode() expects bytes; the string is read as ISO-8859-1');
        iconv.skipDecodeWarning = true;
      }
      bytes = iconv.encode(bytes, 'binary');
    }
    const codec = iconv.getCodec(encoding);
    if (codec.decodeAll) {
      const text = codec.decodeAll(bytesOf(bytes));
      return codec.bomAware && options?.stripBOM !== false ? withoutBom(text, options) : text;
    }
    const decoder = iconv.getDecoder(encoding, options);
    const text = decoder.write(bytes);
    return text + (decoder.end() || '');
  },

  encodingExists(encoding) {
    try {
      iconv.getCodec(encoding);
      return true;
    } catch {
      return false;
    }
  },

  getCodec(encoding) {
    iconv.encodings ??= allEncodings();
    let name = iconv._canonicalizeEncoding(encoding);
    const given = {};
    for (;;) {
      const cached = iconv._codecDataCache[name];
      if (cached !== undefined) return cached;
      const found = iconv.encodings[name] ?? (codePage(name) ? { type: '_utfall' } : undefined);
      if (typeof found === 'string') {
        name = found;
      } else if (typeof found === 'function') {
        given.encodingName ||= name;
        const codec = new found(given, iconv);
        iconv._codecDataCache[given.encodingName] = codec;
        return codec;
      } else if (found) {
        Object.assign(given, found);
        given.encodingName ||= name;
        name = found.type;
      } else {
        throw new Error(`Encoding not recognized: '${encoding}' (searched as: '${name}')`);
      }
    }
  },

  getEncoder(encoding, options) {
    const codec = iconv.getCodec(encoding);
    const encoder = new codec.encoder(options, codec);
    return codec.bomAware && options?.addBOM ? new BomAdder(encoder) : encoder;
  },

  getDecoder(encoding, options) {
    const codec = iconv.getCodec(encoding);
    const decoder = new codec.decoder(options, codec);
    return codec.bomAware && options?.stripBOM !== false ? new BomStripper(decoder, options) : decoder;
  },

  _canonicalizeEncoding(encoding) {
    return `${encoding}`.toLowerCase().replace(/:\d{4}$|[^0-9a-z]/g, '');
  },

  enableStreamingAPI({ Transform }) {
    if (iconv.supportsStreams) return;
    const streaming = (accepts, what, join) => class extends Transform {
      constructor(conv, options) {
        super(what.options(options || {}));
        this.conv = conv;
      }

      _transform(chunk, _encoding, done) {
        if (!accepts(chunk)) return done(new Error(what.error));
        this.#push(() => this.conv.write(chunk), done);
      }

      _flush(done) {
        this.#push(() => this.conv.end(), done);
      }

      #push(convert, done) {
        try {
          const result = convert();
          if (result && result.length > 0) this.push(result, what.encoding);
          done();
        } catch (error) {
          done(error);
        }
      }

      collect(callback) {
        const pieces = [];
        this.on('error', callback);
        this.on('data', (piece) => pieces.push(piece));
        this.on('end', () => callback(null, join(pieces)));
        return this;
      }
    };
    iconv.IconvLiteEncoderStream = streaming((chunk) => typeof chunk === 'string', {
      options: (options) => ({ ...options, decodeStrings: false }),
      error: 'Iconv encoding stream needs strings as its input.',
    }, (pieces) => buffer(join(pieces)));
    iconv.IconvLiteDecoderStream = streaming((chunk) => chunk instanceof Uint8Array, {
      options: (options) => ({ ...options, encoding: 'utf8' }),
      encoding: 'utf8',
      error: 'Iconv decoding stream needs buffers as its input.',
    }, (pieces) => pieces.join(''));
    iconv.encodeStream = (encoding, options) => new iconv.IconvLiteEncoderStream(iconv.getEncoder(encoding, options), options);
    iconv.decodeStream = (encoding, options) => new iconv.IconvLiteDecoderStream(iconv.getDecoder(encoding, options), options);
    iconv.supportsStreams = true;
  },
};
iconv.toEncoding = iconv.encode;
iconv.fromEncoding = iconv.decode;
iconv.encodeStream = iconv.decodeStream = () => {
  throw new Error("streams need Node's module: call enableStreamingAPI(require('stream')) first");
};
const streams = globalThis.process?.getBuiltinModule?.('node:stream');
if (streams?.Transform) iconv.enableStreamingAPI(streams);

export const {
  encode, decode, encodingExists, getCodec, getEncoder, getDecoder, toEncoding, fromEncoding, enableStreamingAPI,
  _canonicalizeEncoding,
} = iconv;
// Replaced by enableStreamingAPI.
export const encodeStream = (...args) => iconv.encodeStream(...args);
export const decodeStream = (...args) => iconv.decodeStream(...args);
export default iconv;
export { iconv as 'module.exports' };

/** The name in utfall of the encoding behind a name of iconv-lite, or undefined: `latin5` is `ISO-8859-9/glibc`. */
export const encodingName = (encoding) => {
  const number = find(iconv._canonicalizeEncoding(encoding));
  return number ? engine.name(number) : undefined;
};
