import { resolve } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'electron-vite';
import { noteBundledPackages } from './scripts/package/bundled-packages.ts';
import { DEFINITIONS_ALONE, OUTSIDE, SERVICE_PLUGINS, THREADS } from './scripts/support/bundling.ts';

const root = import.meta.dirname;

export default defineConfig({
  main: {
    plugins: [...SERVICE_PLUGINS, noteBundledPackages(resolve(root, 'out/bundled-packages/main.json'))],
    build: {
      outDir: resolve(root, 'out/main'),
      // To find a thousand small files takes a start longer than all else that it does (docs/decisions/0034).
      externalizeDeps: false,
      rolldownOptions: {
        external: [...OUTSIDE],
        treeshake: DEFINITIONS_ALONE,
        // Threads have files of their own, found by name beside whatever starts them (src/node/worker-url.ts): so all
        // of it is built into one folder.
        input: {
          index: resolve(root, 'src/main/index.ts'),
          ...Object.fromEntries(Object.entries(THREADS).map(([name, path]) => [name, resolve(root, path)])),
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
        treeshake: DEFINITIONS_ALONE,
        output: {
          codeSplitting: {
            includeDependenciesRecursively: false,
            // Reading queries takes an engine of regular expressions: who only writes one, as the dashboard does, loads none.
            groups: [
              {
                name: 'query-reading',
                test: /re2js|src[\\/]protocol[\\/]text[\\/]disguised-words\.ts$|src[\\/]actions[\\/]query[\\/](?:comparable|complete|evaluate|query-fields|form|grouped-query|hits|limits|meant-as-text|parse|readings|regex|regex-term|scanner|terms|typed-so-far|values)\.ts$/,
              },
              // What a query is, both whoever reads one and whoever writes one needs: in a chunk of either, the two would import each other.
              { name: 'query', test: /src[\\/](?:actions[\\/])?query[\\/]query\.ts$/ },
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
