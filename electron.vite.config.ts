import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import type { Plugin } from 'vite';
import { noteBundledPackages } from './scripts/package/bundled-packages.ts';

const root = import.meta.dirname;

/**
 * What debug, a dependency of Koa, would colour its output with, were it installed: not part of the product. Nothing takes
 * its place; left as a require, it would load whatever is called so in a folder above the application.
 */
const withoutColors: Plugin = {
  name: 'without-colors',
  enforce: 'pre',
  resolveId: (id) => (id === 'supports-color' ? '\0no-colors' : null),
  load: (id) => (id === '\0no-colors' ? 'module.exports = null;' : null),
};

/** In the bundle drizzle is a part of it, and none of what src/service/store/drizzle.ts is for applies. */
const bundledDrizzle: Plugin = {
  name: 'bundled-drizzle',
  enforce: 'pre',
  load: (id) =>
    id.replaceAll('\\', '/').endsWith('/src/service/store/drizzle.ts')
      ? ['drizzle-orm', 'drizzle-orm/sqlite-core', 'drizzle-orm/better-sqlite3']
          .map((name) => `export * from '${name}';\n`)
          .join('')
      : null,
};

/**
 * Packages that stay outside the bundle, and are packed as they are: these load files of their own relative to themselves,
 * better-sqlite3 and @node-rs/argon2 native code, pdfkit its profiles of colour.
 */
const OUTSIDE = [/^better-sqlite3/, /^@node-rs\//, /^pdfkit/];

export default defineConfig({
  main: {
    plugins: [withoutColors, bundledDrizzle, noteBundledPackages(resolve(root, 'out/bundled-packages/main.json'))],
    build: {
      outDir: resolve(root, 'out/main'),
      // To find a thousand small files takes a start longer than all else that it does (docs/decisions/0034).
      externalizeDeps: false,
      rolldownOptions: {
        external: OUTSIDE,
        // Threads have files of their own, found by name beside whatever starts them (src/runtime/worker-url.ts): so all
        // of it is built into one folder.
        input: {
          index: resolve(root, 'src/main/index.ts'),
          'case-job-worker': resolve(root, 'src/service/cases/case-job-worker.ts'),
          'claims-worker': resolve(root, 'src/service/cases/claims-worker.ts'),
          'case-read-worker': resolve(root, 'src/service/cases/reads/case-read-worker.ts'),
          'equation-worker': resolve(root, 'src/runtime/equation-worker.ts'),
          'large-body-worker': resolve(root, 'src/service/ledger/large-body-worker.ts'),
          'check-worker': resolve(root, 'src/service/ledger/check-worker.ts'),
          'content-worker': resolve(root, 'src/service/content-index/content-worker.ts'),
          'ledger-read-worker': resolve(root, 'src/service/investigation/ledger-read-worker.ts'),
          'index-worker': resolve(root, 'src/service/operation-index/index-worker.ts'),
          'backup-worker': resolve(root, 'src/service/operator/backup/backup-worker.ts'),
          'export-worker': resolve(root, 'src/service/evidence/exports/export-worker.ts'),
          'ledger-worker': resolve(root, 'src/service/evidence/self-verification/ledger-worker.ts'),
        },
        output: { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  },
  // A sandboxed preload is read as CommonJS and can require nothing but electron: one file, everything inside.
  preload: {
    build: {
      outDir: resolve(root, 'out/preload'),
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve(root, 'src/preload/index.ts'), passphrase: resolve(root, 'src/preload/passphrase.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: resolve(root, 'src/renderer'),
    // Relative, because the service decides where it is served.
    base: './',
    plugins: [react(), noteBundledPackages(resolve(root, 'out/bundled-packages/renderer.json'))],
    worker: { format: 'es' },
    build: {
      outDir: resolve(root, 'out/renderer'),
      rolldownOptions: {
        input: [resolve(root, 'src/renderer/index.html'), resolve(root, 'src/renderer/docs/index.html')],
        // Its modules do nothing but define.
        treeshake: {
          moduleSideEffects: (id: string) => (/[\\/]src[\\/]query[\\/]|re2js/.test(id) ? false : undefined),
        },
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            // Reading queries takes an engine of regular expressions: who only writes one, as the dashboard does, loads none.
            groups: [
              {
                name: 'query-reading',
                test: /re2js|src[\\/]query[\\/](?:comparable|complete|evaluate|fields|form|hits|parse|regex|regex-term|scanner|terms|typed-so-far|values)\.ts$/,
              },
            ],
          },
        },
      },
      // The page runs under default-src 'self': no data: addresses and no inline script may come out of the build.
      assetsInlineLimit: 0,
      // Browsers load it over the network as well, unlike an ordinary desktop page.
      minify: true,
      modulePreload: { polyfill: false },
    },
  },
});
