import { api } from './api.js';
import { Engine } from './engine.js';
import { reports } from './reports.js';

/** Everything, of the module that `load` returns. */
export function full(load) {
  const engine = new Engine(load);
  return { ...api(engine), ...reports(engine) };
}
