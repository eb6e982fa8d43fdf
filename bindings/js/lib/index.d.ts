export * from './common.js';
export * from './reports.js';
