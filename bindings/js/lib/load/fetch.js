// Modules of WebAssembly in browsers and workers.

/** Fetches and compiles a module. */
export async function fetchModule(address) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`utfall: ${address}: ${response.status} ${response.statusText}`);
  // Servers that do not know the type of .wasm files are common.
  const isTyped = response.headers.get('content-type')?.startsWith('application/wasm');
  return isTyped ? WebAssembly.compileStreaming(response) : WebAssembly.compile(await response.arrayBuffer());
}
