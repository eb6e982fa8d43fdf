// The page: what the input is, how it is read, and which view shows it.

import { $, element, percent } from './dom.js';
import { byteAt, InputError, lines, parse, placeOf, shown, size } from './bytes.js';
import { EXAMPLES } from './examples.js';
import { fragment, fromFragment } from './link.js';
import { call } from './library.js';
import * as convert from './views/convert.js';
import * as explain from './views/explain.js';
import * as hidden from './views/hidden.js';
import * as mail from './views/mail.js';
import * as read from './views/read.js';
import * as repair from './views/repair.js';

const VIEWS = { read, explain, mail, repair, convert, hidden };
/** Longer inputs are not put into the text area, which would take seconds. */
const TYPED = 64 * 1024;
/** Longer ones are not kept here, where a copy would make the page wait. */
const KEPT = 1024 * 1024;
/** How long after a key the input is read. */
const PAUSE = 150;

const state = {
  /** The input, unless it is too long to be kept twice: the worker has all of it. */
  bytes: new Uint8Array(0),
  length: 0,
  /** The text area with the places of the bytes, unless the input is too long for it. */
  parsed: undefined,
  /** The name of the file, if the input is one. */
  file: undefined,
  /** What was found, and what was chosen instead, if anything. */
  detected: undefined,
  chosen: undefined,
  tab: 'read',
};
/** Answers for an older input or encoding are dropped. */
let turn = 0;
/** The number of inputs. The result of detection counts for its input, even if an encoding is chosen meanwhile. */
let inputs = 0;
let timer;

const encoding = () => state.chosen ?? state.detected?.encoding ?? 'UTF-8';

/** What views may do. */
const page = {
  call,
  encoding,
  state,
  isCurrent: (at) => at === turn,
  turn: () => turn,
  setInput,
  selectBytes,
};

// The input.

/** Replaces the input. The text area shows bytes that nobody typed. */
async function setInput(bytes, { file, parsed, form, chosen, tab } = {}) {
  clearTimeout(timer);
  state.length = bytes.length;
  state.bytes = bytes.length > KEPT ? new Uint8Array(0) : bytes;
  state.file = file;
  state.chosen = chosen;
  if (tab) select(tab);
  const area = $('source');
  state.parsed = parsed;
  if (parsed === undefined) {
    const isLong = bytes.length > TYPED;
    const made = isLong ? { form: 'text', text: '' } : form ? { form, text: lines(bytes) } : shown(bytes);
    $('form').value = made.form;
    area.value = made.text;
    if (!isLong) state.parsed = parse(area.value, made.form);
    $('file').hidden = file === undefined && !isLong;
    const note = isLong ? '; it is too long to be edited here' : '';
    $('file').textContent = `${file ?? 'The input'}: ${size(bytes.length)}${note}`;
  } else {
    $('file').hidden = true;
  }
  $('input-problem').textContent = '';
  await update(bytes);
}

function typed() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    try {
      const parsed = parse($('source').value, $('form').value);
      setInput(parsed.bytes, { parsed, chosen: state.chosen });
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      $('input-problem').textContent = error.message;
    }
  }, PAUSE);
}

async function update(bytes) {
  const input = ++inputs;
  turn++;
  $('input-status').textContent = bytes.length === 0 ? '' : size(bytes.length);
  // `load` moves the buffer to the worker, so an input that is kept here is copied.
  await call('load', bytes.length > KEPT ? bytes : bytes.slice());
  const detected = await call('detect');
  if (input !== inputs) return;
  turn++;
  state.detected = detected;
  showCandidates();
  await show();
}

/** Selects the characters of some bytes in the text area. */
function selectBytes(begin, end) {
  const place = state.parsed && placeOf(state.parsed, begin, end);
  if (place) $('source').setSelectionRange(place.from, place.to);
}

/** The byte at the caret. */
function caret() {
  const area = $('source');
  // The last keys may not have been read yet.
  return state.parsed?.text === area.value ? byteAt(state.parsed, area.selectionStart) : undefined;
}

async function open(file) {
  await setInput(new Uint8Array(await file.arrayBuffer()), { file: file.name });
}

// The encoding.

function showCandidates() {
  const { detected, chosen } = state;
  const rows = detected.candidates.map((it) => ({ name: it.encoding, note: percent(it.confidence) }));
  if (chosen && !rows.some((row) => row.name === chosen)) rows.push({ name: chosen, note: 'chosen' });
  const automatic = detected.encoding
    ? `Automatic: ${detected.encoding}${detected.sure ? '' : ', unsure'}`
    : 'Automatic: UTF-8, nothing to go by';
  const all = [{ name: undefined, label: automatic, note: '' }, ...rows];
  const focused = document.activeElement?.closest('#candidates') ? document.activeElement.dataset.name : undefined;
  const buttons = all.map(({ name, label, note }) => {
    const isChosen = name === chosen;
    const button = element('button', { type: 'button', role: 'radio', 'aria-checked': String(isChosen), tabIndex: isChosen ? 0 : -1 },
      element('span', {}, label ?? name), element('small', {}, note));
    button.dataset.name = name ?? '';
    button.onclick = () => choose(name);
    return button;
  });
  $('candidates').replaceChildren(...buttons);
  if (focused !== undefined) buttons.find((button) => button.dataset.name === (chosen ?? ''))?.focus();
  const shownOne = detected.candidates.find((it) => it.encoding === (chosen ?? detected.encoding));
  $('evidence').replaceChildren(...(shownOne?.evidence ?? []).map((it) => element('li', {}, it.text)));
}

async function choose(name) {
  state.chosen = name;
  turn++;
  showCandidates();
  await show();
}

// Tabs.

async function show() {
  const at = turn;
  try {
    await VIEWS[state.tab].show(page);
  } catch (error) {
    if (at !== turn) return;
    $(`${state.tab}-status`).textContent = error.message;
  }
}

function select(tab) {
  state.tab = tab;
  for (const name of Object.keys(VIEWS)) {
    const button = $(`tab-${name}`);
    button.setAttribute('aria-selected', String(name === tab));
    button.tabIndex = name === tab ? 0 : -1;
    $(name).hidden = name !== tab;
  }
}

/** Moves within a group by the arrow keys, Home and End. */
function rove(group, press) {
  group.addEventListener('keydown', (event) => {
    const all = [...group.querySelectorAll('button')];
    const at = all.indexOf(document.activeElement);
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : step && (at + step + all.length) % all.length;
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    all[to].focus();
    press(all[to]);
  });
}

// Start.

function listen() {
  $('source').addEventListener('input', () => {
    state.file = undefined;
    $('examples').value = '';
    typed();
  });
  $('form').addEventListener('change', () => {
    // The same bytes in the other form, if there are any.
    const form = $('form').value;
    if (state.length > 0 && state.length <= TYPED && form === 'hex') setInput(state.bytes, { form, chosen: state.chosen });
    else typed();
  });
  document.addEventListener('selectionchange', () => {
    if (document.activeElement === $('source') && state.tab === 'explain') explain.follow(caret());
  });
  $('choose').onclick = () => $('chosen').click();
  $('chosen').onchange = ({ target }) => {
    if (target.files.length > 0) open(target.files[0]);
    target.value = '';
  };
  $('clear').onclick = () => {
    setInput(new Uint8Array(0), {});
    $('source').focus();
  };
  $('share').onclick = share;
  $('other').addEventListener('change', async ({ target }) => {
    const name = names.get(target.value.trim().toLowerCase());
    $('other-problem').textContent = name || target.value === '' ? '' : `There is no encoding “${target.value}”. The list shows every encoding.`;
    if (name) await choose(name);
  });
  $('examples').addEventListener('change', async ({ target }) => {
    const example = EXAMPLES[Number(target.value)];
    if (target.value === '' || example === undefined) return;
    const bytes = await example.make(call, async (path) => new Uint8Array(await (await fetch(path)).arrayBuffer()));
    await setInput(bytes, { tab: example.tab });
  });
  const tabs = document.querySelector('[role=tablist]');
  for (const name of Object.keys(VIEWS)) {
    $(`tab-${name}`).onclick = () => {
      select(name);
      show();
    };
  }
  rove(tabs, (button) => button.click());
  rove($('candidates'), (button) => button.click());
  for (const view of Object.values(VIEWS)) view.listen?.(page);
  drops();
}

function drops() {
  const hasFiles = (event) => event.dataTransfer?.types.includes('Files');
  addEventListener('dragover', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    $('drop').hidden = false;
  });
  addEventListener('dragleave', (event) => {
    if (event.relatedTarget === null) $('drop').hidden = true;
  });
  addEventListener('drop', (event) => {
    $('drop').hidden = true;
    if (!hasFiles(event)) return;
    event.preventDefault();
    open(event.dataTransfer.files[0]);
  });
  $('source').addEventListener('paste', (event) => {
    const [file] = event.clipboardData.files;
    if (file === undefined) return;
    event.preventDefault();
    open(file);
  });
}

async function share() {
  const made = state.length > state.bytes.length ? undefined : await fragment({ bytes: state.bytes, encoding: state.chosen, tab: state.tab });
  if (made === undefined) {
    $('input-status').textContent = 'The input is too long for a link.';
    return;
  }
  history.replaceState(null, '', made);
  try {
    await navigator.clipboard.writeText(location.href);
    $('input-status').textContent = 'The link is copied. It holds the whole input.';
  } catch {
    $('input-status').textContent = 'The link is in the address bar. It holds the whole input.';
  }
}

async function readLink() {
  if (location.hash.length < 2) return;
  try {
    const linked = await fromFragment(location.hash);
    if (linked === undefined) return;
    const tab = Object.hasOwn(VIEWS, linked.tab ?? '') ? linked.tab : 'read';
    const chosen = names.get((linked.encoding ?? '').toLowerCase());
    await setInput(linked.bytes, { chosen, tab });
  } catch {
    $('input-problem').textContent = 'The link is damaged: its input cannot be read.';
  }
}

const names = new Map();

async function begin() {
  select('read');
  EXAMPLES.forEach(({ name }, at) => $('examples').append(element('option', { value: String(at) }, name)));
  listen();
  try {
    const about = await call('about');
    $('version').textContent = about.version;
    for (const name of about.encodings) names.set(name.toLowerCase(), name);
    $('encodings').append(...about.encodings.map((name) => element('option', { value: name })));
  } catch (error) {
    $('input-problem').textContent = `The library could not be loaded: ${error.message}`;
    return;
  }
  await update(state.bytes);
  await readLink();
  addEventListener('hashchange', readLink);
  document.documentElement.dataset.ready = 'true';
  if ('serviceWorker' in navigator) {
    try {
      const registration = await navigator.serviceWorker.register('sw.js');
      await navigator.serviceWorker.ready;
      const tell = () => {
        $('offline').textContent = registration.waiting
          ? 'There is a new version: close all tabs of this page to use it.'
          : 'This page also works offline.';
      };
      registration.onupdatefound = () => registration.installing?.addEventListener('statechange', tell);
      tell();
    } catch {
      // Not on this server, or not in a private window: the page works without.
    }
  }
}

begin();
