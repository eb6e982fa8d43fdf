// The text, a page at a time, with ill-formed bytes and invisible characters in their places.

import { $, element } from '../dom.js';
import { size } from '../bytes.js';

let begin = 0;
let end = 0;
let problems = [];
let marked = -1;
let shownFor;

export async function show(page) {
  const at = page.turn();
  if (shownFor !== at) begin = 0;
  const encoding = page.encoding();
  const read = await page.call('read', encoding, begin);
  const first = await page.call('validate', encoding);
  if (!page.isCurrent(at)) return;
  shownFor = at;
  end = read.end;
  marked = -1;
  const part = read.length > read.end || begin > 0 ? ` Bytes ${begin.toLocaleString('en')} to ${read.end.toLocaleString('en')} of ${size(read.length)} are shown.` : '';
  $('read-status').replaceChildren(...status(page, encoding, first), part);
  const found = read.parts.filter((it) => it.problem);
  problems = [];
  const children = read.parts.map((it) => {
    if (it.text !== undefined) return it.text;
    if (it.code !== undefined) return element('span', { class: 'invisible', title: it.name ?? it.code }, it.code);
    const mark = element('mark', { tabIndex: -1, title: it.problem.message }, `<${it.hex}>`);
    mark.dataset.offset = it.problem.offset;
    problems.push(mark);
    return mark;
  });
  $('text').replaceChildren(...children);
  $('problems').replaceChildren(...found.slice(0, 50).map((it) =>
    element('li', {}, `Line ${it.line}, column ${it.column} (byte ${it.problem.offset}): ${it.problem.message}`, element('small', {}, it.problem.clause))));
  $('read-back').disabled = begin === 0;
  $('read-on').disabled = read.end >= read.length;
  $('next-problem').disabled = first === undefined;
}

function status(page, encoding, first) {
  if (page.state.length === 0) return ['Type, paste or drop something, or choose an example.'];
  if (first === undefined) return [element('span', { class: 'good' }, `✓ Valid ${encoding}.`)];
  return [element('span', { class: 'error' }, `✗ Not valid ${encoding}: ${first.reason}, line ${first.line}, column ${first.column} (byte ${first.offset}).`)];
}

export function listen(page) {
  $('read-back').onclick = () => go(page, Math.max(0, begin - 16 * 1024));
  $('read-on').onclick = () => go(page, end);
  $('next-problem').onclick = async () => {
    marked++;
    if (marked >= problems.length) {
      const next = await page.call('nextProblem', page.encoding(), end);
      const from = next ?? (await page.call('nextProblem', page.encoding(), 0));
      if (from === undefined) return;
      // From the start of a line, so that the problem has its context.
      await go(page, next === undefined ? 0 : Math.max(0, from - 200));
      marked = Math.max(0, problems.findIndex((mark) => mark.dataset.offset === String(from)));
    }
    problems[marked]?.focus();
    problems[marked]?.scrollIntoView({ block: 'nearest' });
  };
}

async function go(page, to) {
  begin = to;
  await show(page);
}

