// A message taken apart: its parts, and the layers of each text: bytes of the message, transfer encoding, charset, characters.

import { $, count, element, visible } from '../dom.js';
import { size } from '../bytes.js';
import { bits, glyph, meaning } from './explain.js';

const PLACES = { 'encoded-word': 'encoded word', parameter: 'parameter', field: 'bytes above 7F', 'long-field': 'field', body: 'body' };
const HEAD = ['Byte', 'In the message', 'Decoded', 'Bits', 'Code point', 'Character', 'Meaning'];

export async function show(page) {
  const at = page.turn();
  const found = await page.call('mail');
  if (!page.isCurrent(at)) return;
  $('mail-status').textContent = status(page, found);
  $('parts').replaceChildren(...(page.state.length === 0 ? [] : branches(page, found)));
}

function status(page, { layers, parts, problems, isWhole, isMail, isMbox, messages, shown }) {
  if (page.state.length === 0) return 'There is nothing to take apart yet. Paste a message with its header, or choose the example of a mail.';
  const what = [
    isMbox ? count(messages, 'message') : '', count(parts.length, 'part'), count(layers.length, 'text'),
    problems === 0 ? 'no problem' : count(problems, 'problem'),
  ].filter(Boolean).join(', ');
  const part = isWhole ? '' : ' Only the first 8 MiB were read.';
  const rest = shown < layers.length ? ` The first ${shown} texts are shown.` : '';
  const hint = isMail ? '' : ' There is no header, so all of it is a body without a label.';
  return `${what[0].toUpperCase()}${what.slice(1)}.${part}${rest}${hint}`;
}

/** The parts as nested lists, each with its texts. */
function branches(page, { parts, layers, shown }) {
  const roots = [];
  const made = new Map();
  const keyOf = ({ message_index: message, part_index: part }) => `${message}/${part}`;
  // Encoded words outside messages have no part.
  if (parts.length === 0) return layers.slice(0, shown).map((layer) => text(page, layer));
  for (const part of parts) {
    const texts = element('div', { class: 'texts' });
    const inner = element('ul');
    const item = element('li', {}, heading(part), texts, inner);
    made.set(keyOf(part), { texts, inner });
    const parent = made.get(`${part.message_index}/${part.parent_index}`);
    if (parent) parent.inner.append(item);
    else roots.push(item);
  }
  for (const layer of layers.slice(0, shown)) made.get(keyOf(layer))?.texts.append(text(page, layer));
  return [element('ul', { class: 'tree', 'aria-label': 'Parts' }, ...roots)];
}

function heading({ media_type: type, attachment, transfer_encoding: transfer, charset, offset, length }) {
  const facts = [attachment ? 'attachment' : undefined, type.startsWith('multipart/') ? undefined : transfer ?? 'unknown transfer encoding', charset];
  return element('h3', { class: 'part' }, element('bdi', {}, type), ' ',
    element('small', {}, [...facts.filter(Boolean), `${size(length)} from byte ${offset.toLocaleString('en')}`].join(' · ')));
}

/** A text with its layers, and a button for its characters. */
function text(page, layer) {
  const { place, field, written, text: decoded, isCut, problems = [], errors } = layer;
  const units = element('div', { class: 'units', hidden: true });
  const button = element('button', { type: 'button', 'aria-expanded': 'false' }, 'Characters');
  button.setAttribute('aria-label', `Characters of the ${PLACES[place]}${field ? ` in ${field}` : ''}, byte ${layer.offset}`);
  button.onclick = () => toggle(page, layer, button, units);
  const hasText = layer.encoding !== undefined;
  return element('div', { class: 'layer' },
    element('p', { class: 'row' }, element('strong', {}, field ? `${field}: ` : '', PLACES[place]), chain(layer), hasText ? button : undefined),
    place === 'body' ? undefined : element('p', { class: 'written' }, element('bdi', {}, ...visible(written))),
    hasText ? element('p', { class: 'decoded', dir: 'auto' }, ...visible(decoded), isCut ? '…' : '') : undefined,
    ...[...problems, ...errors].map(problem),
    units);
}

/** The layers of a text from the outside in, such as `Q → UTF-7`. */
function chain({ transfer_encoding: transfer, charset, encoding, guessed }) {
  const name = encoding === undefined ? charset && `${charset}, unknown` : guessed ? `${encoding}, a guess` : encoding;
  return element('span', { class: 'chain' }, [transfer, name].filter(Boolean).join(' → '));
}

function problem({ message, clause, hex }) {
  return element('p', { class: 'problem' }, `✗ ${hex ? `${hex}: ` : ''}${message}`, clause ? element('small', {}, clause) : undefined);
}

async function toggle(page, layer, button, units) {
  const isOpen = button.getAttribute('aria-expanded') === 'true';
  button.setAttribute('aria-expanded', String(!isOpen));
  units.hidden = isOpen;
  if (isOpen || units.hasChildNodes()) return;
  const at = page.turn();
  const found = await page.call('mailUnits', layer.offset, layer.length);
  if (!page.isCurrent(at)) return;
  const head = element('tr', {}, ...HEAD.map((name) => element('th', { scope: 'col' }, name)));
  const table = element('table', {}, element('thead', {}, head), element('tbody', {}, ...found.units.map((unit) => row(page, unit))));
  const area = element('div', { class: 'scroll', tabIndex: 0, role: 'region', 'aria-label': 'Characters' }, table);
  units.append(area, ...(found.isWhole ? [] : [element('p', { class: 'hint' }, 'The first characters are shown.')]));
}

function row(page, unit) {
  const { source } = unit;
  const bytes = source.hex === '' ? [] : source.hex.split(' ').map((digits) => parseInt(digits, 16));
  const written = String.fromCharCode(...bytes.map((byte) => (byte > 0x20 && byte < 0x7f ? byte : 0xb7)));
  const made = element('tr', { class: unit.problem ? 'ill' : undefined },
    element('td', {}, String(source.offset)), element('td', {}, written), element('td', {}, unit.hex), element('td', {}, bits(unit)),
    element('td', {}, unit.code_point ?? ''), element('td', {}, element('bdi', {}, glyph(unit))), element('td', {}, ...meaning(unit)));
  made.onclick = () => page.selectBytes(source.offset, source.offset + bytes.length);
  return made;
}
