// Calls of the worker.

let worker;
let waiting = new Map();
let last = 0;

function start() {
  worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  worker.onmessage = ({ data: { id, result, error } }) => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (error !== undefined) call?.reject(new Error(error));
    else call?.resolve(result);
  };
  worker.onerror = (event) => {
    for (const { reject } of waiting.values()) reject(new Error(event.message || 'The library could not be loaded.'));
    waiting = new Map();
  };
}

/** Calls a function of the worker. A `Uint8Array` as the first argument of `load` is moved, not copied. */
export function call(name, ...args) {
  if (worker === undefined) start();
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, call: name, args }, name === 'load' ? [args[0].buffer] : []);
  });
}
