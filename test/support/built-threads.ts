import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'vite';
import { DEFINITIONS_ALONE, OUTSIDE, SERVICE_PLUGINS, THREADS } from '../../scripts/support/bundling.ts';
import { ROOT } from '../../scripts/support/paths.ts';
import { BUILT_COMMAND, BUILT_FOLDER, CHILDREN } from './built-command.ts';

const DOOR = join(ROOT, 'bin', 'countersign.js');
/** What the door opens, in the sources and here. */
const [SOURCE, BUILT] = ["import('../src/cli/main.ts')", "import('./cli.js')"];

/**
 * Has the threads of services within the tests run as the desktop has them: built, each a few files instead of hundreds. To find and
 * compile those takes a thread longer than nearly all that a test asks of it. So does the command that tests start as a process
 * (processes.ts).
 */
export const builtThreads: Plugin = {
  name: 'built-threads',
  enforce: 'pre',
  load(id) {
    if (!id.replaceAll('\\', '/').endsWith('/src/node/worker-url.ts')) return null;
    const folder = pathToFileURL(`${BUILT_FOLDER}/`).href;
    return `export const workerUrl = (base, name) => new URL(\`./\${name}.js\`, ${JSON.stringify(folder)});`;
  },
};

let built: Promise<void> | null = null;

/** Builds the threads, the command and the children once for all projects of a run. */
export function setup(): Promise<void> {
  built ??= buildThreads();
  return built;
}

async function buildThreads(): Promise<void> {
  const entries = { ...THREADS, ...CHILDREN, cli: 'src/cli/main.ts' };
  const input = Object.fromEntries(Object.entries(entries).map(([name, path]) => [name, resolve(ROOT, path)]));
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
        treeshake: DEFINITIONS_ALONE,
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  });
  if (!('output' in result)) throw new Error('the build of the threads left nothing to write');
  mkdirSync(BUILT_FOLDER, { recursive: true });
  const door = readFileSync(DOOR, 'utf8');
  if (!door.includes(SOURCE)) throw new Error(`${DOOR} does not open ${SOURCE}`);
  write(BUILT_COMMAND, door.replace(SOURCE, BUILT));
  const names = new Set([basename(BUILT_COMMAND)]);
  for (const file of result.output) {
    names.add(file.fileName);
    write(join(BUILT_FOLDER, file.fileName), file.type === 'chunk' ? file.code : Buffer.from(file.source));
  }
  for (const name of readdirSync(BUILT_FOLDER))
    if (!names.has(name)) rmSync(join(BUILT_FOLDER, name), { recursive: true });
}

/** Leaves what is the same as it is, for tests that run already; what differs is there whole or not at all. */
function write(path: string, content: string | Buffer): void {
  if (existsSync(path) && readFileSync(path).equals(Buffer.from(content))) return;
  writeFileSync(`${path}.new`, content);
  renameSync(`${path}.new`, path);
}
