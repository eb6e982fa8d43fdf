import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from './harness.js';

// The command is for Node; other runtimes start it too.
const utfall = (args, input = '') => {
  const done = spawnSync('node', ['node_modules/utfall/bin/utfall.js', ...args], { input });
  return { status: done.status, out: done.stdout, text: done.stdout.toString(), error: done.stderr.toString() };
};

test('the command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'utfall-'));
  const file = join(folder, 'text.txt');
  try {
    const german = Buffer.from('\x84Gr\xf6\xdfe\x93 und Ma\xdf: \xfcber K\xf6ln \x96 sch\xf6n, nicht wahr?\n', 'latin1');
    writeFileSync(file, german);
    assert.match(utfall(['detect', file]).text, /: windows-1252 {2}\d\d %\n$/);
    assert.equal(JSON.parse(utfall(['detect', '--json', file]).text).encoding, 'windows-1252');
    assert.equal(utfall(['convert', '-f', 'detect', file]).text, '„Größe“ und Maß: über Köln – schön, nicht wahr?\n');
    const invalid = utfall(['convert', file]);
    assert.equal(invalid.status, 1);
    assert.match(invalid.error, /at byte 0 \(line 1, column 1\); this looks like windows-1252 .*: try -f windows-1252/);
    const output = join(folder, 'out.txt');
    assert.equal(utfall(['convert', '-f', 'windows-1252', '-t', 'UTF-7', '-o', output, file]).status, 0);
    assert.match(readFileSync(output, 'latin1'), /^\+IB4-Gr\+APYA3w-e/);
    assert.equal(utfall(['check', file]).status, 1);
    assert.match(utfall(['check', file]).text, /^error\[ill-formed\]: .* line 1, column 1 \(byte 0\): unexpected continuation byte/);
    assert.equal(utfall(['repair'], 'Les Ã©lÃ¨ves').text, 'Les élèves');
    assert.match(utfall(['explain'], Buffer.from([0xc0, 0xae])).text, /! overlong form of U\+002E/);
    assert.equal(JSON.parse(utfall(['explain', '--json', '-f', 'UTF-7'], '+Jjo-').text).units.length > 1, true);
    assert.equal(utfall(['check'], 'fine\n').status, 0);
    assert.equal(utfall(['check', join(folder, 'none')]).status, 4);
    assert.equal(utfall(['convert', '-o', join(folder, 'none', 'text')]).status, 4);
    for (const wrong of [[], ['bake'], ['convert', '-t', 'utf-9'], ['check', '--what'], ['convert', 'a', 'b']]) {
      const done = utfall(wrong);
      assert.equal(done.status, 2, wrong.join(' '));
      assert.match(done.error, /^utfall: .*\nTry `utfall --help`/s);
    }
    assert.match(utfall(['--version']).text, /^utfall \d+\.\d+\.\d+\n$/);
    assert.match(utfall(['--help']).text, /^usage: utfall/);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Runs a command of the shell whose output is read slowly. */
async function slowly(command, input) {
  const child = spawn('sh', ['-c', command], { stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.on('error', () => {}).end(input);
  const pieces = [];
  let error = '';
  child.stderr.on('data', (piece) => (error += piece));
  const closed = new Promise((resolve) => child.on('close', resolve));
  for await (const piece of child.stdout) {
    pieces.push(piece);
    if (pieces.length < 20) await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return { status: await closed, output: Buffer.concat(pieces), error };
}

test('output larger than a pipe, and a slow reader', async () => {
  const program = 'node node_modules/utfall/bin/utfall.js';
  const input = Buffer.from('Grüße aus Köln\n'.repeat(40_000));
  const done = await slowly(`${program} convert -t UTF-16BE`, input);
  assert.deepEqual([done.status, done.error], [0, '']);
  assert.ok(done.output.equals(Buffer.from(input.toString(), 'utf16le').swap16()));
  // Two of them: the one before makes the pipe between them non-blocking.
  const twice = await slowly(`${program} convert -t UTF-16BE | ${program} convert -f UTF-16BE`, input);
  assert.deepEqual([twice.status, twice.error], [0, '']);
  assert.ok(twice.output.equals(input));
  const found = await slowly(`${program} explain`, input.subarray(0, 30_000));
  assert.match(found.output.toString(), /\nstandard input: 30000 bytes, 0 problems\n$/);
  assert.equal((await slowly(`${program} convert | head -c 3`, input)).output.toString(), 'Gr\ufffd');
});

test('the command as npm installs it', async () => {
  // Packages that are copied and not installed have no link.
  if (!existsSync('node_modules/.bin/utfall')) return console.log('skipped: the command as npm installs it: the package was not installed by npm');
  const input = Buffer.from('a\n'.repeat(200_000));
  for (const command of ['node_modules/.bin/utfall convert', 'npx --no-install utfall convert']) {
    const done = await slowly(command, input);
    assert.equal(done.status, 0, done.error);
    assert.ok(done.output.equals(input), command);
  }
});
