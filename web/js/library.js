// Calls of the worker.

let ready;
let waiting = new Map();
let last = 0;

/** Starts the worker. It says when it has loaded the library: messages that come earlier would be lost. */
function start() {
  const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data: { id, result, error, isReady } }) => {
      if (isReady) return resolve(worker);
      const call = waiting.get(id);
      waiting.delete(id);
      if (error !== undefined) call?.reject(new Error(error));
      else call?.resolve(result);
    };
    worker.onerror = (event) => {
      const error = new Error(event.message ?? 'the files of the library are not there');
      reject(error);
      for (const call of waiting.values()) call.reject(error);
      waiting = new Map();
    };
  });
}

/** Calls a function of the worker. The bytes for `load` are moved, not copied. */
export async function call(name, ...args) {
  const worker = await (ready ??= start());
  const id = ++last;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, call: name, args }, name === 'load' ? [args[0].buffer] : []);
  });
}
