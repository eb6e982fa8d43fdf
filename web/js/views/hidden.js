// Characters that are invisible, deceptive or out of place.

import { $, count, element } from '../dom.js';

export async function show(page) {
  const at = page.turn();
  const found = await page.call('hidden', page.encoding());
  if (!page.isCurrent(at)) return;
  const part = found.isWhole ? '' : ' Only the first 8 MiB were checked.';
  const what = page.state.length === 0 ? 'There is nothing to check yet.' : found.count === 0 ? '✓ Nothing hidden or suspicious.' : `${count(found.count, 'finding')}.`;
  $('hidden-status').textContent = `${what}${part}`;
  $('findings').replaceChildren(...found.problems.map((it) => element('li', {},
    element('strong', { class: it.level === 'error' ? 'error' : undefined }, it.level), ` line ${it.line}, column ${it.column}: ${it.message}`,
    element('small', {}, [it.name && `${it.code_point} ${it.name}`, it.clause, `rule ${it.rule}`].filter(Boolean).join(' · ')))));
}
