import { load } from './node.js';

export default load('charsets');
