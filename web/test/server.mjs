// A server of the built page.

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const FOLDER = process.env.UTFALL_PAGE;
const TYPES = {
  '.css': 'text/css', '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json', '.svg': 'image/svg+xml',
  '.txt': 'text/plain', '.wasm': 'application/wasm', '.webmanifest': 'application/manifest+json',
};

/** The policy that `sw.js` adds to cached responses. This server sends it from the first visit on. */
const POLICY = `${/Content-Security-Policy" content="([^"]+)"/.exec(await readFile(join(FOLDER, 'index.html'), 'utf8'))[1]}; frame-ancestors 'none'`;

/** `stop` also ends open connections, so that nothing answers afterwards. */
export async function serve() {
  const server = createServer(async ({ url }, response) => {
    const path = normalize(decodeURIComponent(new URL(url, 'http://localhost').pathname));
    try {
      const file = join(FOLDER, path.endsWith('/') ? `${path}index.html` : path);
      const body = await readFile(file);
      response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream', 'content-security-policy': POLICY }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => {
    server.close();
    server.closeAllConnections();
  };
  return { origin: `http://127.0.0.1:${server.address().port}`, stop };
}
