// The cases that every binding runs: testdata/bindings/README.md.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Engine } from '../node_modules/utfall/lib/engine.js';
import load from '../node_modules/utfall/lib/load/full.node.js';
import loadUtf from '../node_modules/utfall/lib/load/utf.node.js';
import * as utfall from 'utfall';
import { hex, test, testdata, unhex } from './harness.js';

const { cases } = JSON.parse(readFileSync(`${testdata}/bindings/cases.json`, 'utf8'));
const engine = new Engine(load);

/** Encodings that the package leaves out, because their tables are large. */
const MISSING = [
  'EUC-TW', 'ISO-2022-CN/iana', 'ISO-2022-CN-EXT/iana', 'EUC-JISX0213', 'SHIFT_JISX0213', 'ISO-2022-JP-3',
];
const isHere = ({ name, encoding, from, to }) => !MISSING.some((it) => [name, encoding, from, to].includes(it));
const small = new Engine(loadUtf);

/** Options of cases as those of this package. */
const camel = (options) => Object.fromEntries(
  Object.entries(options).map(([name, value]) => [name.replace(/[-_](.)/g, (_, letter) => letter.toUpperCase()), value]));

/**
 * Compares reports with guesses. The cases are those of libraries that also offer EUC-TW and ISO-2022-CN, so their
 * confidences may differ in the last digit.
 */
function compareGuesses(lines, report) {
  const adjust = (found, expected) => {
    for (const [key, value] of Object.entries(expected ?? {})) {
      if (key === 'confidence' && Math.abs(found?.[key] - value) < 0.0005) found[key] = value;
      else if (typeof value === 'object') adjust(found?.[key], value);
    }
  };
  adjust(lines, report);
  assert.deepEqual(lines, report);
}

/** An error as cases have it. */
const shown = (error) => {
  if (!error) return null;
  const { offset, length, line, column, kind, encoding, runBit: run_bit, codePoint: code_point, reason: message, clause } = error;
  return defined({ offset, length, line, column, kind, encoding, run_bit, code_point, message, clause });
};
const defined = (object) => Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));

function thrown(body) {
  try {
    return { value: body(), error: null };
  } catch (error) {
    if (error instanceof utfall.UtfallError) return { value: null, error };
    throw error;
  }
}

function stream(from, to, options, steps) {
  const conversion = engine.conversion(engine.encoding(from), engine.encoding(to), options);
  const answers = steps.map(({ input, last }) => {
    const errors = [];
    let output = '';
    const take = (it, start, length) => (output += hex(it.bytes.subarray(start, start + length)));
    conversion.write(unhex(input), last, take, (error) => errors.push(shown(error)));
    return { output, errors };
  });
  const { invalid: ill_formed, unencodable, skipped, tolerated } = conversion.counts();
  conversion.free();
  return { answers, counts: { ill_formed, unencodable, skipped, tolerated } };
}

const INFO = { codeUnit: 'code_unit', asciiTransparent: 'ascii_transparent', sevenBit: 'seven_bit', selfSynchronizing: 'self_synchronizing' };

const RUN = {
  encoding({ name, ...expected }) {
    const info = { ...utfall.encodingInfo(name), bom: hex(utfall.encodingInfo(name).bom) };
    for (const [key, field] of Object.entries(INFO)) info[field] = info[key];
    for (const key of Object.keys(expected)) assert.deepEqual(info[key], expected[key], key);
  },
  label({ label, encoding, message }) {
    assert.equal(utfall.findEncoding(label) ?? null, encoding);
    const { error } = thrown(() => utfall.encode('', label));
    assert.equal(error?.message ?? null, message);
  },
  bom({ input, encoding, length }) {
    assert.deepEqual(utfall.findBom(unhex(input)) ?? { encoding: null, length: 0 }, { encoding, length });
  },
  'option-error'({ name, value, message }) {
    const { error } = thrown(() => utfall.encode('', 'UTF-8', { [name]: value }));
    assert.equal(error?.message, message);
    assert.equal(error.code, 'ERR_UTFALL_INVALID_OPTION');
  },
  validate({ encoding, input, error }) {
    assert.deepEqual(shown(utfall.validate(unhex(input), encoding)), error);
    assert.equal(utfall.isValid(unhex(input), encoding), error === null);
  },
  transcode({ from, to, options, input, output, error }) {
    const bytes = unhex(input);
    const done = thrown(() => utfall.transcode(bytes, from, to, camel(options)));
    assert.deepEqual(shown(done.error), error);
    if (error === null) assert.equal(hex(done.value), output);
    // Byte by byte, until the first error.
    const conversion = engine.conversion(engine.encoding(from), engine.encoding(to), camel(options));
    let found = '';
    const take = (it, start, length) => (found += hex(it.bytes.subarray(start, start + length)));
    const pieces = thrown(() => {
      for (const byte of bytes) conversion.write(Uint8Array.of(byte), false, take);
      conversion.write(new Uint8Array(0), true, take);
    });
    conversion.free();
    assert.equal(found, output);
    assert.deepEqual(shown(pieces.error), error);
    // The small module knows fewer encodings, and answers the same.
    if (small.find(from) && small.find(to) && !options.transliterate) {
      const same = thrown(() => small.transcode(small.encoding(from), small.encoding(to), camel(options), bytes));
      assert.deepEqual(shown(same.error), error);
      if (error === null) assert.equal(hex(same.value), output);
    }
  },
  stream({ from, to, options, steps, counts }) {
    const found = stream(from, to, camel(options), steps);
    assert.deepEqual(found.answers, steps.map(({ output, errors }) => ({ output, errors })));
    assert.deepEqual(found.counts, counts);
  },
  'imap-encode'({ input, output, error }) {
    const done = engine.imap('encode', unhex(input));
    if (error === null) assert.equal(hex(done.result), output);
    assert.deepEqual(shown(done.error), error);
  },
  'imap-decode'({ input, output, problems }) {
    const done = engine.imap('decode', unhex(input));
    assert.equal(hex(done.result), output);
    assert.deepEqual(shown(done.error), problems[0] ?? null);
  },
  detect({ input, options, encoding, report }) {
    const { lines } = engine.report('detect', unhex(input), camel(options));
    compareGuesses(lines, report);
    const guess = utfall.detect(unhex(input), camel(options));
    assert.equal(guess.sure ? guess.encoding : null, encoding);
  },
  repair({ input, options, output, changes, report }) {
    const { lines } = engine.report('repair', unhex(input), camel(options));
    assert.deepEqual(lines, report);
    const repaired = utfall.repair(unhex(input), camel(options));
    assert.equal(hex(repaired.bytes), output);
    assert.equal(repaired.changes.length, changes);
  },
  explain({ input, options, report }) {
    const { encoding, ...others } = camel(options);
    const { lines } = engine.report('explain', unhex(input), others, encoding ? engine.encoding(encoding) : 0);
    assert.deepEqual(lines, report);
    const explained = utfall.explain(unhex(input), camel(options));
    assert.equal(explained.units.length, report.length - 2);
  },
  'explain-mail'({ input, options, report }) {
    const { lines } = engine.report('explain_mail', unhex(input), camel(options));
    assert.deepEqual(lines, report);
    const { layers, problems } = utfall.explainMail(unhex(input), camel(options));
    assert.deepEqual(layers.map(({ units, ...layer }) => [layer.place, layer.offset, units.length]),
      report.filter(({ type }) => type === 'layer').map((layer) => {
        const rest = report.slice(report.indexOf(layer) + 1);
        return [layer.place, layer.offset, rest.findIndex(({ type }) => type !== 'unit')];
      }));
    assert.equal(problems, report.at(-1).problems);
  },
  check({ input, options, errors, valid, report }) {
    const { encoding, utf7Allow = '', ...others } = camel(options);
    const utf7 = (Array.isArray(utf7Allow) ? utf7Allow : utf7Allow.split(',')).filter(Boolean)
      .reduce((all, word) => all | (1 << DEVIATIONS.indexOf(word)), 0);
    const { lines } = engine.report('check', unhex(input), { ...others, utf7 }, encoding ? engine.encoding(encoding) : 0);
    compareGuesses(lines, report);
    if (utf7 === 0) {
      const checked = utfall.check(unhex(input), camel(options));
      assert.deepEqual([checked.errors, checked.valid], [errors, valid]);
    }
  },
  'character-name'({ code_point, name }) {
    // Not everything that C accepts is a code point.
    if (code_point <= 0x10ffff) assert.equal(utfall.characterName(code_point), name);
    assert.equal(engine.characterName(code_point), name);
  },
};

const DEVIATIONS = [
  'end-shift-dropped', 'end-shift-kept', 'empty-shift-dropped', 'empty-shift-kept', 'non-zero-padding', 'dangling-digits',
  'lone-surrogates', 'split-pairs', 'controls', 'backslash-tilde', 'latin1', 'encoded-ascii', 'null-shift', 'slash-digit',
  'unterminated',
];

for (const call of new Set(cases.map((it) => it.call))) {
  const some = cases.filter((it) => it.call === call && isHere(it));
  test(`cases: ${call} (${some.length})`, () => {
    for (const { call: _call, ...fields } of some) {
      try {
        RUN[call](fields);
      } catch (error) {
        error.stack = `${JSON.stringify(fields).slice(0, 400)}\n${error.stack}`;
        throw error;
      }
    }
  });
}
