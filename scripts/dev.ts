import './require-node.cjs';
import { type ChildProcess, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { createServer } from 'vite';
import config from '../electron.vite.config.ts';
import { ROOT } from './support/paths.ts';

/**
 * The service, restarted when one of its sources changes, and the page, hot-reloaded, in one command. Options are those of
 * `countersign serve`; the page is served on the next free port from 5173 on.
 *
 *     npm run dev -- --data-dir /tmp/countersign-dev
 */
const args = process.argv.slice(2);
const given = args.indexOf('--port');
const port = given === -1 ? '8787' : (args[given + 1] ?? '');
const target = `http://127.0.0.1:${port}`;

const pages = await createServer({
  ...config.renderer,
  configFile: false,
  // What a test or a person reads for the address: the service prints it with its own lines.
  logLevel: 'warn',
  server: {
    host: '127.0.0.1',
    // Packages may lie elsewhere, behind a link.
    fs: { allow: [ROOT, realpathSync(join(ROOT, 'node_modules'))] },
    // Sources of the page lie under /api too. The service takes acts of pages from its own origin alone: it is told below
    // that this one is.
    proxy: { '^/(v1|api/auth|\\.well-known)/': { target, changeOrigin: true } },
  },
});
await pages.listen();
const [url = ''] = pages.resolvedUrls?.local ?? [];

const service = serve(new URL(url).origin);
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => service.kill(signal));
}
service.on('exit', (code) => {
  process.exitCode = code ?? 1;
  void pages.close();
});

/**
 * Under Node's own watch: it follows what the service imports, and ends it in order before each restart. The link to begin
 * with leads to the page with hot reload.
 */
function serve(origin: string): ChildProcess {
  const command = [join(ROOT, 'scripts', 'support', 'serve.ts'), 'serve', '--public-url', origin, ...args];
  const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', ...command], {
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    process.stdout.write(text.replaceAll(`${target}/#/`, `${origin}/#/`));
  });
  return child;
}
