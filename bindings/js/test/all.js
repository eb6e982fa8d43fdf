import { run } from './harness.js';
import './cases.js';
import './api.js';
import './streams.js';
import './memory.js';
import './web.js';
import './iconv-lite.js';
import './command.js';
import './package.js';

await run();
