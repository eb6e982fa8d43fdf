// Everything that takes time, away from the page: a worker that keeps the input and runs the library on it.

import { full } from '../utfall/lib/full.js';
import load from '../utfall/lib/load/full.fetch.js';
import { joined } from './bytes.js';

const {
  check, characterName, decode, Decoder, detect, encode, Encoder, encodings, encodingInfo, explain, explainMail, problems, repair, transcode, Transcoder,
  validate, version,
} = full(load);

/** How much of a large input is detected, checked and repaired, in bytes. */
const DETECTED = 4 * 1024 * 1024;
const CHECKED = 8 * 1024 * 1024;
const REPAIRED = 32 * 1024 * 1024;
const MAIL = 8 * 1024 * 1024;
/** More bytes than a unit of any encoding has. */
const LOOK_AHEAD = 256;

/** What a view gets at a time: bytes of text, bytes of units, items of a list. */
const PAGE = 16 * 1024;
const UNITS = 256;
const LISTED = 200;
/** How far one search for problems goes, and how much is searched for losses to list. */
const SEARCHED = 4 * 1024 * 1024;
const LISTED_FROM = 256 * 1024;
const SHOWN_TEXT = 32 * 1024;
const SHOWN_BYTES = 512;
const SHOWN_LAYER = 2000;
const SHOWN_WRITTEN = 300;
const SHOWN_ERRORS = 5;

/** Characters that have no glyph, or change how others look. Text has spaces, tabs and line ends anyway. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\u115f\u1160\u3164\uffa0]/u;

let input = new Uint8Array(0);
let repaired = new Uint8Array(0);
let converted = new Uint8Array(0);

const calls = {
  about: () => ({ version, encodings: encodings() }),

  load(bytes) {
    input = bytes;
    return { length: input.length };
  },

  detect() {
    const found = detect(input.subarray(0, DETECTED), { candidates: 5 });
    return { ...found, isWhole: input.length <= DETECTED };
  },

  encode: (text, encoding) => encode(text, encoding),

  /** The text as a program shows it that decodes its UTF-8 as another charset. */
  misread: (text, encoding) => decode(new TextEncoder().encode(text), encoding),

  /** One page of text in parts: text, characters without a glyph, problems. */
  read(encoding, begin) {
    const { units, end } = page(encoding, begin, PAGE);
    const parts = [];
    let at = begin;
    for (const unit of units) {
      at = unit.offset + unit.hex.split(' ').length;
      if (unit.problem) parts.push({ problem: unit.problem, hex: unit.hex, line: unit.line, column: unit.column });
      if (unit.character === undefined) continue;
      const isPlain = unit.character === '\n' || unit.character === '\t' || !INVISIBLE.test(unit.character);
      const last = parts.at(-1);
      if (!isPlain && unit.character !== '\r') parts.push({ code: unit.code_point, name: unit.name });
      else if (last?.text !== undefined) last.text += unit.character;
      else parts.push({ text: unit.character });
    }
    return { parts, begin, end: Math.max(at, end), length: input.length };
  },

  /** The first problem of the whole input, if there is one. */
  validate(encoding) {
    const error = validate(input, encoding);
    return error && { offset: error.offset, line: error.line, column: error.column, reason: error.reason, clause: error.clause };
  },

  /** The first problem from the start of a unit on. */
  nextProblem(encoding, from) {
    if (!encodingInfo(encoding).stateful && from > 0) {
      const error = validate(input.subarray(from), encoding);
      return error && from + error.offset;
    }
    for (let begin = from; begin < input.length; begin += SEARCHED) {
      const { units } = page(encoding, begin, SEARCHED, { onlyProblems: true });
      const unit = units.find((it) => it.problem && it.offset >= from);
      if (unit) return unit.offset;
    }
    return undefined;
  },

  /** Some units from a byte on. */
  explain(encoding, begin) {
    const { units, likely, end } = page(encoding, begin, UNITS);
    return { units, likely, begin, end, length: input.length };
  },

  /** The parts of a message or an mbox, and its texts without their units. */
  mail() {
    const text = input.subarray(0, MAIL);
    const { parts, layers } = explainMail(text, { onlyLayers: true });
    // Listing the units of a long input would take too long.
    const invalid = new Map(explainMail(text, { onlyProblems: true, end: LISTED_FROM }).layers.map((it) => [it.offset, it.units]));
    const isMbox = text.length > 4 && latin1(text.subarray(0, 5)) === 'From ';
    const shown = layers.slice(0, LISTED);
    const described = shown.map(({ units: _, text: decoded = '', ...layer }) => ({
      ...layer,
      written: latin1(text.subarray(layer.offset, layer.offset + Math.min(layer.length, SHOWN_WRITTEN))),
      text: decoded.slice(0, SHOWN_LAYER),
      isCut: decoded.length > SHOWN_LAYER,
      errors: (invalid.get(layer.offset) ?? []).slice(0, SHOWN_ERRORS).map(({ hex, problem }) => ({ hex, message: problem.message, clause: problem.clause })),
    }));
    const ofLayers = layers.reduce((sum, it) => sum + (it.problems?.length ?? 0), 0);
    return {
      parts: parts.slice(0, LISTED),
      layers: described,
      shown: shown.length,
      messages: (parts.at(-1)?.message_index ?? -1) + 1,
      problems: [...invalid.values()].reduce((sum, it) => sum + it.length, ofLayers),
      isWhole: text.length === input.length,
      isMail: isMbox || parts.length === 0 || /^[!-9;-~]+[ \t]*:/.test(latin1(text.subarray(0, 100))),
      isMbox,
    };
  },

  /** The first units of a text of a message. */
  mailUnits(offset, length) {
    const { layers } = explainMail(input.subarray(0, MAIL), { begin: offset, end: offset + Math.min(length, 4 * UNITS) });
    const units = layers.find((it) => it.offset === offset)?.units ?? [];
    return { units: units.slice(0, UNITS), isWhole: length <= 4 * UNITS && units.length <= UNITS };
  },

  repair(encoding, force) {
    const bytes = encoding === 'UTF-8' ? input : transcode(input, encoding, 'UTF-8', { onInvalid: 'replace' });
    const cut = bytes.length <= REPAIRED ? bytes.length : bytes.lastIndexOf(0x0a, REPAIRED - 1) + 1 || boundary('UTF-8', bytes, REPAIRED);
    const found = repair(bytes.subarray(0, cut), { force });
    // The rest stays as it is.
    repaired = joined([found.bytes, bytes.subarray(cut)]);
    return {
      changes: found.changes.slice(0, LISTED),
      count: found.changes.length,
      skipped: found.skipped.slice(0, LISTED),
      text: decode(repaired.subarray(0, boundary('UTF-8', repaired, SHOWN_TEXT)), 'UTF-8', { onInvalid: 'replace' }),
      isCut: repaired.length > SHOWN_TEXT,
      isWhole: cut === bytes.length,
    };
  },

  repaired: () => repaired,

  convert(from, to, options, lineEnd) {
    converted = new Uint8Array(0);
    const part = input.subarray(0, boundary(from, input, LISTED_FROM));
    const isPart = part.length < input.length;
    // A sequence cut by the end of the part is not lost.
    const found = problems(part, from, { to }).filter((it) => !isPart || it.kind === 'unencodable' || it.offset + it.length < part.length);
    const losses = found.slice(0, LISTED).map(details);
    try {
      let lost;
      if (lineEnd === '') {
        [converted, lost] = whole(new Transcoder(from, to, options), input);
      } else {
        const [text, invalid] = whole(new Decoder(from, options), input);
        const [bytes, unencodable] = whole(new Encoder(to, options), text.replace(/\r\n|\r|\n/g, lineEnd));
        [converted, lost] = [bytes, invalid + unencodable];
      }
      return { length: converted.length, first: converted.slice(0, SHOWN_BYTES), losses, lost };
    } catch (error) {
      if (error.kind === undefined) throw error;
      return { error: details(error), losses };
    }
  },

  converted: () => converted,

  hidden(encoding) {
    const text = input.subarray(0, boundary(encoding, input, CHECKED));
    const isWhole = text.length === input.length;
    // The end of the part is not that of the text.
    const found = check(text, { encoding }).problems.filter((it) => isWhole || it.rule !== 'ill-formed' || it.offset + (it.length ?? 0) < text.length);
    const named = found.slice(0, LISTED).map((it) => ({ ...it, name: nameOf(it.code_point) }));
    return { problems: named, count: found.length, isWhole };
  },
};

/** Units that begin in some bytes of the input, and where the last one ends. */
function page(encoding, begin, length, options) {
  const end = Math.min(begin + length, input.length);
  // What follows is not needed, and would be copied.
  const { units, likely } = explain(input.subarray(0, end + LOOK_AHEAD), { encoding, begin, end, ...options });
  const last = units.at(-1);
  return { units, likely, end: last && !options ? Math.max(end, last.offset + last.hex.split(' ').length) : end };
}

/** The end of the unit that has the byte before a limit, or of the text. */
function boundary(encoding, text, limit) {
  if (text.length <= limit) return text.length;
  const { units } = explain(text.subarray(0, limit + LOOK_AHEAD), { encoding, begin: limit - 1, end: limit });
  const last = units.at(-1);
  return last === undefined ? limit : last.offset + last.hex.split(' ').length;
}

/** Converts all of a text. Returns the result, and the number of invalid sequences and characters that were lost. */
function whole(conversion, text) {
  const result = conversion.finish(text);
  const { invalid, unencodable } = conversion.counts;
  return [result, invalid + unencodable];
}

/** The bytes of a message, decoded as ISO 8859-1. */
function latin1(bytes) {
  return decode(bytes, 'ISO-8859-1');
}

function nameOf(codePoint) {
  return codePoint === undefined ? undefined : characterName(parseInt(codePoint.slice(2), 16));
}

/** The properties of an error that the page shows. */
function details({ offset, line, column, reason, clause, kind, codePoint }) {
  return { offset, line, column, reason, clause, kind, codePoint };
}

self.onmessage = ({ data: { id, call, args } }) => {
  try {
    self.postMessage({ id, result: calls[call](...args) });
  } catch (error) {
    self.postMessage({ id, error: error.message });
  }
};
self.postMessage({ isReady: true });
