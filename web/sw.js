// Keeps the page for use without a network. Each version has a cache of its own, so that files of two never mix.

// `web/build/worker.mjs` writes these: the files of the page with their SHA-256, and its policy. If a file changes, so does
// this one, which tells browsers that there is a new version.
const FILES = {};
const POLICY = '';

const PREFIX = 'utfall-';
let name;

self.addEventListener('install', (event) => event.waitUntil(fill()));
// A page takes the version that it began with: this one waits until the pages of the old one are closed.
self.addEventListener('activate', (event) => event.waitUntil(start()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method === 'GET' && pathOf(request.url) !== undefined) event.respondWith(answer(request));
});

/** The page's file at an address, or undefined. */
function pathOf(address) {
  const { scope } = self.registration;
  const plain = address.replace(/[?#].*$/s, '');
  if (!plain.startsWith(scope)) return undefined;
  const path = plain.slice(scope.length) || 'index.html';
  return Object.hasOwn(FILES, path) ? path : undefined;
}

/** The cache of this version: its name has the hash of all hashes. */
async function open() {
  name ??= PREFIX + await hash(new TextEncoder().encode(JSON.stringify(FILES)));
  return caches.open(name);
}

async function hash(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function answer(request) {
  const path = pathOf(request.url);
  const kept = await (await open()).match(path);
  return kept ?? guarded(await fetch(request));
}

/** The same response with the policy as a header, which also holds for workers. */
function guarded(response) {
  const headers = new Headers(response.headers);
  headers.set('content-security-policy', POLICY);
  // The body is decoded already.
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/** Fetches all files. A file of another version, from a server in the middle of an update, ends the installation. */
async function fill() {
  const cache = await open();
  await Promise.all(Object.entries(FILES).map(async ([path, expected]) => {
    const response = await fetch(path === 'index.html' ? './' : path, { cache: 'no-cache' });
    const bytes = new Uint8Array(await response.clone().arrayBuffer());
    if (!response.ok || (await hash(bytes)) !== expected) throw new Error(`${path}: not the file of this version`);
    await cache.put(path, guarded(response));
  }));
}

async function start() {
  await open();
  for (const key of await caches.keys()) {
    if (key.startsWith(PREFIX) && key !== name || key === 'utfall') await caches.delete(key);
  }
  await self.clients.claim();
}
