// Keeps the page for use without a network. `files.json`, which the build writes, lists its files and their version.

const NAME = 'utfall';

self.addEventListener('install', (event) => event.waitUntil(fill().then(() => self.skipWaiting())));
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('fetch', (event) => {
  const { request } = event;
  if (request.method !== 'GET' || new URL(request.url).origin !== self.location.origin) return;
  event.respondWith(answer(request));
});

/** The network first, so that a new version is used as a whole; without one, what was kept. */
async function answer(request) {
  const cache = await caches.open(NAME);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone());
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept === undefined) throw error;
    return kept;
  }
}

async function fill() {
  const cache = await caches.open(NAME);
  const { files } = await (await fetch('files.json', { cache: 'no-cache' })).json();
  await cache.addAll(['./', 'files.json', ...files]);
}
