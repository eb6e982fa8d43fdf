/** Whether WebAssembly has 128-bit SIMD: whether a function with `i8x16.splat` is valid. */
export function hasSimd() {
  const types = [1, 5, 1, 0x60, 0, 1, 0x7b];
  const functions = [3, 2, 1, 0];
  const code = [10, 8, 1, 6, 0, 0x41, 0, 0xfd, 15, 0x0b];
  return WebAssembly.validate(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0, ...types, ...functions, ...code));
}
