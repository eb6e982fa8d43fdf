// Mojibake: every change with its cause, and the repaired text.

import { $, count, element, percent, save } from '../dom.js';

const STEPS = {
  surrogates: 'surrogates of UTF-16 written as UTF-8',
  overlong: 'overlong forms of UTF-8',
  utf_16le: 'UTF-16LE read one byte at a time',
  utf_16be: 'UTF-16BE read one byte at a time',
  c1_controls: 'windows-1252 read as ISO-8859-1',
  stray_bom: 'a byte order mark within the text',
  json_escapes: 'escapes of JSON',
  html_entities: 'entities of HTML',
  percent_encoding: 'percent-encoding',
};
const LOSSES = { space: ', with spaces in place of U+00A0', dropped: ', with bytes dropped' };
const REASONS = {
  topic: 'the text is about misread text',
  charsets: 'the line names charsets',
  quoted: 'it looks like a quoted example',
  restored: 'the line has the restored text, too',
  list: 'it looks like a list of characters',
  half_word: 'only half of the word could be repaired',
  other_damage: 'the line is damaged in another way',
  binary: 'it looks binary',
};

export async function show(page) {
  const at = page.turn();
  const found = await page.call('repair', page.encoding(), $('force').checked);
  if (!page.isCurrent(at)) return;
  const { changes, count: number, skipped } = found;
  const left = skipped.length > 0 ? ` ${count(skipped.length, 'place')} skipped.` : '';
  const part = found.isWhole ? '' : ' Only the first 32 MiB were repaired. The rest stays as it is.';
  const what = page.state.length === 0 ? 'There is nothing to repair yet.' : number === 0 ? 'Nothing to repair.' : `${count(number, 'change')}.`;
  $('repair-status').textContent = `${what}${left}${part}`;
  $('changes').replaceChildren(
    ...changes.map((change) => element('li', {},
      `Line ${change.line}: `, element('del', {}, element('bdi', {}, change.before_text)), ' → ', element('ins', {}, element('bdi', {}, change.after_text)),
      element('small', {}, `${cause(change.steps)} (${percent(change.confidence)})`))),
    ...skipped.map((place) => element('li', {}, ...reasonFor(place))));
  $('repaired').textContent = found.text;
  $('repair-use').disabled = number === 0;
  $('repair-save').disabled = number === 0;
}

/** Why a place, or a whole binary text, stays as it is. */
function reasonFor({ line, before_text: before, after_text: after, reason }) {
  const told = REASONS[reason] ?? reason;
  if (reason === 'binary') return [`Skipped: ${told}.`];
  return [`Line ${line}, skipped: `, element('bdi', {}, before), element('small', {}, `It would become “${after}”, but ${told}.`)];
}

/** The chain of wrong decodings in words, the first first. */
function cause(steps) {
  return steps.map(({ step, charset, loss }) => (step === 'misread' ? `UTF-8 read as ${charset}${LOSSES[loss] ?? ''}` : STEPS[step] ?? step)).join(', then ');
}

export function listen(page) {
  $('force').addEventListener('change', () => show(page));
  $('repair-use').onclick = async () => page.setInput(await page.call('repaired'));
  $('repair-save').onclick = async () => save(await page.call('repaired'), page.state.file ?? 'repaired.txt');
}
