import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { OUTSIDE, SERVICE_PLUGINS, THREADS } from '../../scripts/support/bundling.ts';
import { ROOT } from '../../scripts/support/paths.ts';

/** As deep below the root as the desktop's own: the product looks for its resources from there. */
const FOLDER = join(ROOT, 'out', 'threads');

/**
 * Has the threads of services within the tests run as the desktop has them: built, each a few files instead of hundreds. To find and
 * compile those takes a thread longer than nearly all that a test asks of it. What processes of their own run is as it stands.
 */
export const builtThreads: Plugin = {
  name: 'built-threads',
  enforce: 'pre',
  load(id) {
    if (!id.replaceAll('\\', '/').endsWith('/src/runtime/worker-url.ts')) return null;
    const folder = pathToFileURL(`${FOLDER}/`).href;
    return `export const workerUrl = (base, name) => new URL(\`./\${name}.js\`, ${JSON.stringify(folder)});`;
  },
};

let built: Promise<void> | null = null;

/** Builds the threads once for all projects of a run. */
export function setup(): Promise<void> {
  built ??= buildThreads();
  return built;
}

async function buildThreads(): Promise<void> {
  const input = Object.fromEntries(Object.entries(THREADS).map(([name, path]) => [name, resolve(ROOT, path)]));
  const result = await build({
    root: ROOT,
    configFile: false,
    logLevel: 'warn',
    plugins: [...SERVICE_PLUGINS],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      write: false,
      minify: false,
      target: 'node24',
      rolldownOptions: {
        input,
        external: [...OUTSIDE],
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  if (!('output' in result)) throw new Error('the build of the threads left nothing to write');
  mkdirSync(FOLDER, { recursive: true });
  const names = new Set<string>();
  for (const file of result.output) {
    names.add(file.fileName);
    write(join(FOLDER, file.fileName), file.type === 'chunk' ? file.code : Buffer.from(file.source));
  }
  for (const name of readdirSync(FOLDER)) if (!names.has(name)) rmSync(join(FOLDER, name), { recursive: true });
}

/** Leaves what is the same as it is, for tests that run already; what differs is there whole or not at all. */
function write(path: string, content: string | Buffer): void {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return;
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
