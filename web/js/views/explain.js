// Every unit of the text in a row: bytes, bits by role, code point, name or error.

import { $, element } from '../dom.js';
import { size } from '../bytes.js';

let begin = 0;
let end = 0;
let rows = [];
let shownFor;
let current;

export async function show(page) {
  current = page;
  const at = page.turn();
  if (shownFor !== at) begin = 0;
  const found = await page.call('explain', page.encoding(), begin);
  if (!page.isCurrent(at)) return;
  shownFor = at;
  end = found.end;
  rows = found.units.map((unit, index) => row(page, unit, index));
  $('units').replaceChildren(...rows);
  const shown = found.length > found.end || begin > 0 ? `: bytes ${begin} to ${found.end} of ${size(found.length)}` : '';
  const advice = found.likely ? ` It looks like ${found.likely.encoding}.` : '';
  $('explain-status').textContent = page.state.length === 0 ? 'There is nothing to explain yet.' : `Read as ${page.encoding()}${shown}.${advice}`;
  $('explain-back').disabled = begin === 0;
  $('explain-on').disabled = found.end >= found.length;
}

function row(page, unit, index) {
  const length = unit.hex.split(' ').length;
  const made = element('tr', { tabIndex: index === 0 ? 0 : -1, 'aria-selected': 'false', class: unit.problem ? 'ill' : undefined },
    element('td', { role: 'gridcell' }, String(unit.offset)),
    element('td', { role: 'gridcell' }, unit.hex),
    element('td', { role: 'gridcell' }, bits(unit)),
    element('td', { role: 'gridcell' }, [unit.code_point, unit.code_units && `(${unit.code_units.join(' ')})`].filter(Boolean).join(' ')),
    element('td', { role: 'gridcell' }, element('bdi', {}, glyph(unit))),
    element('td', { role: 'gridcell' }, ...meaning(unit)));
  made.dataset.begin = unit.offset;
  made.dataset.end = unit.offset + length;
  made.onfocus = () => {
    mark(made);
    page.selectBytes(unit.offset, unit.offset + length);
  };
  return made;
}

/** The bits of each byte or digit: those of the code point, and those of the structure. */
export function bits({ bits: all, payload_mask: masks, carried_bits: carried, problem }) {
  const made = element('span', { class: 'bits' });
  if (carried) made.append(element('b', { class: 'payload', title: 'bits of the digit before' }, carried), ' ');
  all.forEach((digits, at) => {
    if (at > 0) made.append(' ');
    for (const group of digits.matchAll(/./g)) {
      const isPayload = masks[at][group.index] === '1';
      const role = problem ? 'bad' : isPayload ? 'payload' : 'prefix';
      const last = made.lastElementChild;
      if (last?.className === role && made.lastChild === last) last.textContent += group[0];
      else made.append(element('b', { class: role }, group[0]));
    }
  });
  return made;
}

export function glyph({ character }) {
  if (character === undefined) return '';
  if (/\p{Mn}|\p{Me}/u.test(character)) return `\u25cc${character}`;
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}]/u.test(character) ? '' : character;
}

export function meaning({ name, note, problem, accepted_by: accepted }) {
  if (problem === undefined) return [[name, note].filter(Boolean).join('; ')];
  const by = accepted?.length > 0 ? `Accepted by ${accepted.join(', ')}.` : undefined;
  return [element('strong', { class: 'error' }, problem.message), element('br'), element('small', {}, [problem.clause, by].filter(Boolean).join(' '))];
}

function mark(made) {
  for (const other of rows) {
    other.setAttribute('aria-selected', String(other === made));
    other.tabIndex = other === made ? 0 : -1;
  }
}

/** Marks the unit with a byte. */
export async function follow(offset) {
  if (offset === undefined || current === undefined) return;
  const covers = (made) => Number(made.dataset.begin) <= offset && offset < Number(made.dataset.end);
  const made = rows.find(covers);
  if (made === undefined) return;
  mark(made);
  made.scrollIntoView({ block: 'nearest' });
}

export function listen(page) {
  $('explain-back').onclick = () => go(page, Math.max(0, begin - 256));
  $('explain-on').onclick = () => go(page, end);
  $('units').addEventListener('click', ({ target }) => target.closest('tr')?.focus());
  $('units').addEventListener('keydown', (event) => {
    const at = rows.indexOf(event.target.closest('tr'));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1, PageDown: at + 10, PageUp: at - 10 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    rows[Math.max(0, Math.min(to, rows.length - 1))].focus();
  });
}

async function go(page, to) {
  begin = to;
  await show(page);
}
