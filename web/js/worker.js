// Everything that takes time, away from the page: a worker that keeps the input and runs the library on it.

import { full } from '../utfall/lib/full.js';
import load from '../utfall/lib/load/full.fetch.js';

const { check, characterName, decode, detect, encode, encodings, explain, problems, repair, transcode, validate, version } = full(load);

/** How much of a large input is looked at, in bytes. */
const DETECTED = 4 * 1024 * 1024;
const READ = 8 * 1024 * 1024;
const REPAIRED = 32 * 1024 * 1024;

/** What a view gets at a time: bytes of text, bytes of units, items of a list. */
const PAGE = 16 * 1024;
const UNITS = 256;
const LISTED = 200;
/** How far one search for problems goes. */
const SEARCHED = 256 * 1024;
const SHOWN_TEXT = 32 * 1024;
const SHOWN_BYTES = 512;

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
    const text = input.subarray(0, READ);
    const end = Math.min(begin + PAGE, text.length);
    const { units } = explain(text, { encoding, begin, end });
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
    return { parts, begin, end: Math.max(at, end), length: text.length, total: input.length };
  },

  /** The first problem of the whole input, if there is one. */
  validate(encoding) {
    const error = validate(input, encoding);
    return error && { offset: error.offset, line: error.line, column: error.column, reason: error.reason, clause: error.clause };
  },

  /** The first problem from a byte on. */
  nextProblem(encoding, from) {
    const text = input.subarray(0, READ);
    for (let begin = from; begin < text.length; begin += SEARCHED) {
      const end = Math.min(begin + SEARCHED, text.length);
      const unit = explain(text, { encoding, begin, end, onlyProblems: true }).units.find((it) => it.problem && it.offset >= from);
      if (unit) return unit.offset;
    }
    return undefined;
  },

  /** Some units from a byte on. */
  explain(encoding, begin) {
    const text = input.subarray(0, READ);
    const end = Math.min(begin + UNITS, text.length);
    const { units, likely } = explain(text, { encoding, begin, end });
    return { units, likely, begin, end, length: text.length, total: input.length };
  },

  repair(encoding, force) {
    const text = input.subarray(0, REPAIRED);
    const bytes = encoding === 'UTF-8' ? text : transcode(text, encoding, 'UTF-8', { onInvalid: 'replace' });
    const found = repair(bytes, { force });
    repaired = found.bytes;
    return {
      changes: found.changes.slice(0, LISTED),
      count: found.changes.length,
      skipped: found.skipped.slice(0, LISTED),
      text: decode(repaired.subarray(0, SHOWN_TEXT), 'UTF-8', { onInvalid: 'replace' }),
      isCut: repaired.length > SHOWN_TEXT,
      isWhole: input.length <= REPAIRED,
    };
  },

  repaired: () => repaired,

  convert(from, to, options, lineEnd) {
    converted = new Uint8Array(0);
    // Where a character has more than one form of being lost, each is listed.
    const losses = problems(input.subarray(0, SEARCHED), from, { to }).slice(0, LISTED).map(details);
    try {
      const text = lineEnd === '' ? undefined : decode(input, from, options).replace(/\r\n|\r|\n/g, lineEnd);
      converted = text === undefined ? transcode(input, from, to, options) : encode(text, to, options);
    } catch (error) {
      if (error.kind === undefined) throw error;
      return { error: details(error), losses };
    }
    return { length: converted.length, first: converted.slice(0, SHOWN_BYTES), losses };
  },

  converted: () => converted,

  hidden(encoding) {
    const text = input.subarray(0, READ);
    const { problems: found } = check(text, { encoding });
    const named = found.slice(0, LISTED).map((it) => ({ ...it, name: nameOf(it.code_point) }));
    return { problems: named, count: found.length, isWhole: input.length <= READ };
  },
};

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
