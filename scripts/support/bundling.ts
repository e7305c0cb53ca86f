import { createRequire } from 'node:module';
import type { Plugin } from 'vite';

/** The threads of the product: the name by which each is started (src/node/worker-url.ts), and its file. */
export const THREADS: Readonly<Record<string, string>> = {
  'archive-worker': 'src/service/archive/archive-worker.ts',
  'case-job-worker': 'src/service/cases/case-job-worker.ts',
  'claims-worker': 'src/service/cases/claims-worker.ts',
  'case-read-worker': 'src/service/cases/reads/case-read-worker.ts',
  'equation-worker': 'src/node/equation-worker.ts',
  'large-body-worker': 'src/service/ledger/large-body-worker.ts',
  'check-worker': 'src/service/ledger/check-worker.ts',
  'content-worker': 'src/service/search/content-index/content-worker.ts',
  'ledger-read-worker': 'src/service/search/queries/ledger-read-worker.ts',
  'large-event-worker': 'src/recorder/compose/large-event-worker.ts',
  'received-worker': 'src/recorder/listen/received-worker.ts',
  'index-worker': 'src/service/ledger/operation-index/index-worker.ts',
  'courier-worker': 'src/service/archive/courier-worker.ts',
  'syslog-worker': 'src/service/operator/syslog/syslog-worker.ts',
  'backup-worker': 'src/service/operator/backup/backup-worker.ts',
  'export-worker': 'src/service/evidence/exports/export-worker.ts',
  'record-file-worker': 'src/service/evidence/record-files/record-file-worker.ts',
  'ledger-worker': 'src/service/evidence/self-verification/ledger-worker.ts',
};

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

/** In the bundle Koa's router is a part of it too, in its CommonJS form, for the sake of which there is src/service/http/router.ts. */
const bundledRouter: Plugin = {
  name: 'bundled-router',
  enforce: 'pre',
  load: (id) =>
    id.replaceAll('\\', '/').endsWith('/src/service/http/router.ts')
      ? `export { Router } from ${JSON.stringify(createRequire(import.meta.url).resolve('@koa/router'))};`
      : null,
};

/** What every bundle of the service is built with. */
export const SERVICE_PLUGINS: readonly Plugin[] = [withoutColors, bundledDrizzle, bundledRouter];

/**
 * Packages that stay outside the bundle, and are packed as they are: these load files of their own relative to themselves,
 * better-sqlite3 and @node-rs/argon2 native code, pdfkit its profiles of colour, harfbuzzjs its WebAssembly.
 */
export const OUTSIDE: readonly RegExp[] = [/^better-sqlite3/, /^@node-rs\//, /^pdfkit/, /^harfbuzzjs/];

/**
 * These modules do nothing but define: whatever loads some of them, a thread or a screen, brings along what it uses, and not
 * the schemas of all routes, which to build takes longer than the rest of a thread's start.
 */
const DEFINITIONS = /[\\/]src[\\/](?:actions|api|protocol|reports[\\/](?:reading|verify))[\\/]|re2js/;

/** What a bundle may leave out. */
export const DEFINITIONS_ALONE = {
  moduleSideEffects: (id: string): false | undefined => (DEFINITIONS.test(id) ? false : undefined),
};
