#!/usr/bin/env node
// `npx utfall`: check, convert, detect, explain and repair on files.

import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { check, detect, explain, repair, transcode, UtfallError, version } from '../lib/index.js';

const HELP = `usage: utfall COMMAND [OPTIONS] [FILE...]

Without a file, or for \`-\`, standard input is read.

  check     Check files for invalid or suspicious text
  convert   Convert a file from one encoding to another
  detect    Guess the encoding of files, with confidence
  explain   Explain text byte by byte: bits, code points, names, errors
  repair    Fix mojibake (text decoded with the wrong encoding)

  -f, --from ENCODING     the encoding of the input; convert: \`detect\` guesses it
  -t, --to ENCODING       convert: the encoding of the output (default: UTF-8)
      --on-error POLICY   convert: strict, replace, skip, escape, escape-xml or escape-python
      --bom WORD          convert: auto, keep, strip or add
  -o, --output FILE       convert, repair: write to this file instead of standard output
      --candidates N      detect: up to N encodings for each file
      --all               check: report every problem, not only the first of each rule
      --json              check, detect, explain: print the result as JSON, one line for each file
  -h, --help              print this help
  -V, --version           print the version

exit status: 0 success, 1 problems were found or a text is invalid, 2 wrong arguments, 4 a file cannot be read or written
`;

const [PROBLEMS, USAGE, UNREADABLE] = [1, 2, 4];

let status = 0;
const fail = (code, text) => {
  process.stderr.write(`utfall: ${text}\n`);
  status = Math.max(status, code);
};

class Usage extends Error {}

/** Text from outside, without control characters. */
const plain = (text) => String(text).replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => `\\u{${character.codePointAt(0).toString(16)}}`);

/**
 * Writes to standard output, and waits while a pipe is full. Writing to its descriptor fails with EAGAIN there, if
 * another program has made the pipe non-blocking.
 */
async function put(output) {
  if (!process.stdout.write(output)) await once(process.stdout, 'drain');
}

const print = (line) => put(`${line}\n`);
const percent = (confidence) => `${Math.floor(confidence * 100)} %`;

/** What the commands do with a file. `show` is its name for people. */
const COMMANDS = {
  async check(bytes, show, options) {
    const { from: encoding, all } = options;
    const found = check(bytes, { encoding, all });
    if (options.json) {
      await print(JSON.stringify({ file: options.name, ...found }));
    } else {
      for (const { line, column, offset, level, rule, message } of found.problems) {
        const place = line === undefined ? '' : ` line ${line}, column ${column} (byte ${offset}):`;
        await print(`${level}[${rule}]: ${show}:${place} ${plain(message)}`);
      }
      const count = found.problems.length;
      const what = found.valid ? 'valid' : 'invalid';
      await print(`${show}: ${what} ${found.encoding}: ${count === 1 ? '1 problem' : `${count} problems`}`);
    }
    if (found.errors > 0) status = Math.max(status, PROBLEMS);
  },

  async convert(bytes, show, options) {
    let { from = 'UTF-8' } = options;
    if (from === 'detect') {
      const guess = detect(bytes, {});
      if (!guess.sure) {
        const best = guess.encoding === null ? '' : `; best guess: ${guess.encoding} (${percent(guess.confidence)}): try -f ${guess.encoding}`;
        return fail(PROBLEMS, `cannot tell the encoding of ${show}${best}`);
      }
      from = guess.encoding;
    }
    const { 'on-error': onError, bom, to = 'UTF-8' } = options;
    await write(transcode(bytes, from, to, { onError, bom }), options);
  },

  async detect(bytes, show, options) {
    const most = options.candidates === undefined ? 1 : Number(options.candidates);
    if (!(Number.isInteger(most) && most > 0)) throw new Usage('--candidates: expected a number from 1');
    const guess = detect(bytes, { candidates: most });
    if (!guess.sure) status = Math.max(status, PROBLEMS);
    if (options.json) return print(JSON.stringify({ file: options.name, ...guess }));
    const shown = ({ encoding, confidence }) => `${encoding}  ${percent(confidence)}`;
    const [best, ...others] = guess.candidates;
    await print(`${show}: ${best === undefined ? 'binary' : guess.sure ? shown(best) : `unknown; best guess: ${shown(best)}`}`);
    for (const other of others) await print(`  ${shown(other)}`);
  },

  async explain(bytes, show, options) {
    const found = explain(bytes, { encoding: options.from });
    if (options.json) return print(JSON.stringify({ file: options.name, ...found }));
    await print(`${show}: ${found.encoding}`);
    for (const unit of found.units) {
      const what = unit.problem ? `! ${unit.problem.message} (${unit.problem.clause})` : `${unit.code_point ?? ''} ${unit.name ?? unit.note ?? unit.kind}`;
      await print(`${String(unit.offset).padStart(6)}  ${unit.hex.padEnd(12)}  ${(unit.bits ?? []).join(' ').padEnd(36)}  ${plain(what)}`);
    }
    await print(`${show}: ${bytes.length} bytes, ${found.problems} problems`);
    if (found.problems > 0) status = Math.max(status, PROBLEMS);
  },

  async repair(bytes, show, options) {
    const found = repair(bytes);
    await write(found.bytes, options);
    for (const change of found.changes) {
      process.stderr.write(`${show}: line ${change.line}: ${plain(change.before_text)} → ${plain(change.after_text)}\n`);
    }
  },
};

async function write(bytes, { output }) {
  if (output === undefined) return put(bytes);
  try {
    writeFileSync(output, bytes);
  } catch (error) {
    fail(UNREADABLE, `${plain(output)}: ${error.message}`);
  }
}

async function read(name) {
  if (name !== '-') return readFileSync(name);
  const pieces = [];
  for await (const piece of process.stdin) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function main() {
  let parsed;
  try {
    parsed = parseArgs({
      allowPositionals: true,
      options: {
        from: { type: 'string', short: 'f' },
        to: { type: 'string', short: 't' },
        'on-error': { type: 'string' },
        bom: { type: 'string' },
        output: { type: 'string', short: 'o' },
        candidates: { type: 'string' },
        all: { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        version: { type: 'boolean', short: 'V' },
      },
    });
  } catch (error) {
    throw new Usage(error.message);
  }
  const { values, positionals: [command, ...files] } = parsed;
  if (values.version) return print(`utfall ${version}`);
  if (values.help) return put(HELP);
  if (command === undefined) throw new Usage('expected a command');
  if (!Object.hasOwn(COMMANDS, command)) throw new Usage(`unknown command "${command}"`);
  if (files.length > 1 && (command === 'convert' || command === 'repair')) throw new Usage(`${command} takes one file`);
  for (const name of files.length === 0 ? ['-'] : files) {
    const show = name === '-' ? 'standard input' : plain(name);
    let bytes;
    try {
      bytes = await read(name);
    } catch (error) {
      fail(UNREADABLE, `${show}: ${error.message}`);
      continue;
    }
    try {
      await COMMANDS[command](bytes, show, { ...values, name });
    } catch (error) {
      if (!(error instanceof UtfallError)) throw error;
      if (error.kind === undefined) throw new Usage(error.message);
      fail(PROBLEMS, `${show}: ${error.message}${hint(command, bytes, values)}`);
    }
  }
}

/** The encoding that an invalid text looks like. */
function hint(command, bytes, { from }) {
  if (command !== 'convert' || from === 'detect') return '';
  const guess = detect(bytes, {});
  return guess.sure && guess.encoding !== from
    ? `; this looks like ${guess.encoding} (${percent(guess.confidence)}): try -f ${guess.encoding}`
    : '';
}

// A closed output pipe (`| head`) is not an error.
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') process.stderr.write(`utfall: standard output: ${error.message}\n`);
  process.exit(error.code === 'EPIPE' ? 0 : UNREADABLE);
});
try {
  await main();
} catch (error) {
  if (!(error instanceof Usage)) throw error;
  fail(USAGE, `${error.message}\nTry \`utfall --help\`.`);
}
process.exitCode = status;
