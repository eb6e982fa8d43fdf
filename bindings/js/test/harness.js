// Tests that run in every runtime: `test` registers one, `run` runs all of them.

const tests = [];

export const testdata = process.env.UTFALL_TESTDATA;
if (!testdata) throw new Error('UTFALL_TESTDATA is not set: run `cargo xtask bindings js`');

export const test = (name, body) => tests.push({ name, body });

export const unhex = (digits) => Uint8Array.from(digits.replaceAll(' ', '').match(/../g) ?? [], (pair) => parseInt(pair, 16));
export const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** Numbers from 0 to below a limit; the same in every run. */
export function random(seed) {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

export async function run() {
  let failed = 0;
  for (const { name, body } of tests) {
    try {
      await body();
    } catch (error) {
      failed++;
      console.error(`FAILED ${name}\n${error.stack}\n`);
    }
  }
  console.log(`${tests.length - failed} of ${tests.length} tests passed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
