// The input in another encoding, and what that would lose.

import { $, count, element, save } from '../dom.js';
import { lines, size } from '../bytes.js';

const LINE_ENDS = { '': '', lf: '\n', crlf: '\r\n' };

export async function show(page) {
  const at = page.turn();
  const options = { onInvalid: $('on-invalid').value, onUnencodable: $('on-unencodable').value };
  const lineEnd = LINE_ENDS[$('lines').value];
  $('convert-save').disabled = true;
  const found = await page.call('convert', page.encoding(), $('target').value, options, lineEnd);
  if (!page.isCurrent(at)) return;
  const { error, losses } = found;
  $('losses').replaceChildren(...losses.map((it) =>
    element('li', {}, `${it.line === undefined ? '' : `Line ${it.line}, column ${it.column} `}(byte ${it.offset}): ${it.reason}`, element('small', {}, it.clause))));
  $('convert-save').disabled = error !== undefined || found.length === 0;
  if (error) {
    $('convert-status').replaceChildren(element('span', { class: 'error' }, `✗ ${error.reason} (byte ${error.offset}). Choose what else to do with such text, or another encoding.`));
    $('converted').textContent = '';
    return;
  }
  const listed = losses.length >= found.lost ? '' : losses.length > 0 ? ` The first ${losses.length} are listed.` : ' None is in the first 256 KiB.';
  const lost = found.lost === 0 ? 'Nothing is lost.' : `${count(found.lost, 'place')} cannot be kept.${listed}`;
  $('convert-status').textContent = page.state.length === 0 ? 'There is nothing to convert yet.' : `${size(found.length)} in ${$('target').value}. ${lost}`;
  $('converted').textContent = lines(found.first);
}

export function listen(page) {
  for (const id of ['target', 'lines', 'on-invalid', 'on-unencodable']) {
    $(id).addEventListener('change', () => show(page).catch((error) => ($('convert-status').textContent = error.message)));
  }
  $('convert-save').onclick = async () => save(await page.call('converted'), page.state.file ?? 'converted.txt');
}
