import { availableParallelism } from 'node:os';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { agentSuites, chromiumPath, optionalSuites } from './scripts/support/capabilities.ts';
import { hasFonts, writeFontsConfiguration } from './scripts/support/fonts.ts';
import { NIGHTLY } from './scripts/support/nightly.ts';
import { CACHE } from './scripts/support/paths.ts';
import { builtThreads } from './test/support/built-threads.ts';
import { PATIENCE_MS } from './test/support/processes.ts';

const suites = optionalSuites();

// Every browser of the tests inherits it.
if (!hasFonts()) process.env['FONTCONFIG_FILE'] = writeFontsConfiguration(CACHE);

/** One more than there are cores: files wait for browsers, disks and other processes about a quarter of their time. */
const WORKERS = availableParallelism() + 1;

/** What a nightly run draws by, which tries everything (`npm run test:nightly`); null in the gate (test/support/extent.ts). */
const nightlySeed = process.env[NIGHTLY] === undefined ? null : Number(process.env[NIGHTLY]);

/** How all files run that run in Node. */
const IN_NODE = {
  environment: 'node',
  provide: { nightlySeed },
  maxWorkers: WORKERS,
  globalSetup: ['test/support/run-folder.ts', 'test/support/built-threads.ts'],
  // Files share their modules: loading the service anew for each takes longer than most of its tests.
  isolate: false,
  setupFiles: ['test/support/undo-at-end.ts', 'test/support/native-signing.ts'],
  // Where bin/countersign.js keeps what was compiled: the threads of services within the tests find it there as well.
  env: { NODE_COMPILE_CACHE: CACHE },
  // Patience, not a measure: several files and their browsers share the cores.
  expect: { poll: { timeout: PATIENCE_MS / 5 } },
  testTimeout: PATIENCE_MS,
  hookTimeout: PATIENCE_MS,
} satisfies TestProjectInlineConfiguration['test'];

/** What takes everything, exhaustively or in large: left to `npm run test:nightly`. */
const LEFT_TO_THE_NIGHT = nightlySeed === null ? ['test/**/*.nightly.test.ts'] : [];

/** What takes its time, whole processes and threads: left to npm test, so that npm run check stays quick. */
const SLOW = ['test/**/*.slow.test.ts', 'test/**/*.{pdf-tools,s3,chdb}.test.ts', 'test/{cli,model}/**/*.test.ts'];

/** What replaces a module or the clock of its process, or measures its bounds, and so must not share them with other files. */
const ALONE = ['test/**/*.alone.test.ts'];

/** Folders that are projects of their own, and what needs a browser or Electron. */
const ELSEWHERE = [
  'test/{agents,e2e,faults,interop}/**',
  'test/security/**/*.browser.test.ts',
  '**/*.electron.test.ts',
];

const alone: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: { ...IN_NODE, name: 'alone', isolate: true, include: ALONE, exclude: ELSEWHERE },
};

const slow: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: {
    ...IN_NODE,
    name: 'slow',
    include: [...SLOW, 'test/**/*.nightly.test.ts'],
    exclude: [
      ...ELSEWHERE,
      ...LEFT_TO_THE_NIGHT,
      ...(suites.pdfTools.available ? [] : ['**/*.pdf-tools.test.ts']),
      ...(suites.objectStore.available ? [] : ['**/*.s3.test.ts']),
      ...(suites.searchEngine.available ? [] : ['**/*.chdb.test.ts']),
    ],
  },
};

const unit: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: {
    ...IN_NODE,
    name: 'unit',
    include: ['test/**/*.test.ts'],
    exclude: [...SLOW, ...ALONE, ...ELSEWHERE, 'test/**/*.nightly.test.ts'],
  },
};

/** What goes wrong around the service: processes killed, disks full, files damaged, clocks stepping, steps failing. */
const faults: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: {
    name: 'faults',
    ...IN_NODE,
    include: ['test/faults/**/*.test.ts'],
    exclude: [...LEFT_TO_THE_NIGHT, ...(suites.postgres.available ? [] : ['**/*.pg.test.ts'])],
  },
};

/** Real agent programs, which scripts/test-agents.ts installs, before a model server of our own. */
const agents: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: {
    ...IN_NODE,
    name: 'agents',
    include: ['test/agents/**/*.test.ts'],
    exclude: agentSuites().flatMap(({ available, files }) => (available ? [] : files)),
    // Each test runs several processes: more at once would wait for each other.
    maxWorkers: 1,
    // Vitest wants a turn of its own for a project with another number of workers.
    sequence: { groupOrder: 1 },
  },
};

/** Whole processes, a real browser, or another language's verifier: slower, and patient. */
const e2e: TestProjectInlineConfiguration = {
  plugins: [builtThreads],
  test: {
    name: 'e2e',
    ...IN_NODE,
    globalSetup: ['test/support/run-folder.ts', 'test/support/built-threads.ts', 'test/support/build-pages.ts'],
    include: ['test/e2e/**/*.test.ts', 'test/interop/**/*.test.ts', 'test/security/**/*.browser.test.ts'],
    exclude: [
      ...LEFT_TO_THE_NIGHT,
      ...(suites.interop.available ? [] : ['test/interop/**']),
      ...(suites.electron.available ? [] : ['**/*.electron.test.ts']),
    ],
  },
};

/** The protocol's tests once more where it also has to run: in a browser, without Node's crypto or Buffer. */
function browser(executablePath: string): TestProjectInlineConfiguration {
  const asRoot = process.getuid?.() === 0;
  return {
    // Found by vite while a test runs, these would make it reload the page under the test.
    optimizeDeps: { include: ['fast-check'], exclude: ['@noble/ed25519', '@noble/hashes', '@noble/post-quantum'] },
    test: {
      name: 'browser',
      globalSetup: ['test/support/run-folder.ts'],
      provide: { nightlySeed },
      include: ['test/protocol/**/*.test.ts'],
      // What takes its time there as well: the quick files read, encode, sign and verify by themselves.
      exclude: nightlySeed === null ? [...SLOW, ...LEFT_TO_THE_NIGHT] : [],
      // As in Node: each file would load and compile the protocol anew.
      isolate: false,
      maxWorkers: WORKERS,
      testTimeout: PATIENCE_MS,
      browser: {
        enabled: true,
        headless: true,
        screenshotFailures: false,
        instances: [{ browser: 'chromium', name: 'browser' }],
        provider: playwright({
          launchOptions: {
            executablePath,
            args: [
              '--disable-background-networking',
              '--disable-component-update',
              '--disable-sync',
              '--no-first-run',
              '--disable-gpu',
              // Chromium refuses to sandbox as root; nothing but our own tests is loaded here.
              ...(asRoot ? ['--no-sandbox'] : []),
            ],
          },
        }),
      },
    },
  };
}

const chromium = chromiumPath();

export default defineConfig({
  test: {
    projects: [unit, slow, alone, faults, e2e, agents, ...(chromium === undefined ? [] : [browser(chromium)])],
    // Stray handles must not keep a finished run open.
    teardownTimeout: 10_000,
  },
});
